//! Pattern databases of any puzzle, derived from its definition.
//!
//! They also work for puzzles with pieces that look alike, illegal states, ignored slots and
//! several goals.
//!
//! A [`PatternSpec`] says what a pattern keeps of a state: which pieces it distinguishes, and which
//! orientations. It sorts pieces into groups and gives each piece a colour in its group. What it
//! keeps of a state has two parts:
//!
//! - The *layout*: which group lies in each slot, and how the piece there is turned.
//! - The *arrangement*: the colours of the pieces of each group, from slot to slot.
//!
//! The words of this module, from a puzzle to the entries of a table. The examples are of Square-1,
//! whose corners fill two slots each.
//!
//! | word | means | on Square-1 |
//! |---|---|---|
//! | label | a piece; pieces that look alike share one | edge UF; half of corner UFR |
//! | class | labels that no goal tells apart | each alone; all that a goal ignores |
//! | component | slots that exchange pieces | the 24 slots of both layers; the middle layer |
//! | kind | labels that moves put in each other's places | edges; either half of corners |
//! | part | what a spec keeps of one kind | the edges UF and UR |
//! | group | labels that the layout shows alike | all edges |
//! | colour | a number within the group | UF 1, UR 2, the other edges 0 |
//! | symbol | group and turn of the piece in one slot | "an edge"; "turned over" |
//! | word | the symbols of all slots of a spec | edge, half, half, edge, .. |
//! | layout | a word that occurs; a row of the table | the shape of both layers |
//! | arrangement | the colours in the slots; a column | where among the edges UF and UR are |
//!
//! A walk backward from the layouts of all goals finds the layouts that occur. It leaves out
//! layouts that break a rule. An operator takes every layout to another one. The layout decides how
//! the operator permutes the colours of each group. So layouts are the rows of a [`SpecPattern`],
//! and arrangements its columns. [`pdb::build()`] fills the table, and [`SpecTables`] reads it with
//! two lookups for each step. [`candidates`] chooses specs by how many entries lie near the goals.
//!
//! Pattern databases: Joseph Culberson and Jonathan Schaeffer, "Pattern databases", Computational
//! Intelligence 14, 1998. An abstraction should keep the constraints that it can decide: Patrik
//! Haslum, Blai Bonet and Héctor Geffner, "New admissible heuristics for domain-independent
//! planning", AAAI 2005.

mod abstraction;
mod choose;
mod entries;
mod factors;
mod kinds;
mod layouts;
mod parts;
mod product;
mod structure;
mod tables;
mod walk;
mod words;

pub use abstraction::{SpecPattern, SpecPlace};
pub use choose::{SpecCandidate, candidates};
pub use product::ClassPattern;
pub use structure::PuzzleStructure;
pub use tables::{MOST_TABLES, SpecTable, SpecTables};
pub use words::PatternSpec;

#[cfg(test)]
mod tests;
