//! What a page asks of a puzzle: [`Call`].

use fewest::{Failure, Puzzle, Request, Watch, answer_object, puzzle_object};
use serde::Deserialize;
use serde_json::{Value, json};

/// One call, as an object with one key in JSON: `{"read": {"state": "R U"}}`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum Call {
    /// What the puzzle is and can do.
    Info {},
    /// A state, read.
    Read { state: String },
    /// Random states.
    Scramble { count: usize, seed: u64 },
    /// Plans of a state.
    Solve { state: String, options: Box<Request<'static>> },
    /// A plan, replayed.
    Check { state: String, plan: String },
    /// A plan, or the cheapest of several, made cheaper. Without a state they solve the one that
    /// the first undoes.
    Shorten { plans: Vec<String>, state: Option<String>, options: Box<Request<'static>> },
    /// The moves that undo others.
    Invert { moves: String },
    /// All states by distance, and some of the farthest.
    GodsAlgorithm { antipodes: usize },
    /// The values of the tables.
    Histograms {},
}

impl Call {
    /// Carries out the call.
    pub(crate) fn answer(self, puzzle: &dyn Puzzle, watch: &dyn Watch) -> Result<Value, Failure> {
        let lacks = |what| Failure::refused(format_args!("{}: {what}", puzzle.info().name));
        let request = || Request::default().watch(watch);
        match self {
            Self::Info {} => Ok(puzzle_object(puzzle)),
            Self::Read { state } => Ok(json!(puzzle.read(&state)?)),
            Self::Scramble { count, seed } => {
                let scrambler = puzzle.scrambler().ok_or_else(|| lacks("no states are drawn"))?;
                Ok(scrambler.scrambles(seed).take(count).collect())
            }
            Self::Solve { state, options } => {
                let several = options.plans > 1;
                let answer = puzzle.solve(&state, &options.watch(watch))?;
                Ok(answer_object(puzzle.info(), &state, &answer, several))
            }
            Self::Check { state, plan } => Ok(json!(puzzle.check_plan(&state, &plan)?)),
            Self::Shorten { plans, state, options } => {
                let plans: Vec<&str> = plans.iter().map(String::as_str).collect();
                Ok(json!(puzzle.shorten(state.as_deref(), &plans, &options.watch(watch))?))
            }
            Self::Invert { moves } => Ok(json!(puzzle.invert(&moves)?)),
            Self::GodsAlgorithm { antipodes } => {
                let exhaustive = puzzle.exhaustive();
                let exhaustive = exhaustive.ok_or_else(|| lacks("too many states to count"))?;
                let mut counts = Vec::new();
                let mut tell = |_, count| counts.push(count);
                let antipodes = exhaustive.count_all(antipodes, &request(), &mut tell)?;
                Ok(json!({"counts": counts, "antipodes": antipodes}))
            }
            Self::Histograms {} => {
                let tables = puzzle.tables().ok_or_else(|| lacks("there are no tables"))?;
                Ok(json!(tables.histograms(&request())?))
            }
        }
    }
}
