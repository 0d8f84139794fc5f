//! What a search, a replay and a reader give back.

use search::{Cost, Iteration};
use serde::Serialize;
use std::time::Duration;

/// How a search ended, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// Plans were found.
    Solved,
    /// No plan exists.
    Unsolvable,
    /// A limit was reached.
    LimitReached,
    /// The caller cancelled.
    Cancelled,
    /// The state was refused.
    Refused,
    /// A plan failed its replay: a defect of this program.
    Defect,
}

/// The answer to one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// How the search ended.
    #[serde(rename = "outcome")]
    pub ending: Ending,
    /// The plans, as names of operators. After a limit, the best plan that is known, if any.
    pub plans: Vec<Vec<String>>,
    /// Whether the plans are proven optimal.
    pub optimal: bool,
    /// Whether these are all plans that were asked for, or all there are.
    pub complete: bool,
    /// No plan costs less.
    pub lower_bound: Cost,
    /// What the best plan costs; no more is needed.
    pub upper_bound: Option<u64>,
    /// What the near-optimal search did, if one came first.
    #[serde(rename = "near_optimal", skip_serializing_if = "Option::is_none")]
    pub near: Option<Near>,
    /// Iterations of the search, in order.
    pub iterations: Vec<Iteration>,
    /// Wall time of the search.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
    /// Time of all threads in the search; zero without the feature `cpu-time`.
    #[serde(rename = "cpu_seconds", serialize_with = "seconds")]
    pub cpu: Duration,
    /// Wall time of building and loading tables.
    #[serde(rename = "table_seconds", serialize_with = "seconds")]
    pub tables: Duration,
    /// Name of the heuristic that was used last.
    pub heuristic: String,
    /// Name of the pruning.
    pub pruning: String,
    /// Bytes of all tables in use.
    pub table_bytes: u64,
}

impl Answer {
    /// Generated nodes over all iterations.
    pub fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// Expanded nodes over all iterations.
    pub fn expanded(&self) -> u64 {
        Iteration::expanded_in(&self.iterations)
    }
}

/// What a near-optimal search did. The optimal search does not count its nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Near {
    /// Operators of its best plan, if it found one.
    pub length: Option<usize>,
    /// Generated nodes.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Wall time, which is part of that of the answer.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
}

/// Writes a time as seconds.
fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A state that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateInfo {
    /// The state in a form that reads back as the same state.
    pub text: String,
    /// What is known of the state, for people: names and values. The text is the first.
    pub facts: Vec<(&'static str, String)>,
}

impl StateInfo {
    /// The facts of a state, of which the first is its text.
    pub(crate) fn new(facts: Vec<(&'static str, String)>) -> Self {
        let text = facts.first().map_or_else(String::new, |(_, text)| text.clone());
        Self { text, facts }
    }
}

/// What a plan did on the slow twin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// Operators of the plan.
    pub length: usize,
    /// What they cost together.
    pub cost: u64,
    /// Why it does not solve the state, if it does not.
    pub fault: Option<search::plan::Invalid>,
    /// The rule about moves that the operator at fault breaks, in words, if it breaks one.
    pub rule: Option<String>,
}

/// States of a file that are not one a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateFile {
    /// The states, in order.
    pub states: Vec<FileState>,
    /// Plans cost at most so much, if the file says so.
    pub bound: Option<Cost>,
    /// What the reader noticed that is no error.
    pub notes: Vec<String>,
}

/// A state of such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileState {
    /// The state, in a form that [`crate::Puzzle::read`] takes.
    pub text: String,
    /// Its name.
    pub name: String,
    /// The line where it begins, from 1.
    pub line: usize,
}
