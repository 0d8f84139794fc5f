//! Ranks of masks with a fixed number of bits.

/// `BINOMIALS[n][k]` = n over k for `n, k <= 32`, 0 for `k > n`. 8,712 bytes.
static BINOMIALS: [[u64; 33]; 33] = binomials();

const fn binomials() -> [[u64; 33]; 33] {
    let (mut table, mut n) = ([[0; 33]; 33], 0);
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The masks with `k` of the lowest `n` bits set, `k <= n <= 32`.
///
/// [`Combinations::rank`] is the colexicographic rank: masks are ordered as numbers. It is the sum
/// of the binomials `position over i` for all set bits, with `i` = 1 for the lowest. This is the
/// combinatorial number system (Donald Knuth, The Art of Computer Programming 4A, section 7.2.1.3,
/// theorem L).
///
/// Time: `k` table lookups to rank, at most `n` to unrank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Combinations {
    n: u32,
    k: u32,
}

impl Combinations {
    /// Masks with `k` of `n` bits.
    ///
    /// # Panics
    /// If not `k <= n <= 32`.
    pub const fn new(n: u32, k: u32) -> Self {
        assert!(k <= n && n <= 32, "combinations need k <= n <= 32");
        Self { n, k }
    }

    /// Number of masks: `n` over `k`, at most 601,080,390.
    #[inline(always)]
    pub fn size(self) -> u64 {
        BINOMIALS[self.n as usize][self.k as usize]
    }

    /// The rank in the order of the masks as numbers. Meaningless unless the mask has exactly `k`
    /// bits, all below bit `n`.
    #[inline(always)]
    pub fn rank(self, mask: u32) -> u64 {
        let (mut rest, mut rank, mut i) = (mask, 0, 1);
        while rest != 0 && i <= 32 {
            rank += BINOMIALS[rest.trailing_zeros() as usize][i];
            rest &= rest - 1;
            i += 1;
        }
        rank
    }

    /// The mask with this rank in the order of the masks as numbers.
    ///
    /// # Panics
    /// If the rank is not below [`Combinations::size`] (in builds with debug assertions; otherwise
    /// the result is an arbitrary mask).
    #[inline(always)]
    pub fn unrank(self, rank: u64) -> u32 {
        debug_assert!(rank < self.size(), "the rank is outside");
        let (mut mask, mut rest, mut k) = (0, rank, self.k as usize);
        for position in (0..self.n).rev() {
            let below = BINOMIALS[position as usize][k];
            if k > 0 && rest >= below {
                rest -= below;
                mask |= 1 << position;
                k -= 1;
            }
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn masks_are_in_order() {
        for (n, k) in [(0, 0), (5, 0), (5, 5), (6, 3), (12, 4), (16, 8)] {
            let all = Combinations::new(n, k);
            let masks: Vec<u32> = (0..all.size()).map(|rank| all.unrank(rank)).collect();
            assert!(masks.is_sorted_by(|a, b| a < b));
            assert_eq!(masks.len() as u64, all.size());
            assert!(masks.iter().all(|mask| mask.count_ones() == k));
        }
        assert_eq!(Combinations::new(12, 4).size(), 495);
        assert_eq!(Combinations::new(32, 16).size(), 601_080_390);
    }

    proptest! {
        #[test]
        fn rank_inverts_unrank(
            (n, k) in (0_u32..=32).prop_flat_map(|n| (Just(n), 0..=n)), seed: u64,
        ) {
            let all = Combinations::new(n, k);
            let rank = seed % all.size();
            prop_assert_eq!(all.rank(all.unrank(rank)), rank);
            prop_assert_eq!(all.unrank(rank).count_ones(), k);
        }
    }
}
