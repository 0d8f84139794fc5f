//! `fewest status`: how far the search of a journal is.

use crate::verbs::Status;
use fewest::proofs::{self, BoundStatus, Record, RunEnd};
use fewest::{Chart, grouped};
use fewest_terminal::{Error, Exit, Output};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Columns of CSV, one row.
const COLUMNS: &str = "puzzle state heuristic lower_bound plan_within ended cost generated \
    seconds rate seconds_left error";

pub(crate) fn run(verb: &Status) -> Result<Exit, Error> {
    verb.plot.check()?;
    let record = super::record(&verb.file)?;
    let status = proofs::RunStatus::new(&record);
    let mut output = Output::new(verb.output.format, "status", COLUMNS);
    output.line(|| as_json(&record, &status), || as_text(&record, &status))?;
    verb.plot.draw(|| {
        let title = format!("{}: nodes by bound", fact(&record, "puzzle"));
        let heights = |of: &dyn Fn(&BoundStatus) -> f64| {
            let last = status.bounds.last().map_or(0, |last| usize::from(last.bound));
            let mut heights = vec![0.0; last + 1];
            for one in &status.bounds {
                heights[usize::from(one.bound)] = of(one);
            }
            heights
        };
        let searched = heights(&|one| one.generated as f64);
        let predicted = heights(&|one| one.predicted.unwrap_or(0.0));
        let chart = Chart::new(title, "bound", "nodes").logarithmic();
        chart.with_heights("searched", searched).with_heights("predicted", predicted)
    })?;
    Ok(Exit::Done)
}

/// A fact of the run; empty if it has none.
fn fact<'a>(record: &'a Record, name: &str) -> &'a str {
    record.identity.get(name).unwrap_or_default()
}

fn as_json(record: &Record, status: &proofs::RunStatus) -> Value {
    let bounds: Vec<Value> = status
        .bounds
        .iter()
        .map(|one| {
            json!({"bound": one.bound, "units": one.units, "units_done": one.done,
                   "generated": one.generated, "expanded": one.expanded,
                   "predicted": one.predicted, "complete": one.complete})
        })
        .collect();
    let cost = match status.end {
        Some(RunEnd::Plan(cost)) => Some(cost),
        Some(RunEnd::NoPlan) | None => None,
    };
    json!({"puzzle": fact(record, "puzzle"), "state": fact(record, "state"),
           "heuristic": fact(record, "heuristic"), "lower_bound": status.lower_bound,
           "plan_within": status.plan_within, "ended": status.end.is_some(), "cost": cost,
           "generated": status.generated, "rounds": status.rounds, "planned": status.planned,
           "seconds": status.seconds, "rate": status.rate, "seconds_left": status.seconds_left,
           "error": status.error, "bounds": bounds, "identity": record.identity.to_json()})
}

fn as_text(record: &Record, status: &proofs::RunStatus) -> String {
    let mut text = format!("{} {}\n", fact(record, "puzzle"), fact(record, "state"));
    for one in &status.bounds {
        let BoundStatus { bound, done, units, generated, predicted, complete, .. } = one;
        let nodes = grouped(*generated);
        let _ = match (complete, predicted) {
            (true, _) => writeln!(text, "bound {bound}: {nodes} nodes"),
            (false, None) => {
                writeln!(text, "bound {bound}: {done} of {units} units, {nodes} nodes")
            }
            (false, Some(all)) => {
                let all = grouped(whole(*all));
                writeln!(
                    text,
                    "bound {bound}: {done} of {units} units, {nodes} of about {all} nodes"
                )
            }
        };
    }
    if status.rounds > 0 {
        let rounds = record.rounds.len();
        let _ = write!(text, "{rounds} rounds of a search for plans");
        let _ = match status.planned {
            Some(cost) => writeln!(text, ", the best of {cost} (not replayed)"),
            None => writeln!(text, ", without a plan"),
        };
    } else if status.bounds.is_empty() {
        text += "no bound has units yet, so nothing is kept";
        return text;
    }
    if status.end.is_some() {
        text += "ended: ";
    }
    let _ = match status.end {
        Some(RunEnd::NoPlan) => write!(text, "there is no plan (proven)"),
        Some(RunEnd::Plan(_)) | None => write!(text, "at least {} (proven)", status.lower_bound),
    };
    if let Some(bound) = status.plan_within {
        let _ = write!(text, ", and a plan within {bound} is recorded (not replayed)");
    }
    let _ = write!(text, "; {} nodes, {:.0} s", grouped(status.generated), status.seconds);
    if let Some(rate) = status.rate {
        let _ = write!(text, ", {} nodes/s", grouped(whole(rate)));
    }
    if let Some(left) = status.seconds_left {
        let left = Duration::from_secs(whole(left));
        let _ = write!(text, "\nabout {} left in this bound", humantime::format_duration(left));
        if let Some(error) = status.error {
            let _ = write!(text, " (predictions so far were wrong by a factor of {error:.2})");
        }
    }
    text
}

/// A number without its fraction.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn whole(number: f64) -> u64 {
    number.round() as u64
}
