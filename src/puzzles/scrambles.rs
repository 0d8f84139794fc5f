//! Scrambles as moves: the inverted plans of random states.

use super::configured::Game;
use crate::puzzle::{Failure, MoveScrambles, Puzzle, Request};

/// Scrambles that lead to these states: solves each state, and inverts its plan.
pub(crate) fn by_solving<'a, G: Game>(
    game: &'a G,
    states: impl Iterator<Item = String> + 'a,
    request: Request<'a>,
) -> MoveScrambles<'a> {
    let scramble = move |state: String| {
        let answer = game.solve(&state, &request)?;
        match answer.plans.first() {
            Some(plan) => Ok(Game::invert(game, &plan.join(" "))?),
            None if request.cancel.is_cancelled() => Err(Failure::Cancelled),
            None => Err(Failure::limit("no plan within the limits")),
        }
    };
    MoveScrambles { uniform: true, scrambles: Box::new(states.map(scramble)) }
}
