//! The costs of the edges that were read: [`Costs`].

use crate::abstraction::Edge;
use search::Cost;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words of a set of costs.
pub(super) const WORDS: usize = 4;

/// A set of costs, to which many threads add.
#[derive(Default)]
pub(super) struct Costs([AtomicU64; WORDS]);

impl Costs {
    /// The set with these words: cost `c` is bit `c % 64` of word `c / 64`.
    pub(super) fn of(words: [u64; WORDS]) -> Self {
        Self(words.map(AtomicU64::new))
    }

    pub(super) fn words(&self) -> [u64; WORDS] {
        std::array::from_fn(|word| self.0[word].load(Relaxed))
    }

    pub(super) fn add(&self, cost: Cost) {
        let (word, bit) = (&self.0[usize::from(cost / 64)], 1 << (cost % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    #[inline(always)]
    pub(super) fn record(&self, edges: &[Edge]) {
        edges.iter().for_each(|edge| self.add(edge.cost));
    }

    pub(super) fn has(&self, cost: Cost) -> bool {
        self.0[usize::from(cost / 64)].load(Relaxed) >> (cost % 64) & 1 == 1
    }

    /// The least cost that is not 1.
    pub(super) fn other_than_1(&self) -> Option<Cost> {
        (0..=Cost::MAX).find(|&cost| cost != 1 && self.has(cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_kept_in_words() {
        let costs = Costs::default();
        [1, 63, 64, 255].into_iter().for_each(|cost| costs.add(cost));
        assert_eq!(costs.words(), [1 << 63 | 2, 1, 0, 1 << 63]);
        assert_eq!(costs.other_than_1(), Some(63));
        let read = Costs::of(costs.words());
        assert!((0..=255).all(|cost| read.has(cost) == [1, 63, 64, 255].contains(&cost)));
    }
}
