//! Results on standard output, with the keys of `fewest`.

use super::Error;
use super::options::Format;
use fewest::{Ending, csv_row};
use fewest_cluster::{ClusterAnswer, Request};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard output.
pub(super) fn print(line: &impl Display) -> Result<(), Error> {
    let written = writeln!(std::io::stdout(), "{line}");
    written.map_err(|error| Error::refused(format_args!("standard output: {error}")))
}

/// Writes a line to standard error.
pub(super) fn print_note(line: impl Display) {
    eprintln!("fewest-cluster: {line}");
}

/// Writes results as text, JSON lines or CSV.
pub(super) struct Output {
    format: Format,
    /// The `type` of the JSON objects.
    kind: &'static str,
    /// The columns of CSV, with blanks between them.
    columns: &'static str,
    first: bool,
}

impl Output {
    pub(super) fn new(format: Format, kind: &'static str, columns: &'static str) -> Self {
        Self { format, kind, columns, first: true }
    }

    /// Writes a result. The first object has the version, and CSV begins with a header.
    pub(super) fn line(
        &mut self,
        object: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let first = std::mem::take(&mut self.first);
        match self.format {
            Format::Text => print(&text()),
            Format::Json => {
                let mut object = object();
                object["type"] = json!(self.kind);
                if first {
                    object["version"] = json!(1);
                }
                print(&object)
            }
            Format::Csv => {
                if first {
                    print(&self.columns.replace(' ', ","))?;
                }
                print(&csv_row(&object(), self.columns.split(' ')))
            }
        }
    }

    /// Writes a summary of the lines before. With CSV it goes to standard error.
    pub(super) fn summary(
        &mut self,
        object: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        if self.format == Format::Csv {
            print_note(text());
            return Ok(());
        }
        self.kind = "summary";
        self.line(object, text)
    }
}

/// The columns of an answer.
const ANSWER: &str = "state outcome length lower_bound generated expanded plans";

/// The answer as a row of CSV, with its header.
pub(super) fn as_csv(found: &ClusterAnswer, request: &Request) -> String {
    let mut object = as_json(found, request);
    object["plans"] = json!(found.answer.plans);
    format!("{}\n{}", ANSWER.replace(' ', ","), csv_row(&object, ANSWER.split(' ')))
}

/// The answer as one object. Beside the keys of `fewest solve`, it has `ranks`: what each rank did.
pub(super) fn as_json(found: &ClusterAnswer, request: &Request) -> Value {
    let answer = &found.answer;
    let mut object = json!(answer);
    object["type"] = json!("solve");
    object["version"] = json!(1);
    object["puzzle"] = json!(found.puzzle);
    object["state"] = json!(request.state);
    object["metric"] = json!(found.metric);
    object["threads"] = json!(request.threads);
    object["generated"] = json!(answer.generated());
    object["expanded"] = json!(answer.expanded());
    object["request"] = json!(1);
    object["ranks"] = json!(found.ranks);
    if let Some(plan) = answer.plans.first() {
        object["plan"] = json!(plan);
        object["length"] = json!(plan.len());
        object["cost"] = json!(answer.upper_bound);
    }
    let drop: &[&str] = match answer.plans.first() {
        None => &["plans", "costs", "complete", "optimal"],
        Some(_) if request.plans == 1 => &["plans", "costs", "complete"],
        Some(_) => &[],
    };
    if let Value::Object(keys) = &mut object {
        keys.retain(|key, _| !drop.contains(&key.as_str()));
    }
    object
}

/// The answer as text: a line for each plan, and what is proven.
pub(super) fn as_text(found: &ClusterAnswer) -> String {
    let answer = &found.answer;
    let (nodes, seconds) = (answer.generated(), answer.elapsed.as_secs_f64());
    let ranks = found.ranks.len();
    let plural = if ranks == 1 { "" } else { "s" };
    let effort = format!("{nodes} nodes, {seconds:.2} s, {ranks} rank{plural}");
    let least = answer.lower_bound;
    match answer.ending {
        Ending::Solved => {
            let plans: Vec<String> = answer.plans.iter().map(|plan| plan.join(" ")).collect();
            let moves = answer.plans.first().map_or(0, Vec::len);
            let all = if answer.complete { "" } else { ", not all" };
            format!("{}  ({moves} moves, optimal{all}; {effort})", plans.join("\n"))
        }
        Ending::Unsolvable => format!("no plan exists ({effort})"),
        Ending::Cancelled => format!("cancelled: at least {least} moves (proven); {effort}"),
        _ => format!("no plan within the limits: at least {least} moves (proven); {effort}"),
    }
}
