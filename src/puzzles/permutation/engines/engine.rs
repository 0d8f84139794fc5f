//! [`Engine`] implements [`Search`] for states of `N` slots and sets of operators `O`.

use super::large::LargeEngine;
use super::search::{Search, walk};
use crate::cache::AutomatonCache;
use crate::puzzle::{Aim, Failure, Result, Tell};
use crate::puzzles::configured::AllowedPlans;
use crate::puzzles::permutation::goal_classes::ClassTable;
use crate::puzzles::permutation::group::{GroupEngine, GroupGame, NamedSolver};
use crate::puzzles::permutation::model::PuzzleModel;
use crate::run::Run;
use crate::settings::SolverChoice;
use fsm::{Automaton, Keep};
use pdb::DescentWalk;
use permutation::pattern_spec::ClassPattern;
use permutation::{GeneralPuzzle, GroupPuzzle, NotAGroup, PuzzleSize, PuzzleState, SlotContents};
use search::random::Random;
use search::{ConstrainedDomain, OpSet};
use std::error::Error;
use std::sync::Arc;

/// The searches of a definition, for states of `N` slots and sets of operators `O`.
pub(super) struct Engine<const N: usize, O: OpSet> {
    pub(super) model: Arc<PuzzleModel>,
    pub(super) puzzle: GeneralPuzzle<N, O>,
    /// The searches of the group. `None` if the states form no group.
    pub(super) group: Option<Arc<GroupEngine<N, O>>>,
    /// Automata of the forbidden strings, over the operators of the definition.
    automata: Arc<AutomatonCache<O>>,
    /// The exact distances of all classes of states, if there are many states to solve.
    classes: ClassTable<DescentWalk<ClassPattern>>,
}

/// An engine, and the group of the states with its searches, or why they form none.
type Engines = (Box<dyn Search>, Result<GroupGame, NotAGroup>);

/// The engine with the smallest types of states and operator sets that hold a definition, and the
/// searches of its group.
///
/// # Errors
/// If the definition cannot be searched.
pub(crate) fn of_model(
    model: &Arc<PuzzleModel>,
    solver: &NamedSolver<'_>,
) -> Result<Engines, Box<dyn Error>> {
    let size = model.labels.size();
    if let Err(large) = size.fit(PuzzleSize::FIXED) {
        let none = model.group.as_ref().err().cloned().unwrap_or(large.into());
        return Ok((Box::new(LargeEngine::new(Arc::clone(model))?), Err(none)));
    }
    match size {
        PuzzleSize { slots: 0..=32, operators: 0..=32, .. } => of_types::<32, u32>(model, solver),
        PuzzleSize { slots: 0..=64, operators: 0..=64, .. } => of_types::<64, u64>(model, solver),
        _ => of_types::<256, [u64; 16]>(model, solver),
    }
}

fn of_types<const N: usize, O: OpSet>(
    model: &Arc<PuzzleModel>,
    solver: &NamedSolver<'_>,
) -> Result<Engines, Box<dyn Error>> {
    let puzzle = GeneralPuzzle::<N, O>::of(Arc::clone(&model.labels))?;
    ConstrainedDomain::new(&puzzle, &model.rules)?;
    let (model, automata) = (Arc::clone(model), Arc::<AutomatonCache<O>>::default());
    let tables = match model.group.clone() {
        Ok(tables) => tables,
        Err(none) => {
            let classes = ClassTable::default();
            let engine = Engine { model, puzzle, group: None, automata, classes };
            return Ok((Box::new(engine), Err(none)));
        }
    };
    let domain = GroupPuzzle::of(Arc::clone(&tables.group))?;
    let of = (Arc::clone(&model), Arc::clone(&tables));
    let group = Arc::new(GroupEngine::new(of, domain, Arc::clone(&automata), solver));
    let (of, classes) = (Some(Arc::clone(&group)), ClassTable::default());
    let engine = Engine { model, puzzle, group: of, automata, classes };
    Ok((Box::new(engine), Ok(GroupGame { tables, search: group })))
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// The automaton of the forbidden strings. It is learned at the first call.
    pub(super) fn automaton(&self, keep: Keep, run: &Run<'_>) -> Result<&Automaton<O>> {
        let group = self.group.as_ref().map(|group| group.puzzle());
        self.automata.automaton(keep, run, &|| self.model.strings(group, keep, run))
    }

    /// The exact distances of all classes, if they are worth a table.
    fn class_walk(&self, run: &mut Run<'_>) -> Result<Option<&DescentWalk<ClassPattern>>> {
        self.classes.walk(&self.model, run, |pattern, table| {
            DescentWalk::new(&self.puzzle, pattern, table).map_err(Failure::refused)
        })
    }

    /// Searches with tables. If these are not in memory yet, a search of a few nodes without
    /// tables comes first ([`PuzzleModel::near_nodes`]).
    fn search_plain(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let full = |run: &mut Run<'_>| {
            self.model.after_shapes(start, run, |run| {
                let tables = self.model.pattern_tables(run)?;
                self.search_forward(start, tables, run)
            })
        };
        let proves = run.request.aim != Aim::NearOptimal;
        if proves
            && self.model.is_best()
            && let Some(walk) = self.class_walk(run)?
            && walk.indexer().entry(&self.model.labels.contents(start)).is_some()
        {
            let automaton = self.automaton(self.model.keep(run), run)?;
            run.names("best");
            run.reads_bytes(walk.table().bytes().len() as u64);
            run.search(&self.puzzle, walk, automaton, &self.puzzle.state(start));
            return Ok(());
        }
        if !proves || !self.model.is_best() || self.model.patterns.in_memory().is_some() {
            return full(run);
        }
        let quick = |run: &mut Run<'_>| self.search_forward(start, None, run);
        run.near_first(self.model.near_nodes(run), quick, |run| {
            self.model.approach(|| Some(start.clone()), run, full)
        })
    }
}

impl<const N: usize, O: OpSet> Search for Engine<N, O> {
    fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let by_solver = self.model.settings.solver != SolverChoice::Optimal;
        match &self.group {
            _ if run.request.aim == Aim::NearOptimal => self.search_plain(start, run),
            Some(group) if by_solver || self.model.is_best() => group.search(start, run),
            Some(_) => self.search_forward(start, None, run),
            None => self.search_plain(start, run),
        }
    }

    fn filter<'a>(&'a self, keep: Keep, run: &Run<'_>) -> Result<AllowedPlans<'a>> {
        let automaton = self.automaton(keep, run)?;
        Ok(Box::new(|plan| automaton.accepts(plan)))
    }

    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents {
        let labels = self.puzzle.labels();
        let start = self.puzzle.state(labels.definition().start());
        walk(&self.puzzle, start, moves, random).contents(labels.slots())
    }

    fn count(
        &self,
        (depth, antipodes): (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>> {
        self.count_layers((depth, antipodes), run, tell)
    }
}
