//! Exchanges between all ranks, in rounds: [`Rounds`].

use crate::Comm;
use crate::comm::Idle;
use std::collections::VecDeque;

/// Exchanges between all ranks, in rounds. Nothing else may be sent meanwhile.
#[derive(Debug)]
pub(super) struct Rounds<'c, C> {
    comm: &'c C,
    /// For each rank, what arrived from it and belongs to later rounds.
    early: Vec<VecDeque<Vec<u8>>>,
}

impl<'c, C: Comm> Rounds<'c, C> {
    pub(super) fn new(comm: &'c C) -> Self {
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
        let mut idle = Idle::default();
        (0..size)
            .map(|from| {
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
            })
            .collect()
    }

    /// The sums of the numbers that all ranks give.
    pub(super) fn sum<const N: usize>(&mut self, numbers: [u64; N]) -> [u64; N] {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.exchange(vec![bytes; self.comm.size()]);
        let mut sums = [0; N];
        for part in all {
            for (sum, number) in sums.iter_mut().zip(part.as_chunks().0) {
                *sum += u64::from_le_bytes(*number);
            }
        }
        sums
    }
}

/// A message of flags and entries in any order. Each entry is written once, as the difference from
/// the one before, in groups of seven bits.
pub(super) fn pack(flags: u8, mut entries: Vec<u64>) -> Vec<u8> {
    entries.sort_unstable();
    entries.dedup();
    let mut bytes = vec![flags];
    let mut before = 0;
    for entry in entries {
        let mut rest = entry - before;
        before = entry;
        while rest >= 128 {
            bytes.push(low_bits(rest) | 128);
            rest >>= 7;
        }
        bytes.push(low_bits(rest));
    }
    bytes
}

fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 127
}

/// The flags and the entries of a message.
pub(super) fn unpack(bytes: &[u8]) -> (u8, impl Iterator<Item = u64>) {
    let (&flags, mut rest) = bytes.split_first().expect("a message has flags");
    let mut before = 0;
    let entries = std::iter::from_fn(move || {
        let (mut difference, mut shift) = (0, 0);
        loop {
            let (&byte, next) = rest.split_first()?;
            rest = next;
            difference |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                before += difference;
                return Some(before);
            }
        }
    });
    (flags, entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        for entries in [vec![], vec![0], vec![5, 3, 5, 1 << 40, 127, 128, u64::MAX]] {
            let bytes = pack(6, entries.clone());
            let mut expected = entries;
            expected.sort_unstable();
            expected.dedup();
            let (flags, found) = unpack(&bytes);
            assert_eq!((flags, found.collect::<Vec<_>>()), (6, expected));
        }
    }
}
