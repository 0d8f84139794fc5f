//! The results of a [`crate::Puzzle`]: [`Answer`] of a search, [`Replay`] of a plan check,
//! [`StateInfo`] and [`StateFile`] of a reader.

use super::Failure;
use search::{Cost, Iteration};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::time::Duration;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// Plans were found.
    Solved,
    /// No plan exists.
    Unsolvable,
    /// A limit of the request was reached first.
    LimitReached,
    /// The caller cancelled the search.
    Cancelled,
    /// The state, a setting or a table was refused, so there is no answer.
    Refused,
    /// A plan failed its replay on the reference puzzle. This is a defect of this program.
    Defect,
}

/// What the search for the plans of one state found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// How the search ended.
    #[serde(rename = "outcome")]
    pub ending: Ending,
    /// The plans, each a list of operator names. If the search ended early, the best plan known, or
    /// none.
    pub plans: Vec<Vec<String>>,
    /// What each of the plans costs.
    pub costs: Vec<u64>,
    /// What found the plans, if they are not proven: a planner of [`crate::PLANNERS`],
    /// `two-phase`, or the name of the solver. `None` if they are proven, or there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Whether the plans are proven optimal. If plans of other costs follow the first, this is
    /// about the first alone.
    pub optimal: bool,
    /// If true: `plans` holds as many plans as the request wants, or all that
    /// exist, up to the order of moves that commute.
    pub complete: bool,
    /// The proven lower bound: no plan costs less.
    pub lower_bound: Cost,
    /// The cost of the best plan, which is an upper bound. `None` if no plan is known.
    pub upper_bound: Option<u64>,
    /// What the near-optimal search did. `None` if there was no such search.
    #[serde(rename = "near_optimal", skip_serializing_if = "Option::is_none")]
    pub near: Option<Near>,
    /// The iterations of the optimal search, in order.
    pub iterations: Vec<Iteration>,
    /// Wall time of all searches for this state, without building or loading tables.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
    /// Processor time that all threads of the process spent during the search. Zero without the
    /// feature `cpu-time`.
    #[serde(rename = "cpu_seconds", serialize_with = "seconds")]
    pub cpu: Duration,
    /// Wall time of building and loading tables.
    #[serde(rename = "table_seconds", serialize_with = "seconds")]
    pub tables: Duration,
    /// Name of the solver.
    pub solver: String,
    /// The parts of the plan, if the solver goes from subgoal to subgoal: each with its number of
    /// operators, in order. Empty for other solvers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageLength>,
    /// Name of the heuristic of the last search. `best` can change tables from one search to the
    /// next.
    pub heuristic: String,
    /// Name of the pruning.
    pub pruning: String,
    /// Bytes of all tables in use.
    pub table_bytes: u64,
}

impl Answer {
    /// The generated nodes of all iterations together.
    pub fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// The expanded nodes of all iterations together.
    pub fn expanded(&self) -> u64 {
        Iteration::expanded_in(&self.iterations)
    }
}

/// A part of a plan that leads from one subgoal to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StageLength {
    /// Name of the subgoal that it reaches.
    pub name: String,
    /// Number of its operators.
    pub length: usize,
}

impl StageLength {
    pub(crate) fn new(name: impl Into<String>, length: usize) -> Self {
        Self { name: name.into(), length }
    }
}

/// What a near-optimal search did. Its nodes are not part of [`Answer::generated`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Near {
    /// How it searches: see [`Answer::by`].
    #[serde(skip)]
    pub by: String,
    /// Number of operators of its best plan. `None` if it found no plan.
    pub length: Option<usize>,
    /// Generated nodes.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Wall time of this search. [`Answer::elapsed`] includes it.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
}

/// Serializes a time as a number of seconds.
pub(crate) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A description of a state that was read from text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StateInfo {
    /// The state in a form that reads back as the same state.
    #[serde(rename = "state")]
    pub text: String,
    /// Facts about the state to show to people, as pairs of name and value. The first value is
    /// `text`. In JSON, an object of texts.
    #[serde(serialize_with = "facts")]
    pub facts: Vec<(&'static str, String)>,
    /// `Some(true)`: the state can be solved. `None`: unknown, which happens only if the states
    /// form no group. States that are known to be unsolvable are refused before.
    pub solvable: Option<bool>,
}

impl StateInfo {
    /// The description with these facts. The first value must be the state's text.
    pub(crate) fn new(facts: Vec<(&'static str, String)>) -> Self {
        let text = facts.first().map_or_else(String::new, |(_, text)| text.clone());
        Self { text, facts, solvable: Some(true) }
    }
}

/// Serializes facts as an object.
fn facts<S: Serializer>(facts: &[(&str, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(facts.iter().map(|(name, text)| (name, text)))
}

/// Random states, each as moves that lead to it from the solved state.
#[non_exhaustive]
pub struct MoveScrambles<'a> {
    /// Whether the states are uniformly random. If not, the moves are random, and the states have
    /// no known distribution.
    pub uniform: bool,
    /// An endless sequence of scrambles, each as a list of moves.
    pub scrambles: Box<dyn Iterator<Item = Result<Vec<String>, Failure>> + 'a>,
}

impl std::fmt::Debug for MoveScrambles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MoveScrambles").field("uniform", &self.uniform).finish_non_exhaustive()
    }
}

/// The result of replaying a plan on the reference puzzle, which is slow and independent of the
/// search.
///
/// As JSON it has the keys of `fewest check`: `plan_length`, `plan_cost`, `solves` and `error`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// Number of operators of the plan.
    pub length: usize,
    /// Total cost of the operators.
    pub cost: u64,
    /// Why the plan does not solve the state. `None` if it does.
    pub fault: Option<search::plan::Invalid>,
    /// The rule about moves that the operator at fault breaks, as a sentence. `None` if it breaks
    /// none.
    pub rule: Option<String>,
}

impl Replay {
    /// Why the plan does not solve the state, with the rule that it breaks. `None` if it does.
    pub fn error(&self) -> Option<String> {
        self.fault.as_ref().map(|fault| match &self.rule {
            Some(rule) => format!("{fault}: {rule}"),
            None => fault.to_string(),
        })
    }
}

impl Serialize for Replay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = self.error();
        let object = json!({"plan_length": self.length, "plan_cost": self.cost,
                            "solves": error.is_none(), "error": error});
        object.serialize(serializer)
    }
}

/// The contents of a file in a puzzle's own format, where a state can take several lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateFile {
    /// The states, in order.
    pub states: Vec<FileState>,
    /// Remarks of the reader that are not errors.
    pub notes: Vec<String>,
}

/// One state of a [`StateFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileState {
    /// The state, in a form that [`crate::Puzzle::read`] takes.
    pub text: String,
    /// The name that the file gives it.
    pub name: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// The highest plan cost that the file allows for it. `None` if it sets no limit.
    pub bound: Option<Cost>,
    /// How much more than the cheapest plan a plan may cost, as the file asks.
    pub slack: Cost,
}
