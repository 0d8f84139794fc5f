//! Macro operators: tables of short plans that bring one feature after the other to its goal value.
//!
//! The features of a state have a *serial order*: what an operator does to the first features
//! depends on these features only ([`SerialOrder`]). A *macro* of feature `i` and value `v` is a
//! plan. It is for all states in which the features before `i` have their goal values, and feature
//! `i` has the value `v`. It brings feature `i` to its goal value, and the features before it back
//! to theirs. A *macro table* has a macro for each value that feature `i` can take. It solves every
//! state in one pass, without a search: one macro for each feature ([`MacroTable::solve`]).
//!
//! [`learn_macros`] makes the table in three steps, which it repeats with more states until all
//! macros are proven to be the cheapest, or memory ends.
//!
//! 1. *Search.* It stores the states nearest to the goal, cheapest first.
//! 2. *Pairs.* Let two stored states agree in the features before `i`. Then the path to the one,
//!    and the path of the other back, keep these features. So they are a macro of feature `i`, with
//!    twice the reach of the search. The states are sorted into a trie by their features in serial
//!    order, which shows all pairs that agree.
//! 3. *Products.* Products of known macros give macros that no pair gave. Where they find nothing
//!    more, the table is complete: Schreier's lemma proves it. Products, and macros between a short
//!    path and its way back, also replace macros by cheaper ones.
//!
//! Sources: Richard Korf, "Macro-operators: a weak method for learning", Artificial Intelligence
//! 26, 1985 (tables, serial order, pairs from both ends, composition). Charles Sims,
//! "Computational methods in the study of permutation groups", 1970 (the test that a table is
//! complete). Torsten Minkwitz, "An algorithm for solving the factorization problem in permutation
//! groups", Journal of Symbolic Computation 26, 1998 (cheaper entries by products of entries). Korf
//! stops when each entry that he expects is filled. Here the table proves that no entry is missing.

mod close;
mod improve;
mod learner;
mod order;
mod pairs;
mod statistics;
mod table;
#[cfg(test)]
mod tests;

pub use learner::{LearningEnd, MacroLearning};
pub use order::SerialOrder;
pub use statistics::{ColumnStatistics, MacroStatistics};
pub use table::{Macro, MacroError, MacroPlan, MacroTable, UsedMacro};

use crate::control::{Limit, Options, Stop};
use crate::domain::{Packed, Reversible};
use learner::MacroLearner;

/// Learns the macro table of a domain for a serial order of its features and a goal.
///
/// The search stores at most `most` states, and as many as [`Limits::bytes`] allows; more states
/// give cheaper macros, and prove them. It ends early when all macros are proven to be the
/// cheapest. The limits of nodes and time and the cancel token end it at once: the table then has
/// the macros found so far, and need not be complete. Other options have no meaning here. The
/// observer gets the radius as the bound, and an iteration for each round of more states.
///
/// With unit costs and all states within radius `d` stored, macros of up to `2 d + 1` operators are
/// proven to be the cheapest. The result is the same on every machine, unless time or the caller
/// ends the learning. It runs on one thread.
///
/// Time: for each stored state, a few values and sorting. The test that the table is complete tries
/// a product for each pair of a macro and a macro of the same or a later feature. Memory: the keys
/// of the states, and about 50 bytes for each.
///
/// ```
/// use fewest_search::testing::{Pancake, PancakePlaces};
/// use fewest_search::{Group, Options};
/// use fewest_search::macros::learn_macros;
///
/// let (domain, order) = (Pancake::new(6), PancakePlaces(6));
/// let learned = learn_macros(&domain, &order, &domain.identity(), 1000, &Options::default());
/// let figures = learned.table.statistics();
/// assert!(learned.table.is_complete());
/// assert_eq!((figures.macros, figures.cheapest), (15, 15));
/// let solution = learned.table.solve(&domain, &order, &domain.state(&[3, 1, 4, 0, 5, 2]));
/// assert!(solution.unwrap().plan.len() as u64 <= figures.longest_plan);
/// ```
///
/// [`Limits::bytes`]: crate::Limits::bytes
///
/// # Panics
/// If `goal` is not a goal of the domain.
pub fn learn_macros<D: Reversible + Packed, S: SerialOrder<D>>(
    domain: &D,
    order: &S,
    goal: &D::State,
    most: usize,
    options: &Options,
) -> MacroLearning {
    assert!(domain.is_goal(goal), "the state is no goal of the domain");
    let mut learner = MacroLearner::new(domain, order, goal, options);
    let end = match learner.run(most) {
        Ok(()) => LearningEnd::Complete,
        Err(Stop::Cancelled) => LearningEnd::Cancelled,
        Err(Stop::Nodes) => LearningEnd::LimitReached(Limit::Nodes),
        Err(Stop::Time) => LearningEnd::LimitReached(Limit::Time),
    };
    learner.finish(end)
}
