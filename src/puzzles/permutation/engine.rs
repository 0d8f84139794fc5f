//! [`Engine`] implements [`Searches`] for states of `N` slots and sets of operators `O`.

use super::file_puzzle::{FilePuzzle, depth};
use super::group::GroupTables;
use super::ladder::Ladder;
use super::large::LargeEngine;
use super::rungs::{RungViews, Steps};
use super::searches::{AllowedPlans, Searches};
use super::solvers::NamedSolver;
use crate::automata::{self, Automata, PruningRequest};
use crate::cache::AutomatonCache;
use crate::ladder::climb::{self, Rungs};
use crate::ladder::outlook::{self, Source, formula, sampled};
use crate::puzzle::{Failure, Job, LearnedSummary, Prediction, Tell};
use crate::runs::{self, Found};
use crate::settings::PruningChoice;
use crate::solvers::{Solver, Task};
use crate::timing::Stopwatch;
use fsm::{Automaton, ForbiddenStrings, Keep};
use pdb::file::TableSpec;
use pdb::layers::ClassLayerOptions;
use pdb::table::StripeTable;
use pdb::{BuildObserver, RemoteTables};
use permutation::{
    GeneralPuzzle, GroupElement, GroupPuzzle, PieceTable, PuzzleGroup, PuzzleLabels, PuzzleSize,
    PuzzleState, SlotContents,
};
use search::random::Random;
use search::{
    ConstrainedDomain, Cost, Domain, Group, Heuristic, Op, OpSet, OperatorRules, TwoSided,
    self_symmetries,
};
use std::error::Error;
use std::sync::Arc;

/// Most slots of a state that is searched with coset tables. For larger states no such search is
/// compiled.
const MOST_SLOTS: usize = 64;

/// Number of random states from which a distribution of heuristic values is sampled.
const SAMPLES: usize = 100_000;

/// The searches of a puzzle, for states of `N` slots and sets of operators `O`.
pub(super) struct Engine<const N: usize, O: OpSet> {
    pub(super) puzzle: GeneralPuzzle<N, O>,
    /// The group as a domain with operators at both ends of a plan. `None` if the states form no
    /// group.
    pub(super) both: Option<TwoSided<GroupPuzzle<N, O>>>,
    /// Automata of the forbidden strings, over the operators of the definition.
    automata: AutomatonCache<O>,
    /// Automata over the operators of both ends, for [`Engine::search_with_pieces`].
    pub(super) both_automata: AutomatonCache<O::Double>,
    views: RungViews<N, O>,
    /// What solves states of the group in place of the optimal search.
    solver: Option<Box<dyn Solver<GroupPuzzle<N, O>>>>,
}

/// The engine with the smallest types of states and operator sets that hold a puzzle of this size.
pub(super) fn of_size(
    size: PuzzleSize,
    labels: &Arc<PuzzleLabels>,
    group: Option<&Arc<PuzzleGroup>>,
    rules: &OperatorRules,
    solver: &NamedSolver<'_>,
) -> Result<Box<dyn Searches>, Box<dyn Error>> {
    if size.fit(PuzzleSize::FIXED).is_err() {
        return Ok(Box::new(LargeEngine::new(labels)?));
    }
    Ok(match size {
        PuzzleSize { slots: 0..=32, operators: 0..=32, .. } => {
            Box::new(Engine::<32, u32>::new(labels, group, rules, solver)?)
        }
        PuzzleSize { slots: 0..=64, operators: 0..=64, .. } => {
            Box::new(Engine::<64, u64>::new(labels, group, rules, solver)?)
        }
        _ => Box::new(Engine::<256, [u64; 16]>::new(labels, group, rules, solver)?),
    })
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    fn new(
        labels: &Arc<PuzzleLabels>,
        group: Option<&Arc<PuzzleGroup>>,
        rules: &OperatorRules,
        solver: &NamedSolver<'_>,
    ) -> Result<Self, Box<dyn Error>> {
        let puzzle = GeneralPuzzle::of(Arc::clone(labels))?;
        ConstrainedDomain::new(&puzzle, rules)?;
        let both = group.map(|group| GroupPuzzle::of(Arc::clone(group)).map(TwoSided));
        let both = both.transpose()?;
        let solver = both.as_ref().and_then(|both| solver.solver(&both.0));
        Ok(Self {
            puzzle,
            both,
            automata: AutomatonCache::default(),
            both_automata: AutomatonCache::default(),
            views: RungViews::default(),
            solver,
        })
    }

    /// The group as a domain with operators at both ends. Only for puzzles whose states form a
    /// group.
    pub(super) fn both(&self) -> &TwoSided<GroupPuzzle<N, O>> {
        match &self.both {
            Some(both) => both,
            None => unreachable!("asked only where states form a group"),
        }
    }

    /// The automaton of the forbidden strings. It is learned at the first call.
    pub(super) fn automaton(
        &self,
        own: &FilePuzzle,
        keep: Keep,
        job: &Job<'_>,
    ) -> Result<&Automaton<O>, Failure> {
        self.automata.automaton(keep, &|| self.strings(own, keep, job))
    }

    /// The forbidden strings.
    ///
    /// Under rules, those of [`FilePuzzle::strings_under_rules`]. Else those learned in the group
    /// of the states, or in the group with all pieces told apart. Without any group, duplicate
    /// pairs.
    fn strings(
        &self,
        own: &FilePuzzle,
        keep: Keep,
        job: &Job<'_>,
    ) -> Result<ForbiddenStrings, Failure> {
        if !own.rules.is_empty() {
            return own.strings_under_rules(&own.costs(), own.settings.pruning, keep, job);
        }
        let apart = match &self.both {
            Some(_) => None,
            None => own.told_apart().and_then(|group| GroupPuzzle::of(group.into()).ok()),
        };
        match self.both.as_ref().map(|both| &both.0).or(apart.as_ref()) {
            Some(group) => {
                let (pruning, depth) = (own.settings.pruning, depth(own.metric));
                let memory = own.settings.memory;
                job.prepare("the forbidden strings", |cancel| {
                    let request = PruningRequest { pruning, depth, keep, cancel, memory };
                    automata::strings(group, request)
                })
            }
            None => own.duplicate_strings(keep, job),
        }
    }

    /// The automata of a two-sided search. `symmetries` are relabellings of the operators: of the
    /// plans that they map to each other, one is allowed.
    fn ends(
        &self,
        own: &FilePuzzle,
        keep: Keep,
        symmetries: &[Vec<Op>],
        job: &Job<'_>,
    ) -> Result<Arc<Automata<GroupPuzzle<N, O>>>, Failure> {
        let learn = || self.strings(own, keep, job);
        self.automata.ends(&self.both().0, keep, symmetries, &learn)
    }

    fn steps<'a>(&'a self, own: &'a GroupTables, ladder: &'a Ladder) -> Steps<'a, N, O> {
        Steps { ladder, own, puzzle: &self.both().0, views: &self.views }
    }

    /// Searches a group from both ends: with the ladder of coset tables, else with tables of
    /// pieces.
    fn search_group(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let both = self.both();
        let start = both.0.element(pattern).unwrap_or(both.0.identity());
        let stopwatch = Stopwatch::start();
        // Searches with coset tables are compiled for states of the usual sizes only.
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = group.ladder(self, job)?
        {
            found.tables = stopwatch.wall();
            // Symmetries of the start map plans to each other. If one plan is wanted, one of these
            // is enough.
            let one = job.is_for_one();
            let symmetries = if one { self_symmetries(&both.0, &start) } else { Vec::new() };
            let automata = self.ends(own, job.keep(), &symmetries, job)?;
            return climb::climb(&self.steps(group, ladder), both, &start, &automata, job, found);
        }
        let tables = group.tables(job);
        found.tables = stopwatch.wall();
        let tables = tables?;
        found.table_bytes = tables.0.iter().map(PieceTable::bytes).sum();
        let automata = self.ends(own, job.keep(), &[], job)?;
        let start = both.state(&start);
        match job.reader {
            None => found.search_ends(both, tables, &automata, &start, job),
            Some(reader) => {
                let remote = RemoteTables::new(both, tables, reader);
                found.search_ends(both, &remote, &automata, &start, job);
            }
        }
        Ok(())
    }
}

impl<const N: usize, O: OpSet> Searches for Engine<N, O> {
    fn filter<'a>(&'a self, own: &FilePuzzle, job: &Job<'_>) -> Result<AllowedPlans<'a>, Failure> {
        let automaton = self.automaton(own, Keep::AllOptimal, job)?;
        Ok(Box::new(|plan| automaton.accepts(plan)))
    }

    fn search(
        &self,
        own: &FilePuzzle,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        if let Some(solver) = &self.solver {
            let (domain, settings) = (&self.both().0, &own.settings);
            let start = &domain.element(pattern).unwrap_or(domain.identity());
            return Task { domain, start, settings, job }.solve_by(&**solver, found);
        }
        let free = own.rules.is_empty();
        match &own.group {
            Ok(group) if own.is_best() && free => {
                self.search_group(own, group, pattern, job, found)
            }
            Ok(group) if own.is_best() => self.search_with_pieces(own, group, pattern, job, found),
            Ok(_) => self.search_forward(own, pattern, None, job, found),
            Err(_) if free => self.search_plain(own, pattern, job, found),
            Err(_) => {
                let tables = own.spec_tables(job, found)?;
                self.search_forward(own, pattern, tables, job, found)
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
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        self.count_to(own, depth, job, tell)
    }

    fn exhaust(
        &self,
        own: &FilePuzzle,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        self.count_whole(own, antipodes, job, tell)
    }

    fn exhaust_classes(
        &self,
        group: &GroupTables,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        let puzzle = &self.both().0;
        job.prepare("the symmetries of the moves", |cancel| {
            puzzle.group().find_symmetries(cancel).map_err(Failure::of_group)
        })?;
        let (solved, options) = ([puzzle.identity()], runs::within(job, Some(group.memory)));
        let (name, description) = group.marks.of("classes");
        let checkpoint = group.source.checkpoint(format!("{name}-classes"), &description);
        let checkpoint = checkpoint.as_ref();
        let (depth, observer) = (usize::MAX, Some::<&dyn BuildObserver>(job.watch));
        let wanted = ClassLayerOptions { depth, farthest: antipodes, checkpoint, observer };
        let last = runs::tell_classes(puzzle, &solved, &wanted, &options, tell)?;
        Ok(last.iter().map(|element| element.contents(group.group.slots())).collect())
    }

    fn count_sequences(
        &self,
        own: &FilePuzzle,
        depth: usize,
        job: &Job<'_>,
    ) -> Result<Vec<u128>, Failure> {
        let automaton = self.automaton(own, Keep::OneOptimal, job)?;
        Ok(fsm::sequence_counts(&self.both().0, automaton, 0, depth))
    }

    fn learn(
        &self,
        own: &FilePuzzle,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let group = &self.both().0;
        if own.rules.is_empty() {
            return automata::summary(group, depth, name, (job, own.settings.memory));
        }
        // Under rules only pairs are forbidden, whatever depth is asked for.
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        let strings = own.strings_under_rules(&own.costs(), pruning, keep, job)?;
        automata::summary_of(group, &strings, super::with_rules::DEPTH, name, &job.cancel)
    }

    /// Predicts nodes for each coset table of the ladder. Without a ladder, predicts by the formula
    /// of Korf, Reid and Edelkamp for the tables of pieces.
    fn predict(
        &self,
        own: &FilePuzzle,
        group: &GroupTables,
        bound: Cost,
        job: &Job<'_>,
    ) -> Result<Prediction, Failure> {
        if !own.operators().all_cost_one() {
            return Err(Failure::refused(
                "nothing is predicted where moves cost other than 1: \
                 the formula counts moves, not their costs",
            ));
        }
        group.prepare(job)?;
        let chain = group.chain().map_err(Failure::of_group)?;
        let source = || -> Box<dyn Iterator<Item = GroupElement<N>> + '_> {
            let elements = group.elements(chain, outlook::SEED);
            Box::new(elements.map(|element| GroupElement::of(&element)))
        };
        let both = self.both();
        let counts = self.count_sequences(own, usize::from(bound) + 1, job)?;
        if const { N <= MOST_SLOTS }
            && let Some(ladder) = group.ladder(self, job)?
        {
            let states: (Source<'_, _>, _) = (&source, SAMPLES);
            let automata = self.ends(own, Keep::OneOptimal, &[], job)?;
            let steps = self.steps(group, ladder);
            return outlook::outlook(&steps, both, &automata, &counts, states, job);
        }
        let tables = group.tables(job)?;
        let states = source().take(SAMPLES).map(|state| both.state(&state));
        let distribution = sampled(states.map(|state| tables.estimate(both, &state)));
        Ok(Prediction::from(formula(&counts, distribution)))
    }

    fn branching(&self, job: &Job<'_>) -> Result<Option<f64>, Failure> {
        if N > MOST_SLOTS {
            return Ok(None);
        }
        let (group, pruning) = (&self.both().0, PruningChoice::Fsm(None));
        let (depth, keep) = (2, Keep::OneOptimal);
        let learned = job.prepare("the branching factor", |cancel| {
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
        job: &Job<'_>,
    ) -> Result<(&TableSpec, &StripeTable), Failure> {
        if const { N <= MOST_SLOTS } {
            let (views, spec) =
                self.views.get_or_make(&self.both().0, (group, ladder), rung, job)?;
            return Ok((spec, views.table()));
        }
        unreachable!("states of this size have no ladder")
    }

    fn is_at_hand(&self, group: &GroupTables, ladder: &Ladder, rung: usize) -> bool {
        self.steps(group, ladder).at_hand(rung)
    }
}
