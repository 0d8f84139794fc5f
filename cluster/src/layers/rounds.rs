//! Exchanges between all ranks, in rounds: [`Rounds`].

use crate::Comm;
use crate::comm::Idle;
use fewest::search::Cost;
use std::collections::VecDeque;

/// Exchanges between all ranks, in rounds. Nothing else may be sent meanwhile.
#[derive(Debug)]
pub(crate) struct Rounds<'c, C> {
    comm: &'c C,
    /// For each rank, what arrived from it and belongs to later rounds.
    early: Vec<VecDeque<Vec<u8>>>,
}

impl<'c, C: Comm> Rounds<'c, C> {
    pub(crate) fn new(comm: &'c C) -> Self {
        Self { comm, early: vec![VecDeque::new(); comm.size()] }
    }

    /// Sends `parts[r]` to each rank `r`. Returns what each rank sent here, by its number.
    pub(super) fn exchange(&mut self, mut parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (own, size) = (self.comm.rank(), self.comm.size());
        self.early[own].push_back(std::mem::take(&mut parts[own]));
        // Every rank begins with another one, so that not all send to the same.
        for to in (1..size).map(|step| (own + step) % size) {
            self.comm.send(to, &parts[to]);
        }
        (0..size).map(|from| self.next_from(from)).collect()
    }

    /// The next message from a rank. Waits for it.
    pub(crate) fn next_from(&mut self, from: usize) -> Vec<u8> {
        let mut idle = Idle::default();
        loop {
            if let Some(part) = self.early[from].pop_front() {
                return part;
            }
            match self.comm.receive() {
                Some((sender, part)) => {
                    self.early[sender].push_back(part);
                    idle = Idle::default();
                }
                None => std::thread::sleep(idle.next()),
            }
        }
    }

    /// What all ranks send to all.
    pub(crate) fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
        self.exchange(vec![own; self.comm.size()])
    }

    /// The sums of the numbers that all ranks give.
    pub(crate) fn sum<const N: usize>(&mut self, numbers: [u64; N]) -> [u64; N] {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut sums = [0; N];
        for part in self.share(bytes) {
            for (sum, number) in sums.iter_mut().zip(part.as_chunks().0) {
                *sum += u64::from_le_bytes(*number);
            }
        }
        sums
    }

    /// The numbers of all ranks, by rank.
    pub(super) fn numbers(&mut self, own: u64) -> Vec<u64> {
        let parts = self.share(own.to_le_bytes().to_vec());
        parts
            .iter()
            .flat_map(|part| part.as_chunks().0)
            .map(|one| u64::from_le_bytes(*one))
            .collect()
    }

    /// The number of this rank, and the number of ranks.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.comm.rank(), self.comm.size())
    }
}

/// Entries that edges of a cost lead to, for each cost. In any order.
pub(super) type Targets = Vec<(Cost, Vec<u64>)>;

/// A message of flags and targets. Each entry is written once for each cost, as the difference from
/// the one before, in groups of seven bits.
pub(super) fn pack(flags: u8, targets: Targets) -> Vec<u8> {
    let mut bytes = vec![flags];
    for (cost, mut entries) in targets {
        entries.sort_unstable();
        entries.dedup();
        bytes.push(cost);
        write(&mut bytes, entries.len() as u64);
        let mut before = 0;
        for entry in entries {
            write(&mut bytes, entry - before);
            before = entry;
        }
    }
    bytes
}

fn write(bytes: &mut Vec<u8>, mut rest: u64) {
    while rest >= 128 {
        bytes.push(low_bits(rest) | 128);
        rest >>= 7;
    }
    bytes.push(low_bits(rest));
}

fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 127
}

/// Calls `take` with each cost and entry of a message. Returns its flags.
pub(super) fn unpack(bytes: &[u8], take: &mut dyn FnMut(Cost, u64)) -> u8 {
    let (&flags, mut rest) = bytes.split_first().expect("a message has flags");
    while let Some((&cost, next)) = rest.split_first() {
        rest = next;
        let mut entry = 0;
        for _ in 0..read(&mut rest) {
            entry += read(&mut rest);
            take(cost, entry);
        }
    }
    flags
}

fn read(rest: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, next) = rest.split_first().expect("a message is whole");
        *rest = next;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return number;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        for entries in [vec![], vec![0], vec![5, 3, 5, 1 << 40, 127, 128, u64::MAX]] {
            let targets = vec![(1, entries.clone()), (0, vec![7, 6])];
            let mut expected: Vec<(Cost, u64)> = entries.iter().map(|&entry| (1, entry)).collect();
            expected.sort_unstable();
            expected.dedup();
            expected.extend([(0, 6), (0, 7)]);
            let mut found = Vec::new();
            let flags = unpack(&pack(6, targets), &mut |cost, entry| found.push((cost, entry)));
            assert_eq!((flags, found), (6, expected));
        }
    }
}
