//! All entries of an abstraction, layer by layer, on all ranks: [`count_layers`].

mod checkpoint;
mod rounds;
mod space;

use crate::Comm;
use checkpoint::{Checkpoint, Slice};
use fewest::pdb::{Abstraction, Edge};
use fewest::search::CancelToken;
use rayon::prelude::*;
use rounds::{Rounds, pack, unpack};
pub use space::Space;
use std::path::PathBuf;

/// The most entries of a rank that are expanded in one round: it bounds the memory of messages.
const ROUND: usize = 1 << 18;
/// The entries that a thread expands at once.
const CHUNK: usize = 1 << 12;

/// How [`count_layers`] works. The same on all ranks.
#[derive(Clone, Debug, Default)]
pub struct LayerOptions {
    /// The folder of the checkpoints, on a disk that all machines see. [default: none are kept]
    pub folder: Option<PathBuf>,
    /// What is counted: a checkpoint of another name is refused.
    pub name: String,
    /// Ends the count after a checkpoint, so that it can go on later. Looked at in each round.
    pub cancel: CancelToken,
}

/// Why the layers were not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// An edge does not cost 1.
    #[error("an edge does not cost 1: layers are those of edges that cost 1")]
    Weighted,
    /// A rank cancelled. The layers that are complete are in the folder.
    #[error("cancelled")]
    Cancelled,
    /// A checkpoint cannot be read or written, or is of another count.
    #[error("{0}")]
    Checkpoint(String),
    /// Another rank cannot read or write its part of a checkpoint.
    #[error("another rank cannot read or write its part of a checkpoint")]
    Elsewhere,
}

/// Flags of a message: the rank has more to expand in this layer.
const MORE: u8 = 1;
const WEIGHTED: u8 = 2;
const CANCELLED: u8 = 4;

/// Counts the entries at each distance from the nearest goal, on all ranks. Calls `tell` with each
/// layer as soon as it is complete. The counts do not depend on the number of ranks and threads.
/// Entries that reach no goal are in no layer.
///
/// Each rank owns a range of the entries, three bits for each, and expands those of the last layer.
/// Successors go to their owners in rounds of at most 2^18 expanded entries a rank. A checkpoint
/// follows each layer. A later call goes on from it, with any number of ranks.
///
/// # Errors
/// On all ranks: if an edge does not cost 1, a rank cancels, or a checkpoint cannot be used.
pub fn count_layers<C: Comm>(
    comm: &C,
    abstraction: &dyn Abstraction,
    options: &LayerOptions,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<Vec<u64>, LayersError> {
    let entries = abstraction.rows() * abstraction.columns() as u64;
    let mut rounds = Rounds::new(comm);
    let mut slice = Slice::new(entries, comm.rank(), comm.size());
    let mut checkpoint = Checkpoint::new(options.folder.as_deref(), &options.name, entries);
    let mut layers = together(&mut rounds, checkpoint.load(&mut slice))?;
    if layers.is_empty() {
        let mut goals = Vec::new();
        abstraction.goals(&mut goals);
        goals.iter().for_each(|&goal| _ = slice.reach(goal));
        slice.advance();
        let [count] = rounds.sum([slice.frontier_size()]);
        layers.push(count);
    }
    layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count));
    while layers.last().is_some_and(|&count| count > 0) {
        let reached = expand(&mut rounds, abstraction, &mut slice, options)?;
        slice.advance();
        let [count] = rounds.sum([reached]);
        layers.push(count);
        if count > 0 {
            tell(layers.len() - 1, count);
            let saved = checkpoint.save(&slice, &layers);
            together(&mut rounds, saved)?;
            let published = match comm.rank() {
                0 => checkpoint.publish(&layers, comm.size()),
                _ => Ok(()),
            };
            together(&mut rounds, published)?;
        }
    }
    layers.pop();
    Ok(layers)
}

/// The result of this rank, if no rank failed.
fn together<C: Comm, T>(
    rounds: &mut Rounds<'_, C>,
    own: Result<T, String>,
) -> Result<T, LayersError> {
    let [failed] = rounds.sum([u64::from(own.is_err())]);
    match own {
        Err(error) => Err(LayersError::Checkpoint(error)),
        Ok(_) if failed > 0 => Err(LayersError::Elsewhere),
        Ok(value) => Ok(value),
    }
}

/// Reaches the next layer from the last. Returns how many entries of this rank it has.
fn expand<C: Comm>(
    rounds: &mut Rounds<'_, C>,
    abstraction: &dyn Abstraction,
    slice: &mut Slice,
    options: &LayerOptions,
) -> Result<u64, LayersError> {
    let (mut at, mut reached) = (slice.start(), 0);
    loop {
        let from = slice.frontier_from(&mut at, ROUND);
        let (successors, weighted) = successors(abstraction, &from, slice);
        let more = if at < slice.end() { MORE } else { 0 };
        let wrong = if weighted { WEIGHTED } else { 0 };
        let cancelled = if options.cancel.is_cancelled() { CANCELLED } else { 0 };
        let flags = more | wrong | cancelled;
        let parts = successors.into_par_iter().map(|part| pack(flags, part)).collect();
        let mut all = 0;
        for part in rounds.exchange(parts) {
            let (flags, entries) = unpack(&part);
            all |= flags;
            reached += entries.filter(|&entry| slice.reach(entry)).count() as u64;
        }
        match all {
            all if all & WEIGHTED != 0 => return Err(LayersError::Weighted),
            all if all & CANCELLED != 0 => return Err(LayersError::Cancelled),
            all if all & MORE == 0 => return Ok(reached),
            _ => {}
        }
    }
}

/// The successors of these entries, by owner, and whether an edge does not cost 1.
fn successors(abstraction: &dyn Abstraction, from: &[u64], slice: &Slice) -> (Vec<Vec<u64>>, bool) {
    let columns = abstraction.columns() as u64;
    let none = || (vec![Vec::new(); slice.ranks()], false);
    let chunk = |from: &[u64]| {
        let (mut parts, mut weighted) = none();
        let (mut edges, mut row): (Vec<Edge>, _) = (Vec::new(), None);
        for &entry in from {
            if row != Some(entry / columns) {
                row = Some(entry / columns);
                edges.clear();
                abstraction.edges(entry / columns, &mut edges);
            }
            for edge in &edges {
                weighted |= edge.cost != 1;
                let column = usize::try_from(entry % columns).expect("a column fits");
                let column = abstraction.column_map(edge.map).to(column) as u64;
                let to = edge.row * columns + column;
                parts[slice.owner(to)].push(to);
            }
        }
        (parts, weighted)
    };
    from.par_chunks(CHUNK).map(chunk).reduce(none, |(mut parts, weighted), (others, other)| {
        parts.iter_mut().zip(others).for_each(|(part, other)| part.extend(other));
        (parts, weighted | other)
    })
}
