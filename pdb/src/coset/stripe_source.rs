//! Where a coset heuristic reads the values of a table: [`StripeSource`].

use crate::table::{StripeLines, StripePlace, StripeTable};
use crate::{EntryReader, TableEntry};
use search::Cost;

/// Reads the values of a stripe table, in memory or elsewhere. A place is the number of a bit, as
/// in [`StripePlace`].
pub(super) trait StripeSource: Copy {
    /// The place of the entry in a row and a column.
    fn locate(self, row: u32, column: u32) -> u64;
    /// Prefetches the value of a place.
    fn prefetch(self, place: u64);
    /// Called with all places, before their values are asked for. May overwrite them.
    fn fetch(self, places: &mut [u64]);
    /// The value of a place, as [`StripeSource::fetch`] left it.
    fn value(self, place: u64) -> Cost;
}

impl StripeSource for StripeLines<'_> {
    #[inline(always)]
    fn locate(self, row: u32, column: u32) -> u64 {
        self.locate(row, column).bit()
    }
    #[inline(always)]
    fn prefetch(self, place: u64) {
        self.prefetch(StripePlace::new(place));
    }
    #[inline(always)]
    fn fetch(self, _: &mut [u64]) {}
    #[inline(always)]
    fn value(self, place: u64) -> Cost {
        self.read(StripePlace::new(place))
    }
}

/// Reads the values of a table by an [`EntryReader`].
#[derive(Clone, Copy)]
pub(super) struct RemoteStripes<'a> {
    lines: StripeLines<'a>,
    reader: &'a dyn EntryReader,
    /// The number of the table.
    number: usize,
}

impl<'a> RemoteStripes<'a> {
    pub(super) fn new(table: &'a StripeTable, reader: &'a dyn EntryReader, number: usize) -> Self {
        Self { lines: table.lines(), reader, number }
    }
}

impl StripeSource for RemoteStripes<'_> {
    #[inline(always)]
    fn locate(self, row: u32, column: u32) -> u64 {
        self.lines.locate(row, column).bit()
    }
    #[inline(always)]
    fn prefetch(self, _: u64) {}
    /// Replaces the places by their values.
    fn fetch(self, places: &mut [u64]) {
        let table = self.number;
        let entries: Vec<_> = places.iter().map(|&entry| TableEntry { table, entry }).collect();
        let mut values = vec![0; entries.len()];
        self.reader.read(&entries, &mut values);
        places.iter_mut().zip(values).for_each(|(place, value)| *place = value.into());
    }
    #[inline(always)]
    fn value(self, value: u64) -> Cost {
        // It was a value before.
        Cost::try_from(value).unwrap_or(0)
    }
}
