//! `fewest-cluster build`: the tables of a heuristic, by all ranks.

use super::options::{HeuristicOptions, PuzzleOptions, ThreadOptions};
use super::output::{Output, print_note};
use super::progress::Progress;
use super::{Error, Exit};
use clap::Args;
use fewest::search::CancelToken;
use fewest::{Failure, Request, TableTeam, configure};
use fewest_cluster::{ClusterTeam, Comm, MpiComm, in_team};
use serde_json::json;

#[derive(Args, Debug)]
pub(super) struct Build {
    /// The puzzle, by its name or as the file of a definition
    puzzle: String,
    #[command(flatten)]
    heuristic: HeuristicOptions,
    #[command(flatten)]
    puzzle_options: PuzzleOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: super::options::OutputOptions,
}

/// What a job of all ranks found, and the messages of all ranks.
pub(super) struct Found<T> {
    pub(super) value: T,
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// Runs `work` on all ranks as a team. `None` if rank 0 tells what failed.
pub(super) fn together<T: Send>(
    comm: &MpiComm,
    work: impl FnOnce(&ClusterTeam<'_>) -> Result<T, Error> + Send,
) -> Result<Option<Found<T>>, Error> {
    in_team(comm, |team| match work(team) {
        Ok(value) => {
            let [messages, bytes] = team.sent();
            Ok(Some(Found { value, messages, bytes }))
        }
        Err(error) if team.leads() => Err(error),
        // Rank 0 speaks for all, but a rank that cannot use its files.
        Err(error) => match team.fault() {
            Some(message) => Err(Error { exit: Exit::File, message, is_shared: false }),
            None if !error.is_shared => Err(error),
            None => Ok(None),
        },
    })
}

pub(super) fn run(verb: &Build, comm: &MpiComm, cancel: &CancelToken) -> Result<Exit, Error> {
    verb.threads.start(comm)?;
    let first = comm.rank() == 0;
    let settings = verb.heuristic.apply(verb.puzzle_options.settings()?);
    let progress = Progress::new(first);
    let found = together(comm, |team| {
        let puzzle = configure(&verb.puzzle, &settings).map_err(Error::refused)?;
        let job = Request::default().cancel(cancel.clone()).watch(&progress).team(team);
        let name = &puzzle.info().name;
        let tables = puzzle.tables();
        let tables = tables
            .ok_or_else(|| Error::refused(format_args!("{name}: there are no tables to build")))?;
        Ok(tables.build(&job)?)
    })?;
    let Some(Found { value: tables, messages, bytes: sent }) = found.filter(|_| first) else {
        return Ok(Exit::Done);
    };
    let mut output = Output::new(verb.output.format, "tables-build", "table bytes");
    for (table, bytes) in &tables {
        output.line(
            || json!({"table": table, "bytes": bytes}),
            || format!("{table}: {bytes} bytes"),
        )?;
    }
    let ranks = comm.size();
    output.summary(
        || json!({"ranks": ranks, "messages": messages, "message_bytes": sent}),
        || format!("{ranks} ranks, {messages} messages of {sent} bytes"),
    )?;
    if progress.is_unsaved() {
        print_note("a table was built, but not saved");
        return Ok(Exit::File);
    }
    Ok(Exit::Done)
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let exit = match &failure {
            failure if failure.is_cancelled() => Exit::NotSolved,
            Failure::File(_) | Failure::Build { .. } => Exit::File,
            Failure::Limit(_) | Failure::Time => Exit::NotSolved,
            Failure::Defect { .. } => Exit::Defect,
            _ => Exit::Refused,
        };
        let is_shared = !matches!(&failure, Failure::File(_));
        Self { exit, message: failure.to_string(), is_shared }
    }
}
