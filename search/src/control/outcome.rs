//! What a search answers: [`Outcome`], the proven lower bound, and the counts of each iteration.

use crate::Plan;
use crate::domain::Cost;
use std::time::Duration;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At least one plan; all have the least cost there is if [`Report::optimal`] says so.
    Solved(Vec<Plan>),
    /// No plan exists.
    Unsolvable,
    /// A limit was reached first.
    LimitReached(Limit),
    /// The caller cancelled.
    Cancelled,
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::nodes`](crate::Limits::nodes).
    Nodes,
    /// [`Limits::time`](crate::Limits::time).
    Time,
    /// [`Limits::bound`](crate::Limits::bound).
    Bound,
    /// [`Limits::bytes`](crate::Limits::bytes).
    Bytes,
}

/// The answer of a search, with what it took.
#[derive(Clone, Debug)]
pub struct Report {
    /// How the search ended.
    pub outcome: Outcome,
    /// No plan costs less than this: proven, whatever the outcome.
    pub lower_bound: Cost,
    /// Whether the plans are proven to be of least cost.
    pub optimal: bool,
    /// Whether the search came to its own end: it found as many plans as it was to look for, or all that there are. If not,
    /// a limit or the caller ended it, and the plans found may not be all.
    pub complete: bool,
    /// One entry an iteration, in order. A search without iterations has one.
    pub iterations: Vec<Iteration>,
    /// Wall time of the search.
    pub elapsed: Duration,
}

impl Report {
    /// The first plan, if the search was solved.
    pub fn plan(&self) -> Option<&Plan> {
        match &self.outcome {
            Outcome::Solved(plans) => plans.first(),
            _ => None,
        }
    }
    /// Generated nodes over all iterations.
    pub fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// Expanded nodes over all iterations.
    pub fn expanded(&self) -> u64 {
        Iteration::expanded_in(&self.iterations)
    }
}

/// The counts of one iteration.
///
/// *Generated*: children that the search took up, in operator order; the root is not counted, nor is a child that was
/// only prefetched, nor an operator that was excluded. *Expanded*: nodes whose children were taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Iteration {
    /// No plan of a cost above this was looked for.
    pub bound: Cost,
    /// Generated nodes.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Whether every node within the bound was searched; counts are then the same for any number of threads.
    pub complete: bool,
}

impl Iteration {
    /// Generated nodes of all these iterations.
    pub fn generated_in(iterations: &[Self]) -> u64 {
        iterations.iter().map(|iteration| iteration.generated).sum()
    }
    /// Expanded nodes of all these iterations.
    pub fn expanded_in(iterations: &[Self]) -> u64 {
        iterations.iter().map(|iteration| iteration.expanded).sum()
    }
}
