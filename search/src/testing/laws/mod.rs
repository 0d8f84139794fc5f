//! The laws of the contracts, as functions that a puzzle's own tests call.
//!
//! Each answers `Err` with the law, the states and the operators that break it. States are sampled by walks with a fixed seed,
//! so the same code always gives the same answer.

mod contexts;
mod distances;
mod domain;
mod group;
mod heuristic;
mod in_place;
mod placed;
mod pruning;
#[cfg(test)]
mod ring;
#[cfg(test)]
mod tests;

pub use contexts::check_contexts;
pub use distances::Distances;
pub use domain::{check_domain, check_packed, check_parity, check_reversible, check_symmetric};
pub use group::{check_group, check_two_sided};
pub use heuristic::check_heuristic;
pub use in_place::check_in_place;
pub use placed::check_placed;
pub use pruning::{check_plans, check_pruning};

use crate::domain::{Domain, Op, OpSet};
use std::fmt;

/// Which law is broken, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawError(String);

impl LawError {
    /// An error with this message: for laws that a crate adds for its own contracts.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LawError {}

/// Returns an error with a formatted message unless the condition holds.
macro_rules! law {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err($crate::testing::LawError::new(format!($($message)+)));
        }
    };
}
use law;

/// Sebastiano Vigna's splitmix64: a fixed stream for samples.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Any operator of a set; `None` if it is empty.
    pub(super) fn pick<O: OpSet>(&mut self, set: O) -> Option<Op> {
        let count = u64::from(set.len());
        let at = if count == 0 { 0 } else { self.next() % count };
        set.members().nth(usize::try_from(at).unwrap_or(0))
    }
}

/// The state after an operator.
pub(super) fn successor<D: Domain>(domain: &D, state: &D::State, op: Op) -> D::State {
    let mut to = state.clone();
    domain.apply_into(state, op, &mut to);
    to
}

/// Length of a random walk, and how many walks leave each start.
const STEPS: usize = 24;
const WALKS: usize = 8;

/// The starts, all their successors, and the states of random walks from them. Some may come more than once.
pub(super) fn samples<D: Domain>(domain: &D, starts: &[D::State]) -> Vec<D::State> {
    let mut random = Random(0);
    let mut out = starts.to_vec();
    for start in starts {
        for op in domain.applicable(start).members() {
            out.push(successor(domain, start, op));
        }
        for _ in 0..WALKS {
            let mut state = start.clone();
            for _ in 0..STEPS {
                let Some(op) = random.pick(domain.applicable(&state)) else { break };
                state = successor(domain, &state, op);
                out.push(state.clone());
            }
        }
    }
    out
}
