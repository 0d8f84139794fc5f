//! A domain-agnostic heuristic-search engine.
//!
//! A puzzle is a [`Domain`]; a lower bound is a [`Heuristic`]; duplicate operator strings are cut by a [`Pruning`].

mod domain;
mod heuristic;
mod operators;
mod pruning;
pub mod testing;

pub use domain::{Contexts, Domain, Group, Key, Packed, Partitioned, Reversible, Symmetric};
pub use heuristic::{Heuristic, Verdict, Zero};
pub use operators::{Cost, Iter, Op, OpSet};
pub use pruning::{InversePruning, NoPruning, Pruning};

/// The operators of a plan, first one first. Up to 32 are stored without allocation.
pub type Plan = smallvec::SmallVec<[Op; 32]>;
