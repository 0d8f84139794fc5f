//! `fewest predict`: nodes of complete iterations, before searching.

use super::output::{Output, grouped};
use super::shared_options::{Format, Parts};
use super::verbs::Predict;
use super::{Error, Exit};
use fewest::{Chart, Failure, Job, TablePrediction};
use search::CancelToken;
use serde_json::{Value, json};

/// A number of nodes, rounded to a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a prediction is positive and below 2^128"
)]
pub(super) fn whole(nodes: f64) -> u128 {
    nodes.round() as u128
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
const COLUMNS: &str = "bound generated table table_bytes build_seconds seconds";

pub(super) fn run(verb: &Predict, cancel: CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let guided = &verb.guided;
    let parts = Parts { pruning: Some(&verb.pruning), ..guided.parts() };
    let puzzle = parts.configure(&guided.puzzle)?;
    let meter = guided.work.meter();
    let job = Job::default().cancel(cancel).watch(&meter);
    let predicting =
        puzzle.predicting().ok_or_else(|| Error::lacks(&*puzzle, "nothing is predicted"))?;
    let predicted = predicting.predict(verb.bound, &job)?;
    meter.clear();
    let fit = predicted.generated.len() >= usize::from(verb.bound);
    let mut output = Output::new(guided.work.output.format, "predict", COLUMNS);
    for (at, &generated) in predicted.generated.iter().enumerate() {
        let bound = at + 1;
        output.line(
            || {
                let mut line = json!({"bound": bound, "generated": whole(generated)});
                if !predicted.tables.is_empty() {
                    line["tables"] = predicted.tables.iter().map(|t| as_json(t, at)).collect();
                }
                line
            },
            || {
                let last = at + 1 == predicted.generated.len();
                let tables = predicted.tables.iter().filter(|_| last).map(|t| as_text(t, at));
                let line = format!("bound {bound}: {} nodes", grouped(whole(generated)));
                std::iter::once(line).chain(tables).collect::<Vec<_>>().join("\n")
            },
        )?;
        if output.format == Format::Csv {
            for table in &predicted.tables {
                let row = || {
                    let mut row = as_json(table, at);
                    row["bound"] = json!(bound);
                    row
                };
                output.line(row, String::new)?;
            }
        }
    }
    verb.plot.draw(|| {
        let title = format!("{}: nodes of a complete iteration", puzzle.info().name);
        let chart = Chart::new(title, "bound", "nodes").logarithmic();
        // The first figure is that of bound 1.
        let add = |chart: Chart, name: &str, nodes: &[f64]| {
            chart.with_heights(name, [0.0].iter().chain(nodes).copied())
        };
        let chart = add(chart, "predicted", &predicted.generated);
        let tables = predicted.tables.iter();
        tables.fold(chart, |chart, table| add(chart, &table.table, &table.generated))
    })?;
    if !fit {
        let message = "the counts of further bounds pass 128 bits".to_owned();
        return Err(Failure::Limit(message).into());
    }
    Ok(meter.exit())
}
