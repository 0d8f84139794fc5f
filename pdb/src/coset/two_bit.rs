//! Two bits an entry around a base value, with the exact minimum of a stripe in the same cache line.

use super::striped::Striped;
use crate::abstraction::Abstraction;
use crate::build::{BuildError, BuildOptions};
use crate::file::TableSpec;
use crate::memory::{self, Bytes, BytesMut};
use crate::nibbles::Nibbles;
use rayon::prelude::*;
use search::Cost;
use std::io;

/// Entries of a stripe: 62 codes of two bits, then the minimum in the last four bits.
pub(super) const STRIPE: usize = 62;
/// Bytes of a stripe. Four of them share a cache line.
pub(super) const STRIPE_BYTES: usize = 16;
/// The greatest base: base + 3 is a value that a table of four bits can hold.
const MOST_BASE: Cost = 11;

/// A table of lower bounds in rows of columns.
///
/// Each row is cut in stripes of 62 columns, 16 bytes each. Code `c` of column `62 s + i` stands in bits `2 (i % 4)` of byte `i / 4` of
/// stripe `s`: 1 and 2 mean base + 1 and base + 2 exactly, 3 means base + 3 or more, and 0 means "at most the base, and at
/// least the minimum of the stripe". That minimum is exact and stands in the high four bits of the last byte, which are 15 if no entry of the stripe is at
/// most the base. Unit: cost; no sentinel: an entry that no goal is reached from reads as base + 3. So no value read is above 14.
///
/// So every value read is a lower bound, none takes a second cache line, and bytes are 3.2% more than two bits an entry. The layout
/// is that of Tomas Rokicki's nxopt (cube20src); there a stripe is aligned to a coordinate, here to the row.
#[derive(Clone, Debug)]
pub struct TwoBit {
    bytes: Bytes,
    rows: u64,
    columns: usize,
    /// Bits of a row.
    row_bits: u64,
    base: Cost,
}

/// Where an entry stands, as the number of its first bit: computed once, then prefetched and read. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u64);

impl Place {
    /// A place to overwrite; in a table that is not empty it is the first one.
    pub const NOWHERE: Self = Self(0);

    /// The place whose first bit has a number.
    #[inline(always)]
    pub fn new(bit: u64) -> Self {
        Self(bit)
    }
    /// The number of its first bit.
    #[inline(always)]
    pub fn bit(self) -> u64 {
        self.0
    }
    /// The number of its byte.
    #[inline(always)]
    fn byte(self) -> usize {
        (self.0 / 8) as usize
    }
}

/// A [`TwoBit`] table by value, without what a search does not need.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    row_bits: u64,
    base: Cost,
}

impl Lines<'_> {
    /// Where the entry of a row and a column stands.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "62")]
    pub fn locate(self, row: u32, column: u32) -> Place {
        // Two bits an entry, and four more after each stripe.
        let in_row = u64::from(2 * column + 4 * (column / STRIPE as u32));
        Place(u64::from(row) * self.row_bits + in_row)
    }

    /// Asks the processor for the cache line of a place.
    #[inline(always)]
    pub fn prefetch(self, place: Place) {
        memory::prefetch(self.bytes, place.byte());
    }

    /// The lower bound at a place.
    ///
    /// # Panics
    /// If the place is outside the table.
    #[inline(always)]
    pub fn read(self, place: Place) -> Cost {
        // The last byte of the stripe, which begins at a multiple of 16.
        let (byte, last) = (place.byte(), place.byte() | (STRIPE_BYTES - 1));
        let table = &self.bytes[..=last];
        let code = table[byte] >> (place.0 & 7) & 3;
        // Both values are there after one cache line, so a choice without a branch is the faster one.
        let least = table[last] >> 4;
        if code == 0 { least } else { self.base + code }
    }
}

impl TwoBit {
    /// Bytes of a table of this shape.
    pub const fn bytes_for(rows: u64, columns: usize) -> u64 {
        rows * (columns.div_ceil(STRIPE) * STRIPE_BYTES) as u64
    }

    /// The name of the encoding with this base in table files: `two-bit:B`.
    pub fn encoding(base: Cost) -> String {
        format!("two-bit:{base}")
    }

    /// What the file of such a table holds.
    pub fn spec(
        name: impl Into<String>,
        description: serde_json::Value,
        (rows, columns): (u64, usize),
        base: Cost,
    ) -> TableSpec {
        TableSpec {
            name: name.into(),
            description,
            encoding: Self::encoding(base),
            entries: rows * columns as u64,
            payload_bytes: Self::bytes_for(rows, columns),
        }
    }

    /// A table over bytes that are laid out as described at the type, such as a loaded payload. `None` if they are not
    /// [`TwoBit::bytes_for`] many.
    ///
    /// # Panics
    /// If there are no columns, 2^32 and more rows or columns, or the base is above 11.
    pub fn new(bytes: Bytes, rows: u64, columns: usize, base: Cost) -> Option<Self> {
        assert!(base <= MOST_BASE, "the base is {base}, at most {MOST_BASE} is possible");
        assert!(columns > 0, "a row has no columns");
        let most = u64::from(u32::MAX / 4);
        assert!(
            rows <= most && columns as u64 <= most,
            "{rows} rows of {columns} columns are too many to number with 32 bits"
        );
        let row_bits = (columns.div_ceil(STRIPE) * STRIPE_BYTES * 8) as u64;
        (bytes.len() as u64 == Self::bytes_for(rows, columns)).then_some(Self {
            bytes,
            rows,
            columns,
            row_bits,
            base,
        })
    }

    /// Builds the table of an abstraction whose edges cost 1, on the current thread pool, in no more memory than the table itself and a
    /// bit for each value and block of rows. Distances above base + 2 are not looked for, which saves their layers.
    ///
    /// # Errors
    /// As [`build`](crate::build()); another cost than 1; never a distance that is too great.
    ///
    /// # Panics
    /// As [`TwoBit::new`] and [`build`](crate::build()).
    pub fn build(
        abstraction: &impl Abstraction,
        base: Cost,
        options: &BuildOptions<'_>,
    ) -> Result<Self, BuildError> {
        crate::build::entries_of(abstraction)?;
        let (rows, columns) = (abstraction.rows(), abstraction.columns());
        let bytes = Self::bytes_for(rows, columns);
        let filled = crate::build::fill(bytes, |words| {
            crate::build::run(abstraction, options, Striped::unseen(words, columns, base))
        })?;
        let table = Self::new(filled, rows, columns, base);
        Ok(table.unwrap_or_else(|| unreachable!("made to fit")))
    }

    /// Encodes the exact distances of `rows * columns` entries, on the current thread pool.
    ///
    /// # Errors
    /// If the memory cannot be had.
    ///
    /// # Panics
    /// As [`TwoBit::new`], or if the table has another number of entries.
    pub fn encode(exact: &Nibbles, rows: u64, columns: usize, base: Cost) -> io::Result<Self> {
        let entries = rows * columns as u64;
        assert_eq!(exact.entries(), entries, "a table of {rows} rows of {columns} columns");
        Self::encode_with(rows, columns, base, |entry| exact.get(entry))
    }

    /// Encodes what a function from entries (`row * columns + column`) to exact distances says, on the current thread pool.
    /// Values above 15 count as 15.
    ///
    /// # Errors
    /// If the memory cannot be had.
    ///
    /// # Panics
    /// As [`TwoBit::new`].
    pub fn encode_with(
        rows: u64,
        columns: usize,
        base: Cost,
        exact: impl Fn(u64) -> Cost + Sync,
    ) -> io::Result<Self> {
        let len = usize::try_from(Self::bytes_for(rows, columns))
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = BytesMut::zeroed(len)?;
        let stripes = columns.div_ceil(STRIPE);
        let encode_row = |(row, out): (u64, &mut [u8])| {
            let first = row * columns as u64;
            for (stripe, out) in (0..).zip(out.chunks_exact_mut(STRIPE_BYTES)) {
                let (start, end) = (STRIPE * stripe, columns.min(STRIPE * (stripe + 1)));
                let (mut codes, mut least) = (0_u128, 15);
                for (shift, entry) in (0..).step_by(2).zip(start..end) {
                    let value = exact(first + entry as u64).min(15);
                    least = least.min(value);
                    codes |= u128::from(value.saturating_sub(base).min(3)) << shift;
                }
                let least = if least > base { 15 } else { least };
                out.copy_from_slice(&(codes | u128::from(least) << 124).to_le_bytes());
            }
        };
        bytes
            .as_mut_slice()
            .par_chunks_mut((stripes * STRIPE_BYTES).max(1))
            .enumerate()
            .map(|(row, out)| (row as u64, out))
            .for_each(encode_row);
        let table = Self::new(bytes.freeze(), rows, columns, base);
        Ok(table.unwrap_or_else(|| unreachable!("made to fit")))
    }

    /// The bytes of the table, to keep.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The bytes of the table: what a table file holds.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Rows of the table.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Columns of a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Values up to this one read as the minimum of their stripe.
    pub fn base(&self) -> Cost {
        self.base
    }

    /// The table to be read many times: what a loop keeps in registers.
    #[inline(always)]
    pub fn lines(&self) -> Lines<'_> {
        Lines { bytes: &self.bytes, row_bits: self.row_bits, base: self.base }
    }

    /// Where the entry of a row and a column stands.
    #[inline(always)]
    pub fn locate(&self, row: u32, column: u32) -> Place {
        self.lines().locate(row, column)
    }

    /// Asks the processor for the cache line of a place.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        self.lines().prefetch(place);
    }

    /// The lower bound at a place.
    ///
    /// # Panics
    /// If the place is outside the table.
    #[inline(always)]
    pub fn read(&self, place: Place) -> Cost {
        self.lines().read(place)
    }

    /// The lower bound of a row and a column.
    ///
    /// # Panics
    /// If they are outside the table.
    pub fn get(&self, row: u32, column: u32) -> Cost {
        assert!(
            u64::from(row) < self.rows && (column as usize) < self.columns,
            "({row}, {column}) is outside"
        );
        self.read(self.locate(row, column))
    }

    /// How many entries read as each value, from 0 to the greatest that occurs; on the current thread pool.
    pub fn counts(&self) -> Vec<u64> {
        let rows = u32::try_from(self.rows).unwrap_or(u32::MAX);
        let columns = u32::try_from(self.columns).unwrap_or(u32::MAX);
        let count = |mut counts: [u64; 16], row| {
            (0..columns).for_each(|column| counts[usize::from(self.get(row, column))] += 1);
            counts
        };
        let add = |a: [u64; 16], b: [u64; 16]| std::array::from_fn(|i| a[i] + b[i]);
        let counts = (0..rows).into_par_iter().fold(|| [0; 16], count).reduce(|| [0; 16], add);
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts[..=most].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances without a pattern, 15 among them.
    fn value(entry: u64) -> Cost {
        let mixed = (entry + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let tame = (entry / 62).is_multiple_of(3);
        Cost::try_from(if tame { mixed % 5 + 4 } else { mixed % 16 }).expect("small")
    }

    #[test]
    fn values_are_lower_bounds_and_exact_around_the_base() {
        for (rows, columns) in [(7_u64, 150_usize), (3, 62), (2, 63), (1, 1), (40, 2187)] {
            for base in [0, 5, 7, 11] {
                let table = TwoBit::encode_with(rows, columns, base, value).expect("memory");
                assert_eq!(table.bytes().len() as u64, TwoBit::bytes_for(rows, columns));
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
                    let entry = |column: usize| row * columns as u64 + column as u64;
                    let exact = value(entry(column));
                    let start = column / STRIPE * STRIPE;
                    let stripe = start..columns.min(start + STRIPE);
                    let least = stripe.map(|column| value(entry(column))).min().expect("not empty");
                    let read = table
                        .get(row.try_into().expect("small"), column.try_into().expect("small"));
                    let expected = if exact <= base { least } else { exact.min(base + 3) };
                    assert_eq!(read, expected, "({row}, {column}), base {base}, exact {exact}");
                    assert!(read <= exact);
                }
                assert_eq!(table.counts().iter().sum::<u64>(), rows * columns as u64);
            }
        }
    }

    #[test]
    fn a_table_of_four_bits_and_its_file_make_the_same_table() {
        let (rows, columns, base) = (5, 100, 6);
        let mut bytes = BytesMut::zeroed(250).expect("memory");
        for entry in 0..500_u64 {
            bytes.as_mut_slice()[usize::try_from(entry / 2).expect("small")] |=
                value(entry) << (4 * (entry % 2));
        }
        let exact = Nibbles::new(bytes.freeze(), 500).expect("of this length");
        let table = TwoBit::encode(&exact, rows, columns, base).expect("memory");
        let same = TwoBit::encode_with(rows, columns, base, value).expect("memory");
        assert_eq!(table.bytes(), same.bytes());
        let spec = TwoBit::spec("toy", serde_json::json!({"toy": 1}), (rows, columns), base);
        assert_eq!(
            (spec.encoding.as_str(), spec.entries, spec.payload_bytes),
            ("two-bit:6", 500, 160)
        );
        let folder = tempfile::tempdir().expect("folder");
        let store = crate::file::TableStore::new(folder.path());
        store.save(&spec, table.bytes()).expect("saved");
        let loaded = store.load(&spec, crate::file::Load::Mmap).expect("loaded");
        let loaded = TwoBit::new(loaded, rows, columns, base).expect("of this length");
        assert_eq!(loaded.bytes(), table.bytes());
        let place = loaded.locate(4, 99);
        loaded.prefetch(place);
        assert_eq!(loaded.read(place), table.get(4, 99));
        assert!(TwoBit::new(loaded.bytes.clone(), rows, 150, base).is_none());
    }

    #[test]
    #[should_panic(expected = "the base is 12")]
    fn a_base_that_four_bits_cannot_hold_is_refused() {
        let _ = TwoBit::encode_with(1, 1, 12, |_| 0);
    }
}
