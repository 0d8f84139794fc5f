//! Two bits an entry around a base value, with the exact minimum of a stripe in the same cache line.

use crate::memory::{self, Bytes, BytesMut};
use crate::nibbles::Nibbles;
use rayon::prelude::*;
use search::Cost;
use std::io;

/// Entries of a stripe of 16 bytes: 62 codes of two bits, then the minimum in the last four bits.
const STRIPE: usize = 62;
/// Bytes of a stripe. Four of them share a cache line.
const STRIPE_BYTES: usize = 16;

/// A table of lower bounds in rows of columns.
///
/// Each row is cut in stripes of 62 columns. Code `c` of column `62 s + i` stands in bits `2 (i % 4)` of byte `i / 4` of stripe `s`:
/// 0 means "at most the base, and at least the stripe's minimum", 1 and 2 mean base + 1 and base + 2 exactly, 3 means
/// base + 3 or more. The high four bits of the last byte of a stripe are its exact minimum. So every value read is a lower bound, and
/// none needs a second cache line. Bytes: 16 a stripe, 3.2% more than two bits an entry.
///
/// The layout is that of Tomas Rokicki's nxopt (cube20src, 2010s); ours fills stripes column by column instead of aligning
/// them to a coordinate.
#[derive(Clone, Debug)]
pub struct TwoBit {
    bytes: Bytes,
    rows: u64,
    columns: usize,
    stripes: usize,
    base: Cost,
}

/// Where an entry stands: computed once, then prefetched and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the stripe.
    stripe: u32,
    /// Number of the entry in it.
    entry: u32,
}

impl Place {
    /// A place to overwrite.
    pub const NOWHERE: Self = Self { stripe: 0, entry: 0 };
}

impl TwoBit {
    /// Bytes of a table of this shape.
    pub const fn bytes_for(rows: u64, columns: usize) -> u64 {
        rows * (columns.div_ceil(STRIPE) * STRIPE_BYTES) as u64
    }

    /// Encodes the exact distances of `rows * columns` entries.
    ///
    /// # Errors
    /// If the memory cannot be had.
    ///
    /// # Panics
    /// If the table has another number of entries, or 2^32 stripes or more.
    pub fn encode(exact: &Nibbles, rows: u64, columns: usize, base: Cost) -> io::Result<Self> {
        assert_eq!(
            exact.entries(),
            rows * columns as u64,
            "a table of {rows} rows of {columns} columns"
        );
        let stripes = columns.div_ceil(STRIPE);
        let len = usize::try_from(Self::bytes_for(rows, columns))
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = BytesMut::zeroed(len)?;
        bytes.as_mut_slice().par_chunks_mut(stripes * STRIPE_BYTES).enumerate().for_each(
            |(row, out)| {
                for (stripe, out) in out.chunks_exact_mut(STRIPE_BYTES).enumerate() {
                    let first = STRIPE * stripe;
                    let mut least = 15;
                    for column in first..columns.min(first + STRIPE) {
                        let value = exact.get((row * columns + column) as u64);
                        least = least.min(value);
                        let entry = column - first;
                        out[entry / 4] |= value.saturating_sub(base).min(3) << (2 * (entry % 4));
                    }
                    out[STRIPE_BYTES - 1] |= least << 4;
                }
            },
        );
        Ok(Self::new(bytes.freeze(), rows, columns, base)
            .unwrap_or_else(|| unreachable!("of this length")))
    }

    /// A table over bytes that are laid out as described at the type. `None` if they are not [`TwoBit::bytes_for`] many.
    ///
    /// # Panics
    /// If there are 2^32 stripes or more.
    pub fn new(bytes: Bytes, rows: u64, columns: usize, base: Cost) -> Option<Self> {
        let stripes = columns.div_ceil(STRIPE);
        assert!(rows * (stripes as u64) < 1 << 32, "{rows} rows of {stripes} stripes are too many");
        (bytes.len() as u64 == Self::bytes_for(rows, columns)).then_some(Self {
            bytes,
            rows,
            columns,
            stripes,
            base,
        })
    }

    /// The bytes of the table, to keep.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The bytes of the table.
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

    /// Where the entry of a row and a column stands.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "fewer than 2^32 stripes, checked when the table is made"
    )]
    pub fn locate(&self, row: u32, column: u32) -> Place {
        let stripe = column / STRIPE as u32;
        Place { stripe: row * self.stripes as u32 + stripe, entry: column - stripe * STRIPE as u32 }
    }

    /// Asks for the cache line of a place.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        memory::prefetch(&self.bytes, place.stripe as usize * STRIPE_BYTES);
    }

    /// The lower bound at a place.
    #[inline(always)]
    pub fn read(&self, place: Place) -> Cost {
        let at = place.stripe as usize * STRIPE_BYTES;
        let stripe = &self.bytes[at..at + STRIPE_BYTES];
        let code = stripe[place.entry as usize / 4] >> (2 * (place.entry % 4)) & 3;
        if code == 0 { stripe[STRIPE_BYTES - 1] >> 4 } else { self.base + code }
    }

    /// The lower bound of a row and a column.
    pub fn get(&self, row: u32, column: u32) -> Cost {
        self.read(self.locate(row, column))
    }

    /// How many entries read as each value, from 0 to the greatest that occurs.
    pub fn counts(&self) -> Vec<u64> {
        let columns = u32::try_from(self.columns).unwrap_or(u32::MAX);
        let rows = u32::try_from(self.rows).unwrap_or(u32::MAX);
        let add = |mut a: [u64; 20], b: [u64; 20]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let counts = (0..rows)
            .into_par_iter()
            .fold(
                || [0; 20],
                |mut counts, row| {
                    (0..columns).for_each(|column| counts[usize::from(self.get(row, column))] += 1);
                    counts
                },
            )
            .reduce(|| [0; 20], add);
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts[..=most].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_lower_bounds_and_exact_around_the_base() {
        let (rows, columns, base) = (7_u32, 150_usize, 5);
        let value = |entry: usize| Cost::try_from(entry * entry % 89 % 11).expect("small");
        let entries = rows as usize * columns;
        let mut bytes = BytesMut::zeroed(entries.div_ceil(2)).expect("memory");
        for entry in 0..entries {
            bytes.as_mut_slice()[entry / 2] |= value(entry) << (4 * (entry % 2));
        }
        let exact = Nibbles::new(bytes.freeze(), entries as u64).expect("of this length");
        let table = TwoBit::encode(&exact, u64::from(rows), columns, base).expect("memory");
        for row in 0..rows {
            for column in 0..columns {
                let exact = value(row as usize * columns + column);
                let stripe = column / STRIPE * STRIPE..columns.min((column / STRIPE + 1) * STRIPE);
                let least = stripe
                    .map(|column| value(row as usize * columns + column))
                    .min()
                    .expect("not empty");
                let read = table.get(row, u32::try_from(column).expect("small"));
                let expected = if exact <= base { least } else { exact.min(base + 3) };
                assert_eq!(read, expected, "row {row}, column {column}");
            }
        }
        assert_eq!(table.counts().iter().sum::<u64>(), entries as u64);
    }
}
