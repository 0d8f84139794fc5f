//! Definitions whose states form a group, for puzzles of any size.
//!
//! All pieces look different, every state is legal, and every operator is undone by some operator.

use super::compiled::Effects;
use super::parity::{Sign, signs};
use super::points::permutation_of;
use super::relabelling::Relabelling;
use super::slots::{SlotContents, any_slot};
use super::{NotSearchable, PuzzleSize};
use crate::definition::{Definition, Operators, OrbitState, PuzzleState};
use crate::error::Complaint;
use groups::{GroupError, Permutation};
use search::{Cost, Op};
use std::sync::OnceLock;

/// Why the states of a definition form no group.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAGroup {
    /// Some pieces look alike, or their orientations are not fully known.
    #[error("some pieces of the solved state look alike, or their orientation is not known")]
    Alike,
    /// Some pieces may not lie in some slot, or are tied together.
    #[error("some states are illegal, or pieces are tied together")]
    Restricted,
    /// More than one state is a goal.
    #[error("more than one state is a goal")]
    Goals,
    /// An operator is not undone by any operator of the same cost.
    #[error("no operator takes {operator} back at the same cost")]
    NoInverse {
        /// The name of the operator.
        operator: String,
    },
    /// There are too many points. Each slot has one point for each twist.
    #[error(
        "its pieces have {points} places and twists, a group at most {}",
        Permutation::MOST_POINTS
    )]
    Points {
        /// The number of points.
        points: usize,
    },
    /// The definition cannot be searched at all.
    #[error(transparent)]
    NotSearchable(#[from] NotSearchable),
}

/// The group of a definition's states: the points it acts on, its operators, and its symmetries.
///
/// An element is a [`SlotContents`] of any size, so the code is compiled only once. For searches
/// use [`GroupPuzzle`](super::GroupPuzzle), whose states have a fixed size.
#[derive(Clone, Debug)]
pub struct PuzzleGroup {
    operators: Operators,
    pub(super) effects: Effects,
    /// For each operator: the operator that undoes it.
    pub(super) inverse: Vec<Op>,
    /// For each slot: the number of the piece in the solved state, and its twist.
    solved: Vec<(u16, u8)>,
    /// For each slot: the first slot of its orbit.
    first: Vec<usize>,
    /// For each slot: its first point.
    pub(super) points: Vec<u16>,
    /// Signs (see [`Sign`]) whose sum is the parity of the cost of any plan. `None` if no signs
    /// give it.
    pub(super) parity: Option<Vec<Sign>>,
    /// For each slot: the first slot of its component. A component is the slots that a piece can
    /// reach.
    components: Vec<usize>,
    /// The symmetries, computed on first use.
    pub(super) relabelled: OnceLock<Vec<Relabelling>>,
}

impl PuzzleGroup {
    /// The group of a definition with these operators.
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
        let effects = Effects::new(definition, &operators);
        let room = PuzzleSize { twists: PuzzleSize::FIXED.twists, ..PuzzleSize::MOST };
        effects.size().fit(room)?;
        let mut inverse = Vec::new();
        for (op, back) in operators.list.iter().zip(operators.inverses()) {
            let same = back.filter(|&back| operators.list[back].cost == op.cost);
            let none = || NotAGroup::NoInverse { operator: op.name.clone() };
            inverse.push(Op::new(same.ok_or_else(none)?));
        }
        let (mut solved, mut first, mut points, mut next) = (vec![], vec![], vec![], 0_u16);
        let all = effects.modulus.iter().map(|&twists| usize::from(twists)).sum();
        if all > Permutation::MOST_POINTS {
            return Err(NotAGroup::Points { points: all });
        }
        for (number, (orbit, range)) in definition.orbits().ranges().enumerate() {
            let start = definition.start();
            let home = start.pieces(number).iter().zip(start.orientation(number));
            solved.extend(home.map(|(&piece, &twist)| (piece, twist)));
            for _ in range.clone() {
                first.push(range.start);
                points.push(next);
                next += u16::from(orbit.orientations());
            }
        }
        points.push(next);
        Ok(Self {
            parity: signs(definition, &operators),
            components: effects.components(),
            operators,
            effects,
            inverse,
            solved,
            first,
            points,
            relabelled: OnceLock::new(),
        })
    }

    /// The operators.
    pub fn list(&self) -> &Operators {
        &self.operators
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.effects.slots()
    }

    /// The number of twists of a piece in this slot.
    pub fn twists(&self, slot: usize) -> u8 {
        self.effects.modulus[slot]
    }

    /// The first slot of the orbit of this slot.
    pub fn orbit_of(&self, slot: usize) -> usize {
        self.first[slot]
    }

    /// The state after an operator, from the solved state.
    pub(super) fn step(&self, op: usize) -> &SlotContents {
        &self.effects.steps[op]
    }

    /// The first slot of the component of a slot. A component is the slots that a piece can reach.
    pub fn component(&self, slot: usize) -> usize {
        self.components[slot]
    }

    /// The identity of the group, which is the solved state.
    pub fn identity(&self) -> SlotContents {
        let slots = self.slots();
        SlotContents { piece: (0..=u16::MAX).take(slots).collect(), twist: vec![0; slots] }
    }

    /// The product: the effect of `a`, then of `b`.
    pub fn compose(&self, a: &SlotContents, b: &SlotContents) -> SlotContents {
        let mut out = SlotContents::empty(self.slots());
        for slot in 0..self.slots() {
            let from = usize::from(b.piece[slot]);
            out.piece[slot] = a.piece[from];
            out.twist[slot] = (a.twist[from] + b.twist[slot]) % self.twists(slot);
        }
        out
    }

    /// The inverse of an element.
    pub fn invert(&self, element: &SlotContents) -> SlotContents {
        self.effects.invert(element)
    }

    /// Converts a state of the definition to an element. `None` if the solved state lacks one of
    /// its pieces.
    pub fn element(&self, pattern: &PuzzleState) -> Option<SlotContents> {
        let mut element = SlotContents::empty(self.slots());
        let (pieces, turns) = pattern.rows();
        for slot in 0..self.slots() {
            let mut homes = (self.first[slot]..self.slots())
                .take_while(|&home| self.first[home] == self.first[slot]);
            let home = homes.find(|&home| self.solved[home].0 == pieces[slot])?;
            let modulus = self.twists(slot);
            element.piece[slot] = any_slot(home);
            element.twist[slot] = (turns[slot] + modulus - self.solved[home].1) % modulus;
        }
        Some(element)
    }

    /// Converts an element to a state of `definition`, from which this group was made.
    ///
    /// # Errors
    /// If the definition has other orbits.
    pub fn pattern_of(
        &self,
        definition: &Definition,
        element: &SlotContents,
    ) -> Result<PuzzleState, Complaint> {
        let rows = definition.orbits().ranges().map(|(_, range)| {
            let mut row = OrbitState::default();
            for slot in range {
                let (piece, twist) = self.solved[usize::from(element.piece[slot])];
                row.pieces.push(piece);
                row.orientation.push((element.twist[slot] + twist) % self.twists(slot));
                row.modulus.push(0);
            }
            row
        });
        PuzzleState::new(definition.orbits(), rows.collect())
    }

    /// The number of points that the group acts on. Each slot has one point for each twist.
    pub fn points(&self) -> usize {
        usize::from(self.points[self.slots()])
    }

    /// The point of a slot that stands for twist 0. The points of further twists follow it.
    pub fn point(&self, slot: usize) -> u16 {
        self.points[slot]
    }

    /// The slot of a point, and the twist that it stands for.
    pub fn slot_of(&self, point: u16) -> (usize, u8) {
        let slot = self.points.partition_point(|&first| first <= point) - 1;
        (slot, u8::try_from(point - self.points[slot]).expect("a twist is a byte"))
    }

    /// Converts an element to a permutation of the points.
    ///
    /// # Errors
    /// Never for an element of the group.
    pub fn permutation(&self, element: &SlotContents) -> Result<Permutation, GroupError> {
        permutation_of(&self.effects, &self.points, element)
    }

    /// Converts a permutation of the points to an element. `None` if it separates the points of a
    /// slot.
    pub fn element_of(&self, permutation: &Permutation) -> Option<SlotContents> {
        let mut element = SlotContents::empty(self.slots());
        for slot in 0..self.slots() {
            let (to, twist) = self.slot_of(permutation.image(self.points[slot]));
            element.piece[to] = any_slot(slot);
            element.twist[to] = twist;
        }
        (self.permutation(&element).ok()? == *permutation).then_some(element)
    }

    /// The operators as permutations of the points.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn generators(&self) -> Result<Vec<Permutation>, GroupError> {
        self.effects.steps.iter().map(|step| self.permutation(step)).collect()
    }

    /// [`PuzzleGroup::generators`] with the costs of the operators.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn generators_with_costs(&self) -> Result<Vec<(Permutation, Cost)>, GroupError> {
        Ok(self.generators()?.into_iter().zip(self.effects.costs.iter().copied()).collect())
    }
}
