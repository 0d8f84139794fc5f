//! How the rows of a table are cut into buckets, and how the memory is shared.

use super::spill_files::{BATCHES, MORE_BUFFERS};
use crate::layers::ExhaustError;
use search::threads;
use std::ops::Range;

/// Most bytes of one buffer. Longer writes are not faster, and could not be cancelled soon.
pub(super) const MOST_BUFFER: u64 = 1 << 20;
/// Least bytes of one buffer. It holds at least the longest record, too.
const LEAST_BUFFER: u64 = 256;
/// Most bytes of a batch of records that are applied at once. Longer reads are not faster.
const MOST_BATCH: u64 = 16 << 20;
/// Eighths of the memory budget that one bucket's codes may use.
const CODES: u64 = 5;
/// Flags of the rows are kept if they take at most this share of the memory.
const FLAGS: u64 = 16;
/// Bytes for each bucket besides its buffers: its state, its locks, and a line of the manifest.
const BUCKET_BYTES: u64 = 256;

/// A table cut into buckets of consecutive rows. The last bucket may have fewer rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) rows: u64,
    pub(super) columns: usize,
    /// Number of rows in a bucket, at most 2^32.
    pub(super) bucket_rows: u64,
    /// Bits of an entry.
    pub(super) bits: usize,
}

/// The memory besides the codes of a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffers {
    /// Bytes of each buffer of records.
    pub(super) each: usize,
    /// Most bytes of a batch of records.
    pub(super) batch: usize,
    /// Whether there is a flag for each row.
    pub(super) has_flags: bool,
}

impl Cut {
    /// The cut of a table for a limit of memory: the codes of one bucket take [`CODES`] eighths of
    /// it, and the buffers take the rest. Where that leaves too little for buffers, buckets are
    /// smaller.
    ///
    /// # Errors
    /// If the memory does not hold a buffer for each bucket. What the error says is needed is
    /// enough, and so is more.
    pub(super) fn of(shape: (u64, usize), bits: usize, memory: u64) -> Result<Self, ExhaustError> {
        let with = |memory| Self::with(shape, bits, memory);
        let cut = with(memory);
        if cut.buffers(memory).is_some() {
            return Ok(cut);
        }
        // The same smaller buckets for every memory, so that more memory has what less has.
        let smaller = |memory: u64| {
            let budgets = std::iter::successors(Some(1_u64), larger);
            let cuts = budgets.take_while(move |&budget| budget <= memory).map(with);
            cuts.filter(move |cut| cut.buffers(memory).is_some()).last()
        };
        let enough = |&memory: &u64| smaller(memory).is_some();
        smaller(memory).ok_or_else(|| cut.needs(least_memory(memory, enough), memory))
    }

    /// The error when saved layers, cut in this way, need more memory.
    pub(super) fn limit(&self, memory: u64) -> ExhaustError {
        self.needs(least_memory(memory, |&memory| self.buffers(memory).is_some()), memory)
    }

    fn needs(&self, needed: u64, limit: u64) -> ExhaustError {
        ExhaustError::Limit { entries: self.rows * self.columns as u64, needed, limit }
    }

    fn with((rows, columns): (u64, usize), bits: usize, memory: u64) -> Self {
        let most = (memory / 8 * CODES).saturating_sub(8);
        let rows_in = |bytes: u64| bytes.saturating_mul(8) / (bits * columns) as u64;
        // Each bucket begins with a word, so that the buckets one after another are the table.
        let step = 64 / bits as u64;
        let most = (rows_in(most) / step).max(1) * step;
        Self { rows, columns, bucket_rows: most.min(rows.min(1 << 32)), bits }
    }

    /// Whether the buckets one after another are the table. Codes of two bits are no table.
    pub(super) fn is_aligned(&self) -> bool {
        let one = self.bucket_rows == self.rows;
        self.bits == 2 || one || self.bucket_rows.is_multiple_of(64 / self.bits as u64)
    }

    /// How the memory besides the codes is shared. `None` if there is none for buffers. More memory
    /// has enough if less has.
    pub(super) fn buffers(&self, memory: u64) -> Option<Buffers> {
        let flags = self.rows.div_ceil(64) * 8;
        let with_flags = (flags <= memory / FLAGS).then(|| self.buffers_beside(flags, memory));
        with_flags.flatten().or_else(|| self.buffers_beside(0, memory))
    }

    /// As [`Cut::buffers`], where flags take so many bytes.
    fn buffers_beside(&self, flags: u64, memory: u64) -> Option<Buffers> {
        let fixed = self.buckets() as u64 * BUCKET_BYTES + self.words(0) as u64 * 8 + flags;
        let left = memory.checked_sub(fixed)?;
        // While edges are found, each thread has a buffer for each bucket, and some are written.
        let each = self.buckets() as u64 * threads::count() as u64 + MORE_BUFFERS as u64;
        let each = (left / each).min(MOST_BUFFER);
        let least = LEAST_BUFFER.max(super::spill::longest_record(self.columns) as u64);
        // Then batches take their memory. A batch holds at least one buffer.
        let batch = (left / BATCHES as u64).min(MOST_BATCH);
        (each >= least).then(|| Buffers {
            each: usize::try_from(each).expect("at most 1 MiB"),
            batch: usize::try_from(batch).expect("at most 16 MiB"),
            has_flags: flags > 0,
        })
    }

    /// Number of buckets.
    pub(super) fn buckets(&self) -> usize {
        usize::try_from(self.rows.div_ceil(self.bucket_rows)).unwrap_or(usize::MAX)
    }

    /// The rows of a bucket.
    pub(super) fn rows_of(&self, bucket: usize) -> Range<u64> {
        let first = bucket as u64 * self.bucket_rows;
        first..(first + self.bucket_rows).min(self.rows)
    }

    /// Number of entries of a bucket.
    pub(super) fn entries_of(&self, bucket: usize) -> u64 {
        let rows = self.rows_of(bucket);
        (rows.end - rows.start) * self.columns as u64
    }

    /// Number of words with the codes of a bucket.
    pub(super) fn words(&self, bucket: usize) -> usize {
        usize::try_from(self.entries_of(bucket).div_ceil(64 / self.bits as u64))
            .unwrap_or(usize::MAX)
    }

    /// Bytes of all buckets.
    pub(super) fn bytes(&self) -> u64 {
        let last = self.words(self.buckets() - 1) as u64;
        ((self.buckets() as u64 - 1) * self.words(0) as u64 + last) * 8
    }

    /// The bucket of a row, and the number of the row in the bucket.
    #[inline(always)]
    pub(super) fn place(&self, row: u64) -> (usize, u32) {
        let (bucket, row) = (row / self.bucket_rows, row % self.bucket_rows);
        // A row that does not exist leads to a bucket that does not exist.
        let bucket = usize::try_from(bucket).unwrap_or(usize::MAX);
        (bucket, u32::try_from(row).expect("a bucket has at most 2^32 rows"))
    }
}

/// A limit of memory that is enough, at most a quarter above the least one.
fn least_memory(from: u64, enough: impl Fn(&u64) -> bool) -> u64 {
    std::iter::successors(Some(from), larger).find(enough).unwrap_or(u64::MAX)
}

/// A memory that is a quarter larger.
fn larger(memory: &u64) -> Option<u64> {
    memory.checked_add(memory / 4 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_and_buffers_fit_the_memory() {
        let (rows, columns) = (665_280, 720);
        for (bits, memory) in [(2, 12_000_000), (2, 3_000_000), (4, 9_000_000), (8, 1 << 40)] {
            let cut = Cut::of((rows, columns), bits, memory).expect("enough memory");
            let Buffers { each, batch, has_flags } = cut.buffers(memory).expect("enough memory");
            let flags = if has_flags { rows / 8 } else { 0 };
            let codes = cut.words(0) as u64 * 8 + flags;
            let buffers = cut.buckets() * threads::count() + MORE_BUFFERS;
            assert!(codes + (each * buffers) as u64 <= memory && each <= batch);
            assert!(codes + (batch * BATCHES) as u64 <= memory);
            let entries: u64 = (0..cut.buckets()).map(|bucket| cut.entries_of(bucket)).sum();
            assert_eq!(entries, rows * columns as u64);
            assert!(cut.is_aligned());
            assert_eq!(cut.bytes(), (entries * bits as u64).div_ceil(64) * 8);
            for row in [0, 1, rows / 2, rows - 1] {
                let (bucket, at) = cut.place(row);
                assert_eq!(cut.rows_of(bucket).start + u64::from(at), row);
                assert!(cut.rows_of(bucket).contains(&row));
            }
        }
    }

    #[test]
    fn too_little_memory_is_refused_with_a_limit_that_is_enough() {
        let Err(ExhaustError::Limit { entries, needed, limit }) = Cut::of((665_280, 720), 2, 1000)
        else {
            panic!("1,000 bytes are not enough")
        };
        assert_eq!((entries, limit), (479_001_600, 1000));
        assert!(needed > 1000);
        assert!(Cut::of((665_280, 720), 2, needed).is_ok());
        // What is needed is enough, and so is more, whatever part of it codes and flags take.
        for (shape, bits) in [((120, 37), 1), ((120, 37), 2), ((7, 3), 2), ((5_000, 11), 1)] {
            let Err(ExhaustError::Limit { needed, .. }) = Cut::of(shape, bits, 1) else {
                panic!("{shape:?} fits into a byte")
            };
            for more in 0..2_000 {
                let cut = Cut::of(shape, bits, needed + more).expect("enough memory");
                assert!(cut.buffers(needed + more).is_some());
            }
        }
    }
}
