//! The command line, as clap reads it, and its way into [`Settings`].

use super::Error;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use fewest::{Aim, Job, Loading, Pruning, Puzzle, Settings, Watch, configure};
use search::{CancelToken, Cost, Limits};
use std::path::PathBuf;
use std::time::Duration;

/// Fewest moves, found and proven: solves puzzles optimally.
///
/// PUZZLE is `3x3x3`, `2x2x2`, a board of sliding tiles (`8-puzzle`, `15-puzzle`, `19-puzzle`, `24-puzzle`), or any board of 2 to 6
/// rows and columns (`ROWSxCOLS-tiles`, such as `3x5-tiles`), or the path of a definition (`.tws`, `.def`, `.json`). All words after it are one
/// state. Of the cubes: moves such as `R U' F2`, 54 or 24 facelets in the order U R F D L B, or a name such as `superflip`. Of tiles: their numbers row by row, 0
/// the blank. Of a definition: its moves, or what `scramble` prints.
#[derive(Parser, Debug)]
#[command(name = "fewest", version, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(super) enum Verb {
    /// Solve a state optimally, and prove it; without STATE and --file one state a line from standard input
    Solve(Solve),
    /// Print uniformly random solvable states, one a line
    Scramble(Scramble),
    /// Say whether a state can be solved, and whether a plan solves it
    Check(Check),
    /// Count distinct states, or operator sequences that pruning lets through, by depth
    Count(Count),
    /// Count the states at every distance from the goal, to the last one (God's algorithm); what is done is kept and taken up again
    GodsAlgorithm(GodsAlgorithm),
    /// Learn the duplicate-pruning automaton from all strings of at most D operators
    Learn(Learn),
    /// Print how often each value occurs in the tables of a heuristic
    Histogram(Guided),
    /// Predict the nodes of complete iterations before searching
    Predict(Predict),
    /// Build, list, verify or remove table files
    Tables(Tables),
    /// Search a fixed list of instances: node signature, nodes per second, seconds
    Bench(Bench),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Format {
    Text,
    Json,
}

#[derive(Args, Debug)]
pub(super) struct OutputOptions {
    /// Form of the results on standard output
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
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

#[derive(Args, Debug)]
pub(super) struct MetricOptions {
    /// What counts as one move (not sliding tiles): htm (any turn of a face) or qtm (quarter turns) [default: htm]
    #[arg(long)]
    metric: Option<String>,
    /// Goal state (sliding tiles only)
    #[arg(long)]
    goal: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct EngineOptions {
    /// Threads, at most 1024 [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Largest total of table bytes in memory
    #[arg(long, default_value = "1GiB", value_parser = parse_bytes)]
    memory: u64,
    #[command(flatten)]
    folder: FolderOptions,
    /// How table files come into memory: mapped, or read into huge pages
    #[arg(long, default_value = "mmap")]
    load: Loading,
}

#[derive(Args, Debug)]
pub(super) struct FolderOptions {
    // The variable is not clap's: it would refuse an empty one, and show `--tables` in the usage of those who set it.
    /// Folder of the table files [default: $FEWEST_TABLES, or the user's cache folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct HeuristicOptions {
    /// Lower bound that guides the search: best, or by name. 3x3x3: manhattan, korf97. 2x2x2: manhattan, table. Tiles: manhattan, linear-conflict, korf-taylor,
    /// pairs, triples, pdb:A-B-.. (such as pdb:7-8), tables:PARTITIONS
    #[arg(long, default_value = "best")]
    pub(super) heuristic: String,
}

#[derive(Args, Debug)]
pub(super) struct PruningOptions {
    /// Pruning of duplicate operator strings: none, inverse, fsm, or fsm:D (learned from strings of at most D operators)
    #[arg(long, default_value = "fsm")]
    pruning: Pruning,
}

#[derive(Args, Debug)]
pub(super) struct StateOptions {
    /// The puzzle: 3x3x3, 2x2x2, 8-puzzle, 15-puzzle, 19-puzzle, 24-puzzle, ROWSxCOLS-tiles, or a path to a definition
    pub(super) puzzle: String,
    /// The state: all words are one
    pub(super) state: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct Solve {
    #[command(flatten)]
    pub(super) input: StateOptions,
    /// File with one state a line; for puzzles from definitions also a scramble file
    #[arg(long, conflicts_with = "state")]
    pub(super) file: Option<PathBuf>,
    /// All optimal plans; those that differ only in the order of neighbours that commute count once
    #[arg(long)]
    pub(super) all: bool,
    /// So many optimal plans at the most
    #[arg(long, conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) count: Option<u64>,
    /// A near-optimal plan at once, without a proof (3x3x3 with best); a limit of nodes or time is used up for a better one
    #[arg(long, conflicts_with_all = ["all", "count"])]
    pub(super) near_optimal: bool,
    /// Most generated nodes for one state; looked at every few thousand on each thread
    #[arg(long, value_name = "NODES")]
    limit_nodes: Option<u64>,
    /// Longest search of one state, such as 60s or 10m (table building does not count)
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit_time: Option<Duration>,
    /// Look for no plan of a greater cost
    #[arg(long, value_name = "D")]
    max_bound: Option<Cost>,
    #[command(flatten)]
    pub(super) heuristic: HeuristicOptions,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

impl Solve {
    /// The job of one state.
    pub(super) fn job<'a>(
        &self,
        cancel: CancelToken,
        watch: &'a dyn Watch,
        others: &'a (dyn Fn() -> usize + Sync),
    ) -> Job<'a> {
        let plans = match (self.all, self.count) {
            (true, _) => usize::MAX,
            (false, count) => count.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX)),
        };
        let (nodes, time) = (self.limit_nodes, self.limit_time);
        let limits = Limits { nodes, time, bound: self.max_bound, bytes: None };
        let aim = if self.near_optimal { Aim::NearOptimal } else { Aim::Optimal };
        Job { limits, cancel, watch, plans, others, aim }
    }
}

#[derive(Args, Debug)]
pub(super) struct Scramble {
    /// The puzzle: 3x3x3, 2x2x2, 8-puzzle, 15-puzzle, 19-puzzle, 24-puzzle, ROWSxCOLS-tiles, or a path to a definition
    pub(super) puzzle: String,
    /// How many states
    #[arg(long, default_value_t = 1)]
    pub(super) count: u64,
    /// The same seed gives the same states in every release [default: another one in every run]
    #[arg(long)]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) input: StateOptions,
    /// A plan to replay
    #[arg(long)]
    pub(super) plan: Option<String>,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["states", "sequences"]))]
pub(super) struct Count {
    /// The puzzle: 3x3x3, 2x2x2, 8-puzzle, 15-puzzle, 19-puzzle, 24-puzzle, ROWSxCOLS-tiles, or a path to a definition
    pub(super) puzzle: String,
    /// Count distinct states
    #[arg(long)]
    pub(super) states: bool,
    /// Count operator sequences that pruning lets through
    #[arg(long)]
    pub(super) sequences: bool,
    /// Greatest depth
    #[arg(long, value_name = "D")]
    pub(super) depth: usize,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

#[derive(Args, Debug)]
pub(super) struct GodsAlgorithm {
    /// The puzzle: 2x2x2, or a path to a definition (.tws, .def or .json)
    pub(super) puzzle: String,
    /// How many of the states that lie farthest are listed, in a form that solve takes
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) antipodes: usize,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

#[derive(Args, Debug)]
pub(super) struct Learn {
    /// The puzzle: 3x3x3, 2x2x2, 8-puzzle, 15-puzzle, 19-puzzle, 24-puzzle, ROWSxCOLS-tiles, or a path to a definition
    pub(super) puzzle: String,
    /// Longest operator strings looked at
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) depth: u8,
    /// Draw the minimised automaton as a Graphviz file
    #[arg(long, value_name = "FILE")]
    pub(super) dot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

/// A puzzle with a heuristic, and how the work goes on.
#[derive(Args, Debug)]
pub(super) struct Guided {
    /// The puzzle: 3x3x3, 2x2x2, 8-puzzle, 15-puzzle, 19-puzzle, 24-puzzle, ROWSxCOLS-tiles, or a path to a definition
    pub(super) puzzle: String,
    #[command(flatten)]
    heuristic: HeuristicOptions,
    #[command(flatten)]
    metric: MetricOptions,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

impl Guided {
    pub(super) fn parts(&self) -> Parts<'_> {
        let (metric, heuristic, engine) = (&self.metric, &self.heuristic, &self.engine);
        Parts {
            metric: Some(metric),
            heuristic: Some(heuristic),
            engine: Some(engine),
            pruning: None,
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct Predict {
    /// Greatest bound, at least 1: an iteration with bound 0 generates no node
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(Cost).range(1..))]
    pub(super) bound: Cost,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) guided: Guided,
}

#[derive(Args, Debug)]
pub(super) struct Tables {
    #[command(subcommand)]
    pub(super) verb: TablesVerb,
}

#[derive(Subcommand, Debug)]
pub(super) enum TablesVerb {
    /// Build the tables of a heuristic that are missing
    Build(Guided),
    /// List the table files
    List(ListTables),
    /// Check every byte of the table files
    Verify(ListTables),
    /// Remove table files
    Remove(ListTables),
    /// Search for good tables by predicted nodes: partitions of a board of sliding tiles
    Choose(ChooseTables),
    /// Show the tables that there are to choose from, and which of them are taken
    Explain(Guided),
}

#[derive(Args, Debug)]
pub(super) struct ChooseTables {
    /// The puzzle: one of sliding tiles
    pub(super) puzzle: String,
    /// Sizes of the patterns of each partition
    #[arg(long, value_name = "A-B-..", value_parser = parse_sizes)]
    pub(super) sizes: Sizes,
    /// Partitions, of which the maximum is taken
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(super) count: u8,
    /// Time for all of them; looked at between two tables
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = humantime::parse_duration)]
    pub(super) limit_time: Duration,
    /// Seed of the random states and choices
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) goal: MetricOptions,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

/// Sizes of patterns.
#[derive(Clone, Debug)]
pub(super) struct Sizes(pub(super) Vec<usize>);

fn parse_sizes(text: &str) -> Result<Sizes, String> {
    let sizes: Result<_, _> = text.split('-').map(str::parse).collect();
    sizes.map(Sizes).map_err(|_| format!("{text:?}: expected sizes such as 6-6-6-6"))
}

#[derive(Args, Debug)]
pub(super) struct ListTables {
    /// Only the tables of this puzzle
    pub(super) puzzle: Option<String>,
    #[command(flatten)]
    pub(super) folder: FolderOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    /// Write nothing but results and errors
    #[arg(long)]
    pub(super) quiet: bool,
}

#[derive(Args, Debug)]
pub(super) struct Bench {
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    #[command(flatten)]
    pub(super) output: OutputOptions,
    #[command(flatten)]
    pub(super) progress: ProgressOptions,
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    text.parse::<bytesize::ByteSize>()
        .map(|size| size.as_u64())
        .map_err(|error| format!("{error}; expected a size such as 512MiB or 2GiB"))
}

impl FolderOptions {
    /// The folder asked for, that of `$FEWEST_TABLES` unless it is empty, or the user's cache folder.
    pub(super) fn folder(&self) -> Result<PathBuf, Error> {
        use etcetera::BaseStrategy;
        let variable = || std::env::var_os("FEWEST_TABLES").filter(|folder| !folder.is_empty());
        match self.tables.clone().or_else(|| variable().map(PathBuf::from)) {
            Some(folder) => Ok(folder),
            None => etcetera::choose_base_strategy()
                .map(|base| base.cache_dir().join("fewest"))
                .map_err(|error| {
                    Error::refused(format!(
                        "no cache folder for tables ({error}): give one with --tables"
                    ))
                }),
        }
    }
}

/// What a verb's options say about the configuration; the rest is default.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts<'a> {
    pub(super) metric: Option<&'a MetricOptions>,
    pub(super) heuristic: Option<&'a HeuristicOptions>,
    pub(super) pruning: Option<&'a PruningOptions>,
    pub(super) engine: Option<&'a EngineOptions>,
}

impl Parts<'_> {
    /// Sets the threads up and configures the puzzle.
    pub(super) fn configure(self, puzzle: &str) -> Result<Box<dyn Puzzle>, Error> {
        let mut settings = Settings::default();
        if let Some(metric) = self.metric {
            settings.metric.clone_from(&metric.metric);
            settings.goal.clone_from(&metric.goal);
        }
        if let Some(heuristic) = self.heuristic {
            settings.heuristic.clone_from(&heuristic.heuristic);
        }
        if let Some(pruning) = self.pruning {
            settings.pruning = pruning.pruning;
        }
        if let Some(engine) = self.engine {
            engine.apply(&mut settings)?;
        }
        Ok(configure(puzzle, &settings)?)
    }
}

impl EngineOptions {
    pub(super) fn apply(&self, settings: &mut Settings) -> Result<(), Error> {
        self.start_threads()?;
        settings.memory = self.memory;
        settings.loading = self.load;
        settings.tables = Some(self.folder.folder()?);
        Ok(())
    }

    /// The pool that searches and builds use.
    fn start_threads(&self) -> Result<(), Error> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build_global()
            .map_err(|error| Error::refused(format!("cannot start the threads: {error}")))
    }
}
