//! Ranks of strings of digits in a base, packed in fields of a word. The sum of the digits may be
//! constrained.

/// All words of `digits` digits below `base`. Digit `i` is in bits `bits * i` and up. Higher bits
/// are zero.
///
/// Order: digit 0 is the lowest, so the rank is the number in base `base`. If `base` is 2 and
/// `bits` is 1, it is the word itself. If the sum must be a multiple of the base, the last digit
/// follows from the others and does not count.
///
/// Time: log2(digits) steps to rank, and one division for each digit to unrank. A step of ranking
/// combines all pairs of neighbouring fields at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientations {
    base: u64,
    digits: u32,
    bits: u32,
    constrained: bool,
    /// A mask of the fields that the rank depends on.
    free: u64,
    /// For each step: a mask of the lower field of each pair of fields.
    masks: [u64; 6],
    steps: u32,
}

impl Orientations {
    /// All words of `digits` digits below `base`, in fields of `bits` bits.
    ///
    /// # Panics
    /// If the base is 0, `bits` is not 1 to 63, or a digit does not fit its field. Also if the
    /// fields do not fit 64 bits, or there are 2^64 words or more.
    pub const fn new(base: u64, digits: u32, bits: u32) -> Self {
        Self::make(base, digits, bits, false)
    }

    /// The words whose digits have a sum that is a multiple of the base. There must be at least one
    /// digit.
    ///
    /// # Panics
    /// As [`Orientations::new`], or without digits.
    pub const fn constrained(base: u64, digits: u32, bits: u32) -> Self {
        assert!(digits > 0, "without digits there is none to constrain");
        Self::make(base, digits, bits, true)
    }

    const fn make(base: u64, digits: u32, bits: u32, constrained: bool) -> Self {
        assert!(base > 0 && bits > 0 && bits < 64 && digits <= 64 / bits, "the fields do not fit");
        assert!((base - 1) >> bits == 0, "a digit does not fit its field");
        let count = if constrained { digits - 1 } else { digits };
        let free = low(count * bits);
        let (mut masks, mut steps, mut width) = ([0; 6], 0, bits);
        while width < count * bits {
            let mut at = 0;
            while at < 64 {
                masks[steps as usize] |= low(if 64 - at < width { 64 - at } else { width }) << at;
                at += 2 * width;
            }
            width *= 2;
            steps += 1;
        }
        let this = Self { base, digits, bits, constrained, free, masks, steps };
        // So the power in `size` cannot overflow.
        assert!(base.checked_pow(count).is_some(), "2^64 words or more");
        this
    }

    /// Number of words: `base` to the power of the number of free digits.
    pub const fn size(self) -> u64 {
        self.base.pow(self.digits - self.constrained as u32)
    }

    /// The rank of a word. Ignores bits above the free fields. Meaningless if a digit is not below
    /// the base.
    #[inline(always)]
    pub const fn rank(self, word: u64) -> u64 {
        let mut lanes = word & self.free;
        let (mut step, mut power, mut width) = (0, self.base, self.bits);
        while step < self.steps {
            // A pair of lanes below power has a combined value below power^2, which fits their two
            // fields.
            let mask = self.masks[step as usize];
            lanes = (lanes & mask).wrapping_add((lanes >> width & mask).wrapping_mul(power));
            power = power.wrapping_mul(power);
            width *= 2;
            step += 1;
        }
        lanes
    }

    /// The word with this rank.
    ///
    /// # Panics
    /// If the rank is not below [`Orientations::size`] (in builds with debug assertions; otherwise
    /// the result is an arbitrary word).
    #[inline(always)]
    pub const fn unrank(self, rank: u64) -> u64 {
        debug_assert!(rank < self.size(), "the rank is outside");
        let (mut word, mut rest, mut sum, mut i) = (0, rank, 0, 0);
        while i < self.digits - self.constrained as u32 {
            let digit = rest % self.base;
            word |= digit << (self.bits * i);
            sum += digit;
            rest /= self.base;
            i += 1;
        }
        if self.constrained {
            word |= ((self.base - sum % self.base) % self.base) << (self.bits * i);
        }
        word
    }
}

/// A mask of the lowest `bits` bits, at most 64.
const fn low(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rank_is_the_number_in_the_base() {
        let trits = Orientations::new(3, 4, 2);
        assert_eq!((trits.size(), trits.rank(0b01_10_00_10)), (81, 2 + 2 * 9 + 27));
        let constrained = Orientations::constrained(3, 8, 2);
        assert_eq!((constrained.size(), constrained.unrank(1)), (2187, 2 << 14 | 1));
        assert_eq!(Orientations::new(2, 12, 1).rank(0b1010_1100_0011), 0b1010_1100_0011);
        assert_eq!(Orientations::constrained(2, 12, 1).size(), 2048);
        assert_eq!(Orientations::new(16, 15, 4).rank(0x0123_4567_89ab_cdef), 0x0123_4567_89ab_cdef);
    }

    proptest! {
        #[test]
        fn rank_inverts_unrank(
            (base, bits) in (1_u64..=16).prop_flat_map(|base| (Just(base), 4_u32..=5)),
            digits in 1_u32..=12, constrained: bool, seed: u64,
        ) {
            let all = if constrained {
                Orientations::constrained(base, digits, bits)
            } else {
                Orientations::new(base, digits, bits)
            };
            let word = all.unrank(seed % all.size());
            prop_assert_eq!(all.rank(word), seed % all.size());
            let list: Vec<u64> = (0..digits).map(|i| word >> (bits * i) & low(bits)).collect();
            prop_assert!(list.iter().all(|&digit| digit < base));
            prop_assert!(!constrained || list.iter().sum::<u64>() % base == 0);
            let free = &list[..list.len() - usize::from(constrained)];
            let number = free.iter().rev().fold(0, |n, digit| n * base + digit);
            prop_assert_eq!(number, seed % all.size());
        }
    }
}
