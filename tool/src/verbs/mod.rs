//! The verbs of the command line, as clap reads them.

mod runs;
mod statistics;
mod steps;
mod tables;

pub(super) use runs::{Certify, Merge, Resume, Status};
pub(super) use statistics::{GodsAlgorithm, Statistics};
pub(super) use steps::StepArgs;
pub(super) use tables::{BuildTables, ChooseTables, ListTables, Tables, TablesVerb};

use super::options::{
    HeuristicArgs, HeuristicOptions, JournalOptions, LimitOptions, MetricOptions, Parts,
    PlotOptions, ProofLogOptions, PruningOptions, PuzzleArgs, SolverOptions, StateOptions,
    WorkOptions, instances_help, puzzle_help,
};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use fewest::search::Cost;
use fewest::{Aim, Backlog, PUZZLES, Request, Watch};
use fewest_terminal::{OutputOptions, PlanOptions};
use std::path::PathBuf;
use std::time::Duration;

/// The introduction of the help, and how the states of each puzzle are written.
fn long_about() -> String {
    let states =
        PUZZLES.iter().map(|kind| format!("\n  {}: {}", kind.names.join(", "), kind.states));
    format!(
        "Fewest moves, found and proven: solves puzzles optimally.\n\n\
         PUZZLE is one of the names below, or one that `fewest puzzles` lists. All words after it \
         are one state.{}",
        states.collect::<String>()
    )
}

/// Fewest moves, found and proven: solves puzzles optimally.
#[derive(Parser, Debug)]
#[command(name = "fewest", version, max_term_width = 100, long_about = long_about())]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(super) enum Verb {
    /// Solve a state optimally, and prove it. Without STATE and --file, read one state a line from
    /// standard input
    Solve(Box<Solve>),
    /// Go on with the search of a journal that `solve --journal` wrote
    Resume(Resume),
    /// Join the journals of `solve --shard`, and say what is missing
    Merge(Merge),
    /// Say how far the search of a journal is, running or stopped, and when it may end
    Status(Status),
    /// Check what a certificate of `solve --certificate` proves
    Certify(Certify),
    /// Print random solvable states, or moves that lead there, one a line
    Scramble(Scramble),
    /// Print the moves that undo a sequence of moves, or the inverse of a state
    Invert(Invert),
    /// Print the state to which several states lead, one after the other
    Compose(Compose),
    /// Make plans cheaper: print plans that solve the same and cost no more, one a line
    Shorten(Shorten),
    /// Say whether a state can be solved, and whether a plan solves it
    Check(Check),
    /// Count distinct states, or move sequences that pruning lets through, by depth
    Count(Count),
    /// Count the states at every distance from the goal, to the last (God's algorithm). A stopped
    /// count goes on in the next run
    GodsAlgorithm(GodsAlgorithm),
    /// Count how long the optimal plans of many states are: mean, standard error, percentiles
    Statistics(Statistics),
    /// Learn which move strings are duplicates, and the automaton that cuts them, from all strings
    /// of at most D moves
    Learn(Learn),
    /// Print how often each value occurs in the tables of a heuristic
    Histogram(Histogram),
    /// Predict how many nodes a search generates for each bound on the cost
    Predict(Predict),
    /// Search the same instances with several heuristics: root h, nodes by iteration, predicted and
    /// searched, means with standard errors
    Compare(Compare),
    /// Compute the tables and figures of the papers anew: published value, ours, and why they
    /// differ. Without a name, all that take less than a minute
    Reproduce(Reproduce),
    /// Build, list, verify, remove, choose or explain tables
    Tables(Tables),
    /// List the puzzles that have a name, and other names for them
    Puzzles(Puzzles),
    /// List the names that --goal takes, each with a picture of what must be at home
    Goals(Goals),
    /// Print completions of the command line for a shell
    Completions(Completions),
    /// Print the manual page, or write the pages of all verbs to a folder
    Man(Man),
    /// Show what a definition means: its pieces, the cycles and orders of its moves, its group
    Show(Show),
    /// Write a definition, or states of a puzzle, in the other format
    Convert(Convert),
    /// Search a fixed list of instances; print the sum of all nodes and nodes per second
    Bench(Bench),
    /// Serve a page on this machine that draws, solves and plays puzzles; prints its link
    #[cfg(feature = "serve")]
    Serve(Serve),
}

#[derive(Args, Debug)]
pub(super) struct Solve {
    #[command(flatten)]
    pub(super) input: StateOptions,
    /// File with one state a line; for puzzles from definitions also a scramble file
    #[arg(long, conflicts_with = "start")]
    pub(super) file: Option<PathBuf>,
    #[arg(long, value_name = "SET|FILE", conflicts_with_all = ["start", "file"])]
    #[arg(help = instances_help())]
    pub(super) instances: Option<String>,
    #[command(flatten)]
    pub(super) plans: PlanOptions,
    /// A near-optimal plan at once, without a proof. With a limit
    /// of nodes or time, search on for a better one until the limit
    #[arg(long, conflicts_with_all = ["all", "count", "slack", "min_length", "solver"])]
    pub(super) near_optimal: bool,
    /// With --near-optimal: draws other random changes, so that another
    /// plan may come
    #[arg(long, requires = "near_optimal", value_name = "SEED")]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) steps: StepArgs,
    #[command(flatten)]
    pub(super) journal: JournalOptions,
    #[command(flatten)]
    pub(super) proof: ProofLogOptions,
    #[command(flatten)]
    pub(super) solver: SolverOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    #[command(flatten)]
    pub(super) heuristic: HeuristicOptions,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

impl Solve {
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            metric: Some(&self.metric),
            solver: Some(&self.solver),
            heuristic: Some(&self.heuristic),
            pruning: Some(&self.pruning),
            engine: Some(&self.work.engine),
        }
    }

    /// The request of one state.
    pub(super) fn request<'a>(&self, watch: &'a dyn Watch, backlog: Backlog) -> Request<'a> {
        let aim = if self.near_optimal { Aim::NearOptimal } else { Aim::Optimal };
        let request = self.limits.request().watch(watch).backlog(backlog).aim(aim);
        self.plans.apply(request.seed(self.seed.unwrap_or(0)))
    }
}

/// How random states are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum ScrambleForm {
    State,
    Moves,
}

#[derive(Args, Debug)]
pub(super) struct Scramble {
    #[command(flatten)]
    pub(super) args: PuzzleArgs,
    /// How many states
    #[arg(short = 'n', long, default_value_t = 1)]
    pub(super) count: u64,
    /// The same seed gives the same states in every release [default: another one in every run,
    /// printed on standard error]
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// States as `solve` takes them, or moves that lead there: a plan of the state, inverted. Moves
    /// lead to uniformly random states where all pieces differ and no rule restricts the moves;
    /// under rules about states the moves are random
    #[arg(long, value_enum, default_value = "state")]
    pub(super) form: ScrambleForm,
}

#[derive(Args, Debug)]
pub(super) struct Invert {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    /// The moves, or a state in another form: all words together are one. Without them, one a line
    /// from --file or standard input
    #[arg(allow_hyphen_values = true)]
    pub(super) moves: Vec<String>,
    /// File with one a line
    #[arg(long, conflicts_with = "moves")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(super) struct Compose {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    /// The states, each as one argument: moves, or any other form that solve takes
    #[arg(required = true)]
    pub(super) states: Vec<String>,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(super) struct Shorten {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    /// The plan: all words together are one. Without them, one plan a line from --file or standard
    /// input; also rows of a submission to Kaggle's Santa 2023, such as 12,r1.-f1
    pub(super) plan: Vec<String>,
    /// File with one plan a line
    #[arg(long, conflicts_with = "plan")]
    pub(super) file: Option<PathBuf>,
    /// Print one plan, made of all plans of --file or standard input, which solve one state: the
    /// cheapest way through the states near them, made cheaper like a single plan
    #[arg(long, conflicts_with = "plan")]
    pub(super) together: bool,
    /// The state that the plans solve [default: the one that each plan solves, or with --together
    /// the first]
    #[arg(long, value_name = "STATE")]
    pub(super) state: Option<String>,
    /// Longest work on one plan, such as 60s or 10m. It goes on until then, unless a plan is proven
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(super) limit_time: Option<Duration>,
    /// About the most nodes of the states near the plan, and of each new solution
    #[arg(long, value_name = "NODES")]
    pub(super) limit_nodes: Option<u64>,
    #[command(flatten)]
    pub(super) metric: MetricOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
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
    #[command(flatten)]
    pub(super) args: PuzzleArgs,
    /// Count distinct states
    #[arg(long)]
    pub(super) states: bool,
    /// Count move sequences that pruning lets through
    #[arg(long)]
    pub(super) sequences: bool,
    /// Greatest depth
    #[arg(long, value_name = "D")]
    pub(super) depth: usize,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) plot: PlotOptions,
}

#[derive(Args, Debug)]
pub(super) struct Learn {
    #[command(flatten)]
    pub(super) args: PuzzleArgs,
    /// Length of the longest move strings compared
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) depth: u8,
    /// Draw the minimised automaton as a Graphviz file
    #[arg(long, value_name = "FILE")]
    pub(super) dot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) plot: PlotOptions,
}

#[derive(Args, Debug)]
pub(super) struct Histogram {
    #[command(flatten)]
    pub(super) plot: PlotOptions,
    #[command(flatten)]
    pub(super) guided: HeuristicArgs,
}

#[derive(Args, Debug)]
pub(super) struct Predict {
    /// Greatest bound, at least 1
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(Cost).range(1..))]
    pub(super) bound: Cost,
    #[command(flatten)]
    pub(super) plot: PlotOptions,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    #[command(flatten)]
    pub(super) guided: HeuristicArgs,
    /// A state to search up to the greatest bound, so that its nodes stand beside those predicted:
    /// all words together are one state
    pub(super) state: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct Compare {
    #[command(flatten)]
    pub(super) args: PuzzleArgs,
    /// Heuristics to compare, with commas between them [default: best, if there are --solvers]
    #[arg(short = 'H', long, alias = "heuristic", value_name = "A,B,..", value_delimiter = ',')]
    #[arg(required_unless_present = "solvers")]
    pub(super) heuristics: Vec<String>,
    /// Solvers to compare, each with every heuristic: names that `solve --solver` takes; for plans
    /// without a proof near-optimal, or one planner of it: words, cycles, gaps, pairs, meet,
    /// shorten, shapes, beam
    #[arg(long, alias = "solver", value_name = "A,B,..", value_delimiter = ',')]
    #[arg(default_value = "optimal")]
    pub(super) solvers: Vec<String>,
    #[arg(long, value_name = "SET|FILE", help = instances_help())]
    pub(super) instances: String,
    /// Only the first N instances
    #[arg(short = 'n', long, value_name = "N")]
    pub(super) count: Option<usize>,
    /// Predict no nodes: a prediction takes seconds for some heuristics
    #[arg(long)]
    pub(super) no_predict: bool,
    #[command(flatten)]
    pub(super) plot: PlotOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    #[command(flatten)]
    pub(super) pruning: PruningOptions,
}

#[derive(Args, Debug)]
pub(super) struct Reproduce {
    /// Names of experiments; a paper (korf97) or a claim (K9) means all its experiments that take
    /// less than a minute [default: those of all papers]
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// List the experiments and how long each takes, and run none
    #[arg(long, conflicts_with = "plot")]
    pub(super) list: bool,
    /// Also those that take a minute or more: hours, some of them weeks
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) plot: PlotOptions,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

#[derive(Args, Debug)]
pub(super) struct Puzzles {
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(super) struct Goals {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(super) struct Man {
    /// The folder, such as ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    pub(super) folder: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct Show {
    #[arg(help = puzzle_help())]
    pub(super) puzzle: String,
    /// Longest work on the group of the moves and on its symmetries
    #[arg(long, value_name = "TIME", default_value = "10s")]
    #[arg(value_parser = humantime::parse_duration)]
    pub(super) limit_time: Duration,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

/// A format to write.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Target {
    /// Lines and words: a definition, or the blocks of a scramble file
    Tws,
    /// JSON: a KPuzzle, or a KPattern a line
    Kpuzzle,
    /// States only: one a line, as `scramble` prints them
    Line,
}

#[derive(Args, Debug)]
pub(super) struct Convert {
    /// A definition: a file or a name that `fewest puzzles` lists; - is standard input. With
    /// --puzzle, states: a file (scrambles, KPattern JSON, or one state a line), or one state
    #[arg(value_name = "IN")]
    pub(super) input: String,
    /// The format to write [default: the other one; for states, lines if they are JSON, else JSON]
    #[arg(long, value_enum)]
    pub(super) to: Option<Target>,
    /// The puzzle of the states: a file or a name that `fewest puzzles` lists
    #[arg(long)]
    pub(super) puzzle: Option<String>,
    #[command(flatten)]
    pub(super) stickers: Stickers,
    /// Write to this file, not to standard output
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

/// Puzzles whose moves are index arrays over stickers.
#[derive(Args, Debug)]
pub(super) struct Stickers {
    /// IN is JSON with index arrays by the names of the moves: a move `p` gives `new[i] =
    /// old[p[i]]`. Pieces are found from the moves
    #[arg(long = "stickers", conflicts_with = "puzzle")]
    pub(super) are_given: bool,
    /// The puzzle in a file with the moves of several
    #[arg(long, value_name = "NAME", requires = "are_given")]
    pub(super) part: Option<String>,
    /// The solved stickers: a letter each, or words with blanks or semicolons between them
    /// [default: all differ]
    #[arg(long, value_name = "ROW", requires = "are_given")]
    pub(super) solved: Option<String>,
    /// Print the states of this file, one row of stickers a line, in place of the definition; - is
    /// standard input
    #[arg(long, value_name = "FILE", requires = "are_given")]
    pub(super) rows: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct Bench {
    #[command(flatten)]
    pub(super) plot: PlotOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

/// The options of `fewest serve`.
#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The port on 127.0.0.1 [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// How long a search goes on after its page is closed
    #[arg(long, value_name = "TIME", default_value = "30s")]
    pub(crate) gone_after: humantime::Duration,
    /// Folder with the files of the page [default: those in the program, or web/dist of its source]
    #[arg(long, value_name = "DIR")]
    pub(crate) page: Option<PathBuf>,
    /// Write nothing but the link and errors
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) engine: super::options::EngineOptions,
}
