//! Iterative-deepening A*: depth-first searches with a rising bound on g + h.
//!
//! Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
//! Intelligence 27, 1985, section 5.3.
//!
//! The next bound is the least f = g + h among all nodes that the iteration cut. So the search
//! skips no plan. If all plans of the start have the same parity, every bound has this parity.
//!
//! Memory: a few nodes for each depth and thread. Time: about `1 / (1 - 1/b)` times that of the
//! last iteration, where b is the growth from one iteration to the next.

pub(crate) mod expansion;
mod frontier;
mod parallel;
mod plain;
mod serial;
#[cfg(test)]
pub(crate) mod tests;

pub use parallel::ida_star_parallel;
pub use serial::ida_star;
pub(crate) use serial::ida_star_unproven;

use crate::Plan;
use crate::control::{BoundResult, Options, Report, SearchState, Start, deepen_domain, step};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Counts, Expander, Node, Pause, Problem};
use crate::pruning::Pruning;

/// A function that searches everything below a root node, within the cost that the node has left.
type SweepBelow<'s, D, H, P> = &'s mut dyn FnMut(Node<D, H, P>, &SearchState) -> BoundResult;

/// Iterative deepening, for the serial and the parallel driver. `sweep` searches below the root of
/// one iteration.
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
    let mut first = || {
        if options.filter.is_none() && space.domain.is_goal(start) {
            return Start::Goal;
        }
        match space.heuristic.estimate(space.domain, start) {
            h if H::CLAIMS.is_dead_end(h) => Start::DeadEnd,
            h => Start::Bound(h),
        }
    };
    deepen_domain(space.domain, start, &mut first, options, &mut |state| {
        sweep(Node::root(space, start, state.bound), state)
    })
}

/// An expander and the nodes to load it with, with their types erased. Drivers use this trait
/// object, so each driver is compiled once for all searches.
trait Expansion {
    /// Starts a new search below the node with this index, with all counts at zero.
    fn load(&mut self, node: usize);
    fn run(&mut self, fuel: u64) -> Pause;
    /// The counts since the last [`Expansion::load`].
    fn counts(&self) -> Counts;
    /// After [`Pause::Goal`]: the plan to the goal, as [`Domain::to_plan`] makes it. `above` leads
    /// to the loaded node.
    fn plan(&self, above: &[Op]) -> Plan;
}

struct ErasedExpander<'a, M: Expander<D, H, P>, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    expander: M,
    nodes: &'a [Node<D, H, P>],
    domain: &'a D,
}

impl<M, D, H, P> Expansion for ErasedExpander<'_, M, D, H, P>
where
    M: Expander<D, H, P>,
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
    fn plan(&self, above: &[Op]) -> Plan {
        self.domain.to_plan(&[above, &self.expander.path()].concat())
    }
}

/// Bundles the domain, heuristic and pruning with the step of the bounds. The step depends on the
/// start state: 2 if all its plans have the same parity, else 1.
fn space<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    domain: &'a D,
    heuristic: &'a H,
    pruning: &'a P,
    start: &D::State,
) -> Problem<'a, D, H, P> {
    Problem { domain, heuristic, pruning, step: step(domain, start) }
}
