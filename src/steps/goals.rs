//! A puzzle with the goals of its steps: [`Steps`].

use crate::puzzle::Puzzle;
use crate::puzzles::configure;
use crate::settings::{ConfigureError, GoalChoice, MetricChoice, Settings};

/// A puzzle that is solved step by step. Each step may use all moves, and ends in its goal, which
/// lies within the goal of the step before.
///
/// So people solve cubes in the fewest moves: edges oriented, then a domino reduction, and so on.
/// Each step has several plans, some of them longer than the shortest, and the shortest sum counts.
pub struct Steps {
    /// The goals by name.
    pub(super) goals: Vec<String>,
    /// The puzzle with each goal.
    pub(super) puzzles: Vec<Box<dyn Puzzle>>,
    /// The puzzle with its usual goal.
    pub(super) plain: Box<dyn Puzzle>,
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").field("goals", &self.goals).finish_non_exhaustive()
    }
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
        if settings.turn_metric() == MetricChoice::SliceTurn {
            let message = "steps have no metric stm, because a slice turns the centres, on which \
                           the next goals depend: expected htm, qtm or atm";
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
}
