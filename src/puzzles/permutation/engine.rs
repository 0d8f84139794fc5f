//! [`Engine`] implements [`Search`] for states of `N` slots and sets of operators `O`.

use super::file_puzzle::{FilePuzzle, depth};
use super::group_engine::GroupEngine;
use super::large::LargeEngine;
use super::searches::{GroupSearch, Search};
use super::solvers::NamedSolver;
use crate::automata::{self, PruningRequest};
use crate::cache::AutomatonCache;
use crate::puzzle::{Failure, Tell};
use crate::puzzles::configured::AllowedPlans;
use crate::run::Run;
use crate::settings::SolverChoice;
use fsm::{Automaton, ForbiddenStrings, Keep};
use permutation::{
    GeneralPuzzle, GroupPuzzle, NotAGroup, PuzzleGroup, PuzzleLabels, PuzzleSize, PuzzleState,
    SlotContents,
};
use search::random::Random;
use search::{ConstrainedDomain, Domain, Op, OpSet, OperatorRules};
use std::error::Error;
use std::sync::Arc;

/// The searches of a puzzle, for states of `N` slots and sets of operators `O`.
pub(super) struct Engine<const N: usize, O: OpSet> {
    pub(super) puzzle: GeneralPuzzle<N, O>,
    /// The searches of the group. `None` if the states form no group.
    pub(super) group: Option<Arc<GroupEngine<N, O>>>,
    /// Automata of the forbidden strings, over the operators of the definition.
    automata: Arc<AutomatonCache<O>>,
}

/// A group with its searches, or why there is none.
type Grouped = Result<(Arc<PuzzleGroup>, Arc<dyn GroupSearch>), NotAGroup>;

/// The engine with the smallest types of states and operator sets that hold a puzzle of this size,
/// and the searches of its group.
pub(super) fn of_size(
    size: PuzzleSize,
    labels: &Arc<PuzzleLabels>,
    group: Result<Arc<PuzzleGroup>, NotAGroup>,
    rules: &OperatorRules,
    solver: &NamedSolver<'_>,
) -> Result<(Box<dyn Search>, Grouped), Box<dyn Error>> {
    if let Err(large) = size.fit(PuzzleSize::FIXED) {
        let group = group.and_then(|_| Err(large.into()));
        return Ok((Box::new(LargeEngine::new(labels)?), group));
    }
    match size {
        PuzzleSize { slots: 0..=32, operators: 0..=32, .. } => {
            of_types::<32, u32>(labels, group, rules, solver)
        }
        PuzzleSize { slots: 0..=64, operators: 0..=64, .. } => {
            of_types::<64, u64>(labels, group, rules, solver)
        }
        _ => of_types::<256, [u64; 16]>(labels, group, rules, solver),
    }
}

fn of_types<const N: usize, O: OpSet>(
    labels: &Arc<PuzzleLabels>,
    group: Result<Arc<PuzzleGroup>, NotAGroup>,
    rules: &OperatorRules,
    solver: &NamedSolver<'_>,
) -> Result<(Box<dyn Search>, Grouped), Box<dyn Error>> {
    let puzzle = GeneralPuzzle::<N, O>::of(Arc::clone(labels))?;
    ConstrainedDomain::new(&puzzle, rules)?;
    let automata = Arc::<AutomatonCache<O>>::default();
    Ok(match group {
        Err(none) => (Box::new(Engine { puzzle, group: None, automata }), Err(none)),
        Ok(group) => {
            let domain = GroupPuzzle::of(Arc::clone(&group))?;
            let own = Arc::new(GroupEngine::new(domain, Arc::clone(&automata), solver));
            let engine = Engine { puzzle, group: Some(Arc::clone(&own)), automata };
            (Box::new(engine), Ok((group, own)))
        }
    })
}

/// The forbidden strings.
///
/// Under rules, those of [`FilePuzzle::strings_under_rules`]. Else those learned in the group
/// of the states, or in the group with all pieces told apart. Without any group, duplicate
/// pairs.
pub(super) fn strings<const N: usize, O: OpSet>(
    own: &FilePuzzle,
    group: Option<&GroupPuzzle<N, O>>,
    keep: Keep,
    run: &Run<'_>,
) -> Result<ForbiddenStrings, Failure> {
    if !own.rules.is_empty() {
        return own.strings_under_rules(&own.costs(), own.settings.pruning, keep, run);
    }
    let apart = match group {
        Some(_) => None,
        None => own.told_apart().and_then(|group| GroupPuzzle::of(group.into()).ok()),
    };
    match group.or(apart.as_ref()) {
        Some(group) => {
            let (pruning, depth) = (own.settings.pruning, depth(own.metric));
            let memory = own.settings.memory;
            run.prepare("the forbidden strings", |cancel| {
                let request = PruningRequest { pruning, depth, keep, cancel, memory };
                automata::strings(group, request)
            })
        }
        None => own.duplicate_strings(keep, run),
    }
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// The automaton of the forbidden strings. It is learned at the first call.
    pub(super) fn automaton(
        &self,
        own: &FilePuzzle,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<&Automaton<O>, Failure> {
        let group = self.group.as_ref().map(|group| group.puzzle());
        self.automata.automaton(keep, run, &|| strings(own, group, keep, run))
    }
}

impl<const N: usize, O: OpSet> Search for Engine<N, O> {
    fn filter<'a>(
        &'a self,
        own: &FilePuzzle,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<AllowedPlans<'a>, Failure> {
        let automaton = self.automaton(own, keep, run)?;
        Ok(Box::new(|plan| automaton.accepts(plan)))
    }

    fn search(
        &self,
        own: &FilePuzzle,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let by_solver = own.settings.solver != SolverChoice::Optimal;
        match (&own.group, &self.group) {
            (Ok(tables), Some(group)) if by_solver || own.is_best() => {
                group.search(own, tables, pattern, run)
            }
            (Ok(_), _) => self.search_forward(own, pattern, None, run),
            (Err(_), _) if own.rules.is_empty() => self.search_plain(own, pattern, run),
            (Err(_), _) => {
                let tables = own.spec_tables(run)?;
                self.search_forward(own, pattern, tables, run)
            }
        }
    }

    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents {
        let labels = self.puzzle.labels();
        let mut state = self.puzzle.state(labels.definition().start());
        let mut to = state;
        for _ in 0..moves {
            let ops: Vec<Op> = self.puzzle.applicable(&state).members().collect();
            let Some(last) = ops.len().checked_sub(1) else { break };
            let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
            self.puzzle.apply_into(&state, ops[at], &mut to);
            state = to;
        }
        state.contents(labels.slots())
    }

    fn count_states(
        &self,
        own: &FilePuzzle,
        depth: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        self.count_to(own, depth, run, tell)
    }

    fn exhaust(
        &self,
        own: &FilePuzzle,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        self.count_whole(own, antipodes, run, tell)
    }
}
