//! Heuristics that are learned from the domain: the least cost of moving one, two or three features
//! together. A matching combines these costs into a lower bound for the whole state.
//!
//! Use this crate if every operator of your domain moves one *feature* (a sliding tile, say) to a
//! free *place* (a square). See the trait [`Placed`]. Which moves are possible depends on the
//! *context* of the state alone (on sliding tiles, on the free square). [`LearnedDistances`] gives
//! higher bounds than the sum of each feature's own distance. It needs no large table: it learns in
//! seconds and fits the cache.
//!
//! ```
//! # use search as fewest_search;
//! use fewest_distances::LearnedDistances;
//! use fewest_search::testing::Pebbles;
//! use fewest_search::{Heuristic, NoPruning, Options, ida_star};
//!
//! let domain = Pebbles::ladder(2, 1);
//! let pairs = LearnedDistances::pairs(&domain, &[domain.goal()], None)?;
//! let start = domain.state(&[2, 0, 1, 3, 4, 15]);
//! let report = ida_star(&domain, &pairs, &NoPruning, &start, &Options::default());
//! assert!(pairs.estimate(&domain, &start) >= 4 && report.plan().is_some());
//! # Ok::<(), fewest_distances::DistancesError>(())
//! ```
//!
//! # Method
//! A small search computes the least cost of the moves of a few features on the way to a goal.
//! Moves of the other features are free. For one feature this is its *single distance*. Two or
//! three features together may cost more than the sum of their single distances, because they are
//! in each other's way. The difference is their *excess*. The heuristic stores it if it is
//! positive.
//!
//! The bound of a state is the sum of all single distances, and of the excesses of pairs and
//! triples that share no feature. A maximum-weight matching chooses the pairs and triples with the
//! greatest sum. Each transition moves one feature, so no move counts twice.
//!
//! # Source
//! Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
//! The paper gives a general theory. It describes how to learn single and pairwise distances, and
//! the matching. It measures a heuristic made by hand from these findings. We differ:
//! - we learn triples too, and store only excesses;
//! - a child inherits its parent's excesses and updates those of the feature that moved;
//! - any [`Placed`] domain works, with any costs, one-way moves and any set of goals;
//! - the matching is exact, unless excesses connect many features.

mod error;
mod excess;
mod graph;
mod heuristic;
mod learn;
mod matching;
#[cfg(test)]
mod tests;
mod zero_one;

pub use error::DistancesError;
pub use excess::Excess;
pub use heuristic::{CarriedExcesses, LearnedDistances};
pub use search::{CancelToken, Cost, Heuristic, Placed};

/// Maximum number of features of a domain. A 64-bit word holds a set of them.
const MOST_FEATURES: usize = 64;
/// Maximum number of places of a domain. A byte numbers them.
const MOST_PLACES: usize = 255;
/// Maximum number of contexts of a domain. Two bytes number them.
const MOST_CONTEXTS: usize = 65_535;
/// Maximum number of states of a small search. Each takes one byte.
const MOST_STATES: usize = 1 << 28;

/// Stands for "no place", "no feature" and "no distance".
const NONE: u8 = u8::MAX;
/// The greatest distance that a table stores. It stands for every longer one too.
const FARTHEST: u8 = 254;
