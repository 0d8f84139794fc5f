//! `fewest-cluster solve`: an optimal plan of one state, by all ranks.

use super::options::{Format, OutputOptions, PuzzleOptions, SearchOptions, ThreadOptions};
use super::output::{as_csv, as_json, as_text, print};
use super::{Error, Exit};
use clap::Args;
use fewest::Ending;
use fewest::search::{CancelToken, Cost};
use fewest_cluster::{ClusterRequest, MpiComm, SolveError, solve};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct Solve {
    /// The puzzle, by its name or as the file of a definition
    puzzle: String,
    /// The state: all words together
    #[arg(required = true)]
    state: Vec<String>,
    /// All optimal plans; plans that differ only in the order of commuting neighbours count once
    #[arg(long)]
    all: bool,
    /// At most COUNT optimal plans
    #[arg(short = 'n', long, conflicts_with = "all")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// All plans of at most K moves more than the shortest; with --count the first of them
    #[arg(long, value_name = "K", default_value_t = 0)]
    slack: Cost,
    /// Only plans of at least N moves: the shortest of them
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_length: Cost,
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
        let settings = self.search.apply(self.puzzle_options.settings()?);
        let mut request = ClusterRequest::new(&self.puzzle, settings, self.state.join(" "));
        (request.slack, request.min_length) = (self.slack, self.min_length);
        request.plans = match self.count {
            Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
            None if self.all || self.slack > 0 => usize::MAX,
            None => 1,
        };
        request.limits.time = self.limit_time;
        request.limits.bound = self.max_bound;
        request.limits.nodes = self.limit_nodes;
        request.spread = self.spread;
        request.threads = self.threads.count(comm);
        request.journal.clone_from(&self.journal);
        Ok(request)
    }
}

pub(super) fn run(verb: &Solve, comm: &MpiComm, cancel: &CancelToken) -> Result<Exit, Error> {
    let request = verb.request(comm)?;
    let Some(found) = solve(comm, &request, cancel)? else { return Ok(Exit::Done) };
    match verb.output.format {
        Format::Json => print(&as_json(&found, &request, verb.puzzle_options.goal.as_deref()))?,
        Format::Csv => print(&as_csv(&found, &request))?,
        Format::Text => print(&as_text(&found, &request))?,
    }
    let done = found.answer.ending == Ending::Solved && found.answer.complete;
    Ok(if done { Exit::Done } else { Exit::NotSolved })
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Self {
        let exit = match &error {
            SolveError::Configure(_) | SolveError::Refused(_) | SolveError::Fault(_) => {
                Exit::Refused
            }
            _ => Exit::File,
        };
        match error {
            SolveError::Failure(failure) => failure.into(),
            error => Self { exit, message: error.to_string(), is_shared: false },
        }
    }
}
