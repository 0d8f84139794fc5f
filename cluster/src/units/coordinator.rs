//! What rank 0 does for all ranks: [`Coordinator`].

use super::messages::{Down, RankEnd, Results, Up};
use fewest::Keeper;
use fewest::search::Op;

/// To whom a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    All,
    One(usize),
}

/// Hands out places, collects results, and keeps them in the journal.
#[derive(Default)]
pub(super) struct Coordinator<'k> {
    keeper: Option<&'k dyn Keeper>,
    /// The number of the current shared bound. 0 before the first.
    bound: u32,
    open: bool,
    places: usize,
    next: usize,
    wanted: usize,
    /// The number of plans known for the current bound.
    plans: usize,
    gathered: Results,
    /// For each rank, whether it searches no more units of the current bound.
    closed: Vec<bool>,
    /// Whether no rank left a unit unfinished.
    complete: bool,
    stopped: bool,
    over: bool,
    ends: Vec<Option<RankEnd>>,
    /// For each rank, whether it sends nothing more.
    gone: Vec<bool>,
    /// Messages to send.
    out: Vec<(To, Down)>,
}

impl<'k> Coordinator<'k> {
    pub(super) fn new(ranks: usize, keeper: Option<&'k dyn Keeper>) -> Self {
        Self {
            keeper,
            wanted: 1,
            closed: vec![false; ranks],
            complete: true,
            ends: vec![None; ranks],
            gone: vec![false; ranks],
            ..Self::default()
        }
    }

    /// The ends of all ranks. `None` if a rank still works.
    pub(super) fn ends(&self) -> Option<Vec<RankEnd>> {
        self.ends.iter().cloned().collect()
    }

    /// Takes a message of a rank. Returns what to send.
    pub(super) fn hear(&mut self, from: usize, message: Up) -> Vec<(To, Down)> {
        match message {
            Up::Begin(mark) => self.out.push((To::All, Down::Begin(mark))),
            Up::Open { bound, places, wanted, opening } => {
                (self.bound, self.open, self.complete) = (bound, true, true);
                (self.places, self.next, self.wanted) = (places, 0, wanted);
                self.plans = opening.plans.len();
                self.gathered = Results::default();
                self.closed.fill(false);
                if opening.refused {
                    self.open = false;
                    self.stopped = true;
                }
                self.out.push((To::All, Down::Open { bound, opening }));
                // Ranks that ended before have nothing to close.
                self.close_if_done();
            }
            Up::Claim { bound, places } => self.hand_out(from, bound, places),
            Up::Results { bound, results } if bound == self.bound => self.collect(results),
            Up::Results { .. } => {}
            Up::Close { bound, complete } => {
                debug_assert_eq!(bound, self.bound);
                self.closed[from] = true;
                if !complete && std::mem::replace(&mut self.complete, false) {
                    // The rank was cancelled or reached a limit. Then no rank searches on.
                    self.places = self.next;
                    self.out.push((To::All, Down::Enough { bound }));
                }
                self.close_if_done();
            }
            Up::End { end, is_deaf } => self.end(from, end, is_deaf),
            Up::Gone => self.leave(from),
        }
        std::mem::take(&mut self.out)
    }

    /// Gives a rank the next places. The fewer are left, the fewer at once, so that all ranks end
    /// together.
    fn hand_out(&mut self, rank: usize, bound: u32, wanted: usize) {
        let is_current = bound == self.bound && self.open && !self.stopped;
        let left = if is_current { self.places - self.next } else { 0 };
        let places = wanted.min(left / (2 * self.closed.len()) + 1).min(left);
        let first = self.next;
        self.next += places;
        let last = places == left;
        self.out.push((To::One(rank), Down::Places { bound, first, places, last }));
    }

    fn collect(&mut self, results: Results) {
        if let Some(keeper) = self.keeper {
            for (unit, plan) in &results.plans {
                let plan: Vec<Op> = plan.iter().map(|&op| Op(op)).collect();
                keeper.found(*unit, &plan);
            }
            for &(unit, counts) in &results.counts {
                keeper.searched(unit, counts);
            }
        }
        let before = self.plans;
        self.plans += results.plans.len();
        if before < self.wanted && self.plans >= self.wanted {
            self.out.push((To::All, Down::Enough { bound: self.bound }));
        }
        self.gathered.counts.extend(results.counts);
        self.gathered.plans.extend(results.plans);
    }

    /// Ends the bound when no rank works on it.
    fn close_if_done(&mut self) {
        let gone = self.ends.iter().any(Option::is_some);
        let done = self.closed.iter().zip(&self.ends).all(|(&closed, end)| closed || end.is_some());
        if !(self.open && done) {
            return;
        }
        self.open = false;
        let results = std::mem::take(&mut self.gathered);
        self.out.push((To::All, Down::Close { bound: self.bound, results }));
        if (!self.complete || gone) && self.plans < self.wanted {
            self.stop();
        }
    }

    fn stop(&mut self) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.out.push((To::All, Down::Stop));
        }
    }

    fn end(&mut self, rank: usize, end: RankEnd, is_deaf: bool) {
        let failed = end.error.is_some() || is_deaf;
        self.ends[rank] = Some(end);
        self.close_if_done();
        if (rank == 0 || failed) && !std::mem::replace(&mut self.over, true) {
            self.stopped = true;
            self.out.push((To::All, Down::End));
        } else {
            self.stop();
        }
    }

    /// Whether no rank sends anything more.
    pub(super) fn is_empty(&self) -> bool {
        self.gone.iter().all(|&gone| gone)
    }

    fn leave(&mut self, rank: usize) {
        self.gone[rank] = true;
        if self.is_empty() {
            let ranks = 1..self.gone.len();
            self.out.extend(ranks.map(|rank| (To::One(rank), Down::Leave)));
        }
    }
}
