//! A few bytes that are carried from node to node as whole words.

/// `8 N` bytes in `N` words. A byte is changed by changing every word, so that values are only stored and loaded whole: an array of which a byte
/// was just written cannot be copied before the write has left for the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<const N: usize>([u64; N]);

impl<const N: usize> Lanes<N> {
    /// All bytes the same.
    pub const fn splat(byte: u8) -> Self {
        Self([0x0101_0101_0101_0101 * byte as u64; N])
    }

    /// Byte `i` modulo `8 N`.
    #[inline(always)]
    pub fn get(&self, i: usize) -> u8 {
        self.0[i / 8 % N].to_le_bytes()[i % 8]
    }

    /// With byte `i < 8 N` changed.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, i: usize, byte: u8) -> Self {
        let all = 0x0101_0101_0101_0101 * u64::from(byte);
        for (lane, word) in self.0.iter_mut().enumerate() {
            let here = if i / 8 == lane { 255_u64 << (8 * (i % 8)) } else { 0 };
            *word ^= (*word ^ all) & here;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_where_they_were_put() {
        let (mut lanes, mut bytes) = (Lanes::<3>::splat(7), [7; 24]);
        for (i, byte) in [(0, 255), (23, 1), (8, 0), (15, 200), (0, 3)] {
            lanes = lanes.with(i, byte);
            bytes[i] = byte;
            assert!((0..24).all(|i| lanes.get(i) == bytes[i]));
        }
        assert_eq!(lanes.get(24), 3);
    }
}
