//! All entries of an abstraction, layer by layer, on all ranks: [`count_layers`], and the tables of
//! [`ClusterTeam`](crate::ClusterTeam).

mod checkpoint;
mod error;
mod rounds;
mod slice;
mod spread;

use crate::Comm;
use crate::ranges::Ranges;
use checkpoint::Checkpoint;
pub use error::LayersError;
use fewest::pdb::memory::{Bytes, BytesMut};
use fewest::pdb::{Abstraction, PackedTable, TeamDistances};
use fewest::search::CancelToken;
pub(crate) use rounds::Rounds;
use serde_json::Value;
use slice::Slice;
use spread::{Form, LAST, Spread};
use std::path::PathBuf;

/// The bytes of a table that a rank sends in one round.
const PIECE: usize = 4 << 20;

/// How layers are made. The same on all ranks.
#[derive(Clone, Debug, Default)]
pub struct LayerOptions {
    /// The folder of the checkpoints, on a disk that all machines see. [default: none are kept]
    pub folder: Option<PathBuf>,
    /// What is counted or built, with everything that changes a distance. A checkpoint of another
    /// description is refused. At most about 3,700 bytes of JSON.
    pub description: Value,
    /// Ends the work after a checkpoint, so that it can go on later. Looked at in each round.
    pub cancel: CancelToken,
}

/// Counts the entries at each distance from the nearest goal, on all ranks. Calls `tell` with each
/// layer as soon as it is complete. The counts do not depend on the number of ranks and threads.
/// Entries that reach no goal are in no layer.
///
/// Each rank owns a range of the entries, two bits for each, and expands its part of the newest
/// layer. Successors go to their owners in rounds of at most 2^18 expanded entries a rank. A
/// checkpoint follows each layer. A later call goes on from it, with any number of ranks.
///
/// # Errors
/// On all ranks: if an edge does not cost 1, a rank cancels, or a checkpoint cannot be used.
pub fn count_layers<C: Comm>(
    comm: &C,
    abstraction: &dyn Abstraction,
    options: &LayerOptions,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<Vec<u64>, LayersError> {
    Ok(count(&mut Rounds::new(comm), abstraction, 0, options, tell)?.0)
}

/// As [`count_layers`]. Also returns the lowest entries of the deepest layer, at most `antipodes`.
pub(crate) fn count<C: Comm>(
    rounds: &mut Rounds<'_, C>,
    abstraction: &dyn Abstraction,
    antipodes: usize,
    options: &LayerOptions,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<(Vec<u64>, Vec<u64>), LayersError> {
    let (layers, slice) = layers(rounds, abstraction, Form::Count, options, tell)?;
    let mut at = slice.start();
    let own = match antipodes {
        0 => Vec::new(),
        _ => slice.select(LAST, &mut at, antipodes),
    };
    let own = own.iter().take(antipodes).flat_map(|entry| entry.to_le_bytes()).collect();
    let all = rounds.share(own);
    let entries =
        all.iter().flat_map(|part| part.as_chunks().0).map(|one| u64::from_le_bytes(*one));
    Ok((layers, entries.take(antipodes).collect()))
}

/// The table of the distances of all entries, on rank 0. `None` on all other ranks.
pub(crate) fn table<C: Comm>(
    rounds: &mut Rounds<'_, C>,
    abstraction: &dyn Abstraction,
    wanted: TeamDistances,
    options: &LayerOptions,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<Option<Bytes>, LayersError> {
    let (_, slice) = layers(rounds, abstraction, Form::Table(wanted), options, tell)?;
    gather(rounds, &slice)
}

fn layers<C: Comm>(
    rounds: &mut Rounds<'_, C>,
    abstraction: &dyn Abstraction,
    form: Form,
    options: &LayerOptions,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<(Vec<u64>, Slice), LayersError> {
    let entries = abstraction.rows() * abstraction.columns() as u64;
    let (rank, ranks) = rounds.place();
    let slice = Slice::new(entries, form.bits(), rank, ranks);
    let checkpoint = Checkpoint::new(options.folder.as_deref(), &options.description);
    let mut spread = Spread { rounds, abstraction, form, slice, cancel: &options.cancel };
    let layers = spread.run(&checkpoint, tell)?;
    Ok((layers, spread.slice))
}

/// Brings the parts of a table to rank 0, in rounds of at most 4 MiB a rank.
fn gather<C: Comm>(
    rounds: &mut Rounds<'_, C>,
    slice: &Slice,
) -> Result<Option<Bytes>, LayersError> {
    let (entries, ranks, bits) = (slice.entries(), slice.ranks(), u64::from(slice.bits()));
    let bytes = PackedTable::bytes_for(slice.bits(), entries);
    let mut memory = match slice.rank() {
        0 => usize::try_from(bytes).ok().and_then(|bytes| BytesMut::zeroed(bytes).ok()),
        _ => None,
    };
    let failed = slice.rank() == 0 && memory.is_none();
    if rounds.sum([u64::from(failed)]) != [0] {
        return Err(LayersError::Memory { bytes });
    }
    // A block has 64 entries, so eight bytes for each bit of an entry.
    let starts: Vec<usize> = Ranges::new(entries, ranks)
        .starts()
        .iter()
        .map(|start| start * 8 * bits)
        .map(|start| usize::try_from(start).unwrap_or(usize::MAX))
        .collect();
    let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    let mut own = slice.words().chunks(PIECE / 8);
    for round in 0..longest.div_ceil(PIECE) {
        let piece = own.next().unwrap_or_default();
        let mut parts = vec![Vec::new(); ranks];
        parts[0] = piece.iter().flat_map(|word| word.to_le_bytes()).collect();
        let parts = rounds.exchange(parts);
        let Some(memory) = &mut memory else { continue };
        for (start, part) in starts.iter().zip(parts) {
            // The last block may have fewer entries.
            let rest = memory.as_mut_slice().get_mut(start + round * PIECE..).unwrap_or_default();
            let len = part.len().min(rest.len());
            rest[..len].copy_from_slice(&part[..len]);
        }
    }
    Ok(memory.map(BytesMut::freeze))
}
