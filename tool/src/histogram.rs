//! `fewest histogram`: how often each value occurs in the tables of a heuristic.

use super::bars;
use super::verbs::Histogram;
use fewest::search::CancelToken;
use fewest::{Chart, Request, grouped};
use fewest_terminal::{Error, Exit, Format, Output};
use serde_json::json;
use std::fmt::Write;

/// Columns of CSV, one row a value.
const COLUMNS: &str = "table value count entries bytes";

pub(super) fn run(verb: &Histogram, cancel: CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let guided = &verb.guided;
    let puzzle = guided.parts().configure(&guided.args.puzzle)?;
    let meter = guided.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let tables = super::tables::tables_of(&*puzzle)?.histograms(&request)?;
    meter.clear();
    let mut output = Output::new(guided.args.work.output.format, "histogram", COLUMNS);
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
                let greatest = table.counts.iter().copied().max().unwrap_or(0);
                for (value, &count) in table.counts.iter().enumerate() {
                    let _ = write!(text, "\n{value:>4} {:>15}", grouped(count));
                    if bars::wanted() {
                        let _ = write!(text, " {}", bars::bar(count.into(), greatest.into()));
                    }
                }
                text
            },
        )?;
    }
    verb.plot.draw(|| {
        let title = format!("{}: values of tables", puzzle.info().name);
        let chart = Chart::new(title, "value", "entries in per cent");
        tables.iter().fold(chart, |chart, table| chart.with_shares(&table.table, &table.counts))
    })?;
    Ok(meter.exit())
}
