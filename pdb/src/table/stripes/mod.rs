//! Tables of lower bounds with one or two bits an entry: [`StripeTable`].
//!
//! Values just above a base value are exact. For smaller values, the table stores the exact minimum
//! of each stripe of entries, in the same cache line.

mod build;
mod code;
mod one_bit;
#[cfg(test)]
mod tests;

pub use code::StripeCode;

use crate::abstraction::Abstraction;
use crate::builder::{BuildError, BuildOptions, TeamDistances, of_team};
use crate::file::Payload;
use crate::memory::Bytes;
use crate::prove::{Unproved, prove_layers};
use crate::table::PackedTable;
use build::StripeBuildTable;
use code::{MOST, STRIPE_BYTES};
use search::{CancelToken, Cost, threads};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

/// A table of lower bounds, in rows and columns, with one or two bits an entry.
///
/// Every lookup returns a lower bound and reads one cache line. The minima of stripes add 3.2% to
/// the size of the codes.
///
/// A row is cut into stripes of 16 bytes. The high four bits of a stripe's last byte hold its exact
/// minimum. They are 15 if no entry of the stripe is at most the base. The other bits hold a code
/// for each column:
///
/// | bits | columns | place of the code of column `i` | code 0 | code 1 | code 2 | code 3 |
/// |---|---|---|---|---|---|---|
/// | 1 | 124 | bit `i % 8` of byte `i / 8` | `<= base` | more | | |
/// | 2 | 62 | bits `2 (i % 4)` and up of byte `i / 4` | `<= base` | base + 1 | base + 2 | more |
///
/// For an entry with the code 0, a lookup returns the minimum of its stripe. No code marks entries
/// that reach no goal: for these, a lookup returns the greatest value. No value is above 14.
///
/// The layout is that of Tomas Rokicki's nxopt (cube20src). There stripes are aligned to a
/// coordinate, here to the row.
#[derive(Clone, Debug)]
pub struct StripeTable {
    bytes: Bytes,
    rows: u64,
    columns: usize,
    code: StripeCode,
}

/// The place of an entry: the number of its first bit. A search computes it once, prefetches it,
/// and reads it later. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripePlace(u64);

impl StripePlace {
    /// A placeholder to be overwritten. Reading it is safe: it is the first place of a table that
    /// is not empty.
    pub const NOWHERE: Self = Self(0);

    /// The place of the entry that begins at bit number `bit` of the table.
    #[inline(always)]
    pub fn new(bit: u64) -> Self {
        Self(bit)
    }
    /// The number of the entry's first bit in the table.
    #[inline(always)]
    pub fn bit(self) -> u64 {
        self.0
    }
    /// The number of the byte that holds the entry.
    #[inline(always)]
    fn byte(self) -> usize {
        (self.0 / 8) as usize
    }
}

/// The parts of a [`StripeTable`] that a lookup needs, to be kept in registers.
#[derive(Clone, Copy, Debug)]
pub struct StripeLines<'a> {
    bytes: &'a [u8],
    row_bits: u64,
    /// A factor: a column times this, divided by 2^32, is the number of its stripe.
    stripes: u64,
    /// Bits of an entry minus one.
    double: u32,
    /// The greatest code; also the mask of a code.
    most: u8,
    base: Cost,
}

impl StripeLines<'_> {
    /// The place of the entry in a row and a column.
    #[inline(always)]
    pub fn locate(self, row: u32, column: u32) -> StripePlace {
        // An entry has one bit or two. Each stripe ends with four more bits.
        let column = u64::from(column);
        let in_row = (column << self.double) + 4 * ((column * self.stripes) >> 32);
        StripePlace(u64::from(row) * self.row_bits + in_row)
    }

    /// Prefetches the cache line of a place.
    #[inline(always)]
    pub fn prefetch(self, place: StripePlace) {
        search::prefetch(self.bytes, place.byte());
    }

    /// The lower bound at a place.
    ///
    /// # Panics
    /// If the place is outside the table.
    #[inline(always)]
    pub fn read(self, place: StripePlace) -> Cost {
        // The last byte of the stripe, which begins at a multiple of 16.
        let (byte, last) = (place.byte(), place.byte() | (STRIPE_BYTES - 1));
        let table = &self.bytes[..=last];
        let code = table[byte] >> (place.0 & 7) & self.most;
        // One cache line holds both values, so a choice without a branch is faster.
        let least = table[last] >> 4;
        if code == 0 { least } else { self.base + code }
    }
}

impl StripeTable {
    /// Size of a table of this shape in bytes, at two bits an entry.
    pub const fn bytes_for(rows: u64, columns: usize) -> u64 {
        Self::bytes_in(StripeCode::two(0), rows, columns)
    }

    /// Size of a table of this shape and code in bytes.
    pub const fn bytes_in(code: StripeCode, rows: u64, columns: usize) -> u64 {
        rows * code.row_bytes(columns) as u64
    }

    /// Encoding and size of a table in its file.
    pub fn payload(rows: u64, columns: usize, code: impl Into<StripeCode>) -> Payload {
        let code = code.into();
        let (entries, bytes) = (rows * columns as u64, Self::bytes_in(code, rows, columns));
        Payload { encoding: code.name(), entries, bytes }
    }

    /// A table over bytes in the layout of this type, such as a loaded payload. `None` if their
    /// number is not [`StripeTable::bytes_in`].
    ///
    /// # Panics
    /// If there are no columns, 2^30 rows or more, more than 2^24 columns, or values above 14.
    pub fn new(
        bytes: Bytes,
        rows: u64,
        columns: usize,
        code: impl Into<StripeCode>,
    ) -> Option<Self> {
        let code = code.into();
        code.check();
        assert!(columns > 0, "a row has no columns");
        assert!(
            rows < 1 << 30 && columns <= 1 << 24,
            "{rows} rows of {columns} columns are too many to be numbered"
        );
        let fits = bytes.len() as u64 == Self::bytes_in(code, rows, columns);
        fits.then_some(Self { bytes, rows, columns, code })
    }

    /// Builds the table of an abstraction whose edges cost 1, on the current thread pool.
    ///
    /// The build stops after layer base + 2 (at one bit an entry: after layer base). Memory: the
    /// table, and at most one bit for each value and block of rows. At one bit an entry, a
    /// temporary file holds the table before the newest layer. It is at most as large as the table,
    /// and lies in the folder of the checkpoint or in that of the system.
    ///
    /// # Errors
    /// If an edge from these layers does not cost 1, or a temporary file fails. Otherwise as
    /// [`build`](crate::build()), but no distance is too great.
    ///
    /// # Panics
    /// As [`StripeTable::new`] and [`build`](crate::build()).
    pub fn build(
        abstraction: &dyn Abstraction,
        code: impl Into<StripeCode>,
        options: &BuildOptions<'_>,
    ) -> Result<Self, BuildError> {
        Self::build_code(abstraction, code.into(), options)
    }

    /// [`StripeTable::build`] without type parameters, so that it is compiled once, in this crate.
    fn build_code(
        abstraction: &dyn Abstraction,
        code: StripeCode,
        options: &BuildOptions<'_>,
    ) -> Result<Self, BuildError> {
        crate::builder::entries_of(abstraction)?;
        code.check();
        let (rows, columns) = (abstraction.rows(), abstraction.columns());
        if let Some(team) = options.team {
            // Lookups return at most 14, so four bits are enough.
            let wanted = TeamDistances { bits: 4, most: Some(code.last_layer()) };
            let exact = of_team(team, abstraction, wanted, options)?;
            return Self::of_distances(&exact, rows, columns, code);
        }
        let bytes = Self::bytes_in(code, rows, columns);
        let filled = crate::builder::fill(bytes, |words| match code.bits() {
            1 => one_bit::fill(abstraction, code.base(), options, words),
            _ => {
                let cancel = options.cancel;
                let store = StripeBuildTable::<2>::unseen(words, columns, code.base(), cancel);
                crate::builder::run(abstraction, options, store)
            }
        })?;
        let table = Self::new(filled.freeze(), rows, columns, code);
        Ok(table.expect("made to fit"))
    }

    /// The table of these distances. All distances up to the greatest code must be exact.
    fn of_distances(
        exact: &PackedTable,
        rows: u64,
        columns: usize,
        code: StripeCode,
    ) -> Result<Self, BuildError> {
        let stripes = columns.div_ceil(code.stripe());
        let stripe = |at: usize| {
            let row = (at / stripes * columns) as u64;
            let distance = |column| exact.get(row + column as u64);
            code.stripe_of(columns, at % stripes * code.stripe(), distance)
        };
        let filled = crate::builder::fill(Self::bytes_in(code, rows, columns), |words| {
            for (at, words) in words.chunks(STRIPE_BYTES / 8).enumerate() {
                let bytes = stripe(at);
                let halves = bytes.as_chunks().0.iter().map(|half| u64::from_ne_bytes(*half));
                words.iter().zip(halves).for_each(|(word, half)| word.store(half, Relaxed));
            }
            Ok(())
        })?;
        Ok(Self::new(filled.freeze(), rows, columns, code).expect("made to fit"))
    }

    /// The bytes of the table, taken out of it.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The bytes of the table, as in a table file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of rows of the table.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Number of columns of a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The code of the table's values.
    pub fn code(&self) -> StripeCode {
        self.code
    }

    /// The parts of the table that a loop of many reads keeps in registers.
    #[inline(always)]
    pub fn lines(&self) -> StripeLines<'_> {
        let (bits, base) = (self.code.bits(), self.code.base());
        let stripe = self.code.stripe() as u64;
        StripeLines {
            bytes: &self.bytes,
            row_bits: 8 * self.code.row_bytes(self.columns) as u64,
            // Rounding up adds less than 1 to the factor. So stripe numbers are exact for all
            // columns below 2^24.
            stripes: (1_u64 << 32).div_ceil(stripe),
            double: bits - 1,
            most: self.code.most(),
            base,
        }
    }

    /// The place of the entry in a row and a column.
    #[inline(always)]
    pub fn locate(&self, row: u32, column: u32) -> StripePlace {
        self.lines().locate(row, column)
    }

    /// Prefetches the cache line of a place.
    #[inline(always)]
    pub fn prefetch(&self, place: StripePlace) {
        self.lines().prefetch(place);
    }

    /// The lower bound at a place.
    ///
    /// # Panics
    /// If the place is outside the table.
    #[inline(always)]
    pub fn read(&self, place: StripePlace) -> Cost {
        self.lines().read(place)
    }

    /// The lower bound of the entry in a row and a column.
    ///
    /// # Panics
    /// If the row or the column does not exist.
    pub fn get(&self, row: u32, column: u32) -> Cost {
        assert!(
            u64::from(row) < self.rows && (column as usize) < self.columns,
            "({row}, {column}) is outside"
        );
        self.read(self.locate(row, column))
    }

    /// The lower bound of an entry, numbered as in its abstraction.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn value(&self, entry: u64) -> Cost {
        let columns = self.columns as u64;
        let part = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        self.get(part(entry / columns), part(entry % columns))
    }

    /// Proves that no value is above the distance, as [`prove_layers`].
    ///
    /// # Errors
    /// As [`prove_layers`].
    pub fn prove(
        &self,
        abstraction: &dyn Abstraction,
        cancel: &CancelToken,
    ) -> Result<u64, Unproved> {
        // No value of four bits is above 15. So an entry behind layer 14 passes.
        let fault = |entry, depth: Option<u64>| {
            let value = self.value(entry);
            depth.is_some_and(|depth| u64::from(value) > depth).then_some(value)
        };
        prove_layers(abstraction, &fault, u64::from(MOST), cancel)
    }

    /// For each value from 0 to the greatest that occurs: the number of entries for which a lookup
    /// returns it. Runs on the current thread pool.
    pub fn counts(&self) -> Vec<u64> {
        let rows = u32::try_from(self.rows).expect("less than 2^30 rows");
        let columns = u32::try_from(self.columns).expect("at most 2^24 columns");
        // Enough parts for the threads to share.
        let in_part = rows.div_ceil(1024).max(1);
        let starts: Vec<u32> = (0..rows).step_by(in_part as usize).collect();
        let sums = Mutex::new([0; 16]);
        threads::each(starts.len(), &|part| {
            let mut counts = [0; 16];
            for row in starts[part]..rows.min(starts[part] + in_part) {
                (0..columns).for_each(|column| counts[usize::from(self.get(row, column))] += 1);
            }
            let mut sums = sums.lock().expect("no thread panics while it holds this lock");
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        });
        let counts = sums.into_inner().expect("no thread panicked");
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts[..=most].to_vec()
    }
}
