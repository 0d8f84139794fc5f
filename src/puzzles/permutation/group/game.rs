//! [`GroupGame`]: what a puzzle whose states form a group tells of its states and tables.

use super::ladder::Ladder;
use super::tables::GroupTables;
use crate::puzzle::{Failure, Prediction, Result, TableCandidate, TableHistogram, Tell};
use crate::puzzles::configured::Learned;
use crate::run::Run;
use groups::{GroupError, StabilizerChain};
use pdb::GroupPattern;
use pdb::file::TableSpec;
use pdb::table::StripeTable;
use permutation::{PieceSet, PieceTable, PuzzleGroup, SlotContents};
use search::{Cost, Op};
use std::sync::Arc;

/// The searches of a puzzle whose states form a group, compiled for states of one size.
pub(crate) trait GroupSearch: Send + Sync {
    /// Counts the states of every layer by classes of symmetric states. Returns at most `antipodes`
    /// states of the last.
    fn exhaust_classes(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>>;

    /// Counts the strings of 0 to `depth` operators that the pruning allows.
    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>>;

    /// Figures of the forbidden strings. With `name`, also their automaton as a Graphviz graph.
    fn learn(
        &self,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        run: &Run<'_>,
    ) -> Result<Learned>;

    /// Predicts the nodes of searches.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction>;

    /// The branching factor when duplicate strings of two operators are cut. `None` if states are
    /// too large for coset tables.
    fn branching(&self, run: &Run<'_>) -> Result<Option<f64>>;

    /// The coset table of a rung, with the specification of its file. Loaded or built at the first
    /// call.
    fn coset_table(
        &self,
        ladder: &Ladder,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<(&TableSpec, &StripeTable)>;

    /// Whether the coset table of a rung is in memory or on disk.
    fn is_at_hand(&self, ladder: &Ladder, rung: usize) -> bool;
}

/// The group of a puzzle with its searches.
pub(crate) struct GroupGame {
    pub(crate) tables: Arc<GroupTables>,
    pub(crate) search: Arc<dyn GroupSearch>,
}

impl GroupGame {
    fn ladder(&self, run: &Run<'_>) -> Result<Option<&Ladder>> {
        self.tables.ladder(run, &|| self.search.branching(run))
    }

    /// Counts the states of every layer. Returns at most `antipodes` elements of the last.
    ///
    /// Keeps two bits for each state, in memory or else in files of the folder
    /// [`Settings::disk`]. If these do not fit the memory and there is no such folder, keeps one
    /// state for each class of symmetric states.
    pub(crate) fn exhaust(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>> {
        // A byte holds the two bits of four states.
        let order = self.tables.chain(run)?.order();
        let fits =
            run.request.team.is_some() || order <= self.tables.memory.saturating_mul(4).into();
        // No disk has two bits for each of 2^63 states.
        let disk = self.tables.source.has_disk() && order.bits() < 64;
        if !fits && !disk {
            return self.search.exhaust_classes(antipodes, run, tell);
        }
        let generators = self.tables.group.generators_with_costs().map_err(Failure::of_group)?;
        let pattern = run.prepare("the group of the moves", |cancel| {
            let stop = || cancel.is_cancelled();
            let pattern =
                GroupPattern::of_group_until(self.tables.group.points(), &generators, &[], &stop);
            pattern.map_err(Failure::of_group)
        })?;
        let spec = self.tables.names.pieces(&pattern).0;
        let of = (&*spec.name, &spec.description);
        let Some(found) = self.tables.source.exhaust(&pattern, of, antipodes, run)? else {
            return self.search.exhaust_classes(antipodes, run, tell);
        };
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        elements(&self.tables.group, &pattern, &found.antipodes).map_err(Failure::of_group)
    }

    /// The coset tables that the ladder can choose from. Without a ladder, the tables of pieces.
    pub(crate) fn explain(&self, run: &Run<'_>) -> Result<Vec<TableCandidate>> {
        let Some(ladder) = self.ladder(run)? else {
            let explained = |set: &PieceSet| TableCandidate {
                bytes: set.entries.div_ceil(2),
                states: set.entries,
                symmetries: 1,
                // The state and its inverse.
                views: 2,
                worth: None,
                in_use: true,
                pattern: self.tables.table_name(set),
            };
            return Ok(self.tables.sets(run)?.iter().map(explained).collect());
        };
        let told = ladder.explained().map(|(candidate, cosets, in_use)| TableCandidate {
            bytes: candidate.bytes,
            states: candidate.cosets,
            symmetries: candidate.symmetries,
            views: candidate.views,
            worth: Some(candidate.worth),
            in_use,
            pattern: cosets,
        });
        Ok(told.collect())
    }

    pub(crate) fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        if let Some(ladder) = self.ladder(run)? {
            // The highest rung whose table is at hand, or the lowest rung.
            let at_hand = |&rung: &usize| self.search.is_at_hand(ladder, rung);
            let rung = (0..ladder.rungs()).rev().find(at_hand).unwrap_or(0);
            let (spec, table) = self.search.coset_table(ladder, rung, run)?;
            let name = spec.name.clone();
            return Ok(vec![TableHistogram::new(name, spec.payload_bytes, table.counts())]);
        }
        let told = |table: &PieceTable| {
            TableHistogram::new(self.tables.file_name(table), table.bytes(), table.counts())
        };
        Ok(self.tables.tables(run)?.0.iter().map(told).collect())
    }

    pub(crate) fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        if let Some(ladder) = self.ladder(run)? {
            let built = |rung| {
                let (spec, _) = self.search.coset_table(ladder, rung, run)?;
                Ok((spec.name.clone(), spec.payload_bytes))
            };
            return (0..ladder.rungs()).map(built).collect();
        }
        let told = |table: &PieceTable| (self.tables.file_name(table), table.bytes());
        Ok(self.tables.tables(run)?.0.iter().map(told).collect())
    }
}

/// The group elements that these entries stand for. `pattern` numbers all elements of the group.
fn elements(
    group: &PuzzleGroup,
    pattern: &GroupPattern,
    entries: &[u64],
) -> Result<Vec<SlotContents>, GroupError> {
    // The pattern's tuple of points is a base of the group, so the chain adds no base points.
    let chain = StabilizerChain::new(group.points(), &group.generators()?, pattern.tuple())?;
    let element = |&entry: &u64| {
        let images = pattern.images(entry)?;
        group.element_of(&chain.element_taking(&images)?)
    };
    Ok(entries.iter().filter_map(element).collect())
}
