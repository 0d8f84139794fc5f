//! Exhaustive search: how many entries of an abstraction are at each distance from the goal, in two
//! bits an entry ("God's algorithm").
//!
//! *Codes*: an entry is unseen, in the layer that is being made, in the layer before, or older.
//! After a layer all codes grow older. That takes a few operations for 32 entries. [`residues`]
//! keeps the table, so there the code of a seen entry is its distance modulo 3. A walk forward then
//! also starts from entries of earlier layers, which finds nothing new.
//!
//! *Invariant*: when layer `d` is complete, exactly the entries at distance `<= d` are seen, and of
//! these exactly those at distance `d` have the code of the frontier (modulo 3: those at distance
//! `d`, `d - 3`, ..).
//!
//! Layers are made forward from the frontier or, in an undirected abstraction, backward from the
//! unseen entries; a neighbour of an unseen entry that is seen lies in the layer before, so
//! residues are as good as distances there. Rows, blocks, column maps and the choice of the
//! direction are those of [`build()`](crate::build()); unlike there, each edge costs 1, and
//! distances have no limit.
//!
//! Two bits an entry with residues modulo 3: Gene Cooperman and Larry Finkelstein, "New methods for
//! using Cayley graphs in interconnection networks", Discrete Applied Mathematics 37/38, 1992.
//!
//! For domains without a dense rank, or with more states than fit: [`search::Layers`], which keeps
//! two layers of packed states.

mod checkpoint;
mod classes;
mod run;
#[cfg(test)]
mod tests;

pub use classes::{ClassLayerOptions, exhaust_classes};

use crate::abstraction::Abstraction;
use crate::builder::{BuildError, BuildOptions, block_rows, entries_of};
use crate::memory::BytesMut;
use crate::table::Modulo3;
use checkpoint::TAIL_WORDS;
use run::Run;
use search::Cost;
use std::io;

/// How an abstraction is exhausted. It uses the current rayon thread pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExhaustOptions<'a> {
    /// Cancellation, progress and checkpoints. Layers
    /// from 255 on are told as layer 255. From layer 4,095 on nothing is saved.
    pub build: BuildOptions<'a>,
    /// Bytes at the most; [`bytes_needed`] says how many there will be. [default: no limit]
    pub limit: Option<u64>,
    /// How many entries of the deepest layer are listed, those with the lowest numbers. [default:
    /// none]
    pub antipodes: usize,
}

/// The layers of an abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExhaustReport {
    /// How many entries lie at each distance from the nearest goal; the last one is not 0.
    pub layers: Vec<u64>,
    /// How many entries no goal is reached from.
    pub unreached: u64,
    /// Entries of the deepest layer, ascending, as many as asked for.
    pub antipodes: Vec<u64>,
}

/// Why an abstraction was not exhausted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExhaustError {
    /// Shape, goals, memory that could not be had, or cancellation.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// More memory is needed than is allowed.
    #[error("{entries} entries need {needed} bytes, but {limit} are allowed")]
    Limit {
        /// How many entries there are.
        entries: u64,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Layers are counted in edges.
    #[error("an edge costs {cost}; the layers are those of edges that cost 1")]
    Weighted {
        /// The cost of an edge.
        cost: Cost,
    },
    /// Distances modulo 3 lead nowhere.
    #[error("distances modulo 3 need an abstraction whose edges can be walked back")]
    Directed,
}

/// Bytes that an abstraction needs: two bits an entry, two bits for each block of rows of about 256
/// entries, two for each row of 16 columns and more, and 32 KiB. `None` if that is above 2^64 - 1,
/// or it has no entries.
pub fn bytes_needed(abstraction: &dyn Abstraction) -> Option<u64> {
    let entries = entries_of(abstraction).ok()?;
    let flags = |count: u64| count.div_ceil(64) * 8 * 2;
    let blocks = flags(abstraction.rows().div_ceil(block_rows(abstraction.columns())));
    let colours = if abstraction.columns() < 16 { 0 } else { flags(abstraction.rows()) };
    [entries.div_ceil(32) * 8, TAIL_WORDS as u64 * 8, blocks, colours]
        .into_iter()
        .try_fold(0_u64, u64::checked_add)
}

/// Counts the entries at each distance from the nearest goal. The same answer with any number of
/// threads.
///
/// Time: every edge of every entry once, or less; for each layer a pass over the table. Memory:
/// [`bytes_needed`].
///
/// # Errors
/// More memory than the limit or the system allows, an edge that costs not 1, an impossible shape,
/// a goal outside, or cancellation.
///
/// # Panics
/// If an edge leads to a row outside, or a map is shorter than a row or leads outside it.
pub fn exhaust(
    abstraction: &dyn Abstraction,
    options: &ExhaustOptions<'_>,
) -> Result<ExhaustReport, ExhaustError> {
    exhaust_codes(abstraction, options, false).map(|(exhausted, _)| exhausted)
}

/// As [`exhaust`], and keeps the distances modulo 3, by which a plan is found without search.
///
/// # Errors
/// As [`exhaust`], or if the abstraction is not undirected.
///
/// # Panics
/// As [`exhaust`].
pub fn residues(
    abstraction: &dyn Abstraction,
    options: &ExhaustOptions<'_>,
) -> Result<(ExhaustReport, Modulo3), ExhaustError> {
    if !abstraction.undirected() {
        return Err(ExhaustError::Directed);
    }
    let (mut exhausted, memory) = exhaust_codes(abstraction, options, true)?;
    let entries = exhausted.layers.iter().sum::<u64>() + exhausted.unreached;
    let bytes = usize::try_from(Modulo3::bytes_for(entries)).expect("bytes in memory");
    let table = Modulo3::new(memory.freeze().prefix(bytes), entries)
        .expect("the codes come first in the memory");
    // What lies three layers and more behind has the same code.
    let deepest = exhausted.layers.len() as u64 - 1;
    exhausted.antipodes = table.at_distance(abstraction, deepest).take(options.antipodes).collect();
    Ok((exhausted, table))
}

fn exhaust_codes(
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
    let exhausted = Run::run(abstraction, options, residues, &mut memory)?;
    Ok((exhausted, memory))
}
