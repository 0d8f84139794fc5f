//! Goals of speed-cubers by name: crosses, first layers, orientations, last layers.

use super::PartialCube;
use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::symmetry;
use crate::turns::FACES;

/// Names of goals of the 3x3x3, as [`named_goal`] reads them.
pub const GOALS_OF_3X3X3: [&str; 12] = [
    "cross",
    "layer",
    "f2l",
    "f2l-slot",
    "last-layer-ignored",
    "oll",
    "pll",
    "eo",
    "dr",
    "corners",
    "edges",
    "solved",
];
/// Names of goals of the 2x2x2.
pub const GOALS_OF_2X2X2: [&str; 5] = ["face", "layer", "oll", "pll", "solved"];

/// A goal has a known name, but what follows its colon is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("goal {name}: found `{found}` after the colon, expected {expected}")]
pub struct GoalNameError {
    name: String,
    found: String,
    expected: &'static str,
}

const A_FACE: &str = "one of the faces U R F D L B, a colour such as white, or any";
const AN_AXIS: &str = "one of the axes UD, RL and FB, or any";
const A_SLOT: &str = "a corner such as DFR, whose first face is that of the cross, an edge next to \
                      the cross on D such as FR, one of the faces U R F D L B, a colour such as \
                      white, or any";
const NOTHING: &str = "nothing";

/// Reads the name of a goal, and returns the sets of cubes that reach it. A cube in any of these
/// sets has reached the goal. `face` is the number of stickers of a face, 9 or 4.
///
/// | name | goal | default |
/// |---|---|---|
/// | `cross:FACE` | the edges of a face at home | D |
/// | `layer:FACE` | its edges and corners at home | D |
/// | `f2l:FACE`, `last-layer-ignored:FACE` | everything but the opposite layer at home | D |
/// | `f2l-slot:CORNER` | a cross, one of its corners, and the edge above it at home | D |
/// | `oll:FACE` | the other two layers at home, and this face of one colour | U |
/// | `pll:FACE` | solved, up to a turn of this face | U |
/// | `eo:AXIS` | all edges such that no quarter turns of this axis are needed to solve them | FB |
/// | `dr:AXIS` | solvable with half turns, and quarter turns of this axis | UD |
/// | `corners`, `edges`, `solved` | these at home, or all | |
///
/// A colour stands for its face on a cube held with white up and green in front: `cross:white` is
/// `cross:U`.
///
/// `f2l-slot:` also takes a face, for any of the four slots of its cross. Or it takes an edge such
/// as `FR`, for a slot of the cross on D. With `any`, one face or axis is enough.
///
/// On the 2x2x2 (`face` is 4) there are `layer`, `oll`, `pll` and `solved`, and `face:FACE` for a
/// face of one colour. The sets are for one way to hold the puzzle. [`PartialCube::held`] gives the
/// sets for all ways.
///
/// `None` if the text does not begin with the name of a goal.
///
/// # Errors
/// If the name is one, but what follows its colon is not allowed.
pub fn named_goal(text: &str, face: usize) -> Option<Result<Vec<PartialCube>, GoalNameError>> {
    let (name, given) = match text.split_once(':') {
        Some((name, given)) => (name, Some(given.trim())),
        None => (text, None),
    };
    let name = name.trim().to_ascii_lowercase();
    let names = if face == 9 { &GOALS_OF_3X3X3[..] } else { &GOALS_OF_2X2X2[..] };
    if !names.contains(&&*name) {
        return None;
    }
    let upper = given.map(str::to_ascii_uppercase);
    let (sets, expected) = goal(&name, upper.as_deref().map(face_of_colour));
    let wrong = || GoalNameError { name, found: given.unwrap_or_default().to_owned(), expected };
    let of_corners = |set: PartialCube| match face {
        9 => set,
        _ => PartialCube { edges: PartialCube::ANY.edges, ..set },
    };
    let sets = sets.map(|sets| sets.into_iter().map(of_corners).collect());
    Some(sets.ok_or_else(wrong))
}

/// The sets of a goal, and a description of what may follow its colon. `None` in place of the sets
/// if `given` is something else.
fn goal(name: &str, given: Option<&str>) -> (Option<Vec<PartialCube>>, &'static str) {
    let of_faces = |default: char, sets: &dyn Fn(char) -> Vec<PartialCube>| {
        let faces = match given {
            None => Some(vec![default]),
            Some("ANY") => Some(FACES.to_vec()),
            Some(given) => face(given).map(|face| vec![face]),
        };
        let sets = faces.map(|faces| faces.into_iter().flat_map(sets).collect());
        (sets, A_FACE)
    };
    let of_axes = |default: usize, base: usize, set: &PartialCube| {
        let axes = match given {
            None => Some(vec![default]),
            Some("ANY") => Some(vec![0, 1, 2]),
            Some(given) => axis(given).map(|axis| vec![axis]),
        };
        let sets = axes.map(|axes| axes.into_iter().map(|to| set.image(turn(base, to))).collect());
        (sets, AN_AXIS)
    };
    let whole = |set: PartialCube| (given.is_none().then(|| vec![set]), NOTHING);
    match name {
        "cross" => of_faces('D', &|face| vec![cross(face)]),
        "layer" => of_faces('D', &|face| vec![PartialCube::at_home(|name| name.contains(face))]),
        "f2l" | "last-layer-ignored" => of_faces('D', &|face| vec![two_layers(face)]),
        "face" => of_faces('D', &|face| vec![one_colour(face, PartialCube::ANY)]),
        "oll" => of_faces('U', &|face| vec![one_colour(face, two_layers(opposite(face)))]),
        "pll" => of_faces('U', &|face| turned(face).to_vec()),
        "f2l-slot" => (slots(given.unwrap_or("D")), A_SLOT),
        "eo" => of_axes(2, 2, &unflipped()),
        "dr" => of_axes(0, 0, &domino()),
        "corners" => whole(PartialCube::at_home(|name| name.len() == 3)),
        "edges" => whole(PartialCube::at_home(|name| name.len() == 2)),
        _ => whole(PartialCube::from(&Cube::SOLVED)),
    }
}

/// The face of a colour, on a cube held with white up and green in front. Other texts are returned
/// unchanged.
fn face_of_colour(text: &str) -> &str {
    match text {
        "WHITE" => "U",
        "YELLOW" => "D",
        "GREEN" => "F",
        "BLUE" => "B",
        "RED" => "R",
        "ORANGE" => "L",
        other => other,
    }
}

fn face(text: &str) -> Option<char> {
    FACES.into_iter().find(|&face| text.chars().eq([face]))
}

fn opposite(face: char) -> char {
    let at = FACES.iter().position(|&other| other == face).unwrap_or(0);
    FACES[(at + 3) % 6]
}

/// The axis of a face or of two opposite faces: U and D, R and L, F and B are 0 to 2.
fn axis(text: &str) -> Option<usize> {
    (0..3).find(|&axis| {
        let faces = [FACES[axis], FACES[axis + 3]];
        !text.is_empty() && text.len() < 3 && text.chars().all(|c| faces.contains(&c))
    })
}

/// The number of a rotation that takes one axis to another.
fn turn(from: usize, to: usize) -> usize {
    let takes = |&s: &usize| symmetry::relabel_face(s, from).0 % 3 == to && !symmetry::mirrored(s);
    (0..symmetry::COUNT).find(takes).unwrap_or(0)
}

fn cross(face: char) -> PartialCube {
    PartialCube::at_home(|name| name.len() == 2 && name.contains(face))
}

/// The cubes with all pieces at home, except those in the layer opposite to a face.
fn two_layers(face: char) -> PartialCube {
    let other = opposite(face);
    PartialCube::at_home(|name| !name.contains(other))
}

/// The set `all`, but in each slot of a face exactly the pieces that show its colour there.
fn one_colour(face: char, mut all: PartialCube) -> PartialCube {
    let shown = |names: &[&str], turns: usize, all: &mut [u32]| {
        let at = |name: &str| name.find(face);
        for (slot, here) in names.iter().zip(all).filter_map(|(name, all)| Some((at(name)?, all))) {
            let pieces = names.iter().enumerate().filter_map(|(i, name)| Some((i, at(name)?)));
            let shown = pieces.map(|(i, own)| 1 << (turns * i + (slot + turns - own) % turns));
            *here = shown.fold(0, |all, bit: u32| all | bit);
        }
    };
    shown(&CORNER_NAMES, 3, &mut all.corners);
    shown(&EDGE_NAMES, 2, &mut all.edges);
    all
}

/// The solved cube after 0 to 3 quarter turns of a face.
fn turned(face: char) -> [PartialCube; 4] {
    let at = FACES.iter().position(|&other| other == face).unwrap_or(0);
    std::array::from_fn(|quarters| match quarters {
        0 => PartialCube::from(&Cube::SOLVED),
        quarters => PartialCube::from(&Cube::SOLVED.turned(3 * at + quarters - 1)),
    })
}

/// The cubes without flipped edges. Only quarter turns of F and B flip edges.
fn unflipped() -> PartialCube {
    PartialCube { edges: [0x55_5555; 12], ..PartialCube::ANY }
}

/// The cubes without twists and flips whose four edges of the layer between U and D lie in this
/// layer.
fn domino() -> PartialCube {
    let edge = |slot| if slot < 8 { 0x00_5555 } else { 0x55_0000 };
    PartialCube { corners: [0x24_9249; 8], edges: std::array::from_fn(edge) }
}

/// The sets with a cross and one slot filled. `None` if the text names no slot.
fn slots(text: &str) -> Option<Vec<PartialCube>> {
    let slot = |face: char, corner: &str| {
        let edge = EDGE_NAMES
            .into_iter()
            .find(|edge| !edge.contains(face) && edge.chars().all(|other| corner.contains(other)));
        let filled = |name: &str| name == corner || Some(name) == edge;
        PartialCube::at_home(|name| filled(name) || name.len() == 2 && name.contains(face))
    };
    let of_face = |face: char| {
        let corners = CORNER_NAMES.into_iter().filter(move |corner| corner.contains(face));
        corners.map(move |corner| slot(face, corner)).collect::<Vec<_>>()
    };
    if text == "ANY" {
        return Some(FACES.into_iter().flat_map(of_face).collect());
    }
    if let Some(face) = face(text) {
        return Some(of_face(face));
    }
    let three = if text.len() == 2 { format!("D{text}") } else { text.to_owned() };
    let same = |corner: &&str| {
        corner.len() == three.len() && corner.chars().all(|face| three.contains(face))
    };
    let corner = CORNER_NAMES.into_iter().find(same)?;
    Some(vec![slot(three.chars().next()?, corner)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_moves;

    fn sets(text: &str) -> Vec<PartialCube> {
        named_goal(text, 9).unwrap().unwrap()
    }

    fn reached(goal: &str, moves: &str) -> bool {
        let cube = Cube::SOLVED.moved(&parse_moves(moves).unwrap());
        sets(goal).iter().any(|set| set.contains(&cube))
    }

    #[test]
    fn goals_are_kept_by_the_moves_that_keep_them() {
        let sune = "R U R' U R U2 R'";
        for (goal, kept, broken) in [
            ("cross", "R U R' U' L' U L", "R U F"),
            ("cross:r", "U L U'", "R U"),
            ("cross:any", "R2", "R U F D"),
            ("cross:White", "D R D R'", "R"),
            ("f2l-slot:yellow", "U", "D"),
            ("layer", "U", "R"),
            ("f2l", sune, "R U R'"),
            ("last-layer-ignored:U", "B R D R' D' B'", "U2 R"),
            ("f2l-slot:FR", "L' U L U2 B U B'", "R U R'"),
            ("f2l-slot", "R U R' U L' U L", "R2 U L2"),
            ("f2l-slot:DLB", "R U R' U F' U F", "L U L'"),
            ("oll", "R U R' U' R' F R2 U' R' U' R U R' F'", sune),
            ("pll", "U2", "R2 U R2"),
            ("eo", "U R D' L F2 B2", "F"),
            ("eo:UD", "F B' R L2 U2", "U"),
            ("dr", "U D' R2 L2 F2 B2", "R"),
            ("dr:F", "F B R2 U2 L2", "U"),
            ("corners", "M2 U2 M2 U2", "U"),
            ("edges", "", "U"),
            ("solved", "x R3 R x'", "U2"),
        ] {
            assert!(reached(goal, kept), "{goal}");
            assert!(!reached(goal, broken), "{goal}");
        }
        assert_eq!((sets("f2l-slot:any").len(), sets("f2l-slot:D").len()), (24, 4));
        assert_eq!((sets("eo:any").len(), sets("cross:any").len(), sets("pll").len()), (3, 6, 4));
    }

    #[test]
    fn what_is_no_goal_is_told() {
        let wrong = |text| named_goal(text, 9).unwrap().unwrap_err().to_string();
        assert_eq!(
            wrong("cross:W"),
            "goal cross: found `W` after the colon, expected one of the faces U R F D L B, a \
             colour such as white, or any"
        );
        assert!(wrong("eo:UF").contains("axes UD, RL and FB"));
        assert!(wrong("corners:U").ends_with("expected nothing"));
        assert!(wrong("f2l-slot:DUF").contains("a corner such as DFR"));
        assert!(named_goal("R U", 9).is_none() && named_goal("cross", 4).is_none());
        assert_eq!(named_goal("face:any", 4).unwrap().unwrap().len(), 6);
    }
}
