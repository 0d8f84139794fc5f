//! The state of a search along a chain: the operators so far, the best plan, counts and stops.

use super::image::Image;
use crate::Plan;
use crate::control::{Counts, Iteration, LOOK, Options, SearchState, Stop};
use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Expander, Pause};
use crate::pruning::Pruning;
use std::fmt;

/// A search along a chain in progress. Each stage passes it to the next.
pub struct ChainSearch<'a, D: Domain> {
    pub(super) domain: &'a D,
    /// The bound is the cost of the first stage's plans in this iteration.
    pub(super) state: SearchState<'a>,
    /// The operators of the stages before the current one.
    path: Vec<Op>,
    /// The cost of these operators.
    spent: Cost,
    /// The most that a whole plan may cost; `None` if no plan can be good enough.
    pub(super) most: Option<Cost>,
    /// The least difference between the costs of two plans.
    step: Cost,
    /// Whether the ceiling on the later stages omitted plans.
    pub(super) lowered: bool,
    pub(super) best: Option<Plan>,
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The number of expanded nodes at the last progress report.
    reported: u64,
    pub(super) stop: Option<Stop>,
}

impl<D: Domain> fmt::Debug for ChainSearch<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainSearch")
            .field("path", &self.path)
            .field("most", &self.most)
            .field("best", &self.best)
            .finish_non_exhaustive()
    }
}

impl<'a, D: Domain> ChainSearch<'a, D> {
    pub(super) fn new(domain: &'a D, options: &'a Options<'a>, step: Cost) -> Self {
        let limit = options.limits.bound.unwrap_or(Cost::MAX);
        let known = options.upper_bound;
        Self {
            domain,
            state: SearchState::new(options),
            path: Vec::new(),
            spent: 0,
            most: known.map_or(Some(limit), |known| Some(limit.min(known.checked_sub(step)?))),
            step,
            lowered: false,
            best: None,
            generated: 0,
            expanded: 0,
            reported: 0,
            stop: None,
        }
    }

    /// The cost that may still be spent after the path, at most `limit`; `None` if the path is too
    /// expensive for a better plan.
    pub(super) fn left(&self, limit: Cost) -> Option<Cost> {
        Some(self.most?.checked_sub(self.spent)?.min(limit))
    }

    /// Returns the same as [`ChainSearch::left`]. Also sets [`ChainSearch::lowered`] if `limit`
    /// omits plans.
    pub(super) fn lower(&mut self, limit: Cost) -> Option<Cost> {
        let left = self.left(Cost::MAX)?;
        self.lowered |= limit < left;
        Some(left.min(limit))
    }

    /// Runs `then` with these operators, of this cost, appended to the path. Then removes them
    /// again.
    pub(super) fn behind(&mut self, path: &[Op], cost: Cost, then: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        self.path.extend(path);
        self.spent += cost;
        then(self);
        self.spent -= cost;
        self.path.truncate(before);
    }

    /// Takes the path, followed by `rest`, as the best plan. From now on only better plans count.
    pub(super) fn found(&mut self, image: &Image<D::State>, rest: &[Op]) {
        let whole = [&self.path, rest].concat();
        let cost = whole.iter().map(|&op| self.domain.cost(op)).sum();
        let plan = image.plan(&self.domain.to_plan(&whole));
        self.state.options.observer.improved(&plan, cost);
        (self.best, self.state.upper_bound) = (Some(plan), Some(cost));
        self.most = cost.checked_sub(self.step);
    }

    /// Searches until the next goal, the end, or a stop, and adds the counts since `counts` to
    /// those of the whole search. Returns [`Pause::Fuel`] if the search has to stop.
    pub(super) fn run<M, E, H, P>(&mut self, expander: &mut M, counts: &mut Counts) -> Pause
    where
        M: Expander<E, H, P>,
        E: Domain,
        H: Heuristic<E>,
        P: Pruning<E>,
    {
        loop {
            let pause = expander.run(LOOK);
            let now = expander.counts();
            self.generated += now.generated - counts.generated;
            self.expanded += now.expanded - counts.expanded;
            *counts = now;
            self.look();
            if pause != Pause::Fuel || self.stop.is_some() {
                return pause;
            }
        }
    }

    /// Why the search has to stop; `None` if it may go on. Reports progress after every [`LOOK`]
    /// expanded nodes.
    pub(super) fn look(&mut self) -> Option<Stop> {
        if self.expanded >= self.reported + LOOK {
            self.reported = self.expanded;
            self.stop = self.state.look(self.generated - self.state.before, (0, 1));
        } else {
            self.stop = self.state.stop(self.generated);
        }
        self.stop
    }

    /// Reports an iteration to the observer.
    pub(super) fn report_iteration(&self, iteration: &Iteration) {
        self.state.options.observer.iteration(iteration);
    }
}
