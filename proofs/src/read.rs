//! Reads journals: [`read`].

use crate::error::{JournalError, JournalErrorKind};
use crate::identity::Identity;
use crate::line::{Line, MAGIC, VERSION, checksum, unsealed};
use crate::record::{BoundRecord, Record};
use search::Cost;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A journal that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What it holds.
    pub record: Record,
    /// The bytes of its whole lines. What follows is a torn tail: a write that did not end.
    pub whole: u64,
    /// The checksum of the first line, with which the checksums of all others begin.
    pub(crate) seed: u32,
    /// The bound of the last line about a bound.
    pub(crate) open: Option<Cost>,
}

/// Reads a journal. A torn tail is left out. Another process may write to the file meanwhile.
///
/// Time and memory are linear in the file.
///
/// # Errors
/// If the file cannot be read, is no journal, or is damaged in its middle.
pub fn read(path: &Path) -> Result<Reading, JournalError> {
    let bytes = std::fs::read(path).map_err(JournalError::io(path, "read it"))?;
    read_text(&bytes).map_err(|kind| JournalError::new(path, kind))
}

/// Reads a journal from its bytes, as [`read`].
///
/// # Errors
/// What is wrong with it.
pub fn read_text(bytes: &[u8]) -> Result<Reading, JournalErrorKind> {
    if is_torn_begin(bytes) {
        return Err(JournalErrorKind::Empty);
    }
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let mut reading = first_line(first)?;
    // The first damaged line, which may be the begin of a torn tail.
    let mut damaged: Option<(usize, String)> = None;
    let mut at = first.len() as u64;
    for (line, number) in lines.zip(2..) {
        at += line.len() as u64;
        let read = whole(line, reading.seed);
        match (read, &damaged) {
            (Some(line), None) => {
                let added = reading.add(line);
                added.map_err(|what| what.at(number))?;
                reading.whole = at;
            }
            (None, None) => {
                damaged = Some((number, "its checksum is wrong, or it is no record".to_owned()));
            }
            (Some(_), Some((line, what))) => {
                return Err(JournalErrorKind::Damaged { line: *line, what: what.clone() });
            }
            (None, Some(_)) => {}
        }
    }
    Ok(reading)
}

/// Whether the file ends in the first line, so that it holds no result: the write of this line did
/// not end.
pub(crate) fn is_torn_begin(bytes: &[u8]) -> bool {
    // A loss of power may leave zeros in place of what was written.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let (text, begin) = (&bytes[..end], format!("{MAGIC} {VERSION} "));
    let common = end.min(begin.len());
    text[..common] == begin.as_bytes()[..common] && !text.contains(&b'\n')
}

/// A whole line; `None` if it is damaged.
fn whole(line: &[u8], seed: u32) -> Option<Line> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    Line::parse(unsealed(line, seed)?)
}

/// Reads the first line.
fn first_line(line: &[u8]) -> Result<Reading, JournalErrorKind> {
    let none = || JournalErrorKind::NoJournal { version: VERSION };
    let text = std::str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n'));
    let text = text.ok_or_else(none)?;
    let rest = text.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(none)?;
    let (version, _) = rest.split_once(' ').ok_or_else(none)?;
    if version != VERSION.to_string() {
        let found = version.chars().take(20).collect();
        return Err(JournalErrorKind::Version { expected: VERSION, found });
    }
    let text = unsealed(text, 0).ok_or_else(none)?;
    let json = text.get(MAGIC.len() + 1 + version.len() + 1..).ok_or_else(none)?;
    let json: Value = serde_json::from_str(json).map_err(|_| none())?;
    let identity = Identity::from_json(&json["identity"]).ok_or_else(none)?;
    let command = Identity::from_json(&json["command"]).ok_or_else(none)?;
    let record = Record { identity, command, ..Record::default() };
    Ok(Reading { record, whole: line.len() as u64, seed: checksum(text, 0), open: None })
}

/// The first line of a journal, without its checksum.
pub(crate) fn first_text(identity: &Identity, command: &Identity) -> String {
    let json = serde_json::json!({"identity": identity.to_json(), "command": command.to_json()});
    format!("{MAGIC} {VERSION} {json}")
}

/// What is wrong with a line whose checksum is right.
enum Wrong {
    Line(String),
    Record(JournalErrorKind),
}

impl Wrong {
    fn at(self, line: usize) -> JournalErrorKind {
        match self {
            Self::Line(what) => JournalErrorKind::Damaged { line, what },
            Self::Record(kind) => kind,
        }
    }
}

impl From<JournalErrorKind> for Wrong {
    fn from(kind: JournalErrorKind) -> Self {
        Self::Record(kind)
    }
}

/// The most units of all bounds that are read: far more than any search makes.
const MOST_UNITS: usize = 1 << 24;

impl Reading {
    /// Adds a line to the record.
    fn add(&mut self, line: Line) -> Result<(), Wrong> {
        let record = &mut self.record;
        let known = |bound| Wrong::Line(format!("bound {bound} has not begun"));
        match line {
            Line::Bound { bound, units, above, digest } => {
                let before: usize = record.bounds.iter().map(|bound| bound.units.len()).sum();
                if units > MOST_UNITS - before {
                    let what = format!("{units} units behind {before}, more than {MOST_UNITS}");
                    return Err(Wrong::Line(what));
                }
                let (units, plans) = (vec![None; units], BTreeSet::new());
                let new = BoundRecord { bound, above, digest, units, plans };
                match record.bounds.last() {
                    Some(last) if last.bound == bound => last.is_same(&new)?,
                    Some(last) if last.bound > bound => {
                        let what = format!("bound {bound} behind bound {}", last.bound);
                        return Err(Wrong::Line(what));
                    }
                    _ => record.bounds.push(new),
                }
                self.open = Some(bound);
            }
            Line::Unit { bound, unit, counts } => {
                record.bound_mut(bound).ok_or_else(|| known(bound))?.add(unit, counts)?;
            }
            Line::Plan { bound, unit, operators } => {
                let record = record.bound_mut(bound).ok_or_else(|| known(bound))?;
                if unit >= record.units.len() {
                    return Err(Wrong::Line(format!("bound {bound} has no unit {unit}")));
                }
                record.plans.insert((unit, operators));
            }
            Line::At { seconds, nodes } => record.times.push((seconds, nodes)),
            Line::Facts(facts) => {
                let settled = record.settle(&facts);
                let told = |error: JournalErrorKind| Wrong::Line(error.to_string());
                settled.map_err(told)?;
            }
            Line::Round { number, round } => match record.rounds.get(number) {
                Some(known) if *known == round => {}
                None if number == record.rounds.len() => record.rounds.push(round),
                _ => {
                    let rounds = record.rounds.len();
                    return Err(Wrong::Line(format!("round {number} behind {rounds} rounds")));
                }
            },
        }
        Ok(())
    }
}
