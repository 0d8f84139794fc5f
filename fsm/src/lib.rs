//! Learns duplicate operator strings of a domain from a small breadth-first search, and cuts them in any search.
//!
//! [`learn()`] finds strings of operators that do what a smaller string does, wherever they apply; [`Automaton`] cuts every
//! string that holds one, at one read a node; [`branching_factor`] and [`sequence_counts`] tell what is left.
//!
//! ```
//! use fewest_fsm::{Automaton, Keep, branching_factor, learn};
//! use search::{CancelToken, Domain, testing::Pancake};
//!
//! let domain = Pancake::new(7);
//! let learned = learn(&domain, 4, Keep::OneOptimal, &CancelToken::new())?;
//! let automaton: Automaton<u32> = Automaton::new(&learned)?.minimized();
//! assert!(branching_factor(&domain, &automaton) < (domain.operators() - 1) as f64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What an automaton may be combined with
//!
//! An automaton of [`Keep::OneOptimal`] keeps the *smallest* optimal plan between any two states: the least in the order of strings (cost,
//! length, then the operators' order). That plan need not be one that another cut keeps. The rule:
//!
//! *A cut that looks at states or costs only is safe. A cut that prefers one string to another is safe only if it prefers by the same order.*
//!
//! - Any admissible heuristic is safe, consistent or not, with any operators it excludes: all nodes of the smallest optimal plan
//!   lie within the bound, whatever bound they get.
//! - **Another automaton, or a pruning made by hand, on the same strings is not**, if it breaks ties in another order:
//!   of two equal strings each cuts the other. (Learned from the same order of operators to another depth, it is.)
//! - **A transposition table or closed list is not**, if it may meet states in another order: it keeps the first string that comes to
//!   a state, a continuation of which the automaton may forbid in favour of a string that the list has cut. It *is* safe
//!   where strings of equal cost come in their order, as in a serial breadth-first search with unit costs: the
//!   first to come is then the smallest, all of whose continuations the smallest plans need.
//! - **Two-sided search** ([`search::TwoSidedPruning`]): the front keeps its automaton, the back takes that of the reversed and inverted
//!   language ([`Automaton::reversed`]): then both ends follow the same plan, the smallest. Another automaton on the back is safe exactly as
//!   long as the ends share nothing: of all ways to carry out an optimal plan, from either end as the search chooses at each node, take
//!   that whose operators, in the order in which they are carried out, come first. A forbidden string at either end could be
//!   replaced by a smaller one; the two ways part at a node where both go on at the same end, the new one with the smaller
//!   operator, so the first was not first. So the *same* automaton on both ends finds an optimal plan, too, but which strings are cut then
//!   depends on where the ends meet: nothing that looks at the whole plan (a check across the meeting point, a closed list, a list
//!   of all optimal plans) may be added. With the reversed language it may.
//! - **Symmetric starts**: [`Automaton::leaders`] prefers by the same order, so it is safe wherever the automaton is, from a start with these
//!   symmetries.
//! - **All optimal plans**: not with [`Keep::OneOptimal`]. An automaton of [`Keep::AllOptimal`] cuts no optimal plan but for the order of
//!   commuting neighbours. Where no operators commute it is safe with all of the above.
//!
//! The tests in `src/tests/combination.rs` show each of these losses, and that the safe combinations lose nothing.

mod aho_corasick;
pub mod automaton;
pub mod branching;
mod graph;
mod leaders;
pub mod learn;
mod learned;
mod minimize;
#[cfg(test)]
mod tests;

pub use automaton::{Automaton, AutomatonState};
pub use branching::{branching_factor, sequence_counts, sequences_by_context};
pub use graph::Components;
pub use learn::{Cancelled, learn};
pub use learned::{Keep, Learned, Malformed};
