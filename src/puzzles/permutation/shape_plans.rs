//! First plans of puzzles whose shape tells which moves apply: [`ShapePlans`].

use super::first_plans::HOPELESS;
use super::first_plans::pieces_of;
use crate::cache::Once;
use crate::puzzle::{Aim, Failure, Result};
use crate::puzzles::approach::{self, Approach, PlanSearch};
use crate::run::Run;
use anytime::{Effort, Generators, SHAPES, Shapes};
use permutation::{LargePuzzle, LargeState, PuzzleLabels, PuzzlePoints, PuzzleState};
use search::{CancelToken, OperatorRules, PlanRound};
use std::sync::Arc;

/// The kind of the piece in each slot.
type Shape = Box<[u16]>;

/// The part of the memory that shapes and their words may take: one eighth.
const SHARE: u64 = 8;

/// The most nodes of a search for plans. A beam over single moves comes next.
const NODES: u64 = 2_000_000;

/// The most before a proof that may be short: for a first plan, which takes a tenth of a second.
const FEW_NODES: u64 = 200_000;

/// With a limit of time, it may have ten times as many, and takes a quarter of what is left.
const MORE_NODES: u64 = 10 * NODES;
const TIME: u32 = 4;

/// Plans over the shapes of a puzzle with rules about states. They come before tables.
pub(super) struct ShapePlans {
    memory: u64,
    puzzle: LargePuzzle,
    points: PuzzlePoints,
    shapes: Once<Option<Shapes<Shape>>>,
}

impl ShapePlans {
    /// `None` if the puzzle has no rules about states, or some about moves, or several goals.
    pub(super) fn new(
        labels: &Arc<PuzzleLabels>,
        rules: &OperatorRules,
        memory: u64,
    ) -> Option<Self> {
        if !rules.is_empty() || !labels.definition().rules().restrict_states() {
            return None;
        }
        let puzzle = LargePuzzle::of(Arc::clone(labels)).ok()?;
        let points = PuzzlePoints::without_rules(labels)?;
        Some(Self { memory, puzzle, points, shapes: Once::default() })
    }

    /// `None` if there are too many shapes, or some move cannot be undone.
    fn made(&self, cancel: &CancelToken) -> Result<Option<Shapes<Shape>>> {
        let stop = || cancel.is_cancelled();
        let operators = self.points.generators().map_err(Failure::of_group)?;
        let Ok(operators) = Generators::new(self.points.points(), operators, &stop) else {
            return if stop() { Err(Failure::Cancelled) } else { Ok(None) };
        };
        let of = (operators, pieces_of(&self.points));
        let effort = Effort { bytes: self.memory / SHARE, ..Effort::default() };
        let goal = &self.puzzle.goals()[0];
        let shape = |state: &LargeState| self.puzzle.shape(state);
        let shapes = Shapes::new((&self.puzzle, goal), shape, of, effort, &stop);
        if stop() { Err(Failure::Cancelled) } else { Ok(shapes) }
    }

    /// Looks for a plan of a state. It is known from then on. A journal keeps none of it: it is one
    /// short round.
    pub(super) fn find(
        &self,
        (approach, start): (&Approach<'_>, &PuzzleState),
        run: &mut Run<'_>,
    ) -> Result<()> {
        // A solved state needs no shapes.
        if approach.is_solved(run) {
            return Ok(());
        }
        let shapes = self.shapes.get_or_make(run, || {
            let most = approach::time_left(run).map(|left| left / 2);
            run.prepare("the shapes of the puzzle", |cancel| self.made(&cancel.child_within(most)))
        });
        let shapes = match shapes {
            Ok(shapes) => shapes.as_ref(),
            // The search goes on without them.
            Err(Failure::Time) => None,
            Err(failure) => return Err(failure),
        };
        let Some((shapes, images)) = shapes.zip(self.points.images(start)) else { return Ok(()) };
        let state = self.puzzle.state(start);
        let shape = self.puzzle.shape(&state);
        let most = approach::time_left(run).map(|left| left / TIME);
        let cancel = run.request.cancel.child_within(most);
        let is_hopeless = self.points.log_states() > HOPELESS;
        let is_short = run.request.aim != Aim::NearOptimal && !is_hopeless;
        let search: &mut PlanSearch<'_> = &mut |(_, nodes), stop, tell| {
            let nodes = nodes.min(match most {
                _ if is_short => FEW_NODES,
                Some(_) => MORE_NODES,
                None => NODES,
            });
            let (of_start, means) = ((&shape, &images[..]), (self.memory / SHARE, nodes));
            let stop = || stop() || cancel.is_cancelled();
            shapes.improve((&self.puzzle, &state), of_start, means, &stop, &mut |plan| {
                let cost = u32::try_from((approach.cost)(plan)).ok();
                let plan = Some(plan.iter().copied().collect());
                tell(&PlanRound { by: SHAPES.into(), nodes: 0, cost, plan }, true);
            })
        };
        run.with(|request| request.keeper = None, |run| approach.look(NODES, search, run))?;
        run.approaches_again();
        Ok(())
    }
}
