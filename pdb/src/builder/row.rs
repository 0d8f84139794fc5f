//! A row of a table during a build: [`Row`], for any [`Layout`] of its entries.

use super::wide::WideRow;
use super::words::{compress, equal};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Where the entries of a row lie in its words, and which codes its values have.
///
/// All bits of an unseen entry are set, and one atomic AND gives an entry its code.
pub(crate) trait Layout: Copy {
    /// Bits of an entry.
    const BITS: usize;
    /// Number of entries in a word.
    const IN_WORD: usize = 64 / Self::BITS;
    /// The code of unseen entries.
    const UNSEEN: u64 = (1 << Self::BITS) - 1;

    /// The word with the entry of a column, and the entry's first bit in the word.
    fn slot(self, column: usize) -> (usize, usize);
    /// The column of the `entry`-th entry in a word.
    fn column(self, word: usize, entry: usize) -> usize;
    /// A mask of the entries in a word that belong to the row.
    fn entries(self, word: usize, columns: usize) -> u64;
    /// The code of a value.
    fn code(self, value: u64) -> u64;
    /// The entry of the first word at which the row starts, if a [`WideRow`] can read the row.
    /// [default: `None`]
    #[inline(always)]
    fn wide_offset(self) -> Option<usize> {
        None
    }
}

/// A bit for each of the 65,536 columns that a row can have.
pub(crate) type Bitmap = [u64; 1024];

/// A row of a [`BuildTable`](super::BuildTable). If the table saturates, callers may ask only for
/// the values of this layer, of the layer before, and of unseen entries.
pub(crate) struct Row<'a, L> {
    /// The words with entries of the row.
    pub(crate) words: &'a [AtomicU64],
    pub(crate) layout: L,
}

impl<'a, L: Layout> Row<'a, L> {
    /// The row for steps of a whole row, if its entries have two bits.
    #[inline(always)]
    pub(crate) fn wide(&self) -> Option<WideRow<'a>> {
        self.layout.wide_offset().map(|offset| WideRow { words: self.words, offset })
    }

    /// Prefetches the cache lines behind the first one of the row.
    #[inline(always)]
    pub(crate) fn prefetch_rest(&self) {
        for word in (8..self.words.len() + 7).step_by(8) {
            search::prefetch(self.words, word.min(self.words.len() - 1));
        }
    }

    /// Whether the entry in a column has this value.
    #[inline(always)]
    pub(crate) fn has(&self, column: usize, value: u64) -> bool {
        let (word, shift) = self.layout.slot(column);
        self.words[word].load(Relaxed) >> shift & L::UNSEEN == self.layout.code(value)
    }

    /// Gives an unseen entry a value, and returns true. Returns false if the entry was not unseen.
    /// The value may be that of unseen entries, which changes nothing.
    #[inline(always)]
    pub(crate) fn set(&self, column: usize, value: u64) -> bool {
        let (word, shift) = self.layout.slot(column);
        let unseen = |word: u64| word >> shift & L::UNSEEN == L::UNSEEN;
        // Most entries are seen already: a load is cheaper than an atomic change.
        unseen(self.words[word].load(Relaxed)) && {
            let keep = !((L::UNSEEN ^ self.layout.code(value)) << shift);
            unseen(self.words[word].fetch_and(keep, Relaxed))
        }
    }

    /// As [`Row::set`], but if two threads set an entry at once, both may get true. Takes half the
    /// time, because nothing waits for the result of an atomic operation.
    #[inline(always)]
    pub(crate) fn mark(&self, column: usize, value: u64) -> bool {
        let (word, shift) = self.layout.slot(column);
        let unseen = self.words[word].load(Relaxed) >> shift & L::UNSEEN == L::UNSEEN;
        if unseen {
            let keep = !((L::UNSEEN ^ self.layout.code(value)) << shift);
            self.words[word].fetch_and(keep, Relaxed);
        }
        unseen
    }

    /// Writes a bitmap of the columns with a value: column `c` is bit `c % 64` of word `c / 64`.
    #[inline]
    pub(crate) fn bitmap(&self, columns: usize, value: u64, out: &mut Bitmap) {
        out[..columns.div_ceil(64)].fill(0);
        for at in 0..self.words.len() {
            let hits = self.hits(at, columns, value);
            if hits == 0 {
                continue;
            }
            let lowest = hits.trailing_zeros() as usize / L::BITS;
            let (bits, first) = (compress(L::BITS, hits) >> lowest, self.layout.column(at, lowest));
            let (word, shift) = (first / 64, first % 64);
            out[word] |= bits << shift;
            if shift > 0 && word + 1 < out.len() {
                out[word + 1] |= bits >> (64 - shift);
            }
        }
    }

    /// Gives all unseen entries of the row a value, except those in the columns `except`. No other
    /// thread may change the row meanwhile. Overwrites `masks`.
    #[inline]
    pub(crate) fn fill(&self, columns: usize, except: &[u16], value: u64, masks: &mut Vec<u64>) {
        masks.clear();
        masks.resize(self.words.len(), 0);
        for &column in except {
            let (word, shift) = self.layout.slot(usize::from(column));
            masks[word] |= 1 << shift;
        }
        let change = L::UNSEEN ^ self.layout.code(value);
        for (at, (word, except)) in self.words.iter().zip(masks).enumerate() {
            let hits = self.equal(at, columns, L::UNSEEN) & !*except;
            if hits != 0 {
                word.fetch_and(!(hits * change), Relaxed);
            }
        }
    }

    /// Makes all entries of the row with a value unseen again.
    pub(crate) fn forget(&self, columns: usize, value: u64) {
        for (at, word) in self.words.iter().enumerate() {
            word.fetch_or(self.hits(at, columns, value) * L::UNSEEN, Relaxed);
        }
    }

    /// Overwrites `out` with the columns that have the value, ascending.
    #[inline]
    pub(crate) fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        out.reserve(columns);
        for at in 0..self.words.len() {
            let mut hits = self.hits(at, columns, value);
            while hits != 0 {
                let column = self.layout.column(at, hits.trailing_zeros() as usize / L::BITS);
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a row has at most 65,536 columns"
                )]
                out.push(column as u16);
                hits &= hits - 1;
            }
        }
    }

    /// Finds the entries with this value in a word of the row: their lowest bits are set in the
    /// result.
    #[inline(always)]
    fn hits(&self, word: usize, columns: usize, value: u64) -> u64 {
        self.equal(word, columns, self.layout.code(value))
    }

    /// [`Row::hits`] for a code.
    #[inline(always)]
    fn equal(&self, word: usize, columns: usize, code: u64) -> u64 {
        equal(L::BITS, self.words[word].load(Relaxed), code) & self.layout.entries(word, columns)
    }
}
