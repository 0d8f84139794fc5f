//! Errors of a [`crate::Puzzle`]: [`Failure`] and its parts.

use super::Place;
use groups::GroupError;
use pdb::BuildError;
use pdb::file::{TableError, TableErrorKind};
use search::stored::LayersError;
use std::fmt;

/// Why a state, plan, definition or option is refused before any search. The text says what is
/// wrong, and where.
///
/// ```
/// let puzzle = fewest::configure("8-puzzle", &fewest::Settings::default()).unwrap();
/// let refused = puzzle.read("0 1 2 3 9 5 6 7 8").unwrap_err();
/// assert_eq!(refused.place().unwrap().squares, [5]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InvalidInput {
    message: String,
    place: Option<Box<Place>>,
}

impl InvalidInput {
    /// An error without a place.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), place: None }
    }

    /// The error of a puzzle that cannot invert sequences of moves.
    pub(crate) fn not_inverted(puzzle: &str) -> Self {
        Self::new(format_args!("{puzzle}: sequences of moves are not inverted"))
    }

    /// The error of a puzzle whose states are no elements of a group.
    pub(crate) fn not_composed(puzzle: &str) -> Self {
        Self::new(format_args!(
            "{puzzle}: states are not composed: expected moves, or a puzzle whose states form a \
             group, with all pieces different and no other goal"
        ))
    }

    /// The error of a puzzle that has no encoding.
    pub(crate) fn without_encoding(puzzle: &str, why: &str) -> Self {
        Self::new(format_args!("{puzzle} has no proof logs: {why}"))
    }

    /// The error of a puzzle that has no lines for an independent checker.
    pub(crate) fn without_lines(puzzle: &str, why: &str) -> Self {
        Self::new(format_args!("{puzzle} has no plain certificates: {why}"))
    }

    /// The same error at a place of the text.
    pub(crate) fn at(self, place: Place) -> Self {
        Self { place: (place != Place::default()).then(|| place.into()), ..self }
    }

    /// The same error with `what: ` in front of its message.
    pub(crate) fn within(self, what: impl fmt::Display) -> Self {
        self.reworded(|message| format!("{what}: {message}"))
    }

    /// The same error of a plan. The number, from 1, is named if there are several plans.
    pub(crate) fn of_plan(self, number: usize, plans: usize) -> Self {
        if plans == 1 {
            return self.within("plan");
        }
        let place = self.place().cloned().unwrap_or_default();
        self.within(format_args!("plan {number}")).at(Place { plan: Some(number), ..place })
    }

    /// The same error with another message.
    pub(crate) fn reworded(self, message: impl FnOnce(&str) -> String) -> Self {
        Self { message: message(&self.message), ..self }
    }

    /// The place in the text. `None` if the error is about the whole text, or about a setting.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_deref()
    }
}

/// The error that tables need more memory than [`crate::Settings::memory`] allows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLittleMemory {
    /// The subject of the message: what needs the tables, such as the name of a heuristic.
    pub what: String,
    /// Bytes of the tables.
    pub bytes: u64,
    /// Bytes that the settings allow.
    pub limit: u64,
}

impl TooLittleMemory {
    /// The error that `what` needs these bytes, of at most `limit`.
    pub fn new(what: impl fmt::Display, bytes: u64, limit: u64) -> Self {
        Self { what: what.to_string(), bytes, limit }
    }

    /// The error message. `setting` is what the caller calls the memory setting (`--memory`).
    pub fn told(&self, setting: &str) -> String {
        let [bytes, limit] =
            [self.bytes, self.limit].map(|bytes| format!("{} ({bytes} bytes)", size(bytes)));
        format!("{} needs {bytes} of tables, and {setting} allows {limit}", self.what)
    }
}

impl std::error::Error for TooLittleMemory {}

impl fmt::Display for TooLittleMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told("the memory setting"))
    }
}

/// A number of bytes as text, in the largest unit that is at most this number: `82.7 MiB`.
fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let power = bytes.ilog2() / 10;
    let unit = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][power as usize - 1];
    format!("{:.1} {unit}", bytes as f64 / 1024_f64.powf(f64::from(power)))
}

/// The result of work that a [`Failure`] may end.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a call of a [`crate::Puzzle`] failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A state, plan or option is invalid.
    #[error(transparent)]
    Refused(#[from] InvalidInput),
    /// The tables need more memory than the settings allow.
    #[error(transparent)]
    Memory(#[from] TooLittleMemory),
    /// A table file is damaged or cannot be read.
    #[error(transparent)]
    File(#[from] TableError),
    /// A table could not be built.
    #[error("table {table}: {error}")]
    Build {
        /// Name of the table.
        table: String,
        /// What went wrong.
        error: BuildError,
    },
    /// The caller cancelled, and there is no result.
    #[error("cancelled")]
    Cancelled,
    /// The limit of time ended the work that comes before a search.
    #[error("the limit of time was reached before the search")]
    Time,
    /// A limit was reached, and there is no result. The text names the limit.
    #[error("{0}")]
    Limit(String),
    /// A plan failed its replay on the reference puzzle. This is a defect of this program.
    #[error("internal error: the plan {plan} does not solve the state: {error}")]
    Defect {
        /// The plan, as operator names with blanks between them.
        plan: String,
        /// Why it does not solve the state.
        error: search::plan::Invalid,
    },
}

impl Failure {
    /// The place in the text that is refused. `None` if there is none, and for other failures.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Refused(refused) => refused.place(),
            _ => None,
        }
    }

    /// Whether the cause is cancellation by the caller, in a search or in a build.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Build { error: BuildError::Cancelled, .. })
    }

    /// Whether a limit of time or the caller ended the work. Then the plans that are known are the
    /// answer.
    pub(crate) fn is_stop(&self) -> bool {
        self.is_cancelled() || matches!(self, Self::Time)
    }

    /// The [`Failure`] for an error of a table file or of its check.
    pub(crate) fn of_table(error: TableError) -> Self {
        match error.kind() {
            TableErrorKind::Cancelled => Self::Cancelled,
            _ => Self::File(error),
        }
    }

    /// The [`Failure`] for an error of the group that a puzzle's moves generate.
    pub fn of_group(error: GroupError) -> Self {
        match error {
            GroupError::Stopped => Self::Cancelled,
            error => Self::Limit(format!("the group of the moves: {error}")),
        }
    }

    /// [`Failure::Refused`] with this message.
    pub fn refused(message: impl fmt::Display) -> Self {
        InvalidInput::new(message).into()
    }

    /// [`Failure::Limit`] with this message, for limits of the program itself.
    pub fn limit(message: impl fmt::Display) -> Self {
        Self::Limit(message.to_string())
    }
}

/// For a breadth-first search that stopped.
impl From<LayersError> for Failure {
    fn from(stopped: LayersError) -> Self {
        match stopped {
            LayersError::Cancelled { .. } => Self::Cancelled,
            memory @ LayersError::Memory { .. } => {
                Self::limit(format!("{memory}: expected more memory"))
            }
            other => Self::limit(other),
        }
    }
}
