//! `fewest scramble`: random solvable states, or moves that lead there.

use super::ctrl_c::{Interrupt, at_once};
use super::options::Parts;
use super::verbs::{Scramble, ScrambleForm};
use fewest::search::CancelToken;
use fewest::{Failure, Request};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::json;
use std::hash::{BuildHasher, RandomState};

pub(super) fn run(verb: &Scramble, interrupt: &Interrupt) -> Result<Exit, Error> {
    match verb.form {
        // Only moves need tables, which are saved.
        ScrambleForm::State => at_once(|| print(verb, &interrupt.cancel)),
        ScrambleForm::Moves => print(verb, &interrupt.cancel),
    }
}

/// A new seed.
pub(super) fn drawn_seed() -> u64 {
    // The keys of a new hasher come from the system's randomness.
    RandomState::new().hash_one(std::process::id())
}

fn print(verb: &Scramble, cancel: &CancelToken) -> Result<Exit, Error> {
    let moves = verb.form == ScrambleForm::Moves;
    // Only moves need tables.
    let engine = moves.then_some(&verb.args.work.engine);
    let puzzle = Parts { metric: Some(&verb.args.metric), engine, ..Parts::default() };
    let puzzle = puzzle.configure(&verb.args.puzzle)?;
    let name = &puzzle.info().name;
    let scrambler =
        puzzle.scrambler().ok_or_else(|| Error::lacks(&*puzzle, "no random states are drawn"))?;
    let tell = |line: String| {
        if !verb.args.work.progress.quiet {
            note(line);
        }
    };
    let seed = verb.seed.unwrap_or_else(|| {
        let seed = drawn_seed();
        tell(format!("seed {seed}"));
        seed
    });
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel.clone()).watch(&meter);
    let scrambles: Box<dyn Iterator<Item = Result<String, Failure>> + '_> = if moves {
        let missing = || Error::lacks(&*puzzle, "no scrambles as moves: expected --form state");
        let drawn = scrambler.move_scrambles(seed, &request).ok_or_else(missing)?;
        if drawn.uniform {
            tell("moves to uniformly random states".to_owned());
        } else {
            tell(format!("moves to random states of {name}, not uniformly drawn"));
        }
        Box::new(drawn.scrambles.map(|moves| Ok(moves?.join(" "))))
    } else {
        Box::new(scrambler.scrambles(seed).map(Ok))
    };
    let (key, columns) = match moves {
        true => ("moves", "puzzle moves length seed"),
        false => ("state", "puzzle state seed"),
    };
    let mut output = Output::new(verb.args.work.output.format, "scramble", columns);
    for scramble in scrambles.take(usize::try_from(verb.count).unwrap_or(usize::MAX)) {
        let text = scramble?;
        meter.clear();
        if cancel.is_cancelled() {
            return Ok(Exit::NotSolved);
        }
        let mut object = json!({"puzzle": name, key: text, "seed": seed});
        if moves {
            let length = text.split_whitespace().count();
            object["length"] = json!(length);
            if output.format == Format::Text {
                tell(format!("{length} moves"));
            }
        }
        output.line(|| object, || text.clone())?;
    }
    Ok(Exit::Done)
}
