//! What a page may ask for as a job: searches, counts, table builds, scrambles.

use super::guard::random_seed;
use super::jobs::{Halt, Job, Task};
use super::puzzles::{PuzzleChoice, check_length};
use super::refusal::Refusal;
use super::status::{Layer, Phase};
use fewest::{Ending, MoveScrambles, Puzzle, answer_object};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Most plans of one search.
const MOST_PLANS: usize = 1000;
/// Most antipodes of one count.
const MOST_ANTIPODES: usize = 100;

/// A number of a request, if it is in a range.
fn within(name: &str, number: usize, range: RangeInclusive<usize>) -> Result<usize, Refusal> {
    if range.contains(&number) {
        return Ok(number);
    }
    let (least, most) = range.into_inner();
    Err(Refusal::input(format_args!("{name}: {number}, expected {least} to {most}")))
}

#[derive(Deserialize)]
pub(super) struct SearchRequest {
    puzzle: PuzzleChoice,
    state: String,
    /// What is wanted, with the names that [`fewest::Request`] reads.
    #[serde(flatten)]
    request: Map<String, Value>,
}

impl SearchRequest {
    fn request(&self) -> Result<fewest::Request<'static>, Refusal> {
        let request = serde_json::from_value::<fewest::Request<'_>>(self.request.clone().into());
        let mut request = request.map_err(Refusal::input)?;
        within("plans", request.plans, 1..=MOST_PLANS)?;
        request.threads = request.threads.map(|own| own.min(rayon::current_num_threads()));
        Ok(request)
    }
}

impl Task for SearchRequest {
    fn kind(&self) -> &'static str {
        "search"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    fn check(&self) -> Result<(), Refusal> {
        check_length("a state", &self.state)?;
        self.request().map(|_| ())
    }

    fn run(&self, puzzle: &dyn Puzzle, job: &Job) -> Result<Phase, Halt> {
        let request = self.request()?.cancel(job.cancel.clone()).watch(job);
        let answer = puzzle.solve(&self.state, &request)?;
        job.update(|status| {
            status.narrow(answer.lower_bound, answer.upper_bound);
            status.generated = answer.generated();
            if let Some(plan) = answer.plans.first() {
                status.plan = Some(plan.clone());
            }
            let several = request.plans > 1;
            status.answer = Some(answer_object(puzzle.info(), &self.state, &answer, several));
        });
        Ok(match answer.ending {
            Ending::Solved | Ending::Unsolvable => Phase::Done,
            _ => Phase::Stopped,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrambleRequest {
    pub(super) puzzle: PuzzleChoice,
    pub(super) seed: Option<u64>,
}

impl Task for ScrambleRequest {
    fn kind(&self) -> &'static str {
        "scramble"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    /// Draws moves to a random state. Puzzles that are small are solved for it.
    fn run(&self, puzzle: &dyn Puzzle, job: &Job) -> Result<Phase, Halt> {
        let seed = self.seed.unwrap_or_else(random_seed);
        let request = job.request();
        let drawn = puzzle.scrambler().and_then(|drawn| drawn.move_scrambles(seed, &request));
        let missing = || Refusal::input("no scrambles as moves: /api/scramble draws states");
        let MoveScrambles { uniform, mut scrambles, .. } = drawn.ok_or_else(missing)?;
        let moves = scrambles.next().ok_or_else(missing)??;
        job.answer(json!({"moves": moves, "uniform": uniform, "seed": seed}));
        Ok(Phase::Done)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountRequest {
    puzzle: PuzzleChoice,
    antipodes: Option<usize>,
}

impl CountRequest {
    fn antipodes(&self) -> Result<usize, Refusal> {
        within("antipodes", self.antipodes.unwrap_or(3), 0..=MOST_ANTIPODES)
    }
}

impl Task for CountRequest {
    fn kind(&self) -> &'static str {
        "count"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    fn check(&self) -> Result<(), Refusal> {
        self.antipodes().map(|_| ())
    }

    fn run(&self, puzzle: &dyn Puzzle, job: &Job) -> Result<Phase, Halt> {
        let missing = || Refusal::input("this puzzle has too many states to count them all");
        let exhaustive = puzzle.exhaustive().ok_or_else(missing)?;
        let mut layers = Vec::new();
        let antipodes =
            exhaustive.count_all(self.antipodes()?, &job.request(), &mut |depth, count| {
                layers.push(Layer { depth, count });
                job.update(|status| {
                    status.enter(Phase::Searching, None);
                    status.layers.push(Layer { depth, count });
                });
            })?;
        let states: u128 = layers.iter().map(|layer| layer.count).sum();
        let sum: f64 = layers.iter().map(|layer| layer.depth as f64 * layer.count as f64).sum();
        job.answer(json!({"states": states, "antipodes": antipodes,
            "diameter": layers.last().map(|layer| layer.depth),
            "mean": sum / (states as f64).max(1.0)}));
        Ok(Phase::Done)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleRequest {
    pub(super) puzzle: PuzzleChoice,
}

impl Task for PuzzleRequest {
    fn kind(&self) -> &'static str {
        "build"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    fn run(&self, puzzle: &dyn Puzzle, job: &Job) -> Result<Phase, Halt> {
        let missing = || Refusal::input("this puzzle has no tables");
        let built = puzzle.tables().ok_or_else(missing)?.build(&job.request())?;
        let tables = built.iter().map(|(table, bytes)| json!({"table": table, "bytes": bytes}));
        job.answer(json!({"tables": tables.collect::<Vec<Value>>()}));
        Ok(Phase::Done)
    }
}
