//! Reads certificates: [`Certificate::read`].

use super::text::{MAGIC, VERSION};
use super::{Certificate, Claim, TableMark};
use crate::Identity;
use crate::hex::{hex, unhex};
use crate::line::Line;
use crate::record::BoundRecord;
use search::Cost;
use std::collections::BTreeSet;

/// Why a text is no certificate. Lines are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct CertificateError {
    /// The line.
    pub line: usize,
    /// What is wrong with it, and what was expected.
    pub what: String,
}

impl Certificate {
    /// Reads the text of a certificate. Time and memory are linear in the text.
    ///
    /// # Errors
    /// If the text is not exactly what [`Certificate::text`] writes: it is edited, truncated, of
    /// another version, or no certificate.
    pub fn read(bytes: &[u8]) -> Result<Self, CertificateError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| at(1, "it is not UTF-8 text, expected a certificate"))?;
        let mut lines = CertificateLines { lines: text.lines(), number: 0 };
        let first = lines.next().unwrap_or_default();
        if first != format!("{MAGIC} {VERSION}") {
            let found: String = first.chars().take(40).collect();
            let version = found.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' '));
            if let Some(version) = version {
                let what =
                    format!("format version {version}, this program reads version {VERSION}");
                return Err(at(1, what));
            }
            return Err(at(1, format!("expected `{MAGIC} {VERSION}`, found {found:?}")));
        }
        check_end(text)?;
        let identity = lines.identity("identity")?;
        let command = lines.identity("command")?;
        let claim = lines.claim()?;
        let lower_bound = lines.value("lower-bound", str::parse::<Cost>)?;
        let mut certificate =
            Self { identity, command, claim, lower_bound, tables: Vec::new(), bounds: Vec::new() };
        while let Some(line) = lines.next() {
            if line.starts_with("root ") {
                break;
            }
            certificate.add(line).map_err(|what| at(lines.number, what))?;
        }
        // What was read has one text. So nothing was skipped, doubled or written in another form.
        let own = certificate.text();
        let differs = own.lines().zip(text.lines()).position(|(own, found)| own != found);
        match differs {
            Some(line) if own.lines().nth(line).is_some_and(|own| own.starts_with("root ")) => {
                Err(at(line + 1, "the Merkle root is not that of the bounds and units"))
            }
            Some(line) => Err(at(line + 1, "expected the form in which it is written")),
            None if own != text => Err(at(own.lines().count(), "expected no text behind it")),
            None => Ok(certificate),
        }
    }

    /// Adds a line about a table, a bound or a unit.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["table", name, fingerprint, payload] = words[..] {
            let hash =
                |text| unhex(text).ok_or_else(|| "expected 64 hexadecimal digits".to_owned());
            let (fingerprint, payload) = (hash(fingerprint)?, hash(payload)?);
            if self.tables.last().is_some_and(|last| &*last.name >= name) {
                return Err("expected the tables in the order of their names".to_owned());
            }
            self.tables.push(TableMark { name: name.to_owned(), fingerprint, payload });
            return Ok(());
        }
        match Line::parse(line) {
            Some(Line::Bound { bound, above, digest, .. }) => {
                let (units, plans) = (Vec::new(), BTreeSet::new());
                self.bounds.push(BoundRecord { bound, above, digest, units, plans });
                Ok(())
            }
            Some(Line::Unit { bound, unit, counts }) => {
                let last = self.bounds.last_mut().filter(|last| last.bound == bound);
                let last = last.filter(|last| last.units.len() == unit);
                let last = last.ok_or("expected the units of the last bound, in order")?;
                last.units.push(Some(counts));
                Ok(())
            }
            _ => Err("expected a table, a bound, a unit or the root".to_owned()),
        }
    }
}

fn at(line: usize, what: impl Into<String>) -> CertificateError {
    CertificateError { line, what: what.into() }
}

/// Checks the hash in the last line.
fn check_end(text: &str) -> Result<(), CertificateError> {
    let count = text.lines().count();
    let body = text.strip_suffix('\n').and_then(|text| text.rfind('\n'));
    let (body, end) = body.map_or(("", text), |at| text.split_at(at + 1));
    let Some(end) = end.strip_prefix("end ").and_then(|end| end.strip_suffix('\n')) else {
        return Err(at(count, "expected the line `end HASH`: the file is truncated"));
    };
    if hex(blake3::hash(body.as_bytes()).as_bytes()) != end {
        return Err(at(count, "the hash is not that of the file: it is damaged or edited"));
    }
    Ok(())
}

struct CertificateLines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> CertificateLines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.number += 1;
        self.lines.next()
    }

    /// The value of the next line, which must begin with `word`.
    fn value<T, E>(
        &mut self,
        word: &str,
        parse: impl FnOnce(&'a str) -> Result<T, E>,
    ) -> Result<T, CertificateError> {
        let line = self.next().unwrap_or_default();
        let value = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        let parsed = value.and_then(|value| parse(value).ok());
        parsed.ok_or_else(|| at(self.number, format!("expected `{word} VALUE`")))
    }

    fn identity(&mut self, word: &str) -> Result<Identity, CertificateError> {
        self.value(word, |json| {
            let json = serde_json::from_str(json).map_err(|_| ())?;
            Identity::from_json(&json).ok_or(())
        })
    }

    fn claim(&mut self) -> Result<Claim, CertificateError> {
        let claim = self.value("claim", |claim| Ok::<_, ()>(claim.to_owned()))?;
        match claim.strip_prefix("plan ").map(str::parse) {
            Some(Ok(cost)) => {
                let plan = self.value("plan", |plan| Ok::<_, ()>(plan.to_owned()))?;
                let plan = if plan == "-" { Vec::new() } else { names(&plan) };
                Ok(Claim::Plan(plan, cost))
            }
            None if claim == "no-plan" => Ok(Claim::NoPlan),
            None if claim == "lower-bound" => Ok(Claim::LowerBound),
            _ => Err(at(self.number, "expected plan COST, no-plan or lower-bound")),
        }
    }
}

fn names(plan: &str) -> Vec<String> {
    plan.split(' ').map(str::to_owned).collect()
}
