//! Searches a cube in several views: [`View`].
//!
//! The cross of any colour is the best of six crosses. The cube then has six views, each turned
//! such that one of the crosses comes to the same place. So one definition and its tables serve all
//! of them.

use super::shape::{GoalImage, move_of};
use crate::puzzle::{Aim, Event, Failure, InvalidInput, Result, Watch};
use crate::puzzles::approach::{NODES, time_left};
use crate::puzzles::configured::{self, Game};
use crate::puzzles::permutation::{FilePuzzle, SlotOptions};
use crate::run::{AtMost, Results, Run};
use crate::settings::ConfigureError;
use cube::notation::AxisMoves;
use cube::partial::PartialCube;
use cube::{Cube, symmetry};
use permutation::PuzzleState;
use search::{Cost, Limit, Limits, Op, Outcome};
use std::time::Duration;

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
        run.with(
            |request| request.on_plan = None,
            |run| match &mut searches[..] {
                [one] => one.search(run),
                all if run.request.aim == Aim::NearOptimal => search_near(all, cost, run),
                all if run.goes_above() => search_above(all, run),
                all => search_in_turns(all, run),
            },
        )?;
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

/// Searches several views in turns: the view with the least lower bound searches one bound. So
/// every bound is searched in all views before the next bound is.
fn search_in_turns(searches: &mut [Search<'_>], run: &mut Run<'_>) -> Result<()> {
    let most = run.request.limits.bound.unwrap_or(Cost::MAX);
    // The cost of the plans that some view has found.
    let mut best: Option<Cost> = None;
    loop {
        let open = searches.iter().enumerate().filter(|(_, one)| one.is_open());
        let next = open.min_by_key(|(at, one)| (one.results.lower_bound(), *at)).map(|(at, _)| at);
        let Some(at) = next else { break };
        let bound = searches[at].results.lower_bound();
        let found = run.request.plans == 1 && best.is_some();
        let enough = found || best.is_some_and(|best| bound > best);
        if enough || bound > most {
            break;
        }
        let limits = Limits { bound: Some(bound), ..left(searches, at, run) };
        run.with(|request| request.limits = limits, |run| searches[at].search(run))?;
        match searches[at].results.outcome() {
            Some(Outcome::Solved(_)) => best = Some(bound),
            Some(Outcome::LimitReached(Limit::Bound) | Outcome::Unsolvable) => {}
            _ => break,
        }
    }
    Ok(())
}

/// Looks for plans in all views, one after the other. Each gets an equal part of what is left, and
/// tells only plans that cost less than those before.
fn search_near(
    searches: &mut [Search<'_>],
    cost: &dyn Fn(&[Op]) -> u64,
    run: &mut Run<'_>,
) -> Result<()> {
    let mut least: Option<u64> = None;
    // Without any limit, all views together have as many nodes as one search.
    let free = run.request.limits.nodes.is_none() && time_left(run).is_none();
    run.with(
        |request| request.limits.nodes = request.limits.nodes.or(free.then_some(NODES)),
        |run| {
            for at in 0..searches.len() {
                let part = u32::try_from(searches.len() - at).unwrap_or(u32::MAX);
                let (left, spent) = (left(searches, at, run), run.preparation());
                let due = Duration::try_from_secs_f64(run.seconds_left()).ok();
                let time = left.time.map(|time| time.saturating_sub(spent));
                let time = time.into_iter().chain(due).min();
                // A search counts the preparation of those before it, too.
                let time = time.map(|time| time / part + spent);
                let dearer = least.map(|least| Cost::try_from(least - 1).unwrap_or(Cost::MAX));
                let bound = dearer.into_iter().chain(left.bound).min();
                let nodes = left.nodes.map(|nodes| nodes / u64::from(part));
                let limits = Limits { bound, nodes, time, ..left };
                search_within(limits, searches, at, run)?;
                let found = searches[at].results.best().iter().map(|plan| cost(plan)).min();
                least = least.into_iter().chain(found).min();
                if least == Some(0) || run.request.cancel.is_cancelled() {
                    break;
                }
            }
            Ok(())
        },
    )
}

/// Searches one view within limits. It tells no bound that is not proven in the other views, too.
fn search_within(
    limits: Limits,
    searches: &mut [Search<'_>],
    at: usize,
    run: &mut Run<'_>,
) -> Result<()> {
    let others = searches.iter().enumerate().filter(|(other, _)| *other != at);
    let most = others.map(|(_, one)| one.results.lower_bound()).min().unwrap_or(Cost::MAX);
    let watch: &dyn Watch = &AtMost { watch: run.request.watch, most };
    run.with(
        |request| (request.limits, request.watch) = (limits, watch),
        |run| searches[at].search(run),
    )
}

/// The limits of a run for search `at`, less what the other searches have spent. The search itself
/// subtracts what it has spent.
fn left(searches: &[Search<'_>], at: usize, run: &Run<'_>) -> Limits {
    let others = || searches.iter().enumerate().filter(|(other, _)| *other != at);
    let nodes: u64 = others().map(|(_, one)| one.results.all_generated()).sum();
    let time = others().map(|(_, one)| one.results.elapsed()).sum();
    let limits = &run.request.limits;
    Limits {
        nodes: limits.nodes.map(|all| all.saturating_sub(nodes)),
        time: limits.time.map(|all| all.saturating_sub(time)),
        ..limits.clone()
    }
}

/// Searches all views for plans above the least cost.
fn search_above(searches: &mut [Search<'_>], run: &mut Run<'_>) -> Result<()> {
    let mut least: Option<Cost> = None;
    for at in 0..searches.len() {
        let most = least.map(|least| least.saturating_add(run.request.slack));
        let limits = left(searches, at, run);
        let limits = Limits { bound: most.into_iter().chain(limits.bound).min(), ..limits };
        search_within(limits, searches, at, run)?;
        let results = &searches[at].results;
        match results.outcome() {
            Some(Outcome::Solved(_)) => {
                let own = results.lower_bound();
                least = Some(least.map_or(own, |least| least.min(own)));
            }
            Some(Outcome::LimitReached(Limit::Bound) | Outcome::Unsolvable) => {}
            _ => break,
        }
    }
    Ok(())
}

impl Search<'_> {
    /// Whether a higher bound may find more.
    fn is_open(&self) -> bool {
        matches!(self.results.outcome(), None | Some(Outcome::LimitReached(Limit::Bound)))
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
