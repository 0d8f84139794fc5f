//! What a page asks of a puzzle: [`Call`].

use fewest::{Answer, Failure, Puzzle, Request, Watch};
use serde::Deserialize;
use serde_json::{Map, Value, json};

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
            Self::Info {} => Ok(info(puzzle)),
            Self::Read { state } => {
                let read = puzzle.read(&state)?;
                let facts: Map<String, Value> = read
                    .facts
                    .into_iter()
                    .map(|(name, fact)| (name.to_owned(), fact.into()))
                    .collect();
                Ok(json!({"state": read.text, "solvable": read.solvable, "facts": facts}))
            }
            Self::Scramble { count, seed } => {
                let scrambler = puzzle.scrambler().ok_or_else(|| lacks("no states are drawn"))?;
                Ok(scrambler.scrambles(seed).take(count).collect())
            }
            Self::Solve { state, options } => {
                Ok(solved(puzzle, &state, &puzzle.solve(&state, &options.watch(watch))?))
            }
            Self::Check { state, plan } => {
                let replay = puzzle.check_plan(&state, &plan)?;
                let error = replay.fault.map(|fault| fault.to_string()).or(replay.rule);
                Ok(json!({"solves": error.is_none(), "plan_length": replay.length,
                    "plan_cost": replay.cost, "error": error}))
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

fn info(puzzle: &dyn Puzzle) -> Value {
    let info = puzzle.info();
    json!({
        "puzzle": info.name, "metric": info.metric, "board": info.board,
        "face_stickers": info.face_stickers, "has_costs": info.has_costs, "notes": info.notes,
        "near_optimal": info.has_near_optimal, "scrambles": puzzle.scrambler().is_some(),
        "tables": puzzle.tables().is_some(), "gods_algorithm": puzzle.exhaustive().is_some(),
    })
}

/// An answer, with the keys of the command line. Several plans are in `plans`.
fn solved(puzzle: &dyn Puzzle, state: &str, answer: &Answer) -> Value {
    let mut object = json!(answer);
    let plan = answer.plans.first();
    object["puzzle"] = json!(puzzle.info().name);
    object["state"] = json!(state);
    object["metric"] = json!(puzzle.info().metric);
    object["generated"] = json!(answer.generated());
    object["expanded"] = json!(answer.expanded());
    object["plan"] = json!(plan);
    object["length"] = json!(plan.map(Vec::len));
    object["cost"] = json!(answer.upper_bound);
    object
}
