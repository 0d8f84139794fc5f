//! Iterative-deepening A* (Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
//! Intelligence 27, 1985, section 5.3): depth-first searches with a rising bound on g + h.
//!
//! The next bound is the least proven f above the bound among everything that was cut, so no plan is passed over; where
//! all plans of a state have the same parity, bounds keep it. Memory: a few nodes a depth and thread; time: about
//! `1 / (1 - 1/b)` times that of the last iteration, where b is the growth from one iteration to the next.

pub(crate) mod expansion;
mod parallel;
mod serial;
#[cfg(test)]
mod tests;

pub use parallel::{ida_star_parallel, ida_star_parallel_in_place};
pub use serial::{ida_star, ida_star_in_place};

use crate::control::{Options, Report, Swept, Watch, iterate, raise_to_parity, step};
use crate::domain::{Cost, Domain};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Expander, Problem, Root};
use crate::pruning::Pruning;

/// The deepening that all drivers share: `sweep` searches everything below the root within a bound.
fn deepen<'a, M, D, H, P>(
    space: Problem<'a, D, H, P>,
    start: &D::State,
    options: &Options,
    mut sweep: impl FnMut(M::Node, &Watch) -> Swept,
) -> Report
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let first =
        || (!space.domain.is_goal(start)).then(|| first_bound(space, start, options.lower_bound));
    iterate(first, space.step, options, |bound, watch| {
        sweep(M::Node::root(space, start, bound), watch)
    })
}

/// The estimate of the start state, raised to what is proven elsewhere and to the domain's parity.
fn first_bound<D: Domain, H: Heuristic<D>, P>(
    space: Problem<'_, D, H, P>,
    start: &D::State,
    proven: Cost,
) -> Cost {
    let bound = space.heuristic.estimate(space.domain, start).max(proven);
    raise_to_parity(space.domain, start, bound)
}

/// The parts of a search together; the step of the bounds is read off the start state.
fn space<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    domain: &'a D,
    heuristic: &'a H,
    pruning: &'a P,
    start: &D::State,
) -> Problem<'a, D, H, P> {
    Problem { domain, heuristic, pruning, step: step(domain, start) }
}
