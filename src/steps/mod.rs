//! Plans that go from goal to goal, with a choice of plans for each: [`Steps`].

mod work;

use crate::puzzle::{Ending, Failure, Puzzle, Request};
use crate::puzzles::configure;
use crate::settings::{ConfigureError, GoalChoice, Settings};
use search::Cost;
use serde::Serialize;
use std::time::Duration;
use work::Work;

/// A puzzle that is solved step by step. Each step may use all moves, and ends in its goal, which
/// lies within the goal of the step before.
///
/// So people solve cubes in the fewest moves: edges oriented, then a domino reduction, and so on.
/// Each step has several plans, some of them longer than the shortest, and the shortest sum counts.
pub struct Steps {
    /// The goals by name.
    goals: Vec<String>,
    /// The puzzle with each goal.
    puzzles: Vec<Box<dyn Puzzle>>,
    /// The puzzle with its usual goal.
    plain: Box<dyn Puzzle>,
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").field("goals", &self.goals).finish_non_exhaustive()
    }
}

/// How [`Steps::solve`] searches.
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
    /// [`Puzzle::shorten`] does.
    pub cost: u64,
}

/// What [`Steps::solve`] found.
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
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
}

/// Serializes a time as a number of seconds.
fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Steps {
    /// The puzzle with some goals, such as `eo`, `dr`, `htr` and `solved`, in the order of the
    /// steps. All puzzles together get the memory of the settings, and their goal is ignored.
    ///
    /// # Errors
    /// If there is no goal, a goal is empty, the puzzle does not have it, or the puzzle is a board,
    /// whose states are no moves.
    pub fn configure(
        puzzle: &str,
        settings: &Settings,
        goals: &[&str],
    ) -> Result<Self, ConfigureError> {
        let goals: Vec<String> = goals.iter().map(|goal| goal.trim().to_owned()).collect();
        if goals.is_empty() || goals.iter().any(String::is_empty) {
            let message = "the steps: found no name, expected goals such as eo,dr,htr,solved";
            return Err(ConfigureError::invalid(message));
        }
        let share = settings.memory / (goals.len() as u64 + 1);
        let plain = Settings { goal: GoalChoice::Solved, memory: share, ..settings.clone() };
        let with = |goal: &String| configure(puzzle, &plain.clone().goal(&**goal));
        let whole = configure(puzzle, &plain)?;
        if whole.info().board.is_some() {
            let message = format!("{puzzle}: a board is not solved step by step, nor its inverse");
            return Err(ConfigureError::invalid(message));
        }
        let puzzles = goals.iter().map(with).collect::<Result<_, _>>()?;
        Ok(Self { goals, puzzles, plain: whole })
    }

    /// The puzzle with its usual goal.
    pub fn puzzle(&self) -> &dyn Puzzle {
        &*self.plain
    }

    /// Searches for the cheapest chain from a state: breadth-first over the steps, with the
    /// cheapest plans of each. Of the request, limits of time and nodes, the deadline, threads,
    /// cancellation and watcher count, for all steps together. Where a state is not given as moves,
    /// or its inverse is wanted, a plan of it is searched first, beyond the limit of nodes.
    ///
    /// # Errors
    /// As [`Puzzle::solve`]. If a step ends in a state that an earlier goal does not have: then the
    /// goals do not lie within each other. If a side other than [`Sides::Normal`] is asked for, and
    /// the puzzle cannot undo moves, or no plan for the state is found.
    pub fn solve(
        &self,
        state: &str,
        options: &StepOptions,
        request: &Request<'_>,
    ) -> Result<StepsAnswer, Failure> {
        Work::new(self, options, request).solve(state)
    }
}
