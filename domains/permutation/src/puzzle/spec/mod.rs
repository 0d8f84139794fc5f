//! PuzzleState databases of any puzzle, derived from its definition: of pieces that look alike, illegal states, ignored slots and several goals too.
//!
//! A [`PatternSpec`] keeps some pieces of a puzzle apart, paints others alike, and may forget how they are turned. What it shows of a state falls into an
//! *layout*, which groups of pieces lie where, and a *arrangement*, which pieces of a group come first, second and so on. Layouts are found by
//! walking backward from those of all goals, so there is none that cannot occur, and one that breaks a rule is left out where it shows that; an operator then takes
//! every layout to another and rearranges what fills it in one way. So layouts are the rows and arrangements the columns of a [`SpecPattern`], which
//! [`pdb::build()`] fills; the search goes from entry to entry by two reads ([`SpecTables`]). Which specs are worth their bytes is
//! told by how many words lie near the goals ([`candidates`]).
//!
//! PuzzleState databases: Joseph Culberson and Jonathan Schaeffer, "PuzzleState databases", Computational Intelligence 14, 1998. That an abstraction
//! should keep the constraints that it can decide: Patrik Haslum, Blai Bonet and Héctor Geffner, "New admissible heuristics for domain-independent planning",
//! AAAI 2005, on constrained abstraction.

mod abstraction;
mod choose;
mod kinds;
mod layouts;
mod parts;
mod structure;
mod tables;
mod walk;
mod words;

pub use abstraction::{SpecPattern, SpecPlace};
pub use choose::{SpecCandidate, candidates};
pub use structure::PuzzleStructure;
pub use tables::{MOST_TABLES, SpecTable, SpecTables};
pub use words::PatternSpec;

#[cfg(test)]
mod tests;
