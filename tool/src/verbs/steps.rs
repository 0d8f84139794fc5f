//! The options of `fewest solve --steps`.

use clap::Args;
use fewest::GoalChoice;

/// What a search step by step does not do.
const ELSEWHERE: [&str; 15] = [
    "all",
    "begins",
    "ends",
    "min_length",
    "near_optimal",
    "seed",
    "solver",
    "stages",
    "journal",
    "shard",
    "certificate",
    "lower_bound_from",
    "proof_log",
    "instances",
    "max_bound",
];

#[derive(Args, Debug)]
pub(crate) struct StepArgs {
    /// Go from goal to goal, such as eo,dr,htr,solved, to the least sum. Each goal lies within the
    /// one before; each step may use all moves, and --slack moves more than it needs
    #[arg(long, value_name = "GOALS", conflicts_with = "goal", conflicts_with_all = ELSEWHERE)]
    steps: Option<String>,
    /// Solve the inverse of the state: moves on it stand in parentheses
    #[arg(long, conflicts_with = "niss", conflicts_with_all = ELSEWHERE)]
    pub(crate) inverse: bool,
    /// Solve each step on the state or on its inverse, whichever is shorter in the end
    #[arg(long, conflicts_with_all = ELSEWHERE)]
    pub(crate) niss: bool,
    /// With --steps: the most plans of a step from each state; after a step, five times as many
    /// states go on [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    #[arg(requires = "steps")]
    pub(crate) keep: Option<u64>,
    /// Put a cycle of three pieces, or two, into this plan, which leaves them, at the least cost:
    /// all places and all shortest plans of each cycle are tried, with --slack K also plans that
    /// are K moves longer
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["steps", "inverse", "niss", "count"])]
    #[arg(conflicts_with_all = ELSEWHERE)]
    pub(crate) insert: Option<String>,
}

impl StepArgs {
    pub(crate) fn are_wanted(&self) -> bool {
        self.steps.is_some() || self.inverse || self.niss
    }

    /// The goals of the steps: those given, or the only goal.
    pub(crate) fn goals<'a>(&'a self, goal: &'a GoalChoice) -> Vec<&'a str> {
        match (&self.steps, goal) {
            (Some(steps), _) => steps.split(',').collect(),
            (None, GoalChoice::State(goal)) => vec![goal],
            (None, _) => vec!["solved"],
        }
    }
}
