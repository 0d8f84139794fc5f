//! Searches, counts and table builds: what a page asks for, and how it runs ([`Job`]).

use super::Server;
use super::pages::{JobPath, Page};
use super::puzzles::{PuzzleChoice, check_length};
use super::queue::Queue;
use super::refusal::{Fault, Input, Refusal};
use super::states::{Answered, random_seed};
use super::watch::{Layer, Phase, Status, Tracker};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fewest::{Aim, Ending, MoveScrambles};
use search::{CancelToken, Cost, Limits};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most plans of one search.
const MOST_PLANS: usize = 1000;
/// Most antipodes of one count.
const MOST_ANTIPODES: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    puzzle: PuzzleChoice,
    state: String,
    plans: Option<usize>,
    slack: Option<Cost>,
    min_length: Option<Cost>,
    #[serde(default)]
    near_optimal: bool,
    limit_seconds: Option<f64>,
}

impl SearchRequest {
    fn plans(&self) -> Result<usize, Refusal> {
        within("plans", self.plans.unwrap_or(1), 1..=MOST_PLANS)
    }

    fn time(&self) -> Result<Option<Duration>, Refusal> {
        let time = self.limit_seconds.map(Duration::try_from_secs_f64).transpose();
        time.map_err(|_| Refusal::input("limit_seconds: expected a number of at least 0"))
    }
}

/// A number of a request, if it is in a range.
fn within(name: &str, number: usize, range: RangeInclusive<usize>) -> Result<usize, Refusal> {
    if range.contains(&number) {
        return Ok(number);
    }
    let (least, most) = range.into_inner();
    Err(Refusal::input(format_args!("{name}: {number}, expected {least} to {most}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountRequest {
    puzzle: PuzzleChoice,
    antipodes: Option<usize>,
}

impl CountRequest {
    fn antipodes(&self) -> Result<usize, Refusal> {
        within("antipodes", self.antipodes.unwrap_or(3), 0..=MOST_ANTIPODES)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildRequest {
    puzzle: PuzzleChoice,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrambleRequest {
    puzzle: PuzzleChoice,
    seed: Option<u64>,
}

/// What a job does.
enum Task {
    Scramble(ScrambleRequest),
    Search(SearchRequest),
    Count(CountRequest),
    Build(BuildRequest),
}

impl Task {
    fn kind(&self) -> &'static str {
        match self {
            Self::Scramble(_) => "scramble",
            Self::Search(_) => "search",
            Self::Count(_) => "count",
            Self::Build(_) => "build",
        }
    }
}

/// Work that a page has asked for.
pub(super) struct Job {
    task: Task,
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
    fn new(id: u64, task: Task, queue: Arc<Queue>) -> Self {
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

    /// Runs the job to its end.
    pub(super) fn run(&self, server: &Server) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.update(|status| status.enter(Phase::Preparing, None));
        let ended = match &self.task {
            Task::Scramble(request) => self.scramble(server, request),
            Task::Search(request) => self.search(server, request),
            Task::Count(request) => self.count(server, request),
            Task::Build(request) => self.build(server, request),
        };
        self.update(|status| match ended {
            Ok(phase) => status.enter(phase, None),
            Err(refusal) => {
                status.enter(Phase::Failed, None);
                status.error = Some(refusal.fault());
            }
        });
    }

    /// Ends the job after a panic, which says on standard error where it was.
    pub(super) fn fail_by_defect(&self) {
        self.update(|status| {
            status.enter(Phase::Failed, None);
            status.error = Some(Fault::new("a defect of fewest: its standard error says more"));
        });
    }

    fn search(&self, server: &Server, request: &SearchRequest) -> Result<Phase, Refusal> {
        let puzzle = server.puzzles.searched(&request.puzzle)?;
        let tracker = Tracker::new(self);
        let aim = if request.near_optimal { Aim::NearOptimal } else { Aim::Optimal };
        let job = fewest::Job::default()
            .cancel(self.cancel.clone())
            .watch(&tracker)
            .limits(Limits { time: request.time()?, ..Limits::default() })
            .plans(request.plans()?)
            .slack(request.slack.unwrap_or(0))
            .min_length(request.min_length.unwrap_or(0))
            .aim(aim);
        let answer = match puzzle.solve(&request.state, &job) {
            Err(failure) if failure.is_cancelled() => return Ok(Phase::Stopped),
            answer => answer?,
        };
        let phase = match answer.ending {
            Ending::Solved | Ending::Unsolvable => Phase::Done,
            _ => Phase::Stopped,
        };
        self.update(|status| {
            status.narrow(answer.lower_bound, answer.upper_bound);
            status.generated = answer.generated();
            if let Some(plan) = answer.plans.first() {
                status.plan = Some(plan.clone());
            }
            status.answer = Some(json!(answer));
        });
        Ok(phase)
    }

    /// Draws moves to a random state. Puzzles that are small are solved for it.
    fn scramble(&self, server: &Server, request: &ScrambleRequest) -> Result<Phase, Refusal> {
        let puzzle = server.puzzles.searched(&request.puzzle)?;
        let tracker = Tracker::new(self);
        let job = fewest::Job::default().cancel(self.cancel.clone()).watch(&tracker);
        let seed = request.seed.unwrap_or_else(random_seed);
        let drawn = puzzle.scrambler().and_then(|drawn| drawn.move_scrambles(seed, &job));
        let missing = || Refusal::input("no scrambles as moves: /api/scramble draws states");
        let MoveScrambles { uniform, mut scrambles, .. } = drawn.ok_or_else(missing)?;
        let moves = match scrambles.next().ok_or_else(missing)? {
            Err(failure) if failure.is_cancelled() => return Ok(Phase::Stopped),
            moves => moves?,
        };
        self.update(|status| {
            status.answer = Some(json!({"moves": moves, "uniform": uniform, "seed": seed}));
        });
        Ok(Phase::Done)
    }

    fn count(&self, server: &Server, request: &CountRequest) -> Result<Phase, Refusal> {
        let puzzle = server.puzzles.searched(&request.puzzle)?;
        let missing = || Refusal::input("this puzzle has too many states to count them all");
        let exhaustive = puzzle.exhaustive().ok_or_else(missing)?;
        let tracker = Tracker::new(self);
        let job = fewest::Job::default().cancel(self.cancel.clone()).watch(&tracker);
        let counted = exhaustive.count_all(request.antipodes()?, &job, &mut |depth, states| {
            self.update(|status| {
                status.enter(Phase::Searching, None);
                status.layers.push(Layer { depth, states });
            });
        });
        let antipodes = match counted {
            Err(failure) if failure.is_cancelled() => return Ok(Phase::Stopped),
            counted => counted?,
        };
        self.update(|status| {
            let layers = &status.layers;
            let states: u128 = layers.iter().map(|layer| layer.states).sum();
            let sum: f64 =
                layers.iter().map(|layer| layer.depth as f64 * layer.states as f64).sum();
            status.answer = Some(json!({"states": states, "antipodes": antipodes,
                "diameter": layers.last().map(|layer| layer.depth),
                "mean": sum / (states as f64).max(1.0)}));
        });
        Ok(Phase::Done)
    }

    fn build(&self, server: &Server, request: &BuildRequest) -> Result<Phase, Refusal> {
        let puzzle = server.puzzles.searched(&request.puzzle)?;
        let missing = || Refusal::input("this puzzle has no tables");
        let tracker = Tracker::new(self);
        let job = fewest::Job::default().cancel(self.cancel.clone()).watch(&tracker);
        let built = match puzzle.tables().ok_or_else(missing)?.build(&job) {
            Err(failure) if failure.is_cancelled() => return Ok(Phase::Stopped),
            built => built?,
        };
        let tables = built.iter().map(|(table, bytes)| json!({"table": table, "bytes": bytes}));
        let tables: Vec<Value> = tables.collect();
        self.update(|status| status.answer = Some(json!({"tables": tables})));
        Ok(Phase::Done)
    }
}

/// The answer of a request for a job.
type Accepted = Result<(StatusCode, Json<Value>), Refusal>;

fn accept(server: &Server, page: &Page, task: Task) -> Accepted {
    let job = Arc::new(Job::new(server.pages.next_id(), task, Arc::clone(&server.queue)));
    page.add(Arc::clone(&job))?;
    if let Err(refusal) = server.queue.add(Arc::clone(&job)) {
        page.forget(job.id());
        return Err(refusal);
    }
    Ok((StatusCode::ACCEPTED, Json(job.told())))
}

/// Asks for plans of a state.
pub(super) async fn search(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(request): Input<SearchRequest>,
) -> Accepted {
    let page = server.pages.get(&page)?;
    check_length("a state", &request.state)?;
    request.plans()?;
    request.time()?;
    request.puzzle.puzzle()?;
    accept(&server, &page, Task::Search(request))
}

/// Asks for the number of states at every distance.
pub(super) async fn count(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(request): Input<CountRequest>,
) -> Accepted {
    let page = server.pages.get(&page)?;
    request.antipodes()?;
    request.puzzle.puzzle()?;
    accept(&server, &page, Task::Count(request))
}

/// Asks for moves to a random state.
pub(super) async fn scramble(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(request): Input<ScrambleRequest>,
) -> Accepted {
    let page = server.pages.get(&page)?;
    request.puzzle.puzzle()?;
    accept(&server, &page, Task::Scramble(request))
}

/// Asks for the missing tables of a puzzle.
pub(super) async fn build(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(request): Input<BuildRequest>,
) -> Accepted {
    let page = server.pages.get(&page)?;
    request.puzzle.puzzle()?;
    accept(&server, &page, Task::Build(request))
}

/// What is known of a job.
pub(super) async fn status(
    State(server): State<Arc<Server>>,
    Path(path): Path<JobPath>,
) -> Answered {
    Ok(Json(server.pages.job(&path)?.told()))
}

/// Ends a job. Its page still shows what is known.
pub(super) async fn stop(State(server): State<Arc<Server>>, Path(path): Path<JobPath>) -> Answered {
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
