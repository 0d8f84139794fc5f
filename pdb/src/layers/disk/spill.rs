//! Spill files: for each bucket, the steps that lead into it and are not applied yet.
//!
//! A *record* is one edge of one row: the target row in the bucket (4 bytes), the number of the
//! column map (4 bytes), the number of source columns less 1 (2 bytes), then these columns. They
//! are a list of 2 bytes each, or a bitmap if that is shorter. In an abstraction of one column a
//! record is the target row alone.
//!
//! A *frame* is what one write appends: the length of the records and their CRC-32 (4 bytes each),
//! then the records. All numbers are little-endian. A spill file lives for one round of one layer,
//! and no later run reads it.

use super::files::{BucketFiles, Spilled};
use crate::layers::ExhaustError;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;

const HEADER: usize = 10;
const FRAME: usize = 8;

/// Bytes of the longest record, with the header of its frame.
pub(super) fn longest_record(columns: usize) -> usize {
    FRAME + if columns == 1 { 4 } else { HEADER + columns.div_ceil(8) }
}

/// The records of one thread, in a buffer for each bucket. A full buffer is appended to its file.
pub(super) struct SpillBuffers {
    buffers: Vec<Vec<u8>>,
    /// Most bytes of a buffer.
    most: usize,
    columns: usize,
    /// The source columns of the row in hand, as in a record.
    body: Vec<u8>,
    /// Number of source columns less 1.
    count: u16,
}

impl SpillBuffers {
    pub(super) fn new(buckets: usize, most: usize, columns: usize) -> Self {
        let buffers = vec![Vec::new(); buckets];
        Self { buffers, most, columns, body: Vec::new(), count: 0 }
    }

    /// Sets the source columns of the following records: at least one, ascending.
    pub(super) fn set_columns(&mut self, columns: &[u16]) {
        if self.columns == 1 {
            return;
        }
        self.body.clear();
        self.count = u16::try_from(columns.len() - 1).expect("at most 65,536 columns");
        if is_list(columns.len(), self.columns) {
            self.body.extend(columns.iter().flat_map(|column| column.to_le_bytes()));
        } else {
            self.body.resize(self.columns.div_ceil(8), 0);
            for column in columns {
                self.body[usize::from(column / 8)] |= 1 << (column % 8);
            }
        }
    }

    /// Adds a record. Writes the buffer first if it is full.
    #[inline]
    pub(super) fn push(
        &mut self,
        (bucket, row): (usize, u32),
        map: u32,
        (files, spilled): (&BucketFiles<'_>, &Spilled),
    ) -> Result<(), ExhaustError> {
        let len = if self.columns == 1 { 4 } else { HEADER + self.body.len() };
        if self.buffers[bucket].len() + len > self.most {
            self.flush(bucket, (files, spilled))?;
        }
        let buffer = &mut self.buffers[bucket];
        if buffer.is_empty() {
            buffer.reserve_exact(self.most);
            buffer.extend([0; FRAME]);
        }
        buffer.extend(row.to_le_bytes());
        if self.columns > 1 {
            buffer.extend(map.to_le_bytes());
            buffer.extend(self.count.to_le_bytes());
            buffer.extend(&self.body);
        }
        Ok(())
    }

    fn flush(
        &mut self,
        bucket: usize,
        (files, spilled): (&BucketFiles<'_>, &Spilled),
    ) -> Result<(), ExhaustError> {
        let buffer = &mut self.buffers[bucket];
        if buffer.is_empty() {
            return Ok(());
        }
        let (header, records) = buffer.split_at_mut(FRAME);
        let len = u32::try_from(records.len()).expect("at most 1 MiB");
        header[..4].copy_from_slice(&len.to_le_bytes());
        header[4..].copy_from_slice(&crc32fast::hash(records).to_le_bytes());
        files.append(bucket, buffer, spilled)?;
        buffer.clear();
        Ok(())
    }

    /// Writes all records.
    pub(super) fn flush_all(
        &mut self,
        to: (&BucketFiles<'_>, &Spilled),
    ) -> Result<(), ExhaustError> {
        (0..self.buffers.len()).try_for_each(|bucket| self.flush(bucket, to))
    }
}

/// Whether a record lists its source columns, and has no bitmap.
fn is_list(count: usize, columns: usize) -> bool {
    2 * count <= columns.div_ceil(8)
}

/// Reads the frames of a spill file in batches.
pub(super) struct SpillReader {
    file: BufReader<File>,
    bytes: Vec<u8>,
    frames: Vec<Range<usize>>,
}

impl SpillReader {
    pub(super) fn new(file: File) -> Self {
        let file = BufReader::with_capacity(1 << 16, file);
        Self { file, bytes: Vec::new(), frames: Vec::new() }
    }

    /// Reads frames until they have at least `least` bytes. Returns their records, frame by frame.
    /// None at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, ends within a frame, or a checksum is wrong.
    pub(super) fn batch(&mut self, least: usize) -> io::Result<Option<Vec<&[u8]>>> {
        self.bytes.clear();
        self.frames.clear();
        while self.bytes.len() < least {
            let mut header = [0; FRAME];
            match self.file.read_exact(&mut header[..1]) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                read => read?,
            }
            self.file.read_exact(&mut header[1..])?;
            let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
            let (from, len) = (self.bytes.len(), number(0) as usize);
            self.bytes.resize(from + len, 0);
            let records = &mut self.bytes[from..];
            self.file.read_exact(records)?;
            if crc32fast::hash(records) != number(4) {
                let message = "the checksum of a frame is wrong: the file is damaged";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            self.frames.push(from..from + len);
        }
        let frames: Vec<_> = self.frames.iter().map(|frame| &self.bytes[frame.clone()]).collect();
        Ok((!frames.is_empty()).then_some(frames))
    }
}

/// Calls `apply` with the target row, the column map and the source columns of each record of a
/// frame.
pub(super) fn each_record(
    mut records: &[u8],
    columns: usize,
    apply: &mut dyn FnMut(u32, u32, &[u16]),
) {
    if columns == 1 {
        for row in records.chunks_exact(4) {
            apply(u32::from_le_bytes([row[0], row[1], row[2], row[3]]), 0, &[0]);
        }
        return;
    }
    let mut sources = Vec::with_capacity(columns);
    while let Some((header, rest)) = records.split_first_chunk::<HEADER>() {
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
        let count = usize::from(u16::from_le_bytes([header[8], header[9]])) + 1;
        let list = is_list(count, columns);
        let (body, rest) = rest.split_at(if list { 2 * count } else { columns.div_ceil(8) });
        sources.clear();
        if list {
            sources.extend(body.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])));
        } else {
            columns_of(body, &mut sources);
        }
        apply(number(0), number(4), &sources);
        records = rest;
    }
}

/// Appends the columns of a bitmap, ascending.
fn columns_of(bitmap: &[u8], out: &mut Vec<u16>) {
    for (at, bytes) in bitmap.chunks(8).enumerate() {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let mut bits = u64::from_le_bytes(word);
        while bits != 0 {
            let column = 64 * at + bits.trailing_zeros() as usize;
            out.push(u16::try_from(column).expect("at most 65,536 columns"));
            bits &= bits - 1;
        }
    }
}
