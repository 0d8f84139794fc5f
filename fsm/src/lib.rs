//! Learns duplicate operator strings of a domain from a small breadth-first search, and cuts them in any search.

mod aho_corasick;
pub mod automaton;
pub mod branching;
mod graph;
pub mod learn;
mod learned;
mod minimize;
#[cfg(test)]
mod tests;

pub use automaton::{Automaton, AutomatonState};
pub use branching::{branching_factor, sequence_counts};
pub use graph::Components;
pub use learn::{Cancelled, learn};
pub use learned::{Keep, Learned, Malformed};
