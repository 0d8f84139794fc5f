//! Builds tables of one or two bits an entry from layers on disk: [`build_stripes_on_disk`],
//! [`build_remainders_on_disk`].
//!
//! The layers are those of exact distances, with four or eight bits an entry. When they are
//! complete, each bucket is read once more, and the payload of its rows is written.

use super::options::DiskOptions;
use super::run::DiskRun;
use super::table::save;
use crate::abstraction::Abstraction;
use crate::builder::entries_of;
use crate::file::{Checkpoint, TableSpec, TableStore};
use crate::layers::ExhaustError;
use crate::table::{Modulo3, StripeCode, StripeTable};
use search::Cost;
use std::io::{self, Write};

/// Builds a [`StripeTable`] with its layers on disk, and saves it in `store`. The file is byte for
/// byte that of [`StripeTable::build`], and only the layers that it needs are made.
///
/// While it is built, an entry takes four bits. Otherwise time, disk space and memory: as
/// [`build_on_disk`](super::build_on_disk).
///
/// # Errors
/// As [`build_on_disk`](super::build_on_disk), and if an edge does not cost 1.
///
/// # Panics
/// As [`exhaust_on_disk`](super::exhaust_on_disk). Also if lookups would return values above 14, or
/// the specification is not that of such a table of the abstraction.
pub fn build_stripes_on_disk(
    abstraction: &dyn Abstraction,
    code: impl Into<StripeCode>,
    checkpoint: &Checkpoint,
    options: &DiskOptions<'_>,
    (store, spec): (&TableStore, &TableSpec),
) -> Result<(), ExhaustError> {
    let (code, entries) = (code.into(), entries_of(abstraction)?);
    code.check();
    let (rows, columns) = abstraction.shape();
    let bytes = StripeTable::bytes_in(code, rows, columns);
    assert_eq!((spec.entries, spec.payload_bytes), (entries, bytes), "the form of the table");
    let most = Some(code.last_layer());
    DiskRun::<4>::run(abstraction, checkpoint, (options, most), |run| {
        save(run, (store, spec), &mut |run, out| {
            run.converted(out, &|codes, rows, write| {
                let starts = (0..rows).flat_map(|row| {
                    let firsts = (0..columns).step_by(code.stripe());
                    firsts.map(move |first| (row * columns, first))
                });
                for (row, first) in starts {
                    let distance = |column| {
                        let entry = row + column;
                        // Unseen entries have 15, which is above the greatest code.
                        codes[entry / 2] >> (entry % 2 * 4) & 15
                    };
                    write(&code.stripe_of(columns, first, distance))?;
                }
                Ok(())
            })
        })
    })
}

/// Builds a [`Modulo3`] with its layers on disk, and saves it in `store`. The file is byte for byte
/// that of [`Modulo3::build`].
///
/// While it is built, an entry takes eight bits. Otherwise time, disk space and memory: as
/// [`build_on_disk`](super::build_on_disk).
///
/// # Errors
/// As [`build_on_disk`](super::build_on_disk), and if the abstraction is directed or an edge does
/// not cost 1.
///
/// # Panics
/// As [`exhaust_on_disk`](super::exhaust_on_disk). Also if the specification is not that of such a
/// table of the abstraction.
pub fn build_remainders_on_disk(
    abstraction: &dyn Abstraction,
    checkpoint: &Checkpoint,
    options: &DiskOptions<'_>,
    (store, spec): (&TableStore, &TableSpec),
) -> Result<(), ExhaustError> {
    let entries = entries_of(abstraction)?;
    let bytes = Modulo3::bytes_for(entries);
    assert_eq!((spec.entries, spec.payload_bytes), (entries, bytes), "the form of the table");
    Modulo3::check_undirected(abstraction)?;
    // With a limit, each edge must cost 1. No code is left for the distance 255, so it is an error.
    let most = Some(Cost::MAX);
    DiskRun::<8>::run(abstraction, checkpoint, (options, most), |run| {
        save(run, (store, spec), &mut |run, out| {
            // A bucket begins with a word of codes, so also with a byte of remainders.
            run.converted(out, &|codes, _, write| {
                codes.chunks(4).try_for_each(|codes| {
                    let mut distances = [Cost::MAX; 4];
                    distances[..codes.len()].copy_from_slice(codes);
                    write(&[Modulo3::byte_of(distances)])
                })
            })
        })
    })
}

/// Writes some bytes of a payload, or fails.
type WriteBytes<'w> = dyn FnMut(&[u8]) -> Result<(), FewBitsHalt> + 'w;

/// Writes the payload of a bucket, from its codes and its number of rows.
type Convert<'c> = dyn Fn(&[u8], usize, &mut WriteBytes<'_>) -> Result<(), FewBitsHalt> + 'c;

/// Why a payload was not written.
enum FewBitsHalt {
    Layers(ExhaustError),
    Output(io::Error),
}

impl<const BITS: usize> DiskRun<'_, BITS> {
    /// Calls `convert` with the codes of each bucket and its number of rows. What it writes goes to
    /// `out` in larger pieces.
    ///
    /// # Errors
    /// The outer one if a bucket cannot be read or the caller cancels, the inner one if `out`
    /// fails.
    fn converted(
        &mut self,
        out: &mut dyn Write,
        convert: &Convert<'_>,
    ) -> Result<io::Result<()>, ExhaustError> {
        // The batches are gone by now.
        let most = self.spill.buffers.batch;
        let (files, mut piece) = (self.buckets.files, Vec::with_capacity(most));
        for number in 0..self.buckets.next.len() {
            self.buckets.load_in_turn(number)?;
            let rows = self.buckets.made.cut.rows_of(number);
            let rows = usize::try_from(rows.end - rows.start).expect("rows in memory");
            let mut write = |bytes: &[u8]| {
                if piece.len() + bytes.len() > most {
                    files.check().map_err(FewBitsHalt::Layers)?;
                    out.write_all(&piece).map_err(FewBitsHalt::Output)?;
                    piece.clear();
                }
                piece.extend_from_slice(bytes);
                Ok(())
            };
            match convert(self.buckets.bytes(number), rows, &mut write) {
                Ok(()) => {}
                Err(FewBitsHalt::Layers(error)) => return Err(error),
                Err(FewBitsHalt::Output(error)) => return Ok(Err(error)),
            }
        }
        Ok(out.write_all(&piece))
    }
}
