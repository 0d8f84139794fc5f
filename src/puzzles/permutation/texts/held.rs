//! States of a puzzle that is held another way: the rotation of the whole puzzle is undone.
//!
//! Rotations among moves are undone as they are written ([`StateTexts::turned_back`]). If there are
//! none, the rotation is found in the state itself ([`GroupTables::held`]).
//!
//! [`GroupTables::held`]: crate::puzzles::permutation::group::GroupTables::held

use super::states::StateTexts;
use super::wca;
use crate::puzzle::InvalidInput;
use permutation::{Definition, Invariants, PuzzleState, Turn};

impl StateTexts {
    /// Reads a state. Undoes the rotations among its moves. If there are none, and the states form
    /// a group, undoes a rotation of the whole puzzle ([`StateTexts::held`]).
    pub(crate) fn parse_held(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        let pattern = self.parse_text(state)?;
        let file = self.file();
        let own = wca::state(file, state).ok();
        let turns = own.and_then(|own| file.parse_moves(own.as_deref().unwrap_or(state)).ok());
        let seen = |state| self.seen(state);
        let back = turns.and_then(|turns| self.turned_back(file, &turns, &seen));
        self.held(back.unwrap_or(pattern))
    }

    /// The state, after a rotation of the whole puzzle is undone. Call
    /// [`Game::prepare`](crate::puzzles::configured::Game::prepare) first.
    ///
    /// # Errors
    /// If the states form a group, and no moves lead to this one. Else if invariants show that it
    /// has no plan.
    pub(crate) fn held(&self, state: PuzzleState) -> Result<PuzzleState, InvalidInput> {
        if let Ok(group) = &self.model.group {
            return group.held(self.model.definition(), state);
        }
        let labels = &self.model.labels;
        let invariants = self.invariants.get_or_init(|| Invariants::new(labels));
        invariants.test(labels, &state).map(|()| state).map_err(|why| {
            let moves = self.model.moves_text();
            InvalidInput::new(format_args!("no sequence of {moves} leads to a goal: {why}"))
        })
    }

    /// The state that moves of `file` lead to if the whole puzzle is turned back first, so that
    /// their rotations cancel. A plan of it solves the puzzle as these moves leave it in the hand.
    /// `searched` makes a state of `file` one that is searched.
    ///
    /// `None` if they make no rotation in all, or that state is known to have no plan. Also if
    /// rules restrict states: a rotation may lead to an illegal one.
    pub(super) fn turned_back(
        &self,
        file: &Definition,
        turns: &[Turn],
        searched: &dyn Fn(PuzzleState) -> PuzzleState,
    ) -> Option<PuzzleState> {
        let rotation = file.whole_rotation(turns).filter(|_| !file.rules().restrict_states())?;
        let start = file.start().apply(&rotation.inverse());
        let made =
            |state: PuzzleState, &turn: &Turn| state.apply(&file.moves().transformation(turn));
        let back = searched(turns.iter().fold(start, made));
        let leads = match &self.model.group {
            Ok(group) => group.leads_to(&back),
            Err(_) => self.held(back.clone()).is_ok(),
        };
        leads.then_some(back)
    }
}
