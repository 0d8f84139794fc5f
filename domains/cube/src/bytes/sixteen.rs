//! Sixteen bytes at once: what the index of a coset is computed with, on the vector unit or in plain loops.

/// Sixteen bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Sixteen(pub(crate) [u8; 16]);

impl Sixteen {
    pub(crate) const ZERO: Self = Self([0; 16]);
    /// As what is to be shuffled to: gives zeros.
    pub(crate) const NONE: Self = Self([128; 16]);
}

/// Sixteen bytes in a register. Every operation is one of the vector unit, SSSE3, but for [`Vector::extracted`], which is BMI2.
pub(crate) trait Vector: Copy {
    /// From memory.
    fn load(bytes: &Sixteen) -> Self;
    /// A byte sixteen times.
    fn all(byte: u8) -> Self;
    /// Byte `i` is that of `self` at place `to[i] % 16`, or 0 if `to[i]` is 128 or more (`pshufb`).
    fn shuffled(self, to: Self) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Shifted left as eight words of 16 bits.
    fn left<const BITS: i32>(self) -> Self;
    /// Shifted right as eight words of 16 bits.
    fn right<const BITS: i32>(self) -> Self;
    /// Bit 7 of byte `i` as bit `i`.
    fn signs(self) -> u32;
    /// The bits of a set, moved together: bit `i` is that of the `i`-th member (`pext`).
    fn extracted(bits: u32, set: u32) -> u32;
    /// The bytes 0 to 6, which are 0, 1 or 2, as digits of a number of base 3, the first one lowest.
    fn number(self) -> u32;
}

/// In plain loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain([u8; 16]);

impl Plain {
    fn words(self, change: impl Fn(u16) -> u16) -> Self {
        let mut out = [0; 16];
        for (out, word) in out.chunks_exact_mut(2).zip(self.0.chunks_exact(2)) {
            out.copy_from_slice(&change(u16::from_le_bytes([word[0], word[1]])).to_le_bytes());
        }
        Self(out)
    }
}

impl Vector for Plain {
    fn load(bytes: &Sixteen) -> Self {
        Self(bytes.0)
    }
    fn all(byte: u8) -> Self {
        Self([byte; 16])
    }
    fn shuffled(self, to: Self) -> Self {
        Self(to.0.map(|to| if to < 128 { self.0[usize::from(to % 16)] } else { 0 }))
    }
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    fn xor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
    fn left<const BITS: i32>(self) -> Self {
        self.words(|word| word << BITS)
    }
    fn right<const BITS: i32>(self) -> Self {
        self.words(|word| word >> BITS)
    }
    fn signs(self) -> u32 {
        self.0.iter().rev().fold(0, |set, byte| set << 1 | u32::from(byte >> 7))
    }
    fn extracted(bits: u32, set: u32) -> u32 {
        let members = (0..32).filter(|bit| set >> bit & 1 == 1);
        (0..).zip(members).map(|(to, bit)| (bits >> bit & 1) << to).sum()
    }
    fn number(self) -> u32 {
        self.0[..7].iter().rev().fold(0, |number, &digit| 3 * number + u32::from(digit))
    }
}
