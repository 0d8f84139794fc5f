//! Errors of journals. Each says which file, which line, and what was expected.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which journal cannot be used, and why: [`JournalError::kind`].
#[derive(Clone, Debug, thiserror::Error)]
#[error("journal {}: {kind}", path.display())]
pub struct JournalError {
    path: PathBuf,
    #[source]
    kind: JournalErrorKind,
}

impl JournalError {
    pub(crate) fn new(path: &Path, kind: JournalErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, JournalErrorKind::Io { action, source: Arc::new(source) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is damaged, or cannot be read or written. Otherwise it is another file than
    /// was expected.
    pub fn is_damage(&self) -> bool {
        use JournalErrorKind::{Contradiction, Damaged, Empty, Io};
        let kind = &self.kind;
        matches!(kind, Io { .. } | Empty | Damaged { .. } | Contradiction { .. })
            || self.is_wrong_plan()
    }

    /// Whether the file has a plan that is none.
    pub fn is_wrong_plan(&self) -> bool {
        use JournalErrorKind::{WrongPlan, WrongRound};
        matches!(self.kind, WrongPlan { .. } | WrongRound { .. })
    }

    /// What is wrong.
    pub fn kind(&self) -> &JournalErrorKind {
        &self.kind
    }
}

/// What is wrong with a journal. Lines are numbered from 1.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JournalErrorKind {
    /// The operating system refused something.
    #[error("could not {action}: {source}")]
    Io { action: &'static str, source: Arc<io::Error> },
    /// Another process writes to the file.
    #[error("another process writes to it")]
    Locked,
    /// The file is empty, or ends in its first line.
    #[error("it holds nothing: its first line was not written whole. A search may begin it anew")]
    Empty,
    /// The file is no journal, or its first line is damaged.
    #[error("line 1: expected a journal, which begins with `fewest-journal {version}`")]
    NoJournal { version: u32 },
    /// The file has another version of the format.
    #[error("line 1: format version {found}, this program reads version {expected}")]
    Version { expected: u32, found: String },
    /// A line in the middle of the file is damaged.
    #[error("line {line}: damaged ({what}), and the lines behind it are whole")]
    Damaged { line: usize, what: String },
    /// The journal is of another run.
    #[error("it is of another run: its {fact} is {found:?}, this run's is {expected:?}")]
    OtherRun { fact: String, found: String, expected: String },
    /// The journal has other units for a bound than the search makes.
    #[error(
        "the units of bound {bound} are not those of this run: expected {expected}, found {found} \
         (another table, another automaton, or another release made them)"
    )]
    OtherUnits { bound: u8, expected: String, found: String },
    /// Two records of one unit differ.
    #[error("unit {unit} of bound {bound} has two different results: ({first}) and ({second})")]
    Contradiction { bound: u8, unit: usize, first: String, second: String },
    /// A plan of a unit is none.
    #[error(
        "unit {unit} of bound {bound} has a plan that does not solve the state within the bound"
    )]
    WrongPlan { bound: u8, unit: usize },
    /// A plan of a round is none.
    #[error("round {round} has a plan that does not solve the state at its cost")]
    WrongRound { round: usize },
}
