//! Exhaustive searches and builds with the entries on disk, for tables larger than the memory:
//! [`exhaust_on_disk`], [`build_on_disk`], [`reduce_on_disk`], [`build_stripes_on_disk`],
//! [`build_remainders_on_disk`].
//!
//! The rows are cut into *buckets* whose codes fit five eighths of the memory. A layer has two
//! passes:
//! 1. *Expand*: each bucket with entries of the last layer is read. Edges into any bucket are
//!    appended to that bucket's spill file, a row at a time.
//! 2. *Merge*: each bucket with a spill file is read, all its steps are applied, and the bucket is
//!    written.
//!
//! All files are read and written from front to back. Beside the work, one thread writes full
//! buffers, one reads the spill files ahead, and one syncs the buckets. If the spill files reach
//! their limit, a merge comes in between, and the expansion goes on afterwards. So their space is
//! bounded.
//!
//! *Codes* of two bits: 0 is old, 1 and 2 are the last two layers that have entries in the bucket
//! (1 in even layers, 2 in odd ones), and 3 is unseen. Before a merge
//! gives its code to new entries, it makes all entries with that code old. These are at least two
//! layers back. With four or eight bits, a code is a distance, or all bits for unseen entries: so
//! the buckets one after another are the table that is built.
//!
//! *Invariant*: between two layers the manifest names, for each bucket, the file that holds its
//! codes. A merge writes the other file of the bucket, so until the next manifest is saved, all
//! that the last one names stays as it was. A killed search goes on from there.
//!
//! *Costs*: an edge of cost `c` leads from layer `d - c` to layer `d`. So with codes that are
//! distances, layer `d` is made from several layers, one for each known cost. The edges of an entry
//! are read in the layer after its own, at the latest. That tells their costs early enough. Where
//! edges cost 0, a layer is expanded into itself until nothing changes. If the first such edge is
//! found from layer `d - 1`, while layer `d` is made, both are made anew.
//!
//! Korf, "Linear-time disk-based implicit graph search", JACM 55(6), 2008, has two bits a state on
//! disk and delays the detection of duplicates in this way. Kunkle and Cooperman, "Twenty-six moves
//! suffice for Rubik's cube", ISSAC 2007, do so with buckets. Here a spilled step is not a state
//! but an edge of a whole row: the target row, a column map, and a set of columns.

mod apply;
mod buckets;
mod costs;
mod cut;
mod each;
#[cfg(test)]
mod few_bit_tests;
mod few_bits;
mod files;
#[cfg(test)]
mod form_tests;
mod io_thread;
mod layer;
#[cfg(test)]
mod least_tests;
mod manifest;
mod options;
mod passes;
mod reduce;
#[cfg(test)]
mod reduce_tests;
mod run;
mod spill;
mod spill_files;
mod table;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;
mod windows;

pub use few_bits::{build_remainders_on_disk, build_stripes_on_disk};
pub use options::DiskOptions;
pub use reduce::{Reduction, reduce_on_disk};
pub use run::remove_layers;
pub use table::build_on_disk;

use super::{ExhaustError, ExhaustReport};
use crate::abstraction::Abstraction;
use crate::builder::entries_of;
use crate::file::Checkpoint;
use run::DiskRun;

/// As [`exhaust`](super::exhaust), with the codes on disk. Each complete layer is saved: if the
/// same search starts again, it goes on from the last one, whatever the interval of `checkpoint`
/// says. `checkpoint.store` is the folder of all files.
///
/// Time: about one step for each edge of each entry. A layer reads the buckets that have entries of
/// the layer before. It reads and writes the buckets that get new entries. Disk space: twice the
/// table, and the spill files. All is removed at the end.
///
/// # Errors
/// If a file cannot be read or written, or the disk has not the space. Then the complete layers
/// stay, and the same search goes on from them. Also if the memory does not hold a buffer for each
/// bucket, if another process runs the same search, and as [`exhaust`](super::exhaust).
///
/// # Panics
/// As [`exhaust`](super::exhaust).
pub fn exhaust_on_disk(
    abstraction: &dyn Abstraction,
    checkpoint: &Checkpoint,
    options: &DiskOptions<'_>,
) -> Result<ExhaustReport, ExhaustError> {
    entries_of(abstraction)?;
    DiskRun::<2>::run(abstraction, checkpoint, (options, None), |run| run.report())
}
