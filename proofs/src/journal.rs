//! Keeps the results of a run in a file: [`Journal`].

use crate::error::{JournalError, JournalErrorKind};
use crate::identity::Identity;
use crate::line::{Line, checksum, sealed};
use crate::locked_file::JournalFile;
use crate::read::{Reading, first_text};
use crate::record::{BoundRecord, Record};
use crate::share::Share;
use search::{Cost, Frontier, KnownUnits, Op, PlanRound, UnitCounts, Units};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// The longest time for which results stay in this process alone.
const WRITE: Duration = Duration::from_millis(200);
/// The longest time for which results are in the file, and maybe not on the disk.
const SYNC: Duration = Duration::from_secs(5);
/// Facts that a run may know only after it began.
const LATE: [&str; 3] = ["heuristic", "tables", "planner"];
/// The least time between two lines about the time.
const TELL: Duration = Duration::from_secs(2);

/// The results of a run, kept in memory and in a file. Give it to a search as
/// [`search::Options::units`].
///
/// A line is appended for each unit that is searched. Lines are written to the file five times a
/// second and at the end of each bound. The file is written to the disk every 5 seconds, and when
/// the journal is dropped. A process that is killed loses what it searched since, and the units
/// that it had not searched to their end.
///
/// While the journal is open, no other process can open the same file.
///
/// Of a fault, such as a full disk, the search is told at once ([`Units::is_over`]), and
/// [`Journal::fault`] says what it was.
#[derive(Debug)]
pub struct Journal {
    share: Share,
    next: AtomicUsize,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// `None` if the results are kept in memory alone.
    file: Option<(File, PathBuf)>,
    record: Record,
    seed: u32,
    /// The last bound that the file has.
    open: Option<Cost>,
    /// The bound that is searched.
    current: Cost,
    /// Lines that are not written yet.
    waiting: String,
    written: Instant,
    synced: Instant,
    /// When a line last told the time. `None` at first.
    told: Option<Instant>,
    /// The begin of the search, and the seconds of earlier runs.
    began: Instant,
    before: f64,
    fault: Option<JournalError>,
}

impl Journal {
    /// Opens the journal of a run at a path, as [`JournalFile::open`] and [`Journal::begin`].
    ///
    /// # Errors
    /// Those of both.
    pub fn open(
        path: &Path,
        identity: &Identity,
        command: &Identity,
        share: Share,
    ) -> Result<Self, JournalError> {
        Self::begin(JournalFile::open(path)?, identity, command, share)
    }

    /// Goes on with the journal of a run in a file. If the file holds nothing, begins it.
    /// `command` is for [`Record::command`] of a file that begins.
    ///
    /// # Errors
    /// If the file is of another run, or cannot be written. A torn tail is cut off.
    pub fn begin(
        file: JournalFile,
        identity: &Identity,
        command: &Identity,
        share: Share,
    ) -> Result<Self, JournalError> {
        let JournalFile { mut file, path, length, reading } = file;
        let fresh = Inner::new(identity, command);
        let Some(Reading { record, whole, seed, open }) = reading else {
            let emptied = file.set_len(0).and_then(|()| file.rewind());
            emptied.map_err(JournalError::io(&path, "empty it"))?;
            let text = first_text(identity, command);
            let (seed, waiting) = (checksum(&text, 0), sealed(&text, 0));
            let mut journal = Inner { file: Some((file, path)), seed, waiting, ..fresh };
            journal.write(true);
            return match journal.fault {
                Some(fault) => Err(fault),
                None => Ok(Self::of(journal, share)),
            };
        };
        // Facts that one of both does not know yet are compared when it does.
        let differs = record.identity.difference_beside(&LATE, identity);
        if let Some((fact, found, expected)) = differs {
            let [fact, found, expected] = [fact, found, expected].map(str::to_owned);
            let kind = JournalErrorKind::OtherRun { fact, found, expected };
            return Err(JournalError::new(&path, kind));
        }
        if whole < length {
            file.set_len(whole).map_err(JournalError::io(&path, "cut its torn tail"))?;
        }
        file.seek(SeekFrom::End(0)).map_err(JournalError::io(&path, "find its end"))?;
        let before = record.times.last().map_or(0.0, |&(seconds, _)| seconds);
        let file = Some((file, path));
        let journal = Self::of(Inner { file, record, seed, open, before, ..fresh }, share);
        journal.settle(identity);
        Ok(journal)
    }

    /// A journal in memory alone.
    pub fn in_memory(identity: &Identity, share: Share) -> Self {
        Self::of(Inner::new(identity, &Identity::new()), share)
    }

    fn of(inner: Inner, share: Share) -> Self {
        Self { share, next: AtomicUsize::new(0), inner: Mutex::new(inner) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic of another thread leaves no half-made record.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The results so far.
    pub fn record(&self) -> Record {
        self.lock().record.clone()
    }

    /// Adds facts of the identity that were not known when the journal was opened. If it has
    /// others, that is a fault.
    pub fn settle(&self, facts: &Identity) {
        let mut inner = self.lock();
        match inner.record.settle(facts) {
            Ok(new) if new == Identity::new() => {}
            Ok(new) => inner.push(&Line::Facts(new)),
            Err(kind) => inner.fail(kind),
        }
    }

    /// The rounds of the search for plans so far.
    pub fn rounds(&self) -> Vec<PlanRound> {
        self.lock().record.rounds.clone()
    }

    /// Adds a round, and writes it to the file.
    pub fn round(&self, round: &PlanRound) {
        let mut inner = self.lock();
        let number = inner.record.rounds.len();
        inner.push(&Line::Round { number, round: round.clone() });
        inner.record.rounds.push(round.clone());
        inner.write(false);
    }

    /// Why the journal takes no more results. `None` if it does.
    pub fn fault(&self) -> Option<JournalError> {
        self.lock().fault.clone()
    }

    /// Writes everything that waits to the disk.
    ///
    /// # Errors
    /// [`Journal::fault`].
    pub fn flush(&self) -> Result<(), JournalError> {
        let mut inner = self.lock();
        inner.told = None;
        inner.write(true);
        inner.fault.clone().map_or(Ok(()), Err)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

impl Inner {
    fn new(identity: &Identity, command: &Identity) -> Self {
        let (identity, command) = (identity.clone(), command.clone());
        let now = Instant::now();
        Self {
            file: None,
            record: Record { identity, command, ..Record::default() },
            seed: 0,
            open: None,
            current: 0,
            waiting: String::new(),
            written: now,
            synced: now,
            told: None,
            began: now,
            before: 0.0,
            fault: None,
        }
    }

    /// Adds a line to the text that is to be written.
    fn push(&mut self, line: &Line) {
        if self.file.is_some() && self.fault.is_none() {
            self.waiting += &sealed(&line.text(), self.seed);
        }
    }

    /// Adds a line about the time, if there are nodes since the last one, and it is old.
    fn tell_time(&mut self) {
        let early = self.told.is_some_and(|told| told.elapsed() < TELL);
        let is_empty = self.record.bounds.is_empty() && self.record.rounds.is_empty();
        if self.file.is_none() || is_empty || early {
            return;
        }
        self.told = Some(Instant::now());
        let nodes = self.record.generated();
        if self.record.times.last().is_some_and(|&(_, known)| known == nodes) {
            return;
        }
        let seconds = self.before + self.began.elapsed().as_secs_f64();
        // As it is read again.
        let seconds = (seconds * 1e3).round() / 1e3;
        self.record.times.push((seconds, nodes));
        self.push(&Line::At { seconds, nodes });
    }

    /// Writes all lines that wait to the file, and the file to the disk if `sync` is true or that
    /// is due.
    fn write(&mut self, sync: bool) {
        self.written = Instant::now();
        self.tell_time();
        let sync = sync || self.synced.elapsed() >= SYNC;
        let Some((file, path)) = self.file.as_mut().filter(|_| self.fault.is_none()) else {
            return;
        };
        let mut written = file.write_all(self.waiting.as_bytes());
        if sync {
            self.synced = self.written;
            written = written.and_then(|()| file.sync_data());
        }
        match written {
            Ok(()) => self.waiting.clear(),
            Err(error) => self.fault = Some(JournalError::io(path, "write to it")(error)),
        }
    }

    /// Writes if lines have waited for long.
    fn write_if_due(&mut self) {
        if self.written.elapsed() >= WRITE {
            self.write(false);
        }
    }

    fn fail(&mut self, kind: JournalErrorKind) {
        let path = self.file.as_ref().map_or(Path::new("in memory"), |(_, path)| path);
        let fault = JournalError::new(path, kind);
        self.fault.get_or_insert(fault);
    }

    /// Makes a bound the current one, and returns its record.
    ///
    /// # Errors
    /// If the journal has other units for this bound.
    fn bound(&mut self, frontier: &Frontier<'_>) -> Result<&BoundRecord, JournalErrorKind> {
        let new = BoundRecord::new(frontier);
        let bound = frontier.bound;
        self.current = bound;
        let known = match self.record.bound(bound) {
            Some(known) => {
                new.is_same(known)?;
                true
            }
            None => false,
        };
        if self.open.is_none_or(|open| open < bound) {
            let (units, above, digest) = (new.units.len(), new.above, new.digest);
            self.push(&Line::Bound { bound, units, above, digest });
            self.open = Some(bound);
        }
        if !known {
            self.record.bounds.push(new);
        }
        Ok(self.record.bound(bound).unwrap_or_else(|| unreachable!("just pushed")))
    }
}

impl Units for Journal {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        self.next.store(0, Relaxed);
        let mut inner = self.lock();
        let record = match inner.bound(frontier) {
            Ok(record) => record,
            Err(kind) => {
                inner.fail(kind);
                return KnownUnits { left: (0..frontier.paths.len()).collect(), ..<_>::default() };
            }
        };
        let counts = record.units.iter().enumerate();
        let counts = counts.filter_map(|(unit, counts)| Some((unit, (*counts)?))).collect();
        let left = (0..record.units.len()).filter(|&unit| !self.share.has(unit, frontier.before));
        // A unit that is not searched completely finds its plans again.
        let enough = record.plans.len() >= frontier.wanted;
        let plans = record.plans.iter().filter(|(unit, _)| enough || record.units[*unit].is_some());
        let plans = plans.map(|(_, plan)| plan.iter().map(|&op| Op(op)).collect()).collect();
        KnownUnits { counts, left: left.collect(), plans }
    }

    fn claim(&self) -> usize {
        self.next.fetch_add(1, Relaxed)
    }

    fn searched(&self, unit: usize, counts: UnitCounts) {
        let mut inner = self.lock();
        let bound = inner.current;
        let Some(record) = inner.record.bound_mut(bound) else { return };
        match record.add(unit, counts) {
            Ok(()) => inner.push(&Line::Unit { bound, unit, counts }),
            Err(kind) => inner.fail(kind),
        }
        inner.write_if_due();
    }

    fn found(&self, unit: usize, plan: &[Op]) {
        let mut inner = self.lock();
        let (bound, operators) = (inner.current, plan.iter().map(|op| op.0).collect::<Vec<_>>());
        let Some(record) = inner.record.bound_mut(bound) else { return };
        if record.plans.insert((unit, operators.clone())) {
            inner.push(&Line::Plan { bound, unit, operators });
        }
        inner.write_if_due();
    }

    fn refused(&self, plan: &[Op]) {
        let mut inner = self.lock();
        let bound = inner.current;
        let same = |known: &[u16]| known.iter().copied().eq(plan.iter().map(|op| op.0));
        let mut plans = inner.record.bound(bound).into_iter().flat_map(|record| &record.plans);
        let unit = plans.find(|(_, known)| same(known)).map(|(unit, _)| *unit);
        let mut rounds = inner.record.rounds.iter();
        let round = rounds.position(|round| round.plan.as_deref() == Some(plan));
        inner.fail(match (unit, round) {
            (None, Some(round)) => JournalErrorKind::WrongRound { round },
            (unit, _) => JournalErrorKind::WrongPlan { bound, unit: unit.unwrap_or(0) },
        });
    }

    fn is_over(&self) -> bool {
        let mut inner = self.lock();
        inner.write_if_due();
        inner.fault.is_some()
    }

    fn close(&self, _complete: bool) -> KnownUnits {
        let mut inner = self.lock();
        // The end of a bound is told, however short it was.
        inner.told = None;
        inner.write(false);
        KnownUnits::default()
    }
}
