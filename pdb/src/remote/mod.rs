//! Heuristics that name the entries of tables that they need, and sources that read them.
//!
//! A heuristic with [`Lookups`] computes its bound from a [`Source`]. In memory the source is its
//! own tables. [`Remote`] is the same heuristic with the entries of an [`EntryReader`], which reads
//! many at a time. So a search generates the same nodes with either, and cuts them by the same
//! values.

mod heuristic;
mod lookups;
mod sums;

pub use heuristic::{Remote, RemoteCarry};
pub use lookups::Lookups;
pub use sums::TableMembers;

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
    /// The value of an entry that needs no other process. [default: `None`]
    fn known(&self, _: TableEntry) -> Option<Cost> {
        None
    }
    /// Overwrites each of `values` by the value of the entry at its place in `entries`. A search
    /// that was cancelled may get zeros.
    fn read(&self, entries: &[TableEntry], values: &mut [Cost]);
}

/// What a bound gets the values of entries from.
///
/// Contract of the bound: which entries it takes, and in which order, depends on the state, what it
/// carries, the limit and the values before, and on nothing else. Which entries it takes behind a
/// value that the source must get first does not depend on that value.
pub trait Source {
    /// The value of the entry that `entry` computes, which is not called where the value is known.
    /// `None` if the source must get it first: then it has noted the entry, and has the value when
    /// the bound is computed again. The bound may take others before it ends.
    fn take(&mut self, entry: &mut dyn FnMut() -> TableEntry) -> Option<Cost>;

    /// Whether a bound may cut by the first proven value above the limit, as
    /// [`Heuristic::within`](search::Heuristic::within) may, or by a value of several entries that
    /// it takes together. If false, it cuts by the bound of
    /// [`Heuristic::bound`](search::Heuristic::bound).
    fn is_early(&self) -> bool;
}

/// The tables in memory.
impl Source for &[EntryTable] {
    fn take(&mut self, entry: &mut dyn FnMut() -> TableEntry) -> Option<Cost> {
        let TableEntry { table, entry } = entry();
        Some(self[table].get(entry))
    }
    fn is_early(&self) -> bool {
        false
    }
}

/// A source whose first tables belong to another heuristic.
pub(crate) struct Behind<'s> {
    pub(crate) source: &'s mut dyn Source,
    /// The number of tables of the other heuristic.
    pub(crate) tables: usize,
}

impl Source for Behind<'_> {
    fn take(&mut self, entry: &mut dyn FnMut() -> TableEntry) -> Option<Cost> {
        let tables = self.tables;
        self.source.take(&mut || {
            let TableEntry { table, entry } = entry();
            TableEntry { table: table + tables, entry }
        })
    }
    fn is_early(&self) -> bool {
        self.source.is_early()
    }
}
