//! Results of the facade as dicts: the arguments of the classes in `fewest/_results.py`.

use fewest::search::Iteration;
use fewest::{Answer, Ending, Near, Prediction, Replay, StateInfo, TableHistogram};
use pyo3::prelude::*;

/// An iteration: its bound, its generated and expanded nodes, and whether it is complete.
pub(crate) type IterationRow = (i64, u64, u64, bool);

pub(crate) fn iteration_rows<C: Copy + Into<i64>>(
    iterations: &[Iteration<C>],
) -> Vec<IterationRow> {
    let row = |one: &Iteration<C>| (one.bound.into(), one.generated, one.expanded, one.complete);
    iterations.iter().map(row).collect()
}

/// The arguments of `fewest.Result`, without the state.
#[derive(IntoPyObject)]
pub(crate) struct AnswerDict {
    outcome: &'static str,
    plans: Vec<Vec<String>>,
    costs: Vec<u64>,
    optimal: bool,
    complete: bool,
    lower_bound: i64,
    upper_bound: Option<u64>,
    near: Option<NearDict>,
    iterations: Vec<IterationRow>,
    stages: Vec<(String, usize)>,
    seconds: f64,
    cpu_seconds: f64,
    table_seconds: f64,
    table_bytes: u64,
    solver: String,
    heuristic: String,
    pruning: String,
}

/// The arguments of `fewest.NearOptimal`.
#[derive(IntoPyObject)]
struct NearDict {
    length: Option<usize>,
    generated: u64,
    expanded: u64,
    seconds: f64,
}

pub(crate) fn outcome(ending: Ending) -> &'static str {
    match ending {
        Ending::Solved => "solved",
        Ending::Unsolvable => "unsolvable",
        Ending::LimitReached => "limit-reached",
        Ending::Cancelled => "cancelled",
        Ending::Refused => "refused",
        _ => "defect",
    }
}

impl From<Answer> for AnswerDict {
    fn from(answer: Answer) -> Self {
        let near = |near: Near| NearDict {
            length: near.length,
            generated: near.generated,
            expanded: near.expanded,
            seconds: near.elapsed.as_secs_f64(),
        };
        Self {
            outcome: outcome(answer.ending),
            plans: answer.plans,
            costs: answer.costs,
            optimal: answer.optimal,
            complete: answer.complete,
            lower_bound: answer.lower_bound.into(),
            upper_bound: answer.upper_bound,
            near: answer.near.map(near),
            iterations: iteration_rows(&answer.iterations),
            stages: answer.stages.into_iter().map(|stage| (stage.name, stage.length)).collect(),
            seconds: answer.elapsed.as_secs_f64(),
            cpu_seconds: answer.cpu.as_secs_f64(),
            table_seconds: answer.tables.as_secs_f64(),
            table_bytes: answer.table_bytes,
            solver: answer.solver,
            heuristic: answer.heuristic,
            pruning: answer.pruning,
        }
    }
}

/// The arguments of `fewest.StateInfo`.
#[derive(IntoPyObject)]
pub(crate) struct StateDict {
    text: String,
    facts: Vec<(&'static str, String)>,
    solvable: Option<bool>,
}

impl From<StateInfo> for StateDict {
    fn from(StateInfo { text, facts, solvable, .. }: StateInfo) -> Self {
        Self { text, facts, solvable }
    }
}

/// The arguments of `fewest.Replay`.
#[derive(IntoPyObject)]
pub(crate) struct ReplayDict {
    length: usize,
    cost: u64,
    fault: Option<String>,
    rule: Option<String>,
}

impl From<Replay> for ReplayDict {
    fn from(replay: Replay) -> Self {
        let Replay { length, cost, fault, rule, .. } = replay;
        Self { length, cost, fault: fault.map(|fault| fault.to_string()), rule }
    }
}

/// The arguments of `fewest.TableHistogram`.
#[derive(IntoPyObject)]
pub(crate) struct HistogramDict {
    table: String,
    entries: u64,
    bytes: u64,
    mean: f64,
    counts: Vec<u64>,
}

impl From<TableHistogram> for HistogramDict {
    fn from(histogram: TableHistogram) -> Self {
        let TableHistogram { table, entries, bytes, mean, counts, max: _ } = histogram;
        Self { table, entries, bytes, mean, counts }
    }
}

/// The predicted nodes, and the arguments of a `fewest.TablePrediction` for each table.
#[derive(IntoPyObject)]
pub(crate) struct PredictionDict {
    generated: Vec<f64>,
    tables: Vec<TablePredictionDict>,
}

#[derive(IntoPyObject)]
struct TablePredictionDict {
    table: String,
    bytes: u64,
    build_seconds: f64,
    generated: Vec<f64>,
    seconds: Vec<f64>,
}

impl From<Prediction> for PredictionDict {
    fn from(prediction: Prediction) -> Self {
        let table = |one: fewest::TablePrediction| TablePredictionDict {
            table: one.table,
            bytes: one.bytes,
            build_seconds: one.build_seconds,
            generated: one.generated,
            seconds: one.seconds,
        };
        let tables = prediction.tables.into_iter().map(table).collect();
        Self { generated: prediction.generated, tables }
    }
}
