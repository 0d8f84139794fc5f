//! Flags of the blocks of rows that hold a certain value. A walk from that value skips all other
//! blocks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One bit for each block of rows.
pub(crate) struct Flags(Vec<AtomicU64>);

impl Flags {
    /// Flags for this many blocks, none of them set.
    pub(crate) fn new(blocks: u64) -> Self {
        let words = usize::try_from(blocks.div_ceil(64)).expect("fewer than bytes in memory");
        Self(std::iter::repeat_with(AtomicU64::default).take(words).collect())
    }

    /// Sets the flag of a block.
    #[inline(always)]
    pub(crate) fn set(&self, block: u64) {
        let (word, bit) = self.place(block);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Whether the flag of a block is set.
    #[inline(always)]
    pub(crate) fn get(&self, block: u64) -> bool {
        let (word, bit) = self.place(block);
        word.load(Relaxed) & bit != 0
    }

    /// Clears all flags.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// The flags as words, for checkpoints.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|word| word.load(Relaxed))
    }

    /// Sets the flags to the words of a checkpoint.
    pub(super) fn restore(&self, words: &mut impl Iterator<Item = u64>) {
        self.0.iter().zip(words).for_each(|(word, kept)| word.store(kept, Relaxed));
    }

    /// Sets the flags that are set in `other`.
    pub(crate) fn add(&self, other: &Flags) {
        for (word, other) in self.0.iter().zip(&other.0) {
            word.fetch_or(other.load(Relaxed), Relaxed);
        }
    }

    #[inline(always)]
    fn place(&self, block: u64) -> (&AtomicU64, u64) {
        (&self.0[usize::try_from(block / 64).unwrap_or(usize::MAX)], 1 << (block % 64))
    }
}
