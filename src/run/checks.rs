//! Checks mapped tables while searches read them: [`Checks`].

use super::Run;
use crate::puzzle::{Event, Failure, Result, Watch};
use pdb::file::{ChunkCheck, TableError};
use search::{CancelToken, Iteration, Outcome};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a search that waits for checks looks whether it is cancelled.
const PAUSE: Duration = Duration::from_millis(10);

/// The running checks of one puzzle's tables. Clones share them.
///
/// A check takes as long as reading the file, so it runs on a thread of its own. A search may read
/// the table meanwhile, but its result is returned only after all checks have passed.
#[derive(Clone, Default)]
pub(crate) struct Checks(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    /// The first fault that a check found. It is kept for good, since the damaged table stays in
    /// memory.
    fault: Option<TableError>,
    /// The tokens of the searches that run now. A fault cancels them.
    searches: Vec<CancelToken>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a check to its end.
    fn run(&self, check: &ChunkCheck) {
        let result = check.run(&CancelToken::new());
        let mut state = self.lock();
        state.running -= 1;
        if let Err(error) = result {
            state.fault.get_or_insert(error);
            state.searches.iter().for_each(CancelToken::cancel);
        }
        self.changed.notify_all();
    }
}

impl Checks {
    /// Starts a check on a thread of its own.
    pub(crate) fn start(&self, check: ChunkCheck) {
        self.0.lock().running += 1;
        let (shared, check) = (Arc::clone(&self.0), Arc::new(check));
        let own = Arc::clone(&check);
        let thread = std::thread::Builder::new().name("table check".to_owned());
        if thread.spawn(move || shared.run(&own)).is_err() {
            self.0.run(&check);
        }
    }

    /// Whether no check runs, and none has failed.
    pub(crate) fn passed(&self) -> bool {
        let state = self.0.lock();
        state.running == 0 && state.fault.is_none()
    }

    fn wait(&self, cancel: &CancelToken) -> Result<()> {
        let mut state = self.0.lock();
        loop {
            if let Some(fault) = &state.fault {
                return Err(Failure::File(fault.clone()));
            }
            if state.running == 0 {
                return Ok(());
            }
            if cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let woken = self.0.changed.wait_timeout(state, PAUSE);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Run<'_> {
    /// Runs `work`, whose tables may still be under a check. Returns after all checks have passed.
    /// Until then, the caller's [`Watch`] is told no bound.
    ///
    /// If the caller cancels before the checks end, nothing counts as proven.
    ///
    /// # Errors
    /// If a check finds a fault, which also cancels the work. Otherwise the errors of `work`.
    pub(crate) fn beside(
        &mut self,
        checks: &Checks,
        work: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let cancel = self.request.cancel.child();
        checks.0.lock().searches.push(cancel.clone());
        let watch = Unproven { watch: self.request.watch, checks, held: Mutex::default() };
        let (token, own) = (cancel.clone(), Some(checks.clone()));
        let watched = &watch;
        let done = self.part(
            move |run| {
                run.request.watch = watched;
                (run.request.cancel, run.checks) = (token, own);
            },
            work,
        );
        let passed = checks.wait(&self.request.cancel);
        checks.0.lock().searches.retain(|one| !one.is_same(&cancel));
        match passed {
            Err(Failure::Cancelled) => {
                self.disprove();
                Ok(())
            }
            Err(fault) => Err(fault),
            Ok(()) => {
                watch.release();
                done
            }
        }
    }

    /// Drops the bounds and the outcome. The best plan stays, since every plan is replayed.
    fn disprove(&mut self) {
        let results = &mut self.results;
        if let Some(Outcome::Solved(plans)) = results.outcome.replace(Outcome::Cancelled) {
            results.known = plans.into_iter().next();
        }
        (results.complete, results.lower_bound) = (false, 0);
        results.iterations.clear();
    }

    /// Checks a mapped table: beside the search if that waits for its checks, otherwise now.
    ///
    /// # Errors
    /// If the check finds a fault now, or the caller cancels.
    pub(crate) fn check(&self, check: ChunkCheck) -> Result<()> {
        match &self.checks {
            Some(checks) => checks.start(check),
            None => check.run(&self.request.cancel).map_err(Failure::of_table)?,
        }
        Ok(())
    }
}

/// A [`Watch`] that tells the bound 0 until all checks have passed, and iterations only then.
struct Unproven<'a> {
    watch: &'a dyn Watch,
    checks: &'a Checks,
    held: Mutex<Vec<Iteration>>,
}

impl Unproven<'_> {
    /// Tells the iterations that were held back.
    fn release(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.drain(..).for_each(|iteration| self.watch.event(&Event::Iteration { iteration }));
    }
}

impl Watch for Unproven<'_> {
    fn event(&self, event: &Event<'_>) {
        if let Event::Iteration { iteration } = event {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.push(*iteration);
            drop(held);
            if self.checks.passed() {
                self.release();
            }
            return;
        }
        let mut event = event.clone();
        if let Event::Search { lower_bound, .. } | Event::Plan { lower_bound, .. } = &mut event
            && !self.checks.passed()
        {
            *lower_bound = 0;
        }
        self.watch.event(&event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever waits for layers on disk hears of them, also while tables are checked.
    #[test]
    fn events_of_builds_pass_while_tables_are_checked() {
        let checks = Checks::default();
        checks.0.lock().running = 1;
        let told = Mutex::new(Vec::new());
        let watch = |event: &Event<'_>| {
            told.lock().unwrap().push(serde_json::to_value(event).unwrap()["progress"].clone());
        };
        let unproven = Unproven { watch: &watch, checks: &checks, held: Mutex::default() };
        let folder = std::path::Path::new("layers");
        unproven.event(&Event::OnDisk { folder, bytes: 1 });
        unproven.event(&Event::Saving { done: 1, total: 2 });
        unproven.event(&Event::Moved { read: 1, written: 1 });
        assert_eq!(*told.lock().unwrap(), ["on-disk", "saving", "moved"]);
    }
}
