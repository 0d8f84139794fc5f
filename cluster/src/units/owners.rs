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

    fn read(&self, entries: &[TableEntry], values: &mut [Cost]) {
        if entries.is_empty() {
            return;
        }
        let tables = self.tables.get().map_or(&[][..], |tables| tables);
        // By other rank, then by table: the entries that this rank asks for, and their places in
        // `entries`.
        let mut wanted: Vec<Vec<(Vec<u64>, Vec<usize>)>> = Vec::new();
        wanted.resize_with(self.ranks, || vec![Default::default(); tables.len()]);
        for (place, &TableEntry { table, entry }) in entries.iter().enumerate() {
            let Some((own, ranges)) = tables.get(table) else { return };
            let owner = ranges.owner(entry);
            if owner == self.rank {
                values[place] = own.get(entry);
            } else {
                let (asked, places) = &mut wanted[owner][table];
                asked.push(entry);
                places.push(place);
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
            }
        }
    }
}
