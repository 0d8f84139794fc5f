//! Searches a cube in several views: [`View`].
//!
//! The cross of any colour is the best of six crosses. The cube then has six views, each turned
//! such that one of the crosses comes to the same place. So one definition and its tables serve all
//! of them.

use super::DerivedCube;
use super::shape::{FaceTurn, Seen, turn_image, turn_name};
use crate::puzzle::{Failure, InvalidInput, Job};
use crate::puzzles::permutation::FilePuzzle;
use crate::runs::Found;
use crate::settings::ConfigureError;
use cube::notation::{Layer, Move, parse_moves};
use cube::partial::PartialCube;
use cube::{Cube, symmetry};
use permutation::PuzzleState;
use search::{Cost, Iteration, Limit, Limits, Op, Outcome, Plan};
use std::collections::BTreeMap;

/// A way to look at the cube as a state of a puzzle that is searched, after a symmetry.
pub(super) struct View {
    /// The index of that puzzle in [`DerivedCube`].
    pub(super) at: usize,
    pub(super) seen: Seen,
    /// For each operator of the puzzle: the number of its face turn on the cube as the user holds
    /// it.
    pub(super) turns: Vec<usize>,
}

/// For each operator of a puzzle: the number of its face turn on the cube as the user holds it.
/// `symmetry` maps this cube to the puzzle.
pub(super) fn turns(puzzle: &FilePuzzle, symmetry: usize) -> Result<Vec<usize>, ConfigureError> {
    let turn = |name: &str| {
        let (face, quarters) =
            as_held(symmetry, name).ok_or_else(|| ConfigureError::invalid(name))?;
        Ok(3 * face + usize::from(quarters) - 1)
    };
    puzzle.operators().list.iter().map(|op| turn(&op.name)).collect()
}

/// The face turn with this name in the puzzle, on the cube as the user holds it. `None` if the name
/// is no face turn.
fn as_held(symmetry: usize, name: &str) -> Option<FaceTurn> {
    let moves = parse_moves(name).ok()?;
    let [Move { layer: Layer::Face(face), quarters }] = moves[..] else { return None };
    Some(turn_image(symmetry::inverse(symmetry), (face.into(), quarters)))
}

impl View {
    /// The state of the definition for a cube.
    fn state(&self, puzzle: &FilePuzzle, set: &PartialCube) -> Result<PuzzleState, InvalidInput> {
        let row =
            self.seen.labels.row(&set.image(self.seen.symmetry)).map_err(InvalidInput::new)?;
        self.seen.shape.state(puzzle.definition(), &row).map_err(InvalidInput::new)
    }

    /// One of the cubes that have these stickers, in all that the goal asks for.
    pub(super) fn cube(&self, set: &PartialCube) -> Result<Cube, InvalidInput> {
        let row =
            self.seen.labels.row(&set.image(self.seen.symmetry)).map_err(InvalidInput::new)?;
        let cube = self.seen.labels.cube(&row).ok_or_else(|| {
            InvalidInput::new("no cube with these stickers can be solved by turns")
        })?;
        Ok(symmetry::conjugate(symmetry::inverse(self.seen.symmetry), &cube))
    }

    /// Translates the names of face turns of the puzzle to the cube as the user holds it.
    pub(super) fn names(&self, turns: &[String]) -> Vec<String> {
        let held = |name: &String| as_held(self.seen.symmetry, name).map(turn_name);
        turns.iter().filter_map(held).collect()
    }

    /// One of the cubes whose state in the definition is `state`.
    pub(super) fn cube_of(&self, state: &PuzzleState) -> Option<Cube> {
        let cube = self.seen.labels.cube(&self.seen.shape.row(state))?;
        Some(symmetry::conjugate(symmetry::inverse(self.seen.symmetry), &cube))
    }
}

/// The search for a cube in one view, with its results so far.
pub(super) struct Search<'a> {
    pub(super) view: &'a View,
    pub(super) puzzle: &'a FilePuzzle,
    start: PuzzleState,
    found: Found,
}

impl DerivedCube {
    /// Searches for plans in all views. The operators of the plans are numbers of face turns.
    pub(super) fn search(&self, set: &PartialCube, job: &Job<'_>) -> Result<Found, Failure> {
        for puzzle in &self.searched {
            if let Err(failure) = puzzle.prepare(job) {
                let mut found = puzzle.nothing_found();
                found.stopped_by(job.reason(failure), false)?;
                return Ok(found);
            }
        }
        let mut searches = self.starts(set)?;
        if job.keeper.is_some() && searches.len() > 1 {
            return Err(Failure::refused(format!(
                "a journal keeps one search, and this goal takes {}: expected a goal with a face",
                searches.len()
            )));
        }
        match &mut searches[..] {
            [one] => one.puzzle.search(&one.start, job, &mut one.found)?,
            all if job.goes_above() => search_above(all, job)?,
            all => search_in_turns(all, job)?,
        }
        if let [one] = &mut searches[..] {
            return Ok(one.alone());
        }
        Ok(joined(searches, job, &|plan| self.cost(plan)))
    }

    /// The searches of a cube, one for each view whose goal the allowed moves reach.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn starts(&self, set: &PartialCube) -> Result<Vec<Search<'_>>, InvalidInput> {
        let mut refused = InvalidInput::new("the goal has no view");
        let mut searches = Vec::new();
        for view in &self.views {
            let puzzle = &self.searched[view.at];
            match puzzle.held(view.state(puzzle, set)?) {
                Ok(start) => {
                    searches.push(Search { view, puzzle, start, found: puzzle.nothing_found() });
                }
                Err(error) => refused = error,
            }
        }
        if searches.is_empty() { Err(refused) } else { Ok(searches) }
    }
}

/// Searches several views in turns: the view with the least lower bound searches one bound. So
/// every bound is searched in all views before the next bound is.
fn search_in_turns(searches: &mut [Search<'_>], job: &Job<'_>) -> Result<(), Failure> {
    let most = job.limits.bound.unwrap_or(Cost::MAX);
    // The cost of the plans that some view has found.
    let mut best: Option<Cost> = None;
    loop {
        let open = searches.iter().enumerate().filter(|(_, one)| one.is_open());
        let next = open.min_by_key(|(at, one)| (one.found.lower_bound, *at)).map(|(at, _)| at);
        let Some(at) = next else { break };
        let bound = searches[at].found.lower_bound;
        let enough = job.plans == 1 && best.is_some() || best.is_some_and(|best| bound > best);
        if enough || bound > most {
            break;
        }
        let limits = Limits { bound: Some(bound), ..left(searches, at, job) };
        let job = job.clone().limits(limits);
        let one = &mut searches[at];
        one.found.outcome = None;
        one.puzzle.search(&one.start, &job, &mut one.found)?;
        match &one.found.outcome {
            Some(Outcome::Solved(_)) => best = Some(bound),
            Some(Outcome::LimitReached(Limit::Bound) | Outcome::Unsolvable) => {}
            _ => break,
        }
    }
    Ok(())
}

/// The limits of a job for search `at`, less what the other searches have spent. The search itself
/// subtracts what it has spent.
fn left(searches: &[Search<'_>], at: usize, job: &Job<'_>) -> Limits {
    let others = || searches.iter().enumerate().filter(|(other, _)| *other != at);
    let nodes: u64 = others().map(|(_, one)| one.found.generated()).sum();
    let time = others().map(|(_, one)| one.found.elapsed).sum();
    Limits {
        nodes: job.limits.nodes.map(|all| all.saturating_sub(nodes)),
        time: job.limits.time.map(|all| all.saturating_sub(time)),
        ..job.limits.clone()
    }
}

/// Searches all views for plans above the least cost.
fn search_above(searches: &mut [Search<'_>], job: &Job<'_>) -> Result<(), Failure> {
    let mut least: Option<Cost> = None;
    for at in 0..searches.len() {
        let most = least.map(|least| least.saturating_add(job.slack));
        let limits = left(searches, at, job);
        let limits = Limits { bound: most.into_iter().chain(limits.bound).min(), ..limits };
        let one = &mut searches[at];
        one.puzzle.search(&one.start, &job.clone().limits(limits), &mut one.found)?;
        match &one.found.outcome {
            Some(Outcome::Solved(_)) => {
                let own = one.found.lower_bound;
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
        matches!(self.found.outcome, None | Some(Outcome::LimitReached(Limit::Bound)))
    }

    /// Takes the results, with plans as face turns.
    fn alone(&mut self) -> Found {
        let plans = self.plans();
        let found = std::mem::take(&mut self.found);
        let turn = |op: &Op| Op::new(self.view.turns[op.index()]);
        let known = found.known.map(|plan| plan.iter().map(turn).collect());
        let outcome = match found.outcome {
            Some(Outcome::Solved(_)) => Some(Outcome::Solved(plans)),
            other => other,
        };
        Found { known, outcome, ..found }
    }

    /// The plans as face turns.
    fn plans(&self) -> Vec<Plan> {
        let Some(Outcome::Solved(plans)) = &self.found.outcome else { return Vec::new() };
        let turn = |op: &Op| Op::new(self.view.turns[op.index()]);
        plans.iter().map(|plan| plan.iter().map(turn).collect()).collect()
    }
}

/// Joins the results of all views.
fn joined(searches: Vec<Search<'_>>, job: &Job<'_>, cost: &dyn Fn(&[Op]) -> u64) -> Found {
    let mut plans: Vec<(u64, Plan)> =
        searches.iter().flat_map(Search::plans).map(|plan| (cost(&plan), plan)).collect();
    plans.sort_unstable();
    plans.dedup();
    let least = plans.first().map(|(cost, _)| *cost);
    plans.retain(|(cost, _)| least.is_none_or(|least| *cost <= least + u64::from(job.slack)));
    let mut all = Found::default();
    let mut bytes: BTreeMap<usize, u64> = BTreeMap::new();
    let (mut outcome, mut lower_bound) = (Outcome::Unsolvable, None);
    // Whether it is proven that no view has a cheaper plan, and that none has another wanted plan.
    let (mut proven, mut complete) = (true, true);
    for Search { view, found, .. } in searches {
        all.elapsed += found.elapsed;
        all.cpu += found.cpu;
        all.tables += found.tables;
        let bytes = bytes.entry(view.at).or_default();
        *bytes = found.table_bytes.max(*bytes);
        if found.heuristic.len() > all.heuristic.len() {
            all.heuristic = found.heuristic;
        }
        add(&mut all.iterations, &found.iterations);
        let own = found.outcome.unwrap_or(Outcome::LimitReached(Limit::Bound));
        if own == Outcome::Unsolvable {
            continue;
        }
        let bound = found.lower_bound;
        lower_bound = Some(lower_bound.map_or(bound, |least: Cost| least.min(bound)));
        proven &= least.is_none_or(|least| u64::from(bound) >= least);
        let above = least.is_some_and(|least| u64::from(bound) > least + u64::from(job.slack));
        complete &= above || found.complete && matches!(own, Outcome::Solved(_));
        outcome = match (outcome, own) {
            (Outcome::Cancelled, _) | (_, Outcome::Cancelled) => Outcome::Cancelled,
            (Outcome::LimitReached(limit), _) if limit != Limit::Bound => {
                Outcome::LimitReached(limit)
            }
            (_, Outcome::LimitReached(limit)) => Outcome::LimitReached(limit),
            (before, _) => before,
        };
    }
    all.table_bytes = bytes.values().sum();
    all.lower_bound = lower_bound.unwrap_or(Cost::MAX);
    let mut plans: Vec<Plan> = plans.into_iter().map(|(_, plan)| plan).collect();
    all.complete = plans.len() >= job.plans || complete;
    plans.truncate(job.plans);
    if plans.is_empty() {
        all.outcome = Some(outcome);
    } else if proven {
        all.outcome = Some(Outcome::Solved(plans));
    } else {
        (all.known, all.outcome) = (plans.into_iter().next(), Some(outcome));
    }
    all
}

/// Adds iterations to those of the same bound, if both are complete or neither is.
fn add(all: &mut Vec<Iteration>, more: &[Iteration]) {
    for one in more {
        match all.iter_mut().find(|own| (own.bound, own.complete) == (one.bound, one.complete)) {
            Some(own) => {
                own.generated += one.generated;
                own.expanded += one.expanded;
            }
            None => all.push(*one),
        }
    }
    all.sort_by_key(|one| one.bound);
}
