//! What a front end needs of a puzzle: [`Puzzle`], behind which the concrete types of domain, heuristic and pruning disappear.

use pdb::file::TableSpec;
use pdb::{BuildError, BuildObserver};
use search::{CancelToken, Cost, Iteration, Limits, Observer};
use std::time::Duration;

/// Is told of everything that takes time: searches ([`Observer`]), table builds ([`BuildObserver`]), and which table is at hand.
pub trait Watch: Observer + BuildObserver {
    /// A table of so many bytes is about to be built, because its file does not exist.
    fn building(&self, _table: &str, _bytes: u64) {}
    /// Another process builds the table: this one waits for it.
    fn waiting(&self, _table: &str) {}
    /// The table is in use: built and saved, or loaded.
    fn ready(&self, _table: &str, _bytes: u64) {}
    /// The table was built but could not be saved: the answer does not suffer, the next run builds it again.
    fn not_saved(&self, _table: &str, _error: &pdb::file::TableError) {}
    /// A plan was found, shorter than any before and replayed on the slow twin; it is not proven optimal. No plan is shorter than `lower_bound`.
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
    /// An optimal one; where the puzzle has a quick way to a near-optimal plan, and the proof may take longer, that comes first.
    #[default]
    Optimal,
    /// An optimal one, and nothing else is looked for: counts and times are those of the optimal search alone.
    OptimalOnly,
    /// A near-optimal one, for puzzles that have a way to it: see [`Puzzle::has_near_optimal`]. Limits of nodes and time, if there are any, are used up.
    NearOptimal,
}

/// What bounds and watches a piece of work.
pub struct Job<'a> {
    /// Where a search stops without an answer.
    pub limits: Limits,
    /// Stops searches and builds.
    pub cancel: CancelToken,
    /// Is told of the progress.
    pub watch: &'a dyn Watch,
    /// How many optimal plans are wanted. [range: 1..]
    pub plans: usize,
    /// How many more states are known to wait for the same puzzle: a table that is built serves them too. May be asked at any time. [default: none]
    pub others: &'a (dyn Fn() -> usize + Sync),
    /// Which plan is wanted.
    pub aim: Aim,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("plans", &self.plans)
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
            others: &|| 0,
            aim: Aim::default(),
        }
    }
}

/// A state or plan that is refused before any search: what is wrong with it, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Why a piece of work failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input was refused.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A table file is damaged or cannot be read.
    #[error(transparent)]
    File(#[from] pdb::file::TableError),
    /// A table could not be built.
    #[error("table {table}: {error}")]
    Build {
        /// Name of the table.
        table: String,
        /// What went wrong.
        error: BuildError,
    },
    /// The caller cancelled before there was a result.
    #[error("cancelled")]
    Cancelled,
    /// A limit was reached before there was a result.
    #[error("{0}")]
    Limit(String),
    /// A plan did not survive its replay on the slow twin: a defect of this program.
    #[error("internal error: the plan {plan} does not solve the state: {error}")]
    Defect {
        /// The plan.
        plan: String,
        /// What the validator said.
        error: search::plan::Invalid,
    },
}

impl Failure {
    /// Whether the caller wanted it so.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Build { error: BuildError::Cancelled, .. })
    }
}

/// How a search ended, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Plans were found.
    Solved,
    /// No plan exists.
    Unsolvable,
    /// A limit was reached.
    LimitReached,
    /// The caller cancelled.
    Cancelled,
    /// The state was refused.
    Refused,
}

/// The answer to one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How the search ended.
    pub ending: Ending,
    /// The plans, as names of operators. If a limit or the caller ended the search, the best plan that was known, if one was.
    pub plans: Vec<Vec<String>>,
    /// Whether the plans are proven optimal.
    pub optimal: bool,
    /// Whether the plans are all that were asked for: as many as wanted, or all there are. If not, a limit or the
    /// caller ended the search between two plans.
    pub complete: bool,
    /// No plan costs less.
    pub lower_bound: Cost,
    /// What the best plan costs: as many as it has operators, where each costs 1. No more is needed.
    pub upper_bound: Option<u64>,
    /// What the near-optimal search did that came first, if one did.
    pub near: Option<Near>,
    /// Iterations of the search, in order.
    pub iterations: Vec<Iteration>,
    /// Wall time of the search.
    pub elapsed: Duration,
    /// Time of all threads in the search.
    pub cpu: Duration,
    /// Wall time of building and loading tables.
    pub tables: Duration,
    /// Name of the heuristic that was used last.
    pub heuristic: String,
    /// Name of the pruning.
    pub pruning: String,
    /// Bytes of all tables in use.
    pub table_bytes: u64,
}

impl Answer {
    /// Generated nodes over all iterations.
    pub fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// Expanded nodes over all iterations.
    pub fn expanded(&self) -> u64 {
        Iteration::expanded_in(&self.iterations)
    }
}

/// What a near-optimal search did. Its nodes are not among those of the optimal search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Near {
    /// Operators of its best plan, if it found one.
    pub length: Option<usize>,
    /// Generated nodes.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Wall time, which is part of that of the answer.
    pub elapsed: Duration,
}

/// What a plan did on the slow twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Operators of the plan.
    pub length: usize,
    /// What they cost together.
    pub cost: u64,
    /// Why it does not solve the state, if it does not.
    pub fault: Option<search::plan::Invalid>,
    /// The rule about moves that the operator at fault breaks, in words, if it breaks one.
    pub rule: Option<String>,
}

/// States of a file that are not one a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateFile {
    /// The states, in order.
    pub states: Vec<FileState>,
    /// Plans cost at most so much, if the file says so.
    pub bound: Option<Cost>,
    /// What the reader noticed that is no error.
    pub notes: Vec<String>,
}

/// A state of such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// The state, in a form that [`Puzzle::read`] takes.
    pub text: String,
    /// Its name.
    pub name: String,
    /// The line where it begins, from 1.
    pub line: usize,
}

/// What learning gave.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LearnedSummary {
    /// Longest strings looked at.
    pub depth: usize,
    /// Forbidden strings.
    pub strings: usize,
    /// States of the automaton as built, without the dead one.
    pub states: usize,
    /// States of the least automaton, without the dead one.
    pub minimized_states: usize,
    /// Asymptotic number of operators that may follow.
    pub branching_factor: f64,
}

/// The values of one table.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct TableHistogram {
    /// Name of the table.
    pub table: String,
    /// Entries.
    pub entries: u64,
    /// Bytes of the table in memory.
    pub bytes: u64,
    /// Mean value.
    pub mean: f64,
    /// Greatest value.
    pub max: Cost,
    /// Entries of each value, from 0.
    pub counts: Vec<u64>,
}

impl TableHistogram {
    /// The histogram of a table with so many entries of each value, from 0.
    pub fn new(table: String, bytes: u64, counts: Vec<u64>) -> Self {
        let entries: u64 = counts.iter().sum();
        let sum: u64 = (0..).zip(&counts).map(|(value, &count): (u64, _)| value * count).sum();
        let mean = if entries == 0 { 0.0 } else { sum as f64 / entries as f64 };
        let max = Cost::try_from(counts.len().saturating_sub(1)).unwrap_or(Cost::MAX);
        Self { table, entries, bytes, mean, max, counts }
    }
}

/// A table that there is to choose from.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Explained {
    /// Bytes of the table, nearly.
    pub bytes: u64,
    /// States of the abstraction, before symmetric ones are put together.
    pub states: u64,
    /// Symmetries that put states together.
    pub symmetries: usize,
    /// Sides that it is read from, of the state and of its inverse.
    pub views: usize,
    /// About how many operators its states lie from the goal, seen from all sides: known of tables that are derived.
    pub worth: Option<f64>,
    /// Whether it is one of the tables that the search takes.
    pub taken: bool,
    /// What of the puzzle it tells apart.
    pub pattern: String,
}

impl Explained {
    /// A table that the heuristic takes, read from the state alone and reduced by no symmetry: named like its file.
    pub(crate) fn whole(spec: TableSpec) -> Self {
        Self {
            bytes: spec.payload_bytes,
            states: spec.entries,
            symmetries: 1,
            views: 1,
            worth: None,
            taken: true,
            pattern: spec.name,
        }
    }
}

/// What is predicted of complete iterations with bounds 1, 2, ..
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Generated nodes.
    pub generated: Vec<f64>,
    /// The tables that the heuristic may choose from, if it may: smallest first.
    pub tables: Vec<TablePrediction>,
}

impl From<Vec<f64>> for Prediction {
    /// Without a choice of tables.
    fn from(generated: Vec<f64>) -> Self {
        Self { generated, tables: Vec::new() }
    }
}

/// What is predicted for one table.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePrediction {
    /// Name of the table.
    pub table: String,
    /// Bytes of the table, and of the one read behind it.
    pub bytes: u64,
    /// Seconds until it is built, on all threads; 0 if it is at hand.
    pub build_seconds: f64,
    /// Generated nodes of complete iterations with bounds 1, 2, ..
    pub generated: Vec<f64>,
    /// Wall seconds of these iterations, on all threads.
    pub seconds: Vec<f64>,
}

/// What tables are to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Sizes of the patterns of a partition.
    pub sizes: Vec<usize>,
    /// How many partitions, of which the maximum is taken.
    pub partitions: usize,
    /// Time for all of them.
    pub time: Duration,
    /// Seed of the random states and choices.
    pub seed: u64,
}

/// Tables that were chosen so far.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Chosen {
    /// Name of the heuristic with these tables.
    pub heuristic: String,
    /// Predicted nodes relative to a search without a heuristic.
    pub nodes: f64,
    /// Mean value over random states.
    pub mean: f64,
    /// Tables looked at.
    pub tables: usize,
}

/// A configured puzzle: everything the tool does, over text.
pub trait Puzzle: Send + Sync {
    /// Name as the tool takes it.
    fn name(&self) -> &str;
    /// Metric, where the puzzle has several.
    fn metric(&self) -> Option<&'static str>;
    /// Whether some operators cost other than 1. [default: no]
    fn has_costs(&self) -> bool {
        false
    }
    /// Whether a table file of this name is one of the puzzle's, in any metric and with any heuristic. [default: it begins with the puzzle's name]
    fn owns_table(&self, table: &str) -> bool {
        table.strip_prefix(self.name()).is_some_and(|rest| rest.starts_with('-'))
    }
    /// The state that a text describes, in a form that reads back as the same state.
    ///
    /// # Errors
    /// If the text is malformed or the state cannot be solved: with the place and what was expected.
    fn read(&self, state: &str) -> Result<String, Refused>;
    /// The words with which a file of states begins that are not one a line; [`Puzzle::read_file`] reads such a file. [default: none]
    fn file_words(&self) -> &'static [&'static str] {
        &[]
    }
    /// The states of a file that begins with one of [`Puzzle::file_words`].
    ///
    /// # Errors
    /// If the text is malformed, with the place and what was expected; or the file asks for something else than the puzzle does.
    fn read_file(&self, _text: &str) -> Result<StateFile, Refused> {
        Err(Refused(format!("{} has no such files: expected one state a line", self.name())))
    }
    /// Names of the state, for people: facts that `check` prints, as (name, value).
    ///
    /// # Errors
    /// As [`Puzzle::read`].
    fn describe(&self, state: &str) -> Result<Vec<(&'static str, String)>, Refused>;
    /// Solves a state.
    ///
    /// # Errors
    /// A refused state, a damaged table file, a failed build.
    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure>;
    /// Whether [`Aim::NearOptimal`] can be asked for. [default: no]
    fn has_near_optimal(&self) -> bool {
        false
    }
    /// Replays a plan on the slow twin.
    ///
    /// # Errors
    /// A refused state, or a text that is no plan. A plan that does not solve the state is an answer.
    fn check_plan(&self, state: &str, plan: &str) -> Result<Replayed, Refused>;
    /// Uniformly random solvable states, in a form that [`Puzzle::read`] takes; the same for the same seed in every release.
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_>;
    /// How many states lie at each distance 0 to `depth` from the solved one; tells each as soon as it is known.
    ///
    /// # Errors
    /// A limit or cancellation.
    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure>;
    /// How many operator sequences of each length 0 to `depth` the pruning lets through; ends early before a count that passes
    /// 128 bits.
    ///
    /// # Errors
    /// Cancellation.
    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure>;
    /// How many states lie at each distance from the goal, to the last one; answers some of those that lie farthest, at most `antipodes` and
    /// the same in every run, in a form that [`Puzzle::read`] takes. Where it takes long, complete layers are kept in the folder of the tables and taken up again.
    ///
    /// # Errors
    /// A puzzle for which there is no such search, more memory than allowed, cancellation.
    fn gods_algorithm(
        &self,
        _antipodes: usize,
        _job: &Job<'_>,
        _tell: &mut dyn FnMut(usize, u128),
    ) -> Result<Vec<String>, Failure> {
        let message =
            format!("no such search for {}: expected 2x2x2 or a path to a definition", self.name());
        Err(Refused(message).into())
    }
    /// Learns the duplicate strings of at most `depth` operators. With `dot`, also draws the least automaton.
    ///
    /// # Errors
    /// Cancellation.
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure>;
    /// The values of each table of the heuristic.
    ///
    /// # Errors
    /// A heuristic without tables, a damaged file, a failed build.
    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure>;
    /// Predicted generated nodes of the complete iterations with bounds 1 to `bound`; ends early where sequence counts pass 128 bits. Where a
    /// heuristic may choose among tables, what each of them promises.
    ///
    /// # Errors
    /// A heuristic of which no distribution is known, a damaged file, a failed build.
    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure>;
    /// The tables that the heuristic may choose from for one puzzle, smallest first, and which of them it takes.
    ///
    /// # Errors
    /// A heuristic without tables.
    fn explain_tables(&self, job: &Job<'_>) -> Result<Vec<Explained>, Failure>;
    /// Searches for tables by predicted nodes; tells each partition that is added.
    ///
    /// # Errors
    /// A puzzle without partitions, sizes that are none of its partitions', a failed build, cancellation.
    fn choose_tables(
        &self,
        _wanted: &Wanted,
        _job: &Job<'_>,
        _tell: &mut dyn FnMut(&Chosen),
    ) -> Result<(), Failure> {
        let message =
            format!("{} has no partitions to choose from: sliding tiles have", self.name());
        Err(Refused(message).into())
    }
    /// Builds what tables of the heuristic are missing; answers names and bytes.
    ///
    /// # Errors
    /// A damaged file, a failed build, a file that cannot be written.
    fn build_tables(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure>;
}
