//! Best-first searches that remember every generated state: A*, weighted A*, uniform-cost search
//! and greedy best-first search.
//!
//! **Invariant of A\*, with any weight.** Every cheapest plan passes an open state whose `g` is the
//! least possible. So the least `f = g + h` on the open list never exceeds the least cost, in
//! whatever order states are expanded. If the search reaches a closed state more cheaply, it opens
//! the state again. So the invariant also holds if the heuristic is admissible but not consistent.
//!
//! Source: Peter Hart, Nils Nilsson and Bertram Raphael, "A formal basis for the heuristic
//! determination of minimum cost paths", IEEE Transactions on Systems Science and Cybernetics 4(2),
//! 1968.
//!
//! Of states with equal priority, the search first expands one with the least `h`. Of these, it
//! first expands the one opened last. So it is deterministic. It evaluates the heuristic once for
//! each new state, and once for each time that it reaches a state more cheaply. It evaluates the
//! heuristic again when it expands the state, to compute the data that the children inherit.
//!
//! One loop serves packed domains and graphs with costs of any integer type ([`Graph`]).
//!
//! Time: O(states stored x operators), and more if states are opened again. Memory for each state:
//! - a key, usually 4 to 16 bytes;
//! - 5 bytes for the way to it;
//! - 6 to 12 bytes of table;
//! - 4 to 8 bytes on the open list.

mod graph;
mod order;
mod packed;
mod paths;
mod queue;
mod search;
#[cfg(test)]
mod tests;

pub use graph::{Graph, GraphAnswer, GraphError};
pub use order::Order;
pub use search::{GraphResult, best_first};

use crate::control::{Options, Outcome, Report};
use crate::domain::Packed;
use crate::heuristic::{Heuristic, Zero};
use crate::stored::best_first_state::{BROKEN, replay};
use packed::{PackedGraph, PackedState, StepCosts};

/// A*: expands the open state with the least `g + h` first. Optimal if the heuristic is admissible.
///
/// It returns one plan and ignores [`Options::plans`]. [`Limits::bytes`](crate::Limits::bytes)
/// covers states, the hash table and the indices in the open list. It does not cover 24 bytes of
/// the open list for each value that `f` may have, and for each pair of an `f` and an `h`.
///
/// # Panics
/// If the plan that the stored states give does not lead from the start to a goal: then the domain
/// breaks a law, of [`Packed`] for example. So does every search that stores states.
pub fn a_star<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    options: &Options,
) -> Report {
    weighted_a_star(domain, heuristic, 1.0, start, options)
}

/// Weighted A*: expands the open state with the least `g + weight * h` first. The plan costs at
/// most `weight` times the least cost if the heuristic is admissible. With the weight 1 it is
/// [`a_star`].
///
/// A greater weight usually expands fewer states and finds a worse plan. The search takes 1 for a
/// weight below 1. It rounds `weight * h` down to a whole number, which keeps the promise.
///
/// [`Report::lower_bound`] is what the search has proven: the least `g + h` of the states that are
/// open at the end. It often says more than the cost of the plan divided by the weight.
/// [`Report::optimal`] is true only if the plan costs no more. The search opens a closed state
/// again when it reaches the state more cheaply. Otherwise states with a `g` that is too high could
/// stay closed, and the bound would not hold. See [`a_star`] for the options.
///
/// Source: Ira Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence
/// 1, 1970.
pub fn weighted_a_star<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    weight: f64,
    start: &D::State,
    options: &Options,
) -> Report {
    const { H::CLAIMS.assert_admissible() };
    run(domain, heuristic, StepCosts::OfOperators, start, Order::Weighted(weight), options)
}

/// Uniform-cost search: expands the open state with the least `g` first. Optimal. See [`a_star`]
/// for the options.
///
/// Source: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.
pub fn uniform_cost<D: Packed>(domain: &D, start: &D::State, options: &Options) -> Report {
    a_star(domain, &Zero, start, options)
}

/// Greedy best-first search: expands the open state with the least `h` first, then the least `g`.
///
/// The plan need not be a cheapest one. The search keeps the first path that it finds to a state.
/// So it may end with [`Limit::Bound`](crate::Limit::Bound) although a plan of that cost exists: by
/// its paths, every plan was too costly. [`Report::optimal`] is true only if the plan costs as much
/// as the proven lower bound. The heuristic need not be admissible ([`Scaled`](crate::Scaled)): if
/// it says that it is not, the search proves nothing. See [`a_star`] for the options.
pub fn greedy_best_first<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    options: &Options,
) -> Report {
    run(domain, heuristic, StepCosts::OfOperators, start, Order::Nearest, options)
}

/// Breadth-first search for a plan: the fewest operators, whatever they cost. Costs and the lower
/// bound of the report count operators. See [`a_star`] for the options.
///
/// It ends when it generates a goal. To count all states by distance, use
/// [`Layers`](crate::stored::Layers).
pub fn breadth_first<D: Packed>(domain: &D, start: &D::State, options: &Options) -> Report {
    run(domain, &Zero, StepCosts::One, start, Order::FewestSteps, options)
}

fn run<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    costs: StepCosts,
    start: &D::State,
    order: Order,
    options: &Options,
) -> Report {
    let graph = PackedGraph::new(domain, heuristic, costs, start);
    let first = PackedState(domain.pack(start));
    let answer = best_first(graph, &first, order, options);
    // A packed domain returns no error of its own.
    let Ok(GraphAnswer { mut report, .. }) = answer else { panic!("{BROKEN}") };
    if let Outcome::Solved(plans) = &mut report.outcome {
        for plan in plans {
            replay(domain, start, plan, |state| domain.is_goal(state));
            *plan = domain.to_plan(plan);
        }
    }
    report
}
