//! The spill files of all buckets. A thread writes them while the layer's edges are found, and a
//! thread reads them while they are applied.

use super::files::{BucketFiles, PIECE};
use super::io_thread::with_io_thread;
use crate::builder::BuildError;
use crate::layers::ExhaustError;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Bytes before the records of a frame.
pub(super) const FRAME: usize = 8;
/// Full buffers that wait for the writer.
const WAITING: usize = 3;
/// Buffers that no thread fills: the waiting ones, and the one that is written.
pub(super) const MORE_BUFFERS: usize = WAITING + 1;
/// Batches in memory: one is applied, the next one is read.
pub(super) const BATCHES: usize = 2;

/// How many bytes each spill file has.
pub(super) struct Spills<'a> {
    files: &'a BucketFiles<'a>,
    bytes: Vec<AtomicU64>,
    all: AtomicU64,
}

/// Takes full buffers and has them written beside the work.
pub(super) struct Writer<'w> {
    full: SyncSender<(usize, Vec<u8>)>,
    empty: &'w Mutex<Vec<Vec<u8>>>,
    spills: &'w Spills<'w>,
}

/// Some frames of one spill file.
#[derive(Default)]
pub(super) struct WriteBatch {
    bytes: Vec<u8>,
    frames: Vec<Range<usize>>,
    /// Whether the file has no more frames.
    pub(super) is_last: bool,
}

/// Receives batches that are read beside the work.
pub(super) struct Reader<'r> {
    full: Receiver<WriteBatch>,
    empty: &'r Mutex<Vec<WriteBatch>>,
}

fn lock<T>(pool: &Mutex<Vec<T>>) -> std::sync::MutexGuard<'_, Vec<T>> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The other thread has ended, and its error counts.
fn closed<E>(_: E) -> ExhaustError {
    BuildError::Cancelled.into()
}

impl<'a> Spills<'a> {
    pub(super) fn new(files: &'a BucketFiles<'a>, buckets: usize) -> Self {
        let bytes = (0..buckets).map(|_| AtomicU64::new(0)).collect();
        Self { files, bytes, all: AtomicU64::new(0) }
    }

    /// Bytes of all spill files. Bytes that wait for the writer count.
    pub(super) fn bytes(&self) -> u64 {
        self.all.load(Relaxed)
    }

    /// The buckets whose spill files have records.
    pub(super) fn buckets(&self) -> Vec<usize> {
        let buckets = (0..).zip(&self.bytes).filter(|(_, bytes)| bytes.load(Relaxed) > 0);
        buckets.map(|(bucket, _)| bucket).collect()
    }

    /// Calls `work`, and beside it writes the buffers that it fills. All are written at the end.
    pub(super) fn writing(
        &self,
        work: impl FnOnce(&Writer<'_>) -> Result<(), ExhaustError>,
    ) -> Result<(), ExhaustError> {
        let (full, filled) = sync_channel(WAITING);
        let empty = Mutex::default();
        let write = || {
            filled.into_iter().try_for_each(|(bucket, mut buffer): (usize, Vec<u8>)| {
                self.append(bucket, &mut buffer)?;
                buffer.clear();
                lock(&empty).push(buffer);
                Ok(())
            })
        };
        let (empty, spills) = (&empty, self);
        with_io_thread(self.files.folder(), write, || work(&Writer { full, empty, spills }))
    }

    /// Appends a frame to a bucket's spill file.
    fn append(&self, bucket: usize, frame: &mut [u8]) -> Result<(), ExhaustError> {
        self.files.check()?;
        let (header, records) = frame.split_at_mut(FRAME);
        let len = u32::try_from(records.len()).expect("at most 1 MiB");
        header[..4].copy_from_slice(&len.to_le_bytes());
        header[4..].copy_from_slice(&crc32fast::hash(records).to_le_bytes());
        let is_new = self.bytes[bucket].load(Relaxed) == 0;
        self.files.append_spill(bucket, frame, is_new)?;
        self.bytes[bucket].fetch_add(frame.len() as u64, Relaxed);
        Ok(())
    }

    /// Calls `work`, and beside it reads the spill files of these buckets one after another, in
    /// batches of at most `most` bytes, or of one frame.
    pub(super) fn reading(
        &self,
        buckets: &[usize],
        most: usize,
        work: impl FnOnce(&Reader<'_>) -> Result<(), ExhaustError>,
    ) -> Result<(), ExhaustError> {
        let (read, full) = sync_channel(0);
        let empty = Mutex::default();
        let read_all = || {
            // Dropped at the end, so that the receiver learns of an error.
            let read = read;
            for &bucket in buckets {
                let mut file = self.files.open_spill(bucket)?;
                let mut left = self.bytes[bucket].load(Relaxed);
                while left > 0 {
                    let mut batch = lock(&empty).pop().unwrap_or_default();
                    left = self.fill(&mut batch, (bucket, &mut file, left), most)?;
                    if read.send(batch).is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let empty = &empty;
        with_io_thread(self.files.folder(), read_all, || work(&Reader { full, empty }))
    }

    /// Fills a batch with the next frames of a file. `left` is the number of unread bytes before.
    /// Returns the number of unread bytes after.
    fn fill(
        &self,
        batch: &mut WriteBatch,
        (bucket, file, left): (usize, &mut File, u64),
        most: usize,
    ) -> Result<u64, ExhaustError> {
        let failed = |error| self.files.spill_failed(bucket, error);
        let WriteBatch { bytes, frames, is_last } = batch;
        frames.clear();
        bytes.resize(usize::try_from(left).unwrap_or(usize::MAX).min(most), 0);
        for piece in bytes.chunks_mut(PIECE) {
            self.files.check()?;
            file.read_exact(piece).map_err(failed)?;
        }
        let mut end = 0;
        while let Some((header, rest)) = bytes[end..].split_first_chunk::<FRAME>() {
            let [a, b, c, d, e, f, g, h] = *header;
            let Some(records) = rest.get(..u32::from_le_bytes([a, b, c, d]) as usize) else {
                break;
            };
            if crc32fast::hash(records) != u32::from_le_bytes([e, f, g, h]) {
                break;
            }
            frames.push(end + FRAME..end + FRAME + records.len());
            end += FRAME + records.len();
        }
        let left = left - end as u64;
        *is_last = left == 0;
        // A damaged frame is the first one of its batch, or of the next.
        if end == 0 {
            let message = "the checksum of a frame is wrong: the file is damaged";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidData, message)));
        }
        // The next batch begins with the frame that is cut off.
        let cut = i64::try_from(bytes.len() - end).expect("bytes in memory");
        file.seek_relative(-cut).map_err(failed)?;
        Ok(left)
    }

    /// Removes a bucket's spill file after its records are applied.
    pub(super) fn remove(&self, bucket: usize) -> Result<(), ExhaustError> {
        let bytes = self.bytes[bucket].load(Relaxed);
        self.files.read.fetch_add(bytes, Relaxed);
        self.discard(bucket)
    }

    /// Removes a bucket's spill file, if there is one. All its records must be written.
    pub(super) fn discard(&self, bucket: usize) -> Result<(), ExhaustError> {
        self.files.remove_spill(bucket)?;
        self.all.fetch_sub(self.bytes[bucket].swap(0, Relaxed), Relaxed);
        Ok(())
    }
}

impl Writer<'_> {
    /// Takes the frame in a buffer, and leaves an empty buffer. Waits while too many are full.
    pub(super) fn write(&self, bucket: usize, frame: &mut Vec<u8>) -> Result<(), ExhaustError> {
        self.spills.all.fetch_add(frame.len() as u64, Relaxed);
        let empty = lock(self.empty).pop().unwrap_or_default();
        self.full.send((bucket, std::mem::replace(frame, empty))).map_err(closed)
    }
}

impl Reader<'_> {
    /// The next batch.
    pub(super) fn next(&self) -> Result<WriteBatch, ExhaustError> {
        self.full.recv().map_err(closed)
    }

    /// Gives a batch back after its records are applied.
    pub(super) fn give_back(&self, batch: WriteBatch) {
        lock(self.empty).push(batch);
    }
}

impl WriteBatch {
    /// The records of each frame.
    pub(super) fn frames(&self) -> Vec<&[u8]> {
        self.frames.iter().map(|frame| &self.bytes[frame.clone()]).collect()
    }
}
