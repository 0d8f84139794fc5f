//! A register of x86-64.
#![expect(unsafe_code, reason = "the compiler takes no loop over bytes as one register reliably")]

use super::lanes::LANES;
use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si32, _mm_max_epu8,
    _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi32, _mm_setzero_si128, _mm_srli_si128,
    _mm_subs_epu8,
};

/// Calls instructions of SSE2.
macro_rules! sse2 {
    ($call:expr) => {
        // SAFETY: SSE2 belongs to x86-64, so every CPU of this architecture has it. The calls
        // take values, no pointers.
        unsafe { $call }
    };
}

/// Sixteen bytes, which are changed at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register(__m128i);

impl Register {
    #[inline(always)]
    pub(crate) fn new(bytes: [u8; LANES]) -> Self {
        let half = |first| i64::from_le_bytes(std::array::from_fn(|byte| bytes[first + byte]));
        Self(sse2!(_mm_set_epi64x(half(8), half(0))))
    }
    /// A register with the same byte in all lanes.
    #[inline(always)]
    pub(crate) fn all(byte: u8) -> Self {
        let four = (u32::from(byte) * 0x0101_0101).cast_signed();
        Self(sse2!(_mm_set1_epi32(four)))
    }
    #[inline(always)]
    pub(crate) fn and(self, mask: Self) -> Self {
        Self(sse2!(_mm_and_si128(self.0, mask.0)))
    }
    /// The sum of each lane, modulo 256.
    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(sse2!(_mm_add_epi8(self.0, other.0)))
    }
    /// The difference of each lane, or 0 if it is negative.
    #[inline(always)]
    pub(crate) fn above(self, limit: Self) -> Self {
        Self(sse2!(_mm_subs_epu8(self.0, limit.0)))
    }
    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        sse2!(_mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()))) == 0xffff
    }
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self(sse2!(_mm_max_epu8(self.0, other.0)))
    }
    /// The largest byte.
    #[inline(always)]
    pub(crate) fn most(self) -> u8 {
        let one = sse2!({
            let eight = _mm_max_epu8(self.0, _mm_srli_si128::<8>(self.0));
            let four = _mm_max_epu8(eight, _mm_srli_si128::<4>(eight));
            let two = _mm_max_epu8(four, _mm_srli_si128::<2>(four));
            _mm_cvtsi128_si32(_mm_max_epu8(two, _mm_srli_si128::<1>(two)))
        });
        (one & 0xff) as u8
    }
}
