//! Entries of tables that ranks own by range, and ask each other for: [`Owners`].

use super::messages::{Answer, Ask, Letter};
use crate::ranges::Ranges;
use fewest::pdb::{EntryReader, PackedTable};
use fewest::search::Cost;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Reads entries of tables for the search of one rank.
///
/// Each rank owns a range of the entries of each table, and reads no others: so the other pages of
/// a mapped file take no memory. For entries of other ranks it asks their owners, in one message
/// for each owner.
pub(super) struct Owners {
    rank: usize,
    ranks: usize,
    out: Sender<Letter>,
    tables: OnceLock<Vec<(PackedTable, Ranges)>>,
    /// Where the answer to each question goes, by its ticket.
    waiting: Mutex<HashMap<u64, Sender<Answer>>>,
    next: AtomicU64,
    /// Whether no answer is waited for any more.
    over: AtomicBool,
}

impl Owners {
    pub(super) fn new((rank, ranks): (usize, usize), out: Sender<Letter>) -> Self {
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
        let table = self.tables.get()?.get(ask.table).map(|(table, _)| table);
        // All ranks have the same tables. Without such an entry, 0 is a bound that proves nothing.
        let has = |entry| table.filter(|table| entry < table.entries());
        let value = |&entry| has(entry).map_or(0, |table| table.get(entry));
        let values = ask.entries.iter().map(value).collect();
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
    fn ask(&self, to: usize, table: usize, entries: Vec<u64>, answers: &Sender<Answer>) -> u64 {
        let ticket = self.next.fetch_add(1, Relaxed);
        let mut waiting = self.waiting();
        // `Owners::end` clears the tickets after it says that all is over.
        if !self.over.load(Relaxed) {
            waiting.insert(ticket, answers.clone());
        }
        drop(waiting);
        // The other end is gone only after a panic of the rank.
        let _ = self.out.send(Letter::Ask { to, ask: Ask { ticket, table, entries } });
        ticket
    }
}

impl EntryReader for Owners {
    /// Keeps the tables of the first call: one run has one heuristic.
    fn open(&self, tables: &[&PackedTable]) {
        self.tables.get_or_init(|| {
            let with_ranges =
                |&table: &&PackedTable| (table.clone(), Ranges::new(table.entries(), self.ranks));
            tables.iter().map(with_ranges).collect()
        });
    }

    fn read(&self, table: usize, entries: &[u64], values: &mut [Cost]) {
        let tables = self.tables.get().map_or(&[][..], |tables| tables);
        let Some((own, ranges)) = tables.get(table) else { return };
        // The places in `entries` that each other rank owns.
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.ranks];
        for (place, &entry) in entries.iter().enumerate() {
            let owner = ranges.owner(entry);
            if owner == self.rank {
                values[place] = own.get(entry);
            } else {
                places[owner].push(place);
            }
        }
        let (to, answers): (Sender<Answer>, Receiver<Answer>) = channel();
        let mut asked = HashMap::new();
        for (owner, places) in places.into_iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            let wanted = places.iter().map(|&place| entries[place]).collect();
            asked.insert(self.ask(owner, table, wanted, &to), places);
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
