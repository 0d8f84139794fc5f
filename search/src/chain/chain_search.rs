//! What a search along a chain carries with it: the operators so far, the best plan, the counts, and why it stopped.

use super::image::Image;
use crate::Plan;
use crate::control::{Iteration, Options, Stop, Watch};
use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Counts, Expander, Pause};
use crate::pruning::Pruning;
use std::fmt;
use std::time::Instant;

/// Expanded nodes of a stage between two looks at the limits.
const FUEL: u64 = 1 << 12;

/// A search along a chain of stages under way, which [`Stages`](super::Stages) hand on to each other.
pub struct ChainSearch<'a, D: Domain> {
    pub(super) domain: &'a D,
    options: &'a Options<'a>,
    started: Instant,
    /// Operators of the stages before the one at work.
    path: Vec<Op>,
    /// What they cost.
    spent: Cost,
    /// The most that a whole plan may cost; none if none can be good enough.
    pub(super) most: Option<Cost>,
    /// By how much the costs of two plans differ at the least.
    step: Cost,
    /// Whether a lower limit than that left plans out.
    pub(super) lowered: bool,
    pub(super) best: Option<Plan>,
    /// What the best plan that is known costs.
    known: Option<Cost>,
    pub(super) lower_bound: Cost,
    /// Cost of the first stage's plans.
    pub(super) bound: Cost,
    /// Generated nodes of the iterations before.
    pub(super) before: u64,
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// Expanded nodes when the observer was last told.
    told: u64,
    pub(super) stop: Option<Stop>,
}

impl<D: Domain> fmt::Debug for ChainSearch<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk")
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
            options,
            started: Instant::now(),
            path: Vec::new(),
            spent: 0,
            most: known.map_or(Some(limit), |known| Some(limit.min(known.checked_sub(step)?))),
            step,
            lowered: false,
            best: None,
            known,
            lower_bound: 0,
            bound: 0,
            before: 0,
            generated: 0,
            expanded: 0,
            told: 0,
            stop: None,
        }
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> std::time::Duration {
        self.started.elapsed()
    }

    /// The lesser of a limit and what may be spent from here on; none if nothing.
    pub(super) fn left(&self, limit: Cost) -> Option<Cost> {
        Some(self.most?.checked_sub(self.spent)?.min(limit))
    }

    /// [`ChainSearch::left`], noting whether the limit is what leaves plans out.
    pub(super) fn lower(&mut self, limit: Cost) -> Option<Cost> {
        let left = self.left(Cost::MAX)?;
        self.lowered |= limit < left;
        Some(left.min(limit))
    }

    /// Does something behind some more operators.
    pub(super) fn behind(&mut self, path: &[Op], cost: Cost, then: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        self.path.extend(path);
        self.spent += cost;
        then(self);
        self.spent -= cost;
        self.path.truncate(before);
    }

    /// Takes over a whole plan, which is the path and these operators; only better ones are looked for.
    pub(super) fn found(&mut self, image: &Image<D::State>, rest: &[Op]) {
        let whole = [&self.path, rest].concat();
        let cost = whole.iter().map(|&op| self.domain.cost(op)).sum();
        let plan = image.plan(&self.domain.to_plan(&whole));
        self.options.observer.improved(&plan, cost);
        (self.best, self.known) = (Some(plan), Some(cost));
        self.most = cost.checked_sub(self.step);
    }

    /// Searches on to the next goal or to the end. [`Pause::Fuel`]: the search is stopped. `counts` are those of the machine that are
    /// taken over.
    pub(super) fn run<'m, M, E, H, P>(&mut self, machine: &mut M, counts: &mut Counts) -> Pause
    where
        M: Expander<'m, E, H, P>,
        E: Domain,
        H: Heuristic<E>,
        P: Pruning<E>,
    {
        loop {
            let pause = machine.run(FUEL);
            let now = machine.counts();
            self.generated += now.generated - counts.generated;
            self.expanded += now.expanded - counts.expanded;
            *counts = now;
            self.look();
            if pause != Pause::Fuel || self.stop.is_some() {
                return pause;
            }
        }
    }

    /// Whether the search is to stop. Tells the observer of the progress now and then.
    pub(super) fn look(&mut self) -> Option<Stop> {
        let watch = Watch {
            options: self.options,
            started: self.started,
            before: self.before,
            bound: self.bound,
            lower_bound: self.lower_bound,
            upper_bound: self.known,
        };
        if self.expanded >= self.told + FUEL {
            self.told = self.expanded;
            self.stop = watch.look(self.generated - self.before, (0, 1));
        } else {
            self.stop = watch.stop(self.generated);
        }
        self.stop
    }

    /// Tells the observer of an iteration.
    pub(super) fn tell(&self, iteration: &Iteration) {
        self.options.observer.iteration(iteration);
    }
}
