//! Packed tables during a build: two traits, and a table of 2, 4 or 8 bits an entry.

use super::wide::WideRow;
use super::words::{self, compress, equal};
use search::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table that the builder fills layer by layer.
///
/// During a layer, an entry only changes from unseen to a value. All memory orderings are relaxed.
/// A layer sees all values of earlier layers, because the threads were joined in between. It may or
/// may not see values of its own layer: either is fine.
pub(crate) trait Store: Sync {
    /// Bits of an entry.
    const BITS: usize;
    /// The value that [`Row`] uses for unseen entries.
    const UNSEEN: u64;
    /// Whether entries beyond the greatest value stay unseen. If true, all edges must cost 1.
    const SATURATES: bool = false;
    /// The type of one row.
    type Row<'r>: Row
    where
        Self: 'r;

    /// Number of distances that the table can hold, from 0.
    fn values(&self) -> usize;
    /// A row of the table, which must exist.
    fn row(&self, row: u64, columns: usize) -> Self::Row<'_>;
    /// Prefetches the first cache line of a row.
    fn prefetch(&self, row: u64, columns: usize);
    /// Makes all entries unseen, whatever the words hold.
    fn reset(&self, columns: usize);
    /// Makes all entries of a value unseen again.
    fn forget(&self, value: u64);
    /// Called after each complete layer.
    fn made(&mut self, _depth: usize) {}
    /// The words that a checkpoint saves.
    fn words(&self) -> &[AtomicU64];
    /// Whether the bits that no entry uses are as a build leaves them. Called after a checkpoint
    /// has filled the words. [default: true, because no row reads such bits]
    fn is_sound(&self, _columns: usize) -> bool {
        true
    }
    /// Called after a checkpoint has filled the words with their state after [`Store::made`] of
    /// this layer.
    fn resumed(&mut self, _depth: usize) {}
    /// Called after the last layer. Gives the words the form and byte order of the finished table.
    fn finish(self);
}

/// A row of a table during a build. If [`Store::SATURATES`], callers may ask only for the values of
/// this layer, of the layer before, and of unseen entries.
pub(crate) trait Row {
    /// Number of words with entries of the row.
    fn words(&self) -> usize;
    /// Whether the entry in a column has this value.
    fn has(&self, column: usize, value: u64) -> bool;
    /// Gives an unseen entry a value, and returns true. Returns false if the entry was not unseen.
    /// The value may be that of unseen entries, which changes nothing.
    fn set(&self, column: usize, value: u64) -> bool;
    /// As [`Row::set`], but if two threads set an entry at once, both may get true. Takes half the
    /// time, because nothing waits for the result of an atomic operation.
    fn mark(&self, column: usize, value: u64) -> bool {
        self.set(column, value)
    }
    /// Writes a bitmap of the columns with a value: column `c` is bit `c % 64` of word `c / 64`.
    fn bitmap(&self, columns: usize, value: u64, out: &mut Bitmap);
    /// Gives all unseen entries of the row a value, except those in the columns `except`. No other
    /// thread may change the row meanwhile. Overwrites `masks`.
    fn fill(&self, columns: usize, except: &[u16], value: u64, masks: &mut Vec<u64>);
    /// Overwrites `out` with the columns that have the value, ascending.
    fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>);
    /// The row for steps of a whole row, if its entries have two bits. [default: `None`]
    fn wide(&self) -> Option<WideRow<'_>> {
        None
    }
    /// Prefetches the cache lines behind the one that [`Store::prefetch`] prefetches.
    fn prefetch_rest(&self) {}
}

/// A table of entries of `BITS` bits: 2, 4 or 8.
///
/// A word holds `n = 64 / BITS` entries. Entry `e` is in bits `BITS * (e % n)` and up of word
/// `e / n`. All bits set mean unseen, and one atomic AND gives an entry its value.
pub(crate) struct Table<'a, const BITS: usize> {
    words: &'a [AtomicU64],
}

/// A bit for each of the 65,536 columns that a row can have.
pub(crate) type Bitmap = [u64; 1024];

/// The words of one row, and where the row starts in the first of them.
pub(crate) struct PackedRow<'a, const BITS: usize> {
    words: &'a [AtomicU64],
    offset: usize,
}

impl<'a, const BITS: usize> Table<'a, BITS> {
    /// Number of entries in a word.
    const IN_WORD: usize = 64 / BITS;

    /// A table over these words, all of whose entries are unseen, unless cancelled.
    pub(crate) fn unseen(words: &'a [AtomicU64], cancel: Option<&CancelToken>) -> Self {
        words::each_until(words, cancel, |_, word| word.store(u64::MAX, Relaxed));
        Self { words }
    }

    /// A table over these words, with the entries as they are.
    pub(crate) fn of(words: &'a [AtomicU64]) -> Self {
        Self { words }
    }

    /// Makes all entries unseen.
    pub(crate) fn clear(&self) {
        words::each(self.words, |_, word| word.store(u64::MAX, Relaxed));
    }

    /// Number of entries with a value. Unused bits behind the last entry count as unseen entries.
    pub(crate) fn count(&self, value: u64) -> u64 {
        let hits = |word: &AtomicU64| equal::<BITS>(word.load(Relaxed), value).count_ones();
        words::sum(self.words, &|_, part| part.iter().map(|word| u64::from(hits(word))).sum())
    }

    /// Number of entries that fit in the words.
    pub(crate) fn capacity(&self) -> u64 {
        (self.words.len() * Self::IN_WORD) as u64
    }

    /// Replaces every word `w` by `with(w)`. No other thread may use the table meanwhile.
    pub(crate) fn replace(&self, with: impl Fn(u64) -> u64 + Sync) {
        words::each(self.words, |_, word| word.store(with(word.load(Relaxed)), Relaxed));
    }
}

impl<const BITS: usize> Store for Table<'_, BITS> {
    const BITS: usize = BITS;
    const UNSEEN: u64 = (1 << BITS) - 1;
    type Row<'r>
        = PackedRow<'r, BITS>
    where
        Self: 'r;

    fn values(&self) -> usize {
        (1 << BITS) - 1
    }

    #[inline(always)]
    fn row(&self, row: u64, columns: usize) -> PackedRow<'_, BITS> {
        let first = row * columns as u64;
        let word = index(first / Self::IN_WORD as u64);
        let offset = index(first % Self::IN_WORD as u64);
        PackedRow {
            words: &self.words[word..word + (offset + columns).div_ceil(Self::IN_WORD)],
            offset,
        }
    }

    #[inline(always)]
    fn prefetch(&self, row: u64, columns: usize) {
        search::prefetch(self.words, index(row * columns as u64 / Self::IN_WORD as u64));
    }

    fn words(&self) -> &[AtomicU64] {
        self.words
    }

    fn reset(&self, _: usize) {
        self.clear();
    }

    fn forget(&self, value: u64) {
        words::each(self.words, |_, word| {
            let old = word.load(Relaxed);
            word.store(old | (equal::<BITS>(old, value) * Self::UNSEEN), Relaxed);
        });
    }

    fn finish(self) {
        if cfg!(target_endian = "big") {
            words::each(self.words, |_, word| word.store(word.load(Relaxed).to_le(), Relaxed));
        }
    }
}

impl<const BITS: usize> PackedRow<'_, BITS> {
    const IN_WORD: usize = 64 / BITS;
    const UNSEEN: u64 = (1 << BITS) - 1;

    /// Finds the entries with this value in word `i` of the row: their lowest bits are set in the
    /// result. Entries of other rows count as different.
    #[inline(always)]
    fn equal(&self, i: usize, columns: usize, value: u64) -> u64 {
        let mut hits = equal::<BITS>(self.words[i].load(Relaxed), value);
        let end = self.offset + columns;
        if i == 0 {
            hits &= u64::MAX << (BITS * self.offset);
        }
        if Self::IN_WORD * (i + 1) > end {
            hits &= u64::MAX >> (BITS * (Self::IN_WORD * (i + 1) - end));
        }
        hits
    }
}

impl<const BITS: usize> Row for PackedRow<'_, BITS> {
    fn words(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn wide(&self) -> Option<WideRow<'_>> {
        (BITS == 2).then_some(WideRow { words: self.words, offset: self.offset })
    }

    #[inline(always)]
    fn prefetch_rest(&self) {
        for word in (8..self.words.len() + 7).step_by(8) {
            search::prefetch(self.words, word.min(self.words.len() - 1));
        }
    }

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

    #[inline(always)]
    fn mark(&self, column: usize, value: u64) -> bool {
        let at = self.offset + column;
        let (word, shift) = (&self.words[at / Self::IN_WORD], at % Self::IN_WORD * BITS);
        let unseen = word.load(Relaxed) >> shift & Self::UNSEEN == Self::UNSEEN;
        if unseen {
            word.fetch_and(!((Self::UNSEEN ^ value) << shift), Relaxed);
        }
        unseen
    }

    #[inline]
    fn bitmap(&self, columns: usize, value: u64, out: &mut Bitmap) {
        let mut filled = 0;
        for i in 0..self.words.len() {
            let skipped = if i == 0 { self.offset } else { 0 };
            let bits = compress::<BITS>(self.equal(i, columns, value)) >> skipped;
            let (word, shift) = (filled / 64, filled % 64);
            filled += Self::IN_WORD - skipped;
            match shift {
                0 => out[word] = bits,
                _ => out[word] |= bits << shift,
            }
            if filled > 64 * (word + 1) && word + 1 < out.len() {
                out[word + 1] = bits >> (64 - shift);
            }
        }
    }

    #[inline]
    fn fill(&self, columns: usize, except: &[u16], value: u64, masks: &mut Vec<u64>) {
        masks.clear();
        masks.resize(self.words.len(), 0);
        for &column in except {
            let at = self.offset + usize::from(column);
            masks[at / Self::IN_WORD] |= 1 << (at % Self::IN_WORD * BITS);
        }
        for (i, (word, except)) in self.words.iter().zip(masks).enumerate() {
            let hits = self.equal(i, columns, Self::UNSEEN) & !*except;
            if hits != 0 {
                word.fetch_and(!(hits * (Self::UNSEEN ^ value)), Relaxed);
            }
        }
    }

    #[inline]
    fn select(&self, columns: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        out.reserve(columns);
        for i in 0..self.words.len() {
            let mut hits = self.equal(i, columns, value);
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

/// Converts an index. A table in memory fits in `usize`.
#[inline(always)]
fn index(value: u64) -> usize {
    // With any other index, slicing panics.
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const BITS: usize>() {
        let unseen = <Table<'_, BITS> as Store>::UNSEEN;
        for columns in [1, 3, 15, 16, 17, 40, 63, 64, 65, 150] {
            let words: Vec<AtomicU64> = (0..128).map(|_| AtomicU64::new(0)).collect();
            let table = Table::<BITS>::unseen(&words, None);
            let mut out = Vec::new();
            for row in 0..5 {
                for column in (0..columns).step_by(2) {
                    assert!(table.row(row, columns).set(column, row % unseen));
                    assert!(!table.row(row, columns).set(column, (row + 1) % unseen));
                    assert!(table.row(row, columns).has(column, row % unseen));
                }
            }
            for row in 0..5 {
                table.row(row, columns).select(columns, row % unseen, &mut out);
                assert!(out.iter().map(|&c| usize::from(c)).eq((0..columns).step_by(2)));
                table.row(row, columns).select(columns, unseen, &mut out);
                assert!(out.iter().map(|&c| usize::from(c)).eq((1..columns).step_by(2)));
            }
            assert_eq!(table.capacity(), 128 * 64 / BITS as u64);
            // All columns of row 5 but the first two and the last one are left out.
            let (row, end) = (table.row(5, columns), columns.min(3));
            let except: Vec<u16> = (2..).take(columns.saturating_sub(end)).collect();
            row.fill(columns, &except, 1, &mut vec![7; 3]);
            row.select(columns, 1, &mut out);
            let filled: Vec<usize> =
                (0..columns).filter(|c| !except.iter().any(|&e| usize::from(e) == *c)).collect();
            assert!(out.iter().map(|&c| usize::from(c)).eq(filled.iter().copied()));
            let ones =
                (0..5).filter(|row| row % unseen == 1).count() * columns.div_ceil(2) + filled.len();
            assert_eq!(table.count(1), ones as u64);
            assert!(filled.iter().all(|&c| !row.mark(c, 0)));
            if let Some(&column) = except.first() {
                assert!(row.mark(usize::from(column), 0) && row.has(usize::from(column), 0));
            }
            table.row(4, columns).select(columns, unseen, &mut out);
            assert_eq!(out.len(), columns / 2, "the row before did not change");
            let mut bitmap = [u64::MAX; 1024];
            for row in 0..6 {
                let row = table.row(row, columns);
                for value in 0..=unseen {
                    row.bitmap(columns, value, &mut bitmap);
                    let bit = |column: usize| bitmap[column / 64] >> (column % 64) & 1 == 1;
                    assert!((0..columns).all(|column| bit(column) == row.has(column, value)));
                }
            }
            table.forget(1);
            table.row(1, columns).select(columns, unseen, &mut out);
            assert_eq!(out.len(), columns);
            table.row(2, columns).select(columns, unseen, &mut out);
            assert_eq!(out.len(), columns / 2);
        }
    }

    #[test]
    fn rows_share_words_and_do_not_mix() {
        check::<2>();
        check::<4>();
        check::<8>();
    }
}
