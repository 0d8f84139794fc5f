//! Hashes of states, the same in every run: [`hash_of`] and [`mixed`].

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// A hash that stands for a state.
pub(crate) fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}

/// A number that looks random, the same for the same number, as of the generator SplitMix64.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
