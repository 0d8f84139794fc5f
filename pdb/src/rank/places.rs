//! Ranks of ordered choices of `k` out of up to 255 places, given as bytes.

/// All `n! / (n - k)!` ways to put `k` things on different places among `n`.
///
/// Order: lexicographic, thing 0 first, as for [`Arrangements`](super::Arrangements). The rank is a
/// mixed-radix number, and digit 0 is the highest. Digit `i` counts the places below that of thing
/// `i` that no earlier thing has. Comparing each pair gives the digits. It needs no masks and no
/// popcounts, and compiles to vector instructions.
///
/// Time: `k (k - 1) / 2` comparisons. No memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    n: u32,
    k: u32,
}

impl Places {
    /// `k` things on `n` places.
    ///
    /// # Panics
    /// If not `k <= n <= 255`, or there are 2^64 ways or more.
    pub const fn new(n: u32, k: u32) -> Self {
        assert!(k <= n && n <= 255, "places need k <= n <= 255");
        let all = Self { n, k };
        assert!(all.radix(0).checked_mul(n as u64).is_some() || k == 0, "too many ways");
        all
    }

    /// Number of ways to place the things: `n! / (n - k)!`.
    pub const fn size(self) -> u64 {
        if self.k == 0 { 1 } else { self.radix(0) * self.n as u64 }
    }

    /// The radix of digit `i < k`: the number of ways to place the things after thing `i`.
    pub const fn radix(self, i: u32) -> u64 {
        let (mut ways, mut j) = (1_u64, i + 1);
        while j < self.k {
            ways = match ways.checked_mul((self.n - j) as u64) {
                Some(ways) => ways,
                None => panic!("too many ways"),
            };
            j += 1;
        }
        ways
    }

    /// The rank: the sum of each digit times its radix. `K` is the number of things. If the places
    /// are not different numbers below `n`, the result is meaningless.
    #[inline(always)]
    pub fn rank<const K: usize>(self, places: [u8; K]) -> u64 {
        debug_assert_eq!(K, self.k as usize);
        (0..).zip(digits(places)).map(|(i, digit)| self.radix(i) * u64::from(digit)).sum()
    }
}

/// The digits of a rank. For each thing: the number of places below its own that no earlier thing
/// has.
#[inline(always)]
pub fn digits<const K: usize>(places: [u8; K]) -> [u8; K] {
    std::array::from_fn(|i| {
        let below = places[..i].iter().map(|&earlier| u8::from(earlier < places[i])).sum::<u8>();
        places[i].wrapping_sub(below)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Arrangements;

    #[test]
    fn ranks_are_those_of_arrangements() {
        for (n, size) in [(4, 24), (7, 210), (16, 3360)] {
            let (places, arrangements) = (Places::new(n, 3), Arrangements::new(n, 3));
            assert_eq!((places.size(), arrangements.size()), (size, size));
            for rank in 0..size {
                let word = arrangements.unrank(rank);
                let bytes = std::array::from_fn(|i| u8::try_from(word >> (4 * i) & 15).unwrap());
                assert_eq!(places.rank::<3>(bytes), rank);
            }
        }
        assert_eq!(Places::new(16, 0).size(), 1);
    }

    #[test]
    fn large_boards_have_their_ways() {
        assert_eq!(Places::new(25, 6).size(), 127_512_000);
        let last = [24, 23, 22, 21, 20, 19];
        assert_eq!(Places::new(25, 6).rank(last), 127_511_999);
        assert_eq!(Places::new(25, 6).radix(5), 1);
        assert_eq!(Places::new(25, 6).radix(0), 24 * 23 * 22 * 21 * 20);
    }
}
