//! Entries of tables that ranks own by range, and ask each other for: [`Owners`].

use super::messages::{Answer, Ask, SendCommand};
use crate::ranges::Ranges;
use fewest::pdb::{EntryReader, EntryTable, TableEntry};
use fewest::search::Cost;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Reads entries of tables for the search of one rank.
///
/// Each rank owns a range of the entries of each table, and reads no others: so the other pages of
/// a mapped file take no memory. For entries of other ranks it asks their owners, in one message
/// for each owner, whatever the tables.
pub(super) struct Owners {
    rank: usize,
    ranks: usize,
    out: Sender<SendCommand>,
    tables: OnceLock<Vec<(EntryTable, Ranges)>>,
    /// Where the answer to each question goes, by its ticket.
    waiting: Mutex<HashMap<u64, Sender<Answer>>>,
    next: AtomicU64,
    /// Whether no answer is waited for any more.
    over: AtomicBool,
    /// Entries that other ranks told.
    answered: Answered,
}

impl Owners {
    pub(super) fn new((rank, ranks): (usize, usize), out: Sender<SendCommand>) -> Self {
        Self {
            rank,
            ranks,
            out,
            tables: OnceLock::new(),
            waiting: Mutex::default(),
            next: AtomicU64::new(0),
            over: AtomicBool::new(false),
            answered: Answered::new(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<u64, Sender<Answer>>> {
        // A panic of another thread leaves no half-made entry.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this rank has its tables, so that it can answer.
    pub(super) fn is_open(&self) -> bool {
        self.tables.get().is_some()
    }

    /// Whether the search of this rank waits for an answer.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// The answer to another rank. `None` if this rank does not have its tables yet.
    pub(super) fn answer(&self, ask: &Ask) -> Option<Answer> {
        let tables = self.tables.get()?;
        let mut values = Vec::with_capacity(ask.entries.iter().map(Vec::len).sum());
        for (number, entries) in ask.entries.iter().enumerate() {
            let table = tables.get(number).map(|(table, _)| table);
            // All ranks have the same tables. Without such an entry, 0 is a bound that proves
            // nothing.
            let has = |entry| table.filter(|table| entry < table.entries());
            values.extend(entries.iter().map(|&entry| has(entry).map_or(0, |it| it.get(entry))));
        }
        Some(Answer { ticket: ask.ticket, values })
    }

    /// Takes an answer of another rank.
    pub(super) fn hear(&self, answer: Answer) {
        let to = self.waiting().remove(&answer.ticket);
        if let Some(to) = to {
            // The reader is gone only after a panic.
            let _ = to.send(answer);
        }
    }

    /// Whether readers may have gone without their answers. Once a reader has, this is true.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Lets all readers go without their answers.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
        self.waiting().clear();
    }

    /// The value of an entry if this rank knows it, else the rank that owns it. `None` if there is
    /// no such table.
    fn find(&self, named: TableEntry) -> Option<Result<Cost, usize>> {
        let (own, ranges) = self.tables.get()?.get(named.table)?;
        let owner = ranges.owner(named.entry);
        if owner == self.rank {
            return Some(Ok(own.get(named.entry)));
        }
        Some(self.answered.get(named).ok_or(owner))
    }

    /// Asks for entries, and returns the ticket.
    fn ask(&self, to: usize, entries: Vec<Vec<u64>>, answers: &Sender<Answer>) -> u64 {
        let ticket = self.next.fetch_add(1, Relaxed);
        let mut waiting = self.waiting();
        // `Owners::end` clears the tickets after it says that all is over.
        if !self.over.load(Relaxed) {
            waiting.insert(ticket, answers.clone());
        }
        drop(waiting);
        // The other end is gone only after a panic of the rank.
        let _ = self.out.send(SendCommand::Ask { to, ask: Ask { ticket, entries } });
        ticket
    }
}

impl EntryReader for Owners {
    /// Keeps the tables of the first call: one run has one heuristic.
    fn open(&self, tables: Vec<EntryTable>) {
        self.tables.get_or_init(|| {
            let with_ranges = |table: EntryTable| {
                let ranges = Ranges::new(table.entries(), self.ranks);
                (table, ranges)
            };
            tables.into_iter().map(with_ranges).collect()
        });
    }

    fn known(&self, entry: TableEntry) -> Option<Cost> {
        self.find(entry)?.ok()
    }

    fn read(&self, entries: &[TableEntry], values: &mut [Cost]) {
        if entries.is_empty() {
            return;
        }
        let tables = self.tables.get().map_or(0, Vec::len);
        // By other rank, then by table: the entries that this rank asks for, and their places in
        // `entries`.
        let mut wanted: Vec<Vec<(Vec<u64>, Vec<usize>)>> = Vec::new();
        wanted.resize_with(self.ranks, || vec![Default::default(); tables]);
        for (place, &named) in entries.iter().enumerate() {
            match self.find(named) {
                Some(Ok(value)) => values[place] = value,
                Some(Err(owner)) => {
                    let (asked, places) = &mut wanted[owner][named.table];
                    asked.push(named.entry);
                    places.push(place);
                }
                None => return,
            }
        }
        let (to, answers): (Sender<Answer>, Receiver<Answer>) = channel();
        let mut asked = HashMap::new();
        for (owner, tables) in wanted.into_iter().enumerate() {
            let (entries, places): (Vec<_>, Vec<_>) = tables.into_iter().unzip();
            let places = places.concat();
            if !places.is_empty() {
                asked.insert(self.ask(owner, entries, &to), places);
            }
        }
        // Once all tickets are gone, the channel ends.
        drop(to);
        for Answer { ticket, values: found } in answers {
            for (place, value) in asked.remove(&ticket).into_iter().flatten().zip(found) {
                values[place] = value;
                self.answered.keep(entries[place], value);
            }
        }
    }
}

/// Entries of other ranks that were read before, with their values. A newer entry takes the place
/// of an older one. Threads share them.
struct Answered(Box<[AtomicU64]>);

impl Answered {
    /// The logarithm of the number of entries, of 8 bytes each.
    const BITS: u32 = 20;

    fn new() -> Self {
        Self((0..1 << Self::BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The place of an entry, and its name of 56 bits, which is not 0. A place holds the name of
    /// its entry, then the value in the lowest 8 bits. `None` if the entry has no name: the table
    /// or its number is too great.
    fn place(&self, TableEntry { table, entry }: TableEntry) -> Option<(&AtomicU64, u64)> {
        if table >= 1 << 10 || entry >= 1 << 45 {
            return None;
        }
        let name = (entry << 10 | table as u64) + 1;
        // Fibonacci hashing: multiples of the golden ratio are spread evenly.
        let hash = name.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - Self::BITS);
        Some((&self.0[hash as usize], name))
    }

    fn get(&self, entry: TableEntry) -> Option<Cost> {
        let (place, name) = self.place(entry)?;
        let kept = place.load(Relaxed);
        let [value, ..] = kept.to_le_bytes();
        (kept >> 8 == name).then_some(value)
    }

    fn keep(&self, entry: TableEntry, value: Cost) {
        if let Some((place, name)) = self.place(entry) {
            place.store(name << 8 | u64::from(value), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_own_value_or_none() {
        let answered = Answered::new();
        let entries = || (0..3).flat_map(|table| (0..600_000).map(move |at| (table, at * 977)));
        let value = |table: usize, entry: u64| [3, 70, 151][table] ^ (entry % 97) as Cost;
        let mut kept = 0;
        for (table, entry) in entries() {
            answered.keep(TableEntry { table, entry }, value(table, entry));
        }
        for (table, entry) in entries() {
            if let Some(found) = answered.get(TableEntry { table, entry }) {
                assert_eq!(found, value(table, entry));
                kept += 1;
            }
        }
        // Many have lost their places to others.
        assert!((400_000..=1 << Answered::BITS).contains(&kept), "{kept}");
        for nameless in
            [TableEntry { table: 1 << 10, entry: 0 }, TableEntry { table: 0, entry: 1 << 45 }]
        {
            answered.keep(nameless, 7);
            assert_eq!(answered.get(nameless), None);
        }
        assert_eq!(answered.get(TableEntry { table: 1, entry: 1 }), None, "never kept");
    }
}
