//! How steps are searched, and what is found: [`StepOptions`] and [`StepsAnswer`].

use crate::puzzle::Ending;
use search::Cost;
use serde::Serialize;
use std::time::Duration;

/// How [`Steps::solve`](super::Steps::solve) searches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepOptions {
    /// For each step: how much more than its cheapest plan a plan may cost. The last number holds
    /// for all further steps. The last step has slack only if several chains are wanted.
    /// [default: none, which is 0]
    pub slack: Vec<Cost>,
    /// The most plans of a step from each state. After a step the states of the cheapest
    /// [`STATES_PER_PLAN`] times as many plans go on. [default: 20]
    pub keep: usize,
    /// The number of chains to answer with, the cheapest first. [default: 1]
    pub chains: usize,
    /// Which sides of a state a step may be solved on. [default: [`Sides::Normal`]]
    pub sides: Sides,
}

impl Default for StepOptions {
    fn default() -> Self {
        Self { slack: Vec::new(), keep: 20, chains: 1, sides: Sides::Normal }
    }
}

/// How many states go on after a step, for each plan that a state keeps.
pub const STATES_PER_PLAN: usize = 5;

/// On which of a state and its inverse a step is solved.
///
/// Moves `n` on a state and moves `i` on its inverse may bring it to a goal. Then `n`, the moves of
/// the rest, and what undoes `i` solve the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// The state.
    #[default]
    Normal,
    /// The inverse of the state.
    Inverse,
    /// Either, anew for each step (NISS: normal and inverse scramble switch).
    Both,
}

/// The plan of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StepPlan {
    /// The goal that it reaches.
    pub goal: String,
    /// The names of its operators.
    pub moves: Vec<String>,
    /// Whether they are made on the inverse of the state.
    pub inverse: bool,
    /// What they cost together.
    pub cost: u64,
    /// The cost of the cheapest plan of this step from its state, on its side.
    pub least: u64,
}

/// A plan for each step, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StepChain {
    /// The steps in order.
    pub steps: Vec<StepPlan>,
    /// All moves on the state, then what undoes those on the inverse, the last one first. It leads
    /// from the state to the goal of the last step. `None` if there are moves on the inverse and
    /// this goal is not the solved puzzle: then the inverse moves come before the state.
    pub plan: Option<Vec<String>>,
    /// What the plans of all steps cost together. Moves of two steps that meet are not joined:
    /// [`Puzzle::shorten`](crate::Puzzle::shorten) does.
    pub cost: u64,
}

/// What [`Steps::solve`](super::Steps::solve) found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepsAnswer {
    /// How the search ended.
    #[serde(rename = "outcome")]
    pub ending: Ending,
    /// The cheapest chains that were found.
    pub chains: Vec<StepChain>,
    /// Whether no chain of steps without slack costs less than the first: all of them were tried.
    /// If false, plans or states were left out, a limit was reached, or a step had slack. With
    /// slack, plans of a step that pass a state twice are left out, as far as its goal tells states
    /// apart.
    pub complete: bool,
    /// If a limit or the caller ended a search: how. There may be chains all the same.
    pub stopped: Option<Ending>,
    /// The generated nodes of the searches of all steps.
    pub generated: u64,
    /// Wall time of these searches, without building or loading tables.
    #[serde(rename = "seconds", serialize_with = "crate::puzzle::seconds")]
    pub elapsed: Duration,
}
