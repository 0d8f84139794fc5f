//! Iterative-deepening A* from four closures: a start, successors, an estimate and a goal test.
//!
//! Use this crate if your puzzle is a function that lists successors, and you do not want to
//! implement a trait. [`idastar`] takes its arguments in the order of the function of that name in
//! the crate `pathfinding`. [`ClosureSearch`] adds limits, cancellation, an observer and the search
//! for several plans. Its result, [`ClosureAnswer`], has the paths and the [`Report`].
//!
//! ```
//! // From 1 to 100 by doubling (cost 3) and adding one (cost 1).
//! let steps = |n: &u32| [(2 * n, 3), (n + 1, 1)];
//! let found = fewest_closures::idastar(&1, steps, |_| 0, |&n| n == 100)?;
//! let (numbers, cost) = found.expect("100 can be reached");
//! assert_eq!((numbers[0], numbers[numbers.len() - 1], cost), (1, 100, 18));
//! # Ok::<(), fewest_closures::ClosureError>(())
//! ```
//!
//! # States and costs
//! A state must be `Clone`, `Eq` and `Hash`. Costs are whole numbers from 1 to 250 of any numeric
//! type, and a plan costs at most 250 ([`Cost`]). The search refuses other costs with a
//! [`ClosureError`] that says which successor at which depth has the cost. The plan is optimal if
//! the estimate is admissible (never above the true cost). The estimate need not be consistent.
//!
//! # What the search cuts
//! - A child whose estimate puts it above the bound.
//! - A state that is already on its own path.
//! - A state that the table remembers. This iteration has searched below it with at least as much
//!   cost left to spend, and found no plan. The table begins after an iteration that has expanded
//!   4,096 states or more.
//!
//! No cut loses an optimal plan or a proven bound: the module `memory` has the proof. The table
//! also orders children. The child below which the last iteration came nearest to a goal is first.
//! All decisions depend on counts and fixed hashes. So a search expands the same states in every
//! run, if its closures return the same values.
//!
//! # Memory
//! The search holds the states of one path on the stack, and a table of at most 32,768 states and 2
//! MiB. Heap memory that the states own comes on top.
//!
//! # Why this is not a `Domain`
//! An operator of this search is a position in the list of successors. Its cost and meaning may
//! differ from state to state. A [`Domain`](search::Domain) gives each operator one cost. Automata,
//! pattern databases, prediction and parallel search rely on that. So this crate has its own search
//! below a bound. It takes iterations, limits and counts from [`search::deepen`].

mod closure_search;
mod costs;
mod descent;
mod error;
mod memory;
mod table;
#[cfg(test)]
mod tests;

pub use closure_search::{ClosureAnswer, ClosureSearch, StatePath};
pub use costs::Number;
pub use error::ClosureError;
pub use search::{
    CancelToken, Cost, Limit, Limits, Observer, Options, Outcome, Plan, Progress, Report,
};

use std::hash::Hash;

/// Finds a cheapest plan from `start` to a state where `success` holds.
///
/// Returns the states of the plan, both ends included, and its cost; `None` if there is no plan.
/// The arguments are those of `pathfinding::directed::idastar::idastar`. The [crate](self) says
/// what states and costs must satisfy. For limits, use [`ClosureSearch`].
///
/// # Errors
/// If a closure returned something that the engine cannot handle, or no plan costs at most 250: see
/// [`ClosureError`].
///
/// # Example
/// ```
/// use fewest_closures::idastar;
///
/// // A knight from one corner of a chessboard to the other.
/// const JUMPS: [(i8, i8); 8] =
///     [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// let found = idastar(
///     &(0i8, 0i8),
///     |&(x, y)| {
///         let jumps = JUMPS.map(|(dx, dy)| (x + dx, y + dy)).into_iter();
///         jumps.filter(|(x, y)| (0..8).contains(x) && (0..8).contains(y)).map(|to| (to, 1u32))
///     },
///     |&(x, y)| (x.abs_diff(7) + y.abs_diff(7)).div_ceil(3).into(),
///     |&at| at == (7, 7),
/// );
/// let (squares, jumps) = found?.expect("a knight comes everywhere");
/// assert_eq!((squares.len(), jumps), (7, 6));
/// # Ok::<(), fewest_closures::ClosureError>(())
/// ```
pub fn idastar<N, C, I>(
    start: &N,
    successors: impl FnMut(&N) -> I,
    heuristic: impl FnMut(&N) -> C,
    success: impl FnMut(&N) -> bool,
) -> Result<Option<(Vec<N>, C)>, ClosureError>
where
    N: Clone + Eq + Hash,
    C: Number,
    I: IntoIterator<Item = (N, C)>,
{
    let ClosureAnswer { paths, report } =
        ClosureSearch::new(start, successors, heuristic, success).run()?;
    match (report.outcome, paths.into_iter().next()) {
        (_, Some(StatePath { states, cost })) => {
            let cost = C::from(cost).ok_or(ClosureError::Sum { cost })?;
            Ok(Some((states, cost)))
        }
        (Outcome::LimitReached(_), None) => {
            Err(ClosureError::Range { lower_bound: report.lower_bound })
        }
        (_, None) => Ok(None),
    }
}
