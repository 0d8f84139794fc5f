//! What a search on disk is asked for: [`DiskOptions`].

use crate::builder::BuildObserver;
use search::CancelToken;

/// Options of an exhaustive search on disk. It uses the current rayon thread pool.
#[derive(Clone, Copy)]
pub struct DiskOptions<'a> {
    /// Cancels the search. [default: none]
    pub cancel: Option<&'a CancelToken>,
    /// Receives the progress. [default: none]
    pub observer: Option<&'a dyn BuildObserver>,
    /// Most bytes of codes and buffers together. The abstraction's own memory is not counted.
    /// [default: 1 GiB]
    pub memory: u64,
    /// Most bytes of all spill files together. One sixteenth of a bucket's edges may come on top.
    /// [default: eight times the table, but no more than the disk has]
    pub spill: Option<u64>,
    /// Maximum number of entries of the deepest layer to list: those with the lowest numbers.
    /// [default: none]
    pub antipodes: usize,
}

impl Default for DiskOptions<'_> {
    fn default() -> Self {
        Self { cancel: None, observer: None, memory: 1 << 30, spill: None, antipodes: 0 }
    }
}

impl std::fmt::Debug for DiskOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiskOptions")
            .field("cancel", &self.cancel)
            .field("observer", &self.observer.is_some())
            .field("memory", &self.memory)
            .field("spill", &self.spill)
            .field("antipodes", &self.antipodes)
            .finish()
    }
}
