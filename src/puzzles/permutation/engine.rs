//! A puzzle from a definition behind [`Puzzle`]: states as moves or compact text, searches, counts.

use super::group::Grouped;
use super::sketched::Sketched;
use super::{ruled, scrambles};
use crate::cache::AutomatonCache;
use crate::puzzle::{
    Answer, Counting, Exhaustive, Explained, Failure, InvalidInput, Job, LearnedSummary, Learning,
    Predicting, Prediction, Puzzle, PuzzleInfo, Replayed, Scrambler, StateFile, StateFiles,
    StateInfo, TableHistogram, Tables,
};
use crate::runs::Found;
use crate::settings::{ConfigureError, HeuristicChoice, MetricChoice, PruningChoice, Settings};
use fsm::{Automaton, Keep};
use permutation::{
    Definition, MoveMetric, NotAGroup, NotSearchable, Operators, PuzzleSize, PuzzleState,
    ReadLimits, ReferencePuzzle, ScrambleState,
};
use search::random::Random;
use search::{Constrained, Cost, Domain, Op, OpSet, OperatorRules, Zero, plan};

/// Moves of a random walk. Where states form no group, it is the only way to a random state.
const WALK: usize = 10_000;

/// What the settings call a metric.
pub(super) fn choice_of(metric: MoveMetric) -> MetricChoice {
    match metric {
        MoveMetric::Turn => MetricChoice::HalfTurn,
        MoveMetric::Quarter => MetricChoice::QuarterTurn,
    }
}

/// A puzzle from a definition, compiled for states of `N` slots and sets of operators `O`.
pub(super) struct Engine<const N: usize, O: OpSet> {
    info: PuzzleInfo,
    pub(super) metric: MoveMetric,
    pub(super) settings: Settings,
    pub(super) puzzle: permutation::GeneralPuzzle<N, O>,
    /// The definition's rules about moves, in terms of operators.
    pub(super) rules: OperatorRules,
    /// The group of its states, or why they form none.
    pub(super) group: Result<Grouped<N, O>, NotAGroup>,
    /// The tables if they form none.
    pub(super) sketched: Sketched,
    /// The automata under rules, or where states form no group.
    pub(super) automata: AutomatonCache<O>,
    /// The automata under rules where tables are read from both ends.
    pub(super) both_automata: AutomatonCache<O::Double>,
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    pub(super) fn new(
        name: &str,
        definition: Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        let wrong =
            |error: &dyn std::fmt::Display| ConfigureError::invalid(format!("{name}: {error}"));
        let rules = definition.operator_rules(&operators).map_err(|error| wrong(&error))?;
        let size = PuzzleSize::of(&definition, &operators);
        let group = if 2 * size.operators > <O::Double as OpSet>::CAPACITY {
            // A search from both ends needs twice as many operators as there is room for.
            Err(NotSearchable::Large(size).into())
        } else {
            Grouped::new(&definition, operators.clone(), metric, settings)
        };
        let sketched = Sketched::new(&definition, choice_of(metric).name(), settings);
        let puzzle = permutation::GeneralPuzzle::new(definition, operators)
            .map_err(|error| wrong(&error))?;
        Constrained::new(&puzzle, &rules).map_err(|error| wrong(&error))?;
        let mut info = PuzzleInfo::new(name, Some(choice_of(metric)));
        info.has_costs = !puzzle.list().all_cost_one();
        Ok(Self {
            info,
            metric,
            settings: settings.clone(),
            puzzle,
            rules,
            group,
            sketched,
            automata: AutomatonCache::default(),
            both_automata: AutomatonCache::default(),
        })
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

    /// The cost of a plan.
    fn cost(&self, plan: &[Op]) -> u64 {
        plan.iter().map(|&op| u64::from(self.puzzle.cost(op))).sum()
    }

    /// Depth of the learned automaton.
    pub(super) fn depth(&self) -> usize {
        depth(self.metric)
    }

    /// Whether the heuristic is `best`.
    pub(super) fn is_best(&self) -> bool {
        self.settings.heuristic == HeuristicChoice::Best
    }

    /// The name of the pruning that is in use.
    fn pruning_name(&self) -> String {
        match self.settings.pruning {
            PruningChoice::Fsm(_) if !self.rules.is_empty() => {
                PruningChoice::Fsm(None).name(ruled::DEPTH)
            }
            pruning => pruning.name(self.depth()),
        }
    }

    /// The state of a text: moves, or `CPOS` and the compact form.
    ///
    /// Where states form a group, a state that is turned as a whole is turned back.
    fn parse(&self, state: &str) -> Result<PuzzleState, InvalidInput> {
        let definition = self.definition();
        let refused = |error: permutation::DefinitionError| InvalidInput(error.to_string());
        let pattern = if state.split_whitespace().next() == Some("CPOS") {
            let read = definition.scrambles(state, &ReadLimits::default()).map_err(refused)?;
            match read.scrambles.into_iter().next().map(|scramble| scramble.state) {
                Some(ScrambleState::Given(pattern)) => pattern,
                _ => return Err(InvalidInput("expected one state".to_owned())),
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

    /// The automaton of the strings that are cut.
    pub(super) fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<&Automaton<O>, Failure> {
        match &self.group {
            Ok(group) if self.rules.is_empty() => group.automaton(keep, job),
            _ => self.automata.automaton(keep, || {
                if self.rules.is_empty() {
                    self.plain_strings(keep, &job.cancel)
                } else {
                    self.strings_under_rules(&self.puzzle, self.settings.pruning, keep)
                }
            }),
        }
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

/// Depth of the learned automaton.
pub(super) fn depth(metric: MoveMetric) -> usize {
    match metric {
        MoveMetric::Turn => 2,
        MoveMetric::Quarter => 3,
    }
}

impl<const N: usize, O: OpSet> Puzzle for Engine<N, O> {
    fn info(&self) -> &PuzzleInfo {
        &self.info
    }

    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        let pattern = self.parse(state)?;
        let group = match &self.group {
            Ok(group) => ("states", group.order()),
            Err(error) => ("group", format!("none: {error}")),
        };
        Ok(StateInfo::new(vec![("state", self.text(&pattern)), group]))
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let pattern = self.parse(state)?;
        let mut found =
            Found { heuristic: self.settings.heuristic.to_string(), ..Found::default() };
        match self.search(&pattern, job, &mut found) {
            // What is proven already is not lost with a table.
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

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replayed, InvalidInput> {
        let pattern = self.parse(state)?;
        let turns = self.definition().parse_moves(plan);
        let turns = turns.map_err(|error| InvalidInput(format!("plan: {error}")))?;
        let operator = |&turn: &permutation::Turn| {
            let made = self.definition().moves().transformation(turn);
            let same = self.operators().list.iter().position(|op| op.transformation == made);
            let text = self.definition().moves().turn_text(turn);
            same.map(Op::new).ok_or_else(|| InvalidInput(format!("plan: {text} is no operator")))
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

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// Searches as rules, group and heuristic allow.
    fn search(
        &self,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        match &self.group {
            _ if !self.rules.is_empty() => self.solve_under_rules(pattern, job, found),
            Ok(group) if self.is_best() => group.search(pattern, job, found),
            Err(_) => self.search_plain(pattern, job, found),
            Ok(_) => {
                found.heuristic = "none".to_owned();
                let automaton = self.automaton(job.keep(), job)?;
                found.search(&self.puzzle, &Zero, automaton, &self.puzzle.state(pattern), job);
                Ok(())
            }
        }
    }
}

impl<const N: usize, O: OpSet> Scrambler for Engine<N, O> {
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.text(&self.scramble(&mut random))))
    }
}

impl<const N: usize, O: OpSet> StateFiles for Engine<N, O> {
    fn words(&self) -> &'static [&'static str] {
        &scrambles::WORDS
    }

    fn read_file(&self, text: &str) -> Result<StateFile, InvalidInput> {
        self.scramble_file(text)
    }
}

impl<const N: usize, O: OpSet> Learning for Engine<N, O> {
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
            Err(error) => Err(Failure::refused(format!("nothing is learned: {error}"))),
        }
    }
}

impl<const N: usize, O: OpSet> Tables for Engine<N, O> {
    fn owns(&self, table: &str) -> bool {
        self.sketched.marks().are_of(table)
    }

    fn explain(&self, job: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        if !self.is_best() {
            let heuristic = &self.settings.heuristic;
            return Err(Failure::refused(format!("{heuristic} has no tables: expected best")));
        }
        match &self.group {
            Ok(group) => group.explain(job),
            Err(_) => self.sketched.explain(&self.structure(), job),
        }
    }

    fn build(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        match &self.group {
            Ok(group) => group.build(job),
            Err(_) => self.sketched.build(&self.structure(), job),
        }
    }

    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match &self.group {
            Ok(group) => group.histograms(job),
            Err(_) => self.sketched.histograms(&self.structure(), job),
        }
    }
}

impl<const N: usize, O: OpSet> Predicting for Engine<N, O> {
    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        let refused = |why: &str| Err(Failure::refused(format!("nothing is predicted {why}")));
        match &self.group {
            Err(error) => refused(&format!("for a puzzle that is no group: {error}")),
            Ok(_) if !self.rules.is_empty() => refused("under rules about moves"),
            Ok(_) if !self.is_best() => refused("without the heuristic best"),
            Ok(group) => group.predict(bound, job),
        }
    }
}
