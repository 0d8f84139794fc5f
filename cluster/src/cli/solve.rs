//! `fewest-cluster solve`: an optimal plan of one state, by all ranks.

use super::options::{Format, PuzzleOptions, SearchOptions};
use super::output::{as_json, as_text, print};
use super::{Error, Exit};
use clap::Args;
use fewest::search::{CancelToken, Cost};
use fewest::{Ending, Failure};
use fewest_cluster::{MpiComm, Request, SolveError, solve};
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
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    puzzle_options: PuzzleOptions,
    /// Threads of each rank [default: the cores that the rank may use, shared by the ranks of its
    /// machine]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// File in which rank 0 keeps the results. If it exists, the search goes on from there, with
    /// any number of ranks
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Longest search, such as 60s or 10m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit_time: Option<Duration>,
    /// Greatest cost of a plan
    #[arg(long, value_name = "D")]
    max_bound: Option<Cost>,
    /// Form of the answer on standard output
    #[arg(short, long, value_enum, default_value = "text")]
    format: Format,
}

impl Solve {
    fn request(&self, comm: &MpiComm) -> Result<Request, Error> {
        let settings = self.search.apply(self.puzzle_options.settings()?);
        let mut request = Request::new(&self.puzzle, settings, self.state.join(" "));
        request.plans = match self.count {
            Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
            None if self.all => usize::MAX,
            None => 1,
        };
        request.limits.time = self.limit_time;
        request.limits.bound = self.max_bound;
        // All ranks ask for their cores, whatever the command line says.
        let cores = comm.cores();
        request.threads = self.threads.map_or(cores, usize::from);
        request.journal.clone_from(&self.journal);
        request.command = self.puzzle_options.command();
        Ok(request)
    }
}

pub(super) fn run(verb: &Solve, comm: &MpiComm, cancel: &CancelToken) -> Result<Exit, Error> {
    let request = verb.request(comm)?;
    let Some(found) = solve(comm, &request, cancel)? else { return Ok(Exit::Done) };
    match verb.format {
        Format::Json => print(&as_json(&found, &request))?,
        Format::Text => print(&as_text(&found))?,
    }
    let done = found.answer.ending == Ending::Solved && found.answer.complete;
    Ok(if done { Exit::Done } else { Exit::NotSolved })
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Self {
        let exit = match &error {
            SolveError::Configure(_) | SolveError::Refused(_) => Exit::Refused,
            SolveError::Failure(failure) => match failure {
                failure if failure.is_cancelled() => Exit::NotSolved,
                Failure::File(_) | Failure::Build { .. } => Exit::File,
                Failure::Limit(_) | Failure::Time => Exit::NotSolved,
                Failure::Defect { .. } => Exit::Defect,
                _ => Exit::Refused,
            },
            _ => Exit::File,
        };
        Self { exit, message: error.to_string() }
    }
}
