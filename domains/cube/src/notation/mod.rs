//! Moves in the notation that speed-cubers use (after David Singmaster), on a cube held in the
//! hand.

mod axis_moves;
pub(crate) mod kpattern;
mod named;
mod orders;
mod parse;
mod state;
mod stickers_or_moves;

pub use axis_moves::{AxisMoves, Pairs};
pub use kpattern::KPatternError;
pub use named::{NAMED, named};
pub use orders::StickerHint;
pub use parse::{MovesError, parse_moves};
pub use state::{StateError, parse_state};
pub(crate) use stickers_or_moves::unfolded;
pub use stickers_or_moves::{is_even, is_face, stickers};

use crate::cube::Cube;
use crate::domain::{Cube3, CubeMetric};
use crate::symmetry;
use crate::turns::FACES;
use search::{Domain, Op, Plan};
use std::fmt;

/// The layers that a move turns. Methods of this crate panic on a number that is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// A face: U R F D L B are 0 to 5.
    Face(u8),
    /// A face and the layer behind it: `Rw` or `r`.
    Wide(u8),
    /// The layer between two faces, in the direction of L, D and F: M E S are 0 to 2.
    Slice(u8),
    /// The whole cube, in the direction of R, U and F: x y z are 0 to 2.
    Whole(u8),
}

/// A move: a layer, and how many quarters it turns clockwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The layer.
    pub layer: Layer,
    /// Quarters clockwise. [range: 1..=3]
    pub quarters: u8,
}

/// For each slice M, E and S: the face in whose direction it turns.
const SLICED: [usize; 3] = [4, 3, 2];

/// For a quarter turn of the whole cube in the direction of each face: the face that each face
/// becomes.
const ROTATIONS: [[u8; 6]; 6] = [
    [0, 2, 4, 3, 5, 1],
    [5, 1, 0, 2, 4, 3],
    [1, 3, 2, 4, 0, 5],
    [0, 5, 1, 3, 2, 4],
    [2, 1, 3, 5, 4, 0],
    [4, 0, 2, 1, 3, 5],
];

impl Move {
    /// The move that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { quarters: (4 - self.quarters % 4) % 4, ..self }
    }

    /// Splits a move into at most two face turns and a rotation of the whole cube. A face turn is a
    /// face, and whether it turns counterclockwise. The rotation is given by a face, whose
    /// clockwise direction it has. All turn by [`Move::quarters`].
    ///
    /// A wide turn equals a turn of the opposite face and a rotation of the whole cube. A slice
    /// turn equals turns of both neighbouring faces and a rotation.
    fn resolve(self) -> ([Option<(usize, bool)>; 2], Option<usize>) {
        let opposite = |face: usize| (face + 3) % 6;
        match self.layer {
            Layer::Face(face) => ([Some((face.into(), false)), None], None),
            Layer::Wide(face) => {
                let face = usize::from(face);
                ([Some((opposite(face), false)), None], Some(face))
            }
            Layer::Slice(slice) => {
                let face = SLICED[usize::from(slice)];
                ([Some((opposite(face), false)), Some((face, true))], Some(face))
            }
            Layer::Whole(axis) => ([None, None], Some([1, 0, 2][usize::from(axis)])),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, wide) = match self.layer {
            Layer::Face(face) => (FACES[usize::from(face)], ""),
            Layer::Wide(face) => (FACES[usize::from(face)], "w"),
            Layer::Slice(slice) => (['M', 'E', 'S'][usize::from(slice)], ""),
            Layer::Whole(axis) => (['x', 'y', 'z'][usize::from(axis)], ""),
        };
        write!(f, "{letter}{wide}{}", ["", "2", "'"][usize::from(self.quarters + 2) % 3])
    }
}

/// Converts each move to at most two face turns `3 * face + quarter turns - 1` of a cube that is
/// never rotated as a whole. Also returns, as a symmetry, the rotation of the whole cube that all
/// moves together make.
fn turns_of_moves(moves: &[Move]) -> (Vec<[Option<usize>; 2]>, usize) {
    let (mut turns, mut held) = (Vec::with_capacity(moves.len()), 0);
    for one in moves {
        let (faces, whole) = one.resolve();
        let quarters = usize::from(one.quarters);
        let back = symmetry::inverse(held);
        turns.push(faces.map(|turn| {
            let (face, backwards) = turn?;
            let turn = 3 * face + if backwards { 3 - quarters } else { quarters - 1 };
            Some(symmetry::relabel_turn(back, turn))
        }));
        if let Some(rotation) = whole.map(|face| symmetry::by_faces(ROTATIONS[face])) {
            held = (0..quarters).fold(held, |held, _| symmetry::product(held, rotation));
        }
    }
    (turns, held)
}

/// As [`turns_of_moves`], all face turns in one list.
fn face_turns(moves: &[Move]) -> (Vec<usize>, usize) {
    let (turns, held) = turns_of_moves(moves);
    (turns.into_iter().flatten().flatten().collect(), held)
}

impl Cube {
    /// The cube after some moves, as it is held after them. Faces, pieces and slots are renamed:
    /// after `x`, the former front face is U.
    #[must_use]
    pub fn moved(&self, moves: &[Move]) -> Self {
        let (turns, held) = face_turns(moves);
        symmetry::conjugate(held, &turns.iter().fold(*self, |cube, &turn| cube.turned(turn)))
    }
}

impl Cube3 {
    /// The name of an operator, such as `R`, `U2` or `F'`.
    pub fn name(&self, op: Op) -> String {
        let turn = self.turn(op);
        format!("{}{}", FACES[turn / 3], ["", "2", "'"][turn % 3])
    }

    /// A plan as moves with blanks between them.
    pub fn plan_text(&self, plan: &[Op]) -> String {
        plan.iter().map(|&op| self.name(op)).collect::<Vec<_>>().join(" ")
    }

    /// Converts moves to a plan that has the same effect, except for rotations of the whole cube.
    /// The operators are those of the cube as it is held before the first move. In the quarter-turn
    /// metric a half turn becomes two operators.
    pub fn plan(&self, moves: &[Move]) -> Plan {
        let op = |turn: usize| match self.metric() {
            CubeMetric::HalfTurn => [Some(turn), None],
            CubeMetric::QuarterTurn if turn % 3 == 1 => [Some(turn - 1), Some(turn - 1)],
            CubeMetric::QuarterTurn => [Some(turn), None],
        };
        let turns = face_turns(moves).0.into_iter().flat_map(op).flatten();
        turns
            .filter_map(|turn| (0..self.operators()).map(Op::new).find(|&op| self.turn(op) == turn))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facelets::Facelets;

    fn after(text: &str) -> Cube {
        Cube::SOLVED.moved(&parse_moves(text).unwrap())
    }

    #[test]
    fn rotations_are_as_they_are_held() {
        for (text, same) in [
            ("x U", "U"),
            ("U x", "B"),
            ("U y", "U"),
            ("R y", "F"),
            ("F z", "F"),
            ("U z", "R"),
            ("x y z2 x' R", "R"),
            ("R x2", "R"),
            ("R y2", "L"),
            ("Rw", "L"),
            ("r", "L"),
            ("r x'", "L"),
            ("u", "D"),
            ("Fw2", "B2"),
            ("l'", "R'"),
            ("M", "R L'"),
            ("E", "U D'"),
            ("S", "F' B"),
            ("M U", "R L' U"),
            ("R M'", "L"),
            ("U E'", "D"),
            ("F S", "B"),
            ("M2 E2 S2", "R2 L2 U2 D2 F2 B2"),
            ("R U r' F", "R F L' F"),
        ] {
            let turns = Cube::SOLVED.moved(&parse_moves(same).unwrap());
            assert_eq!(after(text), turns, "{text} and {same}");
        }
    }

    #[test]
    fn whole_turns_are_the_rotations_of_stickers() {
        for (axis, name) in ["x", "y", "z"].iter().enumerate() {
            let cube = after(&format!("R U F' L2 B {name}"));
            let plain = after("R U F' L2 B");
            let rotation = symmetry::by_faces(ROTATIONS[[1, 0, 2][axis]]);
            assert_eq!(cube, symmetry::conjugate(rotation, &plain));
            assert!(!symmetry::mirrored(rotation));
        }
        // The opposite faces turn the whole cube the other way.
        for face in 0..3 {
            let ways = [face, face + 3].map(|face| symmetry::by_faces(ROTATIONS[face]));
            assert_eq!(symmetry::product(ways[0], ways[1]), 0);
        }
    }

    #[test]
    fn plans_do_what_moves_do() {
        let moves = parse_moves("R U2 r' x M2 F' y E S2 B").unwrap();
        for domain in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(Cube3::new) {
            let plan = domain.plan(&moves);
            let turned = plan.iter().fold(Cube::SOLVED, |cube, &op| cube.turned(domain.turn(op)));
            let (_, held) = face_turns(&moves);
            assert_eq!(symmetry::conjugate(held, &turned), Cube::SOLVED.moved(&moves));
            let text = domain.plan_text(&plan);
            assert_eq!(domain.plan(&parse_moves(&text).unwrap()), plan, "{text}");
        }
    }

    #[test]
    fn moves_print_as_they_are_read() {
        let text = "R U2 F' Rw Lw2 M E' S2 x y' z2";
        let moves = parse_moves(text).unwrap();
        assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), text);
        for one in moves {
            assert_eq!(Cube::SOLVED.moved(&[one, one.inverse()]), Cube::SOLVED, "{one}");
        }
        assert_eq!(
            Facelets::from(&after("")).to_string(),
            Facelets::from(&Cube::SOLVED).to_string()
        );
    }
}
