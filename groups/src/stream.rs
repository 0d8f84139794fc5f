//! The random numbers for building chains: one seed gives the same numbers in every release.

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// ChaCha with 8 rounds. The key is the seed in little-endian order and 24 zero bytes.
///
/// The elements that a chain finds depend on this stream, and so do the ranks and the
/// fingerprints made from them. It must never change.
#[derive(Debug)]
pub(crate) struct Stream(ChaCha8Rng);

impl Clone for Stream {
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A uniform integer below `end`. To be exactly uniform, it rejects random words from the last,
    /// incomplete multiple of `end` and draws again.
    ///
    /// # Panics
    /// If `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        assert!(end > 0, "no integer is below 0");
        let last = u64::MAX - (u64::MAX % end + 1) % end;
        loop {
            let word = self.0.next_u64();
            if word <= last {
                return word % end;
            }
        }
    }

    /// Shuffles by Ronald Fisher's and Frank Yates's method.
    #[cfg(test)]
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).expect("below the number of items"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_stream_in_every_release() {
        let mut stream = Stream::new(0);
        let words: Vec<u64> = (0..3).map(|_| stream.below(1 << 32)).collect();
        assert_eq!(words, [804_192_318, 3_904_396_159, 3_272_508_460]);
    }
}
