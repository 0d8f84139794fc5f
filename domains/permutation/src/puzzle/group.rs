//! Definitions whose states form a group.
//!
//! All pieces look different, every state is legal, and some operator undoes every operator.

use super::NotSearchable;
use super::compiled::Compiled;
use super::slots::{GroupElement, slot_number};
use super::symmetries::Relabelling;
#[cfg(target_arch = "x86_64")]
use super::vector;
use crate::definition::{Definition, Operators, OrbitState, PuzzleState};
use crate::error::Complaint;
use groups::{GroupError, Permutation};
use search::{Contexts, Cost, Domain, Group, Kernel, Op, OpSet, Packed, Reversible, TwoSidedState};
use std::sync::OnceLock;

/// Why the states of a definition form no group.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAGroup {
    /// Some pieces look alike, or their twists are unknown.
    #[error("some pieces of the solved state look alike, or their orientation is not known")]
    Alike,
    /// Some pieces may not lie in some slot, or are tied together.
    #[error("some states are illegal, or pieces are tied together")]
    Restricted,
    /// More than one state is a goal.
    #[error("more than one state is a goal")]
    Goals,
    /// No operator undoes this one at the same cost.
    #[error("no operator takes {operator} back at the same cost")]
    NoInverse {
        /// Its name.
        operator: String,
    },
    /// The definition cannot be searched at all.
    #[error(transparent)]
    NotSearchable(#[from] NotSearchable),
}

/// A puzzle whose states are the elements of a group. The identity is the solved state.
///
/// Slow twin: [`super::GeneralPuzzle`], and [`crate::Transformation::then`].
#[derive(Clone, Debug)]
pub struct GroupPuzzle<const N: usize, O> {
    operators: Operators,
    compiled: Compiled<N>,
    all: O,
    inverse: Vec<Op>,
    identity: GroupElement<N>,
    /// By slot of the solved state: the number of its piece, and its twist.
    solved: Vec<(u16, u8)>,
    /// By slot: the first slot of its orbit.
    first: Vec<usize>,
    /// By slot: its first point.
    points: Vec<u16>,
    /// Signs whose sum is the parity of the cost. `None` if no signs tell it.
    parity: Option<Vec<super::parity::Sign>>,
    /// By slot: the first slot of its component, the slots that its piece can go to.
    components: Vec<usize>,
    /// For products by vector instructions. `None`: plain loops.
    #[cfg(target_arch = "x86_64")]
    frame: Option<vector::Frame<N>>,
    /// The symmetries, found when they are first needed.
    pub(super) relabelled: OnceLock<Vec<Relabelling>>,
}

impl<const N: usize, O: OpSet> GroupPuzzle<N, O> {
    /// The puzzle of a definition with these operators.
    ///
    /// # Errors
    /// If the states form no group, or the puzzle is too large.
    pub fn new(definition: &Definition, operators: Operators) -> Result<Self, NotAGroup> {
        if !definition.start().is_distinct() {
            return Err(NotAGroup::Alike);
        }
        if definition.rules().restrict_states() {
            return Err(NotAGroup::Restricted);
        }
        if definition.goals().len() > 1 || definition.rules().ignore.is_some() {
            return Err(NotAGroup::Goals);
        }
        let compiled = Compiled::new(definition, &operators, O::CAPACITY)?;
        let mut inverse = Vec::new();
        for (op, back) in operators.list.iter().zip(operators.inverses()) {
            let same = back.filter(|&back| operators.list[back].cost == op.cost);
            let none = || NotAGroup::NoInverse { operator: op.name.clone() };
            inverse.push(Op::new(same.ok_or_else(none)?));
        }
        let mut identity = GroupElement::EMPTY;
        for (slot, piece) in (0..=u8::MAX).zip(&mut identity.piece[..compiled.slots]) {
            *piece = slot;
        }
        let (mut solved, mut first, mut points, mut next) = (vec![], vec![], vec![], 0_u16);
        for (number, (orbit, range)) in definition.orbits().ranges().enumerate() {
            let start = definition.start();
            let home = start.pieces(number).iter().zip(start.orientation(number));
            solved.extend(home.map(|(&piece, &twist)| (piece, twist)));
            for _ in range.clone() {
                first.push(range.start);
                points.push(next);
                // At most 256 slots of 128 points.
                next += u16::from(orbit.orientations());
            }
        }
        points.push(next);
        let parity = super::parity::signs(definition, &operators);
        let components = compiled.components();
        #[cfg(target_arch = "x86_64")]
        let frame = vector::Avx2::detect()
            .map(|unit| vector::Frame::new(unit, compiled.modulus, compiled.slots));
        Ok(Self {
            #[cfg(target_arch = "x86_64")]
            frame,
            all: O::first(operators.list.len()),
            operators,
            compiled,
            inverse,
            identity,
            solved,
            first,
            points,
            parity,
            components,
            relabelled: OnceLock::new(),
        })
    }

    /// The same puzzle without vector instructions: their oracle.
    #[must_use]
    pub fn scalar(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self { frame: None, ..self };
        #[cfg(not(target_arch = "x86_64"))]
        self
    }

    /// The proof that vector instructions may be used. `None`: plain loops.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn unit(&self) -> Option<vector::Avx2<N>> {
        self.frame.as_ref().map(|frame| frame.unit)
    }

    /// The operators.
    pub fn list(&self) -> &Operators {
        &self.operators
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.compiled.slots
    }

    /// The number of twists of a piece in this slot.
    pub fn twists(&self, slot: usize) -> u8 {
        self.compiled.modulus[slot]
    }

    /// The first slot of the orbit of this slot.
    pub fn orbit_of(&self, slot: usize) -> usize {
        self.first[slot]
    }

    /// The state that an operator makes of the solved one.
    pub(super) fn step(&self, op: usize) -> &GroupElement<N> {
        self.compiled.step(op)
    }

    /// The first slot of the component of this slot: the slots that its piece can go to.
    pub fn component(&self, slot: usize) -> usize {
        self.components[slot]
    }

    /// A state of the definition as an element. `None` if it has other pieces than the solved
    /// state.
    pub fn element(&self, pattern: &PuzzleState) -> Option<GroupElement<N>> {
        let mut element = GroupElement::EMPTY;
        let (pieces, turns) = pattern.rows();
        for slot in 0..self.compiled.slots {
            let mut homes = (self.first[slot]..self.compiled.slots)
                .take_while(|&home| self.first[home] == self.first[slot]);
            let home = homes.find(|&home| self.solved[home].0 == pieces[slot])?;
            let modulus = self.compiled.modulus[slot];
            element.piece[slot] = u8::try_from(home).ok()?;
            element.twist[slot] = (turns[slot] + modulus - self.solved[home].1) % modulus;
        }
        Some(element)
    }

    /// An element as a state of the definition that this puzzle was made from.
    ///
    /// # Errors
    /// If the definition has other orbits.
    pub fn pattern_of(
        &self,
        definition: &Definition,
        element: &GroupElement<N>,
    ) -> Result<PuzzleState, Complaint> {
        let rows = definition.orbits().ranges().map(|(_, range)| {
            let mut row = OrbitState::default();
            for slot in range {
                let (piece, twist) = self.solved[usize::from(element.piece[slot])];
                row.pieces.push(piece);
                row.orientation.push((element.twist[slot] + twist) % self.compiled.modulus[slot]);
                row.modulus.push(0);
            }
            row
        });
        PuzzleState::new(definition.orbits(), rows.collect())
    }

    /// The number of points that the group acts on. Each slot has one for each twist.
    pub fn points(&self) -> usize {
        usize::from(self.points[self.compiled.slots])
    }

    /// The point of a slot for a piece that lies there untwisted.
    pub fn point(&self, slot: usize) -> u16 {
        self.points[slot]
    }

    /// The slot and the twist of a point.
    pub fn slot_of(&self, point: u16) -> (usize, u8) {
        let slot = self.points.partition_point(|&first| first <= point) - 1;
        (slot, u8::try_from(point - self.points[slot]).expect("a twist is a byte"))
    }

    /// The point that an element takes a point to, read off the inverse of the element.
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

    /// An element as a permutation of the points.
    ///
    /// # Errors
    /// Never for an element of the group.
    pub fn permutation(&self, element: &GroupElement<N>) -> Result<Permutation, GroupError> {
        let mut inverse = *element;
        self.invert(element, &mut inverse);
        let images = (0..self.compiled.slots).flat_map(|slot| {
            let inverse = &inverse;
            (0..self.compiled.modulus[slot]).map(move |twist| self.image(inverse, slot, twist))
        });
        Permutation::new(images.collect())
    }

    /// The element that permutes the points so. `None` if it separates points of one slot.
    pub fn element_of(&self, permutation: &Permutation) -> Option<GroupElement<N>> {
        let mut element = GroupElement::EMPTY;
        for slot in 0..self.compiled.slots {
            let (to, twist) = self.slot_of(permutation.image(self.points[slot]));
            element.piece[to] = u8::try_from(slot).ok()?;
            element.twist[to] = twist;
        }
        (self.permutation(&element).ok()? == *permutation).then_some(element)
    }

    /// The operators as permutations of the points, with their costs.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn generators(&self) -> Result<Vec<(Permutation, Cost)>, GroupError> {
        let ops = 0..self.compiled.costs.len();
        ops.map(|op| Ok((self.permutation(self.compiled.step(op))?, self.compiled.costs[op])))
            .collect()
    }
}

impl<const N: usize, O: OpSet> Domain for GroupPuzzle<N, O> {
    type State = GroupElement<N>;
    type Ops = O;

    fn operators(&self) -> usize {
        self.operators.list.len()
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
        let signs = self.parity.as_ref()?;
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

/// Every operator applies everywhere: one context.
impl<const N: usize, O: OpSet> Contexts for GroupPuzzle<N, O> {
    fn contexts(&self) -> usize {
        1
    }
    fn context(&self, _: &GroupElement<N>) -> usize {
        0
    }
    fn representative(&self, _: usize) -> GroupElement<N> {
        self.identity
    }
}

impl<const N: usize, O: OpSet> Packed for GroupPuzzle<N, O> {
    type Key = GroupElement<N>;
    fn pack(&self, state: &GroupElement<N>) -> GroupElement<N> {
        *state
    }
    fn unpack(&self, key: GroupElement<N>, out: &mut GroupElement<N>) {
        *out = key;
    }
}
