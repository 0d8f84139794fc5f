//! Options that several verbs share, and their way into [`Settings`].

use super::ctrl_c::at_once;
use super::memory::default_memory;
use clap::{Args, ValueEnum};
use fewest::proofs::Share;
use fewest::search::{Cost, Limits};
use fewest::{
    Loading, MetricChoice, PUZZLES, PruningChoice, Puzzle, Request, Settings, configure, goal_text,
    instance_sets,
};
use fewest_terminal::{Error, FolderOptions, OutputOptions, parse_bytes};
use std::path::PathBuf;
use std::time::Duration;

/// The names of all puzzles.
fn puzzle_names() -> String {
    let names: Vec<&str> = PUZZLES.iter().flat_map(|kind| kind.names).copied().collect();
    names.join(", ")
}

pub(super) fn puzzle_help() -> String {
    format!("The puzzle: {}, or a name that `fewest puzzles` lists", puzzle_names())
}

/// The names of all sets of instances.
pub(super) fn instances_help() -> String {
    let sets = instance_sets().map(|set| format!("\n{}: {}", set.name, set.title));
    format!(
        "States of a set by its name, or of a file with one a line. Numbers before and behind a \
         state are no part of it.{}",
        sets.collect::<String>()
    )
}

/// The names of all heuristics, by puzzle.
fn heuristic_help() -> String {
    let names = PUZZLES
        .iter()
        .map(|kind| format!("\n{}: {}", kind.names.join(", "), kind.heuristics.join(", ")));
    format!(
        "Lower bound that guides the search, by name; docs/STATES.md says what each is.{}",
        names.collect::<String>()
    )
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum ProgressForm {
    Json,
}

#[derive(Args, Debug)]
pub(super) struct ProgressOptions {
    /// Write progress as JSON lines to standard error
    #[arg(long, value_enum)]
    pub(super) progress: Option<ProgressForm>,
    /// Write nothing but results and errors
    #[arg(long)]
    pub(super) quiet: bool,
}

/// The options of every verb that works for long.
#[derive(Args, Debug)]
pub(super) struct WorkOptions {
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

#[derive(Args, Debug)]
pub(super) struct MetricOptions {
    /// What counts as one move: htm (any turn of a face) or qtm (quarter turns). 3x3x3: also stm
    /// (any turn of a face or slice) or atm (both faces of an axis at once). Sliding tiles: mtm (a
    /// slide of several tiles in a row or column) [default: htm; each moved tile]
    #[arg(long)]
    pub(super) metric: Option<MetricChoice>,
    /// The state to reach, as the puzzle's states are written, or a name. Cubes: cross, xcross,
    /// xxcross, xxxcross, layer, f2l, oll, pll, eo, eoline, eocross, dr, htr, 222, 223, fb, f2b,
    /// corners, edges (2x2x2: face, layer, oll, pll). A name may have a face or axis as in
    /// cross:F. cross:any is the best of all, cross:U/D one of two, cross+eo both. Or stickers
    /// with `.` for those that do not matter. Tiles: last, for 1 2 .. with the blank last. Cubes
    /// and definitions: also a state in JSON (KPattern). Or a file with one of these [default:
    /// solved]
    #[arg(long, visible_alias = "to")]
    pub(super) goal: Option<String>,
    /// Whether the goal is no name of a file.
    #[arg(skip)]
    pub(super) goal_is_text: bool,
    /// The moves that plans may make, such as U,R,F; U stands for U, U2 and U', and U2 for itself
    /// [default: all]
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// What moves cost, from 1 to 250, such as R=2,R2=3: R=2 is for R, R2 and R', R2=3 for that one
    /// alone. May be repeated [default: 1, or what a definition says]
    #[arg(long, value_name = "MOVE=N")]
    cost: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct EngineOptions {
    /// Threads, at most 1024 [default: all cores]. At most 64 are started, or four for each core if
    /// that is more
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Bytes that tables may take, such as 512MiB or 2GiB. The whole process takes at most 1.1
    /// times as much plus 64MB; work that does not fit is refused [default: a quarter of the
    /// machine's memory, at least 1GiB if the machine has that much]
    #[arg(short, long, value_name = "BYTES", value_parser = parse_bytes)]
    pub(super) memory: Option<u64>,
    #[command(flatten)]
    folder: FolderOptions,
    /// How table files get into memory: auto (mapped, all pages ahead of the search), mmap (mapped,
    /// each page when it is first read) or ram (read into huge pages)
    #[arg(long, default_value = "auto")]
    load: Loading,
}

/// The names of all solvers, by puzzle.
fn solver_help() -> String {
    let names = PUZZLES
        .iter()
        .map(|kind| format!("\n{}: {}", kind.names.join(", "), kind.solvers.join(", ")));
    format!(
        "How states are solved: optimal, or another algorithm of the literature \
         (docs/SOLVERS.md).{} [default: optimal]",
        names.collect::<String>()
    )
}

#[derive(Args, Debug)]
pub(super) struct SolverOptions {
    #[arg(long, value_name = "NAME", default_value = "optimal", hide_default_value = true)]
    #[arg(help = solver_help())]
    pub(super) solver: String,
    /// Solve stage by stage: a file with a line of moves for each stage (docs/STATES.md). Sets
    /// the solver `stages`
    #[arg(long, value_name = "FILE", conflicts_with = "solver")]
    pub(super) stages: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct HeuristicOptions {
    #[arg(short = 'H', long, default_value = "best", help = heuristic_help())]
    pub(super) heuristic: String,
}

#[derive(Args, Debug)]
pub(super) struct LimitOptions {
    /// Most generated nodes for one state; each thread checks this every few thousand nodes
    #[arg(long, value_name = "NODES")]
    limit_nodes: Option<u64>,
    /// Longest work on one state, such as 60s or 10m (building tables does not count; choosing
    /// them does)
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit_time: Option<Duration>,
    /// Longest time for one state, such as 60s or 10m, with loading and building tables. Built
    /// layers of a table are kept
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(super) deadline: Option<Duration>,
    /// Greatest cost of a plan that is looked for
    #[arg(long, value_name = "D")]
    max_bound: Option<Cost>,
}

impl LimitOptions {
    /// A request within these limits.
    pub(super) fn request<'a>(&self) -> Request<'a> {
        let (nodes, time) = (self.limit_nodes, self.limit_time);
        let request =
            Request::default().limits(Limits { nodes, time, bound: self.max_bound, bytes: None });
        self.deadline.map_or(request.clone(), |deadline| request.deadline(deadline))
    }
}

#[derive(Args, Debug)]
pub(super) struct PruningOptions {
    /// Which duplicate move strings are cut: none, inverse (a move that undoes the one before), fsm
    /// or fsm:D (learned from strings of at most D moves)
    #[arg(long, default_value = "fsm")]
    pub(super) pruning: PruningChoice,
}

#[derive(Args, Debug)]
pub(super) struct StateOptions {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    /// The state: all words together are one state
    #[arg(group = "start")]
    state: Vec<String>,
    /// The state, as an option: --from A --to B goes from A to B
    #[arg(long, group = "start", value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
}

impl StateOptions {
    /// The words of the state.
    pub(super) fn state(&self) -> &[String] {
        if self.state.is_empty() { self.from.as_slice() } else { &self.state }
    }
}

#[derive(Args, Debug)]
pub(crate) struct PlotOptions {
    /// Draw the result to a file, as an SVG picture
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct JournalOptions {
    /// Keep the results of the search in this file, part by part. If the file exists, go on with
    /// it: `fewest resume FILE` does the same
    #[arg(long, value_name = "FILE", requires = "start")]
    #[arg(conflicts_with_all = ["solver", "stages"])]
    pub(crate) journal: Option<PathBuf>,
    /// Search only share K of N of each long bound. `fewest merge` joins the journals
    #[arg(long, value_name = "K/N", requires = "journal", conflicts_with = "near_optimal")]
    pub(crate) shard: Option<Share>,
    /// Write what proves the answer to this file, which must not exist. `fewest certify` checks it
    #[arg(long, value_name = "FILE", requires = "start")]
    #[arg(conflicts_with_all = ["near_optimal", "solver", "stages", "all", "count", "slack"])]
    #[arg(conflicts_with_all = ["min_length", "shard", "begins", "ends"])]
    pub(crate) certificate: Option<PathBuf>,
    /// Take the lower bound of this journal for proven. It must be of the same state, goal and
    /// moves; its heuristic may be another
    #[arg(long, value_name = "FILE", requires = "start")]
    #[arg(conflicts_with_all = ["near_optimal", "solver", "stages"])]
    pub(crate) lower_bound_from: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ProofLogOptions {
    /// Write a pseudo-Boolean proof that no plan is shorter: a formula to FILE.opb and its
    /// refutation to FILE.pbp, which must not exist. `veripb FILE.opb FILE.pbp` checks them. Only
    /// for small searches, by a search of its own
    #[arg(long, value_name = "FILE", requires = "start")]
    #[arg(conflicts_with_all = ["near_optimal", "solver", "stages", "all", "count", "slack"])]
    #[arg(conflicts_with_all = ["min_length", "shard", "begins", "ends"])]
    pub(crate) proof_log: Option<PathBuf>,
    /// Write no log whose search generates more than N nodes
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "proof_log")]
    pub(crate) proof_log_nodes: u64,
}

/// The options of a verb that configure a puzzle. `None` leaves the defaults.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts<'a> {
    pub(super) metric: Option<&'a MetricOptions>,
    pub(super) solver: Option<&'a SolverOptions>,
    pub(super) heuristic: Option<&'a HeuristicOptions>,
    pub(super) pruning: Option<&'a PruningOptions>,
    pub(super) engine: Option<&'a EngineOptions>,
}

impl Parts<'_> {
    /// Starts the threads and configures the puzzle.
    pub(super) fn configure(self, puzzle: &str) -> Result<Box<dyn Puzzle>, Error> {
        let settings = self.settings()?;
        Ok(at_once(|| configure(puzzle, &settings))?)
    }

    /// Starts the threads and returns the settings. Call it once.
    pub(super) fn settings(self) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        if let Some(metric) = self.metric {
            settings.metric = metric.metric;
            settings.moves.clone_from(&metric.moves);
            settings.cost = (!metric.cost.is_empty()).then(|| metric.cost.join(","));
            if let Some(goal) = &metric.goal {
                let goal = if metric.goal_is_text { goal.into() } else { goal_text(goal)? };
                settings = settings.goal(&*goal);
            }
        }
        if let Some(solver) = self.solver {
            settings = settings.solver(solver.solver.as_str());
            if let Some(file) = &solver.stages {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    Error::refused(format!("stages file {}: {error}", file.display()))
                })?;
                settings = settings.stages(text);
            }
        }
        if let Some(heuristic) = self.heuristic {
            settings = settings.heuristic(heuristic.heuristic.as_str());
        }
        if let Some(pruning) = self.pruning {
            settings.pruning = pruning.pruning;
        }
        if let Some(engine) = self.engine {
            engine.apply(&mut settings)?;
        }
        Ok(settings)
    }
}

/// As many threads as the user asks for are started up to this number, on any machine.
const MOST_THREADS: usize = 64;

impl EngineOptions {
    /// Bytes that tables may take.
    pub(super) fn bytes(&self) -> u64 {
        self.memory.unwrap_or_else(default_memory)
    }

    /// A note about the default memory. `None` if the user set `--memory`.
    pub(super) fn default_told(&self) -> Option<String> {
        let size = bytesize::ByteSize(self.bytes()).display().iec();
        let told =
            || format!("Tables may take {size}, a quarter of the machine's memory (--memory).");
        self.memory.is_none().then(told)
    }

    pub(super) fn apply(&self, settings: &mut Settings) -> Result<(), Error> {
        self.start_threads()?;
        settings.memory = self.bytes();
        settings.loading = self.load;
        settings.tables = Some(self.folder.folder()?);
        Ok(())
    }

    /// Starts the threads that searches and builds use.
    fn start_threads(&self) -> Result<(), Error> {
        // A thousand threads on two cores mostly look for work of other threads. They would exceed
        // a limit of time by seconds.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = MOST_THREADS.max(4 * cores);
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, |threads| usize::from(threads).min(most)))
            .build_global()
            .map_err(|error| Error::refused(format!("cannot start the threads: {error}")))
    }
}

/// A puzzle, and how the work on it goes on.
#[derive(Args, Debug)]
pub(super) struct PuzzleArgs {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

impl PuzzleArgs {
    pub(super) fn parts(&self) -> Parts<'_> {
        let (metric, engine) = (Some(&self.metric), Some(&self.work.engine));
        Parts { metric, engine, ..Parts::default() }
    }
}

/// A puzzle with a heuristic, and how the work goes on.
#[derive(Args, Debug)]
pub(super) struct HeuristicArgs {
    #[command(flatten)]
    heuristic: HeuristicOptions,
    #[command(flatten)]
    pub(super) args: PuzzleArgs,
}

impl HeuristicArgs {
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts { heuristic: Some(&self.heuristic), ..self.args.parts() }
    }
}
