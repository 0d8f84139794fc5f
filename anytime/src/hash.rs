//! Hashes of states, the same in every run: [`hash_of`].

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// A hash that stands for a state.
pub(crate) fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}
