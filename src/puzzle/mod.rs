//! A configured puzzle over text: the core [`Puzzle`], and what only some puzzles can do.
//!
//! Behind it the concrete types of domain, heuristic and pruning disappear. A capability is a
//! trait of its own: [`Puzzle::counting`] answers `Some` if the puzzle counts states.

mod answer;
mod failure;
mod job;
mod tables;

pub use answer::{Answer, Ending, FileState, Near, Replay, StateFile, StateInfo};
pub use failure::{Failure, InvalidInput, TooLittleMemory};
pub use job::{Aim, Backlog, Job, Quiet, Watch};
pub use tables::{
    LearnedSummary, PartitionChoice, PartitionOptions, Prediction, TableCandidate, TableHistogram,
    TablePrediction,
};

use crate::settings::MetricChoice;
use search::Cost;

/// What a configured puzzle is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PuzzleInfo {
    /// Name, as [`crate::configure`] takes it.
    pub name: String,
    /// Metric, where the puzzle has several.
    pub metric: Option<MetricChoice>,
    /// Whether some operators cost other than 1.
    pub has_costs: bool,
    /// Whether [`Aim::NearOptimal`] can be asked for.
    pub has_near_optimal: bool,
    /// Stickers of one face, if states may be stickers, a face on each of six lines.
    pub face_stickers: Option<usize>,
    /// What the reader of a definition noticed, such as keys that it ignored.
    pub notes: Vec<String>,
}

impl PuzzleInfo {
    /// A puzzle whose operators cost 1, without a near-optimal search.
    pub(crate) fn new(name: impl Into<String>, metric: Option<MetricChoice>) -> Self {
        Self {
            name: name.into(),
            metric,
            has_costs: false,
            has_near_optimal: false,
            face_stickers: None,
            notes: Vec::new(),
        }
    }
}

/// A configured puzzle: reads states, solves them and checks plans, all over text.
pub trait Puzzle: Send + Sync {
    /// Name, metric, and what can be asked for.
    fn info(&self) -> &PuzzleInfo;

    /// The state that a text describes.
    ///
    /// # Errors
    /// If the text is malformed or the state cannot be solved: the place, and what was expected.
    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput>;

    /// The shortest plans of a state, each replayed on the slow twin.
    ///
    /// # Errors
    /// A refused state, a damaged table file, a failed build, a defect of this program.
    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure>;

    /// What a plan does on the slow twin. A plan that does not solve the state is an answer.
    ///
    /// # Errors
    /// A refused state, or a text that is no plan.
    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput>;

    /// Random states, if the puzzle draws them.
    fn scrambler(&self) -> Option<&dyn Scrambler> {
        None
    }
    /// Files of states that are not one a line, if the puzzle has them.
    fn state_files(&self) -> Option<&dyn StateFiles> {
        None
    }
    /// Counts of states and operator sequences, if the puzzle counts them.
    fn counting(&self) -> Option<&dyn Counting> {
        None
    }
    /// Counts of all states, if the puzzle has few enough.
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        None
    }
    /// Learned duplicate strings, if the puzzle learns them.
    fn learning(&self) -> Option<&dyn Learning> {
        None
    }
    /// The tables of the heuristic, if the puzzle has any.
    fn tables(&self) -> Option<&dyn Tables> {
        None
    }
    /// Predicted nodes, if the puzzle predicts them.
    fn predicting(&self) -> Option<&dyn Predicting> {
        None
    }
    /// A search for good tables, if the puzzle has one.
    fn choosing(&self) -> Option<&dyn Choosing> {
        None
    }
}

/// Draws random states.
pub trait Scrambler {
    /// Random solvable states, in a form that [`Puzzle::read`] takes.
    ///
    /// They are uniform where the states form a group. A seed gives the same states in every
    /// release.
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_>;
}

/// Reads files of states that are not one a line.
pub trait StateFiles {
    /// The words with which such a file may begin.
    fn words(&self) -> &'static [&'static str];

    /// The states of a file.
    ///
    /// # Errors
    /// If the text is malformed, or asks for what the puzzle does not do.
    fn read_file(&self, text: &str) -> Result<StateFile, InvalidInput>;
}

/// Is told each depth and its count, as soon as it is known.
pub type Tell<'a> = dyn FnMut(usize, u128) + 'a;

/// Counts states and operator sequences by depth.
pub trait Counting {
    /// Tells how many states lie at each distance 0 to `depth` from the goal.
    ///
    /// # Errors
    /// A limit or cancellation.
    fn count_states(&self, depth: usize, job: &Job<'_>, tell: &mut Tell<'_>)
    -> Result<(), Failure>;

    /// How many operator sequences of each length 0 to `depth` the pruning lets through.
    ///
    /// Ends early before a count that passes 128 bits.
    ///
    /// # Errors
    /// Cancellation.
    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure>;
}

/// Counts all states.
pub trait Exhaustive {
    /// Tells how many states lie at each distance, to the last. Answers some of the farthest.
    ///
    /// There are at most `antipodes` of these, the same in every run, in a form that
    /// [`Puzzle::read`] takes. A long count keeps complete layers in the folder of the tables, and
    /// the next run takes them up again.
    ///
    /// # Errors
    /// More memory than allowed, cancellation.
    fn count_all(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>, Failure>;
}

/// Learns duplicate strings.
pub trait Learning {
    /// Learns the duplicate strings of at most `depth` operators. With `dot`, draws the automaton.
    ///
    /// # Errors
    /// Cancellation.
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure>;
}

/// Tells of the tables of the heuristic, and builds them.
pub trait Tables {
    /// Whether a table file of this name is the puzzle's, in any metric and with any heuristic.
    fn owns(&self, table: &str) -> bool;

    /// The tables that the heuristic may take, smallest first, and which it takes.
    ///
    /// # Errors
    /// A heuristic without tables.
    fn explain(&self, job: &Job<'_>) -> Result<Vec<TableCandidate>, Failure>;

    /// Builds the tables of the heuristic that are missing; answers names and bytes of all.
    ///
    /// # Errors
    /// A damaged file, a failed build, a file that cannot be written.
    fn build(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure>;

    /// The values of each table of the heuristic.
    ///
    /// # Errors
    /// A heuristic without tables, a damaged file, a failed build.
    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure>;
}

/// Predicts nodes.
pub trait Predicting {
    /// Predicted generated nodes of the complete iterations with bounds 1 to `bound`.
    ///
    /// Ends early where sequence counts pass 128 bits. Where the heuristic may choose among tables,
    /// tells what each of them promises.
    ///
    /// # Errors
    /// A heuristic whose distribution is unknown, a damaged file, a failed build.
    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure>;
}

/// Searches for good tables.
pub trait Choosing {
    /// Searches for partitions by predicted nodes. Tells each partition that is added.
    ///
    /// # Errors
    /// Sizes that do not fit the puzzle, a failed build, cancellation.
    fn choose(
        &self,
        wanted: &PartitionOptions,
        job: &Job<'_>,
        tell: &mut dyn FnMut(&PartitionChoice),
    ) -> Result<(), Failure>;
}
