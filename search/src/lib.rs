//! A domain-agnostic heuristic-search engine.
//!
//! A puzzle is a [`Domain`]; a lower bound is a [`Heuristic`]; duplicate operator strings are cut by a [`Pruning`].

mod chain;
mod control;
mod depth_first;
mod domain;
mod heuristic;
mod ida_star;
pub mod plan;
mod predict;
mod pruning;
pub mod random;
mod stored;
pub mod testing;

pub use chain::{Chain, ChainSearch, Image, Stage, Stages, search_chain};
pub use control::{
    CancelToken, Iteration, Limit, Limits, Observer, Options, Outcome, Progress, Report, Silent,
    Sweep, deepen,
};
pub use depth_first::depth_first;
pub use domain::{
    Constrained, ConstrainedKey, ConstrainedState, Contexts, Cost, Domain, FlatKey, Group,
    IgnoreRules, Iter, Kernel, Key, MAX_COST, Op, OpSet, OperatorRules, Packed, Partitioned,
    Placed, Reversible, RulesError, Symmetric, TwoSided, TwoSidedPruning, TwoSidedState,
    VectorUnit, Word, self_symmetries, split_op,
};
pub use heuristic::{
    ActiveMembers, Additive, AdditiveBounds, Charged, ChildBatch, CopiedSums, FilterStage,
    Heuristic, InPlace, Lookup, LookupBatch, Max, MaxOfSums, MaxOfSumsError, Overlap, Slack,
    SumCache, Survivors, Verdict, WIDEST, Zero,
};
pub use ida_star::{ida_star, ida_star_in_place, ida_star_parallel, ida_star_parallel_in_place};
pub use predict::{Distribution, predict, predict_expanded};
pub use pruning::{InversePruning, NoPruning, Pruning};
pub use stored::{
    Layers, Stopped, SymmetricLayer, SymmetricLayers, SymmetryClasses, a_star, greedy_best_first,
    layer_counts, layer_counts_reversible, uniform_cost,
};

/// The operators of a plan, first one first. Up to 32 are stored without allocation.
pub type Plan = smallvec::SmallVec<[Op; 32]>;
