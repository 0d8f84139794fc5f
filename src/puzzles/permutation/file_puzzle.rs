//! [`FilePuzzle`] makes a definition a [`Puzzle`].

use super::engine;
use super::group::GroupTables;
use super::pattern_tables::Specs;
use super::searches::Searches;
use super::solvers::NamedSolver;
use super::{
    allowed, encoding, inverted, large, planned, scrambles, solvers, stickers, wca, with_rules,
};
use crate::plan_stream::PlanStream;
use crate::puzzle::{
    Answer, Counting, Exhaustive, Failure, InvalidInput, Job, LearnedSummary, Learning,
    MoveScrambles, Predicting, Prediction, Puzzle, PuzzleInfo, Replay, Scrambler, StateFile,
    StateFiles, StateInfo, TableCandidate, TableHistogram, Tables, Tell,
};
use crate::puzzles::without_encoding;
use crate::runs::Found;
use crate::scrambles::by_solving;
use crate::settings::{
    ConfigureError, GoalChoice, HeuristicChoice, MetricChoice, PruningChoice, Settings,
    SolverChoice,
};
use crate::table_checks::Checks;
use crate::tables::hex;
use permutation::spec::PuzzleStructure;
use permutation::{
    Definition, FineDefinition, GoalMask, Invariants, MoveMetric, NotAGroup, Operators,
    PuzzleLabels, PuzzleSize, PuzzleState, ReferencePuzzle,
};
use proofs::pseudo_boolean::Encoding;
use search::random::Random;
use search::{Cost, Op, OperatorRules, plan};
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

/// A puzzle from a definition. [`Searches`] has the code that is compiled for each size of states.
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
    /// The definition's rules about moves, in terms of operators.
    pub(super) rules: OperatorRules,
    /// The group of its states, or why they form none.
    pub(super) group: Result<GroupTables, NotAGroup>,
    /// The tables to use if the states form no group.
    pub(super) specs: Specs,
    pub(super) engine: Box<dyn Searches>,
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
            Ok(()) => GroupTables::new(&definition, operators.clone(), metric, settings),
        };
        let specs = Specs::new(&definition, &operators, choice_of(metric).name(), settings);
        let labels = Arc::new(PuzzleLabels::new(definition, operators));
        let own = group.as_ref().ok().map(|group| &group.group);
        let asked = NamedSolver::new(labels.definition(), metric, labels.list(), settings);
        let asked = asked.map_err(|error| wrong(&error))?;
        let engine = engine::of_size(size, &labels, own, &rules, &asked);
        let engine = engine.map_err(|error| wrong(&*error))?;
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

    fn names(&self, plan: &[Op]) -> Vec<String> {
        plan.iter().map(|op| self.operators().list[op.index()].name.clone()).collect()
    }

    pub(super) fn cost(&self, plan: &[Op]) -> u64 {
        plan.iter().map(|op| u64::from(self.operators().list[op.index()].cost)).sum()
    }

    /// The greatest number of operators of a learned string, if the settings set no depth.
    pub(super) fn depth(&self) -> usize {
        depth(self.metric)
    }

    pub(super) fn is_best(&self) -> bool {
        self.settings.heuristic == HeuristicChoice::Best
    }

    /// The results for a state before any search.
    pub(in crate::puzzles) fn nothing_found(&self) -> Found {
        Found { heuristic: self.settings.heuristic.to_string(), ..Found::default() }
    }

    /// Makes the group, which [`FilePuzzle::held`] needs, within the limits of a job.
    pub(in crate::puzzles) fn prepare(&self, job: &Job<'_>) -> Result<(), Failure> {
        self.group.as_ref().map_or(Ok(()), |group| group.prepare(job))
    }

    /// Continues the search for plans of a state. `found` has the results so far.
    pub(in crate::puzzles) fn search(
        &self,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        // If a limit ends the work on a table, the bounds proven so far are still the answer.
        let checked = self.checks.beside(job, |job| {
            let searched = self.search_checked(pattern, job, found);
            let solved = || job.min_length == 0 && self.replay(pattern, &[]).is_ok();
            searched.or_else(|failure| found.stopped_by(job.reason(failure), solved()))
        });
        found.unproven(checked)
    }

    /// Searches for the plans that a job asks for, and tells each to [`Job::on_plan`].
    fn search_checked(
        &self,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let optimal = self.settings.solver == SolverChoice::Optimal;
        let mut search = |job: &Job<'_>| match optimal && job.goes_above() {
            true => self.search_range(pattern, job, found),
            false => self.engine.search(self, pattern, job, found),
        };
        if !optimal || !PlanStream::is_wanted(job) {
            return search(job);
        }
        let stream = PlanStream {
            accepts: &*self.engine.filter(self, job)?,
            replay: &|plan| self.replay(pattern, plan),
            names: &|plan| self.names(plan),
            cost: &|plan| self.cost(plan),
        };
        stream.run(job, search)
    }

    /// The name of the pruning, with the depth that it uses.
    pub(in crate::puzzles) fn pruning_name(&self) -> String {
        match self.settings.pruning {
            PruningChoice::Fsm(_) if !self.rules.is_empty() => {
                PruningChoice::Fsm(None).name(with_rules::DEPTH)
            }
            pruning => pruning.name(self.depth()),
        }
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

    /// Reads a state. If the states form a group, undoes a rotation of the whole puzzle
    /// ([`GroupTables::held`]).
    fn parse(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        self.held(self.parse_text(state)?)
    }

    /// The state, after a rotation of the whole puzzle is undone. Call [`FilePuzzle::prepare`]
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

    pub(super) fn replay(&self, state: &PuzzleState, plan: &[Op]) -> Result<(), plan::Invalid> {
        let reference = ReferencePuzzle::new(self.definition(), self.operators());
        plan::validate(&reference, &reference.start(state), plan)
    }

    /// Solves a state within the deadline of the job, on its threads.
    fn solve_within(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let mut found = self.nothing_found();
        // Reading a state needs the group, so the group is made first, within the limits of the
        // job.
        if let Err(failure) = self.prepare(job) {
            let solved = self.replay(&self.parse_text(state)?, &[]).is_ok();
            found.stopped_by(job.reason(failure), solved)?;
            return found.answer(self.pruning_name(), &|_| Vec::new(), &|_| 0, &|_| Ok(()));
        }
        let pattern = self.parse(state)?;
        self.search(&pattern, job, &mut found)?;
        let names = |plan: &search::Plan| self.names(plan);
        let replay = |plan: &[Op]| self.replay(&pattern, plan);
        found.answer(self.pruning_name(), &names, &|plan| self.cost(plan), &replay)
    }

    /// A random state: uniformly random if the states form a group, else the end of a random walk.
    pub(in crate::puzzles) fn scramble(&self, random: &mut Random) -> PuzzleState {
        match &self.group {
            Ok(group) => group.random(self.definition(), random),
            Err(_) => self.labels.pattern(&self.engine.walk(WALK, random)),
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

impl Puzzle for FilePuzzle {
    fn info(&self) -> &PuzzleInfo {
        &self.info
    }

    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput> {
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

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        job.run(|job| self.solve_within(state, job))
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput> {
        let pattern = self.parse(state)?;
        let plan = planned(self.definition(), plan).and_then(|turns| self.made_by(&turns));
        let plan = plan.map_err(|error| error.within("plan"))?;
        let fault = self.replay(&pattern, &plan).err();
        let rule = match fault {
            Some(plan::Invalid::NotApplicable { place, .. }) => {
                let reference = ReferencePuzzle::new(self.definition(), self.operators());
                reference.broken(&pattern, &plan[..=place])
            }
            _ => None,
        };
        Ok(Replay { length: plan.len(), cost: self.cost(&plan), fault, rule })
    }

    fn encoding(&self, state: &str, job: &Job<'_>) -> Result<Encoding, Failure> {
        self.prepare(job)?;
        let encoding = encoding::of_state(self, &self.parse(state)?);
        encoding.map_err(|why| without_encoding(&self.info.name, &why).into())
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        inverted(self.definition(), moves)
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
        Box::new(std::iter::repeat_with(move || self.text(&self.scramble(&mut random))))
    }

    /// For a small group, inverted plans of uniformly random states. Else random moves.
    fn move_scrambles<'a>(&'a self, seed: u64, job: &Job<'a>) -> Option<MoveScrambles<'a>> {
        // Inverted plans begin at the goal. They are scrambles only if that is the solved state.
        let few = self.group.as_ref().is_ok_and(GroupTables::is_small);
        if few && self.rules.is_empty() && self.settings.goal == GoalChoice::Solved {
            return Some(by_solving(self, self.scrambles(seed), job.clone()));
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
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        self.engine.count_states(self, depth, job, tell)
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        if !self.rules.limits.is_empty() {
            return Err(Failure::refused(
                "sequences are counted by an automaton, which cannot count uses of a move: \
                 expected a definition without MoveLimits",
            ));
        }
        match &self.group {
            Ok(_) => self.engine.count_sequences(self, depth, job),
            Err(NotAGroup::NotSearchable(_)) => large::count_sequences(self, depth, job),
            Err(error) => Err(Failure::limit(format!("sequences depend on the state: {error}"))),
        }
    }
}

impl Exhaustive for FilePuzzle {
    fn count_all(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>, Failure> {
        let states = self.farthest(antipodes, job, tell)?;
        Ok(states.iter().map(|state| self.text(state)).collect())
    }
}

impl Learning for FilePuzzle {
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let name = |op: Op| self.operators().list[op.index()].name.clone();
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        match &self.group {
            Ok(_) => self.engine.learn(self, depth, name, job),
            Err(NotAGroup::NotSearchable(_)) => large::learn(self, depth, name, job),
            Err(error) => Err(Failure::refused(format!("nothing is learned: {error}"))),
        }
    }
}

impl Tables for FilePuzzle {
    fn owns(&self, table: &str) -> bool {
        self.specs.marks().are_of(table)
    }

    fn explain(&self, job: &Job<'_>) -> Result<Vec<TableCandidate>, Failure> {
        if !self.is_best() {
            let heuristic = &self.settings.heuristic;
            return Err(Failure::refused(format!("{heuristic} has no tables: expected best")));
        }
        match &self.group {
            Ok(group) => group.explain(&*self.engine, job),
            Err(_) => self.specs.explain(&self.structure()?, job),
        }
    }

    fn build(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        match &self.group {
            Ok(group) => group.build(&*self.engine, job),
            Err(_) => self.specs.build(&self.structure()?, job),
        }
    }

    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match &self.group {
            Ok(group) => group.histograms(&*self.engine, job),
            Err(_) => self.specs.histograms(&self.structure()?, job),
        }
    }
}

impl Predicting for FilePuzzle {
    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        let refused = |why: &str| Err(Failure::refused(format!("nothing is predicted {why}")));
        match &self.group {
            Err(error) => refused(&format!("for a puzzle that is no group: {error}")),
            Ok(_) if !self.rules.is_empty() => refused("under rules about moves"),
            Ok(_) if !self.is_best() => refused("without the heuristic best"),
            Ok(group) => self.engine.predict(self, group, bound, job),
        }
    }
}
