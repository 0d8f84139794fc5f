//! Puzzles whose states form no group: their duplicate strings, their tables, and their search.

use super::engine::Engine;
use super::file_puzzle::FilePuzzle;
use crate::puzzle::Failure;
use crate::run::Run;
use crate::settings::PruningChoice;
use fsm::{ForbiddenStrings, Keep};
use permutation::pattern_spec::{PuzzleStructure, SpecTable, SpecTables};
use permutation::{Definition, DuplicatePair, PuzzleGroup, PuzzleState};
use search::{Op, OpSet, OperatorRules};

/// Nodes of a first search without tables. It solves states near the goal, so that no table is
/// built for them.
pub(super) const NEAR_NODES: u64 = 1 << 16;

impl FilePuzzle {
    /// The group that the moves generate if no two pieces are alike.
    ///
    /// If every operator is always applicable, duplicate strings can be learned in this group. The
    /// reason: what a string does to the slots depends neither on pieces that look alike nor on the
    /// goals.
    ///
    /// `None` if rules restrict states, or this puzzle is no group either.
    pub(super) fn told_apart(&self) -> Option<PuzzleGroup> {
        let definition = self.definition();
        if definition.rules().restrict_states() {
            return None;
        }
        let start = PuzzleState::ordered(definition.orbits());
        let apart = Definition::new(definition.name(), definition.orbits(), start).ok()?;
        PuzzleGroup::new(&apart, self.operators().clone()).ok()
    }

    /// The forbidden strings of a puzzle without a group to learn from: some pairs of operators.
    ///
    /// A pair is forbidden if another string does the same and no rule can forbid that string: see
    /// [`permutation::Definition::duplicate_pairs`].
    pub(super) fn duplicate_strings(
        &self,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<ForbiddenStrings, Failure> {
        let (list, pruning) = (&self.operators().list, self.settings.pruning);
        let inverses = self.operators().inverses();
        let back = (0..list.len()).filter_map(|a| inverses[a].map(|b| [Op::new(a), Op::new(b)]));
        let mut pairs: Vec<[Op; 2]> = match pruning {
            PruningChoice::None => Vec::new(),
            PruningChoice::Inverse | PruningChoice::Fsm(_) => back.collect(),
        };
        if let PruningChoice::Fsm(_) = pruning {
            let found = self.duplicate_pairs(&OperatorRules::default(), keep, run)?;
            pairs.extend(found.iter().map(|found| found.pair));
        }
        pairs.sort_unstable();
        pairs.dedup();
        ForbiddenStrings::from_strings(&self.costs(), 2, keep, pairs.iter().map(|pair| &pair[..]))
            .map_err(Failure::limit)
    }

    /// The tables of the heuristic. `None` if no table fits the memory, or the heuristic is not
    /// `best`.
    pub(super) fn spec_tables(&self, run: &mut Run<'_>) -> Result<Option<&SpecTables>, Failure> {
        if !self.is_best() {
            return Ok(None);
        }
        let structure = PuzzleStructure::new(&self.labels);
        let tables = run.tables(|run| self.specs.tables(&structure, run))?;
        run.reads_bytes(tables.tables().iter().map(SpecTable::bytes).sum());
        Ok((!tables.tables().is_empty()).then_some(tables))
    }

    /// The duplicate pairs under some rules.
    pub(super) fn duplicate_pairs(
        &self,
        rules: &OperatorRules,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<Vec<DuplicatePair>, Failure> {
        let all = keep != Keep::OneOptimal;
        run.prepare("the forbidden strings", |cancel| {
            let (definition, stop) = (self.definition(), || cancel.is_cancelled());
            let pairs = definition.duplicate_pairs_until(self.operators(), rules, all, &stop);
            let mut pairs = pairs.ok_or(Failure::Cancelled)?;
            pairs.retain(|pair| keep != Keep::AllOrders || !pair.swapped);
            Ok(pairs)
        })
    }
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// Searches with tables. If these are not in memory yet, a search of a few nodes without
    /// tables comes first ([`NEAR_NODES`]).
    pub(super) fn search_plain(
        &self,
        own: &FilePuzzle,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let full = |run: &mut Run<'_>| {
            let tables = own.spec_tables(run)?;
            self.search_forward(own, pattern, tables, run)
        };
        if !own.is_best() || own.specs.are_in_memory() {
            return full(run);
        }
        run.near_first(NEAR_NODES, |run| self.search_forward(own, pattern, None, run), full)
    }
}
