//! What every search keeps while it runs: its options, its proven bounds, and when it began.

use crate::control::{Options, Progress, Stop};
use crate::domain::{Cost, Op};
use num_traits::PrimInt;
use std::time::Duration;
use web_time::Instant;

/// The limits, the cancellation and the progress of a search, for all its threads.
#[derive(Clone)]
pub(crate) struct SearchState<'o, C = Cost> {
    pub(crate) options: &'o Options<'o, C>,
    started: Instant,
    /// The generated nodes of earlier iterations.
    pub(crate) before: u64,
    /// The bound of the running iteration.
    pub(crate) bound: C,
    /// The proven lower bound on the cost of a plan.
    pub(crate) lower_bound: C,
    /// The cost of the best known plan; `None` if no plan is known.
    pub(crate) upper_bound: Option<C>,
}

impl<'o, C: PrimInt> SearchState<'o, C> {
    /// A search that begins now, with the bounds of its options.
    pub(crate) fn new(options: &'o Options<'o, C>) -> Self {
        let Options { lower_bound, upper_bound, .. } = *options;
        let started = Instant::now();
        Self { options, started, before: 0, bound: lower_bound, lower_bound, upper_bound }
    }

    /// The time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Reports progress, and returns why the search has to stop; `None` if it may go on.
    /// `generated` counts the nodes of this iteration.
    pub(crate) fn look(&self, generated: u64, tasks: (usize, usize)) -> Option<Stop> {
        let total = self.before + generated;
        self.options.observer.progress(&Progress {
            bound: self.bound,
            generated: total,
            generated_in_iteration: generated,
            lower_bound: self.lower_bound,
            upper_bound: self.upper_bound,
            tasks,
        });
        self.stop(total)
    }

    /// Whether [`Options::filter`] accepts a plan that the search found. True without a filter. If
    /// so, tells the plan to [`Options::on_plan`].
    pub(crate) fn accept_plan(&self, plan: &[Op]) -> bool {
        let accepted = self.options.filter.is_none_or(|filter| filter(self.bound, plan));
        if accepted && let Some(tell) = self.options.on_plan {
            tell(self.bound, plan);
        }
        accepted
    }

    /// Why the search has to stop after `total` generated nodes over all iterations; `None` if it
    /// may go on.
    pub(crate) fn stop(&self, total: u64) -> Option<Stop> {
        if self.options.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        self.options.limits.reached(total, self.started)
    }
}
