//! The error type of this crate: [`ClosureError`].

use super::costs::Number;
use search::Cost;

/// What a closure returned that the search cannot handle, and where.
///
/// `depth` is the number of steps from the start. `position` is the index in the list of
/// successors.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClosureError {
    /// The cost of a step is not a whole number from 1 to 250. Only
    /// [`ida_star`](crate::ClosureSearch::ida_star) has these limits.
    #[error(
        "successor {position} at depth {depth} costs {cost}; \
         a step of `ida_star` must cost a whole number from 1 to 250 (others: `ida_star_wide`)"
    )]
    Step {
        /// The number of steps from the start to the successor.
        depth: usize,
        /// The index in the list of successors.
        position: usize,
        /// The cost as a float; NaN if it cannot be converted.
        cost: f64,
    },
    /// The cost of a step is negative.
    #[error("successor {position} at depth {depth} costs {cost}; a step must not cost less than 0")]
    Negative {
        /// The number of steps from the start to the successor.
        depth: usize,
        /// The index in the list of successors.
        position: usize,
        /// The cost as a float.
        cost: f64,
    },
    /// When it was called again for the plan, `successors` did not list a step of the plan. Only
    /// searches that store states call it again.
    #[error("the successors at depth {depth} were others when they were listed again")]
    Changed {
        /// The number of steps from the start to the successors.
        depth: usize,
    },
    /// An estimate is not a number.
    #[error(
        "the estimate of successor {position} at depth {depth} is not a number \
         (depth 0 is the start)"
    )]
    Estimate {
        /// The number of steps from the start to the state, 0 for the start.
        depth: usize,
        /// The index in the list of successors.
        position: usize,
    },
    /// A list has more than 65,536 successors.
    #[error("there are more than 65536 successors at depth {depth}")]
    Long {
        /// The number of steps from the start to the successors.
        depth: usize,
    },
    /// No plan costs at most 250. Only [`idastar`](crate::idastar) returns this;
    /// [`ClosureSearch::ida_star`](crate::ClosureSearch::ida_star) reports a limit instead.
    #[error(
        "no plan costs less than {lower_bound}, and the search stops at 250; \
         divide all costs by a common factor if they have one, or use `ida_star_wide`"
    )]
    Range {
        /// The proven lower bound: no plan costs less.
        lower_bound: Cost,
    },
    /// The cost of the plan does not fit the caller's type. Only [`idastar`](crate::idastar)
    /// returns this.
    #[error("the plan costs {cost}, which the type of the costs cannot hold")]
    Sum {
        /// The cost of the plan.
        cost: Cost,
    },
}

impl ClosureError {
    /// The error for a step whose cost is out of range.
    #[cold]
    pub(crate) fn step<C: Number>(depth: usize, position: usize, cost: C) -> Self {
        Self::Step { depth, position, cost: cost.to_f64().unwrap_or(f64::NAN) }
    }
}
