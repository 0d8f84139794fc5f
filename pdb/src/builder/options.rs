//! What a build is asked for: [`BuildOptions`], and the [`Team`] that may make its layers.

use super::error::BuildError;
use super::observer::BuildObserver;
use crate::abstraction::Abstraction;
use crate::file::Checkpoint;
use crate::layers::{ExhaustError, ExhaustReport};
use crate::memory::Bytes;
use search::{CancelToken, Cost};

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

/// Processes that make layers together. Each owns a part of the entries.
///
/// All processes of a team begin the same builds and counts, in the same order. They have the same
/// abstractions and options. One of them leads.
pub trait Team: Sync {
    /// The bytes of a [`PackedTable`](crate::PackedTable) of these distances, on the process that
    /// leads.
    ///
    /// The caller has prepared the abstraction, and checked its shape and its goals.
    ///
    /// # Errors
    /// [`BuildError::Elsewhere`] on all other processes, if the table is made. If it is not made,
    /// an error on all processes, as [`build`](crate::build()).
    fn distances(
        &self,
        abstraction: &dyn Abstraction,
        wanted: TeamDistances,
        options: &BuildOptions<'_>,
    ) -> Result<Bytes, BuildError>;

    /// Counts the entries at each distance, as [`exhaust`](crate::layers::exhaust). All processes
    /// get the report.
    ///
    /// # Errors
    /// As [`exhaust`](crate::layers::exhaust), on all processes.
    fn count(
        &self,
        abstraction: &dyn Abstraction,
        antipodes: usize,
        options: &BuildOptions<'_>,
    ) -> Result<ExhaustReport, ExhaustError>;
}

/// Which distances a table of a [`Team`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamDistances {
    /// The bits of an entry, 4 or 8.
    pub bits: u32,
    /// Distances above this, or above what `bits` can hold, count as unreached; each edge must then
    /// cost 1. `None`: a distance that does not fit is an error.
    pub most: Option<Cost>,
}

impl TeamDistances {
    /// All distances, in entries of `bits` bits.
    pub const fn exact(bits: u32) -> Self {
        Self { bits, most: None }
    }

    /// The greatest distance that the table can hold.
    pub fn greatest(self) -> Cost {
        let fits = u8::MAX >> (8 - self.bits);
        self.most.map_or(fits - 1, |most| most.min(fits - 1))
    }
}
