//! Builds a table with its entries on disk: [`build_on_disk`].

use super::options::DiskOptions;
use super::run::DiskRun;
use crate::abstraction::Abstraction;
use crate::builder::{BuildError, entries_of};
use crate::file::{Checkpoint, TableErrorKind, TableSpec, TableStore};
use crate::layers::ExhaustError;
use crate::table::PackedTable;
use std::io::{self, Write};

/// Builds the table of the exact distances of all entries, with 4 or 8 bits an entry, and saves it
/// in `store`. The file is byte for byte that of [`build()`](crate::build()). Edges may have any
/// cost.
///
/// The entries are on disk, in files of the folder `checkpoint.store`. So the table may exceed the
/// memory. Each complete layer is saved: if the same build starts again, it goes on from the last
/// one. Time, disk space and memory: as [`exhaust_on_disk`](super::exhaust_on_disk). While the file
/// is written, both the table and its file are on disk.
///
/// # Errors
/// As [`exhaust_on_disk`](super::exhaust_on_disk), and if a distance is above 14 (4 bits) or 254 (8
/// bits). Also if the file exists already or cannot be written. Then all layers stay, and the same
/// build goes on with writing it.
///
/// # Panics
/// As [`exhaust_on_disk`](super::exhaust_on_disk). Also if the specification is not that of a
/// [`PackedTable`] of the abstraction.
pub fn build_on_disk<const BITS: usize>(
    abstraction: &dyn Abstraction,
    checkpoint: &Checkpoint,
    options: &DiskOptions<'_>,
    (store, spec): (&TableStore, &TableSpec),
) -> Result<(), ExhaustError> {
    const { assert!(matches!(BITS, 4 | 8), "4 or 8 bits an entry") };
    let entries = entries_of(abstraction)?;
    let bytes = PackedTable::bytes_for(if BITS == 4 { 4 } else { 8 }, entries);
    assert_eq!((spec.entries, spec.payload_bytes), (entries, bytes), "the form of the table");
    DiskRun::<BITS>::run(abstraction, checkpoint, (options, None), |run| {
        save(run, (store, spec), &mut |run, out| run.buckets.payload(bytes, out))
    })
}

/// Writes the payload of a table. The inner error is that of the writer.
type WritePayload<'w, 'a, const BITS: usize> =
    dyn FnMut(&mut DiskRun<'a, BITS>, &mut dyn Write) -> Result<io::Result<()>, ExhaustError> + 'w;

/// Saves the table whose layers a run has made, and removes all files of the run.
pub(super) fn save<'a, const BITS: usize>(
    mut run: DiskRun<'a, BITS>,
    (store, spec): (&TableStore, &TableSpec),
    payload: &mut WritePayload<'_, 'a, BITS>,
) -> Result<(), ExhaustError> {
    let (cancel, mut unread) = (run.plan.options.cancel, None);
    let mut fill = |out: &mut dyn Write| {
        payload(&mut run, out).unwrap_or_else(|error| {
            unread = Some(error);
            Err(io::Error::other("the entries cannot be read"))
        })
    };
    let saved = store.save_until(spec, &mut fill, cancel);
    match (unread, saved) {
        (None, Ok(_)) => {
            run.remove();
            Ok(())
        }
        (None, Err(error)) if matches!(error.kind(), TableErrorKind::Cancelled) => {
            Err(BuildError::Cancelled.into())
        }
        (None, Err(error)) => Err(run.failed(error.into())),
        (Some(error), _) => Err(run.failed(error)),
    }
}
