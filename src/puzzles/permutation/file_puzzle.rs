//! [`FilePuzzle`]: a definition as a game.

use super::engines::{self, Search, large};
use super::first_plans::{FirstPlans, OwnPlans};
use super::goal_classes::{self, SlotOptions};
use super::goals;
use super::group::{self, GroupGame, NamedSolver};
use super::model::{PuzzleModel, choice_of};
use super::plans::counted_plans;
use super::strings::PAIRS;
use super::texts::{
    StateTexts, WORDS, encoding_of, face_of, invert_moves, plain_of, plain_state_of, random_moves,
    wca_state,
};
use crate::puzzle::{
    Aim, Failure, InvalidInput, MoveScrambles, NamedGoal, Prediction, PuzzleInfo, Request, Result,
    StateFile, StateFiles, StateInfo, TableCandidate, TableHistogram, Tell,
};
use crate::puzzles::approach::{Approach, FEW_NODES, NODES};
use crate::puzzles::configured::{Ability, AllowedPlans, Game, GameStates, GameTables, Learned};
use crate::puzzles::named_goals::named_goals;
use crate::puzzles::pieces::Pieces;
use crate::puzzles::scrambles::by_solving;
use crate::puzzles::shorten::{Known, Means, Pass};
use crate::run::{Checks, Run};
use crate::settings::{ConfigureError, GoalChoice, PruningChoice, Settings, SolverChoice};
use crate::words::hex;
use anytime::{BEAM, SHAPES, Technique};
use fsm::Keep;
use permutation::{
    Definition, FineDefinition, GoalMask, MoveMetric, NotAGroup, Operators, PuzzleState,
    Transformation,
};
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::Encoding;
use search::random::Random;
use search::{Cost, Limits, Op, Outcome, Plan, plan};
use std::fmt::Display;
use std::sync::Arc;

/// Number of moves of a random walk. It draws the random states of puzzles whose states form no
/// group.
const WALK: usize = 10_000;

/// A puzzle from a definition. [`Search`] has the code that is compiled for each size of states.
pub(in crate::puzzles) struct FilePuzzle {
    info: PuzzleInfo,
    pub(in crate::puzzles) model: Arc<PuzzleModel>,
    /// The group of its states with its searches, or why they form none.
    group: Result<GroupGame, NotAGroup>,
    engine: Box<dyn Search>,
    texts: StateTexts,
    checks: Checks,
}

impl FilePuzzle {
    pub(in crate::puzzles) fn new(
        name: &str,
        definition: Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        let wrong = |error: &dyn Display| ConfigureError::invalid(format!("{name}: {error}"));
        let model = PuzzleModel::new(definition, operators, metric, settings);
        let model = Arc::new(model.map_err(|error| wrong(&error))?);
        let solver = NamedSolver::new(&model, settings).map_err(|error| wrong(&error))?;
        let engines = engines::of_model(&model, &solver);
        let (engine, group) = engines.map_err(|error| wrong(&*error))?;
        group::check(name, group.is_ok() && model.rules.is_empty(), &settings.solver)?;
        let definition = model.definition();
        let mut info = PuzzleInfo::new(name, Some(choice_of(metric)));
        info.has_costs = !model.operators().all_cost_one();
        info.refused_stickers = face_of(definition);
        info.definition = Some(hex(&definition.fingerprint()));
        let notes = definition.notes().iter();
        info.notes =
            notes.map(|note| format!("{name}, line {}: {}", note.line, note.text)).collect();
        if settings.solver == SolverChoice::Optimal {
            info.planners = match model.first {
                Some(_) => Technique::ALL.map(Technique::name).to_vec(),
                None if model.is_best() && model.shapes.is_some() => vec![SHAPES, BEAM],
                None if model.is_best() => vec![BEAM],
                None => Vec::new(),
            };
        }
        info.has_near_optimal = !info.planners.is_empty();
        let (texts, checks) = (StateTexts::new(Arc::clone(&model)), Checks::default());
        Ok(Self { info, model, group, engine, texts, checks })
    }

    /// The same puzzle, whose states are read and written as these definitions have them.
    pub(super) fn reading(
        mut self,
        masked: Option<(Definition, GoalMask)>,
        fine: Option<FineDefinition>,
    ) -> Self {
        self.texts.set_definitions(masked, fine);
        self
    }

    /// Sets a better way to find a first plan, and its name, where plans come before proofs.
    pub(in crate::puzzles) fn set_own_plans(&self, name: &'static str, own: OwnPlans) {
        if let Some(first) = &self.model.first {
            first.set_own(name, own);
        }
    }

    /// A state, after a rotation of the whole puzzle is undone: see [`StateTexts::held`].
    pub(in crate::puzzles) fn held(&self, state: PuzzleState) -> Result<PuzzleState, InvalidInput> {
        self.texts.held(state)
    }

    /// A state as what takes the solved state there.
    fn element(&self, state: &str) -> Result<Transformation, InvalidInput> {
        let element = self.model.transformation(&self.parse(state)?);
        element.ok_or_else(|| InvalidInput::not_composed(&self.info.name))
    }

    /// A random state: uniformly random if the states form a group, else the end of a random walk.
    /// `None` if the group is unknown.
    pub(in crate::puzzles) fn scramble(&self, random: &mut Random) -> Option<PuzzleState> {
        match &self.model.group {
            Ok(group) => group.random(self.model.definition(), random),
            Err(_) => Some(self.model.labels.pattern(&self.engine.walk(WALK, random))),
        }
    }

    /// Looks for a plan that need not be proven. Proves it where that is no matter of time, or
    /// where there are few states and the request has time left.
    fn find_near(&self, first: &FirstPlans, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let find =
            |approach: &Approach<'_>, run: &mut Run<'_>| first.find((approach, start), NODES, run);
        let limits = &run.request.limits;
        let timed = limits.time.is_some() || run.request.deadline.is_some();
        let may_prove = first.is_small() || timed && !first.come_first();
        let is_chosen = run.request.planner.is_some();
        if !may_prove || is_chosen || limits.nodes.is_some() || limits.bound.is_some() {
            return self.model.approach_of(start, |approach| find(approach, run));
        }
        run.with(
            |request| request.aim = Aim::Optimal,
            |run| {
                self.model.approach_of(start, |approach| find(approach, run))?;
                if run.ends_proven() { Ok(()) } else { self.engine.search(start, run) }
            },
        )?;
        let ended = run.results().outcome().cloned();
        if let Some(ended @ (Outcome::LimitReached(_) | Outcome::Cancelled)) = ended {
            run.end_with_known(ended);
        }
        Ok(())
    }

    /// Calls `tell` with the number of states at each distance. Returns at most `antipodes` of the
    /// last.
    ///
    /// # Errors
    /// If the count needs too much memory or is cancelled.
    pub(in crate::puzzles) fn farthest(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<PuzzleState>> {
        let (model, to) = (&*self.model, (usize::MAX, antipodes));
        if let (Ok(group), true, true) =
            (&self.group, model.rules.is_empty(), model.operators().all_cost_one())
        {
            let elements = group.exhaust(antipodes, run, tell)?;
            let state = |element| group.tables.group.pattern_of(model.definition(), element).ok();
            return Ok(elements.iter().filter_map(state).collect());
        }
        if let Some(states) = goal_classes::count(model, antipodes, run, tell)? {
            return Ok(states.iter().map(|state| model.labels.pattern(state)).collect());
        }
        let states = if model.operators().all_cost_one() {
            run.alone("the states form no group that is counted without rules")?;
            self.engine.count(to, run, tell).map_err(|failure| match failure {
                Failure::Limit(why) if model.settings.disk.is_some() => Failure::Limit(format!(
                    "{why}; the folder for layers serves only states that have numbers"
                )),
                other => other,
            })
        } else {
            run.alone("moves have costs")?;
            large::count(model, to, run, tell)
        }?;
        Ok(states.iter().map(|state| model.labels.pattern(state)).collect())
    }

    /// Counts the states that hold what one of `sets` allows.
    pub(in crate::puzzles) fn count_from(
        &self,
        sets: &[SlotOptions],
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<()> {
        goal_classes::count_from(&self.model, sets, run, tell)
    }
}

impl Game for FilePuzzle {
    type State = PuzzleState;

    fn info(&self) -> &PuzzleInfo {
        &self.info
    }
    fn settings(&self) -> &Settings {
        &self.model.settings
    }
    fn checks(&self) -> &Checks {
        &self.checks
    }

    /// Makes the group, which [`FilePuzzle::held`] needs.
    fn prepare(&self, run: &Run<'_>) -> Result<()> {
        self.model.group.as_ref().map_or(Ok(()), |group| group.chain(run).map(drop))
    }

    fn parse(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        self.texts.parse_held(state)
    }

    fn reads_solved(&self, state: &str) -> Result<bool, InvalidInput> {
        Ok(self.replay(&self.texts.parse_text(state)?, &[]).is_ok())
    }

    fn describe(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        let own = self.parse(state)?;
        let group = match &self.model.group {
            Ok(group) => ("states", group.order()),
            Err(error) => ("group", format!("none: {error}")),
        };
        let moves = wca_state(self.model.definition(), state)?;
        let mut facts = vec![("state", self.texts.text(&own))];
        facts.extend(moves.map(|moves| ("moves", moves)));
        facts.push(group);
        let known = self.group.is_ok() || self.texts.is_reached_by(state);
        Ok(StateInfo { solvable: known.then_some(true), ..StateInfo::new(facts) })
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        self.texts.plan(plan).map(Plan::from)
    }

    fn operator(&self, op: Op) -> String {
        self.model.operator(op)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        invert_moves(self.model.definition(), moves)
    }

    fn compose(&self, states: &[&str]) -> Result<String, InvalidInput> {
        let mut product = self.model.definition().start().clone();
        for (number, state) in (1..).zip(states) {
            let next = self.element(state);
            product =
                product.apply(&next.map_err(|error| error.within(format_args!("state {number}")))?);
        }
        Ok(self.texts.text(&product))
    }

    fn inverse(&self, state: &str) -> Result<String, InvalidInput> {
        let inverse = self.element(state)?.inverse();
        Ok(self.texts.text(&self.model.definition().start().apply(&inverse)))
    }

    fn cost(&self, plan: &[Op]) -> u64 {
        let list = &self.model.operators().list;
        plan.iter().map(|op| u64::from(list[op.index()].cost)).sum()
    }

    fn replay(&self, state: &PuzzleState, plan: &[Op]) -> Result<(), plan::Invalid> {
        self.model.replay(state, plan)
    }

    fn broken_rule(&self, state: &PuzzleState, plan: &[Op]) -> Option<String> {
        self.model.reference().broken(state, plan)
    }

    fn goals(&self) -> Vec<NamedGoal> {
        let own = goals::named(&self.info.name, self.texts.file());
        named_goals(&self.info).into_iter().chain(own).collect()
    }

    fn encoding(&self, start: &PuzzleState) -> Result<Encoding, String> {
        encoding_of(&self.model, start)
    }
    fn plain(&self) -> Result<PlainPuzzle, String> {
        plain_of(&self.model)
    }
    fn plain_state(&self, state: &PuzzleState) -> Result<Vec<u16>, String> {
        plain_state_of(&self.model, state)
    }

    fn pruning(&self) -> String {
        match self.model.settings.pruning {
            PruningChoice::Fsm(_) if !self.model.rules.is_empty() => {
                PruningChoice::Fsm(None).name(PAIRS)
            }
            pruning => pruning.name(self.model.depth()),
        }
    }

    /// If several plans are wanted, the search counts only those of [`Game::counted`].
    fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let optimal = self.model.settings.solver == SolverChoice::Optimal;
        let commuting = self.model.commuting.as_ref();
        let is_best = optimal && self.model.is_best();
        if let Some(commuting) = commuting.filter(|commuting| is_best && commuting.serves(run)) {
            let first = self.model.first.as_ref();
            return self
                .model
                .approach_of(start, |approach| commuting.search((approach, start), first, run));
        }
        if let (Some(first), Aim::NearOptimal) = (&self.model.first, run.request.aim) {
            return self.find_near(first, start, run);
        }
        let several = optimal && run.request.plans > 1 && !run.is_filtered();
        // The only cheapest plan of a goal is the empty one.
        if !several || self.replay(start, &[]).is_ok() {
            return self.engine.search(start, run);
        }
        let counted = counted_plans((&self.model, &*self.engine), start, run)?;
        let filter = |_, plan: &[Op]| counted(plan);
        run.filtered(&filter, |run| self.engine.search(start, run))
    }

    fn allowed<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        self.engine.filter(Keep::AllOptimal, run).map(Some)
    }

    fn after(&self, state: &PuzzleState, string: &[Op]) -> Option<PuzzleState> {
        Some(self.model.after_all(state, string))
    }

    fn between(&self, state: &PuzzleState, first: &[Op], last: &[Op]) -> Option<PuzzleState> {
        self.model.between(state, first, last)
    }

    fn pieces(&self) -> Option<&dyn Pieces<PuzzleState>> {
        let is_free = self.group.is_ok() && self.model.rules.is_empty();
        (is_free && self.model.has_one_goal()).then_some(self)
    }

    fn shorter(
        &self,
        pass: Pass,
        start: &PuzzleState,
        known: &Known,
        means: Means<'_>,
    ) -> Result<Plan> {
        self.model.shorter(pass, start, known, means)
    }

    fn is_simple(&self, start: &PuzzleState, plan: &[Op]) -> bool {
        self.model.passes_no_state_twice(start, plan)
    }

    fn counted<'s>(
        &'s self,
        start: &'s PuzzleState,
        run: &Run<'_>,
    ) -> Result<Option<AllowedPlans<'s>>> {
        counted_plans((&self.model, &*self.engine), start, run).map(Some)
    }

    fn has(&self, _: Ability) -> bool {
        true
    }

    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::from_fn(move || Some(self.texts.text(&self.scramble(&mut random)?))))
    }

    /// Inverted plans of random states: of a small group proven ones, else the first that are
    /// found. Random moves where no plan is to be expected.
    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>> {
        let model = &*self.model;
        // Inverted plans begin at the goal. They are scrambles only if that is the solved state.
        if model.rules.is_empty() && model.settings.goal == GoalChoice::Solved {
            let few = model.group.as_ref().is_ok_and(|group| group.is_small(&Run::new(request)));
            let limits = Limits { nodes: Some(FEW_NODES), ..request.limits.clone() };
            let near = request.clone().aim(Aim::NearOptimal).limits(limits);
            let has_words = model.first.as_ref().is_some_and(FirstPlans::has_words);
            let found = if few { Some(request.clone()) } else { has_words.then_some(near) };
            if let Some(request) = found {
                let made = by_solving(self, self.scrambles(seed), request);
                return Some(MoveScrambles { uniform: model.group.is_ok(), ..made });
            }
        }
        let mut random = Random::new(seed);
        let commute = model.operators().commuting(model.definition().orbits());
        let made = move || Ok(random_moves(model, &commute, &mut random));
        let scrambles = std::iter::repeat_with(made);
        Some(MoveScrambles { uniform: false, scrambles: Box::new(scrambles) })
    }

    fn state_files(&self) -> Option<&dyn StateFiles> {
        Some(self)
    }

    fn count_states(&self, depth: usize, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<()> {
        match self.model.operators().all_cost_one() {
            true => self.engine.count((depth, 0), run, tell).map(drop),
            false => large::count(&self.model, (depth, 0), run, tell).map(drop),
        }
    }

    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>> {
        if !self.model.rules.limits.is_empty() {
            return Err(Failure::refused(
                "sequences are counted by an automaton, which cannot count uses of a move: \
                 expected a definition without MoveLimits",
            ));
        }
        match &self.group {
            Ok(group) => group.search.count_sequences(depth, run),
            Err(NotAGroup::NotSearchable(_)) => large::count_sequences(&self.model, depth, run),
            Err(error) => Err(Failure::limit(format!("sequences depend on the state: {error}"))),
        }
    }

    fn learn(&self, depth: usize, dot: bool, run: &Run<'_>) -> Result<Learned> {
        let name = |op: Op| self.model.operator(op);
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        match &self.group {
            Ok(group) => group.search.learn(depth, name, run),
            Err(NotAGroup::NotSearchable(_)) => large::learn(&self.model, depth, name, run),
            Err(error) => Err(Failure::refused(format!("nothing is learned: {error}"))),
        }
    }
}

impl GameTables for FilePuzzle {
    fn owns(&self, table: &str) -> bool {
        self.model.patterns.names().has(table)
    }

    fn explain(&self, run: &Run<'_>) -> Result<Vec<TableCandidate>> {
        let model = &*self.model;
        if !model.is_best() {
            let heuristic = &model.settings.heuristic;
            return Err(Failure::refused(format!("{heuristic} has no tables: expected best")));
        }
        match &self.group {
            Ok(group) => group.explain(run),
            Err(_) => model.patterns.explain(&model.structure()?, run),
        }
    }

    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        match &self.group {
            Ok(group) => group.build(run),
            Err(_) => self.model.patterns.build(&self.model.structure()?, run),
        }
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        match &self.group {
            Ok(group) => group.histograms(run),
            Err(_) => self.model.patterns.histograms(&self.model.structure()?, run),
        }
    }
}

impl GameStates for FilePuzzle {
    fn count_all(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let states = self.farthest(antipodes, run, tell)?;
        Ok(states.iter().map(|state| self.texts.text(state)).collect())
    }

    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        let refused = |why: &str| Err(Failure::refused(format!("nothing is predicted {why}")));
        match &self.group {
            Err(error) => refused(&format!("for a puzzle that is no group: {error}")),
            Ok(_) if !self.model.rules.is_empty() => refused("under rules about moves"),
            Ok(_) if !self.model.is_best() => refused("without the heuristic best"),
            Ok(group) => group.search.predict(bound, run),
        }
    }
}

impl StateFiles for FilePuzzle {
    fn words(&self) -> &'static [&'static str] {
        &WORDS
    }

    fn read_file(&self, text: &str) -> Result<StateFile, InvalidInput> {
        self.texts.scramble_file(text, &|random| self.scramble(random))
    }
}
