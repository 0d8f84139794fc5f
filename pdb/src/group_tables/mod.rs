//! Tables for groups of permutations, with the crate `fewest-groups`. Nothing else in this crate
//! uses them.
//!
//! - [`GroupPattern`]: the tables of some base points of a stabilizer chain;
//! - [`SubgroupChain`]: subgroups as subgoals, each with the table of its cosets;
//! - [`PointDecomposition`]: subgoals that fix more and more points.

mod decomposition;
mod group_pattern;
mod subgroup;

pub use decomposition::{PointDecomposition, PointSubgoal, point_subgoals};
pub use group_pattern::GroupPattern;
pub use subgroup::{
    SubgroupActions, SubgroupChain, SubgroupError, SubgroupPattern, SubgroupStage,
    point_permutation,
};
