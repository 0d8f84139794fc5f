//! Puzzles whose states form no group: what is cut, and the search with tables.

use super::engine::Engine;
use crate::configure::Pruning;
use crate::prunings;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use fsm::{ForbiddenStrings, Keep};
use permutation::spec::{PuzzleStructure, SpecTable, SpecTables};
use permutation::{Definition, GroupPuzzle, PuzzleState};
use search::{CancelToken, Cost, Limit, Op, OpSet, OperatorRules, Outcome, Zero};

/// Nodes of the search that is tried before tables are looked for: near states need none.
const NEAR_NODES: u64 = 1 << 16;

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// The strings that are cut where states form no group.
    ///
    /// What a string of operators does to the slots does not depend on which pieces look alike or what the goals are. So where every operator may always be made,
    /// strings are learned from the same moves with all pieces told apart. Else, duplicate pairs are cut of which no rule can forbid the other
    /// ([`permutation::Definition::duplicate_pairs`]).
    pub(super) fn plain_strings(
        &self,
        keep: Keep,
        cancel: &CancelToken,
    ) -> Result<ForbiddenStrings, Failure> {
        let (definition, pruning) = (self.definition(), self.settings.pruning);
        let list = &self.operators().list;
        let apart = || {
            let start = PuzzleState::ordered(definition.orbits());
            let apart = Definition::new(definition.name(), definition.orbits(), start).ok()?;
            GroupPuzzle::<N, O>::new(&apart, self.operators().clone()).ok()
        };
        if !definition.rules().restrict_states()
            && let Some(group) = apart()
        {
            return prunings::strings(&group, pruning, self.depth(), keep, cancel);
        }
        let inverses = self.operators().inverses();
        let back = (0..list.len()).filter_map(|a| inverses[a].map(|b| [Op::new(a), Op::new(b)]));
        let mut pairs: Vec<[Op; 2]> = match pruning {
            Pruning::None => Vec::new(),
            Pruning::Inverse | Pruning::Fsm(_) => back.collect(),
        };
        if let Pruning::Fsm(_) = pruning {
            let all = keep == Keep::AllOptimal;
            let free = OperatorRules::default();
            let found = definition.duplicate_pairs(self.operators(), &free, all);
            pairs.extend(found.iter().map(|found| found.pair));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let costs: Vec<Cost> = list.iter().map(|op| op.cost).collect();
        ForbiddenStrings::from_strings(&costs, 2, keep, pairs.iter().map(|pair| &pair[..]))
            .map_err(prunings::malformed)
    }

    /// What tables are derived from.
    pub(super) fn structure(&self) -> PuzzleStructure {
        PuzzleStructure::new(&self.puzzle)
    }

    /// The tables of the definition, timed; `None` if none fits the memory, or none is asked for.
    pub(super) fn sketches(
        &self,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<Option<&SpecTables>, Failure> {
        if self.settings.heuristic != "best" {
            return Ok(None);
        }
        let stopwatch = Stopwatch::start();
        let tables = self.sketched.tables(&self.structure(), job);
        found.tables = stopwatch.wall();
        let tables = tables?;
        found.table_bytes = tables.tables().iter().map(SpecTable::bytes).sum();
        Ok((!tables.tables().is_empty()).then_some(tables))
    }

    /// Searches for plans: without tables as far as that is soon done, then with them.
    pub(super) fn search_plain(
        &self,
        pattern: &PuzzleState,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let automaton = self.automaton(keep, job)?;
        let start = self.puzzle.state(pattern);
        let best = self.settings.heuristic == "best";
        let mut limits = job.limits.clone();
        if best {
            limits.nodes = Some(limits.nodes.map_or(NEAR_NODES, |nodes| nodes.min(NEAR_NODES)));
        }
        let near = Job { limits, cancel: job.cancel.clone(), ..*job };
        let mut first = Found { heuristic: "none".to_owned(), ..Found::default() };
        first.search(&self.puzzle, &Zero, &automaton, &start, &near);
        let short = match &first.outcome {
            Some(Outcome::Solved(_)) => !first.complete,
            outcome => *outcome == Some(Outcome::LimitReached(Limit::Nodes)),
        };
        let own = job.limits.nodes.is_some_and(|nodes| nodes <= NEAR_NODES);
        if !best || !short || own {
            *found = first;
            return Ok(());
        }
        match self.sketches(job, found)? {
            Some(tables) => found.search(&self.puzzle, tables, &automaton, &start, job),
            None => {
                found.heuristic = "none".to_owned();
                found.search(&self.puzzle, &Zero, &automaton, &start, job);
            }
        }
        Ok(())
    }
}
