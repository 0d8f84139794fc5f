//! Pattern databases of any puzzle, derived from its definition: of pieces that look alike, illegal states, ignored slots and several goals too.
//!
//! A [`Sketch`] keeps some pieces of a puzzle apart, paints others alike, and may forget how they are turned. What it shows of a state falls into an
//! *outline*, which groups of pieces lie where, and a *filling*, which pieces of a group come first, second and so on. Outlines are found by
//! walking backward from those of all goals, so there is none that cannot occur, and one that breaks a rule is left out where it shows that; an operator then takes
//! every outline to another and rearranges what fills it in one way. So outlines are the rows and fillings the columns of a [`SketchPattern`], which
//! [`pdb::build()`] fills; the search goes from entry to entry by two reads ([`SketchTables`]). Which sketches are worth their bytes is
//! told by how many words lie near the goals ([`candidates`]).
//!
//! Pattern databases: Joseph Culberson and Jonathan Schaeffer, "Pattern databases", Computational Intelligence 14, 1998. That an abstraction
//! should keep the constraints that it can decide: Patrik Haslum, Blai Bonet and Héctor Geffner, "New admissible heuristics for domain-independent planning",
//! AAAI 2005, on constrained abstraction.

mod anatomy;
mod choose;
mod kinds;
mod outlines;
mod parts;
mod pattern;
mod tables;
mod walk;
mod words;

pub use anatomy::Anatomy;
pub use choose::{SketchCandidate, candidates};
pub use pattern::{Place, SketchPattern};
pub use tables::{MOST_TABLES, SketchTable, SketchTables};
pub use words::Sketch;

#[cfg(test)]
mod tests;
