//! The options of a search: [`Options`].

use super::Units;
use super::limits::{CancelToken, Limits, Observer, Silent};
use crate::domain::{Cost, Op};
use num_traits::{PrimInt, Zero};
use std::fmt::Debug;

/// Decides whether a plan counts as an answer. Its arguments are the bound of the iteration that
/// found the plan, and the operators of the plan.
pub type PlanFilter<'a, C = Cost> = dyn Fn(C, &[Op]) -> bool + Sync + 'a;

/// Receives a plan: the bound of the iteration that found it, and its operators.
pub type PlanListener<'a, C = Cost> = dyn Fn(C, &[Op]) + Sync + 'a;

/// Options of a search: limits, cancellation, progress, and what is known already.
///
/// `C` is the type of costs. Searches of a [`Domain`](crate::Domain) take [`Cost`].
#[derive(Clone)]
pub struct Options<'a, C = Cost> {
    /// When to stop without an answer. [default: no limits]
    pub limits: Limits<C>,
    /// Stops the search from outside.
    pub cancel: CancelToken,
    /// Receives the progress. [default: [`Silent`]]
    pub observer: &'a dyn Observer<C>,
    /// The number of optimal plans after which the search ends; 0 means 1. The search finds only
    /// plans that the pruning allows. [default: 1]
    pub plans: usize,
    /// A lower bound proven elsewhere. The search starts with it. [default: 0]
    pub lower_bound: C,
    /// The cost of a plan known from elsewhere. A search for one plan then finds only cheaper ones.
    /// It ends with [`Limit::Bound`](crate::Limit::Bound) if its lower bound reaches this cost,
    /// which proves the known plan optimal. [default: none]
    pub upper_bound: Option<C>,
    /// After so many generated nodes no further iteration begins. The first begins in any case. The
    /// search ends with [`Limit::Nodes`](crate::Limit::Nodes), and another one that starts with its
    /// lower bound repeats nothing. Searches without iterations ignore it. [default: none]
    pub pause: Option<u64>,
    /// Accepts or rejects each plan that IDA\* finds. After a rejected plan the search goes on.
    /// With a filter the empty plan never counts, so a search from a goal also goes on. Other
    /// searches ignore the filter. [default: none, all plans count]
    ///
    /// With a filter and a [`Options::lower_bound`] above the least cost, a caller gets plans that
    /// cost exactly this bound and visit no goal before their end: a search does not go on behind a
    /// goal.
    pub filter: Option<&'a PlanFilter<'a, C>>,
    /// Called with each plan that counts as soon as IDA\* finds it, in the order of the search. The
    /// thread that found it waits. The empty plan of a start that is a goal is not told. Other
    /// searches ignore the listener. [default: none]
    pub on_plan: Option<&'a PlanListener<'a, C>>,
    /// Keeps or shares the results of [`ida_star_parallel`](crate::ida_star_parallel), unit by
    /// unit. Other searches ignore it. [default: none]
    pub units: Option<&'a dyn Units>,
}

impl<C: PrimInt> Options<'_, C> {
    /// The number of plans that ends a search: at least one.
    pub(crate) fn wanted(&self) -> usize {
        self.plans.max(1)
    }

    /// The most that a plan may cost in a search for `wanted` plans. `None` if the known plan costs
    /// 0: no plan is cheaper.
    pub(crate) fn most(&self, wanted: usize) -> Option<C> {
        let limit = self.limits.bound.unwrap_or(C::max_value());
        match self.upper_bound {
            Some(known) if wanted == 1 => Some(limit.min(known.checked_sub(&C::one())?)),
            _ => Some(limit),
        }
    }
}

impl<C: Debug> Debug for Options<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("plans", &self.plans)
            .field("lower_bound", &self.lower_bound)
            .field("upper_bound", &self.upper_bound)
            .field("pause", &self.pause)
            .field("filter", &self.filter.is_some())
            .field("on_plan", &self.on_plan.is_some())
            .field("units", &self.units.is_some())
            .finish_non_exhaustive()
    }
}

/// The default options with these limits.
impl<C: Zero> From<Limits<C>> for Options<'_, C> {
    fn from(limits: Limits<C>) -> Self {
        Self { limits, ..Self::default() }
    }
}

impl<C: Zero> Default for Options<'_, C> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cancel: CancelToken::new(),
            observer: &Silent,
            plans: 1,
            lower_bound: C::zero(),
            upper_bound: None,
            pause: None,
            filter: None,
            on_plan: None,
            units: None,
        }
    }
}
