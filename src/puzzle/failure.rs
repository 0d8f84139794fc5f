//! Why a piece of work failed.

use pdb::BuildError;
use std::fmt;

/// A state or plan that is refused before any search: what is wrong with it, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidInput(pub String);

/// Tables that do not fit the memory of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLittleMemory {
    /// What needs the tables: the name of a heuristic, or what was asked for.
    pub what: String,
    /// Bytes of the tables.
    pub bytes: u64,
    /// Bytes that the settings allow.
    pub limit: u64,
}

impl TooLittleMemory {
    pub(crate) fn new(what: impl fmt::Display, bytes: u64, limit: u64) -> Self {
        Self { what: what.to_string(), bytes, limit }
    }

    /// The message, with the caller's word for the setting.
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

/// A number of bytes in the unit that suits it, such as `82.7 MiB`.
fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let power = bytes.ilog2() / 10;
    let unit = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][power as usize - 1];
    format!("{:.1} {unit}", bytes as f64 / 1024_f64.powf(f64::from(power)))
}

/// Why a piece of work failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The input was refused.
    #[error(transparent)]
    Refused(#[from] InvalidInput),
    /// Tables were asked for that do not fit the memory.
    #[error(transparent)]
    Memory(#[from] TooLittleMemory),
    /// A table file is damaged or cannot be read.
    #[error(transparent)]
    File(#[from] pdb::file::TableError),
    /// A table could not be built.
    #[error("table {table}: {error}")]
    Build {
        /// Name of the table.
        table: String,
        /// What went wrong.
        error: BuildError,
    },
    /// The caller cancelled before there was a result.
    #[error("cancelled")]
    Cancelled,
    /// A limit was reached before there was a result.
    #[error("{0}")]
    Limit(String),
    /// A plan failed its replay by the slow twin: a defect of this program.
    #[error("internal error: the plan {plan} does not solve the state: {error}")]
    Defect {
        /// The plan.
        plan: String,
        /// What the validator said.
        error: search::plan::Invalid,
    },
}

impl Failure {
    /// Whether the caller cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Build { error: BuildError::Cancelled, .. })
    }

    /// A refusal of the input.
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        InvalidInput(message.to_string()).into()
    }

    /// A limit that is not the caller's.
    pub(crate) fn limit(message: impl fmt::Display) -> Self {
        Self::Limit(message.to_string())
    }
}
