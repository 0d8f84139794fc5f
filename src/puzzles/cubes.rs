//! Code that the 3x3x3 and the 2x2x2 share: metrics, learned depths, inverted sequences.

use super::encodings::{Contents, Orbit, of_pieces};
use super::plain;
use crate::puzzle::{InvalidInput, Place};
use crate::settings::{ConfigureError, MetricChoice, Settings};
use crate::solvers::{NamedStage, Solver, StageLine, SubgroupStages};
use cube::notation::{Layer, Move, MovesError, StateError, is_face, parse_moves, stickers};
use cube::partial::has_open;
use cube::{CubeMetric, Parts, StickersError};
use pdb::{SubgroupActions, point_permutation};
use proofs::plain::{PlainBlock, PlainPuzzle};
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::{Domain, Op, PermutationGroup};

impl From<MovesError> for InvalidInput {
    fn from(error: MovesError) -> Self {
        Self::new(&error).at(Place::column(error.column()))
    }
}

impl From<StateError> for InvalidInput {
    fn from(error: StateError) -> Self {
        let place = match &error {
            StateError::Stickers(wrong, _) => Place::stickers(wrong.facelets(), wrong.colour()),
            StateError::KPattern(wrong) => Place::line_and_column(wrong.place()),
            StateError::Moves(wrong, _) => Place::column(wrong.column()),
            _ => Place::default(),
        };
        Self::new(error).at(place)
    }
}

impl From<StickersError> for InvalidInput {
    fn from(error: StickersError) -> Self {
        Self::new(&error).at(Place::stickers(error.facelets(), error.colour()))
    }
}

/// What lies in the slots of the corners, and then of the edges if there are any.
pub(super) fn contents(parts: &Parts, edges: bool) -> Contents {
    let pair = |(&piece, &turn): (&u8, &u8)| (usize::from(piece), usize::from(turn));
    let edges = parts.edges.iter().zip(&parts.flips).filter(|_| edges);
    parts.corners.iter().zip(&parts.twists).chain(edges).map(pair).collect()
}

/// The search from one cube to another as places that hold values: corners, then edges if there are
/// any. `parts` unpacks a state; the effect of an operator is the state that it makes of `goal`,
/// the solved one.
pub(super) fn encoding<D: Domain>(
    domain: &D,
    (start, goal): (&D::State, &D::State),
    name: impl Fn(Op) -> String,
    (edges, parts): (bool, impl Fn(&D::State) -> Parts),
) -> Result<Encoding, EncodingError> {
    let orbit = |slots, orientations| Orbit { slots, kinds: vec![orientations; slots] };
    let orbits = if edges { vec![orbit(8, 3), orbit(12, 2)] } else { vec![orbit(8, 3)] };
    let contents = |state: &D::State| contents(&parts(state), edges);
    let operator = |op: Op| {
        let mut made = goal.clone();
        domain.apply_into(goal, op, &mut made);
        (name(op), 1, contents(&made))
    };
    let operators = (0..domain.operators()).map(Op::new).map(operator).collect();
    of_pieces(&orbits, operators, &contents(start), &[contents(goal)])
}

/// The blocks of a plain puzzle: corners, then edges if there are any. The 2x2x2 has the seven
/// corners that its moves move.
fn blocks(edges: bool) -> Vec<PlainBlock> {
    let block = |pieces, rotations| PlainBlock { pieces, rotations };
    if edges { vec![block(8, 3), block(12, 2)] } else { vec![block(7, 3)] }
}

/// The corner that no move of the 2x2x2 moves: DBL.
const STILL: usize = 6;

/// What lies in the places of the blocks.
fn places(parts: &Parts, edges: bool) -> Contents {
    let mut places = contents(parts, edges);
    if !edges {
        places.remove(STILL);
        places.iter_mut().filter(|(piece, _)| *piece > STILL).for_each(|(piece, _)| *piece -= 1);
    }
    places
}

/// The cube as lines: corners, then edges if there are any. `parts` unpacks a state.
///
/// # Errors
/// If two operators have one name.
pub(super) fn plain<D: Domain>(
    domain: &D,
    solved: &D::State,
    name: impl Fn(Op) -> String,
    (edges, parts): (bool, impl Fn(&D::State) -> Parts),
) -> Result<PlainPuzzle, String> {
    let operator = |op: Op| {
        let mut made = solved.clone();
        domain.apply_into(solved, op, &mut made);
        (name(op), places(&parts(&made), edges))
    };
    let operators = (0..domain.operators()).map(Op::new).map(operator).collect();
    plain::of_pieces(&blocks(edges), operators).map_err(|error| error.to_string())
}

/// The stickers of a cube as lines have them.
pub(super) fn plain_state(parts: &Parts, edges: bool) -> Vec<u16> {
    plain::stickers(&blocks(edges), &places(parts, edges))
}

/// The metric in which a cube turns its faces. [default: half turns]
///
/// # Errors
/// If the metric is for other puzzles.
pub(super) fn metric(settings: &Settings) -> Result<CubeMetric, ConfigureError> {
    match settings.turn_metric() {
        MetricChoice::HalfTurn => Ok(CubeMetric::HalfTurn),
        MetricChoice::QuarterTurn => Ok(CubeMetric::QuarterTurn),
        other => Err(other.refused()),
    }
}

/// Depth of the learned automaton. With this depth, counts of operator sequences equal Korf's
/// published counts.
pub(super) fn depth(metric: CubeMetric) -> usize {
    match metric {
        CubeMetric::HalfTurn => 2,
        CubeMetric::QuarterTurn => 3,
    }
}

/// Reads moves. A text that may also be stickers is refused. `face`: stickers of one face.
pub(super) fn moves(text: &str, face: usize) -> Result<Vec<Move>, InvalidInput> {
    let mut words = text.split_whitespace().peekable();
    let faces = face == 9 && words.peek().is_some() && words.all(|word| is_face(word, face));
    if faces || stickers(text, face).is_some() {
        let wrong = "found what may be stickers: expected moves with blanks between them";
        return Err(InvalidInput::new(wrong));
    }
    Ok(parse_moves(text)?)
}

/// Refuses a state with stickers that are not known. Only a goal says which stickers matter.
/// `face`: stickers of one face.
pub(super) fn refuse_open(text: &str, face: usize) -> Result<(), InvalidInput> {
    match has_open(text, face) {
        true => Err(InvalidInput::new(
            "found a sticker that is not known (`.` or `?`): expected --goal, which says what is \
             to be solved, such as --goal f2l",
        )),
        false => Ok(()),
    }
}

/// The moves that undo a sequence. A text that may be stickers is refused.
pub(super) fn invert(text: &str, face: usize) -> Result<Vec<String>, InvalidInput> {
    Ok(moves(text, face)?.iter().rev().map(|one| one.inverse().to_string()).collect())
}

/// The solver `stages` of a cube. `turn` gives the face turn of an operator: three times the face,
/// plus the quarters less one.
///
/// # Errors
/// If a line has a move that is no operator.
pub(super) fn stages<D: PermutationGroup + Clone + Send + 'static>(
    domain: D,
    lines: Vec<StageLine>,
    turn: fn(&D, Op) -> usize,
) -> Result<Box<dyn Solver<D>>, String> {
    let actions = SubgroupActions::of(&domain).map_err(|error| error.to_string())?;
    let all: Vec<Op> = (0..domain.operators()).map(Op::new).collect();
    let stage = |(name, moves): StageLine| {
        let wrong = |error: &dyn std::fmt::Display| format!("stages: {name}: {error}");
        let moves = parse_moves(&moves.replace(',', " ")).map_err(|error| wrong(&error))?;
        let mut operators = Vec::new();
        for one in &moves {
            // A half turn is its only power. Other turns have three.
            let powers = if one.quarters == 2 { 2..=2 } else { 1..=3 };
            let is_power = |op: &&Op| {
                let (face, quarters) = (turn(&domain, **op) / 3, turn(&domain, **op) % 3 + 1);
                one.layer == Layer::Face(u8::try_from(face).unwrap_or(0))
                    && powers.contains(&quarters)
            };
            let before = operators.len();
            operators.extend(all.iter().filter(is_power));
            if operators.len() == before {
                return Err(wrong(&format_args!("the search has no move {one}")));
            }
        }
        operators.sort_unstable();
        operators.dedup();
        Ok(NamedStage { name, operators })
    };
    let stages = lines.into_iter().map(stage).collect::<Result<_, String>>()?;
    let view = move |state: &D::State| {
        point_permutation(&domain, state)
            .unwrap_or_else(|error| unreachable!("the operators have permutations: {error}"))
    };
    Ok(Box::new(SubgroupStages::new(actions, stages, view)))
}
