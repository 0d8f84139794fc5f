//! Tables whose values are made from exact distances, with both on disk: [`reduce_on_disk`].
//!
//! The payload is cut into [`Windows`], each as large as the codes of a bucket. When all layers are
//! complete, two passes make the windows:
//! 1. *Collect*: the distances are read from front to back, and reduced to values. A record of each
//!    value is appended to the spill file of its window.
//! 2. *Fill*: each window's records are read, put in place, and the window is written.
//!
//! All files are read and written from front to back. If the spill files reach their limit, the
//! later half of the windows is left to another round of both passes.

use super::cut::MOST_BUFFER;
use super::each::each;
use super::options::DiskOptions;
use super::run::DiskRun;
use super::spill::SpillBuffers;
use super::spill_files::{MORE_BUFFERS, Spills, Writer};
use super::table::save;
use super::windows::Windows;
use crate::abstraction::Abstraction;
use crate::builder::{BuildError, entries_of};
use crate::file::{Checkpoint, TableSpec, TableStore};
use crate::layers::ExhaustError;
use crate::table::PackedTable;
use search::threads;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// If buffers would have fewer bytes, fewer windows are made in a round.
const LEAST_BUFFER: u64 = 4096;
/// Most parts of a bucket's groups that threads share.
const PARTS: u64 = 256;

/// How the values of a table are made from the exact distances of an abstraction. The rows are cut
/// into *groups* of consecutive rows, and each group is reduced on its own.
pub trait Reduction: Sync {
    /// Bits of a value: 4 or 8.
    fn bits(&self) -> usize;

    /// The row behind the group that begins at `row`.
    fn group_end(&self, row: u64) -> u64;

    /// Calls `put` with the number and the value of the table's entries that the group beginning at
    /// `row` determines. `distances` has a byte for each entry of the group, 255 for one that
    /// reaches no goal. No entry of the table is put twice. All others are 0.
    fn reduce(&self, row: u64, distances: &[u8], put: &mut dyn FnMut(u64, u8));

    /// Tells whether all values fit their bits. Called when all groups are reduced.
    ///
    /// # Errors
    /// If a value did not fit.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// Builds the exact distances of an abstraction with 8 bits an entry, makes the values of a table
/// from them, and saves it in `store`.
///
/// Layers, distances and what is between them and the table are in files of the folder
/// `checkpoint.store`. All of these are removed at the end. If the same build starts again, it goes
/// on from the last complete layer.
///
/// Time, disk space and memory: as [`build_on_disk`](super::build_on_disk). Then the distances are
/// read once more, and three to five bytes for each value are written and read. They take at most
/// the space that the layers had for their steps. The distances of one group come on top of the
/// memory.
///
/// # Errors
/// As [`build_on_disk`](super::build_on_disk), and those of [`Reduction::check`].
///
/// # Panics
/// As [`build_on_disk`](super::build_on_disk). Also if the specification is not of a table of
/// [`Reduction::bits`] bits a value, or a value is put outside of it.
pub fn reduce_on_disk(
    abstraction: &dyn Abstraction,
    reduction: &dyn Reduction,
    checkpoint: &Checkpoint,
    options: &DiskOptions<'_>,
    (store, spec): (&TableStore, &TableSpec),
) -> Result<(), ExhaustError> {
    entries_of(abstraction)?;
    let bits = reduction.bits();
    assert!(matches!(bits, 4 | 8), "4 or 8 bits a value");
    let bytes = PackedTable::bytes_for(if bits == 4 { 4 } else { 8 }, spec.entries);
    assert_eq!(spec.payload_bytes, bytes, "the form of the table");
    DiskRun::<8>::run(abstraction, checkpoint, (options, None), |run| {
        let windows = Windows::of(&run.buckets.made.cut, bits, spec);
        let spills = Spills::new(run.buckets.files, windows.count);
        let mut work = Work { reduction, windows, spills: &spills, done: 0, total: 0 };
        save(run, (store, spec), &mut |run, out| work.payload(run, out))
    })
}

/// Makes the payload of a table from the distances of a run.
struct Work<'w> {
    reduction: &'w dyn Reduction,
    windows: Windows,
    spills: &'w Spills<'w>,
    /// How many buckets and windows are done, and have to be done in the rounds so far.
    done: usize,
    total: usize,
}

impl Work<'_> {
    /// Writes the payload.
    ///
    /// # Errors
    /// The inner one if `out` fails, the outer one for all others.
    fn payload(
        &mut self,
        run: &mut DiskRun<'_, 8>,
        out: &mut dyn Write,
    ) -> Result<io::Result<()>, ExhaustError> {
        run.buckets.whole = None;
        (self.done, self.total) = (0, self.windows.count);
        let mut first = 0;
        while first < self.windows.count {
            let end = self.collect(run, first)?;
            self.reduction.check()?;
            if let Err(error) = self.fill(run, first..end, out)? {
                return Ok(Err(error));
            }
            first = end;
        }
        Ok(Ok(()))
    }

    /// Tells the observer of another bucket or window.
    fn report(&mut self, run: &DiskRun<'_, 8>) {
        self.done += 1;
        if let Some(observer) = run.plan.options.observer {
            observer.saving(self.done as u64, self.total as u64);
        }
    }

    /// Reduces all distances. Spills the values of the windows from one on, and returns the window
    /// behind the last one whose values are all there.
    fn collect(&mut self, run: &mut DiskRun<'_, 8>, first: usize) -> Result<usize, ExhaustError> {
        let (cut, files, spills) = (run.buckets.made.cut, run.buckets.files, self.spills);
        let unwritten = (first..self.windows.count).map(|window| self.windows.len(window) as u64);
        let limit = run.limit_records(self.windows.most_records(), unwritten.sum())?;
        let left = run.plan.options.memory.saturating_sub(cut.words(0) as u64 * 8);
        let (most, buffer) = buffers(left, self.windows.count - first);
        let mut end = first + most;
        let (pool, mut rest) = (Mutex::default(), Rest::default());
        self.total += cut.buckets();
        for number in 0..cut.buckets() {
            run.buckets.load_in_turn(number)?;
            let pieces =
                rest.pieces(self.reduction, cut.rows_of(number), run.buckets.bytes(number));
            let round = first..end;
            spills.writing(|writer| {
                each(pieces.len(), &|piece| {
                    files.check()?;
                    let taken = lock(&pool).pop();
                    let mut spill =
                        taken.unwrap_or_else(|| SpillBuffers::new(round.end, buffer, 1));
                    self.reduce(&pieces[piece], &round, (&mut spill, writer))?;
                    lock(&pool).push(spill);
                    Ok(())
                })?;
                lock(&pool).iter_mut().try_for_each(|spill| spill.flush(writer))
            })?;
            while spills.bytes() > limit && end - first > 1 {
                let half = first + (end - first) / 2;
                (half..end).try_for_each(|window| spills.discard(window))?;
                end = half;
            }
            self.report(run);
        }
        Ok(end)
    }

    /// Spills the values of some groups that belong to the windows of a round.
    fn reduce(
        &self,
        (rows, distances): &Piece<'_>,
        round: &Range<usize>,
        (spill, writer): (&mut SpillBuffers, &Writer<'_>),
    ) -> Result<(), ExhaustError> {
        let columns = distances.len() / usize::try_from(rows.end - rows.start).expect("rows");
        let at = |row: u64| usize::try_from(row - rows.start).expect("rows in memory") * columns;
        let (mut row, mut spilled) = (rows.start, Ok(()));
        while row < rows.end && spilled.is_ok() {
            let end = self.reduction.group_end(row);
            self.reduction.reduce(row, &distances[at(row)..at(end)], &mut |entry, value| {
                let (window, record) = self.windows.record(entry, value);
                if round.contains(&window) && spilled.is_ok() {
                    let room = spill.room(window, self.windows.width, writer);
                    spilled =
                        room.map(|out| out.extend(&record.to_le_bytes()[..self.windows.width]));
                }
            });
            row = end;
        }
        spilled
    }

    /// Makes some windows from their records, and writes them.
    ///
    /// # Errors
    /// As [`Work::payload`].
    fn fill(
        &mut self,
        run: &mut DiskRun<'_, 8>,
        round: Range<usize>,
        out: &mut dyn Write,
    ) -> Result<io::Result<()>, ExhaustError> {
        let (spills, files) = (self.spills, run.buckets.files);
        let (full, mut written) = (spills.buckets(), Ok(()));
        spills.reading(&full, run.spill.buffers.batch, |reader| {
            for window in round {
                let len = self.windows.len(window);
                run.buckets.memory.as_mut_slice()[..len.next_multiple_of(8)].fill(0);
                if full.binary_search(&window).is_ok() {
                    self.windows.put_all(run.buckets.memory.as_words(), (files, reader))?;
                    spills.remove(window)?;
                }
                written = run.buckets.write_bytes(len, out);
                if written.is_err() {
                    break;
                }
                self.report(run);
            }
            Ok(())
        })?;
        Ok(written)
    }
}

/// How many of `windows` are made in a round, and the bytes of a buffer, if all buffers take `left`
/// bytes: one for each window and thread, and some more.
fn buffers(left: u64, windows: usize) -> (usize, usize) {
    let (threads, more) = (threads::count() as u64, MORE_BUFFERS as u64);
    let most = (left / LEAST_BUFFER).saturating_sub(more) / threads;
    let windows = usize::try_from(most).unwrap_or(usize::MAX).clamp(1, windows);
    let buffer = (left / (windows as u64 * threads + more)).min(MOST_BUFFER);
    (windows, usize::try_from(buffer).expect("at most 1 MiB"))
}

/// Rows of whole groups, and their distances.
type Piece<'b> = (Range<u64>, Cow<'b, [u8]>);

/// The group that goes on in the next bucket: its first row, and the distances so far.
#[derive(Default)]
struct Rest {
    row: u64,
    distances: Vec<u8>,
}

impl Rest {
    /// The groups that end in a bucket with these rows and distances. Keeps the rest.
    fn pieces<'b>(
        &mut self,
        reduction: &dyn Reduction,
        rows: Range<u64>,
        bytes: &'b [u8],
    ) -> Vec<Piece<'b>> {
        let columns = bytes.len() / usize::try_from(rows.end - rows.start).expect("rows");
        let at = |row: u64| usize::try_from(row - rows.start).expect("rows in memory") * columns;
        let mut pieces = Vec::new();
        if self.row < rows.start {
            let end = reduction.group_end(self.row);
            self.distances.extend(&bytes[..at(end.min(rows.end))]);
            if end > rows.end {
                return pieces;
            }
            pieces.push((self.row..end, Cow::Owned(std::mem::take(&mut self.distances))));
            self.row = end;
        }
        let least = (rows.end - rows.start).div_ceil(PARTS);
        let mut from = self.row;
        while self.row < rows.end {
            let end = reduction.group_end(self.row);
            if end > rows.end {
                break;
            }
            self.row = end;
            if end - from >= least {
                pieces.push((from..end, Cow::Borrowed(&bytes[at(from)..at(end)])));
                from = end;
            }
        }
        if from < self.row {
            pieces.push((from..self.row, Cow::Borrowed(&bytes[at(from)..at(self.row)])));
        }
        self.distances.extend(&bytes[at(self.row)..]);
        pieces
    }
}

fn lock(pool: &Mutex<Vec<SpillBuffers>>) -> MutexGuard<'_, Vec<SpillBuffers>> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}
