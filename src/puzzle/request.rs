//! What is wanted of one call of a [`crate::Puzzle`]: [`Request`], with limits and callbacks.

use super::TableTeam;
use super::event::{Quiet, Watch};
use crate::setters::setters;
use pdb::EntryReader;
use search::{CancelToken, Cost, Limits, PlanRound};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Keeps the results of the optimal search, unit by unit: in a journal, or with other processes.
///
/// With a keeper, `best` reads one table from begin to end ([`Request::rung`]), and searches all
/// bounds from the first on. So the units are the same in every run.
pub trait Keeper: search::Units {
    /// Called before each search: the name of the heuristic, and for each table that it reads, the
    /// name and the fingerprint of its file.
    fn begin(&self, heuristic: &str, tables: &BTreeMap<String, String>);

    /// Whether [`Keeper::table`] wants the hashes of tables. They take a second for each GB.
    /// [default: false]
    fn hashes_tables(&self) -> bool {
        false
    }
    /// Called for each table that is loaded or built, if [`Keeper::hashes_tables`] says so.
    fn table(&self, _table: proofs::TableMark) {}
    /// Whether each table is to be proved admissible by itself. That may take as long as building
    /// it. [default: false]
    fn proves_tables(&self) -> bool {
        false
    }
    /// Called for each table that was to be proved: the number of edges that were walked, or why it
    /// is not proved. Tables that nobody can prove are not told.
    fn proved(&self, _table: &str, _proof: Result<u64, String>) {}
    /// Whether the search for plans that are not proven is kept, too. If not, there is none beside
    /// an optimal search with a keeper. [default: false]
    fn keeps_plans(&self) -> bool {
        false
    }
    /// Called before a search for plans by rounds, with a text that tells all that its rounds
    /// depend on beside the puzzle.
    fn begin_plans(&self, _planner: &str) {}
    /// The rounds of earlier runs. A plan that does not solve the state is told to
    /// [`search::Units::refused`]. [default: none]
    fn rounds(&self) -> Vec<PlanRound> {
        Vec::new()
    }
    /// Called after each round that a later run may know.
    fn round(&self, _round: &PlanRound) {}
}

/// The kind of plan that a search looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// An optimal plan. If the proof may take long, a near-optimal plan comes first.
    #[default]
    Optimal,
    /// An optimal plan, without a near-optimal search first. Nodes and times are those of the
    /// optimal search alone.
    OptimalOnly,
    /// A near-optimal plan. Only for puzzles with [`crate::PuzzleInfo::has_near_optimal`].
    ///
    /// If there is a limit of nodes or time, the search looks for better plans until that limit.
    NearOptimal,
}

/// What may find a near-optimal plan, by the names that [`Request::planner`] and
/// [`crate::Near::by`] have. Which of them a puzzle has: [`crate::PuzzleInfo::planners`].
pub const PLANNERS: [&str; 8] =
    ["words", "cycles", "gaps", "pairs", "meet", "shorten", "shapes", "beam"];

/// The number of further states that the caller will solve with the same puzzle. Clones share one
/// number.
///
/// A table that is built for one state also serves the later ones. So, the more states follow, the
/// larger a table is worth building.
#[derive(Clone, Debug, Default)]
pub struct Backlog(Arc<AtomicUsize>);

impl Backlog {
    /// A backlog of zero states.
    pub fn new() -> Self {
        Self::default()
    }
    /// A backlog of so many states.
    pub fn of(states: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(states)))
    }
    /// Adds one state to the backlog.
    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }
    /// Removes one state from the backlog, if it has one.
    pub fn take(&self) {
        let less = |states: usize| states.checked_sub(1);
        // An empty backlog stays empty.
        let _ = self.0.fetch_update(Relaxed, Relaxed, less);
    }
    /// The current number of states in the backlog.
    pub fn states(&self) -> usize {
        self.0.load(Relaxed)
    }
}

/// Receives a plan: the names of its operators, and their cost.
pub type PlanTeller<'a> = dyn Fn(&[String], u64) + Sync + 'a;

/// The parameters of one call of a [`crate::Puzzle`]: limits, cancellation, progress, and what is
/// wanted.
///
/// ```
/// let request = fewest::Request::default().plans(2);
/// let same: fewest::Request<'_> = serde_json::from_str(r#"{"plans": 2}"#).unwrap();
/// assert_eq!(request.plans, same.plans);
/// ```
///
/// A text reads as a request with these names, which are those of the command line: `limit_nodes`,
/// `limit_time`, `deadline` (seconds), `max_bound`, `min_length`, `plans`, `slack`, `begins`,
/// `ends`, `near_optimal` (`true`: [`Aim::NearOptimal`], `false`: [`Aim::OptimalOnly`]), `seed`,
/// `threads` and `lower_bound`. A null leaves the default.
#[derive(Clone)]
#[non_exhaustive]
pub struct Request<'a> {
    /// Limits at which a search stops unfinished. [default: none]
    pub limits: Limits,
    /// A token by which the caller stops searches and builds.
    pub cancel: CancelToken,
    /// Receives progress. [default: [`Quiet`]]
    pub watch: &'a dyn Watch,
    /// Number of plans to look for: optimal ones, or cheapest first. [range: 1.., default: 1]
    pub plans: usize,
    /// Called with the operators of a plan and their cost, as soon as a search for several plans
    /// finds it. The search waits meanwhile. [default: none]
    ///
    /// Each plan is told once, after its replay, in the order of the search. Plans that are found
    /// while tables are checked are held until a plan is found after the check. Cubes with a goal
    /// or allowed moves tell no plan. The answer has all plans, told or not.
    pub on_plan: Option<&'a PlanTeller<'a>>,
    /// How much more than the cheapest plan a plan may cost, if several are wanted. [default: 0]
    ///
    /// A plan counts unless the pruning forbids it, or it visits a state twice.
    pub slack: Cost,
    /// The least cost of a plan. Cheaper plans do not count. [default: 0]
    pub min_length: Cost,
    /// How a plan begins: one of these sequences, with commas between them and blanks between
    /// moves, such as `R U,F'`. [default: `None`, in any way]
    ///
    /// The answer is a cheapest of all plans that begin so, if no move joins another one: `R R' U`
    /// does not count. A near-optimal search takes any. No journal keeps such a search.
    pub begins: Option<String>,
    /// How a plan ends, as [`Self::begins`]. Only for puzzles whose states form a group, and have
    /// one goal.
    pub ends: Option<String>,
    /// The number of further states that the caller will solve with this puzzle. [default: 0]
    pub backlog: Backlog,
    /// The kind of plan to look for. [default: [`Aim::Optimal`]]
    pub aim: Aim,
    /// What draws the random changes of a search for plans that need no proof. The same seed and
    /// nodes give the same plan. Beams draw nothing. [default: 0]
    pub seed: u64,
    /// Of a search for a near-optimal plan: the name of the only planner to use, one of
    /// [`crate::PuzzleInfo::planners`]. No proof is tried then. [default: all that the puzzle has]
    pub planner: Option<&'a str>,
    /// The most wall time for one state, tables included. [default: none]
    ///
    /// [`Limits::time`] is the time of searches alone. With a folder of table files, the layers of
    /// a table that are built by then are saved.
    pub deadline: Option<Duration>,
    /// Number of threads that solve one state. [default: those of the caller's rayon pool]
    ///
    /// Each call starts and ends threads of its own, in less than a millisecond. To keep threads,
    /// call [`crate::Puzzle::solve`] inside `install` of a rayon pool instead.
    pub threads: Option<usize>,
    /// Keeps the results of the optimal search. Solvers other than `optimal` ignore it.
    /// [default: none]
    pub keeper: Option<&'a dyn Keeper>,
    /// Where `best` has a choice of tables: the name of the one that the search reads, without
    /// climbing. [default: `None`; with a keeper, the largest one at hand, or else the smallest]
    pub rung: Option<&'a str>,
    /// Processes that build the tables and count the states together. [default: none]
    pub team: Option<&'a dyn TableTeam>,
    /// Reads the entries of tables for the search. `None`: the search reads them in memory. So it
    /// does where bounds come from a walk in a table, as in the `2x2x2`. [default: none]
    #[cfg(feature = "remote")]
    pub reader: Option<&'a dyn EntryReader>,
    /// Always `None` without the feature `remote`.
    #[cfg(not(feature = "remote"))]
    pub(crate) reader: Option<&'a dyn EntryReader>,
    /// A lower bound that the caller takes for proven: the search starts with it. [default: 0]
    pub lower_bound: Cost,
}

impl<'de> Deserialize<'de> for Request<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wishes = Map::deserialize(deserializer)?;
        let mut request = Self::default();
        let wishes = wishes.iter().filter(|(_, value)| !value.is_null());
        for (name, value) in wishes {
            request.wish(name, value).map_err(serde::de::Error::custom)?;
        }
        Ok(request)
    }
}

/// A number of a request, if it is in a range.
fn number<T: TryFrom<u64>>(name: &str, value: &Value, least: u64, most: u64) -> Result<T, String> {
    let number = value.as_u64().filter(|number| (least..=most).contains(number));
    let number = number.and_then(|number| number.try_into().ok());
    number.ok_or_else(|| format!("{name}: {value}, expected {least} to {most}"))
}

/// A text of a request.
fn text(name: &str, value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| format!("{name}: {value}, expected a text"))
}

/// A time of a request, in seconds.
fn time(name: &str, value: &Value) -> Result<Duration, String> {
    let time = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("{name}: {value}, expected seconds, 0 or more"))
}

impl Request<'_> {
    /// The most threads that a text may ask for.
    const MOST_THREADS: u64 = 1024;

    /// Sets what a text says under a name.
    fn wish(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let cost = || number(name, value, 0, Cost::MAX.into());
        match name {
            "limit_nodes" => self.limits.nodes = Some(number(name, value, 0, u64::MAX)?),
            "limit_time" => self.limits.time = Some(time(name, value)?),
            "deadline" => self.deadline = Some(time(name, value)?),
            "max_bound" => self.limits.bound = Some(cost()?),
            "min_length" => self.min_length = cost()?,
            "plans" => self.plans = number(name, value, 1, u64::MAX)?,
            "slack" => self.slack = cost()?,
            "near_optimal" => {
                self.aim = match value {
                    Value::Bool(true) => Aim::NearOptimal,
                    Value::Bool(false) => Aim::OptimalOnly,
                    _ => return Err(format!("{name}: {value}, expected true or false")),
                }
            }
            "begins" => self.begins = Some(text(name, value)?),
            "ends" => self.ends = Some(text(name, value)?),
            "seed" => self.seed = number(name, value, 0, u64::MAX)?,
            "threads" => self.threads = Some(number(name, value, 1, Self::MOST_THREADS)?),
            "lower_bound" => self.lower_bound = cost()?,
            _ => {
                return Err(format!(
                    "unknown field `{name}`, expected limit_nodes, limit_time, deadline, \
                     max_bound, min_length, plans, slack, begins, ends, near_optimal, seed, threads \
                     or lower_bound"
                ));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("plans", &self.plans)
            .field("on_plan", &self.on_plan.is_some())
            .field("slack", &self.slack)
            .field("min_length", &self.min_length)
            .field("begins", &self.begins)
            .field("ends", &self.ends)
            .field("backlog", &self.backlog)
            .field("aim", &self.aim)
            .field("seed", &self.seed)
            .field("planner", &self.planner)
            .field("deadline", &self.deadline)
            .field("threads", &self.threads)
            .field("keeper", &self.keeper.is_some())
            .field("rung", &self.rung)
            .field("team", &self.team.is_some())
            .field("reader", &self.reader.is_some())
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cancel: CancelToken::new(),
            watch: &Quiet,
            plans: 1,
            on_plan: None,
            slack: 0,
            min_length: 0,
            begins: None,
            ends: None,
            backlog: Backlog::new(),
            aim: Aim::default(),
            seed: 0,
            planner: None,
            deadline: None,
            threads: None,
            keeper: None,
            rung: None,
            team: None,
            reader: None,
            lower_bound: 0,
        }
    }
}

impl<'a> Request<'a> {
    setters! {
        limits: Limits = limits;
        cancel: CancelToken = cancel;
        watch: &'a dyn Watch = watch;
        plans: usize = plans;
        on_plan: &'a PlanTeller<'a> = Some(on_plan);
        slack: Cost = slack;
        min_length: Cost = min_length;
        begins: impl Into<String> = Some(begins.into());
        ends: impl Into<String> = Some(ends.into());
        backlog: Backlog = backlog;
        aim: Aim = aim;
        seed: u64 = seed;
        planner: &'a str = Some(planner);
        deadline: Duration = Some(deadline);
        threads: usize = Some(threads);
        keeper: &'a dyn Keeper = Some(keeper);
        rung: &'a str = Some(rung);
        team: &'a dyn TableTeam = Some(team);
        lower_bound: Cost = lower_bound;
    }
    #[cfg(feature = "remote")]
    setters! {
        reader: &'a dyn EntryReader = Some(reader);
    }
}
