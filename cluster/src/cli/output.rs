//! Results on standard output, with the keys of `fewest`.

use super::Error;
use super::options::Format;
use fewest::{answer_object, answer_text, csv_row, effort_text};
use fewest_cluster::{ClusterAnswer, ClusterRequest};
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
pub(super) fn as_csv(found: &ClusterAnswer, request: &ClusterRequest) -> String {
    let mut object = answer_object(&found.info, &request.state, &found.answer, true);
    object["plans"] = json!(found.answer.plans);
    format!("{}\n{}", ANSWER.replace(' ', ","), csv_row(&object, ANSWER.split(' ')))
}

/// The answer as one object. Beside the keys of `fewest solve`, it has `ranks`: what each rank did.
pub(super) fn as_json(
    found: &ClusterAnswer,
    request: &ClusterRequest,
    goal: Option<&str>,
) -> Value {
    let plural = request.plans > 1;
    let mut object = answer_object(&found.info, &request.state, &found.answer, plural);
    object["type"] = json!("solve");
    object["version"] = json!(1);
    object["threads"] = json!(request.threads);
    object["request"] = json!(1);
    object["ranks"] = json!(found.ranks);
    if let Some(goal) = goal {
        object["goal"] = json!(goal);
    }
    object
}

/// The answer as text: a line for each plan, and what is proven.
pub(super) fn as_text(found: &ClusterAnswer, request: &ClusterRequest) -> String {
    let ranks = found.ranks.len();
    let plural = if ranks == 1 { "" } else { "s" };
    let effort = format!("{}, {ranks} rank{plural}", effort_text(&found.answer));
    answer_text(&found.answer, &effort, request.min_length, found.info.has_costs)
}
