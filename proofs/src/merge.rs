//! Joins the journals of several shares of one run: [`merge`].

use crate::error::{JournalError, JournalErrorKind};
use crate::line::{Line, checksum, sealed};
use crate::read::{first_text, read};
use crate::record::{BoundRecord, Record};
use search::{Cost, PlanRound};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Units of a bound that no journal has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingUnits {
    /// The bound.
    pub bound: Cost,
    /// The numbers of the units, in ascending order.
    pub units: Vec<usize>,
    /// The number of all units of the bound.
    pub of: usize,
}

/// Joins the journals of one run. Returns the joined record, and what is missing in its last bound;
/// `None` if that is complete, or has as many plans as the run wants.
///
/// Units that several journals have must have the same results in all of them.
///
/// # Errors
/// If a journal cannot be read, is of another run than the first, has other units for a bound, or
/// another result for a unit.
pub fn merge(paths: &[PathBuf]) -> Result<(Record, Option<MissingUnits>), JournalError> {
    let mut whole: Option<Record> = None;
    for path in paths {
        let record = read(path)?.record;
        match &mut whole {
            None => whole = Some(record),
            Some(whole) => {
                whole.join(&record).map_err(|kind| JournalError::new(path, kind))?;
            }
        }
    }
    let whole = whole.unwrap_or_default();
    let missing = whole.missing();
    Ok((whole, missing))
}

impl Record {
    /// Adds the results of another journal of the same run.
    fn join(&mut self, other: &Self) -> Result<(), JournalErrorKind> {
        if let Some((fact, expected, found)) = self.identity.difference(&other.identity) {
            let [fact, found, expected] = [fact, found, expected].map(str::to_owned);
            return Err(JournalErrorKind::OtherRun { fact, found, expected });
        }
        for bound in &other.bounds {
            match self.bound_mut(bound.bound) {
                None => self.bounds.push(bound.clone()),
                Some(own) => {
                    own.is_same(bound)?;
                    for (unit, counts) in bound.units.iter().enumerate() {
                        counts.map_or(Ok(()), |counts| own.add(unit, counts))?;
                    }
                    own.plans.extend(bound.plans.iter().cloned());
                }
            }
        }
        self.bounds.sort_by_key(|bound| bound.bound);
        let both = self.rounds.len().min(other.rounds.len());
        if let Some(round) = (0..both).find(|&at| self.rounds[at] != other.rounds[at]) {
            let told = |rounds: &[PlanRound]| {
                Line::Round { number: round, round: rounds[round].clone() }.text()
            };
            let (found, expected) = (told(&other.rounds), told(&self.rounds));
            let fact = format!("round {round}");
            return Err(JournalErrorKind::OtherRun { fact, found, expected });
        }
        self.rounds.extend_from_slice(&other.rounds[both..]);
        // The shares are searched at the same time or one after the other: nobody can say.
        self.times.clear();
        Ok(())
    }

    /// The units that are missing in the first bound that is not complete. `None` if there is no
    /// such bound, or it has as many plans as the run wants.
    pub fn missing(&self) -> Option<MissingUnits> {
        let open = self.bounds.iter().find(|bound| !bound.is_complete())?;
        let BoundRecord { bound, units, plans, .. } = open;
        let missing = (0..units.len()).filter(|&unit| units[unit].is_none());
        let missing = MissingUnits { bound: *bound, units: missing.collect(), of: units.len() };
        (plans.len() < self.wanted()).then_some(missing)
    }
}

/// Writes a record as a new journal.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn write(record: &Record, path: &Path) -> Result<(), JournalError> {
    let mut file = File::create_new(path).map_err(JournalError::io(path, "create it"))?;
    let written = file.write_all(text(record).as_bytes()).and_then(|()| file.sync_all());
    written.map_err(JournalError::io(path, "write to it"))
}

/// The text of a journal with this record.
fn text(record: &Record) -> String {
    let first = first_text(&record.identity, &record.command);
    let (seed, mut text) = (checksum(&first, 0), sealed(&first, 0));
    let mut push = |line: Line| text += &sealed(&line.text(), seed);
    for (number, round) in record.rounds.iter().enumerate() {
        push(Line::Round { number, round: round.clone() });
    }
    for one in &record.bounds {
        let BoundRecord { bound, above, digest, .. } = *one;
        push(Line::Bound { bound, units: one.units.len(), above, digest });
        for (unit, counts) in one.units.iter().enumerate() {
            counts.iter().for_each(|&counts| push(Line::Unit { bound, unit, counts }));
        }
        for (unit, operators) in one.plans.iter().cloned() {
            push(Line::Plan { bound, unit, operators });
        }
    }
    text
}
