//! Stripe tables during a build, at two bits an entry. Entries in layers above the base keep a
//! code. The distances of layers up to the base are kept only as the minima of stripes.

use super::code::{STRIPE, STRIPE_BYTES};
use crate::builder::{Bitmap, Row, Store, compress, equal, words};
use search::{CancelToken, Cost};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of words in a stripe.
const STRIPE_WORDS: usize = STRIPE_BYTES / 8;
/// Number of 2-bit codes in a word. The bits of a stripe's minimum count as codes here.
const IN_WORD: usize = 32;
/// The code of unseen entries. After the build, these are the entries above base + 2.
const UNSEEN_CODE: u64 = 3;
/// A mask of the entries in a stripe's second word, which also holds the minimum.
const WITHOUT_LEAST: u64 = u64::MAX >> 4;

/// A table of stripes as in [`StripeTable`](super::StripeTable). During the build, the code of an
/// entry says in which layer it is:
///
/// - 3: unseen;
/// - 1 and 2: in this layer or in the one before; they alternate so that base + 1 has the code 1;
/// - 0: in an earlier layer.
///
/// When the code of an entry becomes 0, a stripe without a minimum takes the entry's distance as
/// its minimum. So the build needs no memory besides the table. Distances above base + 2 stay
/// unseen.
pub(super) struct StripeStore<'a> {
    words: &'a [AtomicU64],
    base: usize,
    /// The last layer that was made.
    last: usize,
}

/// The words of a row.
pub(super) struct Stripes<'a> {
    words: &'a [AtomicU64],
    base: u64,
}

impl<'a> StripeStore<'a> {
    /// A table whose entries are all unseen, unless cancelled. The unused codes at the end of a row
    /// are 0.
    pub(super) fn unseen(
        words: &'a [AtomicU64],
        columns: usize,
        base: Cost,
        cancel: Option<&CancelToken>,
    ) -> Self {
        let store = Self { words, base: base.into(), last: 0 };
        store.clear(columns, cancel);
        store
    }

    /// Makes all entries unseen, unless cancelled.
    fn clear(&self, columns: usize, cancel: Option<&CancelToken>) {
        let unseen = |at| Self::used(columns, at) | Self::least(at);
        words::each_until(self.words, cancel, |at, word| word.store(unseen(at), Relaxed));
    }

    /// The bits of all codes that entries use, for the word with this number.
    fn used(columns: usize, word: usize) -> u64 {
        let at = word % (columns.div_ceil(STRIPE) * STRIPE_WORDS);
        let left = columns.saturating_sub(Stripes::first(at));
        if left < IN_WORD { (1 << (2 * left)) - 1 } else { u64::MAX }
    }

    /// The bits of the minimum, for the word with this number.
    fn least(word: usize) -> u64 {
        if word.is_multiple_of(STRIPE_WORDS) { 0 } else { !WITHOUT_LEAST }
    }

    fn place(row: u64, columns: usize) -> (usize, usize) {
        let words = columns.div_ceil(STRIPE) * STRIPE_WORDS;
        // An index of a word in memory fits `usize`. With any other index, slicing panics.
        (usize::try_from(row).map_or(usize::MAX, |row| row * words), words)
    }

    /// Sets the codes of a layer's entries to 0. Their stripes take the layer's distance as
    /// minimum, if they have none yet. Does nothing for layers above the base.
    fn sink(&self, depth: usize) {
        if depth > self.base {
            return;
        }
        let code = code(depth as u64, self.base as u64);
        let sink = |[low, high]: &[AtomicU64; STRIPE_WORDS]| {
            let [old_low, old_high] = [low, high].map(|word| word.load(Relaxed));
            let hits = [equal::<2>(old_low, code), equal::<2>(old_high, code) & WITHOUT_LEAST];
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

/// The code of a layer's entries until [`StripeStore::sink`] sets it to 0.
#[inline(always)]
fn code(value: u64, base: u64) -> u64 {
    if value == StripeStore::UNSEEN { UNSEEN_CODE } else { 1 + (value + base + 1) % 2 }
}

/// The index of the word with a column's code, and the code's first bit in the word.
#[inline(always)]
fn slot(column: usize) -> (usize, usize) {
    let slot = column + 2 * (column / STRIPE);
    (slot / IN_WORD, slot % IN_WORD * 2)
}

impl Store for StripeStore<'_> {
    const BITS: usize = 2;
    const UNSEEN: u64 = u64::MAX;
    const SATURATES: bool = true;
    type Row<'r>
        = Stripes<'r>
    where
        Self: 'r;

    fn values(&self) -> usize {
        self.base + 3
    }

    #[inline(always)]
    fn row(&self, row: u64, columns: usize) -> Stripes<'_> {
        let (first, words) = Self::place(row, columns);
        Stripes { words: &self.words[first..first + words], base: self.base as u64 }
    }

    #[inline(always)]
    fn prefetch(&self, row: u64, columns: usize) {
        search::prefetch(self.words, Self::place(row, columns).0);
    }

    fn reset(&self, columns: usize) {
        self.clear(columns, None);
    }

    fn is_sound(&self, columns: usize) -> bool {
        let wrong = |at, word: &AtomicU64| {
            let unused = !(Self::used(columns, at) | Self::least(at));
            u64::from(word.load(Relaxed) & unused != 0)
        };
        let sum =
            |first, part: &[AtomicU64]| (first..).zip(part).map(|(at, word)| wrong(at, word)).sum();
        words::sum(self.words, &sum) == 0
    }

    fn forget(&self, value: u64) {
        let code = code(value, self.base as u64);
        words::each(self.words, |at, word| {
            let entries = if at.is_multiple_of(STRIPE_WORDS) { u64::MAX } else { WITHOUT_LEAST };
            let old = word.load(Relaxed);
            word.store(old | ((equal::<2>(old, code) & entries) * 3), Relaxed);
        });
    }

    fn made(&mut self, depth: usize) {
        self.sink(depth - 1);
        self.last = depth;
    }

    fn words(&self) -> &[AtomicU64] {
        self.words
    }

    fn resumed(&mut self, depth: usize) {
        self.last = depth;
    }

    fn finish(self) {
        self.sink(self.last);
        if cfg!(target_endian = "big") {
            words::each(self.words, |_, word| word.store(word.load(Relaxed).to_le(), Relaxed));
        }
    }
}

impl Stripes<'_> {
    /// Finds the entries with this code in word `at` of the row: their lowest bits are set in the
    /// result. The bits of the minimum never count.
    #[inline(always)]
    fn hits(&self, at: usize, code: u64) -> u64 {
        let hits = equal::<2>(self.words[at].load(Relaxed), code);
        if at.is_multiple_of(STRIPE_WORDS) { hits } else { hits & WITHOUT_LEAST }
    }

    /// The column of the first entry in a word of the row.
    #[inline(always)]
    fn first(at: usize) -> usize {
        at / STRIPE_WORDS * STRIPE + at % STRIPE_WORDS * IN_WORD
    }
}

impl Row for Stripes<'_> {
    #[inline(always)]
    fn words(&self) -> usize {
        self.words.len()
    }

    #[inline]
    fn bitmap(&self, columns: usize, value: u64, out: &mut Bitmap) {
        let code = code(value, self.base);
        out[..columns.div_ceil(64)].fill(0);
        for at in 0..self.words.len() {
            let (bits, first) = (compress::<2>(self.hits(at, code)), Self::first(at));
            let (word, shift) = (first / 64, first % 64);
            if bits != 0 {
                out[word] |= bits << shift;
                if shift > 32 && word + 1 < out.len() {
                    out[word + 1] |= bits >> (64 - shift);
                }
            }
        }
    }

    #[inline]
    fn fill(&self, _: usize, except: &[u16], value: u64, masks: &mut Vec<u64>) {
        masks.clear();
        masks.resize(self.words.len(), 0);
        for &column in except {
            let (word, shift) = slot(usize::from(column));
            masks[word] |= 1 << shift;
        }
        let code = code(value, self.base);
        for (at, (word, except)) in self.words.iter().zip(masks).enumerate() {
            let hits = self.hits(at, UNSEEN_CODE) & !*except;
            if hits != 0 {
                word.fetch_and(!(hits * (UNSEEN_CODE ^ code)), Relaxed);
            }
        }
    }

    #[inline(always)]
    fn has(&self, column: usize, value: u64) -> bool {
        let (word, shift) = slot(column);
        self.words[word].load(Relaxed) >> shift & 3 == code(value, self.base)
    }

    #[inline(always)]
    fn set(&self, column: usize, value: u64) -> bool {
        let (word, shift) = slot(column);
        let unseen = |word: u64| word >> shift & 3 == UNSEEN_CODE;
        // Most entries are seen already: a load is cheaper than an atomic change.
        unseen(self.words[word].load(Relaxed)) && {
            let keep = !((UNSEEN_CODE ^ code(value, self.base)) << shift);
            unseen(self.words[word].fetch_and(keep, Relaxed))
        }
    }

    #[inline]
    fn select(&self, _: usize, value: u64, out: &mut Vec<u16>) {
        out.clear();
        let code = code(value, self.base);
        for at in 0..self.words.len() {
            let (mut hits, first) = (self.hits(at, code), Self::first(at));
            while hits != 0 {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a row has at most 65,536 columns"
                )]
                out.push((first + hits.trailing_zeros() as usize / 2) as u16);
                hits &= hits - 1;
            }
        }
    }
}
