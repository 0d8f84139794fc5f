//! The *laws* of this crate's traits, and two toy domains. A law is a function that checks what the
//! documentation of a trait demands.
//!
//! Every domain, heuristic and pruning must pass the laws of its trait. Call them in the tests of
//! your puzzle.

mod laws;
#[cfg(test)]
mod line;
mod pancake;
mod pebbles;

pub use laws::{
    Distances, EvaluatedChild, LawError, check_contexts, check_domain, check_flat_keys,
    check_group, check_heuristic, check_packed, check_parity, check_permutation_group,
    check_placed, check_plans, check_pruning, check_reversible, check_serial, check_symmetric,
    check_two_sided, check_wrapper, evaluate_together,
};
#[cfg(test)]
pub(crate) use line::Line;
#[cfg(test)]
pub(crate) use pancake::{CostlyPancake, PancakeList, UnrolledPancake};
pub use pancake::{GapHeuristic, Pancake, PancakePlaces};
pub use pebbles::{PairedPebbles, Pebbles, Way};
