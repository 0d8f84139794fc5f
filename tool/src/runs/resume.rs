//! `fewest resume`: goes on with the search of a journal.

use crate::ctrl_c::Interrupt;
use crate::options::WorkOptions;
use crate::solve;
use crate::verbs::{Arguments, Resume, Solve, Verb};
use clap::Parser;
use fewest::proofs::Identity;
use fewest_terminal::{Error, Exit, note};
use std::ffi::OsString;
use std::path::Path;

/// The options that a file may name: each says which plans of which state are looked for. No other
/// option goes on with a search, and the file may be a stranger's.
const NAMED: [&str; 13] = [
    "metric",
    "goal",
    "moves",
    "cost",
    "heuristic",
    "pruning",
    "count",
    "all",
    "slack",
    "min-length",
    "lower-bound-from",
    "near-optimal",
    "seed",
];

pub(crate) fn run(verb: Resume, interrupt: &Interrupt) -> Result<Exit, Error> {
    let Resume { file, shard, certificate, limits, mut work } = verb;
    let command = super::record(&file)?.command;
    let option = |name: &str, path: &Path| {
        let mut option = OsString::from(format!("--{name}="));
        option.push(path);
        option
    };
    let mut more = vec![option("journal", &file)];
    more.extend(shard.map(|shard| format!("--shard={shard}").into()));
    more.extend(certificate.map(|path| option("certificate", &path)));
    let mut solve = search(&command, &file, more, &mut work)?;
    (solve.limits, solve.work) = (limits, work);
    solve::run(&solve, interrupt)
}

/// The search that a file names, with more options. If `work` has no memory, it gets that of the
/// file, at most the default: a file must not choose what this machine gives.
///
/// # Errors
/// If the file names no search, or an option that is not [`NAMED`].
pub(crate) fn search(
    command: &Identity,
    file: &Path,
    more: Vec<OsString>,
    work: &mut WorkOptions,
) -> Result<Solve, Error> {
    let wrong = |what: &dyn std::fmt::Display| {
        Error::refused(format!("{}: its command line: {what}", file.display()))
    };
    let arguments = arguments(command, more).map_err(|name| {
        wrong(&format_args!("--{name}, expected one of --{}", NAMED.join(", --")))
    })?;
    let arguments = Arguments::try_parse_from(arguments);
    let mut solve = match arguments.map_err(|error| wrong(&error))?.verb {
        Verb::Solve(solve) => solve,
        other => return Err(wrong(&format!("{other:?}, expected solve"))),
    };
    solve.metric.goal_is_text = true;
    if work.engine.memory.is_none() {
        let memory = command.get("memory").unwrap_or_default();
        let memory: u64 = memory.parse().map_err(|error| wrong(&error))?;
        if memory > work.engine.bytes() {
            note(format_args!(
                "{}: the search began with --memory {memory}, more than the default here. Give \
                 --memory to go on with as much.",
                file.display()
            ));
        }
        work.engine.memory = Some(memory.min(work.engine.bytes()));
    }
    Ok(*solve)
}

/// The command line with which a run began, with more options. Fails with the name of an option
/// that is not [`NAMED`].
fn arguments(command: &Identity, more: Vec<OsString>) -> Result<Vec<OsString>, &str> {
    let mut arguments: Vec<OsString> = vec!["fewest".into(), "solve".into()];
    let mut last: Vec<OsString> = Vec::new();
    for (name, value) in command.facts() {
        match name {
            "puzzle" | "state" => last.push(value.into()),
            "memory" => {}
            _ if !NAMED.contains(&name) => return Err(name),
            _ if value.is_empty() => arguments.push(format!("--{name}").into()),
            _ => arguments.push(format!("--{name}={value}").into()),
        }
    }
    arguments.extend(more);
    // The puzzle and the state may begin with a hyphen.
    arguments.push("--".into());
    arguments.extend(last);
    Ok(arguments)
}
