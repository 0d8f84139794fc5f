//! `fewest histogram`: how often each value occurs in the tables of a heuristic.

use super::output::{Output, grouped};
use super::shared_options::Format;
use super::verbs::HeuristicArgs;
use super::{Error, Exit};
use fewest::Job;
use search::CancelToken;
use serde_json::json;
use std::fmt::Write;

/// Columns of CSV, one row a value.
const COLUMNS: &str = "table value count entries bytes";

pub(super) fn run(verb: &HeuristicArgs, cancel: CancelToken) -> Result<Exit, Error> {
    let puzzle = verb.parts().configure(&verb.puzzle)?;
    let meter = verb.work.meter();
    let job = Job::default().cancel(cancel).watch(&meter);
    let tables = super::tables::tables_of(&*puzzle)?.histograms(&job)?;
    meter.clear();
    let mut output = Output::new(verb.work.output.format, "histogram", COLUMNS);
    for table in &tables {
        if output.format == Format::Csv {
            for (value, count) in table.counts.iter().enumerate() {
                let (name, entries, bytes) = (&table.table, table.entries, table.bytes);
                let row = || {
                    json!({"table": name, "value": value, "count": count, "entries": entries,
                           "bytes": bytes})
                };
                output.line(row, String::new)?;
            }
            continue;
        }
        output.line(
            || json!(table),
            || {
                let mut text = format!(
                    "{}: {} entries, {} bytes, mean {:.9}, maximum {}",
                    table.table,
                    grouped(table.entries),
                    grouped(table.bytes),
                    table.mean,
                    table.max
                );
                for (value, &count) in table.counts.iter().enumerate() {
                    let _ = write!(text, "\n{value:>4} {:>15}", grouped(count));
                }
                text
            },
        )?;
    }
    Ok(meter.exit())
}
