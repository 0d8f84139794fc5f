//! A stream of random integers that stays the same for the same seed in every release.
//!
//! The words come from ChaCha with 8 rounds. Its key is the seed in little-endian order and 24 zero
//! bytes. This module makes integers and orders from the words itself, so that no release of
//! another library changes the stream.

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of unbiased random integers and orders.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Clone for Random {
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// An integer below `end`, each with the same probability. To be exactly uniform, it rejects
    /// random words from the last, incomplete multiple of `end` and draws again.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        assert!(end > 0, "no integer is below 0");
        let last = u64::MAX - (u64::MAX % end + 1) % end;
        loop {
            let word = self.0.next_u64();
            if word <= last {
                return word % end;
            }
        }
    }

    /// An index into a list of this length, each with the same probability.
    ///
    /// # Panics
    /// If the list is empty.
    #[expect(clippy::cast_possible_truncation, reason = "below a usize")]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Shuffles with the method of Ronald Fisher and Frank Yates: each order with the same
    /// probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_below_their_end() {
        let mut random = Random::new(3);
        for end in [1, 2, 3, 5, 1 << 63, u64::MAX] {
            assert!((0..100).all(|_| random.below(end) < end));
        }
    }

    #[test]
    fn a_seed_gives_the_same_stream_in_every_release() {
        let mut random = Random::new(0);
        let words: Vec<u64> = (0..3).map(|_| random.below(1 << 32)).collect();
        assert_eq!(words, [804_192_318, 3_904_396_159, 3_272_508_460]);
        let mut order: Vec<u8> = (0..16).collect();
        Random::new(1).shuffle(&mut order);
        assert_eq!(order, [3, 8, 2, 7, 6, 12, 1, 11, 5, 14, 13, 4, 9, 0, 10, 15]);
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut random = Random::new(7);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut order = [0, 1, 2, 3];
            random.shuffle(&mut order);
            *counts.entry(order).or_insert(0_u32) += 1;
        }
        // Each order is expected 1,000 times, with a standard deviation of 31. All are within six
        // of them.
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| count.abs_diff(1000) < 186), "{counts:?}");
    }
}
