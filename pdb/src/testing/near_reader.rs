//! A reader of entries in memory: [`NearReader`].

use crate::{EntryReader, EntryTable, TableEntry};
use search::Cost;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Reads the entries from tables in memory. It knows every fourth entry without a call. It counts
/// its calls for any entries, the entries of these, and those it knew.
#[derive(Debug, Default)]
pub struct NearReader {
    tables: Mutex<Vec<EntryTable>>,
    calls: AtomicU64,
    entries: AtomicU64,
    known: AtomicU64,
}

impl NearReader {
    /// The number of calls, of their entries, and of known entries, since the last call of this
    /// function.
    pub fn counts(&self) -> [u64; 3] {
        [&self.calls, &self.entries, &self.known].map(|count| count.swap(0, Relaxed))
    }
}

impl EntryReader for NearReader {
    fn open(&self, tables: Vec<EntryTable>) {
        *self.tables.lock().unwrap_or_else(PoisonError::into_inner) = tables;
    }
    fn known(&self, asked: TableEntry) -> Option<Cost> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        asked.entry.is_multiple_of(4).then(|| {
            self.known.fetch_add(1, Relaxed);
            tables[asked.table].get(asked.entry)
        })
    }
    fn read(&self, entries: &[TableEntry], values: &mut [Cost]) {
        self.calls.fetch_add(u64::from(!entries.is_empty()), Relaxed);
        self.entries.fetch_add(entries.len() as u64, Relaxed);
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        for (value, asked) in values.iter_mut().zip(entries) {
            *value = tables[asked.table].get(asked.entry);
        }
    }
}
