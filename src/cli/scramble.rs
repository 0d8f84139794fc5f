//! `fewest scramble`: uniformly random solvable states.

use super::args::Scramble;
use super::options::Parts;
use super::output::Output;
use super::{Error, Exit};
use search::CancelToken;
use serde_json::json;
use std::hash::{BuildHasher, RandomState};

pub(super) fn run(verb: &Scramble, cancel: &CancelToken) -> Result<Exit, Error> {
    let puzzle =
        Parts { metric: Some(&verb.metric), ..Parts::default() }.configure(&verb.puzzle)?;
    let mut output = Output::new(verb.output.format);
    // The keys of a new hasher come from the system's randomness.
    let seed = verb.seed.unwrap_or_else(|| RandomState::new().hash_one(std::process::id()));
    let count = usize::try_from(verb.count).unwrap_or(usize::MAX);
    let scrambler =
        puzzle.scrambler().ok_or_else(|| Error::lacks(&*puzzle, "no random states are drawn"))?;
    for state in scrambler.scrambles(seed).take(count) {
        if cancel.is_cancelled() {
            return Ok(Exit::NotSolved);
        }
        output.line(
            || json!({"puzzle": puzzle.info().name, "state": state, "seed": seed}),
            || state.clone(),
        )?;
    }
    Ok(Exit::Done)
}
