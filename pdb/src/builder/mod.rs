//! The builder: exact distances of an [`Abstraction`], breadth first by cost, in a packed table.
//!
//! *Invariant*: when layer `d` is complete, exactly the entries at distance `<= d` have their
//! value, and all others are unseen. The builder never stores a tentative value. While it makes
//! layer `d`, it walks an edge of cost `k` from the entries of value `d - k`.
//!
//! A row is the unit of work. The builder lists the columns with the wanted value once. Then every
//! edge of the row maps this list to columns of its target row. So the list, the map and both rows
//! stay in the first two cache levels. A layer is made in one of two directions:
//! - *forward* from the entries of value `d - k`, while they are few;
//! - *backward* from the unseen entries: the builder tries the edges of each until one leads to an
//!   entry of value `d - k`. It needs an undirected abstraction, and is chosen if it promises less
//!   work.
//!
//! Within a layer, the builder follows uncharged edges (of cost 0) until nothing changes. For each
//! value, flags tell which blocks of rows hold it, so a layer skips the other blocks.
//!
//! The backward phase is the bottom-up step of Scott Beamer, Krste Asanović and David Patterson,
//! "Direction-Optimizing Breadth-First Search", SC 2012, section 4. We choose the direction of each
//! layer by the expected number of edges, not by two tuned thresholds, and walk rows instead of
//! vertices.
//!
//! Time: about one step for each edge of each reached entry, or less in backward layers. Memory:
//! the table, and one bit for each value and block of rows.

mod checkpoint;
mod colours;
mod direction;
mod flags;
mod layers;
mod table;
mod team;
mod walk;
mod wide;
pub(crate) mod words;

pub(crate) use checkpoint::BuildFiles;
pub(crate) use colours::{Colours, colours};
pub(crate) use direction::Outlook;
pub(crate) use flags::Flags;
pub(crate) use table::{Bitmap, PackedRow, Row, Store, Table, compress, equal};
pub use team::{Team, TeamDistances};
pub(crate) use team::{check, of_team};
pub(crate) use walk::{Cancellation, Walk, block_rows, map_of, sweep, through};
pub(crate) use wide::Wide;

use crate::abstraction::Abstraction;
use crate::file::{Checkpoint, TableError};
use crate::memory::{Bytes, BytesMut};
use crate::table::PackedTable;
use layers::Builder;
use search::{CancelToken, Cost};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Options of a table build. A build uses the current rayon thread pool.
#[derive(Clone, Copy, Default)]
pub struct BuildOptions<'a> {
    /// Cancels the build between blocks of rows, or of words. [default: none]
    pub cancel: Option<&'a CancelToken>,
    /// Receives the progress. [default: none]
    pub observer: Option<&'a dyn BuildObserver>,
    /// Where complete layers are saved. If the same build starts again, it resumes from the newest
    /// saved layer, and makes the same table. [default: nowhere]
    ///
    /// A file is about as large as the table. The build removes its files after the last layer,
    /// before the caller saves the table.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Processes that make the layers together, and keep the checkpoints in their own files.
    /// [default: this process makes them alone]
    pub team: Option<&'a dyn Team>,
}

impl BuildOptions<'_> {
    /// Calls [`Abstraction::prepare`] with the token of the build.
    ///
    /// # Errors
    /// If cancelled.
    pub(crate) fn prepare(&self, abstraction: &dyn Abstraction) -> Result<(), BuildError> {
        let cancel = self.cancel.cloned().unwrap_or_default();
        match abstraction.prepare(&cancel) && !cancel.is_cancelled() {
            true => Ok(()),
            false => Err(BuildError::Cancelled),
        }
    }
}

/// Receives the progress of a build, on the threads of the build. By default every method does
/// nothing.
pub trait BuildObserver: Sync {
    /// The layer `depth` is complete. It has `entries` entries; `seen` of `total` entries have a
    /// distance by now. A layer is reported twice if the build finds the first uncharged edge in
    /// the next layer. The second report has more entries.
    fn layer(&self, _depth: Cost, _entries: u64, _seen: u64, _total: u64) {}
    /// The build has processed `rows` of `total` rows in the layer `depth`. All layers from 255 on
    /// are reported as 255.
    fn rows(&self, _depth: Cost, _rows: u64, _total: u64) {}
    /// The search keeps its table in files of this folder, `bytes` in all, because it exceeds the
    /// memory.
    fn on_disk(&self, _folder: &Path, _bytes: u64) {}
    /// All layers on disk are complete, and the table is made from them: `done` of `total` parts so
    /// far. If the disk has little space, there may be more parts than were told at first.
    fn saving(&self, _done: u64, _total: u64) {}
    /// A search on disk has ended. It has read and written so many bytes of files.
    fn moved(&self, _read: u64, _written: u64) {}
    /// A file of the [`Checkpoint`] could not be read, written or removed. The build continues
    /// without it. After a failed write it writes no more files.
    fn not_kept(&self, _error: &TableError) {}
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildOptions")
            .field("cancel", &self.cancel)
            .field("observer", &self.observer.is_some())
            .field("checkpoint", &self.checkpoint)
            .field("team", &self.team.is_some())
            .finish()
    }
}

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
    /// The table is made, but another process has it: the one that leads the [`Team`].
    #[error("another process has the table")]
    Elsewhere,
    /// The parameters do not describe a table. The text says why.
    #[error("{0}")]
    Refused(String),
    /// The caller cancelled.
    #[error("the build was cancelled")]
    Cancelled,
}

/// Builds the table of the exact distances of all entries, with 4 or 8 bits an entry. Runs on the
/// current rayon thread pool. The table does not depend on the number of threads.
///
/// # Errors
/// If a distance is above 14 (4 bits) or 254 (8 bits), the shape is impossible, or there is no
/// goal. Also if a goal is no entry, memory is short, or the caller cancels.
///
/// # Panics
/// If an edge leads to a row that does not exist, or a column map is shorter than a row or leads
/// out of it.
pub fn build<const BITS: usize>(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
) -> Result<PackedTable, BuildError> {
    const { assert!(matches!(BITS, 4 | 8), "4 or 8 bits an entry") };
    build_bits(abstraction, options, if BITS == 4 { 4 } else { 8 })
}

/// [`build()`] with the bits as a value, so that it is compiled once, in this crate.
fn build_bits(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
    bits: u32,
) -> Result<PackedTable, BuildError> {
    if let Some(team) = options.team {
        return of_team(team, abstraction, TeamDistances::exact(bits), options);
    }
    let entries = entries_of(abstraction)?;
    let filled = fill(PackedTable::bytes_for(bits, entries), |words| match bits {
        4 => run(abstraction, options, Table::<4>::unseen(words, options.cancel)),
        _ => run(abstraction, options, Table::<8>::unseen(words, options.cancel)),
    })?;
    Ok(PackedTable::new(filled.freeze(), bits, entries).expect("made to fit"))
}

/// Makes all layers of a table. All entries of `unseen` must be unseen, unless the build is
/// cancelled.
pub(crate) fn run<T: Store>(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
    unseen: T,
) -> Result<(), BuildError> {
    Builder::new(abstraction, options, unseen).run()
}

/// Allocates the memory of a table, fills it by `run`, and returns its bytes.
pub(crate) fn fill(
    bytes: u64,
    run: impl FnOnce(&[AtomicU64]) -> Result<(), BuildError>,
) -> Result<BytesMut, BuildError> {
    let mut memory = allocate(bytes)?;
    run(memory.as_words())?;
    Ok(memory)
}

/// Allocates the memory of a table, and sets each byte by `byte`, in the order of their numbers.
pub(crate) fn fill_bytes(bytes: u64, mut byte: impl FnMut(u64) -> u8) -> Result<Bytes, BuildError> {
    let mut memory = allocate(bytes)?;
    (0..).zip(memory.as_mut_slice()).for_each(|(place, out)| *out = byte(place));
    Ok(memory.freeze())
}

fn allocate(bytes: u64) -> Result<BytesMut, BuildError> {
    usize::try_from(bytes)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(BytesMut::zeroed)
        .map_err(|source| BuildError::Memory { bytes, source })
}

/// The number of entries of an abstraction. An error if its shape is impossible.
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
