//! Loops over bytes: for CPUs other than x86-64, and the oracle of tests.

use super::lanes::LANES;

/// Sixteen bytes, which are changed one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register([u8; LANES]);

impl Register {
    pub(crate) fn new(bytes: [u8; LANES]) -> Self {
        Self(bytes)
    }
    pub(crate) fn all(byte: u8) -> Self {
        Self([byte; LANES])
    }
    fn lanes(self, other: Self, of: impl Fn(u8, u8) -> u8) -> Self {
        Self(std::array::from_fn(|lane| of(self.0[lane], other.0[lane])))
    }
    pub(crate) fn and(self, mask: Self) -> Self {
        self.lanes(mask, |byte, mask| byte & mask)
    }
    pub(crate) fn plus(self, other: Self) -> Self {
        self.lanes(other, u8::wrapping_add)
    }
    pub(crate) fn above(self, limit: Self) -> Self {
        self.lanes(limit, u8::saturating_sub)
    }
    pub(crate) fn is_zero(self) -> bool {
        self.0 == [0; LANES]
    }
    pub(crate) fn max(self, other: Self) -> Self {
        self.lanes(other, u8::max)
    }
    pub(crate) fn most(self) -> u8 {
        self.0.into_iter().fold(0, u8::max)
    }
}
