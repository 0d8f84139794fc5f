//! The options of a search: [`Options`].

use super::limits::{CancelToken, Limits, Observer, Silent};
use crate::domain::{Cost, Op};

/// Says whether a plan counts, from the bound within which it was found and its operators.
pub type PlanFilter<'a> = dyn Fn(Cost, &[Op]) -> bool + Sync + 'a;

/// Options of a search: limits, cancellation, progress, and what is known already.
#[derive(Clone)]
pub struct Options<'a> {
    /// When to stop without an answer. [default: no limits]
    pub limits: Limits,
    /// Stops the search from outside.
    pub cancel: CancelToken,
    /// Receives the progress. [default: [`Silent`]]
    pub observer: &'a dyn Observer,
    /// The most optimal plans to find; 0 means 1. The pruning decides which plans count as
    /// different. [default: 1]
    pub plans: usize,
    /// A lower bound proven elsewhere. The search starts with it. [default: 0]
    pub lower_bound: Cost,
    /// The cost of a plan known from elsewhere. A search for one plan then finds only cheaper ones.
    /// It ends with [`Limit::Bound`](crate::Limit::Bound) if its lower bound reaches this cost,
    /// which proves the known plan optimal. [default: none]
    pub upper_bound: Option<Cost>,
    /// Which plans count; IDA\* passes over the others. With a filter, the empty plan never counts:
    /// a search from a goal goes on. [default: none, all plans count]
    ///
    /// So a search may ask for plans that cost exactly the bound, above the least cost.
    pub filter: Option<&'a PlanFilter<'a>>,
}

impl Options<'_> {
    /// The number of plans that ends a search: at least one.
    pub(crate) fn wanted(&self) -> usize {
        self.plans.max(1)
    }

    /// The most that a plan may cost in a search for `wanted` plans. `None` if the known plan costs
    /// 0: no plan is cheaper.
    pub(crate) fn most(&self, wanted: usize) -> Option<Cost> {
        let limit = self.limits.bound.unwrap_or(Cost::MAX);
        match self.upper_bound {
            Some(known) if wanted == 1 => Some(limit.min(known.checked_sub(1)?)),
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
            .field("filter", &self.filter.is_some())
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
            filter: None,
        }
    }
}
