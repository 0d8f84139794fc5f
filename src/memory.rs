//! The memory that settings allow: what tables and work may take, and the refusal of a heuristic
//! whose tables need more ([`Settings::check_memory`]). Solvers, boards and layers refuse what is
//! too large themselves, with the same [`TooLittleMemory`].

use crate::puzzle::TooLittleMemory;
use crate::settings::{ConfigureError, Settings, SolverChoice};

impl Settings {
    /// Bytes that a build or other work may take while it runs, beside `held` bytes of tables.
    pub(crate) fn work_memory(&self, held: u64) -> u64 {
        self.memory.saturating_add(room_beside(self.memory)).saturating_sub(held)
    }

    /// The bytes within which tables are chosen by their size: the memory, or at least 1 GiB if
    /// tables are built on disk.
    pub(crate) fn chosen_memory(&self) -> u64 {
        if self.disk.is_some() { self.memory.max(1 << 30) } else { self.memory }
    }

    /// An error if the tables of the heuristic need more bytes (`needed`) than the settings allow.
    /// Only the optimal search reads them.
    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), ConfigureError> {
        if self.disk.is_some() || self.memory >= needed || self.solver != SolverChoice::Optimal {
            return Ok(());
        }
        Err(TooLittleMemory::new(&self.heuristic, needed, self.memory).into())
    }
}

/// Bytes that work may take beside tables of `memory` bytes.
///
/// The whole process takes at most 1.1 times the memory of the settings plus 64 MB. The program
/// itself and small things take up to 24 MB of these.
pub(crate) fn room_beside(memory: u64) -> u64 {
    memory / 10 + 40_000_000
}

/// The least memory of the settings with which work may take this many bytes.
pub(crate) fn memory_for_work(bytes: u64) -> u64 {
    (bytes.saturating_sub(room_beside(0)) / 11).saturating_mul(10).saturating_add(10)
}
