//! `fewest predict`: nodes of complete iterations, before searching; and beside them those of the
//! search of a state.

use super::input::InputState;
use super::options::Parts;
use super::states::states;
use super::verbs::Predict;
use fewest::search::{CancelToken, Iteration, Limits};
use fewest::{
    Aim, Answer, Chart, Ending, Failure, Prediction, Puzzle, Request, TablePrediction, grouped,
};
use fewest_terminal::{Error, Exit, Format, Output};
use serde_json::{Value, json};
use std::time::Instant;

/// A number of nodes, rounded to a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a prediction is positive and below 2^128"
)]
pub(super) fn whole(nodes: f64) -> u128 {
    nodes.round() as u128
}

/// Why the last iteration of a search is not complete.
pub(super) fn why_incomplete(ending: Ending) -> &'static str {
    match ending {
        // A search ends with its first plan, a solver of stages each of them.
        Ending::Solved => "ended by a plan",
        _ => "not complete",
    }
}

/// The prediction for a table and the bound `at + 1`, as JSON.
fn as_json(table: &TablePrediction, at: usize) -> Value {
    json!({"table": table.table, "table_bytes": table.bytes, "build_seconds": table.build_seconds,
           "generated": whole(table.generated[at]), "seconds": table.seconds[at]})
}

fn as_text(table: &TablePrediction, at: usize) -> String {
    let build = match table.build_seconds {
        0.0 => "at hand".to_owned(),
        seconds => format!("built in {seconds:.0} s"),
    };
    let size = bytesize::ByteSize(table.bytes).display().iec();
    let nodes = grouped(whole(table.generated[at]));
    format!("  {} ({size}, {build}): {nodes} nodes, {:.2} s", table.table, table.seconds[at])
}

/// Columns of CSV. Each bound has one row, then one row for each table.
const COLUMNS: &str = "bound generated table table_bytes build_seconds seconds searched complete";

pub(super) fn run(verb: &Predict, cancel: CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let guided = &verb.guided;
    let parts = Parts { pruning: Some(&verb.pruning), ..guided.parts() };
    let puzzle = parts.configure(&guided.args.puzzle)?;
    let given = state(verb, &*puzzle)?;
    let meter = guided.args.work.meter();
    let (began, deadline) = (Instant::now(), verb.limits.deadline);
    let request = Request::default().cancel(cancel.child_within(deadline)).watch(&meter);
    let predicting =
        puzzle.predicting().ok_or_else(|| Error::lacks(&*puzzle, "nothing is predicted"))?;
    let predicted = predicting.predict(verb.bound, &request).map_err(|failure| {
        let late = failure.is_cancelled() && !cancel.is_cancelled();
        if late { Failure::Time } else { failure }
    })?;
    let mut searched = None;
    if let Some(given) = given {
        meter.begin(1, &given);
        let request = verb.limits.request().cancel(cancel).watch(&meter);
        let left = deadline.map(|deadline| deadline.saturating_sub(began.elapsed()));
        let request = left.map_or(request.clone(), |left| request.deadline(left));
        searched = Some(search(verb, &*puzzle, &given, request)?);
    }
    meter.clear();
    let mut output = Output::new(guided.args.work.output.format, "predict", COLUMNS);
    let both = Both { predicted, searched };
    both.print(&mut output)?;
    verb.plot.draw(|| both.chart(&puzzle.info().name))?;
    if both.predicted.generated.len() < usize::from(verb.bound) {
        let message = "the counts of further bounds pass 128 bits".to_owned();
        return Err(Failure::Limit(message).into());
    }
    Ok(both.exit(verb).max(meter.exit()))
}

/// The state to search, if one is given. Refuses what is no state before any work.
fn state(verb: &Predict, puzzle: &dyn Puzzle) -> Result<Option<InputState>, Error> {
    if verb.state.is_empty() {
        return Ok(None);
    }
    let given = states(&verb.state, None, puzzle)?.next().transpose()?;
    if let Some(given) = &given {
        puzzle.read(&given.text)?;
    }
    Ok(given)
}

/// Searches the state up to the greatest bound that is predicted.
fn search(
    verb: &Predict,
    puzzle: &dyn Puzzle,
    given: &InputState,
    request: Request<'_>,
) -> Result<Answer, Failure> {
    let bound = request.limits.bound.map_or(verb.bound, |bound| bound.min(verb.bound));
    let limits = Limits { bound: Some(bound), ..request.limits.clone() };
    puzzle.solve(&given.text, &request.limits(limits).aim(Aim::OptimalOnly))
}

/// The nodes of each bound.
struct Both {
    predicted: Prediction,
    /// The search of the state, if one is given.
    searched: Option<Answer>,
}

impl Both {
    /// The iteration with this bound. `best` may search a bound again with a larger table.
    fn iteration(&self, bound: usize) -> Option<&Iteration> {
        let iterations = &self.searched.as_ref()?.iterations;
        iterations.iter().rfind(|iteration| usize::from(iteration.bound) == bound)
    }

    fn print(&self, output: &mut Output) -> Result<(), Error> {
        let Prediction { generated, tables, .. } = &self.predicted;
        let has_rows = output.format == Format::Csv;
        for (at, &nodes) in generated.iter().enumerate() {
            let bound = at + 1;
            output.line(
                || {
                    let mut line = json!({"bound": bound, "generated": whole(nodes)});
                    if let Some(iteration) = self.iteration(bound) {
                        line["searched"] = json!(iteration.generated);
                        line["complete"] = json!(iteration.complete);
                    }
                    if !tables.is_empty() {
                        line["tables"] = tables.iter().map(|table| as_json(table, at)).collect();
                    }
                    line
                },
                || {
                    let last = bound == generated.len();
                    let tables = tables.iter().filter(|_| last).map(|table| as_text(table, at));
                    let searched = self.searched(bound);
                    let line = format!("bound {bound}: {} nodes{searched}", grouped(whole(nodes)));
                    std::iter::once(line).chain(tables).collect::<Vec<_>>().join("\n")
                },
            )?;
            for table in tables.iter().filter(|_| has_rows) {
                let row = || {
                    let mut row = as_json(table, at);
                    row["bound"] = json!(bound);
                    row
                };
                output.line(row, String::new)?;
            }
        }
        Ok(())
    }

    /// The searched nodes of a bound, for people.
    fn searched(&self, bound: usize) -> String {
        let (Some(answer), Some(iteration)) = (&self.searched, self.iteration(bound)) else {
            return String::new();
        };
        let nodes = grouped(iteration.generated);
        match iteration.complete {
            true => format!(", searched {nodes}"),
            false => format!(", searched {nodes} ({})", why_incomplete(answer.ending)),
        }
    }

    /// The nodes of complete iterations.
    fn chart(&self, puzzle: &str) -> Chart {
        let title = format!("{puzzle}: nodes of a complete iteration");
        let chart = Chart::new(title, "bound", "nodes").logarithmic();
        // The first figure is that of bound 1.
        let add = |chart: Chart, name: &str, nodes: &[f64]| {
            chart.with_heights(name, [0.0].iter().chain(nodes).copied())
        };
        let Prediction { generated, tables, .. } = &self.predicted;
        let mut chart = add(chart, "predicted", generated);
        if self.searched.is_some() {
            let complete = |bound| self.iteration(bound).filter(|iteration| iteration.complete);
            let nodes = |bound| complete(bound).map_or(0.0, |found| found.generated as f64);
            chart = chart.with_heights("searched", (0..=generated.len()).map(nodes));
        }
        tables.iter().fold(chart, |chart, table| add(chart, &table.table, &table.generated))
    }

    /// Whether the search, if there is one, ended neither with an answer nor at the last bound.
    fn exit(&self, verb: &Predict) -> Exit {
        let ended = |answer: &Answer| match answer.ending {
            Ending::Solved | Ending::Unsolvable => true,
            Ending::LimitReached => answer.lower_bound > verb.bound,
            _ => false,
        };
        let done = self.searched.as_ref().is_none_or(ended);
        if done { Exit::Done } else { Exit::NotSolved }
    }
}
