//! Iterative-deepening A* (Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
//! Intelligence 27, 1985, section 5.3): depth-first searches with a rising bound on g + h.
//!
//! The next bound is the least proven f above the bound among everything that was cut, so no plan is passed over; where
//! all plans of a state have the same parity, bounds keep it. Memory: a few nodes a depth and thread; time: about
//! `1 / (1 - 1/b)` times that of the last iteration, where b is the growth from one iteration to the next.

mod serial;
mod tasks;
#[cfg(test)]
mod tests;

pub use serial::{ida_star, ida_star_in_place};
pub use tasks::{ida_star_parallel, ida_star_parallel_in_place};

use crate::Plan;
use crate::domain::Domain;
use crate::expansion::{Counts, Loaded, Machine, Space};
use crate::heuristic::Heuristic;
use crate::limits::{CancelToken, Limits, Observer, Silent};
use crate::operators::Cost;
use crate::outcome::{Iteration, Limit, Outcome, Report};
use crate::pruning::Pruning;
use crate::watch::{Stop, Watch};
use std::time::Instant;

/// What a caller may ask of a search besides the answer.
pub struct Options<'a> {
    /// Where to stop without an answer. [default: nowhere]
    pub limits: Limits,
    /// Stops the search from outside.
    pub cancel: CancelToken,
    /// Is told of the progress. [default: nobody]
    pub observer: &'a dyn Observer,
    /// How many optimal plans to look for: at most so many are answered. Which plans count as different is
    /// the pruning's matter. [default: 1] [range: 1..]
    pub plans: usize,
    /// A lower bound proven elsewhere: bounds below it are not searched. [default: 0]
    pub lower_bound: Cost,
    /// The cost of a plan known from elsewhere. If only one plan is wanted, the search looks for cheaper ones alone: it ends with
    /// [`Limit::Bound`] when its lower bound comes to this cost, which proves the known plan optimal. [default: none]
    pub upper_bound: Option<Cost>,
}

impl Options<'_> {
    /// The most that a plan may cost; `None`: no plan can be cheap enough.
    pub(crate) fn most(&self) -> Option<Cost> {
        let limit = self.limits.bound.unwrap_or(Cost::MAX);
        match self.upper_bound {
            Some(known) if self.plans == 1 => Some(limit.min(known.checked_sub(1)?)),
            _ => Some(limit),
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("plans", &self.plans)
            .field("lower_bound", &self.lower_bound)
            .field("upper_bound", &self.upper_bound)
            .finish_non_exhaustive()
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cancel: CancelToken::new(),
            observer: &Silent,
            plans: 1,
            lower_bound: 0,
            upper_bound: None,
        }
    }
}

/// What an iteration leaves.
pub(crate) struct Swept {
    pub(crate) counts: Counts,
    pub(crate) plans: Vec<Plan>,
    pub(crate) stop: Option<Stop>,
}

/// The deepening that all drivers share: `sweep` searches everything below the root within a bound.
fn deepen<'a, M, D, H, P>(
    space: Space<'a, D, H, P>,
    start: &D::State,
    options: &Options,
    mut sweep: impl FnMut(M::Node, &Watch) -> Swept,
) -> Report
where
    M: Machine<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let first =
        || (!space.domain.is_goal(start)).then(|| first_bound(space, start, options.lower_bound));
    iterate(first, space.step, options, |bound, watch| {
        sweep(M::Node::root(space, start, bound), watch)
    })
}

/// Iterations with a rising bound, which steps by `step` at the least. `first` is the first bound, or `None` if the start is a
/// goal; `sweep` searches everything within a bound.
pub(crate) fn iterate(
    first: impl FnOnce() -> Option<Cost>,
    step: Cost,
    options: &Options,
    mut sweep: impl FnMut(Cost, &Watch) -> Swept,
) -> Report {
    let started = Instant::now();
    let mut report = Report {
        outcome: Outcome::Unsolvable,
        lower_bound: 0,
        optimal: true,
        complete: true,
        iterations: Vec::new(),
        elapsed: started.elapsed(),
    };
    let Some(mut bound) = first() else {
        report.outcome = Outcome::Solved(vec![Plan::new()]);
        report.elapsed = started.elapsed();
        return report;
    };
    report.outcome = loop {
        report.lower_bound = bound;
        if options.most().is_none_or(|most| bound > most) {
            break Outcome::LimitReached(Limit::Bound);
        }
        let (before, upper_bound) = (report.generated(), options.upper_bound);
        let watch = Watch { options, started, before, bound, lower_bound: bound, upper_bound };
        if let Some(stop) = watch.stop(watch.before) {
            break stop.into();
        }
        let swept = sweep(bound, &watch);
        let Counts { generated, expanded, over } = swept.counts;
        let complete = swept.stop.is_none() && swept.plans.len() < options.plans;
        report.iterations.push(Iteration { bound, generated, expanded, complete });
        options
            .observer
            .iteration(report.iterations.last().unwrap_or_else(|| unreachable!("just pushed")));
        match swept.stop {
            _ if !swept.plans.is_empty() => break Outcome::Solved(swept.plans),
            Some(stop) => break stop.into(),
            None if over == Cost::MAX => break Outcome::Unsolvable,
            None => {}
        }
        match next_bound(bound, over, step) {
            Some(next) => bound = next,
            None => {
                report.lower_bound = bound.saturating_add(over.max(1));
                break Outcome::LimitReached(Limit::Bound);
            }
        }
    };
    report.complete = match &report.outcome {
        Outcome::Solved(plans) => {
            let swept = report.iterations.last().is_some_and(|last| last.complete);
            swept || plans.len() >= options.plans
        }
        Outcome::Unsolvable => true,
        Outcome::LimitReached(_) | Outcome::Cancelled => false,
    };
    report.elapsed = started.elapsed();
    report
}

/// The least bound above this one at which there may be a plan: all of them lie whole steps apart, whatever the estimates say.
fn next_bound(bound: Cost, over: Cost, step: Cost) -> Option<Cost> {
    bound.checked_add(over.max(1).checked_next_multiple_of(step)?)
}

/// The estimate of the start state, raised to what is proven elsewhere and to the domain's parity.
fn first_bound<D: Domain, H: Heuristic<D>, P>(
    space: Space<'_, D, H, P>,
    start: &D::State,
    proven: Cost,
) -> Cost {
    let bound = space.heuristic.estimate(space.domain, start).max(proven);
    match space.domain.parity(start) {
        Some(odd) if (bound % 2 == 1) != odd => bound.saturating_add(1),
        _ => bound,
    }
}

/// The parts of a search together; the step of the bounds is read off the start state.
fn space<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    domain: &'a D,
    heuristic: &'a H,
    pruning: &'a P,
    start: &D::State,
) -> Space<'a, D, H, P> {
    Space { domain, heuristic, pruning, step: if domain.parity(start).is_some() { 2 } else { 1 } }
}
