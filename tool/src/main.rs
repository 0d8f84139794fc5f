//! The command-line tool `fewest`: a file for each verb; here, exit codes and errors.

mod bars;
mod bench;
mod certify;
mod check;
mod compare;
mod completions;
mod convert;
mod count;
mod ctrl_c;
mod faces;
mod fatal_signals;
mod gods_algorithm;
mod histogram;
mod invert;
mod learn;
mod man;
mod memory;
mod output;
mod plot;
mod predict;
mod progress;
mod puzzles;
mod reproduce;
mod runs;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod shared_options;
mod show;
mod show_text;
mod solve;
mod states;
mod tables;
mod verbs;

use clap::Parser;
use ctrl_c::{Interrupt, at_once};
use fewest::proofs::{JournalError, JournalErrorKind};
use fewest::{ConfigureError, Ending, Failure, InvalidInput, Place, Puzzle};
use output::{Output, note};
use serde_json::{Value, json};
use shared_options::Format;
use std::fmt;
use std::process::ExitCode;
use verbs::{Arguments, Verb};

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
    /// A plan failed its replay: a defect of this program.
    Defect = 4,
}

/// A line for standard error, and the exit code that goes with it.
#[derive(Debug)]
struct Error {
    exit: Exit,
    /// The outcome for the result line of a state.
    ending: Ending,
    message: String,
    /// The place in the text that is refused.
    place: Option<Box<Place>>,
}

impl Error {
    fn refused(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { exit: Exit::Refused, ending: Ending::Refused, message, place: None }
    }

    /// Adds the message and the place to the object of a result line.
    fn tell(&self, object: &mut Value) {
        object["error"] = json!(self.message);
        if let Some(place) = &self.place {
            object["place"] = json!(place);
        }
    }

    /// Writes the object of a puzzle that is refused, unless people read the output. Returns the
    /// error itself, for standard error.
    fn of_puzzle(self, puzzle: &str, mut output: Output) -> Self {
        if output.format == Format::Text {
            return self;
        }
        let object = || {
            let mut object = json!({"puzzle": puzzle, "outcome": self.ending});
            self.tell(&mut object);
            object
        };
        match output.line(object, String::new) {
            Ok(()) => self,
            Err(error) => error.into(),
        }
    }

    /// The error of a puzzle that lacks a capability.
    fn lacks(puzzle: &dyn Puzzle, what: &str) -> Self {
        Self::refused(format_args!("{}: {what}", puzzle.info().name))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let (exit, ending) = match &failure {
            failure if failure.is_cancelled() => (Exit::NotSolved, Ending::Cancelled),
            Failure::File(_) | Failure::Build { .. } => (Exit::Table, Ending::Refused),
            Failure::Limit(_) | Failure::Time => (Exit::NotSolved, Ending::LimitReached),
            Failure::Defect { .. } => (Exit::Defect, Ending::Defect),
            _ => (Exit::Refused, Ending::Refused),
        };
        let message = match &failure {
            Failure::Memory(memory) => memory.told("--memory"),
            failure => failure.to_string(),
        };
        Self { exit, ending, message, place: failure.place().cloned().map(Box::new) }
    }
}

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Self {
        let exit = if error.is_damage() { Exit::Table } else { Exit::Refused };
        match error.kind() {
            // A search for all plans looks for as many as can be counted.
            JournalErrorKind::OtherRun { fact, .. } if fact == "plans" => {
                Self::refused(error.to_string().replace(&usize::MAX.to_string(), "all"))
            }
            _ => Self { exit, ..Self::refused(error) },
        }
    }
}

impl From<InvalidInput> for Error {
    fn from(refused: InvalidInput) -> Self {
        let place = refused.place().cloned().map(Box::new);
        Self { place, ..Self::refused(refused) }
    }
}

impl From<ConfigureError> for Error {
    fn from(error: ConfigureError) -> Self {
        match error {
            ConfigureError::Memory(memory) => Self::refused(memory.told("--memory")),
            ConfigureError::Invalid(refused) => refused.into(),
            error => Self::refused(error),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        let message = format!("standard output: {error}");
        match error.kind() {
            // The reader has closed the pipe and wants no more. That is no failure.
            std::io::ErrorKind::BrokenPipe => Self { exit: Exit::Done, ..Self::refused(message) },
            _ => Self::refused(message),
        }
    }
}

/// Prints what is wrong with the command line, or the help. Help that cannot be printed is no
/// success.
fn tell(told: &clap::Error) -> ExitCode {
    let printed = told.print().map_err(Error::from);
    let code = u8::try_from(told.exit_code()).unwrap_or(Exit::Refused as u8);
    ExitCode::from(printed.map_or_else(|error| code.max(error.exit as u8), |()| code))
}

/// Parses the command line and does what it says.
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(told) => return tell(&told),
    };
    let interrupt = Interrupt::install();
    fatal_signals::take_over();
    let cancel = interrupt.cancel.clone();
    let result = match arguments.verb {
        Verb::Solve(verb) => solve::run(&verb, &interrupt),
        Verb::Resume(verb) => runs::resume(verb, &interrupt),
        Verb::Merge(verb) => at_once(|| runs::merge(&verb)),
        Verb::Status(verb) => at_once(|| runs::status(&verb)),
        Verb::Certify(verb) => certify::run(verb, &interrupt),
        Verb::Scramble(verb) => scramble::run(&verb, &interrupt),
        Verb::Invert(verb) => invert::run(&verb, &interrupt),
        Verb::Check(verb) => at_once(|| check::run(&verb)),
        Verb::Count(verb) => count::run(&verb, cancel),
        Verb::GodsAlgorithm(verb) => gods_algorithm::run(&verb, cancel),
        Verb::Learn(verb) => learn::run(&verb, cancel),
        Verb::Histogram(verb) => histogram::run(&verb, cancel),
        Verb::Predict(verb) => predict::run(&verb, cancel),
        Verb::Compare(verb) => compare::run(&verb, &interrupt),
        Verb::Reproduce(verb) => reproduce::run(&verb, &interrupt),
        Verb::Tables(verb) => tables::run(&verb, &interrupt),
        Verb::Puzzles(verb) => puzzles::run(&verb),
        Verb::Completions(verb) => completions::run(&verb),
        Verb::Man(verb) => man::run(&verb),
        Verb::Show(verb) => show::run(&verb, &cancel),
        Verb::Convert(verb) => convert::run(&verb, &interrupt),
        Verb::Bench(verb) => bench::run(&verb, &cancel),
        #[cfg(feature = "serve")]
        Verb::Serve(verb) => serve::run(&verb, &interrupt),
    };
    let exit = result.unwrap_or_else(|error| {
        if error.exit != Exit::Done {
            note(format_args!("fewest: {}", error.message));
        }
        error.exit
    });
    // Ctrl-C may come between two inputs, when no work sees it.
    let least = if interrupt.cancel.is_cancelled() { Exit::NotSolved } else { Exit::Done };
    let exit = exit.max(least);
    ExitCode::from(exit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::search::plan::Invalid;

    /// A limit says that more time may help. A defect must not say so.
    #[test]
    fn a_defect_is_told_as_a_defect() {
        let error = Invalid::NotSolved;
        let error = Error::from(Failure::Defect { plan: "R".to_owned(), error });
        assert_eq!((error.exit, error.ending), (Exit::Defect, Ending::Defect));
        let error = Error::from(Failure::Cancelled);
        assert_eq!((error.exit, error.ending), (Exit::NotSolved, Ending::Cancelled));
        let error = Error::from(Failure::Limit("128 bits".to_owned()));
        assert_eq!((error.exit, error.ending), (Exit::NotSolved, Ending::LimitReached));
    }
}
