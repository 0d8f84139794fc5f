//! Looking at limits, cancellation and progress from inside a search.

use crate::control::{Options, Progress, Stop};
use crate::domain::Cost;
use std::time::Instant;

/// The state that checks of limits and reports of progress need.
pub(crate) struct Watch<'o> {
    pub(crate) options: &'o Options<'o>,
    pub(crate) started: Instant,
    /// The generated nodes of earlier iterations.
    pub(crate) before: u64,
    /// The bound of the iteration.
    pub(crate) bound: Cost,
    /// The proven lower bound.
    pub(crate) lower_bound: Cost,
    /// The cost of the best plan known.
    pub(crate) upper_bound: Option<Cost>,
}

impl Watch<'_> {
    /// Reports progress, and answers whether to stop. `generated` counts this iteration.
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

    /// Whether to stop after `total` generated nodes over all iterations.
    pub(crate) fn stop(&self, total: u64) -> Option<Stop> {
        if self.options.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        self.options.limits.reached(total, self.started)
    }
}
