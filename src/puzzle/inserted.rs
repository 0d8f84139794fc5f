//! A plan with cycles put into it: [`Inserted`].

use serde::Serialize;
use std::time::Duration;

/// The answer of [`Puzzle::insert`](super::Puzzle::insert): a plan that solves the state.
///
/// As JSON it has these keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inserted {
    /// The names of the operators.
    pub plan: Vec<String>,
    /// The number of operators.
    pub length: usize,
    /// What the operators cost together.
    pub cost: u64,
    /// What was put in, one after the other. Empty if the given plan solves the state.
    pub insertions: Vec<Insertion>,
    /// Whether all places and all cheapest plans of each cycle were tried. False if a limit or the
    /// caller ended the work.
    pub complete: bool,
    /// The generated nodes of the searches for plans of cycles.
    pub generated: u64,
    /// Wall time, with that of tables.
    #[serde(rename = "seconds", serialize_with = "super::seconds")]
    pub elapsed: Duration,
}

/// A cycle of three pieces that was put into a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Insertion {
    /// The plan that it was put into.
    pub into: Vec<String>,
    /// How many operators of that plan come before it.
    pub at: usize,
    /// The names of its operators.
    pub moves: Vec<String>,
}

impl Insertion {
    /// The plan with what was put in between brackets, such as `R [F2 U] L`.
    pub fn in_brackets(&self) -> String {
        let (before, after) = self.into.split_at(self.at.min(self.into.len()));
        let inside = format!("[{}]", self.moves.join(" "));
        [before, &[inside], after].concat().join(" ")
    }
}
