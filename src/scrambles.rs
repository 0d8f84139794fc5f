//! Scrambles as moves: random states, solved and turned round.

use crate::puzzle::{Failure, InvalidInput, Job, MoveScrambles, Puzzle};

/// Random states of a puzzle as the moves that lead there: the plan of each, undone.
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

/// What a puzzle says whose moves are not turned round.
pub(crate) fn not_inverted(name: &str) -> InvalidInput {
    InvalidInput(format!("{name}: sequences of moves are not inverted"))
}
