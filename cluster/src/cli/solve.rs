//! `fewest-cluster solve`: an optimal plan of one state, by all ranks.

use super::options::{PuzzleOptions, SearchOptions, ThreadOptions};
use clap::Args;
use fewest::search::{CancelToken, Cost, Limits};
use fewest::{Ending, Request, answer_object, answer_text, effort_text};
use fewest_cluster::{ClusterAnswer, ClusterRequest, MpiComm, SolveError, solve};
use fewest_terminal::{Error, Exit, Format, Output, OutputOptions, PlanOptions};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct Solve {
    /// The puzzle, by its name or as the file of a definition
    puzzle: String,
    /// The state: all words together
    #[arg(required = true)]
    state: Vec<String>,
    #[command(flatten)]
    plans: PlanOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    puzzle_options: PuzzleOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// File in which rank 0 keeps the results. If it exists, the search goes on from there, with
    /// any number of ranks
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Each rank owns a range of the entries of each table, and ranks ask each other for the
    /// others: for tables larger than the memory of a machine. Then --memory is that of a rank's
    /// share
    #[arg(long)]
    spread: bool,
    /// Longest search, such as 60s or 10m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit_time: Option<Duration>,
    /// Most nodes that a rank generates or hears of
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,
    /// Greatest cost of a plan
    #[arg(long, value_name = "D")]
    max_bound: Option<Cost>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Solve {
    fn request(&self, comm: &MpiComm) -> Result<ClusterRequest, Error> {
        self.plans.check()?;
        let settings = self.search.apply(self.puzzle_options.settings()?);
        let (nodes, time) = (self.limit_nodes, self.limit_time);
        let request = Request::default()
            .limits(Limits { nodes, time, bound: self.max_bound, bytes: None })
            .threads(self.threads.count(comm));
        Ok(ClusterRequest {
            request: self.plans.apply(request),
            spread: self.spread,
            journal: self.journal.clone(),
            ..ClusterRequest::new(&self.puzzle, settings, self.state.join(" "))
        })
    }
}

pub(super) fn run(verb: &Solve, comm: &MpiComm, cancel: &CancelToken) -> Result<Exit, Error> {
    let request = verb.request(comm)?;
    let Some(found) = solve(comm, &request, cancel).map_err(refusal)? else {
        return Ok(Exit::Done);
    };
    let goal = verb.puzzle_options.goal.as_deref();
    let csv = verb.output.format == Format::Csv;
    let several = csv || verb.plans.wants_several();
    let mut output = Output::new(verb.output.format, "solve", COLUMNS);
    output.line(|| as_json(&found, &request, several, goal), || as_text(&found, &request))?;
    let done = found.answer.ending == Ending::Solved && found.answer.complete;
    Ok(if done { Exit::Done } else { Exit::NotSolved })
}

/// The columns of CSV.
const COLUMNS: &str = "state outcome length lower_bound generated expanded plans";

/// The answer as one object. Beside the keys of `fewest solve`, it has `ranks`: what each rank did.
fn as_json(
    found: &ClusterAnswer,
    request: &ClusterRequest,
    several: bool,
    goal: Option<&str>,
) -> Value {
    let mut object = answer_object(&found.info, &request.state, &found.answer, several);
    object["threads"] = json!(request.request.threads);
    object["request"] = json!(1);
    object["ranks"] = json!(found.ranks);
    if let Some(goal) = goal {
        object["goal"] = json!(goal);
    }
    object
}

/// The answer as text: a line for each plan, and what is proven.
fn as_text(found: &ClusterAnswer, request: &ClusterRequest) -> String {
    let ranks = found.ranks.len();
    let plural = if ranks == 1 { "" } else { "s" };
    let effort = format!("{}, {ranks} rank{plural}", effort_text(&found.answer));
    answer_text(&found.answer, &effort, request.request.min_length, found.info.has_costs)
}

fn refusal(error: SolveError) -> Error {
    let exit = match error {
        SolveError::Failure(failure) => return failure.into(),
        SolveError::Fault(_) => Exit::Refused,
        _ => Exit::Table,
    };
    Error { exit, ..Error::refused(error) }
}
