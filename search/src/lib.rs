//! A domain-agnostic heuristic-search engine.
//!
//! A puzzle is a [`Domain`]; a lower bound is a [`Heuristic`]; duplicate operator strings are cut by a [`Pruning`].

mod additive;
mod batch;
mod best_first;
mod breadth_first;
mod chain;
mod deepening;
mod depth_first;
mod domain;
mod expansion;
mod families;
mod heuristic;
mod ida_star;
mod in_place;
mod limits;
mod max;
mod operators;
mod outcome;
pub mod plan;
mod predict;
mod pruning;
pub mod random;
mod ruled;
mod store;
pub mod testing;
mod two_sided;
mod vector_unit;
mod watch;

pub use additive::{Additive, Charged, Overlap};
pub use batch::{Asked, Batch, Judged, Made, Screened, Screening};
pub use best_first::{a_star, greedy_best_first, uniform_cost};
pub use breadth_first::{
    ClassLayer, ClassLayers, Classes, Layers, Stopped, layer_counts, layer_counts_reversible,
};
pub use chain::{Image, Stage, Stages, Then, Walk, search_chain};
pub use deepening::{Sweep, deepen};
pub use depth_first::depth_first;
pub use domain::{
    Contexts, Domain, FlatKey, Group, Key, Packed, Partitioned, Placed, Reversible, Symmetric,
    Work, self_symmetries,
};
pub use families::{Families, FamiliesError, Known, Members, Reading, Tight, WIDEST};
pub use heuristic::{Heuristic, Verdict, Zero};
pub use ida_star::{
    Options, ida_star, ida_star_in_place, ida_star_parallel, ida_star_parallel_in_place,
};
pub use in_place::InPlace;
pub use limits::{CancelToken, Limits, Observer, Progress, Silent};
pub use max::Max;
pub use operators::{Cost, Iter, MAX_COST, Op, OpSet, Word};
pub use outcome::{Iteration, Limit, Outcome, Report};
pub use predict::{Distribution, predict, predict_expanded};
pub use pruning::{InversePruning, NoPruning, Pruning};
pub use ruled::{OperatorRules, Relaxed, Ruled, RulesError, Traced, TracedKey};
pub use two_sided::{Both, Ends, TwoSided, end};
pub use vector_unit::VectorUnit;

/// The operators of a plan, first one first. Up to 32 are stored without allocation.
pub type Plan = smallvec::SmallVec<[Op; 32]>;
