//! Heuristics whose table entries are read elsewhere, many at a time.
//!
//! | heuristic in memory | with entries from an [`EntryReader`] |
//! |---|---|
//! | the greatest of some values ([`TableBounds`]) | [`RemoteTables`] |
//! | [`MaxOfSums`](search::MaxOfSums), with [`RemoteMembers`] | [`RemoteSums`] |
//! | [`CosetTables`](crate::coset::CosetTables) | [`RemoteCosets`](crate::coset::RemoteCosets) |
//!
//! A search generates the same nodes of a bound with either, and cuts them by the same values.

mod probes;
mod sums;

pub use probes::{Probe, RemoteTables, TableBounds};
pub use sums::{RemoteMembers, RemoteSums, RemoteSumsCarry};

use crate::table::StripePlace;
use crate::{PackedTable, StripeTable};
use search::Cost;

/// A table whose entries are read elsewhere. Clones share the bytes.
#[derive(Clone, Debug)]
pub enum EntryTable {
    /// Entries are distances ([`PackedTable::get`]).
    Distances(PackedTable),
    /// Entries are codes, of which the heuristic makes values ([`PackedTable::raw`]).
    Codes(PackedTable),
    /// Entries are lower bounds. The number of an entry is that of its first bit.
    Stripes(StripeTable),
}

impl EntryTable {
    /// All numbers of entries are below this one.
    pub fn entries(&self) -> u64 {
        match self {
            Self::Distances(table) | Self::Codes(table) => table.entries(),
            Self::Stripes(table) => 8 * table.bytes().len() as u64,
        }
    }

    /// The value of an entry.
    ///
    /// # Panics
    /// If the number is not below [`EntryTable::entries`].
    pub fn get(&self, entry: u64) -> Cost {
        match self {
            Self::Distances(table) => table.get(entry),
            Self::Codes(table) => table.raw(entry),
            Self::Stripes(table) => table.lines().read(StripePlace::new(entry)),
        }
    }
}

/// An entry of one of several tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The number of the table.
    pub table: usize,
    /// The number of the entry ([`EntryTable::get`]).
    pub entry: u64,
}

/// Reads entries of tables, wherever they are.
pub trait EntryReader: Sync {
    /// Called before the first read, with the tables of the heuristic, and perhaps again with the
    /// same ones. All processes have the same tables.
    fn open(&self, tables: Vec<EntryTable>);
    /// Overwrites each of `values` by the value of the entry at its place in `entries`. A search
    /// that was cancelled may get zeros.
    fn read(&self, entries: &[TableEntry], values: &mut [Cost]);
}
