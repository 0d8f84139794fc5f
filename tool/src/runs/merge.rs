//! `fewest merge`: joins the journals of shares.

use crate::verbs::Merge;
use fewest::grouped;
use fewest::proofs::{self, MissingUnits};
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

/// Columns of CSV, one row.
const COLUMNS: &str = "files lower_bound bound units missing plans generated output";

/// How many numbers of missing units are printed.
const TOLD: usize = 10;

pub(crate) fn run(verb: &Merge) -> Result<Exit, Error> {
    let (record, missing) = proofs::merge(&verb.files)?;
    if let Some(path) = &verb.output {
        proofs::write(&record, path)?;
    }
    let last = record.bounds.last();
    let (bound, units) = last.map_or((0, 0), |last| (last.bound, last.units.len()));
    let plans = last.map_or(0, |last| last.plans.len());
    let gaps = missing.as_ref().map_or(&[][..], |missing| &missing.units);
    let mut output = Output::new(verb.format.format, "merge", COLUMNS);
    output.line(
        || {
            json!({"files": verb.files.len(), "lower_bound": record.lower_bound(), "bound": bound,
                   "units": units, "missing": gaps.len(), "missing_units": gaps, "plans": plans,
                   "generated": record.generated(),
                   "output": verb.output.as_ref().map(|path| path.display().to_string())})
        },
        || {
            let nodes = grouped(record.generated());
            let files = verb.files.len();
            let journals = if files == 1 { "journal" } else { "journals" };
            let found = match (&missing, plans) {
                (Some(missing), _) => told(missing),
                (None, 0) => format!("bound {bound} is complete, without a plan"),
                (None, _) => format!("bound {bound} has the plans that are wanted"),
            };
            format!("{files} {journals}, {nodes} nodes: {found}")
        },
    )?;
    Ok(if missing.is_some() { Exit::NotSolved } else { Exit::Done })
}

fn told(missing: &MissingUnits) -> String {
    let MissingUnits { bound, units, of } = missing;
    let numbers: Vec<String> = units.iter().take(TOLD).map(usize::to_string).collect();
    let more = if units.len() > TOLD { ", .." } else { "" };
    format!(
        "bound {bound} lacks {} of {} units, numbers {}{more}",
        grouped(units.len() as u64),
        grouped(*of as u64),
        numbers.join(", ")
    )
}
