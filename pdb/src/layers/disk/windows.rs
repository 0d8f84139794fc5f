//! The windows of a payload, and the records of the values that belong into them.

use super::cut::Cut;
use super::each::each;
use super::files::BucketFiles;
use super::spill_files::Reader;
use crate::file::TableSpec;
use crate::layers::ExhaustError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A payload cut into windows. All but the last have the same size, that of a bucket's codes.
///
/// A *record* is a value and its place: the number of the entry in its window, times 2^bits, plus
/// the value. All records have as many bytes as the greatest needs, the lowest byte first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) count: usize,
    /// Number of entries of a window.
    entries: u64,
    /// Number of bytes of the payload.
    pub(super) bytes: u64,
    /// Bits of a value.
    bits: usize,
    /// Bytes of a record.
    pub(super) width: usize,
}

impl Windows {
    pub(super) fn of(cut: &Cut, bits: usize, spec: &TableSpec) -> Self {
        let whole = cut.words(0) as u64 * (64 / bits as u64);
        let count = usize::try_from(spec.entries.div_ceil(whole)).unwrap_or(usize::MAX);
        let entries = whole.min(spec.entries.next_multiple_of(64));
        let place = (u64::BITS - (entries - 1).leading_zeros()) as usize;
        Self { count, entries, bytes: spec.payload_bytes, bits, width: (place + bits).div_ceil(8) }
    }

    /// Most bytes of all records of a window.
    pub(super) fn most_records(&self) -> u64 {
        self.entries.saturating_mul(self.width as u64)
    }

    /// The window of an entry, and the record of its value.
    #[inline]
    pub(super) fn record(&self, entry: u64, value: u8) -> (usize, u64) {
        let window = usize::try_from(entry / self.entries).unwrap_or(usize::MAX);
        (window, (entry % self.entries) << self.bits | u64::from(value))
    }

    /// The bytes of a window.
    pub(super) fn len(&self, window: usize) -> usize {
        let whole = self.entries / 8 * self.bits as u64;
        let left = self.bytes.saturating_sub(window as u64 * whole);
        usize::try_from(left.min(whole)).expect("a window fits the memory")
    }

    /// Puts the values of a window's records into its words, which are 0 before.
    pub(super) fn put_all(
        &self,
        words: &[AtomicU64],
        (files, reader): (&BucketFiles<'_>, &Reader<'_>),
    ) -> Result<(), ExhaustError> {
        loop {
            let batch = reader.next()?;
            let frames = batch.frames();
            each(frames.len(), &|frame| {
                files.check()?;
                self.put(frames[frame], words);
                Ok(())
            })?;
            let is_last = batch.is_last;
            reader.give_back(batch);
            if is_last {
                return files.check();
            }
        }
    }

    fn put(&self, records: &[u8], words: &[AtomicU64]) {
        for record in records.chunks_exact(self.width) {
            let mut word = [0; 8];
            word[..record.len()].copy_from_slice(record);
            let record = u64::from_le_bytes(word);
            let (bit, value) =
                ((record >> self.bits) * self.bits as u64, record % (1 << self.bits));
            let word = usize::try_from(bit / 64).expect("a word in memory");
            words[word].fetch_or(value << (bit % 64), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::PackedTable;
    use serde_json::json;

    #[test]
    fn records_have_their_place_and_value() {
        for (bits, entries) in [(8, 1), (8, 5000), (4, 4999), (4, 64), (8, 100_000)] {
            let cut = Cut { rows: 100, columns: 24, bucket_rows: 8, bits: 8 };
            let spec = TableSpec::new("toy", json!({}), PackedTable::payload(bits, entries));
            let windows = Windows::of(&cut, usize::try_from(bits).expect("4 or 8"), &spec);
            let sum: usize = (0..windows.count).map(|window| windows.len(window)).sum();
            assert_eq!(sum as u64, spec.payload_bytes);
            assert!(windows.len(0) <= cut.words(0) * 8);
            let most = (1 << bits) - 1;
            for (entry, value) in [(0, 1), (entries / 2, 3), (entries - 1, most)] {
                let (window, record) = windows.record(entry, u8::try_from(value).expect("a value"));
                assert!(record >> (8 * windows.width) == 0 && window < windows.count);
                let words: Vec<_> = (0..cut.words(0)).map(|_| AtomicU64::new(0)).collect();
                windows.put(&record.to_le_bytes()[..windows.width], &words);
                let before: usize = (0..window).map(|window| windows.len(window)).sum();
                let bit = (entry * u64::from(bits)) - 8 * before as u64;
                let word = usize::try_from(bit / 64).expect("a word");
                assert_eq!(words[word].load(Relaxed), value << (bit % 64));
            }
        }
    }
}
