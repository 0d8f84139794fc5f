//! The laws of the traits, as functions for a puzzle's own tests.
//!
//! Each returns an error that names the broken law with the states and operators. Random walks with
//! a fixed seed sample states, so the same code always gives the same result.

mod contexts;
mod distances;
mod domain;
mod group;
mod heuristic;
mod packed;
mod placed;
mod pruning;
mod serial;
mod symmetric;
#[cfg(test)]
mod tests;

pub use contexts::check_contexts;
pub use distances::Distances;
pub use domain::{check_domain, check_parity, check_reversible};
pub use group::{check_group, check_permutation_group, check_two_sided};
pub use heuristic::{EvaluatedChild, check_heuristic, check_wrapper, evaluate_together};
pub use packed::{check_flat_keys, check_packed};
pub use placed::check_placed;
pub use pruning::{check_plans, check_pruning};
pub use serial::check_serial;
pub use symmetric::check_symmetric;

use crate::domain::{Domain, Op, OpSet};
use crate::random::Random;

/// An error that says which law is broken, and for which states and operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LawError(String);

impl LawError {
    /// An error with this message, for laws of contracts in other crates.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Returns an error with a formatted message unless the condition holds.
macro_rules! law {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err($crate::testing::LawError::new(format!($($message)+)));
        }
    };
}
use law;

/// A random operator of a set; `None` if the set is empty.
pub(super) fn pick<O: OpSet>(random: &mut Random, set: O) -> Option<Op> {
    let count = usize::try_from(set.len()).unwrap_or(0);
    if count == 0 { None } else { set.members().nth(random.index(count)) }
}

/// The state after an operator.
pub(super) fn successor<D: Domain>(domain: &D, state: &D::State, op: Op) -> D::State {
    let mut to = state.clone();
    domain.apply_into(state, op, &mut to);
    to
}

/// The length of a random walk.
const STEPS: usize = 24;
/// The number of random walks from each start.
const WALKS: usize = 8;

/// The starts, their successors, and the states of random walks from them. States may repeat.
pub(super) fn samples<D: Domain>(domain: &D, starts: &[D::State]) -> Vec<D::State> {
    let mut random = Random::new(0);
    let mut out = starts.to_vec();
    for start in starts {
        for op in domain.applicable(start).members() {
            out.push(successor(domain, start, op));
        }
        for _ in 0..WALKS {
            let mut state = start.clone();
            for _ in 0..STEPS {
                let Some(op) = pick(&mut random, domain.applicable(&state)) else { break };
                state = successor(domain, &state, op);
                out.push(state.clone());
            }
        }
    }
    out
}
