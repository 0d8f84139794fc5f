//! Group products and coset table indices of byte cubes on AVX2, one cube after another.
//!
//! Functions with `target_feature` run only if [`search::VectorUnit::best`] has found these
//! features. Everything inlined into such a function is compiled for them. Tests compare the
//! results with those of simple loops.
#![expect(
    unsafe_code,
    reason = "vector instructions, chosen at run time: docs/decisions/vectors-and-unsafe.md"
)]

use super::sixteen::{Sixteen, Vector};
use super::{ByteCube, Locator, TURNS};
use search::{Lookup, Op, TwoSidedState};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cvtsi128_si64, _mm_load_si128, _mm_madd_epi16,
    _mm_maddubs_epi16, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi64x,
    _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16, _mm_xor_si128, _mm256_add_epi8,
    _mm256_and_si256, _mm256_load_si256, _mm256_min_epu8, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_shuffle_epi8, _mm256_store_si256, _mm256_sub_epi8, _pext_u32,
};

/// A register of SSE. Only functions of this module that are compiled for AVX2 create one.
#[derive(Clone, Copy)]
struct Register(__m128i);

/// Runs vector instructions that touch only registers.
macro_rules! instruction {
    ($call:expr) => {
        // SAFETY: it reads and writes registers only. A register is made only where
        // `search::VectorUnit::best` found AVX2, which includes SSSE3, and BMI2.
        unsafe { $call }
    };
}

impl Vector<1> for Register {
    #[inline(always)]
    fn load<'a>(lane: impl Fn(usize) -> &'a Sixteen) -> Self {
        // SAFETY: sixteen bytes, aligned to 16.
        Self(unsafe { _mm_load_si128(std::ptr::from_ref(lane(0)).cast()) })
    }
    #[inline(always)]
    fn shuffled(self, to: Self) -> Self {
        Self(instruction!(_mm_shuffle_epi8(self.0, to.0)))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instruction!(_mm_and_si128(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instruction!(_mm_or_si128(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instruction!(_mm_xor_si128(self.0, other.0)))
    }
    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        Self(instruction!(_mm_slli_epi16::<BITS>(self.0)))
    }
    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        Self(instruction!(_mm_srli_epi16::<BITS>(self.0)))
    }
    #[inline(always)]
    fn signs(self) -> u64 {
        u64::from(instruction!(_mm_movemask_epi8(self.0)).cast_unsigned())
    }
    #[inline(always)]
    fn extracted(bits: u32, set: u32) -> u32 {
        // Only functions of this module that are compiled for BMI2 name this type.
        instruction!(_pext_u32(bits, set))
    }
    #[inline(always)]
    fn numbers(self) -> [u32; 1] {
        // First adds pairs of digits, times 1 and 3. Then adds pairs of these sums, times 1 and 9,
        // or 81 and 729.
        let both = instruction!({
            let pairs = _mm_maddubs_epi16(self.0, _mm_set1_epi64x(0x0001_0301_0301_0301));
            let fours = _mm_madd_epi16(pairs, _mm_set1_epi64x(0x02d9_0051_0009_0001));
            _mm_cvtsi128_si64(fours).cast_unsigned()
        });
        #[expect(clippy::cast_possible_truncation, reason = "two halves")]
        let halves = (both as u32, (both >> 32) as u32);
        [halves.0 + halves.1]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(cube: &ByteCube) -> __m256i {
    // SAFETY: a byte cube is 32 bytes, aligned to 32.
    unsafe { _mm256_load_si256(std::ptr::from_ref(cube).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(cube: &mut ByteCube, value: __m256i) {
    // SAFETY: a byte cube is 32 bytes, aligned to 32.
    unsafe { _mm256_store_si256(std::ptr::from_mut(cube).cast(), value) }
}

/// The product: the effect of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn compose(a: __m256i, b: __m256i) -> __m256i {
    let turn = _mm256_set_m128i(_mm_set1_epi8(0x30), _mm_set1_epi8(0x20));
    // A shuffle reads bits 0 to 3 and bit 7, which is never set.
    let moved = _mm256_shuffle_epi8(a, b);
    let sum = _mm256_add_epi8(moved, _mm256_and_si256(b, _mm256_set1_epi8(0x30)));
    _mm256_min_epu8(sum, _mm256_sub_epi8(sum, turn))
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_products<'a>(
    ends: &[u8; 64],
    from: impl Fn(usize) -> &'a TwoSidedState<ByteCube>,
    ops: &[Op],
    to: &mut [TwoSidedState<ByteCube>],
) {
    for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
        let end = ends[op.index() % 64];
        let back = end & 128 != 0;
        let (turn, undo) = &TURNS[usize::from(end & 127)];
        let from = from(child);
        store(to.end_mut(back), compose(load(from.end(back)), load(turn)));
        store(to.end_mut(!back), compose(load(undo), load(from.end(!back))));
    }
}

/// Does what [`search::Group::products`] does. Call it only if [`search::VectorUnit::best`] has
/// found AVX2.
#[inline(always)]
pub(super) fn products<'a>(
    ends: &[u8; 64],
    from: impl Fn(usize) -> &'a TwoSidedState<ByteCube>,
    ops: &[Op],
    to: &mut [TwoSidedState<ByteCube>],
) {
    // SAFETY: callers checked `search::VectorUnit::best`.
    unsafe { all_products(ends, from, ops, to) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all_located(
    index: &impl Locator,
    states: &[TwoSidedState<ByteCube>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    index.each::<Register, 1, 1>(states, asked, places, place, ask);
}

/// Does what [`pdb::coset::Cosets::locate_all`] does. Call it only if [`search::VectorUnit::best`]
/// has found AVX2.
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
