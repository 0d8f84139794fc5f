//! Heuristic search for puzzles and other state spaces: fewest moves, found and proven.
//!
//! Use it to find a cheapest plan from a start to a goal, with a proof that none is cheaper. You
//! describe the state space once, as a [`Domain`]. Every search and prediction works on it, and
//! `testing` checks it.
//!
//! ```
//! use fewest_search::{Domain, Estimate, NoPruning, Op, Options, ida_star};
//!
//! /// Numbers: operator 0 adds 1, operator 1 doubles. The goal is 100.
//! struct Numbers;
//!
//! impl Domain for Numbers {
//!     type State = u32;
//!     type Ops = u32;
//!     fn operators(&self) -> usize { 2 }
//!     fn applicable(&self, n: &u32) -> u32 { if *n <= 100 { 0b11 } else { 0 } }
//!     fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
//!         *to = if op.0 == 0 { from + 1 } else { from * 2 };
//!     }
//!     fn is_goal(&self, n: &u32) -> bool { *n == 100 }
//! }
//!
//! let far = Estimate(|n: &u32| u8::from(*n != 100));
//! let report = ida_star(&Numbers, &far, &NoPruning, &1, &Options::default());
//! assert_eq!(report.plan().unwrap().len(), 8);
//! ```
//!
//! Look at three types first: [`Domain`] is a state space, [`Heuristic`] a lower bound on the cost
//! to a goal, and [`Report`] the answer of a search.
//!
//! | to | use |
//! |---|---|
//! | find a cheapest plan | [`ida_star()`], [`ida_star_parallel`]; in [`stored`]: `a_star` |
//! | find one from both ends | [`stored::bidirectional`], [`stored::schroeppel_shamir`] |
//! | solve one subgoal after the other | [`search_stages`] |
//! | find a good plan soon | [`search_chain`], [`stored::weighted_a_star`] |
//! | join a heuristic with all states near the goal | [`stored::Perimeter`] |
//! | solve by sequences that change few features | [`macros`] |
//! | learn what features of a state say, and search by it | [`bayes`] |
//! | count states by distance | [`stored::Layers`], [`stored::SymmetricLayers`] |
//! | skip duplicate strings of operators | [`Pruning`], [`InversePruning`] |
//! | search a group from both ends | [`TwoSided`] |
//! | restrict operators by rules | [`ConstrainedDomain`] |
//! | combine heuristics | [`Max`], [`Additive`], [`MaxOfSums`] |
//! | limit, cancel or watch a search | [`Options`] |
//! | resume a search, or share it with other processes | [`Units`] |
//! | predict the nodes of a search | [`predict::predict`], [`predict::ConditionalDistribution`] |
//! | compare heuristics without a search | [`predict::Distribution::quality`] |
//! | check a plan or a domain of your own | [`plan::validate`], `testing` |
//!
//! | feature | what it adds |
//! |---|---|
//! | `rayon` (default) | all threads of the current rayon pool, instead of the caller alone |
//! | `serde` | [`Report`], [`Plan`] and [`Op`] can be stored |
//! | `testing` | `testing`: the laws of all contracts, and toy domains |

pub mod bayes;
mod chain;
mod control;
mod depth_first;
mod domain;
mod heuristic;
mod ida_star;
pub mod macros;
pub mod plan;
pub mod predict;
mod prefetch;
mod pruning;
pub mod random;
pub mod stored;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod threads;

pub use chain::{AnyStage, Image, Inadmissible, Stage, StagedReport, search_chain, search_stages};
pub use control::{
    CancelToken, Frontier, Iteration, KnownUnits, LEAST_UNITS, Limit, Limits, MOST_UNITS, Observer,
    Options, Outcome, PlanFilter, PlanListener, PlanRound, Progress, Report, Silent, Start, Sweep,
    UnitCounts, Units, deepen,
};
pub use depth_first::depth_first;
pub use domain::{
    ConstrainedDomain, ConstrainedKey, ConstrainedState, Contexts, Cost, Domain, FlatKey, Group,
    IgnoreRules, Iter, Kernel, Key, MAX_COST, Op, OpSet, OperatorRules, Packed, Partitioned,
    PermutationGroup, Placed, Reversible, RulesError, Symmetric, TwoSided, TwoSidedPruning,
    TwoSidedState, VectorUnit, WithMacros, WithMacrosError, self_symmetries, split_op,
};
pub use heuristic::{
    Additive, Batch, CarriedSums, Carries, Charged, Claims, Estimate, Evaluation, Heuristic,
    Lookup, LookupBatch, Max, MaxOfSums, MaxOfSumsError, Members, Overlap, Scaled, Slack, Step,
    Verdict, Zero,
};
pub use ida_star::{ida_star, ida_star_parallel};
pub use prefetch::prefetch;
pub use pruning::{InversePruning, NoPruning, Pruning};

/// The operators of a plan, first one first. Up to 32 are stored without allocation.
pub type Plan = smallvec::SmallVec<[Op; 32]>;
