//! The jobs of pages: each waits, runs its [`Task`] on a thread of the queue, and ends ([`Job`]).

use super::Server;
use super::pages::JobPath;
use super::queue::Queue;
use super::refusal::{Input, Refusal};
use super::states::Reply;
use super::tasks::{Halt, Task};
use super::watch::{Phase, Status, Tracker};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fewest::Ending;
use fewest::search::CancelToken;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Work that a page has asked for.
pub(super) struct Job {
    task: Box<dyn Task>,
    cancel: CancelToken,
    status: Mutex<Status>,
    /// Grows with every change of the status.
    version: AtomicU64,
    /// When a thread took it up.
    started: Mutex<Option<Instant>>,
    queue: Arc<Queue>,
    id: u64,
}

impl Job {
    pub(super) fn new(id: u64, task: Box<dyn Task>, queue: Arc<Queue>) -> Self {
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
        if self.queue.remove(self) {
            self.update(|status| status.enter(Phase::Stopped, None));
        }
    }

    /// Notes the answer.
    pub(super) fn answer(&self, answer: Value) {
        self.update(|status| status.answer = Some(answer));
    }

    /// Runs the job to its end.
    pub(super) fn run(&self, server: &Server) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.update(|status| status.enter(Phase::Preparing, None));
        let ended = self.work(server);
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

    fn work(&self, server: &Server) -> Result<Phase, Halt> {
        let puzzle = server.puzzles.searched(self.task.puzzle())?;
        let has_costs = puzzle.info().has_costs;
        self.update(|status| status.has_costs = has_costs);
        let tracker = Tracker::new(self);
        let engine = fewest::Request::default().cancel(self.cancel.clone()).watch(&tracker);
        self.task.run(&*puzzle, engine, self)
    }

    /// Ends the job after a panic, which says on standard error where it was.
    pub(super) fn fail_by_defect(&self) {
        let message = "this job met a defect of fewest and ended; the terminal of `fewest serve` \
                       shows where it was";
        self.update(|status| {
            status.enter(Phase::Failed, None);
            status.answer = Some(json!({"outcome": Ending::Defect, "error": message}));
        });
    }
}

/// Asks for a job.
pub(super) async fn start<T: Task + DeserializeOwned + 'static>(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(task): Input<T>,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let page = server.pages.get(&page)?;
    task.check()?;
    task.puzzle().check(&server.settings)?;
    let (id, queue) = (server.pages.next_id(), Arc::clone(&server.queue));
    let job = Arc::new(Job::new(id, Box::new(task), queue));
    page.add(Arc::clone(&job))?;
    if let Err(refusal) = server.queue.add(Arc::clone(&job)) {
        page.forget(job.id());
        return Err(refusal);
    }
    Ok((StatusCode::ACCEPTED, Json(job.told())))
}

/// What is known of a job.
pub(super) async fn status(State(server): State<Arc<Server>>, Path(path): Path<JobPath>) -> Reply {
    Ok(Json(server.pages.job(&path)?.told()))
}

/// Ends a job. Its page still shows what is known.
pub(super) async fn stop(State(server): State<Arc<Server>>, Path(path): Path<JobPath>) -> Reply {
    let job = server.pages.job(&path)?;
    job.stop();
    Ok(Json(job.told()))
}

/// Ends a job and forgets it.
pub(super) async fn forget(
    State(server): State<Arc<Server>>,
    Path(path): Path<JobPath>,
) -> Result<StatusCode, Refusal> {
    let job = server.pages.job(&path)?;
    job.stop();
    server.pages.get(&path.page)?.forget(job.id());
    Ok(StatusCode::NO_CONTENT)
}
