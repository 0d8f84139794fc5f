//! What a caller may ask of a search besides the answer: [`Options`].

use super::limits::{CancelToken, Limits, Observer, Silent};
use crate::domain::Cost;

/// What a caller may ask of a search besides the answer.
#[derive(Clone)]
pub struct Options<'a> {
    /// Where to stop without an answer. [default: nowhere]
    pub limits: Limits,
    /// Stops the search from outside.
    pub cancel: CancelToken,
    /// Is told of the progress. [default: nobody]
    pub observer: &'a dyn Observer,
    /// How many optimal plans to look for: at most so many are answered. Which plans count as different is
    /// the pruning's matter. 0 means 1. [default: 1]
    pub plans: usize,
    /// A lower bound proven elsewhere: bounds below it are not searched. [default: 0]
    pub lower_bound: Cost,
    /// The cost of a plan known from elsewhere. If only one plan is wanted, the search looks for cheaper ones alone: it ends with
    /// [`Limit::Bound`] when its lower bound comes to this cost, which proves the known plan optimal. [default: none]
    pub upper_bound: Option<Cost>,
}

impl Options<'_> {
    /// How many plans end a search: at least one.
    pub(crate) fn wanted(&self) -> usize {
        self.plans.max(1)
    }

    /// The most that a plan may cost in a search for so many; `None`: none can be cheap enough.
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
