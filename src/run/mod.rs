//! A request while it is worked on: [`Run`]. It alone times, counts bytes and collects plans.

mod checks;
mod range;
mod remote;
mod results;
mod search;
mod stages;
mod stream;
mod views;

pub(crate) use checks::Checks;
pub(crate) use range::{AtMost, PlanRange, is_simple};
pub(crate) use remote::search_remote;
pub(crate) use results::Results;
pub(crate) use search::Automata;
pub(crate) use stream::PlanStream;

use crate::puzzle::{Answer, Ending, Event, Events, Failure, Request, Result};
use crate::timing::Stopwatch;
use crate::words::hex;
use ::search::{CancelToken, PlanFilter, PlanListener};
use pdb::file::Checkpoint;
use pdb::{BuildError, BuildOptions};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// The work for one request, and its results so far. The next search continues from them.
pub(crate) struct Run<'a> {
    /// What the caller wants. A part of the work may want less: [`Run::with`].
    pub(crate) request: Request<'a>,
    /// The instant at which [`Request::deadline`] is over. `None` without one.
    due: Option<Instant>,
    /// If `Some`, mapped tables are checked on threads of their own while the search reads them.
    /// If `None`, they are checked before the search.
    checks: Option<Checks>,
    /// Receives the plans that a search finds, as operators.
    listener: Option<&'a PlanListener<'a>>,
    /// Which plans count in a search for plans above the least cost.
    filter: Option<&'a PlanFilter<'a>>,
    /// The generated nodes after which no iteration begins.
    pause: Option<u64>,
    /// Microseconds of preparation so far.
    prepared: Arc<AtomicU64>,
    /// The names and fingerprints of the tables that were loaded or built.
    tables: Arc<Mutex<BTreeMap<String, String>>>,
    results: Results,
}

impl<'a> Run<'a> {
    /// The work for a request, which has not begun. It has no deadline.
    pub(crate) fn new(request: &Request<'a>) -> Self {
        Self {
            request: request.clone(),
            due: None,
            checks: None,
            listener: None,
            filter: None,
            pause: None,
            prepared: Arc::default(),
            tables: Arc::default(),
            results: Results::default(),
        }
    }

    /// Runs the work for one state on the threads of the request, and ends it at the deadline.
    ///
    /// # Errors
    /// If the threads cannot be started. Otherwise the errors of `work`.
    pub(crate) fn solve(
        request: &Request<'_>,
        work: impl FnOnce(&mut Run<'_>) -> Result<Answer> + Send,
    ) -> Result<Answer> {
        let (answer, is_late) = Run::on_threads(request, |run| Ok((work(run)?, run.is_late())))?;
        let cancelled = answer.ending == Ending::Cancelled && !request.cancel.is_cancelled();
        Ok(match cancelled && is_late {
            true => Answer { ending: Ending::LimitReached, ..answer },
            false => answer,
        })
    }

    /// Runs any work on the threads of the request, and cancels it at the deadline.
    ///
    /// # Errors
    /// If the threads cannot be started. Otherwise the errors of `work`.
    pub(crate) fn on_threads<T: Send>(
        request: &Request<'_>,
        work: impl FnOnce(&mut Run<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        let mut run = Run::new(request);
        run.due = request.deadline.and_then(|time| Instant::now().checked_add(time));
        run.request.cancel = request.cancel.child_within(request.deadline);
        match request.threads {
            None => work(&mut run),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let failed = |error| Failure::refused(format_args!("no threads: {error}"));
                pool.map_err(failed)?.install(|| work(&mut run))
            }
        }
    }

    /// Runs a part of the work, for which `change` changes the request. The results of the part are
    /// those of this run.
    pub(crate) fn with<'b, T>(
        &mut self,
        change: impl FnOnce(&mut Request<'b>),
        work: impl FnOnce(&mut Run<'b>) -> T,
    ) -> T
    where
        'a: 'b,
    {
        self.part(|run| change(&mut run.request), work)
    }

    fn part<'b, T>(
        &mut self,
        change: impl FnOnce(&mut Run<'b>),
        work: impl FnOnce(&mut Run<'b>) -> T,
    ) -> T
    where
        'a: 'b,
    {
        let mut part: Run<'b> = Run {
            request: self.request.clone(),
            checks: self.checks.clone(),
            prepared: Arc::clone(&self.prepared),
            tables: Arc::clone(&self.tables),
            results: std::mem::take(&mut self.results),
            ..*self
        };
        change(&mut part);
        let done = work(&mut part);
        self.results = part.results;
        done
    }

    /// Runs a part of the work with results of its own.
    pub(crate) fn with_results<T>(
        &mut self,
        results: &mut Results,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        std::mem::swap(&mut self.results, results);
        let done = work(self);
        std::mem::swap(&mut self.results, results);
        done
    }

    /// Tells the caller a step of progress.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        self.request.watch.event(event);
    }

    /// Receives what searches and builds report, and tells it.
    pub(crate) fn events(&self) -> Events<'a> {
        Events(self.request.watch)
    }

    /// Whether the deadline is over.
    fn is_late(&self) -> bool {
        self.due.is_some_and(|due| Instant::now() >= due)
    }

    /// Seconds until the deadline. Infinite without one.
    pub(crate) fn seconds_left(&self) -> f64 {
        self.due.map_or(f64::INFINITY, |due| {
            due.saturating_duration_since(Instant::now()).as_secs_f64()
        })
    }

    /// Runs work that comes before tables and searches: finding groups, choosing tables, learning
    /// forbidden strings.
    ///
    /// Its time counts against the limit of time. Time in which tables are built does not, so
    /// `work` must not build any.
    ///
    /// # Errors
    /// [`Failure::Time`] if the limit of time ended the work. Otherwise the errors of `work`.
    pub(crate) fn prepare<T>(
        &self,
        what: &str,
        work: impl FnOnce(&CancelToken) -> Result<T>,
    ) -> Result<T> {
        let (started, cancel) = self.begin_preparing(what);
        let result = work(&cancel);
        self.end_preparing(started);
        result.map_err(|failure| match failure.is_cancelled() {
            true if !self.request.cancel.is_cancelled() => Failure::Time,
            _ => failure,
        })
    }

    /// The time at which a preparation begins, and a token that limits its time.
    fn begin_preparing(&self, what: &str) -> (Instant, CancelToken) {
        self.tell(&Event::Preparing { what });
        let started = Instant::now();
        let left = self.request.limits.time.map(|time| time.saturating_sub(self.preparation()));
        (started, self.request.cancel.child_within(left))
    }

    fn end_preparing(&self, started: Instant) {
        let spent = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.prepared.fetch_add(spent, Relaxed);
    }

    /// The time of all preparation so far.
    pub(crate) fn preparation(&self) -> Duration {
        Duration::from_micros(self.prepared.load(Relaxed))
    }

    /// Loads or builds tables, and adds the time to that of all tables.
    ///
    /// # Errors
    /// Those of `obtain`.
    pub(crate) fn tables<T>(&mut self, obtain: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let stopwatch = Stopwatch::start();
        let tables = obtain(self);
        self.results.tables += stopwatch.wall();
        tables
    }

    /// Builds a small table that has no file and tells no progress.
    pub(crate) fn build<T>(
        &self,
        table: &str,
        build: impl FnOnce(&BuildOptions<'_>) -> Result<T, BuildError>,
    ) -> Result<T> {
        let cancel = Some(&self.request.cancel);
        build(&BuildOptions { cancel, ..BuildOptions::default() })
            .map_err(|error| Failure::Build { table: table.to_owned(), error })
    }

    /// The options of a build that is kept in `checkpoint` and tells its progress.
    pub(crate) fn build_options<'s>(
        &'s self,
        checkpoint: Option<&'s Checkpoint>,
        events: &'s Events<'s>,
    ) -> BuildOptions<'s> {
        BuildOptions {
            cancel: Some(&self.request.cancel),
            observer: Some(events),
            checkpoint,
            team: self.request.team.map(|team| team as _),
        }
    }

    /// Refuses work that no team does together.
    pub(crate) fn alone(&self, work: &str) -> Result<()> {
        match self.request.team {
            None => Ok(()),
            Some(_) => Err(Failure::refused(format_args!("{work}: only one process does this"))),
        }
    }

    /// Notes a table that the search reads, with its payload. A table that is read a second time,
    /// as after a build that ended in a file, counts once.
    pub(crate) fn note_table(&self, spec: &pdb::file::TableSpec, payload: &[u8]) {
        // A panic of another thread leaves no half-made entry.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let before = tables.insert(spec.name.clone(), hex(&spec.fingerprint()));
        drop(tables);
        if let Some(keeper) = self.request.keeper
            && keeper.hashes_tables()
            && before.is_none()
        {
            let (name, fingerprint) = (spec.name.clone(), spec.fingerprint());
            keeper.table(proofs::TableMark::new(name, fingerprint, payload));
        }
    }

    /// Proves a table, if the keeper wants it.
    pub(crate) fn prove_table(
        &self,
        table: &str,
        prove: impl FnOnce(&CancelToken) -> Result<u64, pdb::Unproved>,
    ) {
        if let Some(keeper) = self.request.keeper
            && keeper.proves_tables()
        {
            let proof = prove(&self.request.cancel);
            keeper.proved(table, proof.map_err(|unproved| unproved.to_string()));
        }
    }
}
