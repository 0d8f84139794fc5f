//! The packed table of four bits an entry: [`Nibbles`].

use crate::memory::{self, Bytes};
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
        let mut counts = vec![0_u64; 16];
        for entry in 0..self.entries {
            counts[usize::from(self.get(entry))] += 1;
        }
        let unreached = counts[15];
        counts.truncate(15);
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Histogram { counts, unreached, entries: self.entries }
    }
}

/// The byte of an entry.
#[inline(always)]
fn byte_of(entry: u64) -> usize {
    // An entry of a table in memory has its byte below usize::MAX; any other is refused by the slice.
    usize::try_from(entry / 2).unwrap_or(usize::MAX)
}
