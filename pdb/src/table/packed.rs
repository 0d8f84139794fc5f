//! The table of exact distances in 2, 4 or 8 bits an entry: [`PackedTable`].

use super::Histogram;
use crate::file::Payload;
use crate::memory::{Bytes, BytesMut};
use search::{Cost, threads};
use std::io;
use std::sync::Mutex;

/// A read-only table of distances in 2, 4 or 8 bits an entry.
///
/// With `BITS` bits, distances from 0 to `2^BITS - 2` fit. The value with all bits set marks an
/// entry that reaches no goal.
///
/// Layout: entries lie in bytes one after the other, the first one in the lowest bits. So with 4
/// bits entry `e` is in byte `e / 2`, in its low half if `e` is even. Clones share the bytes.
#[derive(Clone, Debug)]
pub struct PackedTable {
    bytes: Bytes,
    entries: u64,
    /// Binary logarithm of the bits of an entry.
    width: u32,
    /// A mask of the bits of an entry. It is also the value of an entry that reaches no goal.
    mask: u8,
}

impl PackedTable {
    /// Size of a table in bytes.
    ///
    /// # Panics
    /// If `bits` is not 2, 4 or 8.
    pub const fn bytes_for(bits: u32, entries: u64) -> u64 {
        entries.div_ceil(8 >> width_of(bits))
    }

    /// Encoding and size of a table in its file.
    ///
    /// # Panics
    /// If `bits` is not 2, 4 or 8.
    pub fn payload(bits: u32, entries: u64) -> Payload {
        let encoding = ["2-bit", "nibbles", "octets"][width_of(bits) as usize - 1];
        let bytes = Self::bytes_for(bits, entries);
        Payload { encoding: encoding.to_owned(), entries, bytes }
    }

    /// A table over bytes in the layout of this type, such as a loaded payload. `None` if their
    /// number is not [`PackedTable::bytes_for`].
    ///
    /// # Panics
    /// If `bits` is not 2, 4 or 8.
    pub fn new(bytes: Bytes, bits: u32, entries: u64) -> Option<Self> {
        let fits = bytes.len() as u64 == Self::bytes_for(bits, entries);
        fits.then_some(Self { bytes, entries, width: width_of(bits), mask: u8::MAX >> (8 - bits) })
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Bits of an entry.
    pub fn bits(&self) -> u32 {
        1 << self.width
    }

    /// The packed bytes, taken out of the table.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The distance of an entry; [`Cost::MAX`] if it reaches no goal.
    ///
    /// # Panics
    /// If the entry's byte is outside the table.
    #[inline(always)]
    pub fn get(&self, entry: u64) -> Cost {
        let value = self.raw(entry);
        if value == self.mask { Cost::MAX } else { value }
    }

    /// The stored value of an entry: its distance, or all bits set if it reaches no goal.
    ///
    /// # Panics
    /// If the entry's byte is outside the table.
    #[inline(always)]
    pub fn raw(&self, entry: u64) -> u8 {
        self.bytes[self.byte_of(entry)] >> (entry << self.width & 7) & self.mask
    }

    /// Prefetches the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(&self, entry: u64) {
        search::prefetch(&self.bytes, self.byte_of(entry));
    }

    /// The index of an entry's byte. It is out of range if the table has no such byte.
    #[inline(always)]
    fn byte_of(&self, entry: u64) -> usize {
        usize::try_from(entry >> (3 - self.width)).unwrap_or(usize::MAX)
    }

    /// Counts how often each value occurs. Runs on the current thread pool.
    pub fn histogram(&self) -> Histogram {
        let (bits, in_byte) = (self.bits(), u64::from(8 / self.bits()));
        let whole = usize::try_from(self.entries / in_byte).expect("bytes in memory");
        let parts: Vec<&[u8]> = self.bytes[..whole].chunks(1 << 16).collect();
        let bytes = Mutex::new([0; 256]);
        threads::each(parts.len(), &|part| {
            let counts = count_bytes(parts[part]);
            let mut sums = bytes.lock().expect("no thread panics while it holds this lock");
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        });
        let bytes = bytes.into_inner().expect("no thread panicked");
        let mut counts = vec![0; 1 << bits];
        for (byte, &count) in bytes.iter().enumerate() {
            for shift in (0..8).step_by(bits as usize) {
                counts[byte >> shift & usize::from(self.mask)] += count;
            }
        }
        for entry in whole as u64 * in_byte..self.entries {
            counts[usize::from(self.raw(entry))] += 1;
        }
        let unreached = counts.pop().expect("at least four values");
        let most = counts.iter().rposition(|&count| count > 0);
        counts.truncate(most.map_or(0, |most| most + 1));
        Histogram { counts, unreached, entries: self.entries }
    }

    /// The same table with 4 bits an entry. Distances above 14 become 14, so it stays admissible.
    ///
    /// # Errors
    /// If the operating system does not provide the memory.
    pub fn lowered_to_four_bits(&self) -> io::Result<Self> {
        let len = Self::bytes_for(4, self.entries);
        let mut bytes = BytesMut::zeroed(usize::try_from(len).map_err(io::Error::other)?)?;
        let value = |entry| match self.get(entry) {
            Cost::MAX => 15,
            distance => distance.min(14),
        };
        for (first, byte) in (0..).step_by(2).zip(bytes.as_mut_slice()) {
            let second = if first + 1 < self.entries { value(first + 1) } else { 0 };
            *byte = value(first) | second << 4;
        }
        Ok(Self::new(bytes.freeze(), 4, self.entries).expect("made to fit"))
    }
}

/// The binary logarithm of a number of bits.
const fn width_of(bits: u32) -> u32 {
    assert!(matches!(bits, 2 | 4 | 8), "an entry has 2, 4 or 8 bits");
    bits.ilog2()
}

/// How often each byte occurs.
fn count_bytes(bytes: &[u8]) -> [u64; 256] {
    let mut counts = [0; 256];
    bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bits: u32, values: &[u8]) -> PackedTable {
        let entries = values.len() as u64;
        let len = PackedTable::bytes_for(bits, entries).try_into().expect("small");
        let mut bytes = BytesMut::zeroed(len).expect("memory");
        let in_byte = 8 / bits as usize;
        for (byte, values) in bytes.as_mut_slice().iter_mut().zip(values.chunks(in_byte)) {
            let bits = (0..).step_by(bits as usize).zip(values);
            *byte = bits.fold(0, |byte, (shift, value)| byte | value << shift);
        }
        PackedTable::new(bytes.freeze(), bits, entries).expect("fits")
    }

    #[test]
    fn entries_are_where_they_should_be_and_counted() {
        for (bits, unreached) in [(2, 3), (4, 15), (8, 255)] {
            let pattern = [0, 1, unreached, 2, 1];
            let values: Vec<u8> = (0..200_001).map(|i| pattern[i % 5]).collect();
            let table = table(bits, &values);
            assert_eq!((table.bits(), table.entries()), (bits, 200_001));
            for (entry, &value) in (0..).zip(&values) {
                assert_eq!(table.raw(entry), value);
                let distance = if value == unreached { Cost::MAX } else { value };
                assert_eq!(table.get(entry), distance);
            }
            table.prefetch(u64::MAX);
            let histogram = table.histogram();
            let counts = vec![40_001, 80_000, 40_000];
            assert_eq!(histogram, Histogram { counts, unreached: 40_000, entries: 200_001 });
            assert_eq!((histogram.max(), histogram.mean()), (2, 160_000.0 / 160_001.0));
        }
    }

    #[test]
    fn great_distances_are_lowered() {
        let table = table(8, &[0, 14, 15, 254, 255, 3, 7]).lowered_to_four_bits().expect("memory");
        let values: Vec<Cost> = (0..table.entries()).map(|entry| table.get(entry)).collect();
        assert_eq!(values, [0, 14, 14, 14, 255, 3, 7]);
        assert_eq!(table.bytes(), [0xe0, 0xee, 0x3f, 0x07]);
    }

    #[test]
    fn bytes_of_another_length_are_refused() {
        let bytes = BytesMut::zeroed(3).expect("memory").freeze();
        let fits = |bits, entries| PackedTable::new(bytes.clone(), bits, entries).is_some();
        assert!((5..=6).all(|entries| fits(4, entries)) && !fits(4, 4) && !fits(4, 7));
        assert!((9..=12).all(|entries| fits(2, entries)) && !fits(2, 8) && !fits(2, 13));
        assert!(fits(8, 3) && !fits(8, 2) && !fits(8, 4));
    }

    #[test]
    #[should_panic(expected = "2, 4 or 8 bits")]
    fn three_bits_are_refused() {
        PackedTable::bytes_for(3, 1);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn entries_outside_are_refused() {
        // Its bit number does not fit 64 bits.
        table(4, &[1, 2, 3]).raw(1 << 62);
    }
}
