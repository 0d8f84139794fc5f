//! States of a definition as text: how they are read and written.

use super::file_puzzle::FilePuzzle;
use super::scrambles::is_json;
use super::{planned, written};
use crate::puzzle::InvalidInput;
use permutation::{Definition, FineDefinition, GoalMask, PuzzleState, ReadLimits, Turn};
use search::Op;

impl FilePuzzle {
    /// The same puzzle, whose states are read and written as these definitions have them.
    pub(super) fn reading(
        mut self,
        asked: Option<(Definition, GoalMask)>,
        fine: Option<FineDefinition>,
    ) -> Self {
        (self.asked, self.fine) = (asked, fine);
        self
    }

    /// The definition that states are written in.
    pub(super) fn written_in(&self) -> &Definition {
        self.fine.as_ref().map_or(self.definition(), FineDefinition::definition)
    }

    /// A state of [`FilePuzzle::written_in`], as it is searched.
    pub(super) fn searched(&self, state: PuzzleState) -> PuzzleState {
        self.fine.as_ref().map_or_else(|| state.clone(), |fine| fine.coarse(&state))
    }

    /// Reads a state, and undoes no rotation. The text is moves, `CPOS` and the compact form, or
    /// JSON.
    pub(super) fn parse_text(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        let definition = self.written_in();
        if is_json(state) {
            return match self.patterns(state)?.pop() {
                Some((_, pattern)) => Ok(pattern),
                None => Err(InvalidInput::new("expected one state")),
            };
        }
        if state.split_whitespace().next() == Some("CPOS") {
            return Ok(self.searched(written(definition, state)?));
        }
        // Moves begin at the solved state of the file, whatever the goal is.
        let file = self.asked.as_ref().map_or(definition, |(file, _)| file);
        let pattern = written(file, state)?;
        Ok(self.searched(match &self.asked {
            Some((_, mask)) => mask.apply(&pattern),
            None => pattern,
        }))
    }

    /// Reads states in JSON, each with its line number. They may distinguish the pieces that the
    /// goal distinguishes, or all pieces that the file distinguishes.
    pub(super) fn patterns(&self, text: &str) -> Result<Vec<(usize, PuzzleState)>, InvalidInput> {
        let limits = ReadLimits::default();
        let seen = self.written_in().patterns(text, &limits);
        let read = match (seen, &self.asked) {
            (Err(_), Some((file, mask))) => file.patterns(text, &limits).map(|states| {
                states.into_iter().map(|(line, state)| (line, mask.apply(&state))).collect()
            }),
            (seen, _) => seen,
        };
        Ok(read?.into_iter().map(|(line, state)| (line, self.searched(state))).collect())
    }

    /// A state as text that [`FilePuzzle::parse`] reads.
    pub(super) fn text(&self, pattern: &PuzzleState) -> String {
        let compact = match &self.fine {
            Some(fine) => fine.definition().compact(&fine.fine(pattern)),
            None => self.definition().compact(pattern),
        };
        match compact {
            Some(text) => format!("CPOS {text}"),
            None => unreachable!("every state here has the pieces of the solved one"),
        }
    }

    /// The operators that a search makes for these turns.
    ///
    /// # Errors
    /// If a turn is no operator.
    pub(super) fn made_by(&self, turns: &[Turn]) -> Result<Vec<Op>, InvalidInput> {
        let (moves, list) = (self.definition().moves(), &self.operators().list);
        let operator = |&turn: &Turn| {
            let made = moves.transformation(turn);
            // Rules can tell moves of the same effect apart. So the move itself is looked up first.
            let own = list.iter().position(|op| moves.mean_the_same(op.turn, turn));
            let same = own.or_else(|| list.iter().position(|op| op.transformation == made));
            let text = moves.turn_text(turn);
            same.map(Op::new)
                .ok_or_else(|| InvalidInput::new(format_args!("{text} is no operator")))
        };
        turns.iter().map(operator).collect()
    }

    /// Whether a text is moves from the solved state that a search can make and undo.
    pub(super) fn is_reached_by(&self, text: &str) -> bool {
        let free = self.rules.is_empty() && !self.definition().rules().restrict_states();
        let turns = || planned(self.definition(), text).and_then(|turns| self.made_by(&turns));
        free && self.asked.is_none() && turns().is_ok()
    }
}
