//! What a page may ask for as a job: searches, counts, table builds, scrambles ([`Task`]).

use super::jobs::Job;
use super::puzzles::{PuzzleChoice, check_length};
use super::refusal::Refusal;
use super::states::random_seed;
use super::watch::{Layer, Phase};
use fewest::search::{Cost, Limits};
use fewest::{Aim, Ending, Failure, MoveScrambles, Puzzle};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Most plans of one search.
const MOST_PLANS: usize = 1000;
/// Most antipodes of one count.
const MOST_ANTIPODES: usize = 100;

/// A request for a job.
pub(super) trait Task: Send + Sync {
    /// Its name in a status.
    fn kind(&self) -> &'static str;

    /// The puzzle that it is about.
    fn puzzle(&self) -> &PuzzleChoice;

    /// Checks its numbers and texts before it waits in the queue.
    ///
    /// # Errors
    /// If one is out of its range, with its name.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Does the work. `engine` cancels it and hears of its progress; `job` gets the answer.
    ///
    /// # Errors
    /// If the caller cancels before there is an answer, or the puzzle refuses the work.
    fn run(
        &self,
        puzzle: &dyn Puzzle,
        engine: fewest::Request<'_>,
        job: &Job,
    ) -> Result<Phase, Halt>;
}

/// Why a job ends without an answer.
pub(super) enum Halt {
    Cancelled,
    Refused(Refusal),
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        if failure.is_cancelled() { Self::Cancelled } else { Self::Refused(failure.into()) }
    }
}

/// A number of a request, if it is in a range.
fn within(name: &str, number: usize, range: RangeInclusive<usize>) -> Result<usize, Refusal> {
    if range.contains(&number) {
        return Ok(number);
    }
    let (least, most) = range.into_inner();
    Err(Refusal::input(format_args!("{name}: {number}, expected {least} to {most}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    puzzle: PuzzleChoice,
    state: String,
    plans: Option<usize>,
    slack: Option<Cost>,
    min_length: Option<Cost>,
    #[serde(default)]
    near_optimal: bool,
    limit_seconds: Option<f64>,
}

impl SearchRequest {
    fn plans(&self) -> Result<usize, Refusal> {
        within("plans", self.plans.unwrap_or(1), 1..=MOST_PLANS)
    }

    fn time(&self) -> Result<Option<Duration>, Refusal> {
        let time = self.limit_seconds.map(Duration::try_from_secs_f64).transpose();
        time.map_err(|_| Refusal::input("limit_seconds: expected a number of at least 0"))
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
        self.plans()?;
        self.time()?;
        Ok(())
    }

    fn run(
        &self,
        puzzle: &dyn Puzzle,
        engine: fewest::Request<'_>,
        job: &Job,
    ) -> Result<Phase, Halt> {
        let aim = if self.near_optimal { Aim::NearOptimal } else { Aim::Optimal };
        let engine = engine
            .limits(Limits { time: self.time()?, ..Limits::default() })
            .plans(self.plans()?)
            .slack(self.slack.unwrap_or(0))
            .min_length(self.min_length.unwrap_or(0))
            .aim(aim);
        let answer = puzzle.solve(&self.state, &engine)?;
        job.update(|status| {
            status.narrow(answer.lower_bound, answer.upper_bound);
            status.generated = answer.generated();
            if let Some(plan) = answer.plans.first() {
                status.plan = Some(plan.clone());
            }
            status.answer = Some(json!(answer));
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
    puzzle: PuzzleChoice,
    seed: Option<u64>,
}

impl Task for ScrambleRequest {
    fn kind(&self) -> &'static str {
        "scramble"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    /// Draws moves to a random state. Puzzles that are small are solved for it.
    fn run(
        &self,
        puzzle: &dyn Puzzle,
        engine: fewest::Request<'_>,
        job: &Job,
    ) -> Result<Phase, Halt> {
        let seed = self.seed.unwrap_or_else(random_seed);
        let drawn = puzzle.scrambler().and_then(|drawn| drawn.move_scrambles(seed, &engine));
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

    fn run(
        &self,
        puzzle: &dyn Puzzle,
        engine: fewest::Request<'_>,
        job: &Job,
    ) -> Result<Phase, Halt> {
        let missing = || Refusal::input("this puzzle has too many states to count them all");
        let exhaustive = puzzle.exhaustive().ok_or_else(missing)?;
        let mut layers = Vec::new();
        let antipodes =
            exhaustive.count_all(self.antipodes()?, &engine, &mut |depth, states| {
                layers.push(Layer { depth, states });
                job.update(|status| {
                    status.enter(Phase::Searching, None);
                    status.layers.push(Layer { depth, states });
                });
            })?;
        let states: u128 = layers.iter().map(|layer| layer.states).sum();
        let sum: f64 = layers.iter().map(|layer| layer.depth as f64 * layer.states as f64).sum();
        job.answer(json!({"states": states, "antipodes": antipodes,
            "diameter": layers.last().map(|layer| layer.depth),
            "mean": sum / (states as f64).max(1.0)}));
        Ok(Phase::Done)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildRequest {
    puzzle: PuzzleChoice,
}

impl Task for BuildRequest {
    fn kind(&self) -> &'static str {
        "build"
    }

    fn puzzle(&self) -> &PuzzleChoice {
        &self.puzzle
    }

    fn run(
        &self,
        puzzle: &dyn Puzzle,
        engine: fewest::Request<'_>,
        job: &Job,
    ) -> Result<Phase, Halt> {
        let missing = || Refusal::input("this puzzle has no tables");
        let built = puzzle.tables().ok_or_else(missing)?.build(&engine)?;
        let tables = built.iter().map(|(table, bytes)| json!({"table": table, "bytes": bytes}));
        job.answer(json!({"tables": tables.collect::<Vec<Value>>()}));
        Ok(Phase::Done)
    }
}
