//! [`GroupEngine`] implements [`GroupSearch`] for states of `N` slots and sets of operators `O`.

use super::engine::strings;
use super::file_puzzle::FilePuzzle;
use super::group::GroupTables;
use super::ladder::Ladder;
use super::rungs::{RungViews, Steps};
use super::searches::GroupSearch;
use super::solvers::NamedSolver;
use super::with_rules;
use super::without_group::NEAR_NODES;
use crate::automata::{self, Automata, PruningRequest};
use crate::cache::AutomatonCache;
use crate::counts;
use crate::ladder::climb::{self, Rungs};
use crate::ladder::outlook::{self, Source, formula, sampled};
use crate::puzzle::{Failure, LearnedSummary, Prediction, Tell};
use crate::run::Run;
use crate::settings::PruningChoice;
use crate::solvers::{Solver, Task};
use fsm::{Automaton, Keep};
use pdb::file::TableSpec;
use pdb::layers::ClassLayerOptions;
use pdb::table::StripeTable;
use pdb::{BuildObserver, Remote};
use permutation::{GroupElement, GroupPuzzle, PieceTable, PuzzleState, SlotContents};
use search::{
    ConstrainedDomain, Cost, Domain, Group, Heuristic, IgnoreRules, Op, OpSet, TwoSided, Zero,
    self_symmetries,
};
use std::sync::Arc;

/// Most slots of a state that is searched with coset tables. For larger states no such search is
/// compiled.
const MOST_SLOTS: usize = 64;

/// Number of random states from which a distribution of heuristic values is sampled.
const SAMPLES: usize = 100_000;

/// The searches of a group, for states of `N` slots and sets of operators `O`.
pub(super) struct GroupEngine<const N: usize, O: OpSet> {
    /// The group as a domain with operators at both ends of a plan.
    both: TwoSided<GroupPuzzle<N, O>>,
    /// Automata of the forbidden strings, over the operators of the definition.
    automata: Arc<AutomatonCache<O>>,
    /// Automata over the operators of both ends, for [`GroupEngine::search_with_pieces`].
    both_automata: AutomatonCache<O::Double>,
    views: RungViews<N, O>,
    /// What solves states of the group in place of the optimal search.
    solver: Option<Box<dyn Solver<GroupPuzzle<N, O>>>>,
}

impl<const N: usize, O: OpSet> GroupEngine<N, O> {
    pub(super) fn new(
        puzzle: GroupPuzzle<N, O>,
        automata: Arc<AutomatonCache<O>>,
        solver: &NamedSolver<'_>,
    ) -> Self {
        let solver = solver.solver(&puzzle);
        let (both_automata, views) = (AutomatonCache::default(), RungViews::default());
        Self { both: TwoSided(puzzle), automata, both_automata, views, solver }
    }

    /// The group as a domain.
    pub(super) fn puzzle(&self) -> &GroupPuzzle<N, O> {
        &self.both.0
    }

    /// A state as an element of the group.
    ///
    /// # Errors
    /// If no moves lead to it.
    fn element(&self, pattern: &PuzzleState) -> Result<GroupElement<N>, Failure> {
        let other = || Failure::refused("other pieces than the solved state");
        self.puzzle().element(pattern).ok_or_else(other)
    }

    /// Searches by the solver of the settings, or for `best`.
    pub(super) fn search(
        &self,
        own: &FilePuzzle,
        tables: &GroupTables,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        if let Some(solver) = &self.solver {
            let (domain, settings) = (self.puzzle(), &own.settings);
            let start = &self.element(pattern)?;
            return Task { domain, start, settings }.solve_by(&**solver, run);
        }
        match own.rules.is_empty() {
            true => self.search_group(own, tables, pattern, run),
            false => self.search_with_pieces(own, tables, pattern, run),
        }
    }

    /// The automata of a two-sided search. `symmetries` are relabellings of the operators: of the
    /// plans that they map to each other, one is allowed.
    fn ends(
        &self,
        own: &FilePuzzle,
        keep: Keep,
        symmetries: &[Vec<Op>],
        run: &Run<'_>,
    ) -> Result<Arc<Automata<GroupPuzzle<N, O>>>, Failure> {
        let learn = || strings(own, Some(self.puzzle()), keep, run);
        self.automata.ends(self.puzzle(), keep, symmetries, run, &learn)
    }

    fn steps<'a>(&'a self, own: &'a GroupTables, ladder: &'a Ladder) -> Steps<'a, N, O> {
        Steps { ladder, own, puzzle: self.puzzle(), views: &self.views }
    }

    /// Searches a group from both ends: with the ladder of coset tables, else with tables of
    /// pieces.
    fn search_group(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let both = &self.both;
        let start = self.element(pattern)?;
        // Searches with coset tables are compiled for states of the usual sizes only.
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = run.tables(|run| group.ladder(run))?
        {
            // Symmetries of the start map plans to each other. If one plan is wanted, one of these
            // is enough.
            let one = run.is_for_one();
            let symmetries = if one { self_symmetries(&both.0, &start) } else { Vec::new() };
            let automata = self.ends(own, run.keep(), &symmetries, run)?;
            return climb::climb(&self.steps(group, ladder), both, &start, &automata, run);
        }
        let full = |run: &mut Run<'_>| self.search_pieces(own, group, &start, run);
        // The tables of so many slots take a minute or more. States near the goal need none.
        if const { N > MOST_SLOTS } && !group.has_tables() {
            let quick = |run: &mut Run<'_>| {
                let automata = self.ends(own, run.keep(), &[], run)?;
                run.reads("none", 0);
                run.search_ends(both, &Zero, &automata, &both.state(&start));
                Ok(())
            };
            return run.near_first(NEAR_NODES, quick, |run| {
                run.reads("best", 0);
                full(run)
            });
        }
        full(run)
    }

    /// Searches a group from both ends with tables of pieces.
    fn search_pieces(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        start: &GroupElement<N>,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let both = &self.both;
        let tables = run.tables(|run| group.tables(run))?;
        run.reads_bytes(tables.0.iter().map(PieceTable::bytes).sum());
        let automata = self.ends(own, run.keep(), &[], run)?;
        let start = both.state(start);
        match run.request.reader {
            None => run.search_ends(both, tables, &automata, &start),
            Some(reader) => {
                Remote::open(both, tables, reader);
                let remote = Remote::new(tables, reader);
                run.search_ends(both, &remote, &automata, &start);
            }
        }
        Ok(())
    }

    /// Searches under rules with the tables of pieces.
    ///
    /// The tables read a state and its inverse, so the domain has operators at both ends. An extra
    /// rule forbids all operators of the back end.
    pub(super) fn search_with_pieces(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let tables = run.tables(|run| group.tables(run))?;
        run.reads_bytes(tables.0.iter().map(PieceTable::bytes).sum());
        let (both, mut rules) = (&self.both, own.rules.clone());
        let back = (both.0.operators()..both.operators()).map(Op::new);
        rules.limits.push((back.collect(), 0));
        let ruled = ConstrainedDomain::new(both, &rules).map_err(Failure::refused)?;
        let start = ruled.start(both.state(&self.element(pattern)?));
        let (keep, pruning) = (run.keep(), own.settings.pruning);
        let automaton = self.both_automata.automaton(keep, run, &|| {
            own.strings_under_rules(&own.costs().repeat(2), pruning, keep, run)
        })?;
        run.search_tables(&ruled, &IgnoreRules(tables), automaton, &start);
        Ok(())
    }
}

impl<const N: usize, O: OpSet> GroupSearch for GroupEngine<N, O> {
    fn exhaust_classes(
        &self,
        group: &GroupTables,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        let puzzle = self.puzzle();
        run.prepare("the symmetries of the moves", |cancel| {
            puzzle.group().find_symmetries(cancel).map_err(Failure::of_group)
        })?;
        let events = run.events();
        let (solved, options) = ([puzzle.identity()], run.storing(group.memory, &events));
        let (name, description) = group.marks.of("classes");
        let checkpoint = group.source.checkpoint(format!("{name}-classes"), &description);
        let checkpoint = checkpoint.as_ref();
        let (depth, observer) = (usize::MAX, Some::<&dyn BuildObserver>(&events));
        let wanted = ClassLayerOptions { depth, farthest: antipodes, checkpoint, observer };
        let last = counts::tell_classes(puzzle, &solved, &wanted, &options, tell)?;
        Ok(last.iter().map(|element| element.contents(group.group.slots())).collect())
    }

    fn count_sequences(
        &self,
        own: &FilePuzzle,
        depth: usize,
        run: &Run<'_>,
    ) -> Result<Vec<u128>, Failure> {
        let keep = Keep::OneOptimal;
        let learn = || strings(own, Some(self.puzzle()), keep, run);
        let automaton = self.automata.automaton(keep, run, &learn)?;
        Ok(fsm::sequence_counts(self.puzzle(), automaton, 0, depth))
    }

    fn learn(
        &self,
        own: &FilePuzzle,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        run: &Run<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let group = self.puzzle();
        if own.rules.is_empty() {
            return automata::summary(group, depth, name, (run, own.settings.memory));
        }
        // Under rules only pairs are forbidden, whatever depth is asked for.
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        let strings = own.strings_under_rules(&own.costs(), pruning, keep, run)?;
        automata::summary_of(group, &strings, with_rules::DEPTH, name, &run.request.cancel)
    }

    /// Predicts nodes for each coset table of the ladder. Without a ladder, predicts by the formula
    /// of Korf, Reid and Edelkamp for the tables of pieces.
    fn predict(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        bound: Cost,
        run: &Run<'_>,
    ) -> Result<Prediction, Failure> {
        if !own.operators().all_cost_one() {
            return Err(Failure::refused(
                "nothing is predicted where moves cost other than 1: \
                 the formula counts moves, not their costs",
            ));
        }
        let chain = group.chain(run)?;
        let source = || -> Box<dyn Iterator<Item = GroupElement<N>> + '_> {
            let elements = group.elements(chain, outlook::SEED);
            Box::new(elements.map(|element| GroupElement::of(&element)))
        };
        let both = &self.both;
        let counts = self.count_sequences(own, usize::from(bound) + 1, run)?;
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = group.ladder(run)?
        {
            let states: (Source<'_, _>, _) = (&source, SAMPLES);
            let automata = self.ends(own, Keep::OneOptimal, &[], run)?;
            let steps = self.steps(group, ladder);
            return outlook::outlook(&steps, both, &automata, &counts, states, run);
        }
        let tables = group.tables(run)?;
        let states = source().take(SAMPLES).map(|state| both.state(&state));
        let distribution = sampled(states.map(|state| tables.estimate(both, &state)));
        Ok(Prediction::from(formula(&counts, distribution)))
    }

    fn branching(&self, run: &Run<'_>) -> Result<Option<f64>, Failure> {
        if N > MOST_SLOTS {
            return Ok(None);
        }
        let (group, pruning) = (self.puzzle(), PruningChoice::Fsm(None));
        let (depth, keep) = (2, Keep::OneOptimal);
        let learned = run.prepare("the branching factor", |cancel| {
            // Strings of two operators need little memory.
            let request = PruningRequest { pruning, depth, keep, cancel, memory: 0 };
            automata::strings(group, request)
        })?;
        let automaton = Automaton::<O>::new(&learned).map_err(Failure::limit)?;
        Ok(Some(fsm::branching_factor(group, &automaton)))
    }

    fn coset_table(
        &self,
        group: &GroupTables,
        ladder: &Ladder,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<(&TableSpec, &StripeTable), Failure> {
        if const { N <= MOST_SLOTS } {
            let (views, spec) =
                self.views.get_or_make(self.puzzle(), (group, ladder), rung, run)?;
            return Ok((spec, views.table()));
        }
        Err(Failure::limit("states of this size have no coset tables"))
    }

    fn is_at_hand(&self, group: &GroupTables, ladder: &Ladder, rung: usize) -> bool {
        self.steps(group, ladder).at_hand(rung)
    }
}
