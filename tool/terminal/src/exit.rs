//! How a run ends: [`Exit`] codes, and the [`Error`]s that lead to them.

use crate::{Format, Output};
use fewest::proofs::{JournalError, JournalErrorKind};
use fewest::{ConfigureError, Ending, Failure, InvalidInput, Place, Puzzle};
use serde_json::{Value, json};
use std::fmt;
use std::process::ExitCode;

/// How a run ended; the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything was answered.
    Done = 0,
    /// A state was not solved within the limits, or the work was cancelled.
    NotSolved = 1,
    /// Usage, or input that was refused.
    Refused = 2,
    /// A table file or a journal is damaged or cannot be read or written.
    Table = 3,
    /// A plan failed its replay: a defect of this program.
    Defect = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A line for standard error, and the exit code that goes with it.
#[derive(Debug)]
pub struct Error {
    /// The exit code.
    pub exit: Exit,
    /// The outcome for the result line of a state.
    pub ending: Ending,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The place in the text that is refused.
    pub place: Option<Box<Place>>,
}

impl Error {
    /// The error of refused input.
    pub fn refused(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { exit: Exit::Refused, ending: Ending::Refused, message, place: None }
    }

    /// Adds the message and the place to the object of a result line.
    pub fn tell(&self, object: &mut Value) {
        object["error"] = json!(self.message);
        if let Some(place) = &self.place {
            object["place"] = json!(place);
        }
    }

    /// Writes the object of a puzzle that is refused, unless people read the output. Returns the
    /// error itself, for standard error.
    #[must_use]
    pub fn of_puzzle(self, puzzle: &str, mut output: Output) -> Self {
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
    pub fn lacks(puzzle: &dyn Puzzle, what: &str) -> Self {
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
        Failure::from(refused).into()
    }
}

impl From<ConfigureError> for Error {
    fn from(error: ConfigureError) -> Self {
        Failure::from(error).into()
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
