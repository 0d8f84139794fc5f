//! Records of spill files: the steps that lead into a bucket and are not applied yet.
//!
//! A *record* has the source columns of one row, and the edges of this row into the bucket, at most
//! [`MOST_TARGETS`]:
//!
//! | bytes | content |
//! |---|---|
//! | 2 | number of bytes of the source columns |
//! | 2 | number of edges |
//! | | the source columns: a list or a bitmap, whichever is shorter; at equal length a bitmap |
//! | 8 an edge | the target row in the bucket, the number of the column map |
//!
//! In a *list*, each column has one byte: its distance from the column before, less 1. A byte of
//! 255 is 255 columns without a source. In an abstraction of one column, a record is a target row
//! alone, 4 bytes.
//!
//! A *frame* is what one write appends: the length of the records and their CRC-32 (4 bytes each),
//! then the records. All numbers are little-endian. A spill file lives for one round of one layer,
//! and no later run reads it.

use super::spill_files::{FRAME, Writer};
use crate::layers::ExhaustError;

/// Most edges of a record.
const MOST_TARGETS: usize = 16;
const HEADER: usize = 4;
/// Bytes of an edge.
const TARGET: usize = 8;
/// In a column list, this byte skips 255 columns.
const GAP: u8 = u8::MAX;

/// Bytes of the longest record, with the header of its frame.
pub(super) fn longest_record(columns: usize) -> usize {
    let record = HEADER + columns.div_ceil(8) + MOST_TARGETS * TARGET;
    FRAME + if columns == 1 { 4 } else { record }
}

/// The records of one thread, in a buffer for each bucket. A full buffer goes to the [`Writer`].
pub(super) struct SpillBuffers {
    buffers: Vec<Vec<u8>>,
    /// Most bytes of a buffer.
    most: usize,
    columns: usize,
    /// The source columns of the row in hand, as in a record.
    body: Vec<u8>,
}

impl SpillBuffers {
    pub(super) fn new(buckets: usize, most: usize, columns: usize) -> Self {
        Self { buffers: vec![Vec::new(); buckets], most, columns, body: Vec::new() }
    }

    /// Sets the source columns of the following records: at least one. Column `c` is bit `c % 64`
    /// of word `c / 64`.
    pub(super) fn set_columns(&mut self, bits: &[u64]) {
        if self.columns == 1 {
            return;
        }
        let bitmap = self.columns.div_ceil(8);
        self.body.clear();
        let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
        if (count as usize) < bitmap {
            list_columns(bits, &mut self.body);
        }
        if self.body.is_empty() || self.body.len() >= bitmap {
            self.body.clear();
            self.body.extend(bits.iter().flat_map(|word| word.to_le_bytes()));
            self.body.truncate(bitmap);
        }
    }

    /// Adds edges into a bucket: target rows and column maps.
    #[inline]
    pub(super) fn push(
        &mut self,
        bucket: usize,
        targets: &[(u32, u32)],
        writer: &Writer<'_>,
    ) -> Result<(), ExhaustError> {
        if self.columns == 1 {
            return targets.iter().try_for_each(|(row, _)| {
                self.room(bucket, 4, writer)?.extend(row.to_le_bytes());
                Ok(())
            });
        }
        for targets in targets.chunks(MOST_TARGETS) {
            let len = HEADER + self.body.len() + TARGET * targets.len();
            let body = std::mem::take(&mut self.body);
            let buffer = self.room(bucket, len, writer)?;
            let short = |len: usize| u16::try_from(len).expect("at most 8,192").to_le_bytes();
            buffer.extend(short(body.len()));
            buffer.extend(short(targets.len()));
            buffer.extend(&body);
            for (row, map) in targets {
                buffer.extend((u64::from(*map) << 32 | u64::from(*row)).to_le_bytes());
            }
            self.body = body;
        }
        Ok(())
    }

    /// The buffer of a bucket, with room for `len` more bytes.
    #[inline]
    pub(super) fn room(
        &mut self,
        bucket: usize,
        len: usize,
        writer: &Writer<'_>,
    ) -> Result<&mut Vec<u8>, ExhaustError> {
        let buffer = &mut self.buffers[bucket];
        if buffer.len() + len > self.most {
            writer.write(bucket, buffer)?;
        }
        if buffer.is_empty() {
            buffer.reserve_exact(self.most);
            buffer.extend([0; FRAME]);
        }
        Ok(buffer)
    }

    /// Writes all records.
    pub(super) fn flush(&mut self, writer: &Writer<'_>) -> Result<(), ExhaustError> {
        let buffers = (0..).zip(&mut self.buffers);
        let mut used = buffers.filter(|(_, buffer)| !buffer.is_empty());
        used.try_for_each(|(bucket, buffer)| writer.write(bucket, buffer))
    }
}

/// Appends the list of the columns of a bitmap.
fn list_columns(bits: &[u64], out: &mut Vec<u8>) {
    let mut next = 0;
    for (word, &bits) in bits.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let column = 64 * word + bits.trailing_zeros() as usize;
            let mut gap = column - next;
            while gap >= GAP.into() {
                out.push(GAP);
                gap -= usize::from(GAP);
            }
            out.push(u8::try_from(gap).expect("less than 255"));
            next = column + 1;
            bits &= bits - 1;
        }
    }
}

/// One record, as it lies in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpillRecord<'a> {
    body: &'a [u8],
    targets: &'a [[u8; TARGET]],
}

impl SpillRecord<'_> {
    /// The target rows, and the numbers of the column maps.
    #[inline]
    pub(super) fn targets(&self) -> impl Iterator<Item = (u32, u32)> {
        self.targets.iter().map(|&[a, b, c, d, e, f, g, h]| {
            (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
        })
    }

    /// Overwrites `out` with the bitmap of the source columns.
    #[inline]
    pub(super) fn bitmap(&self, columns: usize, out: &mut Vec<u64>) {
        out.clear();
        out.resize(columns.div_ceil(64), 0);
        if self.body.len() == columns.div_ceil(8) {
            for (word, bytes) in out.iter_mut().zip(self.body.chunks(8)) {
                let mut eight = [0; 8];
                eight[..bytes.len()].copy_from_slice(bytes);
                *word = u64::from_le_bytes(eight);
            }
        } else {
            self.each_listed(|column| out[column / 64] |= 1 << (column % 64));
        }
    }

    fn each_listed(&self, mut call: impl FnMut(usize)) {
        let mut next = 0;
        for &gap in self.body {
            next += usize::from(gap);
            if gap != GAP {
                call(next);
                next += 1;
            }
        }
    }
}

/// The records of a frame, of an abstraction with more than one column.
pub(super) struct SpillRecords<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for SpillRecords<'a> {
    type Item = SpillRecord<'a>;

    #[inline]
    fn next(&mut self) -> Option<SpillRecord<'a>> {
        let (&[a, b, c, d], rest) = self.0.split_first_chunk::<HEADER>()?;
        let (body, rest) = rest.split_at_checked(u16::from_le_bytes([a, b]).into())?;
        let targets = usize::from(u16::from_le_bytes([c, d])) * TARGET;
        let (targets, rest) = rest.split_at_checked(targets)?;
        self.0 = rest;
        Some(SpillRecord { body, targets: targets.as_chunks().0 })
    }
}

/// The target rows of a frame, of an abstraction with one column.
pub(super) fn rows(frame: &[u8]) -> impl Iterator<Item = u32> {
    frame.as_chunks().0.iter().map(|&row| u32::from_le_bytes(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;

    /// The record of some columns, and its bytes of columns.
    fn body_of(columns: usize, bits: &[u64]) -> Vec<u8> {
        let mut buffers = SpillBuffers::new(1, 1 << 16, columns);
        buffers.set_columns(bits);
        buffers.body
    }

    #[test]
    fn source_columns_are_read_as_they_were_written() {
        let mut random = Random::new(5);
        for columns in [2_usize, 9, 64, 65, 720, 4096, 65_536] {
            for share in [1, 2, 3, 5, 20, 300, 3000] {
                let mut bits = vec![0_u64; columns.div_ceil(64)];
                bits[(columns - 1) / 64] |= 1 << ((columns - 1) % 64);
                for column in 0..columns {
                    let hit = random.below(share) == 0;
                    bits[column / 64] |= u64::from(hit) << (column % 64);
                }
                let body = body_of(columns, &bits);
                assert!(body.len() <= columns.div_ceil(8));
                let record = SpillRecord { body: &body, targets: &[] };
                let mut read = vec![7];
                record.bitmap(columns, &mut read);
                assert_eq!(read, bits, "{columns} columns, one in {share}");
            }
        }
        // A sparse row takes a byte for each source.
        assert_eq!(body_of(720, &[0b1001, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [0, 2, 124]);
    }
}
