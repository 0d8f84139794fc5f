//! Coset table indices of byte cubes on AVX-512: four cubes in a register, and many registers side
//! by side.
//!
//! Functions with `target_feature` run only if [`search::VectorUnit::best`] has found these
//! features. Everything inlined into such a function is compiled for them. Tests compare the
//! results with those of simple loops.
#![expect(
    unsafe_code,
    reason = "vector instructions, chosen at run time: docs/decisions/vectors-and-unsafe.md"
)]

use super::sixteen::{Sixteen, Vector};
use super::{AT_ONCE, ByteCube, Locator};
use search::{Lookup, TwoSidedState};
use std::arch::x86_64::{
    __m512i, _mm_load_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_castsi128_si256,
    _mm512_add_epi32, _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_castsi128_si512,
    _mm512_castsi512_si128, _mm512_cvtepu32_epi64, _mm512_inserti32x4, _mm512_loadu_si512,
    _mm512_madd_epi16, _mm512_maddubs_epi16, _mm512_maskz_compress_epi32, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_slli_epi64, _mm512_srli_epi16,
    _mm512_srli_epi64, _mm512_xor_si512, _pext_u32,
};

/// A register of AVX-512: four lanes of sixteen bytes. Only functions of this module that are
/// compiled for AVX-512 create one.
#[derive(Clone, Copy)]
struct Quad(__m512i);

/// Runs vector instructions that touch only registers.
macro_rules! instruction {
    ($call:expr) => {
        // SAFETY: it reads and writes registers only. A register is made only where
        // `search::VectorUnit::best` found AVX-512.
        unsafe { $call }
    };
}

impl Vector<4> for Quad {
    #[inline(always)]
    fn load<'a>(lane: impl Fn(usize) -> &'a Sixteen) -> Self {
        let (first, second, third, fourth) = (lane(0), lane(1), lane(2), lane(3));
        // SAFETY: sixteen bytes each, aligned to 16.
        let [first, second, third, fourth] = unsafe {
            [
                _mm_load_si128(std::ptr::from_ref(first).cast()),
                _mm_load_si128(std::ptr::from_ref(second).cast()),
                _mm_load_si128(std::ptr::from_ref(third).cast()),
                _mm_load_si128(std::ptr::from_ref(fourth).cast()),
            ]
        };
        Self(instruction!({
            let half = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(first), second);
            _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(half, third), fourth)
        }))
    }
    #[inline(always)]
    fn picked(four: &[Sixteen; 4], numbers: &[u32; 4]) -> Self {
        // SAFETY: four times sixteen bytes, and sixteen bytes.
        let (four, numbers) = unsafe {
            let numbers = _mm_loadu_si128(numbers.as_ptr().cast());
            (_mm512_loadu_si512(four.as_ptr().cast()), numbers)
        };
        Self(instruction!({
            // For each 64-bit half of a lane: the number of the lane to pick.
            let twice = _mm512_cvtepu32_epi64(_mm256_castsi128_si256(numbers));
            let twice = _mm512_permutexvar_epi64(_mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0), twice);
            let halves = _mm512_set_epi64(1, 0, 1, 0, 1, 0, 1, 0);
            // The permutation uses the lowest three bits of an index.
            let index = _mm512_or_si512(_mm512_slli_epi64::<1>(twice), halves);
            _mm512_permutexvar_epi64(index, four)
        }))
    }
    #[inline(always)]
    fn same(bytes: &Sixteen) -> Self {
        // SAFETY: sixteen bytes, aligned to 16.
        let lane = unsafe { _mm_load_si128(std::ptr::from_ref(bytes).cast()) };
        Self(instruction!(_mm512_broadcast_i32x4(lane)))
    }
    #[inline(always)]
    fn shuffled(self, to: Self) -> Self {
        Self(instruction!(_mm512_shuffle_epi8(self.0, to.0)))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instruction!(_mm512_and_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instruction!(_mm512_or_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instruction!(_mm512_xor_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        const { assert!(BITS > 0 && BITS < 8) };
        Self(match BITS {
            1 => instruction!(_mm512_slli_epi16::<1>(self.0)),
            2 => instruction!(_mm512_slli_epi16::<2>(self.0)),
            3 => instruction!(_mm512_slli_epi16::<3>(self.0)),
            4 => instruction!(_mm512_slli_epi16::<4>(self.0)),
            5 => instruction!(_mm512_slli_epi16::<5>(self.0)),
            6 => instruction!(_mm512_slli_epi16::<6>(self.0)),
            _ => instruction!(_mm512_slli_epi16::<7>(self.0)),
        })
    }
    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        const { assert!(BITS == 4) };
        Self(instruction!(_mm512_srli_epi16::<4>(self.0)))
    }
    #[inline(always)]
    fn signs(self) -> u64 {
        instruction!(_mm512_movepi8_mask(self.0))
    }
    #[inline(always)]
    fn numbers(self) -> [u32; 4] {
        let mut numbers = [0; 4];
        // First adds pairs of digits, times 1 and 3. Then adds pairs of these sums, times 1 and 9,
        // or 81 and 729. Last adds both halves of the lower eight bytes.
        let packed = instruction!({
            let pairs = _mm512_maddubs_epi16(self.0, _mm512_set1_epi64(0x0001_0301_0301_0301));
            let fours = _mm512_madd_epi16(pairs, _mm512_set1_epi64(0x02d9_0051_0009_0001));
            let sums = _mm512_add_epi32(fours, _mm512_srli_epi64::<32>(fours));
            _mm512_castsi512_si128(_mm512_maskz_compress_epi32(0x1111, sums))
        });
        // SAFETY: sixteen bytes.
        unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), packed) };
        numbers
    }
    #[inline(always)]
    fn extracted(bits: u32, set: u32) -> u32 {
        instruction!(_pext_u32(bits, set))
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn all_located(
    index: &impl Locator,
    states: &[TwoSidedState<ByteCube>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    index.each::<Quad, 4, AT_ONCE>(states, asked, places, place, ask);
}

/// Does what [`pdb::coset::Cosets::locate_all`] does. Call it only if [`search::VectorUnit::best`]
/// has found AVX-512.
#[inline(always)]
pub(super) fn locate_all(
    index: &impl Locator,
    states: &[TwoSidedState<ByteCube>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    // SAFETY: callers checked `search::VectorUnit::best`.
    unsafe { all_located(index, states, asked, places, place, ask) }
}
