//! What a search from closures refuses, and where.

use super::Number;
use search::Cost;

/// Why the search cannot handle what a closure returned.
///
/// `depth` counts steps from the start. `position` is the place in the list of successors.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClosureError {
    /// The cost of a step is not a whole number from 1 to 250.
    #[error(
        "successor {position} at depth {depth} costs {cost}; \
         a step must cost a whole number from 1 to 250"
    )]
    Step {
        /// Steps from the start to the successor.
        depth: usize,
        /// Its place in the list.
        position: usize,
        /// The cost, rounded to a float; NaN if it cannot be cast.
        cost: f64,
    },
    /// An estimate is not a number.
    #[error(
        "the estimate of successor {position} at depth {depth} is not a number \
         (depth 0 is the start)"
    )]
    Estimate {
        /// Steps from the start.
        depth: usize,
        /// Its place in the list.
        position: usize,
    },
    /// A list has more than 65,536 successors.
    #[error("there are more than 65536 successors at depth {depth}")]
    Long {
        /// Steps from the start to the successors.
        depth: usize,
    },
    /// No plan costs at most 250. Only [`idastar`](crate::idastar) returns this;
    /// [`ClosureSearch::run`](crate::ClosureSearch::run) reports a limit instead.
    #[error(
        "no plan costs less than {lower_bound}, and the search stops at 250; \
         divide all costs by a common factor if they have one"
    )]
    Range {
        /// No plan costs less.
        lower_bound: Cost,
    },
    /// The cost of the plan does not fit the caller's type. Only [`idastar`](crate::idastar)
    /// returns this.
    #[error("the plan costs {cost}, which the type of the costs cannot hold")]
    Sum {
        /// What the plan costs.
        cost: Cost,
    },
}

impl ClosureError {
    /// Refuses a step whose cost is out of range.
    #[cold]
    pub(crate) fn step<C: Number>(depth: usize, position: usize, cost: C) -> Self {
        Self::Step { depth, position, cost: cost.to_f64().unwrap_or(f64::NAN) }
    }
}
