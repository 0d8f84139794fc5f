//! Checks of limits and cancellation, and reports of progress, from inside a search.

use crate::control::{Options, Progress, Stop};
use crate::domain::{Cost, Op};
use web_time::Instant;

/// What a search needs in order to check its limits and to report progress.
pub(crate) struct LimitCheck<'o, C = Cost> {
    pub(crate) options: &'o Options<'o, C>,
    pub(crate) started: Instant,
    /// The generated nodes of earlier iterations.
    pub(crate) before: u64,
    /// The bound of the running iteration.
    pub(crate) bound: C,
    /// The proven lower bound on the cost of a plan.
    pub(crate) lower_bound: C,
    /// The cost of the best known plan; `None` if no plan is known.
    pub(crate) upper_bound: Option<C>,
}

impl<C: Copy> LimitCheck<'_, C> {
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
    pub(crate) fn counts(&self, plan: &[Op]) -> bool {
        let counts = self.options.filter.is_none_or(|filter| filter(self.bound, plan));
        if counts && let Some(tell) = self.options.on_plan {
            tell(self.bound, plan);
        }
        counts
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
