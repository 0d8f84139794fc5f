//! What a search remembers of the states that it searched: which are worth it, and what it may conclude from a note.
//!
//! After Alexander Reinefeld and T. Anthony Marsland, "Enhanced iterative-deepening search", IEEE Transactions on Pattern
//! Analysis and Machine Intelligence 16(7), 1994: a table of fixed size cuts what was searched before, and orders what is searched next.
//!
//! **The cut.** A state that was searched to the end with `r` remaining and led to no plan is noted with `r`. Where it comes again in the same
//! iteration with `q <= r` remaining it is cut. A subtree in which a plan was found is not noted.
//!
//! *Why no cheapest plan is lost, and no bound passes its cost*, though in the search that a note is about all states on the path to it were cut:
//!
//! 1. Let a cheapest plan p come to the state s with `q <= r`, and let `P` be the path that s was noted from. A state t of `P` was there with
//!    more than `r` remaining, as every step costs at least 1; p would come to t, after s, with less than `q`. So if p passed t after s, going along `P`
//!    to t and on with p would be cheaper than p. Hence the rest of p after s meets no state of `P`.
//! 2. So the search that the note is about followed the rest of p to the goal, to an estimate that cut it, or to a state t with an earlier note. There it
//!    had at least as much remaining as p has, and the earlier note was made with no less than that: 1 holds for t and its note too. Notes are made one after the
//!    other, so in the end some search of this iteration followed p's rest to the goal or to an estimate.
//! 3. If p is within the bound, that search had at least as much remaining as the rest costs. So no admissible estimate cut it, it came to the goal, and neither
//!    its state nor those it was searched from were noted: a contradiction. If p is not within the bound, that search was cut by an estimate that passed its remaining
//!    cost by no more than p passes the bound; this was counted then, and so the next bound is at most p's cost. A cut by a note need not count.
//!
//! Hence all cheapest plans are found where they are asked for, and bounds and lower bounds are proven, with any costs and with
//! inconsistent estimates. What is expanded is part of what would be expanded without the table. So the next bound is no lower than without it; and where
//! nothing is cut by an estimate without it, nothing is with it, and a search without a goal ends. Notes of earlier iterations never cut.
//!
//! **The order.** A note says the least estimate among the noted states below it. Where a state had many states below it, its
//! children are tried in the order of theirs, least first: the last iteration comes sooner to a goal, more often than not. The
//! iterations before the last have to search everything in any order.
//!
//! **What is noted.** Looking up each state takes longer than searching those near the bound again, so states are looked up and noted from such a
//! *slack* on (what remains minus the estimate) that a small share of the expanded states has it. Where hardly any state comes twice, as in a
//! tree, only the few states with the largest slack are, for the order. All of that goes by counts, so a search does the same in every run.

use super::table::{Found, Note, Table};
use search::Cost;
use std::hash::Hash;

/// When and how much is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Expanded states of an iteration after which there is a table.
    pub(super) after: u64,
    /// Entries of the table at most.
    pub(super) entries: usize,
    /// Of 256 expanded states so many are noted at most; 256: all, whatever their slack.
    pub(super) share: u64,
    /// Looked up states after which it is judged whether that pays.
    pub(super) trial: u64,
    /// Expanded states below a state from which its children are put in order.
    pub(super) large: u32,
}

impl Settings {
    /// By experiments: docs/MEASUREMENTS.md.
    pub(super) const DEFAULT: Self =
        Self { after: 1 << 12, entries: 1 << 15, share: 96, trial: 1 << 13, large: 16 };
    /// No table.
    #[cfg(test)]
    pub(super) const NOTHING: Self = Self { after: u64::MAX, ..Self::DEFAULT };
    /// All states from the beginning.
    #[cfg(test)]
    pub(super) const ALL: Self =
        Self { after: 0, entries: 1 << 15, share: 256, trial: u64::MAX, large: 1 };
}

/// The share of the expanded states, of 256, that is noted where notes do not pay.
const FEW: u64 = 2;
/// Notes pay if they save at least one expanded state for so many states that are looked up.
const PAYS: u64 = 4;
/// Expanded states of an iteration whose samples are enough.
const ENOUGH: u64 = 1 << 14;
/// More than any slack.
const NEVER: usize = 256;

/// See the module.
pub(super) struct Memory<N> {
    settings: Settings,
    table: Option<Table<N>>,
    /// The slack from which on states are looked up and noted.
    from: usize,
    /// Whether notes were found not to pay.
    few: bool,
    /// Looked up states, and those that would have been expanded without a note.
    looks: u64,
    saved: u64,
    /// By slack: samples of the expanded states of this iteration.
    slacks: [u64; NEVER],
}

/// What to do with a state that is looked up.
pub(super) enum Advice {
    /// Nothing comes of it.
    Cut,
    /// Expand it. Its entry goes by the hash.
    Expand { hash: u64, in_order: bool },
}

impl<N: Clone + Eq + Hash> Memory<N> {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            table: None,
            from: NEVER,
            few: false,
            looks: 0,
            saved: 0,
            slacks: [0; NEVER],
        }
    }

    /// Begins an iteration, after one of so many expanded states.
    pub(super) fn begin(&mut self, before: u64) {
        match &mut self.table {
            Some(table) => table.begin(),
            None if before >= self.settings.after => {
                self.table = Table::new(self.settings.entries);
                if self.table.is_some() {
                    self.from = self.slack(self.settings.share);
                }
            }
            None => {}
        }
        self.slacks.fill(0);
    }

    /// Looks now and then at whether notes pay, as soon as there are samples enough to say of which states they should be.
    pub(super) fn judge(&mut self, expanded: u64) {
        let tried = self.looks >= self.settings.trial && expanded >= ENOUGH;
        if !self.few && tried && PAYS * self.saved < self.looks {
            self.few = true;
            self.from = self.slack(FEW);
        }
    }

    /// The least slack that no more than a share of the samples has.
    fn slack(&self, share: u64) -> usize {
        let (all, mut sum) = (self.slacks.iter().sum::<u64>(), 0);
        let within = |slack: &usize| {
            sum += self.slacks[*slack];
            256 * sum <= share * all
        };
        (0..NEVER).rev().take_while(within).last().unwrap_or(NEVER)
    }

    /// Takes the slack of an expanded state as a sample.
    pub(super) fn sample(&mut self, slack: Cost) {
        self.slacks[usize::from(slack)] += 1;
    }

    /// Whether a state is to be looked up and noted.
    #[inline(always)]
    pub(super) fn wants(&self, remaining: Cost, estimate: Cost) -> bool {
        usize::from(remaining.saturating_sub(estimate)) >= self.from
    }

    /// Looks a state up. `least` takes the least estimate below it, if it is cut.
    #[inline(always)]
    pub(super) fn look_up(&mut self, state: &N, remaining: Cost, least: &mut Cost) -> Advice {
        self.looks += 1;
        let hash = Table::hash(state);
        let found = self.table.as_ref().and_then(|table| table.get(hash, state));
        let Some(Found { note, now }) = found else {
            return Advice::Expand { hash, in_order: false };
        };
        if !now || note.remaining < remaining {
            return Advice::Expand { hash, in_order: note.size >= self.settings.large };
        }
        self.saved += u64::from(note.size);
        *least = note.least.min(*least);
        Advice::Cut
    }

    /// Notes a state that was searched to the end without a plan.
    #[inline(always)]
    pub(super) fn note(&mut self, hash: u64, state: &N, note: Note) {
        if let Some(table) = &mut self.table {
            table.put(hash, state, note);
        }
    }

    /// Puts children in order, by the least estimate noted below them, then as in the list.
    #[inline(never)]
    pub(super) fn put_in_order<C>(&self, children: &mut [(usize, (N, C))]) {
        let Some(table) = &self.table else { return };
        children.sort_by_cached_key(|(position, (state, _))| {
            let found = table.get(Table::hash(state), state);
            (found.map_or(Cost::MAX, |found| found.note.least), *position)
        });
    }
}
