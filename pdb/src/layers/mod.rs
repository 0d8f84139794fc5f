//! Exhaustive search ("God's algorithm"): counts the entries of an abstraction at each distance
//! from the goal. It needs two bits an entry.
//!
//! *Codes*: the code of an entry says that it is unseen, in the layer being made, in the layer
//! before, or older. After a layer all codes are aged, with a few operations for 32 entries.
//! [`residues`] keeps the finished table, so there a seen entry has its distance modulo 3 as code.
//! A forward walk then also starts from earlier layers with the same remainder, but finds nothing
//! new there.
//!
//! *Invariant*: when layer `d` is complete, exactly the entries at distance `<= d` are seen.
//! Exactly the entries at distance `d` have the code of the frontier. With distances modulo 3, the
//! entries at distance `d - 3`, `d - 6` and so on have it too.
//!
//! Layers are made forward from the frontier or, in an undirected abstraction, backward from the
//! unseen entries. A seen neighbour of an unseen entry lies in the last layer. So distances modulo
//! 3 are enough for backward layers. Rows, blocks, column maps and the choice of the direction are
//! those of [`build()`](crate::build()). Unlike there, each edge must cost 1, and distances have no
//! limit.
//!
//! Two bits an entry with residues modulo 3: Gene Cooperman and Larry Finkelstein, "New methods for
//! using Cayley graphs in interconnection networks", Discrete Applied Mathematics 37/38, 1992.
//!
//! For tables larger than the memory, use [`exhaust_on_disk`]. For domains without a dense rank, or
//! with too many states, use [`search::stored::Layers`]. It keeps two layers of packed states.

mod checkpoint;
mod classes;
mod disk;
mod options;
mod report;
mod run;
#[cfg(test)]
mod tests;

pub use classes::{ClassLayerOptions, exhaust_classes};
pub use disk::{
    DiskOptions, Reduction, build_on_disk, build_remainders_on_disk, build_stripes_on_disk,
    exhaust_on_disk, reduce_on_disk, remove_layers,
};

pub use crate::table::residues;
pub use options::ExhaustOptions;
pub use report::{ExhaustError, ExhaustReport};

use crate::abstraction::Abstraction;
use crate::builder::{BuildError, BuildOptions, block_rows, check, entries_of};
use crate::memory::BytesMut;
use checkpoint::TAIL_WORDS;
use run::ExhaustRun;
use std::io;

/// Number of bytes that the search of an abstraction needs. `None` if it exceeds 2^64 - 1, or the
/// shape of the abstraction is impossible. It is the sum of
/// - two bits for each entry;
/// - two bits for each block of rows (about 256 entries);
/// - two bits for each row, if it has 16 columns or more;
/// - 32 KiB.
pub fn bytes_needed(abstraction: &dyn Abstraction) -> Option<u64> {
    let entries = entries_of(abstraction).ok()?;
    let flags = |count: u64| count.div_ceil(64) * 8 * 2;
    let blocks = flags(abstraction.rows().div_ceil(block_rows(abstraction.columns())));
    let colours = if abstraction.columns() < 16 { 0 } else { flags(abstraction.rows()) };
    [entries.div_ceil(32) * 8, TAIL_WORDS as u64 * 8, blocks, colours]
        .into_iter()
        .try_fold(0_u64, u64::checked_add)
}

/// Counts the entries at each distance from the nearest goal. The result does not depend on the
/// number of threads.
///
/// Time: about one step for each edge of each entry, or less in backward layers, and a pass over
/// the table for each layer. Memory: [`bytes_needed`].
///
/// # Errors
/// If it needs more memory than the limit or the operating system allows, or an edge has another
/// cost than 1. Also if the shape is impossible, there is no goal, a goal is no entry, or the
/// caller cancels.
///
/// # Panics
/// If an edge leads to a row that does not exist, or a column map is shorter than a row. If a map
/// leads out of the row, it may panic or count wrongly.
pub fn exhaust(
    abstraction: &dyn Abstraction,
    options: &ExhaustOptions<'_>,
) -> Result<ExhaustReport, ExhaustError> {
    if let (Some(team), []) = (options.build.team, options.watched) {
        check(abstraction, &options.build)?;
        return team.count(abstraction, options.antipodes, &options.build);
    }
    exhaust_codes(abstraction, options, false).map(|(exhausted, _)| exhausted)
}

/// Makes all layers. With `residues`, the codes are distances modulo 3.
pub(crate) fn exhaust_codes(
    abstraction: &dyn Abstraction,
    options: &ExhaustOptions<'_>,
    residues: bool,
) -> Result<(ExhaustReport, BytesMut), ExhaustError> {
    let entries = entries_of(abstraction)?;
    let needed = bytes_needed(abstraction).unwrap_or(u64::MAX);
    if let Some(limit) = options.limit.filter(|&limit| limit < needed) {
        return Err(ExhaustError::Limit { entries, needed, limit });
    }
    let out_of_memory = |source| BuildError::Memory { bytes: needed, source };
    let words = entries.div_ceil(32).saturating_add(TAIL_WORDS as u64);
    let mut memory = usize::try_from(words.saturating_mul(8))
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(BytesMut::zeroed)
        .map_err(out_of_memory)?;
    // A saved layer does not tell when the watched entries were reached.
    let checkpoint = options.build.checkpoint.filter(|_| options.watched.is_empty());
    let build = BuildOptions { checkpoint, ..options.build };
    let options = &ExhaustOptions { build, ..*options };
    let exhausted = ExhaustRun::run(abstraction, options, residues, &mut memory)?;
    Ok((exhausted, memory))
}
