//! What bounds and watches a piece of work: [`Job`] and [`Watch`].

use crate::checks::Checks;
use fsm::Keep;
use pdb::BuildObserver;
use search::{CancelToken, Cost, Limits, Observer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Hears about everything that takes time: searches, table builds, and tables in use.
pub trait Watch: Observer + BuildObserver {
    /// A table of so many bytes is about to be built, because its file does not exist.
    fn building(&self, _table: &str, _bytes: u64) {}
    /// Another process builds the table, and this one waits for it.
    fn waiting(&self, _table: &str) {}
    /// The table is in use: built and saved, or loaded.
    fn ready(&self, _table: &str, _bytes: u64) {}
    /// The table was built but could not be saved. The search goes on; the next run builds again.
    fn not_saved(&self, _table: &str, _error: &pdb::file::TableError) {}
    /// A plan was found that is shorter than any before. It is replayed but not proven optimal.
    ///
    /// No plan is shorter than `lower_bound`.
    fn plan(&self, _plan: &[String], _lower_bound: Cost) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}
impl BuildObserver for Quiet {}
impl Watch for Quiet {}

/// Which plan is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// An optimal plan. If the proof may take long, a near-optimal plan comes first.
    #[default]
    Optimal,
    /// An optimal plan and nothing else: counts and times are those of the optimal search alone.
    OptimalOnly,
    /// A near-optimal plan, for puzzles with [`crate::PuzzleInfo::has_near_optimal`].
    ///
    /// It uses up its limits of nodes and time, if there are any.
    NearOptimal,
}

/// How many more states the caller will ask of the same puzzle. Clones share one number.
///
/// A table that is built for one state serves the others too, so a larger one pays sooner.
#[derive(Clone, Debug, Default)]
pub struct Backlog(Arc<AtomicUsize>);

impl Backlog {
    /// A backlog of no states.
    pub fn new() -> Self {
        Self::default()
    }
    /// Counts one more state.
    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }
    /// Counts one state less.
    pub fn take(&self) {
        self.0.fetch_sub(1, Relaxed);
    }
    /// How many states there are now.
    pub fn states(&self) -> usize {
        self.0.load(Relaxed)
    }
}

/// What bounds and watches a piece of work.
///
/// ```
/// let job = fewest::Job::default().plans(2);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Job<'a> {
    /// Where a search stops without an answer. [default: nowhere]
    pub limits: Limits,
    /// Stops searches and builds.
    pub cancel: CancelToken,
    /// Hears about the progress. [default: nobody]
    pub watch: &'a dyn Watch,
    /// How many optimal plans are wanted. [range: 1.., default: 1]
    pub plans: usize,
    /// How many more states will be asked of the puzzle. [default: none]
    pub backlog: Backlog,
    /// Which plan is wanted. [default: an optimal one]
    pub aim: Aim,
    /// Where tables may be checked during the work. [default: before it]
    pub(crate) checks: Option<Checks>,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("plans", &self.plans)
            .field("backlog", &self.backlog)
            .field("aim", &self.aim)
            .finish_non_exhaustive()
    }
}

impl Default for Job<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cancel: CancelToken::new(),
            watch: &Quiet,
            plans: 1,
            backlog: Backlog::new(),
            aim: Aim::default(),
            checks: None,
        }
    }
}

impl<'a> Job<'a> {
    /// This job with limits.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
    /// This job, stopped by a token.
    pub fn cancel(self, cancel: CancelToken) -> Self {
        Self { cancel, ..self }
    }
    /// This job, watched.
    pub fn watch(self, watch: &'a dyn Watch) -> Self {
        Self { watch, ..self }
    }
    /// This job for so many optimal plans.
    pub fn plans(self, plans: usize) -> Self {
        Self { plans, ..self }
    }
    /// This job with states that follow.
    pub fn backlog(self, backlog: Backlog) -> Self {
        Self { backlog, ..self }
    }
    /// This job for such a plan.
    pub fn aim(self, aim: Aim) -> Self {
        Self { aim, ..self }
    }

    /// Which of duplicate strings a search for these plans keeps.
    pub(crate) fn keep(&self) -> Keep {
        if self.plans > 1 { Keep::AllOptimal } else { Keep::OneOptimal }
    }
}
