//! Puzzles whose states form a group, as a search domain with states of a fixed size.

use super::compiled::CompiledOperators;
use super::group::{NotAGroup, PuzzleGroup};
use super::slots::{GroupElement, slot_number};
#[cfg(target_arch = "x86_64")]
use super::vector;
use crate::definition::{Definition, Operators, PuzzleState};
use search::{
    Contexts, Cost, Domain, Group, Kernel, Op, OpSet, Packed, PermutationGroup, Reversible,
    TwoSidedState,
};
use std::sync::Arc;

/// A domain whose states are the elements of a group. The identity is the solved state.
///
/// Tests compare it with [`super::GeneralPuzzle`] and [`crate::Transformation::then`].
#[derive(Clone, Debug)]
pub struct GroupPuzzle<const N: usize, O> {
    group: Arc<PuzzleGroup>,
    compiled: CompiledOperators<N>,
    all: O,
    identity: GroupElement<N>,
    /// For each operator: the operator that undoes it.
    inverse: Vec<Op>,
    /// For each slot: its first point.
    points: Vec<u16>,
    /// The data for products by vector instructions. `None` if products are computed slot by slot.
    #[cfg(target_arch = "x86_64")]
    frame: Option<vector::Frame<N>>,
}

impl<const N: usize, O: OpSet> GroupPuzzle<N, O> {
    /// The domain of a definition with these operators.
    ///
    /// # Errors
    /// If the states form no group, or the puzzle is too large.
    pub fn new(definition: &Definition, operators: Operators) -> Result<Self, NotAGroup> {
        Self::of(PuzzleGroup::new(definition, operators)?.into())
    }

    /// The domain of a group.
    ///
    /// # Errors
    /// If it has more slots than `N`, or more operators than `O` holds.
    pub fn of(group: Arc<PuzzleGroup>) -> Result<Self, NotAGroup> {
        let compiled = CompiledOperators::new(&group.effects, O::CAPACITY)?;
        #[cfg(target_arch = "x86_64")]
        let frame = vector::Avx2::detect()
            .map(|unit| vector::Frame::new(unit, compiled.modulus, compiled.slots));
        Ok(Self {
            #[cfg(target_arch = "x86_64")]
            frame,
            all: O::first(group.list().list.len()),
            identity: GroupElement::of(&group.identity()),
            compiled,
            inverse: group.inverse.clone(),
            points: group.points.clone(),
            group,
        })
    }

    /// The same domain without vector instructions, to compare with.
    #[must_use]
    pub fn scalar(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self { frame: None, ..self };
        #[cfg(not(target_arch = "x86_64"))]
        self
    }

    /// The proof that this CPU has the vector instructions. `None` if they are not used.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn unit(&self) -> Option<vector::Avx2<N>> {
        self.frame.as_ref().map(|frame| frame.unit)
    }

    /// The group.
    pub fn group(&self) -> &Arc<PuzzleGroup> {
        &self.group
    }

    /// Converts a state of the definition to an element. `None` if the solved state lacks one of
    /// its pieces.
    pub fn element(&self, pattern: &PuzzleState) -> Option<GroupElement<N>> {
        self.group.element(pattern).as_ref().map(GroupElement::of)
    }

    /// The image of a point under an element, given the inverse of the element. The point is the
    /// one of `slot` and `twist` (see [`PuzzleGroup::point`]).
    ///
    /// The piece at home in slot `s` lies in slot `inverse.piece[s]`.
    #[inline(always)]
    pub fn image(&self, inverse: &GroupElement<N>, slot: usize, twist: u8) -> u16 {
        let to = usize::from(inverse.piece[slot]);
        let modulus = self.compiled.modulus[to];
        let turned = twist + modulus - inverse.twist[slot];
        let turned = turned.min(turned.wrapping_sub(modulus));
        self.points[to] + u16::from(turned)
    }
}

impl<const N: usize, O: OpSet> Domain for GroupPuzzle<N, O> {
    type State = GroupElement<N>;
    type Ops = O;

    fn operators(&self) -> usize {
        self.compiled.costs.len()
    }
    #[inline(always)]
    fn applicable(&self, _: &GroupElement<N>) -> O {
        self.all
    }
    #[inline(always)]
    fn apply_into(&self, from: &GroupElement<N>, op: Op, to: &mut GroupElement<N>) {
        self.compiled.after(from, op.index(), to);
    }
    #[inline(always)]
    fn is_goal(&self, state: &GroupElement<N>) -> bool {
        *state == self.identity
    }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        self.compiled.costs[op.index()]
    }
    fn parity(&self, state: &GroupElement<N>) -> Option<bool> {
        let signs = self.group.parity.as_ref()?;
        Some(signs.iter().fold(false, |odd, sign| odd ^ sign.of(&state.piece, &state.twist)))
    }
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self.frame.is_some() {
            return search::VectorUnit::run(kernel);
        }
        kernel.run()
    }
}

impl<const N: usize, O: OpSet> Reversible for GroupPuzzle<N, O> {
    fn inverse_op(&self, op: Op) -> Op {
        self.inverse[op.index()]
    }
}

impl<const N: usize, O: OpSet> Group for GroupPuzzle<N, O> {
    fn identity(&self) -> GroupElement<N> {
        self.identity
    }
    fn compose(&self, a: &GroupElement<N>, b: &GroupElement<N>, out: &mut GroupElement<N>) {
        self.compiled.then(a, b, out);
    }
    fn invert(&self, a: &GroupElement<N>, out: &mut GroupElement<N>) {
        *out = GroupElement::EMPTY;
        for slot in 0..self.compiled.slots {
            let home = usize::from(a.piece[slot]);
            out.piece[home] = slot_number(slot);
            let modulus = self.compiled.modulus[slot];
            out.twist[home] = (modulus - a.twist[slot]) % modulus;
        }
    }
    #[inline(always)]
    fn apply_inverse_left(&self, from: &GroupElement<N>, op: Op, to: &mut GroupElement<N>) {
        let back = self.compiled.step(self.inverse[op.index()].index());
        self.compiled.then(back, from, to);
    }
    #[inline(always)]
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<GroupElement<N>>,
        ops: &[Op],
        to: &mut [TwoSidedState<GroupElement<N>>],
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(frame) = &self.frame {
            let step = |op: Op| self.compiled.step(op.index());
            let steps = |op: Op| {
                let (op, back) = search::split_op(op, self.operators());
                (back, step(op), step(self.inverse[op.index()]))
            };
            return vector::products(frame, from, ops, steps, to);
        }
        self.products_in_turn(from, ops, to);
    }
}

/// The points are those of [`PuzzleGroup::point`]. The image of a slot's point belongs to the home
/// of the piece in the slot. (The permutations of [`PuzzleGroup::permutation`] are the inverses.)
impl<const N: usize, O: OpSet> PermutationGroup for GroupPuzzle<N, O> {
    search::forward_domain! { group: points }
    fn image(&self, element: &GroupElement<N>, point: usize) -> usize {
        let slot = self.points.partition_point(|&first| usize::from(first) <= point) - 1;
        let turned = point - usize::from(self.points[slot]);
        let twist = usize::from(element.twist[slot]) + turned;
        let home = usize::from(element.piece[slot]);
        usize::from(self.points[home]) + twist % usize::from(self.compiled.modulus[slot])
    }
}

/// Every operator applies in every state, so there is one context.
impl<const N: usize, O: OpSet> Contexts for GroupPuzzle<N, O> {
    search::one_context! {}
}

impl<const N: usize, O: OpSet> Packed for GroupPuzzle<N, O> {
    type Key = GroupElement<N>;
    search::state_is_key! {}
    fn is_key(&self, key: GroupElement<N>) -> bool {
        let (slots, modulus) = (self.compiled.slots, &self.compiled.modulus);
        let mut found = [false; N];
        let held = (0..slots).all(|slot| {
            let (piece, twist) = (usize::from(key.piece[slot]), key.twist[slot]);
            piece < slots
                && modulus[piece] == modulus[slot]
                && twist < modulus[slot]
                && !std::mem::replace(&mut found[piece], true)
        });
        held && (slots..N).all(|slot| (key.piece[slot], key.twist[slot]) == (0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveMetric;
    use crate::testing::group;
    use search::random::Random;

    /// Products and inverses are the same as those of [`PuzzleGroup`], which works on states of any
    /// size.
    #[test]
    fn products_and_inverses_are_those_of_the_group() {
        for name in ["3x3x3", "pyraminx"] {
            let puzzle = group::<32, u32>(name, MoveMetric::Turn).scalar();
            let (group, mut random) = (puzzle.group(), Random::new(6));
            let mut walk = |length: usize| {
                let (mut state, mut next) = (puzzle.identity(), puzzle.identity());
                for _ in 0..length {
                    puzzle.apply_into(&state, Op::new(random.index(puzzle.operators())), &mut next);
                    state = next;
                }
                state
            };
            for length in 0..40 {
                let (a, b, mut out) = (walk(length), walk(40), puzzle.identity());
                let wide = |element: &GroupElement<32>| element.contents(group.slots());
                puzzle.compose(&a, &b, &mut out);
                assert_eq!(wide(&out), group.compose(&wide(&a), &wide(&b)));
                puzzle.invert(&a, &mut out);
                assert_eq!(wide(&out), group.invert(&wide(&a)));
            }
        }
    }
}
