//! The packed table while it is built: values of 4 or 8 bits in shared 64-bit words.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// `entries` values of `BITS` bits, 4 or 8, so many to a word that it is full: entry `e` of `n` a word in bits `BITS * (e % n)` and up of
/// word `e / n`. All bits set = unseen.
///
/// Values only go from unseen to something else, by one atomic AND; all orderings are relaxed, because a layer reads only what was
/// written before it began (the join of the thread pool lies between), or does not care whether it sees it.
pub(super) struct Table<'a, const BITS: usize> {
    words: &'a [AtomicU64],
}

/// The words of one row and where it starts in the first.
pub(super) struct Row<'a, const BITS: usize> {
    words: &'a [AtomicU64],
    offset: usize,
}

impl<'a, const BITS: usize> Table<'a, BITS> {
    /// Entries in a word.
    const IN_WORD: usize = 64 / BITS;
    /// The value of an entry that is not seen, and the bits of an entry.
    pub(super) const UNSEEN: u64 = (1 << BITS) - 1;
    /// A 1 in every entry.
    const ONES: u64 = u64::MAX / Self::UNSEEN;

    /// All entries unseen.
    pub(super) fn unseen(words: &'a [AtomicU64]) -> Self {
        words.par_iter().for_each(|word| word.store(u64::MAX, Relaxed));
        Self { words }
    }

    /// A row, which is in the table.
    #[inline(always)]
    pub(super) fn row(&self, row: u64, columns: usize) -> Row<'_, BITS> {
        let first = row * columns as u64;
        let word = index(first / Self::IN_WORD as u64);
        let offset = index(first % Self::IN_WORD as u64);
        Row { words: &self.words[word..word + (offset + columns).div_ceil(Self::IN_WORD)], offset }
    }

    /// Asks the processor for the start of a row.
    #[inline(always)]
    pub(super) fn prefetch(&self, row: u64, columns: usize) {
        crate::memory::prefetch(self.words, index(row * columns as u64 / Self::IN_WORD as u64));
    }

    /// Makes all entries of a value unseen again.
    pub(super) fn forget(&self, value: u64) {
        self.words.par_iter().for_each(|word| {
            let old = word.load(Relaxed);
            word.store(old | (Self::equal(old, value) * Self::UNSEEN), Relaxed);
        });
    }

    /// Brings the words into the byte order of the finished table.
    pub(super) fn finish(self) {
        if cfg!(target_endian = "big") {
            self.words.par_iter().for_each(|word| word.store(word.load(Relaxed).to_le(), Relaxed));
        }
    }

    /// The lowest bit of every entry that equals `value`.
    #[inline(always)]
    fn equal(word: u64, value: u64) -> u64 {
        let mut differ = word ^ (value * Self::ONES);
        if BITS == 8 {
            differ |= differ >> 4;
        }
        differ |= differ >> 2;
        differ |= differ >> 1;
        !differ & Self::ONES
    }
}

impl<const BITS: usize> Row<'_, BITS> {
    const IN_WORD: usize = Table::<BITS>::IN_WORD;
    const UNSEEN: u64 = Table::<BITS>::UNSEEN;

    /// Whether the entry in a column has this value.
    #[inline(always)]
    pub(super) fn has(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        self.words[at / Self::IN_WORD].load(Relaxed) >> (at % Self::IN_WORD * BITS) & Self::UNSEEN
            == value
    }

    /// Gives an unseen entry a value, which may be that of unseen ones; true if it was unseen until now.
    #[inline(always)]
    pub(super) fn set(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        let (word, shift) = (&self.words[at / Self::IN_WORD], at % Self::IN_WORD * BITS);
        let unseen = |word: u64| word >> shift & Self::UNSEEN == Self::UNSEEN;
        // Most entries are seen already: a load is cheaper than an atomic change.
        unseen(word.load(Relaxed))
            && unseen(word.fetch_and(!((Self::UNSEEN ^ value) << shift), Relaxed))
    }

    /// Overwrites `out` with the columns that have this value, ascending.
    #[inline]
    pub(super) fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        let end = self.offset + columns;
        for (i, word) in self.words.iter().enumerate() {
            let mut hits = Table::<BITS>::equal(word.load(Relaxed), value);
            if i == 0 {
                hits &= u64::MAX << (BITS * self.offset);
            }
            if Self::IN_WORD * (i + 1) > end {
                hits &= u64::MAX >> (BITS * (Self::IN_WORD * (i + 1) - end));
            }
            while hits != 0 {
                let at = Self::IN_WORD * i + hits.trailing_zeros() as usize / BITS;
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

/// An index into a table in memory.
#[inline(always)]
fn index(value: u64) -> usize {
    // `Table` holds its words in memory, so every index of one fits; anything else the slice refuses.
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const BITS: usize>() {
        let unseen = Table::<BITS>::UNSEEN;
        for columns in [1, 3, 15, 16, 17, 40] {
            let words: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
            let table = Table::<BITS>::unseen(&words);
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
                table.row(row, columns).select(columns, unseen, &mut out);
                assert!(out.iter().map(|&c| usize::from(c)).eq((1..columns).step_by(2)));
            }
            table.forget(3);
            table.row(3, columns).select(columns, unseen, &mut out);
            assert_eq!(out.len(), columns);
            table.row(2, columns).select(columns, unseen, &mut out);
            assert_eq!(out.len(), columns / 2);
        }
    }

    #[test]
    fn rows_share_words_and_do_not_mix() {
        check::<4>();
        check::<8>();
    }
}
