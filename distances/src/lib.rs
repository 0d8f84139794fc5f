//! Learned heuristics: least costs of moving one, two or three features to the goal, and the heuristic that adds up what they exceed.
//!
//! A small search learns the least cost of the moves of a few features alone, whatever the others do. For one feature this is the length
//! of its way; two or three features together may need more than the sum of theirs. This *excess* is kept where it is positive. A
//! state's bound is the sum over all single features, and the excess of pairs and triples that share no feature, of which the heaviest
//! set is taken: a maximum-weight matching. Each transition moves one feature, so it is counted once.
//!
//! Source: Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996, where they give a general theory.
//! They describe the learning of single and pairwise distances and the matching, but measured a heuristic made by hand from what it found. We
//! learn triples too, keep only excesses, carry those that hold from state to state, work for every [`Placed`](search::Placed) domain with any
//! costs, one-way moves and any set of goals, and match exactly unless many features hang together.

mod excess;
mod graph;
mod heuristic;
mod learn;
mod matching;
#[cfg(test)]
mod tests;
mod zero_one;

pub use excess::Excess;
pub use heuristic::{CarriedExcesses, LearnedDistances};

/// Why nothing was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistancesError {
    /// There is no goal to learn from.
    #[error("no goal was given")]
    NoGoal,
    /// More than is numbered in the tables.
    #[error("the domain has {found} {what}; distances are learned for at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many of it.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Someone asked to stop.
    #[error("the learning of distances was cancelled")]
    Cancelled,
}

/// Most features: a set of them is a word.
const MOST_FEATURES: usize = 64;
/// Most places and most contexts: numbered by a byte and by two.
const MOST_PLACES: usize = 255;
const MOST_CONTEXTS: usize = 65_535;
/// Most states of one small search, a byte each.
const MOST_STATES: usize = 1 << 28;

/// Stands for "no place", "no feature" and "no distance".
const NONE: u8 = u8::MAX;
/// The greatest distance that is told apart: what is farther counts as this far.
const FARTHEST: u8 = 254;
