//! The verbs of the tool, one file each, and what they share: exit codes and errors.

mod args;
mod bench;
mod check;
mod count;
mod gods_algorithm;
mod histogram;
mod interrupt;
mod learn;
mod output;
mod predict;
mod progress;
mod scramble;
mod solve;
mod states;
mod tables;

use args::{Arguments, Verb};
use clap::Parser;
use fewest::{ConfigureError, Failure, Refused};
use interrupt::Interrupt;
use output::note;
use std::fmt;
use std::process::ExitCode;

/// How a run ended; the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Exit {
    /// Everything was answered.
    Done = 0,
    /// A state was not solved within the limits, or the work was cancelled.
    NotSolved = 1,
    /// Usage, or input that was refused.
    Refused = 2,
    /// A table file is damaged or cannot be read or written.
    Table = 3,
}

/// A line for standard error, and the exit code that goes with it.
struct Error {
    exit: Exit,
    message: String,
}

impl Error {
    fn refused(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Refused, message: message.to_string() }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let exit = match &failure {
            Failure::Refused(_) => Exit::Refused,
            Failure::File(_) => Exit::Table,
            Failure::Cancelled | Failure::Limit(_) | Failure::Defect { .. } => Exit::NotSolved,
            _ if failure.is_cancelled() => Exit::NotSolved,
            Failure::Build { .. } => Exit::Table,
        };
        Self { exit, message: failure.to_string() }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::refused(refused)
    }
}

impl From<ConfigureError> for Error {
    fn from(error: ConfigureError) -> Self {
        Self::refused(error)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        // A reader that went away wants no more: that is its word, not our failure.
        let exit =
            if error.kind() == std::io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Refused };
        Self { exit, message: format!("standard output: {error}") }
    }
}

/// Parses the command line and does what it says.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let interrupt = Interrupt::install();
    let cancel = interrupt.cancel.clone();
    let result = match &arguments.verb {
        Verb::Solve(verb) => solve::run(verb, &interrupt),
        Verb::Scramble(verb) => scramble::run(verb, &cancel),
        Verb::Check(verb) => check::run(verb),
        Verb::Count(verb) => count::run(verb, cancel),
        Verb::GodsAlgorithm(verb) => gods_algorithm::run(verb, cancel),
        Verb::Learn(verb) => learn::run(verb, cancel),
        Verb::Histogram(verb) => histogram::run(verb, cancel),
        Verb::Predict(verb) => predict::run(verb, cancel),
        Verb::Tables(verb) => tables::run(verb, cancel),
        Verb::Bench(verb) => bench::run(verb, cancel),
    };
    let exit = result.unwrap_or_else(|error| {
        if error.exit != Exit::Done {
            note(format_args!("fewest: {}", error.message));
        }
        error.exit
    });
    ExitCode::from(exit as u8)
}
