//! Computes products of states, and the words that coset tables read (see [`super::cosets`]), on
//! AVX2. This module has all unsafe code of the crate.
//!
//! An [`Avx2`] proves that the CPU has the features. Functions with the attribute `target_feature`
//! are called only with such a proof. Everything inlined into them is compiled for these features.
//! Tests compare the results with [`super::compiled::CompiledOperators::then`] and with `locate` of
//! [`SlotViews`](super::cosets::SlotViews).
#![expect(
    unsafe_code,
    reason = "vector instructions, chosen at run time: docs/decisions/vectors-and-unsafe.md"
)]

use super::slots::GroupElement;
use search::{Lookup, Op, TwoSidedState, VectorUnit};
use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_broadcastsi128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_min_epu8, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_sign_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_sub_epi8,
};

/// Number of slots that fit in a register.
const WIDTH: usize = 32;
/// Number of bytes in a register. Each byte is a place for the symbol of one slot.
pub(super) const PLACES: usize = WIDTH;
/// Number of neighbouring places that are added to one sum. A chunk of a word has at most this many
/// slots.
pub(super) const GROUP: usize = 4;
/// Number of sums of a register.
pub(super) const SUMS: usize = PLACES / GROUP;

/// Tables for the symbols of 32 places of a view. `192 + N` bytes.
///
/// The symbol of a place is the first symbol of its piece's class, plus the turn. The turn is the
/// twist, forward or backward, plus the *shifts*: a number for the place and one for the piece. It
/// counts modulo the number of twists of the slot. If the class ignores turns, it is not added.
///
/// Tests compare it with [`super::cosets::SlotViews`], which works slot by slot.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Lanes<const N: usize> {
    /// For each place: its slot.
    pub(super) slots: [u8; PLACES],
    /// For each place: the offset into `pieces`, to which the number of the piece is added. A piece
    /// may have different entries for two words.
    pub(super) other: [u8; PLACES],
    /// For each place: 1, or 255 (that is -1) if the view mirrors twists there.
    pub(super) sign: [u8; PLACES],
    /// For each place: its shift.
    pub(super) shift: [u8; PLACES],
    /// For each place: the number of twists of the slot.
    pub(super) modulus: [u8; PLACES],
    /// For each place: the weight by which its symbol is multiplied in its chunk's sum, at most 64.
    /// 0 for an unused place.
    pub(super) scale: [u8; PLACES],
    /// Indexed by the number of a piece plus an offset. Bits 0 to 2: its shift. Bit 3: whether its
    /// turns are shown. Bits 4 to 7: the first symbol of its class.
    pub(super) pieces: [u8; N],
}

impl<const N: usize> Lanes<N> {
    pub(super) const NONE: Self = Self {
        slots: [0; PLACES],
        other: [0; PLACES],
        sign: [1; PLACES],
        shift: [0; PLACES],
        modulus: [1; PLACES],
        scale: [0; PLACES],
        pieces: [0; N],
    };
}

/// Finds entries of a coset table by the sums of registers.
pub(super) trait LocateBySums<const N: usize> {
    /// Implements [`pdb::coset::Cosets::locate_all`]. `sums` computes the sums of a register for a
    /// state.
    fn locate_by(
        &self,
        states: &[TwoSidedState<GroupElement<N>>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
        sums: impl Fn(&Lanes<N>, &GroupElement<N>) -> [u32; SUMS],
    );
}

/// The proof that the CPU has the features of this module, for states of `N` slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2<const N: usize>(());

impl<const N: usize> Avx2<N> {
    /// The proof. `None` if the CPU lacks the features, or states do not fill whole registers.
    pub(super) fn detect() -> Option<Self> {
        let fits = N == WIDTH || N == 2 * WIDTH;
        (fits && VectorUnit::best() >= VectorUnit::Narrow).then_some(Self(()))
    }
}

/// The data that a product needs besides its factors, and the proof of the CPU's features.
#[derive(Clone, Debug)]
pub(super) struct Frame<const N: usize> {
    pub(super) unit: Avx2<N>,
    /// For each slot: the number of twists of a piece there.
    modulus: [u8; N],
    /// For each slot: 255 if the puzzle has the slot, else 0.
    used: [u8; N],
}

impl<const N: usize> Frame<N> {
    /// The frame of a puzzle with this many slots.
    pub(super) fn new(unit: Avx2<N>, modulus: [u8; N], slots: usize) -> Self {
        let used = std::array::from_fn(|slot| if slot < slots { u8::MAX } else { 0 });
        Self { unit, modulus, used }
    }
}

/// Loads the bytes of the slots from `32 part` on.
#[inline]
#[target_feature(enable = "avx2")]
fn load<const N: usize>(bytes: &[u8; N], part: usize) -> __m256i {
    assert!((part + 1) * WIDTH <= N);
    // SAFETY: the bytes are inside the array. The instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().add(part * WIDTH).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<const N: usize>(bytes: &mut [u8; N], part: usize, value: __m256i) {
    assert!((part + 1) * WIDTH <= N);
    // SAFETY: the bytes are inside the array. The instruction asks for no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().add(part * WIDTH).cast(), value) }
}

/// For each byte of `index`: the byte at `16 part` plus its low four bits. The highest bit of each
/// index must be 0.
#[inline]
#[target_feature(enable = "avx2")]
fn pick<const N: usize>(bytes: &[u8; N], part: usize, index: __m256i) -> __m256i {
    assert!((part + 1) * 16 <= N);
    // SAFETY: the bytes are inside the array. The instruction asks for no alignment.
    let sixteen = unsafe { _mm_loadu_si128(bytes.as_ptr().add(16 * part).cast()) };
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(sixteen), index)
}

/// For each of 32 slot numbers in `index`: the byte of that slot.
#[inline]
#[target_feature(enable = "avx2")]
fn gather<const N: usize>(bytes: &[u8; N], index: __m256i) -> __m256i {
    // A blend looks at the highest bit of each byte. Bits 4 and 5 are shifted there.
    let (four, five) = (_mm256_slli_epi16::<3>(index), _mm256_slli_epi16::<2>(index));
    let low = _mm256_blendv_epi8(pick(bytes, 0, index), pick(bytes, 1, index), four);
    if N == WIDTH {
        return low;
    }
    let high = _mm256_blendv_epi8(pick(bytes, 2, index), pick(bytes, 3, index), four);
    _mm256_blendv_epi8(low, high, five)
}

/// Writes the product: the effect of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn then<const N: usize>(
    a: &GroupElement<N>,
    b: &GroupElement<N>,
    frame: &Frame<N>,
    out: &mut GroupElement<N>,
) {
    for part in 0..N / WIDTH {
        let (from, used) = (load(&b.piece, part), load(&frame.used, part));
        let piece = gather(&a.piece, from);
        let twist = _mm256_add_epi8(gather(&a.twist, from), load(&b.twist, part));
        // The sum is below twice the modulus. A difference below 0 wraps to more than any twist.
        let twist = _mm256_min_epu8(twist, _mm256_sub_epi8(twist, load(&frame.modulus, part)));
        store(&mut out.piece, part, _mm256_and_si256(piece, used));
        store(&mut out.twist, part, _mm256_and_si256(twist, used));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_products<'a, 'b, const N: usize>(
    frame: &Frame<N>,
    from: impl Fn(usize) -> &'a TwoSidedState<GroupElement<N>>,
    ops: &[Op],
    steps: impl Fn(Op) -> (bool, &'b GroupElement<N>, &'b GroupElement<N>),
    to: &mut [TwoSidedState<GroupElement<N>>],
) {
    for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
        let (from, (back, step, undo)) = (from(child), steps(op));
        then(from.end(back), step, frame, to.end_mut(back));
        then(undo, from.end(!back), frame, to.end_mut(!back));
    }
}

/// Implements [`search::Group::products`].
///
/// For an operator, `steps` returns whether it acts on the back end of the plan. It also returns
/// the states after it and after its inverse, from the solved state.
#[inline(always)]
pub(super) fn products<'a, 'b, const N: usize>(
    frame: &Frame<N>,
    from: impl Fn(usize) -> &'a TwoSidedState<GroupElement<N>>,
    ops: &[Op],
    steps: impl Fn(Op) -> (bool, &'b GroupElement<N>, &'b GroupElement<N>),
    to: &mut [TwoSidedState<GroupElement<N>>],
) {
    // SAFETY: the frame holds an `Avx2`, which only `detect` makes.
    unsafe { all_products(frame, from, ops, steps, to) }
}

/// For each chunk of a word: the sum of its scaled symbols.
#[inline]
#[target_feature(enable = "avx2")]
fn sums<const N: usize>(lanes: &Lanes<N>, state: &GroupElement<N>) -> [u32; SUMS] {
    const { assert!(PLACES == WIDTH && size_of::<[u32; SUMS]>() == WIDTH) };
    let (slots, modulus) = (load(&lanes.slots, 0), load(&lanes.modulus, 0));
    let piece = _mm256_add_epi8(gather(&state.piece, slots), load(&lanes.other, 0));
    let twist = _mm256_sign_epi8(gather(&state.twist, slots), load(&lanes.sign, 0));
    let known = gather(&lanes.pieces, piece);
    let shift =
        _mm256_add_epi8(load(&lanes.shift, 0), _mm256_and_si256(known, _mm256_set1_epi8(7)));
    // The sum is below thrice the modulus. A difference below 0 wraps to more than any twist.
    let turn = _mm256_add_epi8(twist, shift);
    let turn = _mm256_min_epu8(turn, _mm256_sub_epi8(turn, modulus));
    let turn = _mm256_min_epu8(turn, _mm256_sub_epi8(turn, modulus));
    // Bit 3 is shifted to the highest bit of its byte, because a blend looks at that bit.
    let turn = _mm256_blendv_epi8(_mm256_setzero_si256(), turn, _mm256_slli_epi16::<4>(known));
    let first = _mm256_and_si256(_mm256_srli_epi16::<4>(known), _mm256_set1_epi8(15));
    let pairs = _mm256_maddubs_epi16(_mm256_add_epi8(first, turn), load(&lanes.scale, 0));
    let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    let mut sums = [0; SUMS];
    // SAFETY: the array has as many bytes as the register, as asserted above. The instruction needs
    // no alignment.
    unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), fours) }
    sums
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all_located<const N: usize>(
    views: &impl LocateBySums<N>,
    states: &[TwoSidedState<GroupElement<N>>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    views.locate_by(states, asked, places, place, ask, |lanes, state| sums(lanes, state));
}

/// Implements [`pdb::coset::Cosets::locate_all`].
#[inline(always)]
pub(super) fn locate_all<const N: usize>(
    _: Avx2<N>,
    views: &impl LocateBySums<N>,
    states: &[TwoSidedState<GroupElement<N>>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
) {
    // SAFETY: only `detect` makes an `Avx2`. `VectorUnit::Narrow` has all features named above.
    unsafe { all_located(views, states, asked, places, place, ask) }
}

#[cfg(test)]
mod tests {
    use crate::MoveMetric;
    use crate::testing::group;
    use search::{Domain, Group, Op, TwoSided};

    /// Checks on a walk that all products agree with those computed slot by slot, and with the
    /// domain's operators.
    fn agree<const N: usize>(name: &str) {
        let puzzle = group::<N, u128>(name, MoveMetric::Turn);
        let scalar = puzzle.clone().scalar();
        let ops: Vec<Op> = (0..2 * puzzle.operators()).map(Op::new).collect();
        let mut state = TwoSided(puzzle.clone()).state(&puzzle.identity());
        let mut products = vec![state; ops.len()];
        let mut plain = products.clone();
        for step in 0..400 {
            puzzle.products(|_| &state, &ops, &mut products);
            scalar.products(|_| &state, &ops, &mut plain);
            assert_eq!(products, plain, "step {step}");
            state = products[step * step * 7 % ops.len()];
            let mut inverse = state.position;
            puzzle.invert(&state.position, &mut inverse);
            assert_eq!(inverse, state.inverse, "step {step}");
        }
    }

    #[test]
    fn products_are_those_of_plain_loops() {
        agree::<32>("3x3x3");
        agree::<32>("2x2x2");
        agree::<64>("3x3x3");
        agree::<64>("megaminx");
        // Too many slots for registers: both products are computed slot by slot.
        agree::<128>("megaminx");
    }
}
