//! Why ranks made no layers: [`LayersError`].

use super::rounds::Rounds;
use crate::Comm;
use fewest::pdb::file::TableError;

/// Why the layers were not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// An edge does not cost 1.
    #[error("an edge does not cost 1: layers are those of edges that cost 1")]
    Weighted,
    /// A distance does not fit the entries of a table.
    #[error("an entry has the distance {depth}, which {bits} bits do not hold")]
    TooDeep {
        /// The least distance that does not fit.
        depth: u32,
        /// Bits of an entry.
        bits: u32,
    },
    /// A rank cancelled. The layers that are complete are in the folder.
    #[error("cancelled")]
    Cancelled,
    /// A checkpoint cannot be read or written, or is of another count.
    #[error("{0}")]
    Checkpoint(String),
    /// Another rank cannot read or write its part of a checkpoint.
    #[error("another rank cannot read or write its part of a checkpoint")]
    Elsewhere,
    /// Rank 0 has no memory for the table.
    #[error("no memory for a table of {bytes} bytes")]
    Memory {
        /// The bytes of the table.
        bytes: u64,
    },
}

/// The result of this rank, if no rank failed.
pub(super) fn together<C: Comm, T>(
    rounds: &mut Rounds<'_, C>,
    own: Result<T, TableError>,
) -> Result<T, LayersError> {
    let [failed] = rounds.sum([u64::from(own.is_err())]);
    match own {
        Err(error) => Err(LayersError::Checkpoint(error.to_string())),
        Ok(_) if failed > 0 => Err(LayersError::Elsewhere),
        Ok(value) => Ok(value),
    }
}
