//! The interface of a configured puzzle. States and plans are text. [`Puzzle`] has what every
//! puzzle does, the other traits what only some do.
//!
//! The types of domain, heuristic and pruning stay hidden behind [`Puzzle`]. Each optional
//! capability is a trait of its own: [`Puzzle::counting`] returns `Some` if the puzzle counts
//! states.

mod answer;
mod definition;
mod event;
mod failure;
mod inserted;
mod named_goal;
mod place;
mod request;
mod shortened;
mod tables;
mod team;

pub(crate) use answer::seconds;
pub use answer::{
    Answer, Ending, FileState, MoveScrambles, Near, Replay, StageLength, StateFile, StateInfo,
};
pub use definition::{
    ConvertedStates, Defined, DefinitionSummary, GroupSummary, MoveSummary, NameSummary,
    OrbitSummary, RuleSummary, SlotCycles, TextForm,
};
pub use event::{Event, Events, Quiet, Watch};
pub(crate) use failure::Result;
pub use failure::{Failure, InvalidInput, TooLittleMemory};
pub use inserted::{Inserted, Insertion};
pub use named_goal::NamedGoal;
pub use place::Place;
pub use request::{Aim, Backlog, Keeper, PLANNERS, PlanTeller, Request};
pub use shortened::{PassGain, Shortened};
pub use tables::{
    LearnedSummary, PartitionChoice, PartitionOptions, Prediction, TableCandidate, TableHistogram,
    TablePrediction,
};
pub use team::{TableStep, TableTeam};

use crate::settings::MetricChoice;
use crate::words::or;
use proofs::plain::{PlainProof, PlainPuzzle, StateDistances, StateNumbers};
use proofs::pseudo_boolean::Encoding;
use search::Cost;

/// Facts about a configured puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PuzzleInfo {
    /// The name with which [`crate::configure`] makes this puzzle. If that is the text of a
    /// definition: the name in it.
    pub name: String,
    /// The metric in use. `None` if the puzzle has no choice of metrics.
    pub metric: Option<MetricChoice>,
    /// Whether some operators have a cost other than 1.
    pub has_costs: bool,
    /// Whether the puzzle supports [`Aim::NearOptimal`].
    pub has_near_optimal: bool,
    /// The planners of [`Aim::NearOptimal`] that [`Request::planner`] may name, of [`PLANNERS`].
    pub planners: Vec<&'static str>,
    /// Number of stickers of one face, if a state can be given as stickers (six lines, one face
    /// each). `None` if it cannot.
    pub face_stickers: Option<usize>,
    /// Number of stickers of one face, if a text may be stickers that the puzzle refuses: a
    /// definition does not say where stickers lie. Lines of such stickers are one state. `None` for
    /// other puzzles.
    pub refused_stickers: Option<usize>,
    /// Number of squares, if a state is a list of the numbers on them. `None` if it is not.
    pub squares: Option<usize>,
    /// Rows and columns of a board of sliding pieces. `None` for other puzzles.
    pub board: Option<(usize, usize)>,
    /// Remarks of the reader of a definition, such as keys that it ignored.
    pub notes: Vec<String>,
    /// The hash of the definition, in hexadecimal. Comments, blanks and the file format do not
    /// change it. `None` for a built-in puzzle.
    pub definition: Option<String>,
}

impl PuzzleInfo {
    /// Describes a puzzle whose operators all cost 1, without near-optimal search and sticker
    /// input.
    pub(crate) fn new(name: impl Into<String>, metric: Option<MetricChoice>) -> Self {
        Self {
            name: name.into(),
            metric,
            has_costs: false,
            has_near_optimal: false,
            planners: Vec::new(),
            face_stickers: None,
            refused_stickers: None,
            squares: None,
            board: None,
            notes: Vec::new(),
            definition: None,
        }
    }

    /// Checks that the puzzle has a planner.
    ///
    /// # Errors
    /// If it is none of [`Self::planners`].
    pub fn check_planner(&self, planner: &str) -> Result<(), InvalidInput> {
        if self.planners.contains(&planner) {
            return Ok(());
        }
        Err(InvalidInput::new(match &self.planners[..] {
            [] => format!("{} has no planner to choose: expected no name of one", self.name),
            planners => {
                format!("{} has no planner {planner:?}: expected {}", self.name, or(planners))
            }
        }))
    }
}

/// A configured puzzle: reads states, solves them and checks plans. States and plans are text.
pub trait Puzzle: Send + Sync {
    /// Name, metric and abilities of the puzzle.
    fn info(&self) -> &PuzzleInfo;

    /// Makes what [`Puzzle::read`] and [`Puzzle::check_plan`] need, within the limits of a request:
    /// the group of a definition. Without this call they make it themselves, without limit.
    ///
    /// # Errors
    /// If a limit is reached, or the caller cancels.
    fn prepare(&self, _request: &Request<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Reads a state from its text.
    ///
    /// # Errors
    /// If the text is malformed or the state cannot be solved. The error says where, and what was
    /// expected.
    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput>;

    /// Searches for plans that solve a state; by default one of the lowest cost. Each plan is
    /// replayed on the reference puzzle, which is slow and independent of the search.
    ///
    /// # Errors
    /// If the state is invalid or empty, the puzzle does not have the aim, a table file is damaged,
    /// a build fails, or a plan fails its replay. Most limits and cancellations are no error: see
    /// [`Answer::ending`].
    fn solve(&self, state: &str, request: &Request<'_>) -> Result<Answer, Failure>;

    /// Replays a plan on the reference puzzle. A plan that does not solve the state is no error:
    /// see [`Replay::fault`].
    ///
    /// # Errors
    /// If the state is invalid, or the plan cannot be read.
    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput>;

    /// Makes a plan cheaper, or the cheapest of several plans of one state. `state`: what they
    /// solve; by default the state that the first leads to the goal.
    ///
    /// There are passes, round by round, until none gains. If several plans are given, the states
    /// near all of them are searched for a cheaper way, which may change from plan to plan. Runs of
    /// moves that commute are replaced by cheapest ones. The states near the best plan are searched
    /// for a cheaper way. The rest of this plan is solved anew from some of its states. A second
    /// call with the answer gains nothing.
    ///
    /// With a limit of time or nodes, new solutions then get ever more nodes, until the limit, or
    /// until a plan is proven. Of the request, the limits of time and nodes count, the deadline,
    /// the cancellation, and the watcher, who gets each better plan. `limits.nodes` is about that
    /// of the states near the plans, and of each new solution.
    ///
    /// # Errors
    /// If there is no plan, the state is invalid, or a plan cannot be read or does not solve the
    /// state: the error says where, and which of several plans it is. If no state is given, and the
    /// puzzle cannot invert the first plan to make it.
    fn shorten(
        &self,
        _state: Option<&str>,
        _plans: &[&str],
        _request: &Request<'_>,
    ) -> Result<Shortened, Failure> {
        Err(Failure::refused(format_args!("{}: plans are not shortened", self.info().name)))
    }

    /// Puts a cycle of three pieces, or two, into a plan that leaves them, such that it solves the
    /// state. The answer is the cheapest of all places and all cheapest plans of each cycle, after
    /// moves that meet are joined. Of two cycles, the second goes into each plan that the first
    /// makes.
    ///
    /// Of the request, the limits of time and nodes, the deadline, threads and cancellation count,
    /// for all searches together. With [`Request::slack`], plans of a cycle may cost so much more
    /// than the cheapest.
    ///
    /// # Errors
    /// If the state or the plan cannot be read, or the plan leaves anything else. If the states
    /// form no group, or pieces look alike. If a limit or the caller ends the work before there is
    /// a plan.
    fn insert(
        &self,
        _state: &str,
        _plan: &str,
        _request: &Request<'_>,
    ) -> Result<Inserted, Failure> {
        Err(Failure::refused(format_args!("{}: nothing is inserted", self.info().name)))
    }

    /// The puzzle as places that hold values, with a start and the goal, from which a proof log is
    /// written: [`proofs::pseudo_boolean::write_log`]. The cost of a plan is its length there, too.
    ///
    /// # Errors
    /// If the state is invalid, or the puzzle has no such form: moves cost other than 1, rules
    /// restrict them, or there are several goals.
    fn encoding(&self, _state: &str, _request: &Request<'_>) -> Result<Encoding, Failure> {
        let why = "its states are not encoded as places with values";
        Err(InvalidInput::without_encoding(&self.info().name, why).into())
    }

    /// The puzzle as lines of text: pieces or tiles, moves and the goal. A program that knows no
    /// puzzle checks proofs with them.
    ///
    /// # Errors
    /// If the puzzle has no such form: rules restrict its moves or states, or there are several
    /// goals.
    fn plain(&self) -> Result<PlainPuzzle, Failure> {
        Err(InvalidInput::without_lines(&self.info().name, "it has no lines").into())
    }

    /// The proof of a search with these settings, for programs that know no puzzle.
    ///
    /// # Errors
    /// As [`Puzzle::plain`], if the state is invalid, or the caller cancels.
    fn plain_proof(&self, _state: &str, _request: &Request<'_>) -> Result<PlainProof, Failure> {
        Err(InvalidInput::without_lines(&self.info().name, "it has no lines").into())
    }

    /// A state as [`Puzzle::plain`] numbers it: the sticker at each point, or the value of each
    /// square. It is the state from which a search starts: a 2x2x2 is turned as a whole.
    ///
    /// # Errors
    /// As [`Puzzle::plain`], and if the state is invalid.
    fn plain_state(&self, _state: &str, _request: &Request<'_>) -> Result<Vec<u16>, Failure> {
        self.plain().map(|_| Vec::new())
    }

    /// The moves that undo a sequence of moves.
    ///
    /// # Errors
    /// If the text is no sequence of moves, or the puzzle cannot invert sequences.
    fn invert(&self, _moves: &str) -> Result<Vec<String>, InvalidInput> {
        Err(InvalidInput::not_inverted(&self.info().name))
    }

    /// The state to which several states lead, one after the other, as text. A state stands for
    /// what takes the solved puzzle there, as it is held then. If all are moves, they are made one
    /// after the other. No states make the solved one.
    ///
    /// # Errors
    /// If a state is invalid, or some are no moves and the states are no elements of a group.
    fn compose(&self, _states: &[&str]) -> Result<String, InvalidInput> {
        Err(InvalidInput::not_composed(&self.info().name))
    }

    /// The state whose product with a state is the solved one, as text.
    ///
    /// # Errors
    /// As for [`Puzzle::compose`].
    fn inverse(&self, _state: &str) -> Result<String, InvalidInput> {
        Err(InvalidInput::not_composed(&self.info().name))
    }

    /// The goals that have a name, `solved` among them.
    fn goals(&self) -> Vec<NamedGoal> {
        Vec::new()
    }

    /// Draws random states. `None` if the puzzle does not support it.
    fn scrambler(&self) -> Option<&dyn Scrambler> {
        None
    }
    /// Reads files in which a state takes several lines. `None` if the puzzle has no such format.
    fn state_files(&self) -> Option<&dyn StateFiles> {
        None
    }
    /// Counts states and operator sequences by depth. `None` if the puzzle does not support it.
    fn counting(&self) -> Option<&dyn Counting> {
        None
    }
    /// Counts all states by distance. `None` if the puzzle has too many states.
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        None
    }
    /// Learns duplicate operator strings. `None` if the puzzle does not support it.
    fn learning(&self) -> Option<&dyn Learning> {
        None
    }
    /// Lists and builds the tables of the heuristic. `None` if the puzzle has no tables.
    fn tables(&self) -> Option<&dyn Tables> {
        None
    }
    /// Predicts the nodes of searches. `None` if the puzzle does not support it.
    fn predicting(&self) -> Option<&dyn Predicting> {
        None
    }
    /// Searches for good partitions into pattern databases. `None` if the puzzle does not support
    /// it.
    fn choosing(&self) -> Option<&dyn Choosing> {
        None
    }
}

/// Draws random states.
pub trait Scrambler {
    /// An endless sequence of random solvable states, as text that [`Puzzle::read`] accepts.
    ///
    /// The distribution is uniform if the states form a group. A seed gives the same states in
    /// every release.
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_>;

    /// Random states as moves from the solved state. `None` if the puzzle does not support it.
    fn move_scrambles<'a>(
        &'a self,
        _seed: u64,
        _request: &Request<'a>,
    ) -> Option<MoveScrambles<'a>> {
        None
    }
}

/// Reads files in the puzzle's own format, where a state can take several lines.
pub trait StateFiles {
    /// The possible first words of such a file, by which the format is recognized.
    fn words(&self) -> &'static [&'static str];

    /// Reads the text of a whole file.
    ///
    /// # Errors
    /// If the text is malformed, or asks for something that the puzzle does not support.
    fn read_file(&self, text: &str) -> Result<StateFile, InvalidInput>;
}

/// A callback that receives each depth and the count at that depth, as soon as it is known.
pub type Tell<'a> = dyn FnMut(usize, u128) + 'a;

/// Counts states and operator sequences by depth.
pub trait Counting {
    /// Calls `tell` with the number of states at each distance from the goal, 0 to `depth`.
    ///
    /// # Errors
    /// If a limit of the request is reached, or the caller cancels.
    fn count_states(
        &self,
        depth: usize,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure>;

    /// For each length from 0 to `depth`, the number of operator sequences that the pruning allows.
    ///
    /// The list is shorter if a count does not fit in 128 bits.
    ///
    /// # Errors
    /// If the pruning depends on the state, so that sequences cannot be counted. If the caller
    /// cancels.
    fn count_sequences(&self, depth: usize, request: &Request<'_>) -> Result<Vec<u128>, Failure>;
}

/// Counts all states of the puzzle.
pub trait Exhaustive {
    /// Calls `tell` with the number of states at each distance from the goal. Returns some of the
    /// farthest states.
    ///
    /// At most `antipodes` states are returned, the same in every run, as text that
    /// [`Puzzle::read`] accepts. A long count saves each complete layer in the folder of the table
    /// files. The next run continues from there.
    ///
    /// # Errors
    /// If the count needs more memory than the settings allow, or the caller cancels.
    fn count_all(
        &self,
        antipodes: usize,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>, Failure>;

    /// Calls `tell` with the number of those states at each distance from the goal that have
    /// reached another goal, `from`. Ends with the farthest of them.
    ///
    /// So it tells how far it is from one step to the next, such as from `cross` to `xcross:FR`.
    /// States count once if this goal does not tell them apart. Uses memory, and no folder.
    ///
    /// # Errors
    /// If the puzzle has no such goal, or it asks for what this goal does not tell apart. If the
    /// count needs more memory than the settings allow, or the caller cancels.
    fn count_from(
        &self,
        from: &str,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure>;

    /// A number for each state, for [`Exhaustive::distances`]. Takes little time and memory.
    ///
    /// # Errors
    /// As [`Puzzle::plain`]. If a byte for each number needs more memory than the settings allow,
    /// or the caller cancels.
    fn numbers(&self, request: &Request<'_>) -> Result<StateNumbers, Failure>;

    /// Finds the distance of each state from the goal, for a file that an independent program
    /// checks. It uses [`Puzzle::plain`], and shares nothing with [`Exhaustive::count_all`].
    ///
    /// # Errors
    /// If a distance is above 254, or the caller cancels.
    fn distances(
        &self,
        numbers: StateNumbers,
        request: &Request<'_>,
    ) -> Result<StateDistances, Failure>;
}

/// Learns duplicate strings: operator sequences that another one, no more expensive, can replace.
pub trait Learning {
    /// Learns the duplicate strings of at most `depth` operators. With `dot`, also returns the
    /// smallest automaton that forbids them, as a Graphviz graph.
    ///
    /// # Errors
    /// If nothing is learned, because strings are duplicates only in some states. If the caller
    /// cancels, or the automaton has too many states.
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        request: &Request<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure>;
}

/// Lists and builds the tables of the heuristic.
pub trait Tables {
    /// Whether the table file of this name belongs to the puzzle, with any metric and any
    /// heuristic.
    fn owns(&self, table: &str) -> bool;

    /// The tables that the heuristic can choose from. [`TableCandidate::in_use`] marks those that
    /// it reads.
    ///
    /// # Errors
    /// If the heuristic has no tables.
    fn explain(&self, request: &Request<'_>) -> Result<Vec<TableCandidate>, Failure>;

    /// Builds the missing tables of the heuristic. Returns name and bytes of each of its tables.
    ///
    /// # Errors
    /// If a file is damaged, a build fails, or a file cannot be written.
    fn build(&self, request: &Request<'_>) -> Result<Vec<(String, u64)>, Failure>;

    /// How often each value occurs in the tables that a search would begin with. Builds them if
    /// they are missing.
    ///
    /// If the heuristic climbs from table to table (`best`): the largest tables in memory or on
    /// disk, or else tables that are quick to build. If it does not: all its tables.
    ///
    /// # Errors
    /// If the heuristic has no tables, a file is damaged, or a build fails.
    fn histograms(&self, request: &Request<'_>) -> Result<Vec<TableHistogram>, Failure>;
}

/// Predicts the nodes of searches.
pub trait Predicting {
    /// Predicts the generated nodes of complete iterations with bounds 1 to `bound`.
    ///
    /// The list is shorter if a count of sequences does not fit in 128 bits. If the heuristic can
    /// choose among tables, the prediction has an entry for each of them.
    ///
    /// # Errors
    /// If the heuristic has no known distribution of values, a file is damaged, or a build fails.
    fn predict(&self, bound: Cost, request: &Request<'_>) -> Result<Prediction, Failure>;
}

/// Searches for good partitions into pattern databases.
pub trait Choosing {
    /// Searches for the partitions with the fewest predicted nodes. Calls `tell` after each
    /// partition that it adds.
    ///
    /// # Errors
    /// If the sizes do not fit the puzzle, a build fails, or the caller cancels.
    fn choose(
        &self,
        wanted: &PartitionOptions,
        request: &Request<'_>,
        tell: &mut dyn FnMut(&PartitionChoice),
    ) -> Result<(), Failure>;
}
