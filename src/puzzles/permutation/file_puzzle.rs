//! [`FilePuzzle`] makes a definition a [`Puzzle`].

use super::engine;
use super::group::GroupTables;
use super::pattern_tables::Specs;
use super::searches::Search;
use super::solvers::NamedSolver;
use super::table_names::Marks;
use super::{
    allowed, encoding, inverted, large, planned, scrambles, solvers, stickers, wca, with_rules,
};
use crate::puzzle::{
    Counting, Exhaustive, Failure, InvalidInput, LearnedSummary, Learning, MoveScrambles,
    Predicting, Prediction, PuzzleInfo, Request, Scrambler, StateFile, StateFiles, StateInfo,
    TableCandidate, TableHistogram, Tables, Tell,
};
use crate::puzzles::configured::{AllowedPlans, Game};
use crate::puzzles::scrambles::by_solving;
use crate::run::{Checks, Run};
use crate::settings::{
    ConfigureError, GoalChoice, HeuristicChoice, MetricChoice, PruningChoice, Settings,
    SolverChoice,
};
use crate::words::hex;
use fsm::Keep;
use permutation::pattern_spec::PuzzleStructure;
use permutation::{
    Definition, FineDefinition, GoalMask, GoalQuotient, Invariants, MoveMetric, NotAGroup,
    Operators, PuzzleGroup, PuzzleLabels, PuzzleSize, PuzzleState, ReferencePuzzle,
};
use proofs::pseudo_boolean::Encoding;
use search::random::Random;
use search::{Cost, Op, OperatorRules, Plan, plan};
use std::sync::{Arc, OnceLock};

/// Number of moves of a random walk. It draws the random states of puzzles whose states form no
/// group.
const WALK: usize = 10_000;

/// The setting that stands for a metric.
pub(super) fn choice_of(metric: MoveMetric) -> MetricChoice {
    match metric {
        MoveMetric::Turn => MetricChoice::HalfTurn,
        MoveMetric::Quarter => MetricChoice::QuarterTurn,
    }
}

/// Most operators of a puzzle that is searched as a group. A search from both ends has twice as
/// many.
const MOST_OPERATORS: usize = 512;

/// A puzzle from a definition. [`Search`] has the code that is compiled for each size of states.
pub(in crate::puzzles) struct FilePuzzle {
    info: PuzzleInfo,
    pub(super) metric: MoveMetric,
    pub(super) settings: Settings,
    /// If the settings name a goal: the definition of the file, and the mask that turns its states
    /// into states for that goal.
    pub(super) asked: Option<(Definition, GoalMask)>,
    /// The definition with the orientations that no goal specifies. `None` if there are none.
    /// States are read and written with these orientations, and searched without them.
    pub(super) fine: Option<FineDefinition>,
    pub(super) labels: Arc<PuzzleLabels>,
    /// Which states have the same plans, found once. `None` if all differ.
    pub(super) quotient: OnceLock<Option<GoalQuotient>>,
    /// The definition's rules about moves, in terms of operators.
    pub(super) rules: OperatorRules,
    /// The group of its states, or why they form none.
    pub(super) group: Result<GroupTables, NotAGroup>,
    /// The tables to use if the states form no group.
    pub(super) specs: Specs,
    pub(super) engine: Box<dyn Search>,
    checks: Checks,
    /// The invariants: what no operator changes. Only for puzzles whose states form no group.
    pub(super) test: OnceLock<Invariants>,
}

impl FilePuzzle {
    pub(in crate::puzzles) fn new(
        name: &str,
        definition: Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        let wrong =
            |error: &dyn std::fmt::Display| ConfigureError::invalid(format!("{name}: {error}"));
        let rules = match &settings.moves {
            Some(_) => allowed::rules(&definition, metric, &operators),
            None => definition.operator_rules(&operators),
        };
        let rules = rules.map_err(|error| wrong(&error))?;
        let size = PuzzleSize::of(&definition, &operators);
        let room = PuzzleSize { operators: MOST_OPERATORS, ..PuzzleSize::FIXED };
        let group = match size.fit(room) {
            Err(error) => Err(error.into()),
            Ok(()) => PuzzleGroup::new(&definition, operators.clone()).map(Arc::new),
        };
        let specs = Specs::new(&definition, &operators, choice_of(metric).name(), settings);
        let labels = Arc::new(PuzzleLabels::new(definition, operators));
        let asked = NamedSolver::new(labels.definition(), metric, labels.list(), settings);
        let asked = asked.map_err(|error| wrong(&error))?;
        let engine = engine::of_size(size, &labels, group, &rules, &asked);
        let (engine, group) = engine.map_err(|error| wrong(&*error))?;
        let (definition, list) = (labels.definition(), labels.list());
        let marks = Marks::new(definition, list, choice_of(metric).name(), settings);
        let group = group.map(|group| GroupTables::new(group, marks, definition, settings));
        solvers::check(name, group.is_ok() && rules.is_empty(), &settings.solver)?;
        let mut info = PuzzleInfo::new(name, Some(choice_of(metric)));
        info.has_costs = !labels.list().all_cost_one();
        info.refused_stickers = stickers::face_of(labels.definition());
        info.definition = Some(hex(&labels.definition().fingerprint()));
        let notes = labels.definition().notes().iter();
        info.notes =
            notes.map(|note| format!("{name}, line {}: {}", note.line, note.text)).collect();
        let (settings, checks, test) = (settings.clone(), Checks::default(), OnceLock::new());
        Ok(Self {
            info,
            metric,
            settings,
            asked: None,
            fine: None,
            quotient: OnceLock::new(),
            labels,
            rules,
            group,
            specs,
            engine,
            checks,
            test,
        })
    }

    pub(in crate::puzzles) fn definition(&self) -> &Definition {
        self.labels.definition()
    }

    pub(in crate::puzzles) fn operators(&self) -> &Operators {
        self.labels.list()
    }

    /// The greatest number of operators of a learned string, if the settings set no depth.
    pub(super) fn depth(&self) -> usize {
        depth(self.metric)
    }

    pub(super) fn is_best(&self) -> bool {
        self.settings.heuristic == HeuristicChoice::Best
    }

    /// The structure of the puzzle, from which tables are chosen.
    ///
    /// # Errors
    /// If the puzzle is too large for tables.
    fn structure(&self) -> Result<PuzzleStructure, Failure> {
        let (size, room) = (self.labels.size(), PuzzleSize::FIXED);
        if size.fit(room).is_err() {
            return Err(Failure::refused(format!(
                "the puzzle has {size}: puzzles of more than {room} have no tables"
            )));
        }
        Ok(PuzzleStructure::new(&self.labels))
    }

    /// The state, after a rotation of the whole puzzle is undone. Call [`Game::prepare`]
    /// first.
    ///
    /// # Errors
    /// If the states form a group, and no moves lead to this one. Else if invariants show that it
    /// has no plan.
    pub(in crate::puzzles) fn held(
        &self,
        pattern: PuzzleState,
    ) -> Result<PuzzleState, InvalidInput> {
        match &self.group {
            Ok(group) => group.held(self.definition(), pattern),
            Err(_) => self.tested(pattern),
        }
    }

    fn reference(&self) -> ReferencePuzzle<'_> {
        ReferencePuzzle::new(self.definition(), self.operators())
    }

    /// A random state: uniformly random if the states form a group, else the end of a random walk.
    /// `None` if the group is unknown.
    pub(in crate::puzzles) fn scramble(&self, random: &mut Random) -> Option<PuzzleState> {
        match &self.group {
            Ok(group) => group.random(self.definition(), random),
            Err(_) => Some(self.labels.pattern(&self.engine.walk(WALK, random))),
        }
    }
}

/// The greatest number of operators of a learned string, if the settings set no depth.
pub(super) fn depth(metric: MoveMetric) -> usize {
    match metric {
        MoveMetric::Turn => 2,
        MoveMetric::Quarter => 3,
    }
}

impl Game for FilePuzzle {
    type State = PuzzleState;

    fn info(&self) -> &PuzzleInfo {
        &self.info
    }
    fn settings(&self) -> &Settings {
        &self.settings
    }
    fn checks(&self) -> &Checks {
        &self.checks
    }

    /// Makes the group, which [`FilePuzzle::held`] needs.
    fn prepare(&self, run: &Run<'_>) -> Result<(), Failure> {
        self.group.as_ref().map_or(Ok(()), |group| group.prepare(run))
    }

    fn parse(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        self.parse_held(state)
    }

    fn reads_solved(&self, state: &str) -> Result<bool, InvalidInput> {
        Ok(self.replay(&self.parse_text(state)?, &[]).is_ok())
    }

    fn describe(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        let pattern = self.parse(state)?;
        let group = match &self.group {
            Ok(group) => ("states", group.order()),
            Err(error) => ("group", format!("none: {error}")),
        };
        let own = wca::state(self.definition(), state)?;
        let mut facts = vec![("state", self.text(&pattern))];
        facts.extend(own.map(|moves| ("moves", moves)));
        facts.push(group);
        let known = self.group.is_ok() || self.is_reached_by(state);
        Ok(StateInfo { solvable: known.then_some(true), ..StateInfo::new(facts) })
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        planned(self.definition(), plan).and_then(|turns| self.made_by(&turns)).map(Plan::from)
    }

    fn operator(&self, op: Op) -> String {
        self.operators().list[op.index()].name.clone()
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        inverted(self.definition(), moves)
    }

    fn cost(&self, plan: &[Op]) -> u64 {
        plan.iter().map(|op| u64::from(self.operators().list[op.index()].cost)).sum()
    }

    fn replay(&self, state: &PuzzleState, plan: &[Op]) -> Result<(), plan::Invalid> {
        let reference = self.reference();
        plan::validate(&reference, &reference.start(state), plan)
    }

    fn broken_rule(&self, state: &PuzzleState, plan: &[Op]) -> Option<String> {
        self.reference().broken(state, plan)
    }

    fn encoding(&self, start: &PuzzleState) -> Result<Encoding, String> {
        encoding::of_state(self, start)
    }

    fn pruning(&self) -> String {
        match self.settings.pruning {
            PruningChoice::Fsm(_) if !self.rules.is_empty() => {
                PruningChoice::Fsm(None).name(with_rules::DEPTH)
            }
            pruning => pruning.name(self.depth()),
        }
    }

    /// If several plans are wanted, the search counts only those of [`Game::counted`].
    fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<(), Failure> {
        let optimal = self.settings.solver == SolverChoice::Optimal;
        let several = optimal && run.request.plans > 1 && !run.is_filtered();
        // The only cheapest plan of a goal is the empty one.
        if !several || self.replay(start, &[]).is_ok() {
            return self.engine.search(self, start, run);
        }
        let counted = self.plans_of(start, run)?;
        let filter = |_, plan: &[Op]| counted(plan);
        run.filtered(&filter, |run| self.engine.search(self, start, run))
    }

    fn allowed<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>, Failure> {
        self.engine.filter(self, Keep::AllOptimal, run).map(Some)
    }

    fn is_simple(&self, start: &PuzzleState, plan: &[Op]) -> bool {
        self.passes_no_state_twice(start, plan)
    }

    fn counted<'s>(
        &'s self,
        start: &'s PuzzleState,
        run: &Run<'_>,
    ) -> Result<Option<AllowedPlans<'s>>, Failure> {
        self.plans_of(start, run).map(Some)
    }

    fn scrambler(&self) -> Option<&dyn Scrambler> {
        Some(self)
    }
    fn state_files(&self) -> Option<&dyn StateFiles> {
        Some(self)
    }
    fn counting(&self) -> Option<&dyn Counting> {
        Some(self)
    }
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        Some(self)
    }
    fn learning(&self) -> Option<&dyn Learning> {
        Some(self)
    }
    fn tables(&self) -> Option<&dyn Tables> {
        Some(self)
    }
    fn predicting(&self) -> Option<&dyn Predicting> {
        Some(self)
    }
}

impl Scrambler for FilePuzzle {
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::from_fn(move || Some(self.text(&self.scramble(&mut random)?))))
    }

    /// For a small group, inverted plans of uniformly random states. Else random moves.
    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>> {
        // Inverted plans begin at the goal. They are scrambles only if that is the solved state.
        let few = self.group.as_ref().is_ok_and(|group| group.is_small(&Run::new(request)));
        if few && self.rules.is_empty() && self.settings.goal == GoalChoice::Solved {
            return Some(by_solving(self, self.scrambles(seed), request.clone()));
        }
        let mut random = Random::new(seed);
        let commute = self.operators().commuting(self.definition().orbits());
        let made = move || Ok(self.random_moves(&commute, &mut random));
        let scrambles = std::iter::repeat_with(made);
        Some(MoveScrambles { uniform: false, scrambles: Box::new(scrambles) })
    }
}

impl StateFiles for FilePuzzle {
    fn words(&self) -> &'static [&'static str] {
        &scrambles::WORDS
    }

    fn read_file(&self, text: &str) -> Result<StateFile, InvalidInput> {
        self.scramble_file(text)
    }
}

impl Counting for FilePuzzle {
    fn count_states(
        &self,
        depth: usize,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        let run = Run::new(request);
        match self.operators().all_cost_one() {
            true => self.engine.count_states(self, depth, &run, tell),
            false => self.layers_by_cost((depth, 0), &run, tell).map(drop),
        }
    }

    fn count_sequences(&self, depth: usize, request: &Request<'_>) -> Result<Vec<u128>, Failure> {
        if !self.rules.limits.is_empty() {
            return Err(Failure::refused(
                "sequences are counted by an automaton, which cannot count uses of a move: \
                 expected a definition without MoveLimits",
            ));
        }
        match &self.group {
            Ok(group) => group.search.count_sequences(self, depth, &Run::new(request)),
            Err(NotAGroup::NotSearchable(_)) => {
                large::count_sequences(self, depth, &Run::new(request))
            }
            Err(error) => Err(Failure::limit(format!("sequences depend on the state: {error}"))),
        }
    }
}

impl Exhaustive for FilePuzzle {
    fn count_all(
        &self,
        antipodes: usize,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>, Failure> {
        let states = self.farthest(antipodes, &Run::new(request), tell)?;
        Ok(states.iter().map(|state| self.text(state)).collect())
    }
}

impl Learning for FilePuzzle {
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        request: &Request<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let name = |op: Op| self.operators().list[op.index()].name.clone();
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        match &self.group {
            Ok(group) => group.search.learn(self, depth, name, &Run::new(request)),
            Err(NotAGroup::NotSearchable(_)) => large::learn(self, depth, name, &Run::new(request)),
            Err(error) => Err(Failure::refused(format!("nothing is learned: {error}"))),
        }
    }
}

impl Tables for FilePuzzle {
    fn owns(&self, table: &str) -> bool {
        self.specs.marks().are_of(table)
    }

    fn explain(&self, request: &Request<'_>) -> Result<Vec<TableCandidate>, Failure> {
        if !self.is_best() {
            let heuristic = &self.settings.heuristic;
            return Err(Failure::refused(format!("{heuristic} has no tables: expected best")));
        }
        match &self.group {
            Ok(group) => group.explain(&Run::new(request)),
            Err(_) => self.specs.explain(&self.structure()?, &Run::new(request)),
        }
    }

    fn build(&self, request: &Request<'_>) -> Result<Vec<(String, u64)>, Failure> {
        match &self.group {
            Ok(group) => group.build(&Run::new(request)),
            Err(_) => self.specs.build(&self.structure()?, &Run::new(request)),
        }
    }

    fn histograms(&self, request: &Request<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match &self.group {
            Ok(group) => group.histograms(&Run::new(request)),
            Err(_) => self.specs.histograms(&self.structure()?, &Run::new(request)),
        }
    }
}

impl Predicting for FilePuzzle {
    fn predict(&self, bound: Cost, request: &Request<'_>) -> Result<Prediction, Failure> {
        let refused = |why: &str| Err(Failure::refused(format!("nothing is predicted {why}")));
        match &self.group {
            Err(error) => refused(&format!("for a puzzle that is no group: {error}")),
            Ok(_) if !self.rules.is_empty() => refused("under rules about moves"),
            Ok(_) if !self.is_best() => refused("without the heuristic best"),
            Ok(group) => group.search.predict(self, group, bound, &Run::new(request)),
        }
    }
}
