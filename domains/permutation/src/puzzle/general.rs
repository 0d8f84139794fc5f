//! Any definition as a domain. It may have pieces that look alike, illegal states, blocks, ignored
//! slots and several goals.

use super::NotSearchable;
use super::compiled::CompiledOperators;
use super::labels::PuzzleLabels;
use super::slots::LabelState;
use crate::definition::{Definition, Operators, PuzzleState};
use search::{Cost, Domain, Op, OpSet, Packed};
use std::sync::Arc;

/// The domain of any definition. States have `N` slots. Operators have the order of [`Operators`].
///
/// Tests compare it with [`Definition::after`] on [`PuzzleState`]s.
#[derive(Clone, Debug)]
pub struct GeneralPuzzle<const N: usize, O> {
    labels: Arc<PuzzleLabels>,
    compiled: CompiledOperators<N>,
    all: O,
    goals: Vec<LabelState<N>>,
}

impl<const N: usize, O: OpSet> GeneralPuzzle<N, O> {
    /// The domain of a definition with these operators. It does not apply rules about moves: for
    /// these see [`search::ConstrainedDomain`] and [`Definition::operator_rules`].
    ///
    /// # Errors
    /// If the puzzle is too large.
    pub fn new(definition: Definition, operators: Operators) -> Result<Self, NotSearchable> {
        Self::of(PuzzleLabels::new(definition, operators).into())
    }

    /// The domain of a puzzle that is given by labels.
    ///
    /// # Errors
    /// If it has more slots than `N`, or more operators than `O` holds.
    pub fn of(labels: Arc<PuzzleLabels>) -> Result<Self, NotSearchable> {
        Ok(Self {
            compiled: CompiledOperators::new(&labels.effects, O::CAPACITY)?,
            all: O::first(labels.list().list.len()),
            goals: labels.goals.iter().map(LabelState::of).collect(),
            labels,
        })
    }

    /// The definition with labels in place of pieces, from which the domain was made.
    pub fn labels(&self) -> &Arc<PuzzleLabels> {
        &self.labels
    }

    /// The goal states.
    pub fn goals(&self) -> &[LabelState<N>] {
        &self.goals
    }

    /// Converts a state of the definition to a state of the domain.
    ///
    /// # Panics
    /// If it has pieces that no goal has.
    pub fn state(&self, pattern: &PuzzleState) -> LabelState<N> {
        LabelState::of(&self.labels.contents(pattern))
    }

    /// Converts a state of the domain to a state of the definition.
    pub fn pattern(&self, state: &LabelState<N>) -> PuzzleState {
        self.labels.pattern(&state.contents(self.compiled.slots))
    }

    fn allows(&self, state: &LabelState<N>, op: usize) -> bool {
        let slot = |label| {
            let mut labels = state.piece[..self.compiled.slots].iter();
            labels.position(|&piece| u16::from(piece) == label)
        };
        self.labels.allows(op, |slot| state.piece[slot].into(), slot)
    }
}

impl<const N: usize, O: OpSet> Domain for GeneralPuzzle<N, O> {
    type State = LabelState<N>;
    type Ops = O;

    fn operators(&self) -> usize {
        self.compiled.costs.len()
    }
    #[inline]
    fn applicable(&self, state: &LabelState<N>) -> O {
        if self.labels.illegal.is_empty() && self.labels.blocks.is_empty() {
            return self.all;
        }
        let allowed = self.all.members().filter(|op| self.allows(state, op.index()));
        allowed.fold(O::NONE, O::with)
    }
    #[inline]
    fn apply_into(&self, from: &LabelState<N>, op: Op, to: &mut LabelState<N>) {
        *to = LabelState::EMPTY;
        self.compiled.then(from, self.compiled.step(op.index()), to);
        if self.labels.partial {
            for i in 0..self.compiled.slots {
                to.twist[i] %= self.labels.pieces[usize::from(to.piece[i])].2;
            }
        }
    }
    #[inline]
    fn is_goal(&self, state: &LabelState<N>) -> bool {
        let Some(ignore) = &self.labels.ignore else { return self.goals.contains(state) };
        self.goals.iter().any(|goal| {
            (0..self.compiled.slots).all(|slot| {
                (ignore.pieces[slot] || state.piece[slot] == goal.piece[slot])
                    && (ignore.orientation[slot] || state.twist[slot] == goal.twist[slot])
            })
        })
    }
    fn cost(&self, op: Op) -> Cost {
        self.compiled.costs[op.index()]
    }
}

impl<const N: usize, O: OpSet> Packed for GeneralPuzzle<N, O> {
    type Key = LabelState<N>;
    search::state_is_key! {}
}
