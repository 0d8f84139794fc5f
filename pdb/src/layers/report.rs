//! What an exhaustive search answers: [`ExhaustReport`], [`ExhaustError`].

use crate::builder::BuildError;
use crate::file::TableError;
use search::Cost;

/// The result of an exhaustive search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExhaustReport {
    /// For each distance from the nearest goal: the number of entries. The last number is not 0.
    pub layers: Vec<u64>,
    /// Number of entries that reach no goal.
    pub unreached: u64,
    /// Entries of the deepest layer, ascending, at most as many as the options ask for.
    pub antipodes: Vec<u64>,
    /// For each distance: the number of watched entries. Empty if none are watched.
    pub watched: Vec<u64>,
}

/// Why an exhaustive search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExhaustError {
    /// An error as in a build: shape, goals, memory, or cancellation.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The search needs more memory than the limit.
    #[error("{entries} entries need {needed} bytes, but {limit} are allowed")]
    Limit {
        /// Number of entries of the abstraction.
        entries: u64,
        /// Number of bytes needed.
        needed: u64,
        /// Number of bytes allowed.
        limit: u64,
    },
    /// An edge does not cost 1. Layers are counted in edges.
    #[error("an edge costs {cost}; the layers are those of edges that cost 1")]
    Weighted {
        /// The cost of an edge.
        cost: Cost,
    },
    /// The abstraction does not say that it is undirected. Distances modulo 3 might then not lead
    /// to a goal.
    #[error("distances modulo 3 need an abstraction whose edges can be walked back")]
    Directed,
    /// A file of a search on disk could not be read or written, or the disk has too little space.
    #[error(transparent)]
    File(#[from] TableError),
}
