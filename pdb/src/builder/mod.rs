//! The builder: exact distances of an [`Abstraction`], breadth first by cost, in a packed table.
//!
//! *Invariant*: when layer `d` is complete, exactly the entries at distance `<= d` have their
//! value, and all others are unseen. The builder never holds a tentative value: it walks an edge of
//! cost `k` from the entries of value `d - k` when it makes layer `d`.
//!
//! A row is the unit of work. The builder lists the columns with the wanted value once. Then every
//! edge walks this list through its map into its target row. So list, map and both rows lie in the
//! first two cache levels. A layer is made in one of two directions:
//! - *forward* from the entries of value `d - k`, while they are few;
//! - *backward* from the unseen entries, up to their first edge to an entry of value `d - k`. This
//!   needs an undirected abstraction, and is chosen if it promises less work.
//!
//! Within a layer, uncharged edges are followed until nothing changes. Flags tell which blocks of
//! rows hold a value, so a layer skips the others.
//!
//! The backward phase is the bottom-up step of Scott Beamer, Krste Asanović and David Patterson,
//! "Direction-Optimizing Breadth-First Search", SC 2012, section 4. We choose the direction of each
//! layer by the expected number of edges, not by two tuned thresholds, and walk rows instead of
//! vertices.
//!
//! Time: at most every edge of every reached entry once. Memory: the table, and a bit for each
//! value and block of rows.

mod checkpoint;
mod colours;
mod direction;
mod flags;
mod layers;
mod table;
mod walk;
pub(crate) mod words;

pub(crate) use colours::{Colours, colours};
pub(crate) use direction::Outlook;
pub(crate) use flags::Flags;
pub(crate) use table::{Bitmap, Row, Store, Table, compress, equal};
pub(crate) use walk::{Cancellation, Walk, block_rows};

use crate::abstraction::Abstraction;
use crate::file::{Checkpoint, TableError};
use crate::memory::BytesMut;
use crate::table::PackedTable;
use layers::Builder;
use search::{CancelToken, Cost};
use std::io;
use std::sync::atomic::AtomicU64;

/// How a table is built. It uses the current rayon thread pool.
#[derive(Clone, Copy, Default)]
pub struct BuildOptions<'a> {
    /// Cancels the build between blocks of rows. [default: none]
    pub cancel: Option<&'a CancelToken>,
    /// Receives the progress. [default: nobody]
    pub observer: Option<&'a dyn BuildObserver>,
    /// Where complete layers are saved. The same build goes on from the newest one, and makes the
    /// same table. [default: nowhere]
    ///
    /// A file has the size of the table, at 2 bits an entry or more. The build removes it after the
    /// last layer, before the table is saved.
    pub checkpoint: Option<&'a Checkpoint>,
}

/// Receives a build's progress, from the threads of the build. Every method does nothing by
/// default.
pub trait BuildObserver: Sync {
    /// A layer is complete: `entries` have the distance `depth`, and `seen` of `total` entries have
    /// a distance. If the first uncharged edge turns up late, the layer before is reported again,
    /// with more entries.
    fn layer(&self, _depth: Cost, _entries: u64, _seen: u64, _total: u64) {}
    /// The build of the layer `depth` has passed `rows` of `total` rows. From 255 on, `depth` is
    /// the same for all layers.
    fn rows(&self, _depth: Cost, _rows: u64, _total: u64) {}
    /// A file of the [`Checkpoint`] could not be read, written or removed. The build goes on
    /// without it. After a failed write it writes no more files.
    fn not_kept(&self, _error: &TableError) {}
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildOptions")
            .field("cancel", &self.cancel)
            .field("observer", &self.observer.is_some())
            .field("checkpoint", &self.checkpoint)
            .finish()
    }
}

/// Why a table was not built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Four bits hold distances up to 14, eight up to 254.
    #[error(
        "an entry has the distance {depth}; {bits} bits hold distances up to {}",
        (1 << bits) - 2
    )]
    TooDeep {
        /// The least distance that does not fit.
        depth: u32,
        /// Bits of an entry.
        bits: usize,
    },
    /// A table that does not hold the greatest distances needs unit costs.
    #[error(
        "an edge does not cost 1, which a table that does not hold the greatest distances asks for"
    )]
    Costs,
    /// The abstraction has a shape that cannot be built.
    #[error("the abstraction has {rows} rows of {columns} columns; expected {expected}")]
    Shape {
        /// Rows of the abstraction.
        rows: u64,
        /// Columns of the abstraction.
        columns: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// A goal lies outside the table.
    #[error("goal entry {entry} is outside the {entries} entries of the abstraction")]
    Goal {
        /// The entry named as a goal.
        entry: u64,
        /// How many entries there are.
        entries: u64,
    },
    /// The abstraction names no goal.
    #[error("the abstraction has no goal")]
    NoGoal,
    /// The system did not give the memory of the table.
    #[error("no memory for a table of {bytes} bytes")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// The error of the system.
        source: io::Error,
    },
    /// There is no such table.
    #[error("{0}")]
    Refused(String),
    /// The caller cancelled.
    #[error("the build was cancelled")]
    Cancelled,
}

/// Builds the table of the exact distances of all entries, at 4 or 8 bits an entry. Runs on the
/// current rayon thread pool, and makes the same table with any number of threads.
///
/// # Errors
/// A distance above 14 (4 bits) or 254 (8 bits), an impossible shape, a goal outside, no memory, or
/// cancellation.
///
/// # Panics
/// If an edge leads to a row outside, or a map is shorter than a row or leads outside it.
pub fn build<const BITS: usize>(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
) -> Result<PackedTable, BuildError> {
    const { assert!(matches!(BITS, 4 | 8), "4 or 8 bits an entry") };
    build_bits(abstraction, options, if BITS == 4 { 4 } else { 8 })
}

/// [`build()`] at 4 or 8 bits an entry, compiled once, in this crate.
fn build_bits(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
    bits: u32,
) -> Result<PackedTable, BuildError> {
    let entries = entries_of(abstraction)?;
    let filled = fill(PackedTable::bytes_for(bits, entries), |words| match bits {
        4 => run(abstraction, options, Table::<4>::unseen(words)),
        _ => run(abstraction, options, Table::<8>::unseen(words)),
    })?;
    Ok(PackedTable::new(filled.freeze(), bits, entries).expect("made to fit"))
}

/// Makes all layers of a table whose entries are all unseen.
pub(crate) fn run<T: Store>(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
    unseen: T,
) -> Result<(), BuildError> {
    Builder::new(abstraction, options, unseen).run()
}

/// Allocates a table, fills it, and returns its bytes.
pub(crate) fn fill(
    bytes: u64,
    run: impl FnOnce(&[AtomicU64]) -> Result<(), BuildError>,
) -> Result<BytesMut, BuildError> {
    let mut memory = usize::try_from(bytes)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(BytesMut::zeroed)
        .map_err(|source| BuildError::Memory { bytes, source })?;
    run(memory.as_words())?;
    Ok(memory)
}

/// How many entries an abstraction has, if its shape is possible.
pub(crate) fn entries_of(abstraction: &dyn Abstraction) -> Result<u64, BuildError> {
    let (rows, columns) = (abstraction.rows(), abstraction.columns());
    let shape = |expected| BuildError::Shape { rows, columns, expected };
    if columns == 0 || columns > 1 << 16 {
        return Err(shape("1 to 65,536 columns"));
    }
    let entries = rows.checked_mul(columns as u64).filter(|&entries| entries > 0);
    entries.ok_or_else(|| shape("1 to 2^64 - 1 entries"))
}

#[cfg(test)]
pub(crate) mod tests;
