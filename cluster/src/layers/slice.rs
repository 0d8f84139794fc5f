//! The entries of one rank: [`Slice`].

use crate::ranges::{BLOCK, Ranges};

/// The entries of one rank: a range of whole blocks. Each has a code of 2, 4 or 8 bits. The
/// greatest code marks entries that are not reached.
pub(super) struct Slice {
    entries: u64,
    bits: u32,
    rank: usize,
    ranges: Ranges,
    /// The codes, those of lower entries in lower bits. A block has as many words as a code has
    /// bits.
    words: Vec<u64>,
    /// How many entries have each code, but the greatest.
    counts: [u64; 256],
    /// A bit for each entry that is to be expanded again. Empty until the first one.
    held: Vec<u64>,
    held_count: u64,
}

fn place(number: u64) -> usize {
    usize::try_from(number).expect("a place in memory")
}

impl Slice {
    /// The entries of a rank, none of them reached.
    pub(super) fn new(entries: u64, bits: u32, rank: usize, ranks: usize) -> Self {
        let ranges = Ranges::new(entries, ranks);
        let blocks = ranges.blocks(rank);
        let words = place((blocks.end - blocks.start) * u64::from(bits));
        let (words, held) = (vec![u64::MAX; words], Vec::new());
        Self { entries, bits, rank, ranges, words, counts: [0; 256], held, held_count: 0 }
    }

    pub(super) fn entries(&self) -> u64 {
        self.entries
    }
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }
    pub(super) fn rank(&self) -> usize {
        self.rank
    }
    pub(super) fn ranks(&self) -> usize {
        self.ranges.ranks()
    }

    /// The first block of this rank.
    pub(super) fn first(&self) -> u64 {
        self.ranges.blocks(self.rank).start
    }
    pub(super) fn start(&self) -> u64 {
        BLOCK * self.first()
    }
    pub(super) fn end(&self) -> u64 {
        BLOCK * self.ranges.blocks(self.rank).end
    }

    /// The codes as words.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many entries have each code, but the greatest.
    pub(super) fn counts(&self) -> [u64; 256] {
        self.counts
    }

    /// The code of entries that are not reached.
    pub(super) fn unseen(&self) -> u8 {
        u8::MAX >> (8 - self.bits)
    }

    /// The rank that owns an entry.
    pub(super) fn owner(&self, entry: u64) -> usize {
        self.ranges.owner(entry)
    }

    /// The word and the shift of an entry of this rank.
    fn slot(&self, entry: u64) -> (usize, u32) {
        let bit = (entry - self.start()) * u64::from(self.bits);
        (place(bit / 64), (bit % 64) as u32)
    }

    /// The code of an entry of this rank.
    pub(super) fn code(&self, entry: u64) -> u8 {
        let (word, shift) = self.slot(entry);
        (self.words[word] >> shift).to_le_bytes()[0] & self.unseen()
    }

    /// Gives an entry of this rank a code, unless it has a lower one. Returns whether that changed
    /// the entry.
    pub(super) fn lower(&mut self, entry: u64, code: u8) -> bool {
        let (word, shift) = self.slot(entry);
        let unseen = self.unseen();
        let old = (self.words[word] >> shift).to_le_bytes()[0] & unseen;
        if old <= code {
            return false;
        }
        self.words[word] ^= u64::from(old ^ code) << shift;
        if old < unseen {
            self.counts[usize::from(old)] -= 1;
        }
        self.counts[usize::from(code)] += 1;
        true
    }

    /// Copies the codes of blocks from `first` on, as another job had them.
    pub(super) fn fill(&mut self, first: u64, words: &[u64]) {
        let at = place((first - self.first()) * u64::from(self.bits));
        self.words[at..at + words.len()].copy_from_slice(words);
    }

    /// Counts the codes again, after [`Slice::fill`].
    pub(super) fn count(&mut self) {
        self.counts = [0; 256];
        let (bits, unseen) = (self.bits, self.unseen());
        for &word in self.words.iter().filter(|&&word| word != u64::MAX) {
            for shift in (0..64).step_by(bits as usize) {
                let code = (word >> shift).to_le_bytes()[0] & unseen;
                if code < unseen {
                    self.counts[usize::from(code)] += 1;
                }
            }
        }
    }

    /// Entries with a code, from `at` on: about as many as `most`. Moves `at` behind them.
    pub(super) fn select(&self, code: u8, at: &mut u64, most: usize) -> Vec<u64> {
        let (mut found, in_word) = (Vec::new(), u64::from(64 / self.bits));
        if self.counts[usize::from(code)] == 0 {
            *at = self.end();
        }
        let pattern = self.pattern(code);
        while *at < self.end() && found.len() < most {
            let (word, _) = self.slot(*at);
            let mut hits = self.zeros(self.words[word] ^ pattern);
            while hits != 0 {
                found.push(*at + u64::from(hits.trailing_zeros() / self.bits));
                hits &= hits - 1;
            }
            *at += in_word;
        }
        found
    }

    /// A word full of a code.
    fn pattern(&self, code: u8) -> u64 {
        u64::from(code) * (u64::MAX / u64::from(self.unseen()))
    }

    /// The highest bit of each code of a word that is 0.
    fn zeros(&self, word: u64) -> u64 {
        let high = self.pattern(1) << (self.bits - 1);
        let low = !high;
        !(((word & low) + low) | word | low)
    }

    /// Holds an entry of this rank, to be expanded again.
    pub(super) fn hold(&mut self, entry: u64) {
        if self.held.is_empty() {
            self.held = vec![0; place((self.end() - self.start()) / BLOCK)];
        }
        let at = entry - self.start();
        let (word, bit) = (&mut self.held[place(at / BLOCK)], 1 << (at % BLOCK));
        self.held_count += u64::from(*word & bit == 0);
        *word |= bit;
    }

    /// How many entries are held.
    pub(super) fn held(&self) -> u64 {
        self.held_count
    }

    /// Takes held entries: about as many as `most`.
    pub(super) fn take_held(&mut self, most: usize) -> Vec<u64> {
        let (mut found, start) = (Vec::new(), self.start());
        for (at, word) in (0..).zip(&mut self.held) {
            if found.len() as u64 == self.held_count || found.len() >= most {
                break;
            }
            let mut bits = std::mem::take(word);
            while bits != 0 {
                found.push(start + BLOCK * at + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
        self.held_count -= found.len() as u64;
        found
    }

    /// Makes all codes of two bits older: 2 becomes 1, and 1 becomes 0.
    pub(super) fn age(&mut self) {
        const LOW: u64 = u64::MAX / 3;
        for word in &mut self.words {
            let (low, high) = (*word & LOW, *word >> 1 & LOW);
            *word = high | (low & high) << 1;
        }
        let [old, last, new] = [0, 1, 2].map(|code| self.counts[code]);
        self.counts[..3].copy_from_slice(&[old + last, new, 0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_one_owner() {
        for (entries, ranks) in [(1, 1), (1, 4), (1000, 3), (64 * 7, 7), (64 * 7 + 1, 5), (130, 9)]
        {
            let slices: Vec<Slice> =
                (0..ranks).map(|rank| Slice::new(entries, 4, rank, ranks)).collect();
            for entry in 0..entries {
                let owners = slices.iter().filter(|one| (one.start()..one.end()).contains(&entry));
                let owners: Vec<usize> = owners.map(Slice::rank).collect();
                assert_eq!(owners, [slices[0].owner(entry)], "{entry} of {entries}");
            }
        }
    }

    #[test]
    fn codes_are_kept_and_found() {
        for bits in [2, 4, 8] {
            let mut slice = Slice::new(1000, bits, 1, 3);
            let entries: Vec<u64> = (slice.start()..slice.end()).step_by(7).collect();
            let unseen = slice.unseen();
            let code = |entry: u64| u8::try_from(entry % u64::from(unseen)).unwrap();
            for &entry in &entries {
                assert!(slice.lower(entry, unseen - 1) && slice.lower(entry, 0) == (unseen > 1));
            }
            let mut slice = Slice::new(1000, bits, 1, 3);
            entries.iter().for_each(|&entry| _ = slice.lower(entry, code(entry)));
            for wanted in 0..unseen {
                let expected: Vec<u64> =
                    entries.iter().copied().filter(|&entry| code(entry) == wanted).collect();
                let (mut at, mut found) = (slice.start(), Vec::new());
                while at < slice.end() {
                    found.extend(slice.select(wanted, &mut at, 2));
                }
                assert_eq!(found, expected);
                assert_eq!(slice.counts()[usize::from(wanted)], expected.len() as u64);
            }
            let counts = slice.counts();
            slice.count();
            assert_eq!(slice.counts(), counts);
            entries.iter().for_each(|&entry| slice.hold(entry));
            let mut held = slice.take_held(5);
            assert!((5..entries.len()).contains(&held.len()));
            held.extend(slice.take_held(1000));
            assert_eq!((held, slice.held()), (entries, 0));
        }
    }
}
