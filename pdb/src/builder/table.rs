//! Tables during a build: the trait [`BuildTable`], and packed tables of 2, 4 or 8 bits an entry.

use super::row::{Layout, Row};
use super::words::{self, equal};
use search::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table that the builder fills layer by layer.
///
/// During a layer, an entry only changes from unseen to a value. All memory orderings are relaxed.
/// A layer sees all values of earlier layers, because the threads were joined in between. It may or
/// may not see values of its own layer: either is fine.
pub(crate) trait BuildTable: Sync {
    /// The value that [`Row`] uses for unseen entries.
    const UNSEEN: u64;
    /// Whether entries beyond the greatest value stay unseen. If true, all edges must cost 1.
    const SATURATES: bool = false;
    /// Bits of an entry.
    const BITS: usize = <Self::Layout as Layout>::BITS;
    /// The layout of one row.
    type Layout: Layout;

    /// Number of distances that the table can hold, from 0.
    fn values(&self) -> usize;
    /// The words of the table, which a checkpoint saves.
    fn words(&self) -> &[AtomicU64];
    /// Where a row stands: its first word, the number of its words, and their layout.
    fn place(&self, row: u64, columns: usize) -> (usize, usize, Self::Layout);
    /// A row of the table, which must exist.
    #[inline(always)]
    fn row(&self, row: u64, columns: usize) -> Row<'_, Self::Layout> {
        let (first, words, layout) = self.place(row, columns);
        Row { words: &self.words()[first..first + words], layout }
    }
    /// Prefetches the first cache line of a row.
    #[inline(always)]
    fn prefetch(&self, row: u64, columns: usize) {
        search::prefetch(self.words(), self.place(row, columns).0);
    }
    /// The word with this number if all its entries are unseen. [default: all bits set]
    fn unseen_word(_at: usize, _columns: usize) -> u64 {
        u64::MAX
    }
    /// Makes all entries unseen, whatever the words hold, unless cancelled.
    fn reset(&self, columns: usize, cancel: Option<&CancelToken>) {
        words::each_until(self.words(), cancel, |at, word| {
            word.store(Self::unseen_word(at, columns), Relaxed);
        });
    }
    /// Whether the bits that no entry uses are as a build leaves them. Called after a checkpoint
    /// has filled the words.
    fn is_sound(&self, columns: usize) -> bool {
        let wrong =
            |at, word: &AtomicU64| word.load(Relaxed) & !Self::unseen_word(at, columns) != 0;
        let sum = |first, part: &[AtomicU64]| {
            (first..).zip(part).map(|(at, word)| u64::from(wrong(at, word))).sum()
        };
        words::sum(self.words(), &sum) == 0
    }
    /// Called after each complete layer.
    fn made(&mut self, _depth: usize) {}
    /// Called after a checkpoint has filled the words. Their state is that after
    /// [`BuildTable::made`] of this layer.
    fn resumed(&mut self, _depth: usize) {}
    /// Called after the last layer. Gives the words the form and byte order of the finished table.
    fn finish(self)
    where
        Self: Sized,
    {
        words::to_little_endian(self.words());
    }
}

/// A table of entries of `BITS` bits: 2, 4 or 8.
///
/// A word holds `n = 64 / BITS` entries. Entry `e` is in bits `BITS * (e % n)` and up of word
/// `e / n`. All bits set mean unseen, and one atomic AND gives an entry its value.
pub(crate) struct Table<'a, const BITS: usize> {
    words: &'a [AtomicU64],
}

/// The layout of a row that starts at any entry of a word.
#[derive(Clone, Copy)]
pub(crate) struct PackedLayout<const BITS: usize> {
    /// The entry of the first word at which the row starts.
    offset: usize,
}

impl<'a, const BITS: usize> Table<'a, BITS> {
    /// A table over these words, all of whose entries are unseen, unless cancelled.
    pub(crate) fn unseen(words: &'a [AtomicU64], cancel: Option<&CancelToken>) -> Self {
        let table = Self { words };
        table.reset(1, cancel);
        table
    }

    /// A table over these words, with the entries as they are.
    pub(crate) fn of(words: &'a [AtomicU64]) -> Self {
        Self { words }
    }

    /// Number of entries with a value. Unused bits behind the last entry count as unseen entries.
    pub(crate) fn count(&self, value: u64) -> u64 {
        let hits = |word: &AtomicU64| equal(BITS, word.load(Relaxed), value).count_ones();
        words::sum(self.words, &|_, part| part.iter().map(|word| u64::from(hits(word))).sum())
    }

    /// Number of entries that fit in the words.
    pub(crate) fn capacity(&self) -> u64 {
        (self.words.len() * PackedLayout::<BITS>::IN_WORD) as u64
    }

    /// Replaces every word `w` by `with(w)`. No other thread may use the table meanwhile.
    pub(crate) fn replace(&self, with: impl Fn(u64) -> u64 + Sync) {
        words::each(self.words, |_, word| word.store(with(word.load(Relaxed)), Relaxed));
    }
}

impl<const BITS: usize> BuildTable for Table<'_, BITS> {
    const UNSEEN: u64 = PackedLayout::<BITS>::UNSEEN;
    type Layout = PackedLayout<BITS>;

    fn values(&self) -> usize {
        (1 << BITS) - 1
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU64] {
        self.words
    }

    #[inline(always)]
    fn place(&self, row: u64, columns: usize) -> (usize, usize, PackedLayout<BITS>) {
        let first = row * columns as u64;
        let offset = index(first % PackedLayout::<BITS>::IN_WORD as u64);
        let words = (offset + columns).div_ceil(PackedLayout::<BITS>::IN_WORD);
        (index(first / PackedLayout::<BITS>::IN_WORD as u64), words, PackedLayout { offset })
    }
}

impl<const BITS: usize> Layout for PackedLayout<BITS> {
    const BITS: usize = BITS;

    #[inline(always)]
    fn slot(self, column: usize) -> (usize, usize) {
        let at = self.offset + column;
        (at / Self::IN_WORD, at % Self::IN_WORD * BITS)
    }

    #[inline(always)]
    fn column(self, word: usize, entry: usize) -> usize {
        Self::IN_WORD * word + entry - self.offset
    }

    #[inline(always)]
    fn entries(self, word: usize, columns: usize) -> u64 {
        let (mut entries, end) = (u64::MAX, self.offset + columns);
        if word == 0 {
            entries <<= BITS * self.offset;
        }
        if Self::IN_WORD * (word + 1) > end {
            entries &= u64::MAX >> (BITS * (Self::IN_WORD * (word + 1) - end));
        }
        entries
    }

    #[inline(always)]
    fn code(self, value: u64) -> u64 {
        value
    }

    #[inline(always)]
    fn wide_offset(self) -> Option<usize> {
        (BITS == 2).then_some(self.offset)
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
        let unseen = <Table<'_, BITS> as BuildTable>::UNSEEN;
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
            table.row(1, columns).forget(columns, 1);
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
