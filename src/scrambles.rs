//! Scrambles as moves: the inverted plans of random states.

use crate::puzzle::{Failure, InvalidInput, Job, MoveScrambles, Puzzle};

/// Scrambles that lead to these states: solves each state, and inverts its plan.
pub(crate) fn by_solving<'a>(
    puzzle: &'a dyn Puzzle,
    states: impl Iterator<Item = String> + 'a,
    job: Job<'a>,
) -> MoveScrambles<'a> {
    let scramble = move |state: String| {
        let answer = puzzle.solve(&state, &job)?;
        match answer.plans.first() {
            Some(plan) => Ok(puzzle.invert(&plan.join(" "))?),
            None if job.cancel.is_cancelled() => Err(Failure::Cancelled),
            None => Err(Failure::limit("no plan within the limits")),
        }
    };
    MoveScrambles { uniform: true, scrambles: Box::new(states.map(scramble)) }
}

/// The error of a puzzle that cannot invert sequences of moves.
pub(crate) fn not_inverted(name: &str) -> InvalidInput {
    InvalidInput::new(format_args!("{name}: sequences of moves are not inverted"))
}
