//! Finds duplicate operator strings of a domain and prunes them in any search.
//!
//! Use this crate if many operator strings lead to the same state. [`learn`] tries all short
//! strings and finds the *duplicates*: strings for which a smaller string leads to the same state.
//! An [`Automaton`] prunes every string that contains a duplicate, with one table read for each
//! node. It keeps an optimal plan.
//!
//! ```
//! # use search as fewest_search;
//! use fewest_fsm::{Automaton, Keep, branching_factor, learn};
//! use fewest_search::testing::Pancake;
//! use fewest_search::{Domain, Options, Zero, ida_star};
//!
//! let domain = Pancake::new(7);
//! let forbidden = learn(&domain, 4, Keep::OneOptimal);
//! let automaton = Automaton::new(&forbidden)?.minimized();
//! assert!(branching_factor(&domain, &automaton) < 5.0 && domain.operators() == 6);
//! let start = domain.state(&[3, 1, 5, 0, 2, 4, 6]);
//! let report = ida_star(&domain, &Zero, &automaton, &start, &Options::default());
//! assert_eq!(report.plan().map(|plan| plan.len()), Some(6));
//! # Ok::<(), fewest_fsm::AutomatonError>(())
//! ```
//!
//! Look first at [`learn`] (finds the forbidden strings), [`ForbiddenStrings`] and [`Automaton`].
//! [`branching_factor`] and [`sequence_counts`] tell how many strings the automaton allows. With
//! the feature `serde`, strings and automata can be stored.
//!
//! # What an automaton can be combined with
//!
//! An automaton of [`Keep::OneOptimal`] keeps the *smallest* optimal plan between any two states.
//! Strings are compared by cost, then by length, then lexicographically in the operators' order.
//! Another pruning may keep another plan. The rule:
//!
//! *Pruning by state or cost is safe. Pruning that prefers one string to another is safe only if it
//! prefers the smaller one in the same order.*
//!
//! | combined with | safe? | why |
//! |---|---|---|
//! | an admissible heuristic, with excluded operators | yes | the smallest optimal plan stays |
//! | an automaton of another depth, same operator order | yes | both keep the smallest plan |
//! | an automaton or a rule with another order | **no** | of two equal strings, each prunes one |
//! | closed list, transposition table | **no** | the automaton may forbid the rest of a plan |
//! | a closed list, serial breadth-first, unit costs | yes | the first string is the smallest |
//! | [`Automaton::lex_leaders`] | yes | it prefers by the same order |
//! | all optimal plans wanted | **no** | use [`Keep::AllOptimal`]; see there |
//!
//! If no operators commute, an automaton of [`Keep::AllOptimal`] is safe with everything in this
//! table.
//!
//! ## Two-sided search
//! In a [`search::TwoSided`] search, the front end takes the automaton and the back end takes
//! [`Automaton::reversed`]. Then both ends build parts of the smallest optimal plan.
//!
//! The *same* automaton on both ends also finds an optimal plan, as long as the ends share no
//! pruning. Consider all ways to carry out an optimal plan from both ends. Take the smallest way,
//! by the order in which its operators are carried out. Suppose the string of one end contains a
//! forbidden string. A smaller string can replace the forbidden string, which gives a new way. Both
//! ways agree up to some node. There both continue at the same end, and the new way has the smaller
//! operator. So the old way was not the smallest.
//!
//! But then the pruned strings depend on where the ends meet. So nothing that looks at the whole
//! plan may be added: no check across the meeting point, no closed list, and no list of all optimal
//! plans. With the reversed automaton, the rules of the table above apply.
//!
//! The tests in `src/tests/combination.rs` show that the unsafe combinations lose optimal plans and
//! the safe ones do not.

mod aho_corasick;
mod automaton;
mod branching;
mod candidates;
mod error;
mod forbidden;
mod graph;
mod learner;
mod lex_leaders;
mod minimize;
#[cfg(feature = "serde")]
mod serialized;
#[cfg(test)]
mod tests;

pub use automaton::{Automaton, AutomatonState};
pub use branching::{
    branching_factor, branching_factor_until, sequence_counts, sequences_by_context,
};
pub use error::{AutomatonError, LearnError};
pub use forbidden::{ForbiddenStrings, Keep};
pub use graph::Components;
pub use learner::{Twins, learn, learn_twins, learn_until};
pub use search::{CancelToken, Contexts, Cost, Domain, Op, OpSet, Packed, Pruning};
