//! Iterative-deepening A*: depth-first searches with a rising bound on g + h.
//!
//! Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
//! Intelligence 27, 1985, section 5.3.
//!
//! The next bound is the least proven f above the bound among everything that was cut, so no plan
//! is passed over. If all plans of a state have the same parity, bounds keep it.
//!
//! Memory: a few nodes for each depth and thread. Time: about `1 / (1 - 1/b)` times that of the
//! last iteration, where b is the growth from one iteration to the next.

pub(crate) mod expansion;
mod parallel;
mod serial;
#[cfg(test)]
mod tests;

pub use parallel::ida_star_parallel;
pub use serial::ida_star;

use crate::Plan;
use crate::control::{Options, Report, Swept, Watch, iterate, raise_to_parity, step};
use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Counts, Expander, Node, Pause, Problem};
use crate::pruning::Pruning;

/// Searches everything below a root within its bound.
type SweepBelow<'s, D, H, P> = &'s mut dyn FnMut(Node<D, H, P>, &Watch) -> Swept;

/// The deepening of all drivers.
fn deepen<D, H, P>(
    space: Problem<'_, D, H, P>,
    start: &D::State,
    options: &Options,
    sweep: SweepBelow<D, H, P>,
) -> Report
where
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let first: &mut dyn FnMut() -> Option<Cost> = &mut || {
        (!space.domain.is_goal(start)).then(|| first_bound(space, start, options.lower_bound))
    };
    let sweep: &mut dyn FnMut(Cost, &Watch) -> Swept =
        &mut |bound, watch| sweep(Node::root(space, start, bound), watch);
    iterate(first, space.step, options, sweep)
}

/// An expander and the nodes that it is loaded with, without their types: what the drivers need of
/// them. So a driver is compiled once for all searches.
trait Expansion {
    /// Starts anew below a node.
    fn load(&mut self, node: usize);
    fn run(&mut self, fuel: u64) -> Pause;
    /// The counts since the last load.
    fn counts(&self) -> Counts;
    /// After a goal: the operators from the loaded node.
    fn path(&self) -> Vec<Op>;
    /// [`Domain::to_plan`].
    fn to_plan(&self, path: &[Op]) -> Plan;
}

struct Below<'n, 'a, M: Expander<'a, D, H, P>, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    expander: M,
    nodes: &'n [Node<D, H, P>],
    domain: &'a D,
}

impl<'n, 'a, M, D, H, P> Below<'n, 'a, M, D, H, P>
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    fn new(space: Problem<'a, D, H, P>, nodes: &'n [Node<D, H, P>]) -> Self {
        Self { expander: M::new(space), nodes, domain: space.domain }
    }
}

impl<'a, M, D, H, P> Expansion for Below<'_, 'a, M, D, H, P>
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    fn load(&mut self, node: usize) {
        self.expander.load(self.nodes[node].clone());
    }
    fn run(&mut self, fuel: u64) -> Pause {
        self.expander.run(fuel)
    }
    fn counts(&self) -> Counts {
        self.expander.counts()
    }
    fn path(&self) -> Vec<Op> {
        self.expander.path()
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        self.domain.to_plan(path)
    }
}

/// The estimate of the start state, raised to what is proven elsewhere and to the parity.
fn first_bound<D: Domain, H: Heuristic<D>, P>(
    space: Problem<'_, D, H, P>,
    start: &D::State,
    proven: Cost,
) -> Cost {
    let bound = space.heuristic.estimate(space.domain, start).max(proven);
    raise_to_parity(space.domain, start, bound)
}

/// The parts of a search together. The start state tells the step of the bounds.
fn space<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    domain: &'a D,
    heuristic: &'a H,
    pruning: &'a P,
    start: &D::State,
) -> Problem<'a, D, H, P> {
    Problem { domain, heuristic, pruning, step: step(domain, start) }
}
