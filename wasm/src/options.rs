//! Settings of a puzzle and options of one call, as the page gives them.

use fewest::search::{Cost, Limits};
use fewest::{Aim, ConfigureError, Failure, InvalidInput, Job, Settings};
use serde::Deserialize;
use std::time::Duration;

/// Bytes of tables that a page takes unless it says otherwise: 256 MiB.
const MEMORY: u64 = 256 << 20;

/// The settings of a puzzle. What is `None` stays as the facade has it.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct PuzzleOptions {
    metric: Option<String>,
    goal: Option<String>,
    moves: Option<String>,
    solver: Option<String>,
    stages: Option<String>,
    heuristic: Option<String>,
    pruning: Option<String>,
    memory: Option<u64>,
}

impl PuzzleOptions {
    pub(crate) fn settings(self) -> Result<Settings, ConfigureError> {
        let mut settings = Settings::default().memory(self.memory.unwrap_or(MEMORY));
        settings.metric = self.metric.map(|metric| metric.parse()).transpose()?;
        settings.moves = self.moves;
        if let Some(goal) = self.goal {
            settings = settings.goal(goal.as_str());
        }
        if let Some(stages) = self.stages {
            settings = settings.stages(stages);
        }
        if let Some(solver) = self.solver {
            settings = settings.solver(solver.as_str());
        }
        if let Some(heuristic) = self.heuristic {
            settings = settings.heuristic(heuristic.as_str());
        }
        if let Some(pruning) = self.pruning {
            settings = settings.pruning(pruning.parse()?);
        }
        Ok(settings)
    }
}

/// The options of one search.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SolveOptions {
    /// Seconds, tables included.
    timeout: Option<f64>,
    /// Seconds of the search alone.
    search_timeout: Option<f64>,
    max_nodes: Option<u64>,
    max_cost: Option<Cost>,
    plans: Option<usize>,
    slack: Cost,
    min_cost: Cost,
    aim: Option<String>,
}

impl SolveOptions {
    pub(crate) fn job(&self) -> Result<Job<'static>, Failure> {
        let limits = Limits {
            nodes: self.max_nodes,
            time: self.search_timeout.map(|time| seconds("searchTimeout", time)).transpose()?,
            bound: self.max_cost,
            bytes: None,
        };
        let aim = match self.aim.as_deref() {
            None | Some("optimal") => Aim::Optimal,
            Some("optimal-only") => Aim::OptimalOnly,
            Some("near-optimal") => Aim::NearOptimal,
            Some(other) => {
                let expected = "expected optimal, optimal-only or near-optimal";
                return Err(refused(format!("aim {other:?}: {expected}")));
            }
        };
        let plans = self.plans.unwrap_or(1);
        if plans == 0 {
            return Err(refused("0 plans: expected at least 1".to_owned()));
        }
        let job = Job::default().limits(limits).aim(aim).plans(plans);
        let job = job.slack(self.slack).min_length(self.min_cost);
        Ok(match self.timeout {
            Some(timeout) => job.deadline(seconds("timeout", timeout)?),
            None => job,
        })
    }
}

/// The failure for a wrong option or a missing ability.
pub(crate) fn refused(message: String) -> Failure {
    InvalidInput::new(message).into()
}

fn seconds(name: &str, seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| refused(format!("{name} {seconds}: expected seconds, 0 or more")))
}
