//! Search from four closures: a start, successors, an estimate and a goal test.
//!
//! Use this crate if your puzzle is a function that lists successors, and you do not want to
//! implement a trait. [`ClosureSearch`] searches by A\*, weighted A\*, uniform cost, breadth first
//! or iterative deepening, with limits, cancellation and an observer. Its result,
//! [`ClosureAnswer`], has the paths and the [`Report`] with the proven lower bound. [`idastar`]
//! takes its arguments in the order of the function of that name in the crate `pathfinding`.
//!
//! ```
//! use fewest_closures::{ClosureSearch, idastar};
//!
//! // From 1 to 100 by doubling (cost 3) and adding one (cost 1).
//! let steps = |n: &u32| [(2 * n, 3), (n + 1, 1)];
//! let answer = ClosureSearch::new(&1, steps, |_| 0, |&n| n == 100).a_star()?;
//! assert_eq!((answer.path().unwrap().cost, answer.report.lower_bound), (18, 18));
//!
//! let found = idastar(&1, steps, |_| 0, |&n| n == 100)?;
//! let (numbers, cost) = found.expect("100 can be reached");
//! assert_eq!((numbers[0], numbers[numbers.len() - 1], cost), (1, 100, 18));
//! # Ok::<(), fewest_closures::ClosureError>(())
//! ```
//!
//! # Which search
//! - Few states, or many ways to a state: [`ClosureSearch::a_star`]. It stores each state once.
//! - More states than fit into memory, and a strong estimate: [`ClosureSearch::ida_star`], or
//!   [`ClosureSearch::ida_star_wide`] if costs are zero or above 250.
//! - A good plan soon: [`ClosureSearch::weighted_a_star`].
//! - No estimate: [`ClosureSearch::uniform_cost`], or [`ClosureSearch::breadth_first`] if all steps
//!   cost the same.
//!
//! # States and costs
//! A state must be `Clone`, `Eq` and `Hash`. The searches refuse other costs than these with a
//! [`ClosureError`] that says which successor at which depth has the cost.
//!
//! | | `ida_star` | the others |
//! |---|---|---|
//! | type of costs | any number ([`Number`]) | any primitive integer |
//! | a step costs | a whole number from 1 to 250 | 0 or more |
//! | a plan costs at most | 250 | one less than the greatest of the type |
//!
//! A search that stores states finds plans that cost less than 2^64, also where the type is wider.
//! Costs above that need `ida_star_wide`.
//!
//! The plan is optimal if the estimate is admissible (never above the true cost). The estimate need
//! not be consistent. The type of the costs is that of the answer, too. Where no plan starts, the
//! greatest value of the type is the best estimate (`u32::MAX`, say): every search takes it as a
//! proof that there is none.
//!
//! The states of a [`Domain`](search::Domain) may be searched from closures, too: with
//! [`domain_successors`], plans may cost more than 250.
//!
//! # What `ida_star` cuts
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
//! `ida_star` holds the states of one path on the stack, and a table of at most 32,768 states and
//! 2 MiB. `ida_star_wide` holds one path on the heap. The other searches hold every state once, and
//! 16 to 28 bytes beside it: [`search::stored::best_first`]. Heap memory that the states own comes
//! on top.
//!
//! # Why this is not a `Domain`
//! An operator of this search is a position in the list of successors. Its cost and meaning may
//! differ from state to state. A [`Domain`](search::Domain) gives each operator one cost. Automata,
//! pattern databases, prediction and parallel search rely on that. A\* does not: the same loop,
//! [`search::stored::best_first`], serves domains and closures. Iterative deepening has a search of
//! its own below a bound. It takes iterations, limits and counts from [`search::deepen`].

mod answer;
mod closure_search;
mod costs;
mod descent;
mod domain;
mod error;
mod ida_star;
mod ida_star_wide;
mod memory;
mod space;
mod stored;
mod table;
#[cfg(test)]
mod tests;

pub use answer::{ClosureAnswer, StatePath};
pub use closure_search::ClosureSearch;
pub use costs::Number;
pub use domain::domain_successors;
pub use error::ClosureError;
pub use search::{
    CancelToken, Cost, Iteration, Limit, Limits, Observer, Options, Outcome, Plan, Progress, Report,
};

pub use search;
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
        ClosureSearch::new(start, successors, heuristic, success).ida_star()?;
    match (report.outcome, paths.into_iter().next()) {
        (_, Some(StatePath { states, cost })) => Ok(Some((states, cost))),
        (Outcome::LimitReached(_), None) => {
            let lower_bound = report.lower_bound.to_u8().unwrap_or(Cost::MAX);
            Err(ClosureError::Range { lower_bound })
        }
        (_, None) => Ok(None),
    }
}
