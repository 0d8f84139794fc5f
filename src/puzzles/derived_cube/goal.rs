//! Reads the goal of a cube: a name, stickers, or any other state.

use super::shape::FaceTurn;
use crate::puzzle::InvalidInput;
use crate::puzzles::names::{did_you_mean, near};
use crate::settings::{ConfigureError, GoalChoice, Settings};
use cube::notation::{Layer, Move, Pairs, parse_moves};
use cube::partial::{CubeLabels, GoalName, PartialCube, has_open, named_goal, parse_partial};
use cube::{cube2, notation};

/// Whether the settings have a goal other than the solved state, allow only some moves, or count
/// other moves as one. The built-in cubes search none of these.
pub(super) fn needs_definition(settings: &Settings) -> bool {
    let goal = match &settings.goal {
        GoalChoice::Solved => false,
        GoalChoice::State(text) => !text.trim().eq_ignore_ascii_case("solved"),
    };
    let counts = settings.cost.is_some() || super::pairs(settings) != Pairs::None;
    goal || settings.moves.is_some() || counts
}

/// The sets of cubes that a goal describes: a cube in any of them has reached it. `face` is the
/// number of stickers of a face, 9 or 4.
pub(super) fn goals(goal: &GoalChoice, face: usize) -> Result<Vec<PartialCube>, ConfigureError> {
    match goal {
        GoalChoice::Solved => read("solved", face),
        GoalChoice::State(text) => read(text, face),
    }
}

fn read(text: &str, face: usize) -> Result<Vec<PartialCube>, ConfigureError> {
    let (text, names): (_, Vec<&str>) =
        (text.trim(), GoalName::all(face).iter().map(|goal| goal.name).collect());
    let wrong = |error: InvalidInput| {
        let (all, first) = (names.join(", "), names[0]);
        let (stickers, meant) = (6 * face, meant(text, &names));
        ConfigureError::from(error.reworded(|error| {
            format!(
                "the goal {text:?}: {meant}{error}; a goal is one of {all}, also with a face as in \
                 {first}:F or {first}:any, or {stickers} stickers with `.` for those that do not \
                 matter, or a state"
            )
        }))
    };
    if let Some(sets) = named_goal(text, face) {
        return sets.map_err(ConfigureError::invalid);
    }
    if text.is_empty() {
        return Err(wrong(InvalidInput::new("it is empty")));
    }
    if has_open(text, face) {
        let set = parse_partial(text, face).map_err(|error| wrong(error.into()))?;
        return Ok(vec![set]);
    }
    let set = match face {
        9 => notation::parse_state(text)
            .map(|cube| PartialCube::from(&cube))
            .map_err(InvalidInput::from),
        _ => cube2::parse_state(text)
            .map(|cube| PartialCube::from(&cube))
            .map_err(InvalidInput::from),
    };
    Ok(vec![set.map_err(wrong)?])
}

/// Names of goals near a misspelt one, as the beginning of an error text.
fn meant(text: &str, names: &[&str]) -> String {
    let name = text.split([':', '+', '/']).next().unwrap_or_default().trim();
    did_you_mean(&near(name, names.iter().map(|own| (*own, vec![*own]))))
}

/// The turns of faces that plans may make, each with all its powers. `None` allows all.
///
/// Without a list in the settings, a 2x2x2 gets turns of three faces, unless moves have costs. As
/// it may be turned as a whole, these do what turns of all six faces do.
pub(super) fn moves(
    settings: &Settings,
    face: usize,
) -> Result<Option<Vec<FaceTurn>>, ConfigureError> {
    let Some(asked) = settings.moves.as_deref() else {
        let three = face == 4 && settings.cost.is_none();
        return Ok(three.then(|| vec![(0, 1), (1, 1), (2, 1)]));
    };
    let wrong = |error: InvalidInput| {
        ConfigureError::from(error.reworded(|error| {
            format!("the allowed moves {asked:?}: {error}; expected turns of faces such as U,R,F2")
        }))
    };
    let moves = parse_moves(&asked.replace(',', " ")).map_err(|error| wrong(error.into()))?;
    if moves.is_empty() {
        return Err(wrong(InvalidInput::new("found no move")));
    }
    let turn = |one: &Move| match one.layer {
        Layer::Face(face) => Ok((usize::from(face), one.quarters)),
        _ if face == 9 => Err(ConfigureError::invalid(format!(
            "the allowed moves {asked:?}: {one} is no turn of a face such as U or F2; the \
             definition 3x3x3-slices.tws has slices as moves of their own"
        ))),
        _ => Err(wrong(InvalidInput::new(format_args!("found {one}")))),
    };
    moves.iter().map(turn).collect::<Result<_, _>>().map(Some)
}

/// The most sets of a cube that are searched one by one where one search would do.
const MOST_WAYS: usize = 24;

/// The ways to reach one of some goals, which are searched one by one. A way is a list of sets: a
/// cube in any of them has reached it.
///
/// A goal of many sets that tell the same pieces apart, such as the arrangements that half turns
/// make, is one way.
///
/// A 2x2x2 has no centres, so a goal holds for each of the 24 ways to hold the cube. If the goal
/// fixes every corner, moves lead to only one of these 24. So each of them is a way of its own.
pub(super) fn ways(goals: &[PartialCube], face: usize) -> Vec<Vec<PartialCube>> {
    let alone = |set: PartialCube| vec![set];
    // How many classes of pieces of each kind some sets tell apart.
    let told = |sets: &[PartialCube]| {
        let labels = CubeLabels::new(sets).ok()?;
        Some([0, 1].map(|kind| labels.turns(kind).len()))
    };
    if face == 9 && goals.len() > MOST_WAYS && told(goals) == told(&goals[..1]) {
        return vec![goals.to_vec()];
    }
    let whole = |goal: &PartialCube| goal.corners().iter().all(|set| set.is_power_of_two());
    let ways = |goal: &PartialCube| match face {
        9 => vec![alone(goal.clone())],
        _ if whole(goal) => goal.held().into_iter().map(alone).collect(),
        _ => vec![goal.held()],
    };
    goals.iter().flat_map(ways).collect()
}
