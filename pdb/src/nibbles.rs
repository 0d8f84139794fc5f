//! The packed table of four bits an entry: [`Nibbles`].

use crate::memory::{self, Bytes};
use rayon::prelude::*;
use search::Cost;

/// Value of an entry that no goal is reached from.
pub const UNREACHED: Cost = 15;

/// A read-only table of 4-bit distances.
///
/// `entries` values, entry `e` in byte `e / 2`, the low nibble first; unit: cost; 0 to 14 are distances, 15 = [`UNREACHED`];
/// `entries` rounded up to even, halved, bytes. Clones share the bytes.
#[derive(Clone, Debug)]
pub struct Nibbles {
    bytes: Bytes,
    entries: u64,
}

/// How often each value occurs in a table.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Histogram {
    /// Entries with each distance, from 0 to the greatest that occurs.
    pub counts: Vec<u64>,
    /// Entries that no goal is reached from.
    pub unreached: u64,
    /// All entries.
    pub entries: u64,
}

impl Histogram {
    /// Mean distance of the reached entries; 0 if there are none.
    pub fn mean(&self) -> f64 {
        let (mut sum, mut reached) = (0_u64, 0_u64);
        for (value, &count) in (0_u64..).zip(&self.counts) {
            sum += value * count;
            reached += count;
        }
        if reached == 0 { 0.0 } else { sum as f64 / reached as f64 }
    }

    /// The greatest distance; 0 if nothing is reached.
    pub fn max(&self) -> Cost {
        Cost::try_from(self.counts.len().saturating_sub(1)).unwrap_or(Cost::MAX)
    }
}

impl Nibbles {
    /// The name of this encoding in table files.
    pub const ENCODING: &'static str = "nibbles";

    /// Bytes that a table of this many entries takes.
    pub const fn bytes_for(entries: u64) -> u64 {
        entries.div_ceil(2)
    }

    /// A table over bytes that are laid out as described at the type, such as a loaded payload. `None` if they are not
    /// [`Nibbles::bytes_for`] many.
    pub fn new(bytes: Bytes, entries: u64) -> Option<Self> {
        (bytes.len() as u64 == Self::bytes_for(entries)).then_some(Self { bytes, entries })
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The bytes of the table, to keep.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of an entry: 0 to 14, or [`UNREACHED`].
    ///
    /// # Panics
    /// If the entry's byte is outside the table.
    #[inline(always)]
    pub fn get(&self, entry: u64) -> Cost {
        self.bytes[byte_of(entry)] >> ((entry & 1) * 4) & 15
    }

    /// Asks the processor for the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(&self, entry: u64) {
        memory::prefetch(&self.bytes, byte_of(entry));
    }

    /// How often each value occurs, exactly; on the current thread pool.
    pub fn histogram(&self) -> Histogram {
        let whole = self.bytes.len() - usize::from(!self.entries.is_multiple_of(2));
        let mut counts = self.bytes[..whole].par_chunks(1 << 16).map(count).reduce(
            || vec![0; 16],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            },
        );
        if let Some(last) = self.bytes[whole..].first() {
            counts[usize::from(last & 15)] += 1;
        }
        let unreached = counts[15];
        counts.truncate(15);
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Histogram { counts, unreached, entries: self.entries }
    }
}

/// How often each of the 16 values occurs in some bytes.
fn count(bytes: &[u8]) -> Vec<u64> {
    let mut pairs = [0_u64; 256];
    for &byte in bytes {
        pairs[usize::from(byte)] += 1;
    }
    let mut counts = vec![0; 16];
    for (pair, &count) in pairs.iter().enumerate() {
        counts[pair % 16] += count;
        counts[pair / 16] += count;
    }
    counts
}

/// The byte of an entry.
#[inline(always)]
fn byte_of(entry: u64) -> usize {
    // An entry of a table in memory has its byte below usize::MAX; any other is refused by the slice.
    usize::try_from(entry / 2).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::BytesMut;

    fn table(values: &[u8]) -> Nibbles {
        let mut bytes = BytesMut::zeroed(values.len().div_ceil(2)).expect("memory");
        for (byte, pair) in bytes.as_mut_slice().iter_mut().zip(values.chunks(2)) {
            *byte = pair[0] | pair.get(1).unwrap_or(&UNREACHED) << 4;
        }
        Nibbles::new(bytes.freeze(), values.len() as u64).expect("fits")
    }

    #[test]
    fn entries_are_where_they_should_be_and_counted() {
        let values: Vec<u8> = (0..200_001_u32).map(|i| [0, 3, 15, 7, 3][i as usize % 5]).collect();
        let table = table(&values);
        assert!((0..).zip(&values).all(|(entry, &value)| table.get(entry) == value));
        table.prefetch(u64::MAX);
        let histogram = table.histogram();
        let expected = Histogram {
            counts: vec![40_001, 0, 0, 80_000, 0, 0, 0, 40_000],
            unreached: 40_000,
            entries: 200_001,
        };
        assert_eq!(histogram, expected);
        assert_eq!((histogram.max(), histogram.mean()), (7, 520_000.0 / 160_001.0));
    }

    #[test]
    fn bytes_of_another_length_are_refused() {
        let bytes = BytesMut::zeroed(3).expect("memory").freeze();
        assert!([4, 7].iter().all(|&entries| Nibbles::new(bytes.clone(), entries).is_none()));
        assert!([5, 6].iter().all(|&entries| Nibbles::new(bytes.clone(), entries).is_some()));
    }
}
