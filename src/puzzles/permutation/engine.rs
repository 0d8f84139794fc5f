//! A puzzle from a definition behind [`Puzzle`]: states as moves or compact text, searches, counts.

use super::group::Grouped;
use super::sketched::Sketched;
use super::{ruled, scrambles};
use crate::configure::{ConfigureError, Pruning, Settings};
use crate::prunings;
use crate::puzzle::{
    Answer, Explained, Failure, Job, LearnedSummary, Prediction, Puzzle, Refused, Replayed,
    StateFile, TableHistogram,
};
use crate::runs::{self, Found, pruning_name};
use fsm::{Automaton, Keep};
use permutation::{
    Definition, LabelState, MoveMetric, NotAGroup, NotSearchable, Operators, PuzzleSize,
    PuzzleState, ReadLimits, ReferencePuzzle, ScrambleState,
};
use search::random::Random;
use search::{Constrained, Cost, Domain, Op, OpSet, OperatorRules, Zero, plan};

/// Moves of a random walk, where states that are alike or illegal leave no other way to a random state.
const WALK: usize = 10_000;

/// The name of a metric.
fn name_of(metric: MoveMetric) -> &'static str {
    match metric {
        MoveMetric::Turn => "htm",
        MoveMetric::Quarter => "qtm",
    }
}

/// A definition compiled for states of `N` slots and sets of operators `O`.
pub(super) struct Engine<const N: usize, O: OpSet> {
    name: String,
    pub(super) metric: MoveMetric,
    pub(super) settings: Settings,
    pub(super) puzzle: permutation::GeneralPuzzle<N, O>,
    /// What the definition says about moves, in terms of operators.
    pub(super) rules: OperatorRules,
    /// The group of its states, or why they form none.
    pub(super) group: Result<Grouped<N, O>, NotAGroup>,
    /// The tables if they form none.
    pub(super) sketched: Sketched,
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    pub(super) fn new(
        name: &str,
        definition: Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        let wrong = |error: &dyn std::fmt::Display| ConfigureError(format!("{name}: {error}"));
        let rules = definition.operator_rules(&operators).map_err(|error| wrong(&error))?;
        let size = PuzzleSize::of(&definition, &operators);
        let group = if 2 * size.operators > <O::Double as OpSet>::CAPACITY {
            // A search from both ends has no room for them.
            Err(NotSearchable::Large(size).into())
        } else {
            Grouped::new(&definition, operators.clone(), name_of(metric), settings)
        };
        let sketched = Sketched::new(&definition, name_of(metric), settings);
        let puzzle = permutation::GeneralPuzzle::new(definition, operators)
            .map_err(|error| wrong(&error))?;
        Constrained::new(&puzzle, &rules).map_err(|error| wrong(&error))?;
        let (name, settings) = (name.to_owned(), settings.clone());
        Ok(Self { name, metric, settings, puzzle, rules, group, sketched })
    }

    pub(super) fn definition(&self) -> &Definition {
        self.puzzle.definition()
    }

    pub(super) fn operators(&self) -> &Operators {
        self.puzzle.list()
    }

    fn names(&self, plan: &[Op]) -> Vec<String> {
        plan.iter().map(|op| self.operators().list[op.index()].name.clone()).collect()
    }

    /// What operators cost together.
    fn cost(&self, plan: &[Op]) -> u64 {
        plan.iter().map(|&op| u64::from(self.puzzle.cost(op))).sum()
    }

    /// Depth of the learned automaton.
    pub(super) fn depth(&self) -> usize {
        match self.metric {
            MoveMetric::Turn => 2,
            MoveMetric::Quarter => 3,
        }
    }

    /// The name of the pruning that is in use.
    fn pruning_name(&self) -> String {
        match self.settings.pruning {
            Pruning::Fsm(_) if !self.rules.is_empty() => {
                pruning_name(Pruning::Fsm(None), ruled::DEPTH)
            }
            pruning => pruning_name(pruning, self.depth()),
        }
    }

    /// A state as moves, or as `CPOS` and the compact form; of a group as it looks where it is solved.
    fn parse(&self, state: &str) -> Result<PuzzleState, Refused> {
        let definition = self.definition();
        let refused = |error: permutation::DefinitionError| Refused(error.to_string());
        let pattern = if state.split_whitespace().next() == Some("CPOS") {
            let read = definition.scrambles(state, &ReadLimits::default()).map_err(refused)?;
            match read.scrambles.into_iter().next().map(|scramble| scramble.state) {
                Some(ScrambleState::Given(pattern)) => pattern,
                _ => return Err(Refused("expected one state".to_owned())),
            }
        } else {
            match definition.parse_state(state) {
                // Unless a move has that name.
                Err(_) if state.trim() == "solved" => definition.start().clone(),
                read => read.map_err(refused)?,
            }
        };
        match &self.group {
            Ok(group) => group.held(definition, pattern),
            Err(_) => Ok(pattern),
        }
    }

    /// A state as text that is read again.
    pub(super) fn text(&self, pattern: &PuzzleState) -> String {
        match self.definition().compact(pattern) {
            Some(text) => format!("CPOS {text}"),
            None => unreachable!("every state here has the pieces of the solved one"),
        }
    }

    fn replay(&self, state: &PuzzleState, plan: &[Op]) -> Result<(), plan::Invalid> {
        let twin = ReferencePuzzle::new(self.definition(), self.operators());
        plan::validate(&twin, &twin.start(state), plan)
    }

    /// The strings that are cut.
    pub(super) fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<Automaton<O>, Failure> {
        if !self.rules.is_empty() {
            return self.automaton_under_rules(&self.puzzle, keep);
        }
        let learned = match &self.group {
            Ok(group) => group.strings(self.settings.pruning, self.depth(), keep, &job.cancel)?,
            Err(_) => self.plain_strings(keep, &job.cancel)?,
        };
        prunings::automaton::<permutation::GeneralPuzzle<N, O>>(&learned)
    }

    /// A random state: uniform in a group, else the end of a long walk.
    pub(super) fn scramble(&self, random: &mut Random) -> PuzzleState {
        if let Ok(group) = &self.group {
            return group.random(&self.puzzle, random);
        }
        let mut state = self.puzzle.state(self.definition().start());
        let mut to = state;
        for _ in 0..WALK {
            let ops: Vec<Op> = self.puzzle.applicable(&state).members().collect();
            let Some(last) = ops.len().checked_sub(1) else { break };
            let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
            self.puzzle.apply_into(&state, ops[at], &mut to);
            state = to;
        }
        self.puzzle.pattern(&state)
    }
}

impl<const N: usize, O: OpSet> Puzzle for Engine<N, O> {
    fn name(&self) -> &str {
        &self.name
    }

    fn metric(&self) -> Option<&'static str> {
        Some(name_of(self.metric))
    }

    fn has_costs(&self) -> bool {
        !self.operators().all_cost_one()
    }

    fn owns_table(&self, table: &str) -> bool {
        self.sketched.marks().are_of(table)
    }

    fn read(&self, state: &str) -> Result<String, Refused> {
        self.parse(state).map(|pattern| self.text(&pattern))
    }

    fn file_words(&self) -> &'static [&'static str] {
        &scrambles::WORDS
    }

    fn read_file(&self, text: &str) -> Result<StateFile, Refused> {
        self.scramble_file(text)
    }

    fn describe(&self, state: &str) -> Result<Vec<(&'static str, String)>, Refused> {
        let pattern = self.parse(state)?;
        let mut facts = vec![("state", self.text(&pattern))];
        match &self.group {
            Ok(group) => facts.push(("states", group.order())),
            Err(error) => facts.push(("group", format!("none: {error}"))),
        }
        Ok(facts)
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let pattern = self.parse(state)?;
        let keep = if job.plans > 1 { Keep::AllOptimal } else { Keep::OneOptimal };
        let mut found = Found { heuristic: self.settings.heuristic.clone(), ..Found::default() };
        let searched = match &self.group {
            _ if !self.rules.is_empty() => self.solve_under_rules(&pattern, keep, job, &mut found),
            Ok(group) if self.settings.heuristic == "best" => {
                let learned =
                    group.strings(self.settings.pruning, self.depth(), keep, &job.cancel)?;
                group.search(&pattern, &learned, job, &mut found)
            }
            Err(_) => self.search_plain(&pattern, keep, job, &mut found),
            Ok(_) => {
                found.heuristic = "none".to_owned();
                let automaton = self.automaton(keep, job)?;
                found.search(&self.puzzle, &Zero, &automaton, &self.puzzle.state(&pattern), job);
                Ok(())
            }
        };
        match searched {
            Err(failure) if failure.is_cancelled() => {
                found.outcome = Some(search::Outcome::Cancelled);
            }
            other => other?,
        }
        let best = found.best().map(|plan| self.cost(plan));
        let names = |plan: &search::Plan| self.names(plan);
        let replay = |plan: &[Op]| self.replay(&pattern, plan);
        let answer = found.answer(self.pruning_name(), names, replay)?;
        Ok(Answer { upper_bound: best, ..answer })
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replayed, Refused> {
        let pattern = self.parse(state)?;
        let turns = self.definition().parse_moves(plan);
        let turns = turns.map_err(|error| Refused(format!("plan: {error}")))?;
        let operator = |&turn: &permutation::Turn| {
            let made = self.definition().moves().transformation(turn);
            let same = self.operators().list.iter().position(|op| op.transformation == made);
            let text = self.definition().moves().turn_text(turn);
            same.map(Op::new).ok_or_else(|| Refused(format!("plan: {text} is no operator")))
        };
        let plan = turns.iter().map(operator).collect::<Result<Vec<_>, _>>()?;
        let fault = self.replay(&pattern, &plan).err();
        let rule = match fault {
            Some(plan::Invalid::NotApplicable { place, .. }) => {
                let twin = ReferencePuzzle::new(self.definition(), self.operators());
                twin.broken(&pattern, &plan[..=place])
            }
            _ => None,
        };
        Ok(Replayed { length: plan.len(), cost: self.cost(&plan), fault, rule })
    }

    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.text(&self.scramble(&mut random))))
    }

    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure> {
        let options = runs::within(job, None);
        if !self.rules.is_empty() {
            return self.layers_under_rules(0, &options, depth, tell).map(drop);
        }
        if let Ok(group) = &self.group {
            return group.count_states(depth, job, tell);
        }
        let goals: Vec<LabelState<N>> =
            self.definition().goals().iter().map(|goal| self.puzzle.state(goal)).collect();
        let mut layers = search::Layers::new(&self.puzzle, &goals, &options);
        runs::tell_layers(&mut layers, goals.len(), depth, tell)
    }

    fn gods_algorithm(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<Vec<String>, Failure> {
        if let Some(op) = self.operators().list.iter().find(|op| op.cost != 1) {
            let message = format!(
                "move {} costs {}: layers are counted where every move costs 1; histogram tells how often each cost occurs",
                op.name, op.cost
            );
            return Err(Refused(message).into());
        }
        if let (Ok(group), true) = (&self.group, self.rules.is_empty()) {
            let elements = group.exhaust(antipodes, job, tell)?;
            let pattern = |element| group.domain().0.pattern_of(self.definition(), element).ok();
            return Ok(elements.iter().filter_map(pattern).map(|p| self.text(&p)).collect());
        }
        let options = runs::within(job, Some(self.settings.memory));
        let texts = |states: &[LabelState<N>]| {
            states.iter().map(|state| self.text(&self.puzzle.pattern(state))).collect()
        };
        if !self.rules.is_empty() {
            let farthest = self.layers_under_rules(antipodes, &options, usize::MAX, tell)?;
            return Ok(texts(&farthest));
        }
        let goals: Vec<LabelState<N>> =
            self.definition().goals().iter().map(|goal| self.puzzle.state(goal)).collect();
        let mut layers = search::Layers::new(&self.puzzle, &goals, &options);
        runs::tell_layers(&mut layers, goals.len(), usize::MAX, tell)?;
        let mut farthest = Vec::new();
        layers.for_each(layers.sizes().len() - 1, |&state| {
            if farthest.len() < antipodes {
                farthest.push(state);
            }
        });
        Ok(texts(&farthest))
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        if !self.rules.limits.is_empty() {
            let message = "sequences are counted by an automaton, which does not know how often a move was made: expected a definition without MoveLimits";
            return Err(Refused(message.to_owned()).into());
        }
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        match &self.group {
            Ok(group) => Ok(group.sequences(&automaton, depth)),
            Err(error) => Err(Failure::Limit(format!("sequences depend on the state: {error}"))),
        }
    }

    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let name = |op: Op| self.operators().list[op.index()].name.clone();
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        match &self.group {
            _ if !self.rules.is_empty() => self.learn_under_rules(name),
            Ok(group) => group.learn(depth, name, job),
            Err(error) => Err(Refused(format!("nothing is learned: {error}")).into()),
        }
    }

    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match &self.group {
            Ok(group) => group.histograms(job),
            Err(_) => self.sketched.histograms(&self.structure(), job),
        }
    }

    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        let refused = |why: &str| Err(Refused(format!("nothing is predicted {why}")).into());
        match &self.group {
            Err(error) => refused(&format!("for a puzzle that is no group: {error}")),
            Ok(_) if !self.rules.is_empty() => refused("under rules about moves"),
            Ok(_) if self.settings.heuristic != "best" => refused("without the heuristic best"),
            Ok(group) => group.predict(self.settings.pruning, self.depth(), bound, job),
        }
    }

    fn explain_tables(&self, job: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        if self.settings.heuristic != "best" {
            let message = format!("{} has no tables: expected best", self.settings.heuristic);
            return Err(Refused(message).into());
        }
        match &self.group {
            Ok(group) => group.explain(job),
            Err(_) => self.sketched.explain(&self.structure(), job),
        }
    }

    fn build_tables(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        match &self.group {
            Ok(group) => group.build(job),
            Err(_) => self.sketched.build(&self.structure(), job),
        }
    }
}
