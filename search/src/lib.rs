//! A domain-agnostic heuristic-search engine.
//!
//! A puzzle is a [`Domain`]; a lower bound is a [`Heuristic`]; duplicate operator strings are cut by a [`Pruning`].

mod domain;
mod heuristic;
mod limits;
mod operators;
mod outcome;
mod pruning;
pub mod testing;
mod two_sided;

pub use domain::{Contexts, Domain, Group, Key, Packed, Partitioned, Reversible, Symmetric};
pub use heuristic::{Heuristic, Verdict, Zero};
pub use limits::{CancelToken, Limits, Observer, Progress, Silent};
pub use operators::{Cost, Iter, Op, OpSet};
pub use outcome::{Iteration, Limit, Outcome, Report};
pub use pruning::{InversePruning, NoPruning, Pruning};
pub use two_sided::{Both, Ends, TwoSided};

/// The operators of a plan, first one first. Up to 32 are stored without allocation.
pub type Plan = smallvec::SmallVec<[Op; 32]>;
