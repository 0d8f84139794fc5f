//! Counts states by their distance from the nearest goal, layer by layer.

use super::engine::Engine;
use crate::counts;
use crate::puzzle::{Failure, Result, Tell};
use crate::puzzles::permutation::model::PuzzleModel;
use crate::run::Run;
use permutation::{GeneralPuzzle, GoalQuotient, LabelState, PuzzleState, SlotContents};
use search::stored::Layers;
use search::{Domain, Group, OpSet, Options};

/// The puzzle whose states are counted, and its goals.
///
/// If the goals ignore some pieces or orientations, each state of this puzzle is a class of states
/// that have the same plans.
pub(super) struct CountedStates<const N: usize, O> {
    quotient: Option<GoalQuotient>,
    pub(super) puzzle: GeneralPuzzle<N, O>,
    /// Every state at distance 0.
    pub(super) goals: Vec<LabelState<N>>,
}

impl<const N: usize, O: OpSet> CountedStates<N, O> {
    /// # Errors
    /// If a limit ends the search that lists all goals.
    fn new(
        model: &PuzzleModel,
        puzzle: &GeneralPuzzle<N, O>,
        options: &Options<'_>,
    ) -> Result<Self> {
        let Some(quotient) = GoalQuotient::new(&model.labels) else {
            let goals = puzzle.goals().to_vec();
            return Ok(Self { quotient: None, puzzle: puzzle.clone(), goals });
        };
        let (definition, operators) = (quotient.definition().clone(), model.operators().clone());
        let puzzle = GeneralPuzzle::new(definition, operators).map_err(Failure::refused)?;
        let mut goals = puzzle.goals().to_vec();
        if !quotient.has_whole_goals() {
            let quiet = unobserved(options);
            let mut all = Layers::new(&puzzle, puzzle.goals(), &quiet);
            while all.advance()? > 0 {}
            goals.clear();
            for depth in 0..all.sizes().len() {
                all.for_each(depth, |state| {
                    if puzzle.is_goal(state) {
                        goals.push(*state);
                    }
                });
            }
        }
        Ok(Self { quotient: Some(quotient), puzzle, goals })
    }

    /// For each of the `counted` states, one state of the definition in that class. Moves from a
    /// goal of the definition lead to it.
    fn members(
        &self,
        model: &PuzzleModel,
        counted: &[LabelState<N>],
        options: &Options<'_>,
    ) -> Result<Vec<SlotContents>> {
        let Some(quotient) = &self.quotient else {
            return Ok(counted.iter().map(|state| state.contents(model.labels.slots())).collect());
        };
        let quiet = unobserved(options);
        let mut layers = Layers::new(&self.puzzle, self.puzzle.goals(), &quiet);
        while counted.iter().any(|state| layers.layer_of(state).is_none()) {
            layers.advance()?;
        }
        let member = |state| model.labels.contents(&self.member(model, quotient, &layers, state));
        Ok(counted.iter().map(member).collect())
    }

    /// One state of the definition in the class `counted`.
    ///
    /// Goes down the layers to a goal. Then applies the inverse operators, last one first, to a
    /// goal of the definition.
    fn member(
        &self,
        model: &PuzzleModel,
        quotient: &GoalQuotient,
        layers: &Layers<'_, GeneralPuzzle<N, O>>,
        counted: &LabelState<N>,
    ) -> PuzzleState {
        let (mut at, mut plan) = (*counted, Vec::new());
        let mut layer = layers.layer_of(&at).unwrap_or(0);
        while layer > 0 {
            layer -= 1;
            let ops = self.puzzle.applicable(&at).members();
            let closer = ops.into_iter().find_map(|op| {
                let mut next = at;
                self.puzzle.apply_into(&at, op, &mut next);
                (layers.layer_of(&next) == Some(layer)).then_some((op, next))
            });
            let (op, next) = closer.expect("some operator undoes the one that led here");
            plan.push(op);
            at = next;
        }
        let class = self.puzzle.pattern(&at);
        let mut goals = model.definition().goals().iter();
        let goal = goals.find(|goal| quotient.class(goal) == class);
        let goal = goal.expect("layer 0 holds the classes of the goals").clone();
        model.before(goal, &plan)
    }
}

/// Options with the limits and the cancellation of `options`, but without its observer.
fn unobserved(options: &Options<'_>) -> Options<'static> {
    let (limits, cancel) = (options.limits.clone(), options.cancel.clone());
    Options { limits, cancel, ..Options::default() }
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// Does the work of [`Search::count`](super::Search::count).
    pub(super) fn count_layers(
        &self,
        (depth, antipodes): (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>> {
        let (model, events) = (&*self.model, run.events());
        let options = run.storing(model.settings.memory, &events);
        if let (Some(group), true) = (&self.group, model.rules.is_empty()) {
            let group = group.puzzle();
            run.prepare("the symmetries of the moves", |cancel| {
                group.group().find_symmetries(cancel).map_err(Failure::of_group)
            })?;
            counts::count_states(group, group.identity(), depth, &options, tell)?;
            return Ok(Vec::new());
        }
        let counted = CountedStates::new(model, &self.puzzle, &options)?;
        if !model.rules.is_empty() {
            let farthest = self.layers_under_rules(&counted, antipodes, &options, depth, tell)?;
            return counted.members(model, &farthest, &options);
        }
        let mut farthest = Vec::new();
        {
            let mut layers = Layers::new(&counted.puzzle, &counted.goals, &options);
            counts::tell_layers(&mut layers, counted.goals.len(), depth, tell)?;
            layers.for_each(layers.sizes().len() - 1, |state| {
                if farthest.len() < antipodes {
                    farthest.push(*state);
                }
            });
        }
        counted.members(model, &farthest, &options)
    }
}
