//! The distance of every state of a puzzle, for a file that an independent program checks.

use crate::puzzle::{Event, Failure, InvalidInput, Result, TooLittleMemory};
use crate::run::Run;
use groups::{Permutation, StabilizerChain};
use proofs::plain::{
    ChainLevel, DistanceFault, DistanceStep, PlainPuzzle, StateDistances, StateNumbers,
};
use search::Cost;

/// Numbers the states, if a byte for each fits the memory.
///
/// If all pieces look different, the numbers are those of the group of the moves. Else all boards
/// or arrangements have numbers, also those without a plan.
pub(super) fn numbers(puzzle: PlainPuzzle, memory: u64, run: &Run<'_>) -> Result<StateNumbers> {
    let refused = |error| Failure::from(InvalidInput::new(error));
    let numbers = match levels(&puzzle, run)? {
        Some(levels) => StateNumbers::of_chain(puzzle, levels),
        None => StateNumbers::new(puzzle),
    };
    let numbers = numbers.map_err(refused)?;
    if numbers.entries() > memory {
        let what = "a certificate with a byte for each state";
        return Err(TooLittleMemory::new(what, numbers.entries(), memory).into());
    }
    Ok(numbers)
}

/// Finds the distance of each state, with a byte of memory for each number.
pub(super) fn find(numbers: StateNumbers, run: &Run<'_>) -> Result<StateDistances> {
    run.alone("distances of all states are found")?;
    let tell = |step| run.tell(&event(step));
    let found = numbers.search(&run.request.cancel, &tell);
    found.map_err(|error| match error {
        DistanceFault::Cancelled => Failure::Cancelled,
        error => Failure::limit(error),
    })
}

/// The stabilizer chain of the group of the moves. `None` if pieces look alike, or for a board.
fn levels(puzzle: &PlainPuzzle, run: &Run<'_>) -> Result<Option<Vec<ChainLevel>>> {
    let moves = match puzzle {
        PlainPuzzle::Blocks { moves, .. } if puzzle.is_distinct() => moves,
        _ => return Ok(None),
    };
    let generators = moves.iter().map(|one| Permutation::new(one.effect.clone()));
    let generators = generators.collect::<Result<Vec<_>, _>>().map_err(Failure::of_group)?;
    let chain = run.prepare("the group of the moves", |cancel| {
        let stop = || cancel.is_cancelled();
        StabilizerChain::new_until(puzzle.points(), &generators, &[], &stop)
            .map_err(Failure::of_group)
    })?;
    let levels = chain.levels().iter().map(|level| {
        let cosets = level.orbit().iter().map(|&to| level.element(to).images().to_vec());
        ChainLevel { point: level.base(), cosets: cosets.collect() }
    });
    Ok(Some(levels.filter(|level| level.cosets.len() > 1).collect()))
}

/// A step as the events of other builds tell it.
fn event(step: DistanceStep) -> Event<'static> {
    match step {
        DistanceStep::Layer { depth, states, seen, total } => {
            Event::Layer { depth: Cost::from(depth), entries: states, seen, total }
        }
        DistanceStep::Rows { depth, rows, total } => {
            Event::Rows { depth: Cost::from(depth), rows, total }
        }
    }
}
