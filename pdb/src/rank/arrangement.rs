//! Ranks of ordered choices of `k` out of `n`, such as permutations, packed in nibbles of a word.

/// All `n! / (n - k)!` ordered choices of `k` different numbers below `n`, `0 <= k <= n <= 16`.
///
/// Element `i` is in nibble `i` of a word. Nibbles from `k` on are zero.
///
/// Order: lexicographic, nibble 0 first. The rank is a mixed-radix number, and digit 0 is the
/// highest. Digit `i` counts the unused numbers below element `i` (Derrick Lehmer, "Teaching
/// combinatorial tricks to a computer", Proc. Symp. Applied Math. 10, 1960). Ranking counts with a
/// popcount of the used numbers. Unranking picks from a word of the unused numbers and closes the
/// gap.
///
/// Time: `k` steps of a few instructions each way. No memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrangements {
    n: u32,
    k: u32,
}

impl Arrangements {
    /// Ordered choices of `k` numbers below `n`.
    ///
    /// # Panics
    /// If not `k <= n <= 16`.
    pub const fn new(n: u32, k: u32) -> Self {
        assert!(k <= n && n <= 16, "arrangements need k <= n <= 16");
        Self { n, k }
    }

    /// Permutations of `n`.
    ///
    /// # Panics
    /// If `n` is above 16.
    pub const fn permutations(n: u32) -> Self {
        Self::new(n, n)
    }

    /// Number of arrangements: `n! / (n - k)!`, at most 16! = 20,922,789,888,000.
    pub const fn size(self) -> u64 {
        let (mut size, mut i) = (1, 0);
        while i < self.k {
            size *= (self.n - i) as u64;
            i += 1;
        }
        size
    }

    /// The rank of an arrangement. Ignores nibbles from `k` on. If the nibbles are not different
    /// numbers below `n`, the result is meaningless.
    #[inline(always)]
    pub const fn rank(self, nibbles: u64) -> u64 {
        let (mut rank, mut used, mut i) = (0_u64, 0_u32, 0);
        while i < self.k {
            let element = (nibbles >> (4 * i) & 15) as u32;
            let bit = 1 << element;
            let smaller = (used & (bit - 1)).count_ones();
            rank = rank
                .wrapping_mul((self.n - i) as u64)
                .wrapping_add((element.wrapping_sub(smaller)) as u64);
            used |= bit;
            i += 1;
        }
        rank
    }

    /// The arrangement with this rank.
    ///
    /// # Panics
    /// If the rank is not below [`Arrangements::size`] (in builds with debug assertions; otherwise
    /// the result is an arbitrary arrangement).
    #[inline(always)]
    pub const fn unrank(self, rank: u64) -> u64 {
        debug_assert!(rank < self.size(), "the rank is outside");
        // Digit i in nibble i, found from the last to the first.
        let (mut digits, mut rest, mut i) = (0_u64, rank, self.k);
        while i > 0 {
            i -= 1;
            let base = (self.n - i) as u64;
            digits |= (rest % base) << (4 * i);
            rest /= base;
        }
        // The unused numbers, ascending, one a nibble; a digit picks one and closes the gap.
        let (mut unused, mut nibbles) = (0xfedc_ba98_7654_3210_u64, 0_u64);
        while i < self.k {
            let at = 4 * (digits >> (4 * i) & 15);
            nibbles |= (unused >> at & 15) << (4 * i);
            let below = (1 << at) - 1;
            unused = (unused & below) | ((unused >> 4) & !below);
            i += 1;
        }
        nibbles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_ones_are_in_lexicographic_order() {
        for (n, k) in [(0, 0), (1, 1), (4, 0), (4, 2), (5, 5), (7, 3), (6, 5)] {
            let all = Arrangements::new(n, k);
            let list: Vec<Vec<u64>> = (0..all.size())
                .map(|rank| {
                    let nibbles = all.unrank(rank);
                    assert_eq!(all.rank(nibbles), rank, "{n} {k}");
                    (0..k).map(|i| nibbles >> (4 * i) & 15).collect()
                })
                .collect();
            assert!(list.is_sorted_by(|a, b| a < b), "{n} {k}");
            assert!(list.iter().flatten().all(|&element| element < u64::from(n)));
        }
    }

    #[test]
    fn known_values() {
        let permutations = Arrangements::permutations(4);
        // The lexicographic list of the permutations of 4: number 0 is 0123, 23 is 3210, 11 is
        // 1320.
        assert_eq!((permutations.rank(0x3210), permutations.rank(0x0123)), (0, 23));
        assert_eq!(permutations.unrank(11), 0x0231);
        assert_eq!(Arrangements::new(12, 6).size(), 665_280);
        assert_eq!(Arrangements::permutations(16).size(), 20_922_789_888_000);
    }

    proptest! {
        #[test]
        fn rank_inverts_unrank(
            (n, k) in (0_u32..=16).prop_flat_map(|n| (Just(n), 0..=n)), seed: u64,
        ) {
            let all = Arrangements::new(n, k);
            let rank = seed % all.size();
            let nibbles = all.unrank(rank);
            prop_assert_eq!(all.rank(nibbles), rank);
            let used = (0..k).fold(0_u32, |used, i| used | 1 << (nibbles >> (4 * i) & 15));
            prop_assert_eq!(used.count_ones(), k);
            prop_assert!(k == 16 || nibbles >> (4 * k) == 0);
        }
    }
}
