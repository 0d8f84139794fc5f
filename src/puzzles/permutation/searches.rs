//! [`Search`] and [`GroupSearch`]: all searches of a puzzle from a definition, behind object-safe
//! traits.

use super::file_puzzle::FilePuzzle;
use super::group::GroupTables;
use super::ladder::Ladder;
use crate::puzzle::{Failure, LearnedSummary, Prediction, Tell};
use crate::puzzles::configured::AllowedPlans;
use crate::run::Run;
use fsm::Keep;
use pdb::file::TableSpec;
use pdb::table::StripeTable;
use permutation::{PuzzleState, SlotContents};
use search::random::Random;
use search::{Cost, Op};

/// The searches of a puzzle, compiled for states of one size.
pub(super) trait Search: Send + Sync {
    /// Searches for the plans of a state, whose results are those of the run. The kind of search
    /// depends on the rules, the group and the heuristic.
    fn search(
        &self,
        own: &FilePuzzle,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure>;

    /// A function that says whether the pruning that keeps certain plans allows a plan.
    fn filter<'a>(
        &'a self,
        own: &FilePuzzle,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<AllowedPlans<'a>, Failure>;

    /// The end of a random walk from the solved state.
    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents;

    /// Counts the states at each distance up to `depth`.
    fn count_states(
        &self,
        own: &FilePuzzle,
        depth: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure>;

    /// Counts the states of every layer one by one. Returns at most `antipodes` states of the last.
    fn exhaust(
        &self,
        own: &FilePuzzle,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure>;
}

/// The searches of a puzzle whose states form a group, compiled for states of one size.
pub(super) trait GroupSearch: Send + Sync {
    /// Counts the states of every layer of a group by classes of symmetric states. Returns at most
    /// `antipodes` states of the last.
    fn exhaust_classes(
        &self,
        group: &GroupTables,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure>;

    /// Counts the strings of 0 to `depth` operators that the pruning allows.
    fn count_sequences(
        &self,
        own: &FilePuzzle,
        depth: usize,
        run: &Run<'_>,
    ) -> Result<Vec<u128>, Failure>;

    /// Figures of the forbidden strings. With `name`, also their
    /// automaton as a Graphviz graph.
    fn learn(
        &self,
        own: &FilePuzzle,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        run: &Run<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure>;

    /// Predicts the nodes of searches in a group.
    fn predict(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        bound: Cost,
        run: &Run<'_>,
    ) -> Result<Prediction, Failure>;

    /// The branching factor of a group when duplicate strings of two operators are cut.
    ///
    /// `None` if states are too large for coset tables.
    fn branching(&self, run: &Run<'_>) -> Result<Option<f64>, Failure>;

    /// The coset table of a rung, with the specification of its file. Loaded or built at the first
    /// call.
    fn coset_table(
        &self,
        group: &GroupTables,
        ladder: &Ladder,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<(&TableSpec, &StripeTable), Failure>;

    /// Whether the coset table of a rung is in memory or on disk.
    fn is_at_hand(&self, group: &GroupTables, ladder: &Ladder, rung: usize) -> bool;
}
