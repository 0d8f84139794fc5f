//! The answer of a search: [`Outcome`], the proven lower bound, and the counts of each iteration.

use crate::Plan;
use crate::domain::Cost;
use std::time::Duration;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The search has plans, at least one. [`Report::optimal`] says whether they are proven to have
    /// the least cost. A search that improves its plans also ends so when a limit or the caller
    /// ends it: [`bidirectional`](crate::stored::bidirectional),
    /// [`search_chain`](crate::search_chain) and `ida_star_wide` of closures.
    Solved(Vec<Plan>),
    /// No plan exists.
    Unsolvable,
    /// A limit ended the search first.
    LimitReached(Limit),
    /// The caller cancelled the search.
    Cancelled,
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Limit {
    /// The search generated as many nodes as [`Limits::nodes`](crate::Limits::nodes) allows.
    Nodes,
    /// The time of [`Limits::time`](crate::Limits::time) has passed.
    Time,
    /// No plan is cheap enough. Every plan costs more than [`Limits::bound`](crate::Limits::bound),
    /// or at least as much as the known plan.
    Bound,
    /// The states need more than [`Limits::bytes`](crate::Limits::bytes).
    Bytes,
    /// Some units of the bound are left to other searches ([`Units`](crate::Units)).
    Units,
}

/// The answer of a search, and its effort: nodes and time. `C` is the type of costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report<C = Cost> {
    /// How the search ended.
    pub outcome: Outcome,
    /// No plan costs less than this. Proven, whatever the outcome, if the estimates and
    /// [`Options::lower_bound`](crate::Options::lower_bound) are right. If the search finds a plan
    /// that costs less, one of them was wrong, and this is 0. With
    /// [`Options::filter`](crate::Options::filter), true of the plans that the filter accepts.
    pub lower_bound: C,
    /// Whether the plans are proven to have the least cost of all plans that count. True if it is
    /// proven that there is none. False if a limit or the caller ended the search without a plan.
    pub optimal: bool,
    /// Whether the search found as many plans as asked for, or all that the pruning allows: one of
    /// those that differ by the order of commuting operators, for example. With
    /// [`NoPruning`](crate::NoPruning) these are all that exist. If false, a limit or the caller
    /// ended the search, or a bound was wrong, and some plans may be missing.
    pub complete: bool,
    /// The iterations in order. A search that does not deepen has one entry.
    pub iterations: Vec<Iteration<C>>,
    /// Wall time of the search.
    pub elapsed: Duration,
}

impl<C: Copy> Report<C> {
    /// The same report with costs of another type.
    pub fn map_costs<D>(self, cost: impl Fn(C) -> D) -> Report<D> {
        let Self { outcome, lower_bound, optimal, complete, iterations, elapsed } = self;
        let iterations = iterations.iter().map(|iteration| iteration.map_costs(&cost)).collect();
        let lower_bound = cost(lower_bound);
        Report { outcome, lower_bound, optimal, complete, iterations, elapsed }
    }
}

impl<C> Report<C> {
    /// The first plan; `None` unless the outcome is [`Outcome::Solved`].
    pub fn plan(&self) -> Option<&Plan> {
        match &self.outcome {
            Outcome::Solved(plans) => plans.first(),
            _ => None,
        }
    }
    /// The number of generated nodes over all iterations.
    pub fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// The number of expanded nodes over all iterations.
    pub fn expanded(&self) -> u64 {
        Iteration::expanded_in(&self.iterations)
    }
}

/// The counts of one iteration.
///
/// A child counts as *generated* when the search reaches it. The root, children that were only
/// prefetched, and excluded operators do not count. A node counts as *expanded* when its children
/// are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Iteration<C = Cost> {
    /// The highest cost of a plan that this iteration could find.
    pub bound: C,
    /// The number of generated nodes.
    pub generated: u64,
    /// The number of expanded nodes.
    pub expanded: u64,
    /// Whether every node within the bound was searched. The counts then do not depend on threads.
    pub complete: bool,
}

impl<C: Copy> Iteration<C> {
    /// The same iteration with costs of another type.
    pub fn map_costs<D>(&self, cost: impl Fn(C) -> D) -> Iteration<D> {
        let Self { bound, generated, expanded, complete } = *self;
        Iteration { bound: cost(bound), generated, expanded, complete }
    }
}

impl<C> Iteration<C> {
    /// The number of generated nodes of several iterations together.
    pub fn generated_in(iterations: &[Self]) -> u64 {
        iterations.iter().map(|iteration| iteration.generated).sum()
    }
    /// The number of expanded nodes of several iterations together.
    pub fn expanded_in(iterations: &[Self]) -> u64 {
        iterations.iter().map(|iteration| iteration.expanded).sum()
    }
}
