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
mod entries;
mod error;
mod flags;
mod layers;
mod observer;
mod options;
mod row;
mod table;
mod team;
mod walk;
mod wide;
pub(crate) mod words;

pub(crate) use checkpoint::BuildFiles;
pub(crate) use colours::{Colours, colours};
pub(crate) use direction::DirectionEstimate;
pub(crate) use entries::{check, entries_of, fill, fill_bytes, goals_of};
pub use error::BuildError;
pub(crate) use flags::Flags;
pub use observer::BuildObserver;
pub use options::{BuildOptions, Team, TeamDistances};
pub(crate) use row::{Bitmap, Layout, Row};
pub(crate) use table::{BuildTable, PackedLayout, Table};
pub(crate) use team::of_team;
pub(crate) use walk::{Cancellation, Walk, block_rows, map_of, sweep, through};
pub(crate) use wide::Wide;
pub(crate) use words::equal;

use crate::abstraction::Abstraction;
use crate::table::PackedTable;
use layers::Builder;

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
pub(crate) fn run<T: BuildTable>(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
    unseen: T,
) -> Result<(), BuildError> {
    Builder::new(abstraction, options, unseen).run()
}

#[cfg(test)]
pub(crate) mod tests;
