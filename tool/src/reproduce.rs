//! `fewest reproduce`: the tables and figures of the papers, computed anew.

use super::ctrl_c::Interrupt;
use super::progress::Meter;
use super::verbs::Reproduce;
use fewest::{Chart, Settings, grouped};
use fewest_reproduce::{Agreement, Experiment, Findings, Kind, Lab, PAPERS, Paper, Quantity, Row};
use fewest_terminal::{Error, Exit, Output, note};
use serde_json::{Value, json};
use std::io;
use std::time::Instant;

/// Columns of CSV, one row a figure; with `--list` one row an experiment.
const COLUMNS: &str = "type name paper title seconds id what published ours deviation \
    standard_error samples kind verdict remark";

pub(super) fn run(verb: &Reproduce, interrupt: &Interrupt) -> Result<Exit, Error> {
    let chosen = chosen(verb)?;
    verb.plot.check()?;
    let mut output = Output::new(verb.work.output.format, "reproduce", COLUMNS);
    output.header()?;
    if verb.list {
        for (paper, experiment) in chosen {
            output.line(|| listed_json(paper, experiment), || listed_text(experiment))?;
        }
        return Ok(Exit::Done);
    }
    let mut settings = Settings::default();
    verb.work.engine.apply(&mut settings)?;
    let meter = verb.work.meter();
    let request = verb.limits.request().watch(&meter).cancel(interrupt.cancel.clone());
    let lab = Lab::new(request, settings);
    let mut table = Table { output, meter: &meter, exit: Exit::Done, charts: Vec::new() };
    for (paper, experiment) in chosen {
        let name = experiment.name;
        let mut findings =
            Reporter { table: &mut table, paper, experiment, since: Instant::now(), failed: None };
        let ended = (experiment.run)(&lab, &mut findings);
        let failed = findings.failed;
        meter.clear();
        if let Some(error) = failed {
            return Err(error.into());
        }
        ended.map_err(|failure| {
            let error = Error::from(failure);
            Error { message: format!("{name}: {}", error.message), ..error }
        })?;
    }
    if verb.plot.plot.is_some() {
        match &table.charts[..] {
            [] => return Err(Error::refused("these experiments draw no figure")),
            [chart] => verb.plot.draw(|| chart.clone())?,
            several => {
                let count = several.len();
                return Err(Error::refused(format!(
                    "{count} figures and one file: expected the name of one experiment"
                )));
            }
        }
    }
    Ok(table.exit.max(meter.exit()))
}

/// The experiments that the names mean. Without names: those that take less than a minute.
fn chosen(verb: &Reproduce) -> Result<Vec<(&'static Paper, &'static Experiment)>, Error> {
    let all =
        || PAPERS.iter().flat_map(|paper| paper.experiments.iter().map(move |one| (paper, one)));
    for name in &verb.names {
        if !all().any(|(_, one)| one.is_meant_by(name)) {
            return Err(Error::refused(format!(
                "unknown experiment {name:?}: expected a name, a paper or a claim that \
                 `fewest reproduce --list` prints"
            )));
        }
    }
    let is_named = |one: &Experiment| verb.names.iter().any(|name| one.is_meant_by(name));
    let everything = verb.all || verb.list;
    // A paper or a claim means quick experiments only, unless all are asked for.
    let is_own_name =
        |one: &Experiment| verb.names.iter().any(|name| one.name.eq_ignore_ascii_case(name));
    let wanted = |one: &Experiment| {
        let meant = verb.names.is_empty() || is_named(one);
        meant && (everything || one.is_quick() || is_own_name(one))
    };
    let chosen: Vec<_> = all().filter(|(_, one)| wanted(one)).collect();
    let left =
        all().filter(|(_, one)| verb.names.is_empty() || is_named(one)).count() - chosen.len();
    if left > 0 && !verb.work.progress.quiet {
        let take = if left == 1 { "experiment takes" } else { "experiments take" };
        note(format_args!("{left} {take} a minute or more: run by name, or all with --all"));
    }
    if chosen.is_empty() {
        return Err(Error::refused("nothing to run: expected --all, or the name of an experiment"));
    }
    Ok(chosen)
}

fn listed_json(paper: &Paper, experiment: &Experiment) -> Value {
    let Experiment { name, title, seconds, ids, .. } = experiment;
    let ids: Vec<&str> = ids.split(' ').collect();
    json!({"type": "experiment", "name": name, "paper": paper.title, "title": title,
           "seconds": seconds, "ids": ids, "quick": experiment.is_quick()})
}

fn listed_text(experiment: &Experiment) -> String {
    let Experiment { name, title, seconds, ids, .. } = experiment;
    let time = match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    };
    format!("{name:<20} {time:>6}  {title} ({ids})")
}

/// Where the rows of all experiments go.
struct Table<'a> {
    output: Output,
    meter: &'a Meter,
    exit: Exit,
    charts: Vec<Chart>,
}

/// Writes the rows of one experiment as they come.
struct Reporter<'a, 'b> {
    table: &'a mut Table<'b>,
    paper: &'static Paper,
    experiment: &'static Experiment,
    /// When the last row came.
    since: Instant,
    failed: Option<io::Error>,
}

impl Findings for Reporter<'_, '_> {
    fn row(&mut self, row: Row) {
        let seconds = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        if matches!(row.verdict, Agreement::Differs | Agreement::Unfinished) {
            self.table.exit = self.table.exit.max(Exit::NotSolved);
        }
        self.table.meter.clear();
        let (name, paper) = (self.experiment.name, self.paper.title);
        let object = || {
            let mut object = json!(row);
            object["name"] = json!(name);
            object["paper"] = json!(paper);
            object["seconds"] = json!(seconds);
            object
        };
        if self.failed.is_none() {
            self.failed = self.table.output.line(object, || as_text(&row)).err();
        }
    }
    fn chart(&mut self, chart: Chart) {
        self.table.charts.push(chart);
    }
}

/// A quantity for people: commas in whole numbers.
fn shown(quantity: Option<&Quantity>) -> String {
    match quantity {
        None => "-".to_owned(),
        Some(Quantity::Whole(number)) => grouped(*number),
        Some(other) => other.to_string(),
    }
}

fn as_text(row: &Row) -> String {
    let mut text = format!("{:<4} {}: {}", row.id, row.what, shown(row.ours.as_ref()));
    if let (Some(error), Some(samples)) = (row.standard_error, row.samples) {
        let decimals = match row.ours {
            Some(Quantity::Real(_, decimals)) => decimals,
            _ => 2,
        };
        text += &format!(" +- {error:.decimals$} ({} samples)", grouped(samples));
    }
    if row.published.is_some() {
        text += &format!("; published {}", shown(row.published.as_ref()));
    }
    let verdict = match (row.verdict, row.kind) {
        (Agreement::Agrees, _) => ", agrees",
        (Agreement::WrongAsPrinted, _) => ", wrong as printed",
        (Agreement::Differs, _) => ", DIFFERS",
        (Agreement::Unfinished, _) => ", unfinished",
        (_, Kind::History) => ", a fact of its time",
        _ => "",
    };
    text += verdict;
    if let Some(deviation) = row.deviation.filter(|_| row.verdict != Agreement::Agrees) {
        text += &format!(" ({:+.2}%)", 100.0 * deviation);
    }
    if !row.remark.is_empty() {
        text += &format!("\n     {}", row.remark);
    }
    text
}
