//! Settings of a puzzle and options of one call, as Python gives them.

use crate::errors;
use bytesize::ByteSize;
use fewest::search::{Cost, Limits};
use fewest::{Aim, ConfigureError, Request, Settings};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// The keys of the dict from which a solver is made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PuzzleOptions {
    metric: Option<String>,
    goal: Option<String>,
    moves: Option<String>,
    solver: String,
    stages: Option<String>,
    heuristic: String,
    pruning: String,
    memory: String,
    pub(crate) tables: Option<PathBuf>,
    loading: String,
}

impl PuzzleOptions {
    pub(crate) fn settings(&self, py: Python<'_>) -> PyResult<Settings> {
        let refused = |error: ConfigureError| errors::of_settings(py, &error);
        let memory = self.memory.parse::<ByteSize>().map_err(|error| {
            let expected = "expected a size such as 512MiB or 2GiB";
            errors::invalid(py, format_args!("memory {:?}: {error}; {expected}", self.memory))
        })?;
        let mut settings = Settings::default()
            .solver(self.solver.as_str())
            .heuristic(self.heuristic.as_str())
            .pruning(self.pruning.parse().map_err(refused)?)
            .memory(memory.as_u64())
            .loading(self.loading.parse().map_err(refused)?);
        settings.metric =
            self.metric.as_ref().map(|metric| metric.parse()).transpose().map_err(refused)?;
        settings.moves.clone_from(&self.moves);
        settings.tables.clone_from(&self.tables);
        if let Some(goal) = &self.goal {
            settings = settings.goal(goal.as_str());
        }
        if let Some(stages) = &self.stages {
            settings = settings.stages(stages.as_str());
        }
        Ok(settings)
    }
}

/// The keys of the dict with which a state is solved.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SolveOptions {
    timeout: Option<f64>,
    search_timeout: Option<f64>,
    max_nodes: Option<u64>,
    max_cost: Option<i64>,
    plans: Option<usize>,
    slack: i64,
    min_cost: i64,
    aim: String,
}

impl SolveOptions {
    /// A request with these options.
    pub(crate) fn request(&self, py: Python<'_>) -> PyResult<Request<'static>> {
        let limits = Limits {
            nodes: self.max_nodes,
            time: duration(py, "search_timeout", self.search_timeout)?,
            bound: self.max_cost.map(|most| cost(py, "max_cost", most)).transpose()?,
            bytes: None,
        };
        let aim = match self.aim.as_str() {
            "optimal" => Aim::Optimal,
            "optimal-only" => Aim::OptimalOnly,
            "near-optimal" => Aim::NearOptimal,
            other => {
                let expected = "expected optimal, optimal-only or near-optimal";
                return Err(errors::invalid(py, format_args!("aim {other:?}: {expected}")));
            }
        };
        let plans = self.plans.unwrap_or(usize::MAX);
        if plans == 0 {
            return Err(errors::invalid(py, "0 plans: expected at least 1"));
        }
        let request = Request::default().limits(limits).aim(aim).plans(plans);
        let request = request.slack(cost(py, "slack", self.slack)?);
        let request = request.min_length(cost(py, "min_cost", self.min_cost)?);
        Ok(match duration(py, "timeout", self.timeout)? {
            Some(timeout) => request.deadline(timeout),
            None => request,
        })
    }
}

/// A number as a cost.
pub(crate) fn cost(py: Python<'_>, name: &str, number: i64) -> PyResult<Cost> {
    let wrong =
        |_| errors::invalid(py, format_args!("{name} {number}: expected 0 to {}", Cost::MAX));
    Cost::try_from(number).map_err(wrong)
}

/// A time in seconds. An infinite one is no limit.
pub(crate) fn duration(
    py: Python<'_>,
    name: &str,
    seconds: Option<f64>,
) -> PyResult<Option<Duration>> {
    let Some(seconds) = seconds.filter(|&seconds| seconds != f64::INFINITY) else {
        return Ok(None);
    };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        let expected = "expected seconds, 0 or more";
        errors::invalid(py, format_args!("{name} {seconds}: {expected}"))
    })
}
