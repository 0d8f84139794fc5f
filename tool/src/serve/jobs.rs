//! The jobs of pages: each waits, runs its [`Task`] on a thread of the queue, and ends ([`Job`]).

use super::puzzles::{PuzzleChoice, Puzzles};
use super::queue::Queue;
use super::refusal::Refusal;
use super::status::{Phase, Status};
use fewest::search::CancelToken;
use fewest::{Ending, Event, Failure, Puzzle, Watch};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A request for a job.
pub(super) trait Task: Send + Sync {
    /// Its name in a status.
    fn kind(&self) -> &'static str;

    /// The puzzle that it is about.
    fn puzzle(&self) -> &PuzzleChoice;

    /// Checks its numbers and texts before it waits in the queue.
    ///
    /// # Errors
    /// If one is out of its range, with its name.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Does the work, and gives `job` the answer.
    ///
    /// # Errors
    /// If the caller cancels before there is an answer, or the puzzle refuses the work.
    fn run(&self, puzzle: &dyn Puzzle, job: &Job) -> Result<Phase, Halt>;
}

/// Why a job ends without an answer.
pub(super) enum Halt {
    Cancelled,
    Refused(Refusal),
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        if failure.is_cancelled() { Self::Cancelled } else { Self::Refused(failure.into()) }
    }
}

/// Work that a page has asked for.
pub(super) struct Job {
    task: Box<dyn Task>,
    pub(super) cancel: CancelToken,
    status: Mutex<Status>,
    /// Grows with every change of the status.
    version: AtomicU64,
    /// When a thread took it up.
    started: Mutex<Option<Instant>>,
    queue: Arc<Queue<Job>>,
    id: u64,
}

impl Job {
    pub(super) fn new(id: u64, task: Box<dyn Task>, queue: Arc<Queue<Job>>) -> Self {
        let status = Mutex::new(Status::new(id, task.kind()));
        let (cancel, version) = (CancelToken::new(), AtomicU64::new(1));
        Self { task, cancel, status, version, started: Mutex::default(), queue, id }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        // The status is only shown, so it may be used even after a defect.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().phase.is_over()
    }

    /// What is known of the job now, with its place if it waits.
    pub(super) fn told(&self) -> Value {
        let mut told = json!(*self.lock());
        told["place"] = json!(self.queue.place(self.id));
        told
    }

    /// Changes the status, and tells the page.
    pub(super) fn update(&self, change: impl FnOnce(&mut Status)) {
        let started = *self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let mut status = self.lock();
        status.seconds = started.map_or(0.0, |at| at.elapsed().as_secs_f64());
        change(&mut status);
        drop(status);
        self.version.fetch_add(1, Relaxed);
        self.queue.changed();
    }

    /// Ends the job soon, or at once if it waits.
    pub(super) fn stop(&self) {
        self.cancel.cancel();
        if self.queue.remove(self.id) {
            self.update(|status| status.enter(Phase::Stopped, None));
        }
    }

    /// Notes the answer.
    pub(super) fn answer(&self, answer: Value) {
        self.update(|status| status.answer = Some(answer));
    }

    /// Runs the job to its end.
    ///
    /// A panic is a defect: it ends this job and no other.
    pub(super) fn run(&self, puzzles: &Puzzles) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.update(|status| status.enter(Phase::Preparing, None));
        let ended = catch_unwind(AssertUnwindSafe(|| self.work(puzzles)));
        let Ok(ended) = ended else { return self.fail_by_defect() };
        self.update(|status| match ended {
            Ok(phase) => status.enter(phase, None),
            Err(Halt::Cancelled) => status.enter(Phase::Stopped, None),
            Err(Halt::Refused(refusal)) => {
                status.enter(Phase::Failed, None);
                let mut answer = json!(refusal);
                answer["outcome"] = json!(Ending::Refused);
                status.answer = Some(answer);
            }
        });
    }

    fn work(&self, puzzles: &Puzzles) -> Result<Phase, Halt> {
        let puzzle = puzzles.searched(self.task.puzzle())?;
        let has_costs = puzzle.info().has_costs;
        self.update(|status| status.has_costs = has_costs);
        self.task.run(&*puzzle, self)
    }

    /// A request that this job cancels, and that tells it the progress.
    pub(super) fn request(&self) -> fewest::Request<'_> {
        fewest::Request::default().cancel(self.cancel.clone()).watch(self)
    }

    /// Ends the job after a panic, which says on standard error where it was.
    fn fail_by_defect(&self) {
        let message = "this job met a defect of fewest and ended; the terminal of `fewest serve` \
                       shows where it was";
        self.update(|status| {
            status.enter(Phase::Failed, None);
            status.answer = Some(json!({"outcome": Ending::Defect, "error": message}));
        });
    }
}

impl Watch for Job {
    fn event(&self, event: &Event<'_>) {
        let due = match event {
            // Another thread that reports right now is as good.
            Event::Search { .. } => self.status.try_lock().is_ok_and(|own| own.is_due(event)),
            _ => true,
        };
        if due {
            // A report of another thread may have come in between.
            self.update(|status| {
                if status.is_due(event) {
                    status.take(event);
                }
            });
        }
    }
}
