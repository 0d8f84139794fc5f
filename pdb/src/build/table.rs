//! The packed table while it is built: 4-bit values in shared 64-bit words.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries in a word.
const IN_WORD: u64 = 16;
/// A 1 in every nibble.
const ONES: u64 = 0x1111_1111_1111_1111;

/// `entries` values of 4 bits, entry `e` in bits `4 (e % 16)` and up of word `e / 16`; 15 = unseen. 8 bytes for 16 entries.
///
/// Values only go from 15 to something else, by one atomic AND; all orderings are relaxed, because a layer reads only what was
/// written before it began (the join of the thread pool lies between), or does not care whether it sees it.
pub(super) struct Table<'a> {
    words: &'a [AtomicU64],
}

/// The words of one row and where it starts in the first.
pub(super) struct Row<'a> {
    words: &'a [AtomicU64],
    offset: usize,
}

impl<'a> Table<'a> {
    /// All entries unseen.
    pub(super) fn unseen(words: &'a [AtomicU64]) -> Self {
        words.par_iter().for_each(|word| word.store(u64::MAX, Relaxed));
        Self { words }
    }

    /// A row, which is in the table.
    #[inline(always)]
    pub(super) fn row(&self, row: u64, columns: usize) -> Row<'_> {
        let first = row * columns as u64;
        let word = index(first / IN_WORD);
        let offset = index(first % IN_WORD);
        Row { words: &self.words[word..word + (offset + columns).div_ceil(16)], offset }
    }

    /// Asks the processor for the start of a row.
    #[inline(always)]
    pub(super) fn prefetch(&self, row: u64, columns: usize) {
        crate::memory::prefetch(self.words, index(row * columns as u64 / IN_WORD));
    }

    /// Makes all entries of a value unseen again.
    pub(super) fn forget(&self, value: u64) {
        self.words.par_iter().for_each(|word| {
            let old = word.load(Relaxed);
            word.store(old | (equal(old, value) * 15), Relaxed);
        });
    }

    /// Brings the words into the byte order of the finished table.
    pub(super) fn finish(self) {
        if cfg!(target_endian = "big") {
            self.words.par_iter().for_each(|word| word.store(word.load(Relaxed).to_le(), Relaxed));
        }
    }
}

impl Row<'_> {
    /// Whether the entry in a column has this value.
    #[inline(always)]
    pub(super) fn has(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        self.words[at / 16].load(Relaxed) >> (at % 16 * 4) & 15 == value
    }

    /// Gives an unseen entry a value, which may be 15; true if it was unseen until now.
    #[inline(always)]
    pub(super) fn set(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        let (word, shift) = (&self.words[at / 16], at % 16 * 4);
        // Most entries are seen already: a load is cheaper than an atomic change.
        word.load(Relaxed) >> shift & 15 == 15
            && word.fetch_and(!((15 ^ value) << shift), Relaxed) >> shift & 15 == 15
    }

    /// Overwrites `out` with the columns that have this value, ascending.
    #[inline]
    pub(super) fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        let end = self.offset + columns;
        for (i, word) in self.words.iter().enumerate() {
            let mut hits = equal(word.load(Relaxed), value);
            if i == 0 {
                hits &= u64::MAX << (4 * self.offset);
            }
            if 16 * (i + 1) > end {
                hits &= u64::MAX >> (4 * (16 * (i + 1) - end));
            }
            while hits != 0 {
                let at = 16 * i + hits.trailing_zeros() as usize / 4;
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a row has at most 65,536 columns"
                )]
                out.push((at - self.offset) as u16);
                hits &= hits - 1;
            }
        }
    }
}

/// The lowest bit of every nibble that equals `value`.
#[inline(always)]
fn equal(word: u64, value: u64) -> u64 {
    let mut differ = word ^ (value * ONES);
    differ |= differ >> 2;
    differ |= differ >> 1;
    !differ & ONES
}

/// An index into a table in memory.
#[inline(always)]
fn index(value: u64) -> usize {
    // `Table` holds its words in memory, so every index of one fits; anything else the slice refuses.
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_share_words_and_do_not_mix() {
        for columns in [1, 3, 15, 16, 17, 40] {
            let words: Vec<AtomicU64> = (0..32).map(|_| AtomicU64::new(0)).collect();
            let table = Table::unseen(&words);
            let mut out = Vec::new();
            for row in 0..5 {
                for column in (0..columns).step_by(2) {
                    assert!(table.row(row, columns).set(column, row));
                    assert!(!table.row(row, columns).set(column, 9));
                    assert!(table.row(row, columns).has(column, row));
                }
            }
            for row in 0..5 {
                table.row(row, columns).select(columns, row, &mut out);
                assert!(out.iter().map(|&c| usize::from(c)).eq((0..columns).step_by(2)));
                table.row(row, columns).select(columns, 15, &mut out);
                assert!(out.iter().map(|&c| usize::from(c)).eq((1..columns).step_by(2)));
            }
            table.forget(3);
            table.row(3, columns).select(columns, 15, &mut out);
            assert_eq!(out.len(), columns);
            table.row(2, columns).select(columns, 15, &mut out);
            assert_eq!(out.len(), columns / 2);
        }
    }
}
