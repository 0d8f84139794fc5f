//! Two ways to expand nodes behind one contract: [`Expander`].
//!
//! | expansion | how | for |
//! |---|---|---|
//! | [`OnePhase`] | makes a child, reads its bound, recurses | heuristics in the cache |
//! | [`Staged`] | makes and prefetches all children of some nodes, then reads | large tables |
//!
//! Both can be paused and resumed.

mod child;
mod expand;
mod one_phase;
mod staged;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use child::{Node, Problem};
pub(crate) use expand::{Expanded, expand, expand_some};
pub(crate) use one_phase::OnePhase;
pub(crate) use staged::Staged;

pub(crate) use crate::control::{Counts, NOTHING_CUT};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::pruning::Pruning;

/// Why an expander paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The search below the loaded node is complete.
    Exhausted,
    /// The search is at a goal, to which [`Expander::path`] leads. The next run looks for another
    /// goal.
    Goal,
    /// The search has expanded as many nodes as it was given fuel for.
    Fuel,
}

/// A search below one node that can be paused. Never allocates per node.
pub(crate) trait Expander<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    /// Starts a search below a node, with all counts at zero.
    fn load(&mut self, node: Node<D, H, P>);
    /// Searches on until the search is complete, at a goal, or has expanded about `fuel` more
    /// nodes.
    fn run(&mut self, fuel: u64) -> Pause;
    /// After [`Pause::Goal`]: the operators from the loaded node to the goal.
    fn path(&self) -> Vec<Op>;
    /// The counts since the node was loaded.
    fn counts(&self) -> Counts;
}

/// The most operators that [`Domain::UNROLL`] allows. An unrolled loop has code for exactly so
/// many.
const UNROLLED_OPERATORS: usize = 4;

/// Panics if a domain with [`Domain::UNROLL`] has too many operators: an unrolled loop would drop
/// some.
fn check_unroll<D: Domain>(domain: &D) {
    let operators = domain.operators();
    assert!(
        !D::UNROLL || operators <= UNROLLED_OPERATORS,
        "UNROLL is for at most {UNROLLED_OPERATORS} operators, not {operators}"
    );
}
