//! Group products and coset table indices of byte cubes on AVX2 and AVX-512.
//!
//! An [`Avx2`] or [`Avx512`] proves that the CPU has the features. Functions with the attribute
//! `target_feature` are called only with such a proof. Everything inlined into them is compiled for
//! these features. Tests compare the results with those of simple loops.
#![expect(
    unsafe_code,
    reason = "vector instructions, chosen at run time: docs/decisions/vectors-and-unsafe.md"
)]

use super::sixteen::{Sixteen, Vector};
use super::{AT_ONCE, ByteCube, Locator, TURNS};
use search::{Lookup, Op, TwoSidedState, VectorUnit};
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_and_si128, _mm_cvtsi128_si64, _mm_load_si128, _mm_loadu_si128,
    _mm_madd_epi16, _mm_maddubs_epi16, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_set1_epi64x, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128,
    _mm_xor_si128, _mm256_add_epi8, _mm256_and_si256, _mm256_castsi128_si256, _mm256_load_si256,
    _mm256_min_epu8, _mm256_set_m128i, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_store_si256,
    _mm256_sub_epi8, _mm512_add_epi32, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_castsi128_si512, _mm512_castsi512_si128, _mm512_cvtepu32_epi64, _mm512_inserti32x4,
    _mm512_loadu_si512, _mm512_madd_epi16, _mm512_maddubs_epi16, _mm512_maskz_compress_epi32,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_set_epi64,
    _mm512_set1_epi64, _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_slli_epi64,
    _mm512_srli_epi16, _mm512_srli_epi64, _mm512_xor_si512, _pext_u32,
};

/// The proof that the CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

/// The proof that the CPU has AVX-512 F, BW, DQ and VL, besides the features of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

/// The proofs of all features that the CPU has, restricted to vector units up to `unit`.
pub(super) fn detect(unit: VectorUnit) -> (Option<Avx2>, Option<Avx512>) {
    let unit = unit.min(VectorUnit::best());
    let (avx2, avx512) = (unit >= VectorUnit::Narrow, unit >= VectorUnit::Wide);
    (avx2.then_some(Avx2(())), avx512.then_some(Avx512(())))
}

/// A register of SSE. Only functions of this module that are compiled for AVX2 create one.
#[derive(Clone, Copy)]
struct Register(__m128i);

/// A register of AVX-512: four lanes of sixteen bytes. Only functions of this module that are
/// compiled for AVX-512 create one.
#[derive(Clone, Copy)]
struct Quad(__m512i);

/// Runs vector instructions that touch only registers.
macro_rules! instruction {
    ($call:expr) => {
        // SAFETY: it reads and writes registers only. A register is made only where a proof of its
        // features is at hand.
        unsafe { $call }
    };
}

/// The operations that are one instruction in every register.
macro_rules! operations {
    ($shuffled:ident, $and:ident, $or:ident, $xor:ident) => {
        #[inline(always)]
        fn shuffled(self, to: Self) -> Self {
            Self(instruction!($shuffled(self.0, to.0)))
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(instruction!($and(self.0, other.0)))
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(instruction!($or(self.0, other.0)))
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(instruction!($xor(self.0, other.0)))
        }
        #[inline(always)]
        fn extracted(bits: u32, set: u32) -> u32 {
            // A unit with these registers has BMI2.
            instruction!(_pext_u32(bits, set))
        }
    };
}

impl Vector<1> for Register {
    #[inline(always)]
    fn load<'a>(lane: impl Fn(usize) -> &'a Sixteen) -> Self {
        // SAFETY: sixteen bytes, aligned to 16.
        Self(unsafe { _mm_load_si128(std::ptr::from_ref(lane(0)).cast()) })
    }
    operations!(_mm_shuffle_epi8, _mm_and_si128, _mm_or_si128, _mm_xor_si128);

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
    operations!(_mm512_shuffle_epi8, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512);

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

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn located_one_by_one(
    index: &impl Locator,
    states: &[TwoSidedState<ByteCube>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    index.each::<Register, 1, 1>(states, asked, places, place, ask);
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn located_at_once(
    index: &impl Locator,
    states: &[TwoSidedState<ByteCube>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    index.each::<Quad, 4, AT_ONCE>(states, asked, places, place, ask);
}

impl Avx2 {
    /// Does what [`search::Group::products`] does.
    #[inline(always)]
    pub(super) fn products<'a>(
        self,
        ends: &[u8; 64],
        from: impl Fn(usize) -> &'a TwoSidedState<ByteCube>,
        ops: &[Op],
        to: &mut [TwoSidedState<ByteCube>],
    ) {
        // SAFETY: `self` proves the features.
        unsafe { all_products(ends, from, ops, to) }
    }

    /// Does what [`pdb::coset::Cosets::locate_all`] does, one cube after another.
    #[inline(always)]
    pub(super) fn locate_all(
        self,
        index: &impl Locator,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // SAFETY: `self` proves the features.
        unsafe { located_one_by_one(index, states, asked, places, place, ask) }
    }
}

impl Avx512 {
    /// Does what [`pdb::coset::Cosets::locate_all`] does, for [`AT_ONCE`] cubes at once.
    #[inline(always)]
    pub(super) fn locate_all(
        self,
        index: &impl Locator,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // SAFETY: `self` proves the features.
        unsafe { located_at_once(index, states, asked, places, place, ask) }
    }
}
