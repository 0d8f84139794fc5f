//! States of a definition as text: how they are read and written.

use super::moves::{is_json, read_state, read_turns};
use crate::puzzle::InvalidInput;
use crate::puzzles::permutation::model::PuzzleModel;
use permutation::{
    Definition, FineDefinition, GoalMask, Invariants, PuzzleState, ReadLimits, Turn,
};
use search::Op;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The states of a definition as text.
pub(crate) struct StateTexts {
    pub(super) model: Arc<PuzzleModel>,
    /// If the settings name a goal: the definition of the file, and the mask that turns its states
    /// into states for that goal.
    masked: Option<(Definition, GoalMask)>,
    /// The definition with the orientations that no goal specifies. `None` if there are none.
    /// States are read and written with these orientations, and searched without them.
    fine: Option<FineDefinition>,
    /// What no operator changes. Only for puzzles whose states form no group.
    pub(super) invariants: OnceLock<Invariants>,
}

impl StateTexts {
    /// The texts of a definition without other goals or orientations.
    pub(crate) fn new(model: Arc<PuzzleModel>) -> Self {
        Self { model, masked: None, fine: None, invariants: OnceLock::new() }
    }

    /// Reads and writes states as these definitions have them.
    pub(crate) fn set_definitions(
        &mut self,
        masked: Option<(Definition, GoalMask)>,
        fine: Option<FineDefinition>,
    ) {
        (self.masked, self.fine) = (masked, fine);
    }

    /// The definition that states are written in.
    pub(super) fn written_in(&self) -> &Definition {
        self.fine.as_ref().map_or(self.model.definition(), FineDefinition::definition)
    }

    /// A state of [`StateTexts::written_in`], as it is searched.
    pub(super) fn searched(&self, state: PuzzleState) -> PuzzleState {
        self.fine.as_ref().map_or_else(|| state.clone(), |fine| fine.coarse(&state))
    }

    /// Reads a state, and undoes no rotation. The text is moves, `CPOS` and the compact form, or
    /// JSON.
    pub(crate) fn parse_text(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        let definition = self.written_in();
        if is_json(state) {
            return match self.patterns(state)?.pop() {
                Some((_, pattern)) => Ok(pattern),
                None => Err(InvalidInput::new("expected one state")),
            };
        }
        if state.split_whitespace().next() == Some("CPOS") {
            return Ok(self.searched(read_state(definition, state)?));
        }
        Ok(self.seen(read_state(self.file(), state)?))
    }

    /// The definition that moves are read in. They begin at its solved state, whatever the goal is.
    pub(crate) fn file(&self) -> &Definition {
        self.masked.as_ref().map_or(self.written_in(), |(file, _)| file)
    }

    /// A state of [`StateTexts::file`], as it is searched.
    pub(super) fn seen(&self, state: PuzzleState) -> PuzzleState {
        self.searched(match &self.masked {
            Some((_, mask)) => mask.apply(&state),
            None => state,
        })
    }

    /// Reads states in JSON, each with its line number. They may distinguish the pieces that the
    /// goal distinguishes, or all pieces that the file distinguishes.
    pub(super) fn patterns(&self, text: &str) -> Result<Vec<(usize, PuzzleState)>, InvalidInput> {
        let limits = ReadLimits::default();
        let seen = self.written_in().patterns(text, &limits);
        let read = match (seen, &self.masked) {
            (Err(_), Some((file, mask))) => file.patterns(text, &limits).map(|states| {
                states.into_iter().map(|(line, state)| (line, mask.apply(&state))).collect()
            }),
            (seen, _) => seen,
        };
        Ok(read?.into_iter().map(|(line, state)| (line, self.searched(state))).collect())
    }

    /// A state as text that [`StateTexts::parse_held`] reads.
    pub(crate) fn text(&self, pattern: &PuzzleState) -> String {
        let compact = match &self.fine {
            Some(fine) => fine.definition().compact(&fine.fine(pattern)),
            None => self.model.definition().compact(pattern),
        };
        match compact {
            Some(text) => format!("CPOS {text}"),
            None => unreachable!("every state here has the pieces of the solved one"),
        }
    }

    /// The operators that a search makes for the moves of a plan.
    ///
    /// # Errors
    /// If the text has other words than moves, or a move is no operator.
    pub(crate) fn plan(&self, text: &str) -> Result<Vec<Op>, InvalidInput> {
        let turns = read_turns(self.model.definition(), text)?;
        let (moves, list) = (self.model.definition().moves(), &self.model.operators().list);
        let meanings = list.iter().enumerate().rev().map(|(at, op)| (moves.meaning(op.turn), at));
        let own: HashMap<_, usize> = meanings.collect();
        let of_turn = |turn: Turn| {
            // Rules can tell moves of the same effect apart. So the move itself is looked up first.
            own.get(&moves.meaning(turn)).copied().or_else(|| {
                let made = moves.transformation(turn);
                list.iter().position(|op| op.transformation == made)
            })
        };
        let mut plan = Vec::with_capacity(turns.len());
        for turn in turns {
            // A power that is no operator is the move so many times.
            let (times, once) = (turn.amount.unsigned_abs(), turn.amount.signum());
            let parts = || of_turn(Turn { amount: once, ..turn }).filter(|_| times > 1);
            let found = of_turn(turn).map(|op| (op, 1)).or_else(|| Some((parts()?, times)));
            let text = moves.turn_text(turn);
            let wrong = || InvalidInput::new(format_args!("{text} is no operator"));
            let (op, times) = found.ok_or_else(wrong)?;
            plan.extend((0..times).map(|_| Op::new(op)));
        }
        Ok(plan)
    }

    /// Whether a text is moves from the solved state that a search can make and undo.
    pub(crate) fn is_reached_by(&self, text: &str) -> bool {
        let free =
            self.model.rules.is_empty() && !self.model.definition().rules().restrict_states();
        free && self.masked.is_none() && self.plan(text).is_ok()
    }
}
