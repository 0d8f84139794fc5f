//! Cubes with a goal or moves of the user's own.
//!
//! Such a cube reads and writes the same texts as the built-in cube. But the search uses a
//! definition that is derived from the goal: [`shape`]. Its tables, automaton and counts are those
//! of any definition.
//!
//! Some goals are reached in several ways: the cross of any colour in six. Each way has a
//! definition of its own, or several ways share one definition and look at the cube from different
//! sides: [`views`].

mod costs;
mod first_plans;
mod goal;
mod shape;
mod views;

pub(super) use shape::is_for_goal;

use super::configured::{Ability, AllowedPlans, Game, GameStates, GameTables, Learned};
use super::permutation::FilePuzzle;
use super::{Configure, cubes};
use crate::puzzle::{
    Failure, InvalidInput, MoveScrambles, Prediction, Puzzle, PuzzleInfo, Request, Result,
    StateInfo, TableCandidate, TableHistogram, Tell,
};
use crate::run::{Checks, Run};
use crate::settings::{
    ConfigureError, GoalChoice, HeuristicChoice, MetricChoice, Settings, SolverChoice,
};
use cube::notation::{AxisMoves, Move, Pairs};
use cube::partial::{PartialCube, has_open, parse_partial};
use cube::{Cube, CubeMetric, FaceletCube, Facelets, cube2, notation};
use permutation::MoveMetric;
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::Encoding;
use search::plan::Reference;
use search::random::Random;
use search::{Cost, Op, Plan, plan};
use shape::{GoalImage, Moves, Shape};
use std::fmt::Display;
use std::sync::Arc;
use views::{View, Views};

/// Most random states of a definition that are tried until one is a cube.
const MOST_TRIES: usize = 1 << 16;

/// Why no other program checks the proofs of such a cube.
const NOT_OWN: &str = "only searches for its own goal by all its moves, in htm or qtm, have them";

/// A built-in cube with a goal or moves of the user's own.
pub(super) struct DerivedCube {
    info: PuzzleInfo,
    /// The cube itself, which reads and draws states.
    plain: Arc<dyn Puzzle>,
    /// Stickers of a face: 9 or 4.
    face: usize,
    /// A cube in any of these sets has reached the goal.
    goals: Vec<PartialCube>,
    views: Views,
    /// For each move of the metric: its cost. `None` if it is not allowed.
    costs: Vec<Option<Cost>>,
    /// Whether the goal is the solved cube, held in any way.
    is_solved_goal: bool,
    /// Whether the user allows only some moves.
    some_moves: bool,
    /// The stickers on which plans are replayed.
    reference: FaceletCube,
    checks: Checks,
}

/// A state, of which perhaps only some stickers are known.
pub(super) struct CubeState {
    /// The cubes that it may be.
    set: PartialCube,
    /// The cubes on which plans are replayed: the state itself if it is fully known, else one
    /// possible cube for each view.
    cubes: Vec<Cube>,
}

/// Configures a cube. If the settings have a goal or allowed moves, derives a definition from them.
///
/// `plain` configures the cube itself.
pub(super) fn configure(
    name: &'static str,
    face: usize,
    settings: &Settings,
    plain: &dyn Fn(&Settings) -> Configure,
) -> Configure {
    if !goal::needs_definition(settings) {
        return plain(settings);
    }
    let pairs = pairs(settings);
    if settings.solver != SolverChoice::Optimal {
        return Err(match pairs {
            Pairs::None if settings.cost.is_some() => settings.solver.refused_with("cost"),
            Pairs::None => settings.solver.refused_with("goal or moves"),
            _ => ConfigureError::invalid(format!(
                "the solver {} has no metric {}: expected htm or qtm",
                settings.solver,
                settings.turn_metric()
            )),
        });
    }
    if face == 4 && pairs != Pairs::None {
        return Err(ConfigureError::invalid(format!(
            "{name} has no metric {}, because it may be held in any way: expected htm or qtm",
            settings.turn_metric()
        )));
    }
    if let HeuristicChoice::Named(_) = settings.heuristic {
        let name = match pairs {
            Pairs::None => format!("{name} with a goal, moves or cost"),
            _ => format!("{name} in the metric {}", settings.turn_metric()),
        };
        return Err(settings.heuristic.unknown(&name, "best or none"));
    }
    let metric = match settings.turn_metric() {
        MetricChoice::QuarterTurn => MoveMetric::Quarter,
        MetricChoice::MultiTile => return Err(settings.turn_metric().refused()),
        _ => MoveMetric::Turn,
    };
    let solved = Settings {
        metric: settings.metric.filter(|_| pairs == Pairs::None),
        goal: GoalChoice::Solved,
        heuristic: HeuristicChoice::Best,
        ..settings.clone()
    };
    let plain: Arc<dyn Puzzle> = Arc::from(plain(&solved)?);
    let goals = goal::goals(&settings.goal, face)?;
    let all = AxisMoves::new(pairs);
    let moves = Moves {
        turned: goal::moves(settings, face)?,
        costs: costs::of_moves(settings, &all)?,
        all,
    };
    let wrong = |error: String| ConfigureError::invalid(format!("{name}: the goal: {error}"));
    let ways = goal::ways(&goals, face);
    let (mut shapes, mut images) = (Vec::new(), Vec::new());
    for sets in &ways {
        let image = shape::least_image(sets, &moves).map_err(wrong)?;
        let at = shapes.iter().position(|shape| *shape == image.shape);
        let at = at.unwrap_or_else(|| {
            shapes.push(image.shape.clone());
            shapes.len() - 1
        });
        images.push((at, image));
    }
    // All puzzles together get the memory of the settings.
    let memory = settings.memory / (shapes.len() as u64).max(1);
    let share = Settings { memory, ..settings.clone() };
    let puzzle = |shape: &Shape| {
        let (definition, operators) = shape.definition(name, metric, &moves.all)?;
        FilePuzzle::new(name, definition, operators, metric, &share)
    };
    let searched = shapes.iter().map(puzzle).collect::<Result<Vec<_>, _>>()?;
    let view = |(at, image): (usize, GoalImage)| {
        let moves = views::moves(&searched[at], &moves.all, image.symmetry)?;
        Ok(View { at, image, moves })
    };
    let views = images.into_iter().map(view).collect::<Result<Vec<_>, ConfigureError>>()?;
    let mut costs = vec![None; moves.all.len()];
    if let Some(view) = views.first() {
        for (&number, op) in view.moves.iter().zip(&searched[view.at].model.operators().list) {
            costs[number] = Some(op.cost);
        }
    }
    let is_solved_goal = matches!(settings.goal, GoalChoice::Solved);
    if let ([view], true) = (&views[..], is_solved_goal && pairs != Pairs::None) {
        let own = first_plans::joined(&plain, view.clone(), &moves);
        own.into_iter().for_each(|own| searched[view.at].set_own_plans("two-phase", own));
    }
    let mut info = PuzzleInfo::new(name, Some(settings.turn_metric()));
    info.face_stickers = Some(face);
    let near = |searched: &FilePuzzle| Game::info(searched).has_near_optimal;
    info.has_near_optimal = searched.iter().all(near);
    if let (1, [searched]) = (views.len(), &searched[..]) {
        info.planners.clone_from(&Game::info(searched).planners);
    }
    info.has_costs = costs.iter().flatten().any(|&cost| cost != 1);
    let (goals, some_moves) = (ways.concat(), settings.moves.is_some());
    Ok(Box::new(DerivedCube {
        info,
        plain,
        face,
        goals,
        views: Views { all: moves.all, searched, list: views },
        costs,
        some_moves,
        is_solved_goal,
        reference: FaceletCube::new(CubeMetric::HalfTurn),
        checks: Checks::default(),
    }))
}

/// Which pairs of turns of opposite faces the metric of the settings counts as one move.
fn pairs(settings: &Settings) -> Pairs {
    match settings.turn_metric() {
        MetricChoice::SliceTurn => Pairs::Slices,
        MetricChoice::Axial => Pairs::All,
        _ => Pairs::None,
    }
}

impl DerivedCube {
    /// The only view and its puzzle: see [`Views::only`].
    fn only_view(&self, what: &str) -> Result<(&View, &FilePuzzle)> {
        self.views.only(what, self.is_solved_goal)
    }

    /// A cube of which all stickers are known.
    fn known(&self, cube: Cube) -> CubeState {
        let set = match self.face {
            9 => PartialCube::from(&cube),
            _ => PartialCube::from(&cube2::Pocket::from(cube)),
        };
        CubeState { set, cubes: vec![cube] }
    }

    fn text(&self, cube: &Cube) -> String {
        match self.face {
            9 => Facelets::from(cube).to_string(),
            _ => cube2::PocketFacelets::from(&cube2::Pocket::from(*cube)).to_string(),
        }
    }
}

/// The reference puzzle: the stickers of a cube, solved if one of the sets of goals has the cube.
struct Goals<'a> {
    cube: &'a FaceletCube,
    of: &'a DerivedCube,
}

impl Reference for Goals<'_> {
    type State = Facelets;

    fn successor(&self, state: &Facelets, op: Op) -> Option<Facelets> {
        self.of.costs[op.index()]?;
        let (first, second) = self.of.views.all.turns(op.index());
        let state = self.cube.successor(state, Op::new(first))?;
        second.map_or(Some(state), |turn| self.cube.successor(&state, Op::new(turn)))
    }

    fn is_solved(&self, state: &Facelets) -> bool {
        state.to_cube().is_ok_and(|cube| self.of.goals.iter().any(|goal| goal.contains(&cube)))
    }
}

impl Game for DerivedCube {
    type State = CubeState;

    fn info(&self) -> &PuzzleInfo {
        &self.info
    }
    fn settings(&self) -> &Settings {
        self.views.first().1.settings()
    }
    fn checks(&self) -> &Checks {
        // The searched puzzles check their tables.
        &self.checks
    }

    fn prepare(&self, run: &Run<'_>) -> Result<()> {
        self.views.searched.iter().try_for_each(|searched| Game::prepare(searched, run))
    }

    fn parse(&self, state: &str) -> Result<CubeState, InvalidInput> {
        if has_open(state, self.face) {
            let set = parse_partial(state, self.face)?;
            let cubes =
                self.views.list.iter().map(|view| view.cube(&set)).collect::<Result<_, _>>()?;
            return Ok(CubeState { set, cubes });
        }
        Ok(self.known(match self.face {
            9 => notation::parse_state(state)?,
            _ => cube2::parse_state(state)?.cube(),
        }))
    }

    fn between(&self, state: &CubeState, first: &[Op], last: &[Op]) -> Option<CubeState> {
        let [cube] = &state.cubes[..] else { return None };
        // The moves between are searched for one cube, known in full. A cube that may be held in
        // any way has several solved states.
        if self.known(*cube).set != state.set {
            return None;
        }
        let reference = Goals { cube: &self.reference, of: self };
        let made = |cube: &Cube, moves: &[Op]| {
            let step = |state: Facelets, &op: &Op| reference.successor(&state, op);
            moves.iter().try_fold(Facelets::from(cube), step)?.to_cube().ok()
        };
        let after = made(cube, first)?;
        match last.is_empty() {
            true => Some(self.known(after)),
            // After turns of a slice, moves have other names.
            false
                if self.is_solved_goal
                    && self.face == 9
                    && self.views.all.kind() != Pairs::Slices =>
            {
                Some(self.known(made(&Cube::SOLVED, last)?.compose(&after)))
            }
            false => None,
        }
    }

    fn describe(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        let held = self.parse(state)?;
        if self.some_moves {
            self.views.starts(&held.set)?;
        }
        if !has_open(state, self.face) {
            return self.plain.read(state);
        }
        let stickers = state.split_whitespace().collect();
        Ok(StateInfo::new(vec![("facelets", stickers)]))
    }

    /// Reads a plan in the notation of the cube, and returns it as allowed moves.
    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        let moves: Vec<Move> = cubes::moves(plan, self.face)?;
        let mut made = Plan::new();
        let read = self.views.all.read(&moves);
        for (&number, name) in read.iter().zip(self.views.all.names(&read)) {
            let quarter = number / 3 * 3;
            if self.costs[number].is_some() {
                made.push(Op::new(number));
            } else if self.views.all.is_half_turn(number) && self.costs[quarter].is_some() {
                made.extend([Op::new(quarter); 2]);
            } else {
                return Err(InvalidInput::new(format_args!("{name} is not among the moves")));
            }
        }
        Ok(made)
    }

    /// Operators are numbers of moves.
    fn operator(&self, op: Op) -> String {
        self.names(&[op]).concat()
    }

    fn names(&self, plan: &[Op]) -> Vec<String> {
        let numbers: Vec<usize> = plan.iter().map(|op| op.index()).collect();
        self.views.all.names(&numbers)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        self.plain.invert(moves)
    }

    fn compose(&self, states: &[&str]) -> Result<String, InvalidInput> {
        self.plain.compose(states)
    }

    fn inverse(&self, state: &str) -> Result<String, InvalidInput> {
        self.plain.inverse(state)
    }

    fn cost(&self, plan: &[Op]) -> u64 {
        plan.iter().map(|op| u64::from(self.costs[op.index()].unwrap_or(1))).sum()
    }

    /// Replays a plan on the stickers of each cube. Succeeds if the plan solves one of them.
    fn replay(&self, state: &CubeState, plan: &[Op]) -> Result<(), plan::Invalid> {
        let reference = Goals { cube: &self.reference, of: self };
        let mut replays =
            state.cubes.iter().map(|cube| plan::validate(&reference, &Facelets::from(cube), plan));
        let first = replays.next().unwrap_or(Err(plan::Invalid::NotSolved));
        if first.is_ok() || replays.any(|replay| replay.is_ok()) { Ok(()) } else { first }
    }

    fn encoding(&self, state: &CubeState) -> Result<Encoding, String> {
        self.views.encoding(&state.set)
    }
    fn plain(&self) -> Result<PlainPuzzle, String> {
        Err(NOT_OWN.to_owned())
    }

    fn pruning(&self) -> String {
        self.views.first().1.pruning()
    }

    fn search(&self, start: &CubeState, run: &mut Run<'_>) -> Result<()> {
        self.views.search(&start.set, &|plan| self.cost(plan), run)
    }

    /// The searched puzzles name the turns of a cube that is held another way.
    fn allowed<'s>(&'s self, _: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        Ok(None)
    }

    fn reduced<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        let (view, searched) = self.views.first();
        let Some(allowed) = searched.allowed(run)? else { return Ok(None) };
        let op = |number: &Op| view.moves.iter().position(|&own| own == number.index());
        Ok(Some(Box::new(move |plan| {
            let plan: Option<Plan> = plan.iter().map(|number| op(number).map(Op::new)).collect();
            plan.is_some_and(|plan| allowed(&plan))
        })))
    }

    fn is_simple(&self, _: &CubeState, _: &[Op]) -> bool {
        true
    }

    fn has(&self, ability: Ability) -> bool {
        ability != Ability::Scramble || self.some_moves || self.plain.scrambler().is_some()
    }

    /// States that the allowed moves reach, as far as the goal tells them apart.
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        if let (false, Some(plain)) = (self.some_moves, self.plain.scrambler()) {
            return plain.scrambles(seed);
        }
        let mut random = Random::new(seed);
        let (view, searched) = self.views.first();
        let mut state = move || view.cube_of(&searched.scramble(&mut random)?);
        let cube = move || (0..MOST_TRIES).find_map(|_| state());
        Box::new(std::iter::from_fn(cube).map(|cube| self.text(&cube)))
    }

    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>> {
        if !self.some_moves {
            return self.plain.scrambler()?.move_scrambles(seed, request);
        }
        let (view, searched) = self.views.first();
        let drawn = searched.move_scrambles(seed, request)?;
        let all = &self.views.all;
        let scrambles = drawn.scrambles.map(|turns| Ok(view.names(searched, all, &turns?)));
        Some(MoveScrambles { scrambles: Box::new(scrambles), ..drawn })
    }

    fn count_states(&self, depth: usize, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<()> {
        self.only_view("states are not counted")?.1.count_states(depth, run, tell)
    }

    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>> {
        self.views.first().1.count_sequences(depth, run)
    }

    fn learn(&self, depth: usize, dot: bool, run: &Run<'_>) -> Result<Learned> {
        self.views.first().1.learn(depth, dot, run)
    }
}

impl GameTables for DerivedCube {
    fn owns(&self, table: &str) -> bool {
        self.views.searched.iter().any(|one| one.owns(table))
    }

    fn explain(&self, run: &Run<'_>) -> Result<Vec<TableCandidate>> {
        self.views.of_all(|searched| searched.explain(run))
    }

    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        self.views.of_all(|searched| searched.build(run))
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        self.views.of_all(|searched| searched.histograms(run))
    }
}

impl GameStates for DerivedCube {
    fn count_all(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let (view, searched) = self.only_view("states are not counted")?;
        let states = searched.farthest(antipodes, run, tell)?;
        let cubes = states.iter().filter_map(|state| view.cube_of(state));
        Ok(cubes.map(|cube| self.text(&cube)).collect())
    }

    fn count_from(&self, from: &str, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<()> {
        let (view, searched) = self.only_view("states are not counted")?;
        let wrong = |error: &dyn Display| Failure::refused(format!("--from {from}: {error}"));
        let choice = GoalChoice::State(from.to_owned());
        let sets = goal::goals(&choice, self.face).map_err(|error| wrong(&error))?;
        let options = |set| view.options(set).map_err(|error| wrong(&error));
        let sets = sets.iter().map(options).collect::<Result<Vec<_>>>()?;
        searched.count_from(&sets, run, tell)
    }

    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        self.only_view("nothing is predicted")?.1.predict(bound, run)
    }
}
