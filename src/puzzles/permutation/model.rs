//! [`PuzzleModel`]: a definition as engines search it.

use super::allowed;
use super::commuting::CommutingMoves;
use super::first_plans::FirstPlans;
use super::group::GroupTables;
use super::shape_plans::ShapePlans;
use super::tables::{PatternTables, TableNames, WordFile};
use crate::puzzle::{Aim, Failure, Result};
use crate::puzzles::approach::{self, Approach, NODES};
use crate::run::{Run, is_simple};
use crate::settings::{GoalChoice, HeuristicChoice, MetricChoice, Settings};
use anytime::SHAPES;
use permutation::pattern_spec::{PuzzleStructure, SpecTable, SpecTables};
use permutation::{
    Complaint, Definition, GoalQuotient, MoveMetric, NotAGroup, Operators, PuzzleGroup,
    PuzzleLabels, PuzzleSize, PuzzleState, ReferencePuzzle, Transformation,
};
use search::{Cost, Op, OperatorRules, plan};
use std::sync::{Arc, OnceLock};

/// Nodes of a first search without tables. It solves states near the goal, so that no table is
/// loaded for them.
const NEAR_NODES: u64 = 1 << 16;

/// Nodes of this search if there is no table file, and nodes are not counted: less than a second.
/// To choose the tables and to build them takes several.
const MORE_NEAR_NODES: u64 = 1 << 20;

/// Most operators of a puzzle that is searched as a group. A search from both ends has twice as
/// many.
const MOST_OPERATORS: usize = 512;

/// A definition with its operators, rules, group and tables. Engines search it.
pub(crate) struct PuzzleModel {
    pub(super) metric: MoveMetric,
    pub(crate) settings: Settings,
    pub(super) labels: Arc<PuzzleLabels>,
    /// The definition's rules about moves, in terms of operators.
    pub(super) rules: OperatorRules,
    /// The group of its states, or why they form none.
    pub(super) group: Result<Arc<GroupTables>, NotAGroup>,
    /// The tables to use if the states form no group.
    pub(super) patterns: PatternTables,
    /// Which states have the same plans, found once. `None` if all differ.
    quotient: OnceLock<Option<GoalQuotient>>,
    /// The search for puzzles whose moves commute. `None`: this is no such puzzle.
    pub(super) commuting: Option<CommutingMoves>,
    /// Plans that are not proven. `None`: the puzzle has none.
    pub(super) first: Option<FirstPlans>,
    /// Plans over shapes. `None`: there are no rules about states, or others, too.
    pub(super) shapes: Option<ShapePlans>,
}

/// The setting that stands for a metric.
pub(super) fn choice_of(metric: MoveMetric) -> MetricChoice {
    match metric {
        MoveMetric::Turn => MetricChoice::HalfTurn,
        MoveMetric::Quarter => MetricChoice::QuarterTurn,
    }
}

impl PuzzleModel {
    /// The model of a definition with these operators.
    ///
    /// # Errors
    /// If the rules do not fit the operators.
    pub(super) fn new(
        definition: Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, Complaint> {
        let rules = match &settings.moves {
            Some(_) => allowed::rules(&definition, metric, &operators),
            None => definition.operator_rules(&operators),
        }?;
        let size = PuzzleSize::of(&definition, &operators);
        let room = PuzzleSize { operators: MOST_OPERATORS, ..PuzzleSize::FIXED };
        let group = match size.fit(room) {
            Err(error) => Err(error.into()),
            Ok(()) => PuzzleGroup::new(&definition, operators.clone()),
        };
        let names = TableNames::new(&definition, &operators, choice_of(metric).name(), settings);
        let tables =
            |group| Arc::new(GroupTables::new(group, names.clone(), &definition, settings));
        let group = group.map(Arc::new).map(tables);
        let patterns = PatternTables::new(&definition, names.clone(), settings);
        let labels = Arc::new(PuzzleLabels::new(definition, operators));
        let words = WordFile::new(names, settings);
        let (settings, quotient) = (settings.clone(), OnceLock::new());
        let first = FirstPlans::new(&labels, &rules, settings.memory, words);
        let commuting = CommutingMoves::new(&labels, &rules);
        let shapes = ShapePlans::new(&labels, &rules, settings.memory);
        Ok(Self {
            metric,
            settings,
            labels,
            rules,
            group,
            patterns,
            quotient,
            commuting,
            first,
            shapes,
        })
    }

    /// Looks for a plan that need not be proven, once for each state, before a step that may take
    /// long. `start` is the state. Goes on with `step`, unless the plan is proven by then.
    pub(super) fn approach(
        &self,
        start: impl FnOnce() -> Option<PuzzleState>,
        run: &mut Run<'_>,
        step: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        self.look(start, NODES, run)?;
        if run.ends_proven() { Ok(()) } else { step(run) }
    }

    /// Looks for a plan that need not be proven, if that is of use and still to come. `nodes`: the
    /// most nodes, if nothing allows more.
    pub(super) fn look(
        &self,
        start: impl FnOnce() -> Option<PuzzleState>,
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let first = self.approaches(run);
        match first.and_then(|first| Some((first, start()?))) {
            Some((first, start)) => {
                self.approach_of(&start, |approach| first.find((approach, &start), nodes, run))
            }
            None => Ok(()),
        }
    }

    /// Looks for a plan over shapes, once for each state, before tables are loaded or built. Then
    /// goes on with `step`, unless the plan is proven or no other is wanted.
    pub(super) fn after_shapes(
        &self,
        start: &PuzzleState,
        run: &mut Run<'_>,
        step: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let is_near = run.request.aim == Aim::NearOptimal;
        let is_alone = is_near && run.request.planner == Some(SHAPES);
        let is_wanted = match is_near {
            true => run.request.planner.is_none() || is_alone,
            // With tables and time, plans come by beams between the bounds of the proof.
            false => {
                let in_memory = || self.patterns.in_memory();
                let has_tables = self.patterns.have_files()
                    || in_memory().is_some_and(|tables| !tables.tables().is_empty());
                let come_later = has_tables && approach::time_left(run).is_none();
                self.is_best() && !come_later && approach::is_of_use(run, false)
            }
        };
        let shapes = self.shapes.as_ref().filter(|_| is_wanted && run.results().upper().is_none());
        if let Some(shapes) = shapes {
            self.approach_of(start, |approach| shapes.find((approach, start), run))?;
        }
        if !is_alone && !run.ends_proven() {
            return step(run);
        }
        run.reads(SHAPES, 0);
        if is_alone {
            self.approach_of(start, |approach| approach.end(run));
        }
        Ok(())
    }

    /// The plans to look for before a step that may take long. `None` if they have been, or an
    /// unproven plan is of no use.
    pub(super) fn approaches(&self, run: &Run<'_>) -> Option<&FirstPlans> {
        let first = self.first.as_ref().filter(|first| first.come_first());
        first.filter(|first| approach::is_of_use(run, first.is_hopeless()))
    }

    /// Passes on what a search for the plans of a state needs.
    pub(super) fn approach_of<T>(
        &self,
        start: &PuzzleState,
        search: impl FnOnce(&Approach<'_>) -> T,
    ) -> T {
        let list = &self.operators().list;
        let is_hopeless = self.first.as_ref().is_some_and(FirstPlans::is_hopeless);
        search(&Approach {
            names: &|plan| plan.iter().map(|&op| self.operator(op)).collect(),
            cost: &|plan| plan.iter().map(|op| u64::from(list[op.index()].cost)).sum(),
            replay: &|plan| self.replay(start, plan),
            is_hopeless,
        })
    }

    pub(crate) fn definition(&self) -> &Definition {
        self.labels.definition()
    }

    pub(crate) fn operators(&self) -> &Operators {
        self.labels.list()
    }

    /// Nodes of a first search without tables, if these are not in memory.
    pub(super) fn near_nodes(&self, run: &Run<'_>) -> u64 {
        let few = run.counts_nodes() || self.patterns.have_files();
        if few { NEAR_NODES } else { MORE_NEAR_NODES }
    }

    /// The name of an operator.
    pub(crate) fn operator(&self, op: Op) -> String {
        self.operators().list[op.index()].name.clone()
    }

    /// The cost of each operator.
    pub(super) fn costs(&self) -> Vec<Cost> {
        self.operators().list.iter().map(|op| op.cost).collect()
    }

    /// The greatest number of operators of a learned string, if the settings set no depth.
    pub(super) fn depth(&self) -> usize {
        match self.metric {
            MoveMetric::Turn => 2,
            MoveMetric::Quarter => 3,
        }
    }

    pub(super) fn is_best(&self) -> bool {
        self.settings.heuristic == HeuristicChoice::Best
    }

    /// What the settings call the moves that plans may make.
    pub(super) fn moves_text(&self) -> &'static str {
        if self.settings.moves.is_some() { "the allowed moves" } else { "moves" }
    }

    pub(super) fn reference(&self) -> ReferencePuzzle<'_> {
        ReferencePuzzle::new(self.definition(), self.operators())
    }

    /// Replays a plan on the reference puzzle.
    pub(super) fn replay(&self, state: &PuzzleState, plan: &[Op]) -> Result<(), plan::Invalid> {
        let reference = self.reference();
        plan::validate(&reference, &reference.start(state), plan)
    }

    /// The state after an operator, whether or not that is legal.
    pub(super) fn after(&self, from: &PuzzleState, op: Op) -> PuzzleState {
        from.apply(&self.operators().list[op.index()].transformation)
    }

    /// The state after operators, which all apply.
    pub(super) fn after_all(&self, from: &PuzzleState, string: &[Op]) -> PuzzleState {
        string.iter().fold(from.clone(), |state, &op| self.after(&state, op))
    }

    /// Whether the solved state is the goal, in all that the definition tells apart.
    pub(super) fn has_one_goal(&self) -> bool {
        let definition = self.definition();
        self.settings.goal == GoalChoice::Solved
            && definition.goals().len() <= 1
            && definition.rules().ignore.is_none()
    }

    /// What takes the solved state to another. `None` if several things do, or states or goal are
    /// restricted.
    pub(super) fn transformation(&self, to: &PuzzleState) -> Option<Transformation> {
        let definition = self.definition();
        let is_whole = self.settings.goal == GoalChoice::Solved;
        let is_free = is_whole && !definition.rules().restrict_states();
        to.transformation_from(definition.start()).filter(|_| is_free)
    }

    /// The state that the moves between `first` and `last` solve, in plans of `state`. `None` if
    /// there is none, or rules hold across whole plans.
    pub(super) fn between(
        &self,
        state: &PuzzleState,
        first: &[Op],
        last: &[Op],
    ) -> Option<PuzzleState> {
        if !self.rules.is_empty() {
            return None;
        }
        let after = self.after_all(state, first);
        if last.is_empty() {
            return Some(after);
        }
        let then = self.transformation(&after).filter(|_| self.has_one_goal())?;
        Some(self.after_all(self.definition().start(), last).apply(&then))
    }

    /// The state from which a string of operators leads to `to`.
    pub(super) fn before(&self, to: PuzzleState, string: &[Op]) -> PuzzleState {
        string.iter().rev().fold(to, |state, op| {
            state.apply(&self.operators().list[op.index()].transformation.inverse())
        })
    }

    /// Whether a string of operators passes no state twice.
    ///
    /// States with the same plans count as one state. Under rules about moves, a plan may visit a
    /// state twice: some states have no other plans.
    pub(super) fn passes_no_state_twice(&self, start: &PuzzleState, string: &[Op]) -> bool {
        if !self.rules.is_empty() {
            return true;
        }
        let quotient = self.quotient.get_or_init(|| GoalQuotient::new(&self.labels));
        let class = |state: &PuzzleState| {
            let class = quotient.as_ref().and_then(|quotient| quotient.find_class(state));
            class.unwrap_or_else(|| state.clone())
        };
        is_simple(start, string, &|from, op| self.after(from, op), &class)
    }

    /// The structure of the puzzle, from which tables of patterns are chosen.
    ///
    /// # Errors
    /// If the puzzle is too large for tables.
    pub(super) fn structure(&self) -> Result<PuzzleStructure> {
        let (size, room) = (self.labels.size(), PuzzleSize::FIXED);
        if size.fit(room).is_err() {
            return Err(Failure::refused(format!(
                "the puzzle has {size}: puzzles of more than {room} have no tables"
            )));
        }
        Ok(PuzzleStructure::new(&self.labels))
    }

    /// The tables of the heuristic, if the states form no group. `None` if no table fits the
    /// memory, or the heuristic is not `best`.
    pub(super) fn pattern_tables(&self, run: &mut Run<'_>) -> Result<Option<&SpecTables>> {
        if !self.is_best() {
            return Ok(None);
        }
        let tables = match self.patterns.in_memory() {
            Some(tables) => tables,
            None => {
                run.tables(|run| self.patterns.tables(&PuzzleStructure::new(&self.labels), run))?
            }
        };
        run.reads_bytes(tables.tables().iter().map(SpecTable::bytes).sum());
        Ok((!tables.tables().is_empty()).then_some(tables))
    }
}
