//! The sets of cubes that reach a goal with one name: [`goal`] and [`crosses`].

use super::super::PartialCube;
use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::symmetry;
use crate::turns::FACES;

const A_FACE: &str = "one of the faces U R F D L B, a colour such as white, or any";
const AN_AXIS: &str = "one of the axes UD, RL and FB, or any";
pub(super) const A_SLOT: &str = "a corner such as DFR, whose first face is that of the cross, an edge next to the cross on D \
     such as FR, one of the faces U R F D L B, a colour such as white, or any";
pub(super) const SLOTS: &str = "as many different slots of one cross as pairs, such as FR-FL or DFR-DFL, one of the faces \
     U R F D L B, a colour such as white, or any";
const A_LINE: &str = "one of the faces U R F D L B, a colour such as white, a face and an axis \
                      beside it such as DFB, or any";
const A_CORNER: &str = "a corner such as DLB, or any";
const AN_EDGE: &str = "an edge such as DL, or any";
const A_SIDE: &str = "a side and the face below it such as LD, one of the faces U R F D L B, a \
                      colour such as white, or any";
const A_BOTTOM: &str = "a face and one of two sides such as DL, one of the faces U R F D L B, a \
                        colour such as white, or any";
const NOTHING: &str = "nothing";

/// The sets of a goal, and a description of what may follow its colon. `None` in place of the sets
/// if `given` is something else.
pub(super) fn goal(name: &str, given: Option<&str>) -> (Option<Vec<PartialCube>>, &'static str) {
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
    // The sets of all pieces with the same faces as the text, or of `default`.
    let of_piece = |default: &str, names: &[&'static str], set: &dyn Fn(&str) -> PartialCube| {
        let given = given.unwrap_or(default);
        let fits = |name: &&&str| given == "ANY" || same_faces(name, given);
        let sets: Vec<_> = names.iter().filter(fits).map(|name| set(name)).collect();
        (!sets.is_empty()).then_some(sets)
    };
    // The sets of two neighbouring faces, of all with the first face, or of all.
    let of_pair = |default: &str, set: &dyn Fn(char, char) -> PartialCube| {
        let given: Vec<char> = given.unwrap_or(default).chars().collect();
        let pairs = FACES.into_iter().flat_map(|a| FACES.into_iter().map(move |b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| a != b && a != opposite(b));
        let fits = |&(a, b): &(char, char)| match &given[..] {
            ['A', 'N', 'Y'] => true,
            [first] => *first == a,
            [first, second] => (*first, *second) == (a, b),
            [first, second, third] => *first == a && *second == b && *third == opposite(b),
            _ => false,
        };
        let mut sets: Vec<_> = pairs.filter(fits).map(|(a, b)| set(a, b)).collect();
        sets.sort_unstable();
        sets.dedup();
        (!sets.is_empty()).then_some(sets)
    };
    match name {
        "cross" => of_faces('D', &|face| vec![cross(face)]),
        "layer" => of_faces('D', &|face| vec![PartialCube::at_home(|name| name.contains(face))]),
        "f2l" | "last-layer-ignored" => of_faces('D', &|face| vec![two_layers(face)]),
        "face" => of_faces('D', &|face| vec![one_colour(face, PartialCube::ANY)]),
        "oll" => of_faces('U', &|face| vec![one_colour(face, two_layers(opposite(face)))]),
        "pll" => of_faces('U', &|face| turned(face).to_vec()),
        "eo" => of_axes(2, 2, &unflipped()),
        "eoline" => (of_pair("DF", &|face, ahead| oriented(ahead, &line(face, ahead))), A_LINE),
        "eocross" => (of_pair("DF", &|face, ahead| oriented(ahead, &cross(face))), A_LINE),
        "dr" => of_axes(0, 0, &domino()),
        "htr" => (given.is_none().then(half_turns), NOTHING),
        "222" => (of_piece("DLB", &CORNER_NAMES, &block), A_CORNER),
        "223" => (of_piece("DL", &EDGE_NAMES, &block), AN_EDGE),
        "fb" => (of_pair("LD", &roux), A_SIDE),
        "f2b" => {
            let both = |face: char, side: char| {
                let (one, other) = (roux(side, face), roux(opposite(side), face));
                one.and(&other).unwrap_or(one)
            };
            (of_pair("DL", &both), A_BOTTOM)
        }
        "corners" => whole(PartialCube::at_home(|name| name.len() == 3)),
        "edges" => whole(PartialCube::at_home(|name| name.len() == 2)),
        _ => whole(PartialCube::from(&Cube::SOLVED)),
    }
}

/// Whether two texts name the same faces, each once.
fn same_faces(name: &str, other: &str) -> bool {
    name.len() == other.len() && name.chars().all(|face| other.contains(face))
}

/// The pieces at home that share no face with the one opposite to a piece: for a corner a block of
/// 2x2x2, for an edge one of 2x2x3.
fn block(piece: &str) -> PartialCube {
    PartialCube::at_home(|name| piece.chars().all(|face| !name.contains(opposite(face))))
}

/// The block of 1x2x3 pieces on a side, beside a face.
fn roux(side: char, face: char) -> PartialCube {
    PartialCube::at_home(|name| name.contains(side) && !name.contains(opposite(face)))
}

/// The edges of a face that lie on the axis of `ahead`.
fn line(face: char, ahead: char) -> PartialCube {
    PartialCube::at_home(|name| name.len() == 2 && name.contains(face) && touches(name, ahead))
}

/// The cubes of a set whose edges need no quarter turns of the axis of a face.
fn oriented(ahead: char, set: &PartialCube) -> PartialCube {
    let axis = FACES.iter().position(|&face| face == ahead).unwrap_or(0) % 3;
    let oriented = unflipped().image(turn(2, axis));
    set.and(&oriented).unwrap_or(oriented)
}

/// The face of a colour, on a cube held with white up and green in front. Other texts are returned
/// unchanged.
pub(super) fn face_of_colour(text: &str) -> &str {
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

/// The cubes that half turns can solve: a set for each of the 96 ways in which they arrange the
/// corners, with every edge in its slice and not flipped.
///
/// A set holds the cubes of the group, and as many that no moves can solve. Edges may lie anywhere
/// in their slices, as long as their parity is that of the corners: 96 times 6912 cubes.
fn half_turns() -> Vec<PartialCube> {
    // The faces that an edge does not touch tell its slice.
    let slice = |name: &str| FACES[..3].iter().position(|face| !touches(name, *face));
    let slots = EDGE_NAMES.map(slice);
    let edge = |slot: usize| {
        let pieces = (0..12).filter(|&piece| slots[piece] == slots[slot]);
        pieces.fold(0, |all, piece| all | 1 << (2 * piece))
    };
    let edges: [u32; 12] = std::array::from_fn(edge);
    let mut cubes = vec![Cube::SOLVED];
    let mut sets = vec![PartialCube { edges, ..PartialCube::from(&Cube::SOLVED) }];
    let mut next = 0;
    while let Some(cube) = cubes.get(next).copied() {
        next += 1;
        for face in 0..6 {
            let turned = cube.turned(3 * face + 1);
            let set = PartialCube { edges, ..PartialCube::from(&turned) };
            if !sets.contains(&set) {
                sets.push(set);
                cubes.push(turned);
            }
        }
    }
    sets
}

/// Whether a piece lies on a face or on the opposite one.
fn touches(name: &str, face: char) -> bool {
    name.contains(face) || name.contains(opposite(face))
}

/// The sets with a cross and so many of its slots filled. `None` if the text names none, or another
/// number of slots.
pub(super) fn crosses(text: &str, pairs: usize) -> Option<Vec<PartialCube>> {
    let with = |face: char, corners: &[&str]| {
        let filled = |name: &str, corner: &&str| {
            name == *corner || name.len() == 2 && name.chars().all(|face| corner.contains(face))
        };
        PartialCube::at_home(|name| match (name.contains(face), name.len()) {
            (true, 2) => true,
            _ => corners.iter().any(|corner| filled(name, corner)),
        })
    };
    let of_face = |face: char| {
        let corners: Vec<&str> =
            CORNER_NAMES.into_iter().filter(|corner| corner.contains(face)).collect();
        let chosen = |set: u32| (0..4).filter(move |corner| set >> corner & 1 == 1);
        let sets = (0..16_u32).filter(|set| set.count_ones() as usize == pairs);
        let of = |set| with(face, &chosen(set).map(|at| corners[at]).collect::<Vec<_>>());
        sets.map(of).collect::<Vec<_>>()
    };
    if text == "ANY" {
        return Some(FACES.into_iter().flat_map(of_face).collect());
    }
    if let Some(face) = face(text) {
        return Some(of_face(face));
    }
    let slot = |text: &str| {
        let three = if text.len() == 2 { format!("D{text}") } else { text.to_owned() };
        let corner = CORNER_NAMES.into_iter().find(|corner| same_faces(corner, &three))?;
        Some((three.chars().next()?, corner))
    };
    let slots: Vec<_> = text.split('-').map(|text| slot(text.trim())).collect::<Option<_>>()?;
    let (face, corners): (Vec<char>, Vec<&str>) = slots.into_iter().unzip();
    let mut different = corners.clone();
    different.sort_unstable();
    different.dedup();
    let fits = different.len() == pairs && corners.len() == pairs;
    (fits && face.iter().all(|own| *own == face[0])).then(|| vec![with(face[0], &corners)])
}
