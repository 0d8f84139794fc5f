//! Why a table was not built: [`BuildError`].

use std::io;

/// Why a table was not built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A distance is too great: four bits hold distances up to 14, eight bits up to 254, and the 16
    /// bits of a projected database up to 65,534.
    #[error(
        "an entry has the distance {depth}; {bits} bits hold distances up to {}",
        (1 << bits) - 2
    )]
    TooDeep {
        /// The least distance that is too great.
        depth: u32,
        /// Bits of an entry.
        bits: usize,
    },
    /// An edge does not cost 1, but the form of the table requires it: a stripe table, or distances
    /// modulo 3.
    #[error(
        "an edge does not cost 1, which a table that does not hold the greatest distances asks for"
    )]
    Costs,
    /// The numbers of rows and columns are out of range.
    #[error("the abstraction has {rows} rows of {columns} columns; expected {expected}")]
    Shape {
        /// Number of rows of the abstraction.
        rows: u64,
        /// Number of columns of the abstraction.
        columns: usize,
        /// The allowed range, in words.
        expected: &'static str,
    },
    /// A goal is no entry of the table.
    #[error("goal entry {entry} is outside the {entries} entries of the abstraction")]
    Goal {
        /// The number of the goal's entry.
        entry: u64,
        /// The number of entries of the abstraction.
        entries: u64,
    },
    /// The abstraction names no goal.
    #[error("the abstraction has no goal")]
    NoGoal,
    /// The operating system did not provide the memory of the table.
    #[error("no memory for a table of {bytes} bytes")]
    Memory {
        /// The number of bytes requested.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The temporary file of a table of one bit an entry could not be created, written or read.
    #[error("the temporary file of a build: {0}")]
    TemporaryFile(io::Error),
    /// A projection has more images than its limit.
    #[error("the projection has more than {limit} images")]
    TooManyImages {
        /// The limit.
        limit: u32,
    },
    /// This process does not lead the [`Team`](crate::Team): the leader holds the finished table.
    #[error("another process has the table")]
    Elsewhere,
    /// The parameters do not describe a table. The text says why.
    #[error("{0}")]
    Refused(String),
    /// The caller cancelled.
    #[error("the build was cancelled")]
    Cancelled,
}
