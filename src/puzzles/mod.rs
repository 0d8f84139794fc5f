//! The built-in puzzles, one folder each, named as their domains are.

pub(crate) mod cube2;
pub(crate) mod cube3;
pub(crate) mod permutation;
pub(crate) mod tiles;
