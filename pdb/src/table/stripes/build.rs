//! Stripe tables during a build. At two bits an entry, entries in layers above the base keep a
//! code. The distances of layers up to the base are kept only as the minima of stripes.

use super::code::{CODE_BITS, STRIPE_BYTES};
use crate::builder::{BuildTable, Layout, equal, words};
use search::{CancelToken, Cost};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of words in a stripe.
pub(super) const STRIPE_WORDS: usize = STRIPE_BYTES / 8;
/// A mask of the entries in a stripe's second word, which also holds the minimum.
pub(super) const WITHOUT_LEAST: u64 = u64::MAX >> 4;

/// A table of stripes as in [`StripeTable`](super::StripeTable), at `BITS` bits an entry. At one
/// bit, an entry is unseen or seen. At two bits, its code says in which layer it is:
///
/// - 3: unseen;
/// - 1 and 2: in this layer or in the one before; they alternate so that base + 1 has the code 1;
/// - 0: in an earlier layer.
///
/// When the code of an entry becomes 0, a stripe without a minimum takes the entry's distance as
/// its minimum. So the build needs no memory besides the table. Distances above base + 2 stay
/// unseen.
pub(super) struct StripeBuildTable<'a, const BITS: usize> {
    words: &'a [AtomicU64],
    base: usize,
    /// The last layer that was made.
    last: usize,
}

/// The layout of a row.
#[derive(Clone, Copy)]
pub(super) struct StripeLayout<const BITS: usize> {
    base: u64,
}

impl<'a, const BITS: usize> StripeBuildTable<'a, BITS> {
    /// A table over these words, with the entries as they are.
    pub(super) fn of(words: &'a [AtomicU64], base: Cost) -> Self {
        Self { words, base: base.into(), last: 0 }
    }

    /// A table whose entries are all unseen, unless cancelled. The unused codes at the end of a row
    /// are 0.
    pub(super) fn unseen(
        words: &'a [AtomicU64],
        columns: usize,
        base: Cost,
        cancel: Option<&CancelToken>,
    ) -> Self {
        let store = Self::of(words, base);
        store.reset(columns, cancel);
        store
    }

    /// At two bits, sets the codes of a layer's entries to 0. Their stripes take the layer's
    /// distance as minimum, if they have none yet. Does nothing for layers above the base.
    fn sink(&self, depth: usize) {
        if depth > self.base {
            return;
        }
        let code = StripeLayout::<BITS> { base: self.base as u64 }.code(depth as u64);
        let sink = |[low, high]: &[AtomicU64; STRIPE_WORDS]| {
            let [old_low, old_high] = [low, high].map(|word| word.load(Relaxed));
            let hits = [equal(2, old_low, code), equal(2, old_high, code) & WITHOUT_LEAST];
            if hits == [0, 0] {
                return;
            }
            low.store(old_low & !(hits[0] * 3), Relaxed);
            let mut new = old_high & !(hits[1] * 3);
            if new | WITHOUT_LEAST == u64::MAX {
                new = new & WITHOUT_LEAST | (depth as u64) << 60;
            }
            high.store(new, Relaxed);
        };
        // A part begins with a stripe, because the number of its first word is even.
        words::sum(self.words, &|_, part| {
            part.as_chunks().0.iter().for_each(sink);
            0
        });
    }
}

impl<const BITS: usize> BuildTable for StripeBuildTable<'_, BITS> {
    const UNSEEN: u64 = u64::MAX;
    const SATURATES: bool = true;
    type Layout = StripeLayout<BITS>;

    fn values(&self) -> usize {
        self.base + 3
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU64] {
        self.words
    }

    #[inline(always)]
    fn place(&self, row: u64, columns: usize) -> (usize, usize, StripeLayout<BITS>) {
        let words = columns.div_ceil(StripeLayout::<BITS>::STRIPE) * STRIPE_WORDS;
        // An index of a word in memory fits `usize`. With any other index, slicing panics.
        let first = usize::try_from(row).map_or(usize::MAX, |row| row * words);
        (first, words, StripeLayout { base: self.base as u64 })
    }

    fn unseen_word(at: usize, columns: usize) -> u64 {
        let least = if at.is_multiple_of(STRIPE_WORDS) { 0 } else { !WITHOUT_LEAST };
        let row_words = columns.div_ceil(StripeLayout::<BITS>::STRIPE) * STRIPE_WORDS;
        StripeLayout::<BITS>::used(at % row_words, columns) | least
    }

    fn made(&mut self, depth: usize) {
        self.sink(depth - 1);
        self.last = depth;
    }

    fn resumed(&mut self, depth: usize) {
        self.last = depth;
    }

    fn finish(self) {
        self.sink(self.last);
        words::to_little_endian(self.words);
    }
}

impl<const BITS: usize> StripeLayout<BITS> {
    /// Number of entries in a stripe.
    const STRIPE: usize = CODE_BITS as usize / BITS;

    /// The column of the first entry in a word of the row.
    #[inline(always)]
    fn first(word: usize) -> usize {
        word / STRIPE_WORDS * Self::STRIPE + word % STRIPE_WORDS * Self::IN_WORD
    }

    /// The bits in a word of the row that are not behind its last entry.
    #[inline(always)]
    fn used(word: usize, columns: usize) -> u64 {
        match columns.saturating_sub(Self::first(word)) {
            0 => 0,
            left => u64::MAX >> (64 - BITS * left.min(Self::IN_WORD)),
        }
    }
}

impl<const BITS: usize> Layout for StripeLayout<BITS> {
    const BITS: usize = BITS;

    #[inline(always)]
    fn slot(self, column: usize) -> (usize, usize) {
        // The minimum takes the place of 4 / BITS entries in each stripe.
        let slot = column + 4 / BITS * (column / Self::STRIPE);
        (slot / Self::IN_WORD, slot % Self::IN_WORD * BITS)
    }

    #[inline(always)]
    fn column(self, word: usize, entry: usize) -> usize {
        Self::first(word) + entry
    }

    /// The bits of the minimum are no entries. Unused codes are 0, which at two bits no value has.
    #[inline(always)]
    fn entries(self, word: usize, columns: usize) -> u64 {
        let used = if BITS == 1 { Self::used(word, columns) } else { u64::MAX };
        if word.is_multiple_of(STRIPE_WORDS) { used } else { used & WITHOUT_LEAST }
    }

    /// At two bits, the code of a layer's entries until [`StripeBuildTable::sink`] sets it to 0.
    #[inline(always)]
    fn code(self, value: u64) -> u64 {
        match value {
            u64::MAX => Self::UNSEEN,
            _ if BITS == 1 => 0,
            _ => 1 + (value + self.base + 1) % 2,
        }
    }
}
