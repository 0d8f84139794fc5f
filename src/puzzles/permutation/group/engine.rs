//! [`GroupEngine`] implements [`GroupSearch`] for states of `N` slots and sets of operators `O`.

use super::game::GroupSearch;
use super::ladder::Ladder;
use super::rungs::{RungViews, Steps};
use super::solvers::NamedSolver;
use super::tables::{GroupTables, MANY, MOST_POWER, VERY_MANY};
use crate::automata::{self, Automata, PruningRequest};
use crate::cache::AutomatonCache;
use crate::counts;
use crate::ladder::climb::{self, BoundSource, Rungs};
use crate::ladder::outlook::{self, Source, formula, sampled};
use crate::puzzle::{Failure, Prediction, Result, Tell};
use crate::puzzles::approach::{DEAR, time_left};
use crate::puzzles::configured::Learned;
use crate::puzzles::permutation::first_plans::FirstPlans;
use crate::puzzles::permutation::model::PuzzleModel;
use crate::puzzles::permutation::strings::PAIRS;
use crate::run::Run;
use crate::settings::PruningChoice;
use crate::solvers::{Solver, Task};
use fsm::{Automaton, Keep};
use pdb::BuildObserver;
use pdb::file::TableSpec;
use pdb::layers::ClassLayerOptions;
use pdb::table::StripeTable;
use permutation::{GapBound, GroupElement, GroupPuzzle, PieceTable, PuzzleState, SlotContents};
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
pub(crate) struct GroupEngine<const N: usize, O: OpSet> {
    model: Arc<PuzzleModel>,
    tables: Arc<GroupTables>,
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
    pub(crate) fn new(
        (model, tables): (Arc<PuzzleModel>, Arc<GroupTables>),
        puzzle: GroupPuzzle<N, O>,
        automata: Arc<AutomatonCache<O>>,
        solver: &NamedSolver<'_>,
    ) -> Self {
        let (solver, both) = (solver.solver(&puzzle), TwoSided(puzzle));
        let (both_automata, views) = (AutomatonCache::default(), RungViews::default());
        Self { model, tables, both, automata, both_automata, views, solver }
    }

    /// The group as a domain.
    pub(crate) fn puzzle(&self) -> &GroupPuzzle<N, O> {
        &self.both.0
    }

    /// A state as an element of the group.
    ///
    /// # Errors
    /// If no moves lead to it.
    fn element(&self, pattern: &PuzzleState) -> Result<GroupElement<N>> {
        let other = || Failure::refused("other pieces than the solved state");
        self.puzzle().element(pattern).ok_or_else(other)
    }

    /// Searches by the solver of the settings, or for `best`.
    pub(crate) fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let start = self.element(start)?;
        if let Some(solver) = &self.solver {
            let (domain, settings) = (self.puzzle(), &self.model.settings);
            return Task { domain, start: &start, settings }.solve_by(&**solver, run);
        }
        match self.model.rules.is_empty() {
            true => self.search_group(&start, run),
            false => self.search_with_pieces(&start, run),
        }
    }

    /// The automata of a two-sided search. `symmetries` are relabellings of the operators: of the
    /// plans that they map to each other, one is allowed.
    fn ends(
        &self,
        keep: Keep,
        symmetries: &[Vec<Op>],
        run: &Run<'_>,
    ) -> Result<Arc<Automata<GroupPuzzle<N, O>>>> {
        let learn = || self.model.strings(Some(self.puzzle()), keep, run);
        self.automata.ends(self.puzzle(), keep, symmetries, run, &learn)
    }

    fn steps<'a>(&'a self, ladder: &'a Ladder) -> Steps<'a, N, O> {
        Steps { ladder, puzzle: self.puzzle(), views: &self.views, first: None }
    }

    /// A state of the definition.
    fn pattern(&self, element: &GroupElement<N>) -> Option<PuzzleState> {
        let group = self.puzzle().group();
        group.pattern_of(self.model.definition(), &element.contents(group.slots())).ok()
    }

    fn ladder(&self, run: &Run<'_>) -> Result<Option<&Ladder>> {
        self.tables.ladder(run, &|| self.branching(run))
    }

    /// Searches a group from both ends without tables. States near the goal need no more.
    fn search_blind(&self, start: &GroupElement<N>, run: &mut Run<'_>) -> Result<()> {
        let automata = self.ends(run.keep(), &[], run)?;
        run.reads("none", 0);
        run.search_ends(&self.both, &Zero, &automata, &self.both.state(start));
        Ok(())
    }

    /// Searches a group by gaps where these are a good guide, else from both ends with tables. A
    /// search that will hardly end leaves its time to the search for plans, which comes before
    /// tables are chosen.
    fn search_group(&self, start: &GroupElement<N>, run: &mut Run<'_>) -> Result<()> {
        if let Some(gaps) = self.tables.gaps(run)?
            && self.are_stronger(gaps, start)
        {
            return self.search_by_gaps(gaps, start, run);
        }
        if !self.model.approaches(run).is_some_and(FirstPlans::is_hopeless) {
            return self.search_with_tables(start, run);
        }
        let quick = |run: &mut Run<'_>| self.search_blind(start, run);
        run.near_first(self.model.near_nodes(run), quick, |run| {
            let search = |run: &mut Run<'_>| self.search_with_tables(start, run);
            self.model.approach(|| self.pattern(start), run, search)
        })
    }

    /// Whether the bound of gaps of a state is above the mean distance in any table of pieces.
    fn are_stronger(&self, gaps: &GapBound, start: &GroupElement<N>) -> bool {
        let operators = self.puzzle().operators().max(2) as f64;
        let layers = f64::from(MOST_POWER) * 2.0_f64.ln() / operators.ln();
        f64::from(gaps.estimate(self.puzzle(), start)) > layers
    }

    /// Searches by gaps, without tables. Plans come after its first nodes.
    fn search_by_gaps(
        &self,
        gaps: &GapBound,
        start: &GroupElement<N>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let learn = || self.model.strings(Some(self.puzzle()), run.keep(), run);
        let automaton = self.automata.automaton(run.keep(), run, &learn)?;
        run.reads("best", 0);
        let search = |run: &mut Run<'_>| {
            run.search(self.puzzle(), gaps, automaton, start);
            Ok(())
        };
        run.near_first(self.model.near_nodes(run), search, |run| {
            self.model.approach(|| self.pattern(start), run, search)
        })
    }

    /// Searches a group from both ends: with the ladder of coset tables, else with tables of
    /// pieces.
    fn search_with_tables(&self, start: &GroupElement<N>, run: &mut Run<'_>) -> Result<()> {
        let both = &self.both;
        // Searches with coset tables are compiled for states of the usual sizes only.
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = run.tables(|run| self.ladder(run))?
        {
            // Symmetries of the start map plans to each other. If one plan is wanted, one of these
            // is enough.
            let one = run.is_for_one();
            let symmetries = if one { self_symmetries(&both.0, start) } else { Vec::new() };
            let automata = self.ends(run.keep(), &symmetries, run)?;
            let first = Some((&*self.model, self.pattern(start)));
            let steps = Steps { first, ..self.steps(ladder) };
            run.reads("best", 0);
            return climb::climb(&steps, both, start, &automata, run);
        }
        let search = |run: &mut Run<'_>| self.search_pieces(start, run);
        let at_hand = self.tables.has_tables() || self.model.patterns.have_files();
        let full = |run: &mut Run<'_>| {
            // A proof that is short waits for no plan, if there is time for both.
            let may_be = |first: &FirstPlans| !first.is_hopeless();
            let is_short = const { N <= MOST_SLOTS }
                && time_left(run).is_none()
                && self.model.approaches(run).is_some_and(may_be)
                && (at_hand || !run.tables(|run| self.tables.have_more(VERY_MANY, run))?);
            if is_short && !run.pauses(DEAR, &search)? {
                return Ok(());
            }
            self.model.approach(|| self.pattern(start), run, search)
        };
        // States near the goal need no tables. Those of so many slots take a minute or more.
        if !self.tables.has_tables()
            && (const { N > MOST_SLOTS }
                || !run.counts_nodes()
                    && !self.model.patterns.have_files()
                    && run.tables(|run| self.tables.have_more(MANY, run))?)
        {
            let quick = |run: &mut Run<'_>| self.search_blind(start, run);
            return run.near_first(self.model.near_nodes(run), quick, |run| {
                run.reads("best", 0);
                full(run)
            });
        }
        full(run)
    }

    /// Searches a group from both ends with tables of pieces.
    fn search_pieces(&self, start: &GroupElement<N>, run: &mut Run<'_>) -> Result<()> {
        let both = &self.both;
        let tables = run.tables(|run| self.tables.tables(run))?;
        run.reads_bytes(tables.0.iter().map(PieceTable::bytes).sum());
        let automata = self.ends(run.keep(), &[], run)?;
        let (start, reader) = (both.state(start), run.request.reader);
        if let Some(reader) = reader {
            BoundSource::<GroupPuzzle<N, O>>::open(&tables, reader);
        }
        run.search_both::<GroupPuzzle<N, O>>(false, &automata, &|options| {
            tables.search(both, &automata, &start, options, reader)
        });
        Ok(())
    }

    /// Searches under rules with the tables of pieces.
    ///
    /// The tables read a state and its inverse, so the domain has operators at both ends. An extra
    /// rule forbids all operators of the back end.
    fn search_with_pieces(&self, start: &GroupElement<N>, run: &mut Run<'_>) -> Result<()> {
        let model = &self.model;
        let tables = run.tables(|run| self.tables.tables(run))?;
        run.reads_bytes(tables.0.iter().map(PieceTable::bytes).sum());
        let (both, mut rules) = (&self.both, model.rules.clone());
        let back = (both.0.operators()..both.operators()).map(Op::new);
        rules.limits.push((back.collect(), 0));
        let ruled = ConstrainedDomain::new(both, &rules).map_err(Failure::refused)?;
        let start = ruled.start(both.state(start));
        let (keep, pruning) = (run.keep(), model.settings.pruning);
        let automaton = self.both_automata.automaton(keep, run, &|| {
            model.strings_under_rules(&model.costs().repeat(2), pruning, keep, run)
        })?;
        run.search_tables(&ruled, &IgnoreRules(tables), automaton, &start);
        Ok(())
    }
}

impl<const N: usize, O: OpSet> GroupSearch for GroupEngine<N, O> {
    fn exhaust_classes(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>> {
        let puzzle = self.puzzle();
        run.prepare("the symmetries of the moves", |cancel| {
            puzzle.group().find_symmetries(cancel).map_err(Failure::of_group)
        })?;
        let events = run.events();
        let (solved, options) = ([puzzle.identity()], run.storing(self.tables.memory, &events));
        let (name, description) = self.tables.names.of_kind("classes");
        let checkpoint = self.tables.source.checkpoint(format!("{name}-classes"), &description);
        let checkpoint = checkpoint.as_ref();
        let (depth, observer) = (usize::MAX, Some::<&dyn BuildObserver>(&events));
        let wanted = ClassLayerOptions { depth, farthest: antipodes, checkpoint, observer };
        let last = counts::tell_classes(puzzle, &solved, &wanted, &options, tell)?;
        Ok(last.iter().map(|element| element.contents(self.tables.group.slots())).collect())
    }

    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>> {
        let keep = Keep::OneOptimal;
        let learn = || self.model.strings(Some(self.puzzle()), keep, run);
        let automaton = self.automata.automaton(keep, run, &learn)?;
        Ok(fsm::sequence_counts(self.puzzle(), automaton, 0, depth))
    }

    fn learn(
        &self,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        run: &Run<'_>,
    ) -> Result<Learned> {
        let (group, model) = (self.puzzle(), &self.model);
        if model.rules.is_empty() {
            return automata::summary(group, depth, name, (run, model.settings.memory));
        }
        // Under rules only pairs are forbidden, whatever depth is asked for.
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        let strings = model.strings_under_rules(&model.costs(), pruning, keep, run)?;
        automata::summary_of(group, &strings, PAIRS, name, &run.request.cancel)
    }

    /// Predicts nodes for each coset table of the ladder. Without a ladder, predicts by the formula
    /// of Korf, Reid and Edelkamp for the tables of pieces.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        if !self.model.operators().all_cost_one() {
            return Err(Failure::refused(
                "nothing is predicted where moves cost other than 1: \
                 the formula counts moves, not their costs",
            ));
        }
        let chain = self.tables.chain(run)?;
        let source = || -> Box<dyn Iterator<Item = GroupElement<N>> + '_> {
            let elements = self.tables.elements(chain, outlook::SEED);
            Box::new(elements.map(|element| GroupElement::of(&element)))
        };
        let both = &self.both;
        let counts = self.count_sequences(usize::from(bound) + 1, run)?;
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = self.ladder(run)?
        {
            let states: (Source<'_, _>, _) = (&source, SAMPLES);
            let automata = self.ends(Keep::OneOptimal, &[], run)?;
            let steps = self.steps(ladder);
            return outlook::outlook(&steps, both, &automata, &counts, states, run);
        }
        let tables = self.tables.tables(run)?;
        let states = source().take(SAMPLES).map(|state| both.state(&state));
        let distribution = sampled(states.map(|state| tables.estimate(both, &state)));
        Ok(Prediction::from(formula(&counts, distribution)))
    }

    fn branching(&self, run: &Run<'_>) -> Result<Option<f64>> {
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
        ladder: &Ladder,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<(&TableSpec, &StripeTable)> {
        if const { N <= MOST_SLOTS } {
            let (views, spec) = self.views.get_or_make(self.puzzle(), ladder, rung, run)?;
            return Ok((spec, views.table()));
        }
        Err(Failure::limit("states of this size have no coset tables"))
    }

    fn is_at_hand(&self, ladder: &Ladder, rung: usize) -> bool {
        self.steps(ladder).at_hand(rung)
    }
}
