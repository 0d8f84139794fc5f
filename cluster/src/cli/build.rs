//! `fewest-cluster build`: the tables of a heuristic, by all ranks.

use super::options::{HeuristicOptions, PuzzleOptions, ThreadOptions};
use super::progress::Progress;
use clap::Args;
use fewest::search::CancelToken;
use fewest::{Failure, Request, TableTeam, configure};
use fewest_cluster::{ClusterTeam, Comm, MpiComm, in_team, is_of_one_rank};
use fewest_terminal::{Error, Exit, Output, OutputOptions, note};
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
    output: OutputOptions,
}

/// What all ranks did together, and the messages of all ranks.
pub(super) struct TeamResult<T> {
    pub(super) value: T,
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// Runs `work` on all ranks as a team. `None` if rank 0 tells what failed.
pub(super) fn together<T: Send>(
    comm: &MpiComm,
    cancel: &CancelToken,
    work: impl FnOnce(&ClusterTeam<'_>) -> Result<T, Failure> + Send,
) -> Result<Option<TeamResult<T>>, Error> {
    in_team(comm, cancel, |team| match work(team) {
        Ok(value) => {
            let [messages, bytes] = team.sent();
            Ok(Some(TeamResult { value, messages, bytes }))
        }
        Err(failure) if team.leads() => Err(failure.into()),
        // Rank 0 speaks for all, but a rank that cannot use its files.
        Err(failure) => match team.fault() {
            Some(message) => Err(Error { exit: Exit::Table, ..Error::refused(message) }),
            None if is_of_one_rank(&failure) => Err(failure.into()),
            None => Ok(None),
        },
    })
}

pub(super) fn run(verb: &Build, comm: &MpiComm, cancel: &CancelToken) -> Result<Exit, Error> {
    verb.threads.start(comm)?;
    let first = comm.rank() == 0;
    let settings = verb.heuristic.apply(verb.puzzle_options.settings()?);
    let progress = Progress::new(first);
    let found = together(comm, cancel, |team| {
        let puzzle = configure(&verb.puzzle, &settings)?;
        let request = Request::default().watch(&progress).team(team);
        let tables = puzzle.tables().ok_or_else(|| {
            let name = &puzzle.info().name;
            Failure::refused(format_args!("{name}: there are no tables to build"))
        })?;
        tables.build(&request)
    })?;
    let Some(TeamResult { value: tables, messages, bytes: sent }) = found.filter(|_| first) else {
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
        note("fewest-cluster: a table was built, but not saved");
        return Ok(Exit::Table);
    }
    Ok(Exit::Done)
}
