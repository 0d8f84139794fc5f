//! Searches a cube in several views: [`View`].
//!
//! The cross of any colour is the best of six crosses. The cube then has six views, each turned
//! such that one of the crosses comes to the same place. So one definition and its tables serve all
//! of them.

use super::shape::{GoalImage, move_of};
use crate::puzzle::{Event, Failure, InvalidInput, Result, Watch};
use crate::puzzles::configured::{self, Game};
use crate::puzzles::parts::{Part, search_parts};
use crate::puzzles::permutation::{FilePuzzle, SlotOptions};
use crate::run::{Results, Run};
use crate::settings::ConfigureError;
use cube::notation::AxisMoves;
use cube::partial::PartialCube;
use cube::{Cube, symmetry};
use permutation::PuzzleState;
use proofs::pseudo_boolean::Encoding;
use search::Op;

/// A way to look at the cube as a state of a puzzle that is searched, after a symmetry.
#[derive(Clone)]
pub(super) struct View {
    /// The index of that puzzle in [`Views::searched`].
    pub(super) at: usize,
    pub(super) image: GoalImage,
    /// For each operator of the puzzle: the number of its move on the cube as the user holds it.
    pub(super) moves: Vec<usize>,
}

/// For each operator of a puzzle: the number of its move on the cube as the user holds it.
/// `symmetry` maps this cube to the puzzle.
pub(super) fn moves(
    puzzle: &FilePuzzle,
    all: &AxisMoves,
    symmetry: usize,
) -> Result<Vec<usize>, ConfigureError> {
    let back = symmetry::inverse(symmetry);
    let operators = puzzle.model.operators().list.iter();
    let held = operators.map(|op| {
        let number = move_of(all, op).ok_or_else(|| ConfigureError::invalid(&op.name))?;
        Ok(all.image(back, number))
    });
    held.collect()
}

impl View {
    /// The state of the definition for a cube.
    fn state(&self, puzzle: &FilePuzzle, set: &PartialCube) -> Result<PuzzleState, InvalidInput> {
        let row =
            self.image.labels.row(&set.image(self.image.symmetry)).map_err(InvalidInput::new)?;
        self.image.shape.state(puzzle.model.definition(), &row).map_err(InvalidInput::new)
    }

    /// One of the cubes that have these stickers, in all that the goal asks for.
    pub(super) fn cube(&self, set: &PartialCube) -> Result<Cube, InvalidInput> {
        let row =
            self.image.labels.row(&set.image(self.image.symmetry)).map_err(InvalidInput::new)?;
        let cube = self.image.labels.cube(&row).ok_or_else(|| {
            InvalidInput::new("no cube with these stickers can be solved by turns")
        })?;
        Ok(symmetry::conjugate(symmetry::inverse(self.image.symmetry), &cube))
    }

    /// What may lie in each slot of the definition if a cube is in a set.
    pub(super) fn options(&self, set: &PartialCube) -> Result<SlotOptions, InvalidInput> {
        let allowed = self.image.labels.allowed(&set.image(self.image.symmetry));
        let mut allowed = allowed.map_err(InvalidInput::new)?;
        let take = |kind: usize| std::mem::take(&mut allowed[kind]);
        Ok(self.image.shape.kinds().into_iter().map(take).collect())
    }

    /// Translates the names of operators of the puzzle to moves of the cube as the user holds it.
    pub(super) fn names(
        &self,
        puzzle: &FilePuzzle,
        all: &AxisMoves,
        names: &[String],
    ) -> Vec<String> {
        let list = &puzzle.model.operators().list;
        let number = |name: &String| list.iter().position(|op| op.name == *name);
        let held: Vec<usize> = names.iter().filter_map(number).map(|op| self.moves[op]).collect();
        all.names(&held)
    }

    /// One of the cubes whose state in the definition is `state`.
    pub(super) fn cube_of(&self, state: &PuzzleState) -> Option<Cube> {
        let cube = self.image.labels.cube(&self.image.shape.row(state))?;
        Some(symmetry::conjugate(symmetry::inverse(self.image.symmetry), &cube))
    }
}

/// The search for a cube in one view, with its results so far.
pub(super) struct Search<'a> {
    all: &'a AxisMoves,
    pub(super) view: &'a View,
    pub(super) puzzle: &'a FilePuzzle,
    start: PuzzleState,
    results: Results,
}

/// The views of a cube with a goal.
pub(super) struct Views {
    /// The moves of the metric.
    pub(super) all: AxisMoves,
    /// The puzzles that are searched, one for each shape.
    pub(super) searched: Vec<FilePuzzle>,
    /// For each way to reach the goal: how the cube is seen as one of these puzzles.
    pub(super) list: Vec<View>,
}

impl Views {
    /// The first view and its puzzle.
    pub(super) fn first(&self) -> (&View, &FilePuzzle) {
        (&self.list[0], &self.searched[self.list[0].at])
    }

    /// Searches for plans in all views. The operators of the plans are numbers of moves, and `cost`
    /// gives what they cost together.
    pub(super) fn search(
        &self,
        set: &PartialCube,
        cost: &dyn Fn(&[Op]) -> u64,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let mut searches = self.starts(set)?;
        if run.request.keeper.is_some() && searches.len() > 1 {
            return Err(Failure::refused(format!(
                "a journal keeps one search, and this goal takes {}: expected a goal with a face",
                searches.len()
            )));
        }
        let name = self.searched[0].settings().heuristic.name();
        searches.iter_mut().for_each(|one| one.results = Results::reading(name));
        run.with(|request| request.on_plan = None, |run| search_parts(&mut searches, cost, run))?;
        for one in &mut searches {
            one.results.rename(|op| Op::new(one.view.moves[op.index()]));
        }
        let joined = match searches.len() {
            1 => searches.pop().map(|one| one.results),
            _ => None,
        };
        let joined = joined.unwrap_or_else(|| {
            let views = searches.into_iter().map(|one| (one.view.at, one.results)).collect();
            Results::joined(views, (run.request.plans, run.request.slack), cost)
        });
        run.take(joined);
        Ok(())
    }

    /// The search from a set of cubes, as places that hold values.
    ///
    /// # Errors
    /// If it is several searches, or its definition has no such form.
    pub(super) fn encoding(&self, set: &PartialCube) -> Result<Encoding, String> {
        let searches = self.starts(set).map_err(|error| error.to_string())?;
        match &searches[..] {
            [one] => one.puzzle.encoding(&one.start),
            _ => Err("its goal takes several searches, one for each way to hold it".to_owned()),
        }
    }

    /// The results of `give` for all searched puzzles, in order.
    pub(super) fn of_all<T>(&self, give: impl Fn(&FilePuzzle) -> Result<Vec<T>>) -> Result<Vec<T>> {
        let all: Result<Vec<_>, _> = self.searched.iter().map(give).collect();
        Ok(all?.into_iter().flatten().collect())
    }

    /// The only view and its puzzle.
    ///
    /// # Errors
    /// If there are several views. `what` says what cannot be done with them. `is_solved_goal`: the
    /// goal is the solved cube, held in any way.
    pub(super) fn only(&self, what: &str, is_solved_goal: bool) -> Result<(&View, &FilePuzzle)> {
        // The solved 2x2x2 may be held in 24 ways. Most sets of allowed moves reach only one of
        // them.
        if is_solved_goal
            && let Ok(starts) = self.starts(&PartialCube::from(&Cube::SOLVED))
            && let [start] = &starts[..]
        {
            return Ok((start.view, start.puzzle));
        }
        match &self.list[..] {
            [view] => Ok((view, &self.searched[view.at])),
            _ => Err(Failure::refused(format!(
                "{what} of a goal that is reached in {} ways: expected a goal with one, such as \
                 cross:D",
                self.list.len()
            ))),
        }
    }

    /// The searches of a cube, one for each view whose goal the allowed moves reach.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn starts(&self, set: &PartialCube) -> Result<Vec<Search<'_>>, InvalidInput> {
        let mut refused = InvalidInput::new("the goal has no view");
        let mut searches = Vec::new();
        for view in &self.list {
            let puzzle = &self.searched[view.at];
            match puzzle.held(view.state(puzzle, set)?) {
                Ok(start) => {
                    let (all, results) = (&self.all, Results::default());
                    searches.push(Search { all, view, puzzle, start, results });
                }
                Err(error) => refused = error,
            }
        }
        if searches.is_empty() { Err(refused) } else { Ok(searches) }
    }
}

impl Part for Search<'_> {
    const IN_TURNS: bool = true;

    fn results(&self) -> &Results {
        &self.results
    }

    /// Continues the search in this view.
    fn search(&mut self, run: &mut Run<'_>) -> Result<()> {
        let (puzzle, start) = (self.puzzle, &self.start);
        let held = |plan: &[String]| self.view.names(puzzle, self.all, plan);
        let watch: &dyn Watch = &AsHeld { watch: run.request.watch, held: &held };
        run.with(
            |request| request.watch = watch,
            |run| run.with_results(&mut self.results, |run| configured::search(puzzle, start, run)),
        )
    }
}

/// Tells plans as moves of the cube as the user holds it.
struct AsHeld<'a> {
    watch: &'a dyn Watch,
    held: &'a (dyn Fn(&[String]) -> Vec<String> + Sync),
}

impl Watch for AsHeld<'_> {
    fn event(&self, event: &Event<'_>) {
        match *event {
            Event::Plan { plan, lower_bound, upper_bound, .. } => {
                let plan = (self.held)(plan);
                self.watch.event(&Event::plan(&plan, upper_bound, lower_bound));
            }
            _ => self.watch.event(event),
        }
    }
}
