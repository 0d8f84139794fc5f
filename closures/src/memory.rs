//! The memory of searched states: which states it notes, what a note proves, and how notes order
//! children.
//!
//! Source: Alexander Reinefeld and T. Anthony Marsland, "Enhanced iterative-deepening search", IEEE
//! Transactions on Pattern Analysis and Machine Intelligence 16(7), 1994. A table of fixed size
//! cuts states that were searched before, and orders the children of others.
//!
//! # The cut
//! If a state is searched to the end with `r` remaining and no plan is found, the memory notes the
//! state with `r`. If the same iteration comes to the state again with `q <= r` remaining, it cuts
//! the state. A state below which a plan was found gets no note.
//!
//! # Why no cheapest plan is lost and no bound passes its cost
//! The difficulty: the search that made a note also cut all states on the path to the noted state.
//!
//! 1. Let a cheapest plan p come to the state s with `q <= r`. Let `P` be the path from which s was
//!    noted. A state t of `P` had more than `r` remaining, because every step costs at least 1. If
//!    p passed t after s, it would come to t with less than `q`. Then the way along `P` to t and on
//!    with p would be cheaper than p. So the rest of p after s meets no state of `P`.
//! 2. So the search that made the note followed the rest of p. It came to the goal, was cut by an
//!    estimate, or came to a state t with an earlier note. At t it had at least as much remaining
//!    as p has. The earlier note was made with no less remaining, so step 1 holds for t and its
//!    note too. Notes are made one after the other. So some search of this iteration followed the
//!    rest of p to the goal or to a cut by an estimate.
//! 3. Let p be within the bound. That search had at least as much remaining as the rest of p costs.
//!    So no admissible estimate cut it and it came to the goal. Then neither its state nor the
//!    states before it got a note: a contradiction.
//! 4. Let p be above the bound. An estimate cut that search, and passed its remaining cost by no
//!    more than p passes the bound. The search counted this cut, so the next bound is at most the
//!    cost of p. A cut by a note need not count.
//!
//! Hence the search finds all cheapest plans if asked, and all bounds are proven. Costs may differ,
//! and estimates may be inconsistent. Without the table, the search would expand all the states
//! that it expands with it, and maybe more. So the next bound is no lower with the table. If no
//! estimate cuts anything without the table, none does with it. So a search without a goal ends.
//! Notes of earlier iterations never cut.
//!
//! # The order
//! A note holds the least estimate among its state and the looked up states below it. If the last
//! search expanded many states below a state, its children are tried in the order of their notes,
//! least first. That often brings the last iteration to a goal sooner. The earlier iterations
//! search everything in any order.
//!
//! # Which states are noted
//! The *slack* of a state is the remaining cost minus the estimate. States near the bound have
//! little slack, and to search them again is faster than to look them up. So the memory looks up
//! and notes only states of at least a certain slack. It chooses this slack so that a small share
//! of the expanded states has it. If hardly any state comes twice, as in a tree, it notes only the
//! few states with the largest slack, to order children. All choices depend on counts, so a search
//! does the same in every run.

use super::table::{Note, NoteMatch, NoteTable};
use search::Cost;
use std::hash::Hash;

/// When the memory starts, and how many states it notes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// The table begins after an iteration with at least this many expanded states.
    pub(super) after: u64,
    /// The greatest number of entries of the table.
    pub(super) entries: usize,
    /// The greatest number of states to note among 256 expanded ones. 256 means all states,
    /// whatever their slack.
    pub(super) share: u64,
    /// The number of lookups after which the memory judges whether notes pay.
    pub(super) trial: u64,
    /// Children are reordered if at least this many states were expanded below their parent.
    pub(super) large: u32,
}

impl Settings {
    /// Chosen by experiments: docs/decisions/closures.md.
    pub(super) const DEFAULT: Self =
        Self { after: 1 << 12, entries: 1 << 15, share: 96, trial: 1 << 13, large: 16 };
    /// Never begins a table.
    #[cfg(test)]
    pub(super) const NOTHING: Self = Self { after: u64::MAX, ..Self::DEFAULT };
    /// Notes all states from the first iteration on.
    #[cfg(test)]
    pub(super) const ALL: Self =
        Self { after: 0, entries: 1 << 15, share: 256, trial: u64::MAX, large: 1 };
}

/// The greatest number of states to note among 256 expanded ones, if notes do not pay.
const FEW: u64 = 2;
/// Notes pay if they save at least one expanded state in this many lookups.
const PAYS: u64 = 4;
/// An iteration with this many expanded states has enough samples of their slack.
const ENOUGH: u64 = 1 << 14;
/// Greater than any slack: no state reaches it.
const NEVER: usize = 256;

/// The notes, and the rule that says which states get one: see the [module](self).
pub(super) struct Memory<N> {
    settings: Settings,
    table: Option<NoteTable<N>>,
    /// States with at least this slack are looked up and noted.
    from: usize,
    /// Whether notes turned out not to pay.
    few: bool,
    /// The number of lookups so far.
    looks: u64,
    /// The number of states that the search did not have to expand, because notes cut it.
    saved: u64,
    /// For each slack, the number of sampled states of this iteration that have it.
    slacks: [u64; NEVER],
}

/// What to do with a state after its lookup.
pub(super) enum Advice {
    /// Cut the state: it leads to no plan within the bound.
    Cut,
    /// Expand the state; `hash` finds its entry again. If `in_order` is true, order its children by
    /// their notes.
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

    /// Begins an iteration. The one before expanded `before` states.
    pub(super) fn begin(&mut self, before: u64) {
        match &mut self.table {
            Some(table) => table.begin(),
            None if before >= self.settings.after => {
                self.table = NoteTable::new(self.settings.entries);
                if self.table.is_some() {
                    self.from = self.slack(self.settings.share);
                }
            }
            None => {}
        }
        self.slacks.fill(0);
    }

    /// Judges whether notes pay, once there are enough lookups and samples. If they do not, notes
    /// few states from then on. `expanded` counts the states of this iteration.
    pub(super) fn judge(&mut self, expanded: u64) {
        let tried = self.looks >= self.settings.trial && expanded >= ENOUGH;
        if !self.few && tried && PAYS * self.saved < self.looks {
            self.few = true;
            self.from = self.slack(FEW);
        }
    }

    /// The least slack such that at most `share` of 256 samples have it or more.
    fn slack(&self, share: u64) -> usize {
        let (all, mut sum) = (self.slacks.iter().sum::<u64>(), 0);
        let within = |slack: &usize| {
            sum += self.slacks[*slack];
            256 * sum <= share * all
        };
        (0..NEVER).rev().take_while(within).last().unwrap_or(NEVER)
    }

    /// Counts the slack of an expanded state as a sample.
    pub(super) fn sample(&mut self, slack: Cost) {
        self.slacks[usize::from(slack)] += 1;
    }

    /// Whether to look up and note a state with this remaining cost and this estimate.
    #[inline(always)]
    pub(super) fn wants(&self, remaining: Cost, estimate: Cost) -> bool {
        usize::from(remaining.saturating_sub(estimate)) >= self.from
    }

    /// Looks up a state, and says what to do with it. If a note cuts the state, lowers `least` to
    /// the least estimate below it.
    #[inline(always)]
    pub(super) fn look_up(&mut self, state: &N, remaining: Cost, least: &mut Cost) -> Advice {
        self.looks += 1;
        let hash = NoteTable::hash(state);
        let found = self.table.as_ref().and_then(|table| table.get(hash, state));
        let Some(NoteMatch { note, now }) = found else {
            return Advice::Expand { hash, in_order: false };
        };
        if !now || note.remaining < remaining {
            return Advice::Expand { hash, in_order: note.size >= self.settings.large };
        }
        self.saved += u64::from(note.size);
        *least = note.least.min(*least);
        Advice::Cut
    }

    /// Notes a state after a complete search below it that has found no plan.
    #[inline(always)]
    pub(super) fn remember(&mut self, hash: u64, state: &N, note: Note) {
        if let Some(table) = &mut self.table {
            table.put(hash, state, note);
        }
    }

    /// Sorts children by the least estimate noted below them, then by their position.
    #[inline(never)]
    pub(super) fn put_in_order<C>(&self, children: &mut [(usize, (N, C))]) {
        let Some(table) = &self.table else { return };
        children.sort_by_cached_key(|(position, (state, _))| {
            let found = table.get(NoteTable::hash(state), state);
            (found.map_or(Cost::MAX, |found| found.note.least), *position)
        });
    }
}
