//! Packed tables while they are built: the contract, and values of 4 or 8 bits in shared 64-bit words.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table whose layers are made one after another. Values only go from unseen to something else while a layer is made; all orderings are
/// relaxed, because a layer reads only what was written before it began (the join of the thread pool lies between), or does not care
/// whether it sees it.
pub(crate) trait Store: Sync {
    /// Bits of an entry.
    const BITS: usize;
    /// What [`Row`] calls the value of entries that are not seen.
    const UNSEEN: u64;
    /// True: entries beyond the greatest value stay unseen, and all edges cost 1.
    const SATURATES: bool = false;
    /// One row.
    type Row<'r>: Row
    where
        Self: 'r;

    /// Distances that the table holds: 0 to below this.
    fn values(&self) -> usize;
    /// A row, which is in the table.
    fn row(&self, row: u64, columns: usize) -> Self::Row<'_>;
    /// Asks the processor for the start of a row.
    fn prefetch(&self, row: u64, columns: usize);
    /// Makes all entries of a value unseen again.
    fn forget(&self, value: u64);
    /// A layer is complete.
    fn made(&mut self, _depth: usize) {}
    /// All layers are: brings the words into the form and the byte order of the finished table.
    fn finish(self);
}

/// A row of a table that is built.
pub(crate) trait Row {
    /// Whether the entry in a column has this value: that of the layer that is made, the one before, or unseen.
    fn has(&self, column: usize, value: u64) -> bool;
    /// Gives an unseen entry a value, which may be that of unseen ones; true if it was unseen until now.
    fn set(&self, column: usize, value: u64) -> bool;
    /// Overwrites `out` with the columns that have this value, ascending.
    fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>);
}

/// `entries` values of `BITS` bits, 4 or 8, so many to a word that it is full: entry `e` of `n` a word in bits `BITS * (e % n)` and up of
/// word `e / n`. All bits set = unseen; an entry is seen by one atomic AND.
pub(super) struct Table<'a, const BITS: usize> {
    words: &'a [AtomicU64],
}

/// The words of one row and where it starts in the first.
pub(super) struct Packed<'a, const BITS: usize> {
    words: &'a [AtomicU64],
    offset: usize,
}

impl<'a, const BITS: usize> Table<'a, BITS> {
    /// Entries in a word.
    const IN_WORD: usize = 64 / BITS;

    /// All entries unseen.
    pub(super) fn unseen(words: &'a [AtomicU64]) -> Self {
        words.par_iter().for_each(|word| word.store(u64::MAX, Relaxed));
        Self { words }
    }
}

impl<const BITS: usize> Store for Table<'_, BITS> {
    const BITS: usize = BITS;
    const UNSEEN: u64 = (1 << BITS) - 1;
    type Row<'r>
        = Packed<'r, BITS>
    where
        Self: 'r;

    fn values(&self) -> usize {
        (1 << BITS) - 1
    }

    #[inline(always)]
    fn row(&self, row: u64, columns: usize) -> Packed<'_, BITS> {
        let first = row * columns as u64;
        let word = index(first / Self::IN_WORD as u64);
        let offset = index(first % Self::IN_WORD as u64);
        Packed {
            words: &self.words[word..word + (offset + columns).div_ceil(Self::IN_WORD)],
            offset,
        }
    }

    #[inline(always)]
    fn prefetch(&self, row: u64, columns: usize) {
        crate::memory::prefetch(self.words, index(row * columns as u64 / Self::IN_WORD as u64));
    }

    fn forget(&self, value: u64) {
        self.words.par_iter().for_each(|word| {
            let old = word.load(Relaxed);
            word.store(old | (equal::<BITS>(old, value) * Self::UNSEEN), Relaxed);
        });
    }

    fn finish(self) {
        if cfg!(target_endian = "big") {
            self.words.par_iter().for_each(|word| word.store(word.load(Relaxed).to_le(), Relaxed));
        }
    }
}

impl<const BITS: usize> Packed<'_, BITS> {
    const IN_WORD: usize = Table::<BITS>::IN_WORD;
    const UNSEEN: u64 = <Table<'_, BITS> as Store>::UNSEEN;
}

impl<const BITS: usize> Row for Packed<'_, BITS> {
    #[inline(always)]
    fn has(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        self.words[at / Self::IN_WORD].load(Relaxed) >> (at % Self::IN_WORD * BITS) & Self::UNSEEN
            == value
    }

    #[inline(always)]
    fn set(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        let (word, shift) = (&self.words[at / Self::IN_WORD], at % Self::IN_WORD * BITS);
        let unseen = |word: u64| word >> shift & Self::UNSEEN == Self::UNSEEN;
        // Most entries are seen already: a load is cheaper than an atomic change.
        unseen(word.load(Relaxed))
            && unseen(word.fetch_and(!((Self::UNSEEN ^ value) << shift), Relaxed))
    }

    #[inline]
    fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        let end = self.offset + columns;
        for (i, word) in self.words.iter().enumerate() {
            let mut hits = equal::<BITS>(word.load(Relaxed), value);
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

/// The lowest bit of every entry of `BITS` bits that equals `value`.
#[inline(always)]
pub(crate) fn equal<const BITS: usize>(word: u64, value: u64) -> u64 {
    // A 1 in every entry.
    let ones = u64::MAX / ((1 << BITS) - 1);
    let mut differ = word ^ (value * ones);
    if BITS > 4 {
        differ |= differ >> 4;
    }
    if BITS > 2 {
        differ |= differ >> 2;
    }
    differ |= differ >> 1;
    !differ & ones
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
        let unseen = <Table<'_, BITS> as Store>::UNSEEN;
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
