//! Breadth-first search by layers. Layer `d` holds all states that are `d` operators away from the
//! nearest start.
//!
//! **Invariant.** If [`Layers::advance`] returns `n > 0` for layer `d`, the layer is exact. It
//! holds the states whose shortest operator string from a start has length `d`. So layers are
//! disjoint.
//!
//! **Method.** The hash of a state chooses its *shard*. Each shard has a hash table and an arena of
//! packed states. A *round* expands a bounded part of the layer in parallel. It sorts the
//! successors by shard, and inserts them shard by shard. So each thread works in a table that fits
//! its cache. The size of a round does not depend on the number of threads. So the states of a
//! layer have the same order on every machine.
//!
//! Source: Richard Korf, "Linear-time disk-based implicit graph search", Journal of the ACM 55(6),
//! 2008 (hash-based duplicate detection by partitions). Ours works in memory only.
//!
//! Time: O(states in the expanded layers x operators) insertions. Memory: for each stored state a
//! key (usually 4 to 16 bytes) and 6 to 12 bytes of table. The successors of one round take at most
//! 128 MiB more.

mod layers;
mod round;
mod symmetric;
#[cfg(test)]
mod tests;

pub use layers::Layers;
pub use symmetric::{SymmetricLayer, SymmetricLayers, SymmetryClasses};

use crate::control::{Options, Stop};
use crate::domain::{Packed, Reversible};

/// The binary logarithm of the number of shards. The table of one shard fits the second-level
/// cache, even if the search fills the memory.
const SHARD_BITS: u32 = 10;

/// The number of the shard that holds states with this hash. The table of a shard uses the lowest
/// bits of the hash for slots and the highest for tags. The shard is chosen by bits between the
/// two.
#[inline(always)]
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize & ((1 << SHARD_BITS) - 1)
}

/// Why a breadth-first search stopped inside a layer. The layers before are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// The states need more than [`Limits::bytes`](crate::Limits::bytes).
    #[error("layer {layer} does not fit into {limit} bytes")]
    Memory {
        /// The layer that could not be completed.
        layer: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The saved keys do not fit their layer: the number of different keys is not the size of the
    /// layer.
    #[error("the keys of layer {layer} are not those of its states")]
    Keys {
        /// The layer.
        layer: usize,
    },
    /// The search generated [`Limits::nodes`](crate::Limits::nodes) successors.
    #[error("the limit of nodes was reached in layer {layer}")]
    Nodes {
        /// The layer that could not be completed.
        layer: usize,
    },
    /// [`Limits::time`](crate::Limits::time) has passed.
    #[error("the limit of time was reached in layer {layer}")]
    Time {
        /// The layer that could not be completed.
        layer: usize,
    },
    /// The caller cancelled.
    #[error("cancelled in layer {layer}")]
    Cancelled {
        /// The layer that could not be completed.
        layer: usize,
    },
}

impl LayersError {
    fn in_layer(layer: usize, stop: Stop) -> Self {
        match stop {
            Stop::Nodes => Self::Nodes { layer },
            Stop::Time => Self::Time { layer },
            Stop::Cancelled => Self::Cancelled { layer },
        }
    }
}

/// The number of states at each distance from `start`, in operators: entry `d` counts those at
/// distance `d`, for `d` from 0 to `depth`. The list is shorter if there are no more states.
///
/// # Errors
/// If the search reaches a limit first. Use [`Layers`] to keep the complete layers.
pub fn layer_counts<D: Packed>(
    domain: &D,
    start: &D::State,
    depth: usize,
    options: &Options,
) -> Result<Vec<u64>, LayersError> {
    count(Layers::new(domain, std::slice::from_ref(start), options), depth)
}

/// The same counts as [`layer_counts`], but the search forgets all layers except the last two.
///
/// # Errors
/// If the search reaches a limit first.
pub fn layer_counts_reversible<D: Packed + Reversible>(
    domain: &D,
    start: &D::State,
    depth: usize,
    options: &Options,
) -> Result<Vec<u64>, LayersError> {
    count(Layers::last_two(domain, std::slice::from_ref(start), options), depth)
}

fn count<D: Packed>(mut layers: Layers<D>, depth: usize) -> Result<Vec<u64>, LayersError> {
    for _ in 0..depth {
        if layers.advance()? == 0 {
            break;
        }
    }
    Ok(layers.sizes().to_vec())
}
