//! What an exhaustive search is asked for: [`ExhaustOptions`].

use crate::builder::BuildOptions;

/// Options of an exhaustive search. It uses the current rayon thread pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExhaustOptions<'a> {
    /// Cancellation, progress and checkpoints. Layers from 255 on are reported as layer 255. Layers
    /// from 4,095 on are not saved.
    pub build: BuildOptions<'a>,
    /// Maximum memory in bytes; [`bytes_needed`](super::bytes_needed) tells the number beforehand.
    /// [default: no limit]
    pub limit: Option<u64>,
    /// Maximum number of entries of the deepest layer to list: those with the lowest numbers.
    /// [default: none]
    pub antipodes: usize,
    /// Entries to count apart, ascending, each once. The search ends when all are reached, and
    /// saves no layers. [default: none]
    pub watched: &'a [u64],
}
