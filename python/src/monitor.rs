//! What a running search or build has reached, for a callback in Python.

use fewest::search::Cost;
use fewest::{Event, Watch};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Collects the progress of one call from all its threads.
pub(crate) struct Monitor {
    started: Instant,
    latest: Mutex<Snapshot>,
}

/// The arguments of `fewest.Progress`.
#[derive(Clone, Default, IntoPyObject)]
pub(crate) struct Snapshot {
    /// `preparing`, `building`, `searching` or `done`.
    stage: &'static str,
    /// What is prepared, or the table that is built.
    what: String,
    /// The share of the work of this stage that is done, from 0 to 1, if it is known.
    fraction: Option<f64>,
    bound: Cost,
    pub(crate) lower_bound: Cost,
    pub(crate) upper_bound: Option<u64>,
    pub(crate) generated: u64,
    pub(crate) plan: Option<Vec<String>>,
    /// Remarks, such as that a table could not be saved.
    notes: Vec<String>,
    seconds: f64,
}

impl Monitor {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), latest: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Snapshot> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot { seconds: self.started.elapsed().as_secs_f64(), ..self.lock().clone() }
    }

    /// The last snapshot of a search with these results.
    pub(crate) fn done(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut latest = self.lock();
        (latest.stage, latest.fraction) = ("done", Some(1.0));
        latest.what.clear();
        change(&mut latest);
    }

    fn begin(&self, stage: &'static str, what: &str) {
        let mut latest = self.lock();
        (latest.stage, latest.fraction) = (stage, None);
        what.clone_into(&mut latest.what);
    }

    fn note(&self, note: String) {
        self.lock().notes.push(note);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn share(done: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| done as f64 / all as f64)
}

impl Watch for Monitor {
    fn event(&self, event: &Event<'_>) {
        match *event {
            Event::Preparing { what } => self.begin("preparing", what),
            Event::Building { table, .. } | Event::Waiting { table } => {
                self.begin("building", table);
            }
            Event::Ready { .. } => self.begin("searching", ""),
            Event::Layer { seen, total, .. } => self.lock().fraction = share(seen, total),
            Event::NotSaved { table, error } => {
                self.note(format!("the table {table} could not be saved: {error}"));
            }
            Event::NotKept { error } => {
                self.note(format!("the files of the work could not be saved or removed: {error}"));
            }
            Event::Search { bound, generated, lower_bound, tasks_done, tasks, .. } => {
                let mut latest = self.lock();
                latest.stage = "searching";
                latest.what.clear();
                latest.fraction =
                    if tasks > 1 { share(tasks_done as u64, tasks as u64) } else { None };
                latest.bound = bound;
                latest.lower_bound = latest.lower_bound.max(lower_bound);
                latest.generated = generated;
            }
            Event::Iteration { iteration } => self.lock().bound = iteration.bound,
            Event::Plan { plan, lower_bound, upper_bound, .. } => {
                let mut latest = self.lock();
                latest.upper_bound = Some(upper_bound);
                latest.lower_bound = latest.lower_bound.max(lower_bound);
                latest.plan = Some(plan.to_vec());
            }
            _ => {}
        }
    }
}
