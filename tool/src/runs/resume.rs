//! `fewest resume`: goes on with the search of a journal.

use crate::ctrl_c::Interrupt;
use crate::shared_options::{LimitOptions, WorkOptions};
use crate::verbs::{Arguments, Solve, Verb};
use crate::{Error, Exit, solve};
use clap::{Args, Parser};
use fewest::proofs::{Identity, Share};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct Resume {
    /// The journal
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search only share K of N of each long bound, as `solve --shard` does
    #[arg(long, value_name = "K/N")]
    shard: Option<Share>,
    /// Write what proves the answer to this file, as `solve --certificate` does
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    work: WorkOptions,
}

pub(crate) fn run(verb: Resume, interrupt: &Interrupt) -> Result<Exit, Error> {
    let Resume { file, shard, certificate, limits, mut work } = verb;
    let command = super::record(&file)?.command;
    let mut more = vec![format!("--journal={}", file.display())];
    more.extend(shard.map(|shard| format!("--shard={shard}")));
    more.extend(certificate.map(|path| format!("--certificate={}", path.display())));
    let mut solve = search(&command, &file, &more, &mut work)?;
    (solve.limits, solve.work) = (limits, work);
    solve::run(&solve, interrupt)
}

/// The command line of a search that a file names, with more options. Sets the memory of `work` if
/// it has none.
///
/// # Errors
/// If the file names no search.
pub(crate) fn search(
    command: &Identity,
    file: &Path,
    more: &[String],
    work: &mut WorkOptions,
) -> Result<Solve, Error> {
    let wrong = |what: &dyn std::fmt::Display| {
        Error::refused(format!("{}: its command line: {what}", file.display()))
    };
    let arguments = Arguments::try_parse_from(arguments(command, more));
    let solve = match arguments.map_err(|error| wrong(&error))?.verb {
        Verb::Solve(solve) => solve,
        other => return Err(wrong(&format!("{other:?}, expected solve"))),
    };
    if work.engine.memory.is_none() {
        let memory = command.get("memory").unwrap_or_default();
        work.engine.memory = Some(memory.parse().map_err(|error| wrong(&error))?);
    }
    Ok(solve)
}

/// The command line with which a run began, with more options.
fn arguments(command: &Identity, more: &[String]) -> Vec<String> {
    let mut arguments = vec!["fewest".to_owned(), "solve".to_owned()];
    let mut last = Vec::new();
    for (name, value) in command.facts() {
        match name {
            "puzzle" | "state" => last.push(value.to_owned()),
            "memory" => {}
            _ if value.is_empty() => arguments.push(format!("--{name}")),
            _ => arguments.push(format!("--{name}={value}")),
        }
    }
    arguments.extend_from_slice(more);
    // The puzzle and the state may begin with a hyphen.
    arguments.push("--".to_owned());
    arguments.extend(last);
    arguments
}
