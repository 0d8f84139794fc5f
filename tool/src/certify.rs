//! `fewest certify`: checks what a certificate proves, and says what it does not.

use super::ctrl_c::{Interrupt, at_once};
use super::options::Parts;
use super::runs;
use super::verbs::Certify;
use fewest::proofs::{Certificate, Claim, unseen};
use fewest::{
    CertificateReport, PlainCertificate, Request, certify, configure, grouped, plain_certificate,
};
use fewest_terminal::{Error, Exit, Output, note};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Columns of CSV, one row.
const COLUMNS: &str = "puzzle state claim cost lower_bound assumed holds faults units units_checked \
    generated unseen tables tables_proved bounds";

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

pub(super) fn run(verb: Certify, interrupt: &Interrupt) -> Result<Exit, Error> {
    let Certify { file, units, all, seed, plain, mut work } = verb;
    let refused = |what: &dyn std::fmt::Display| {
        Error::refused(format_args!("certificate {}: {what}", file.display()))
    };
    let length = file.metadata().map_err(|error| refused(&error))?.len();
    if length > MOST_BYTES {
        return Err(refused(&format_args!("{length} bytes, at most {MOST_BYTES} are read")));
    }
    let bytes = std::fs::read(&file).map_err(|error| refused(&error))?;
    let certificate = Certificate::read(&bytes).map_err(|error| refused(&error))?;
    let verb = runs::search(&certificate.command, &file, Vec::new(), &mut work)?;
    let settings = Parts { engine: Some(&work.engine), ..verb.parts() }.settings()?;
    let puzzle = &*at_once(|| configure(&verb.input.puzzle, &settings))?;
    let meter = work.meter();
    let request = Request::default().watch(&meter).cancel(interrupt.cancel.clone());
    if let Some(path) = plain {
        let written = plain_certificate(puzzle, &certificate, &request)?;
        return Ok(write_plain(&path, &written));
    }
    let number = if all { usize::MAX } else { units };
    let certified = certify(puzzle, &settings, &certificate, &request, (number, seed))?;
    let mut output = Output::new(work.output.format, "certify", COLUMNS);
    output.line(|| as_json(&certificate, &certified), || as_text(&certificate, &certified))?;
    for fault in &certified.faults {
        note(format_args!("fewest: certificate {}: {fault}", file.display()));
    }
    let proved = certified.tables.iter().all(|table| table.edges.is_some());
    Ok(match (certified.faults.is_empty(), proved) {
        (false, _) => Exit::Refused,
        (true, false) => Exit::NotSolved,
        (true, true) => Exit::Done,
    })
}

/// Writes a plain certificate to a file that did not exist.
fn write_plain(path: &Path, written: &PlainCertificate) -> Exit {
    if let Err(error) = runs::write_new(path, &written.text) {
        note(format_args!("fewest: --plain {}: {error}", path.display()));
        return Exit::Table;
    }
    note(match written.has_units {
        true => "It has the units of the search: fewest-check searches all of them, or some.",
        false => {
            "It has no units, because lines cannot say what the search reads: fewest-check \
             searches anew, with the tables of the file."
        }
    });
    Exit::Done
}

/// The probability that one bad unit in a hundred (at least one) is not among those searched.
fn missed(certified: &CertificateReport) -> f64 {
    unseen(certified.all_units, certified.units, certified.all_units.div_ceil(100))
}

fn as_json(certificate: &Certificate, certified: &CertificateReport) -> Value {
    let (claim, cost) = match &certificate.claim {
        Claim::Plan(_, cost) => ("plan", Some(cost)),
        Claim::NoPlan => ("no-plan", None),
        Claim::LowerBound => ("lower-bound", None),
    };
    let fact = |name: &str| certificate.identity.get(name).unwrap_or_default();
    let tables: Vec<Value> = certified
        .tables
        .iter()
        .map(|table| {
            json!({"name": table.name, "proved": table.edges.is_some(),
                            "edges": table.edges})
        })
        .collect();
    json!({"puzzle": fact("puzzle"), "state": fact("state"), "claim": claim, "cost": cost,
           "lower_bound": certificate.lower_bound, "assumed": certified.assumed,
           "holds": certified.faults.is_empty(), "faults": certified.faults,
           "bounds": certified.bounds, "units": certified.all_units,
           "units_checked": certified.units,
           "generated": certified.generated, "unseen": missed(certified),
           "tables": tables, "root": certificate.root(),
           "tables_proved": certified.tables.iter().filter(|one| one.edges.is_some()).count()})
}

fn as_text(certificate: &Certificate, certified: &CertificateReport) -> String {
    let mut text = String::new();
    let claim = match &certificate.claim {
        Claim::Plan(plan, cost) => format!("{}  (cost {cost}, optimal)", plan.join(" ")),
        Claim::NoPlan => "there is no plan".to_owned(),
        Claim::LowerBound => format!("no plan costs less than {}", certificate.lower_bound),
    };
    let fact = |name: &str| certificate.identity.get(name).unwrap_or_default();
    let _ = writeln!(text, "claim for {}, {}: {claim}", fact("puzzle"), fact("state"));
    if !certified.faults.is_empty() {
        text += "does not hold";
        return text;
    }
    if matches!(certificate.claim, Claim::Plan(..)) {
        text += "proved: the plan solves the state at this cost (replayed by the slow twin)\n";
    }
    for table in &certified.tables {
        let _ = match table.edges {
            Some(edges) => {
                let edges = grouped(edges);
                writeln!(text, "proved: table {} is admissible ({edges} edges)", table.name)
            }
            None => writeln!(text, "not proved: table {} (no proof of its kind)", table.name),
        };
    }
    if certified.assumed > 0 {
        let _ = writeln!(text, "assumed: no plan costs less than {}", certified.assumed);
    }
    let [all, some, nodes] =
        [certified.all_units as u64, certified.units as u64, certified.generated].map(grouped);
    let least = certificate.lower_bound;
    text += &match (certified.bounds, certified.all_units - certified.units) {
        (0, _) if certified.assumed >= least => "no bound is searched below that".to_owned(),
        (0, _) => format!(
            "proved: the search begins at bound {least}, as the heuristic says of the state, so no \
             bound is below it"
        ),
        (bounds, 0) if certified.all_units == 0 => {
            let plural = if bounds == 1 { "" } else { "s" };
            format!("proved: {bounds} bound{plural} below it searched again, too short for units")
        }
        (_, 0) => format!("proved: all {all} units searched again, {nodes} nodes"),
        _ => {
            let missed = missed(certified);
            format!(
                "sampled: {some} of {all} units searched again, {nodes} nodes; if 1% of the units \
                 were wrong, this would miss all of them with probability {missed:.2e}"
            )
        }
    };
    text
}
