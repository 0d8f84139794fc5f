//! Learned heuristics: what one, two or three pieces cost at least, added up by a matching.
//!
//! Use this crate if every operator of your domain moves one piece from place to place: the trait
//! [`Placed`].
//! [`LearnedDistances`] is stronger than single distances and needs no large table. It learns in
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
//! A small search computes the least cost of the moves of a few features, whatever the others do.
//! For one feature this is the length of its way. Two or three features together may cost more than
//! the sum of their ways. If this *excess* is positive, the heuristic stores it.
//!
//! The bound of a state is the sum of all single distances and the excesses of pairs and triples
//! that share no feature. A maximum-weight matching chooses the heaviest such set. Each transition
//! moves one feature, so no move counts twice.
//!
//! # Source
//! Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996,
//! which gives a general theory. The paper describes how to learn single and pairwise distances,
//! and the matching. It measures a heuristic made by hand from these findings. We differ:
//! - we learn triples too, and store only excesses;
//! - a state inherits the excesses that hold in its parent;
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

/// The most features. A word holds a set of them.
const MOST_FEATURES: usize = 64;
/// The most places. A byte numbers them.
const MOST_PLACES: usize = 255;
/// The most contexts. Two bytes number them.
const MOST_CONTEXTS: usize = 65_535;
/// The most states of a small search, one byte each.
const MOST_STATES: usize = 1 << 28;

/// Stands for "no place", "no feature" and "no distance".
const NONE: u8 = u8::MAX;
/// The greatest distance. Every longer one counts as this one.
const FARTHEST: u8 = 254;
