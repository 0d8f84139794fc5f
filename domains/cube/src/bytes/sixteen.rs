//! Operations on sixteen bytes at once, in a vector register or in simple loops.

/// Sixteen bytes in memory, aligned for a vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Sixteen(pub(crate) [u8; 16]);

impl Sixteen {
    pub(crate) const ZERO: Self = Self([0; 16]);
    /// Shuffle indices that give zeros everywhere.
    pub(crate) const NONE: Self = Self([128; 16]);
}

/// A register of `L` lanes, sixteen bytes each. Each operation does the same in all lanes.
///
/// All operations but [`Vector::extracted`] (BMI2) are instructions of the vector unit.
pub trait Vector<const L: usize>: Copy {
    /// Loads each lane `l` from the bytes `lane(l)`.
    fn load<'a>(lane: impl Fn(usize) -> &'a Sixteen) -> Self;
    /// Loads each lane `l` from `four[numbers[l] % 4]`.
    #[inline(always)]
    fn picked(four: &[Sixteen; 4], numbers: &[u32; L]) -> Self {
        Self::load(|lane| &four[numbers[lane] as usize & 3])
    }
    /// Loads the same bytes into all lanes.
    #[inline(always)]
    fn same(bytes: &Sixteen) -> Self {
        Self::load(|_| bytes)
    }
    /// A shuffle within lanes: byte `i` is that of `self` at place `to[i] % 16`, or 0 if `to[i]` is
    /// 128 or more (`pshufb`).
    fn shuffled(self, to: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Shifts each 16-bit word left by `BITS`, 1 to 7.
    fn left<const BITS: i32>(self) -> Self;
    /// Shifts each 16-bit word right by `BITS`, which must be 4.
    fn right<const BITS: i32>(self) -> Self;
    /// The highest bit of each byte: that of byte `i` of lane `l` is bit `16 l + i` of the result.
    fn signs(self) -> u64;
    /// For each lane: the number whose base-3 digits are bytes 0 to 6, the first one lowest.
    fn numbers(self) -> [u32; L];
    /// Packs some bits of a word together: bit `i` of the result is the bit of `bits` at the `i`-th
    /// set bit of `set` (`pext`).
    fn extracted(bits: u32, set: u32) -> u32;
}

/// `L` lanes in memory, whose operations are simple loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<const L: usize>([[u8; 16]; L]);

impl<const L: usize> Plain<L> {
    fn each(self, change: impl Fn(usize, usize, u8) -> u8) -> Self {
        Self(std::array::from_fn(|lane| std::array::from_fn(|i| change(lane, i, self.0[lane][i]))))
    }
    fn words(self, change: impl Fn(u16) -> u16) -> Self {
        self.each(|lane, i, _| {
            let word = i & !1;
            let bytes = [self.0[lane][word], self.0[lane][word + 1]];
            change(u16::from_le_bytes(bytes)).to_le_bytes()[i % 2]
        })
    }
}

impl<const L: usize> Vector<L> for Plain<L> {
    fn load<'a>(lane: impl Fn(usize) -> &'a Sixteen) -> Self {
        Self(std::array::from_fn(|l| lane(l).0))
    }
    fn shuffled(self, to: Self) -> Self {
        to.each(|lane, _, to| if to < 128 { self.0[lane][usize::from(to % 16)] } else { 0 })
    }
    fn and(self, other: Self) -> Self {
        self.each(|lane, i, byte| byte & other.0[lane][i])
    }
    fn or(self, other: Self) -> Self {
        self.each(|lane, i, byte| byte | other.0[lane][i])
    }
    fn xor(self, other: Self) -> Self {
        self.each(|lane, i, byte| byte ^ other.0[lane][i])
    }
    fn left<const BITS: i32>(self) -> Self {
        self.words(|word| word << BITS)
    }
    fn right<const BITS: i32>(self) -> Self {
        self.words(|word| word >> BITS)
    }
    fn signs(self) -> u64 {
        self.0.iter().flatten().rev().fold(0, |set, byte| set << 1 | u64::from(byte >> 7))
    }
    fn numbers(self) -> [u32; L] {
        self.0.map(|lane| {
            lane[..7].iter().rev().fold(0, |number, &digit| 3 * number + u32::from(digit))
        })
    }
    fn extracted(bits: u32, set: u32) -> u32 {
        let members = (0..32).filter(|bit| set >> bit & 1 == 1);
        (0..).zip(members).map(|(to, bit)| (bits >> bit & 1) << to).sum()
    }
}
