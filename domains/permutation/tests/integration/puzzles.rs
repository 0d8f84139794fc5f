//! Puzzles for the tests: small files written by hand, and cubes made by rotating vectors.

use fewest_permutation::{
    Definition, Orbit, Orbits, PuzzleState, ReadLimits, TextFormat, Transformation,
};

/// The 2x2x2 held fixed at its corner DBL. Pieces 1 to 7 are UFR, UFL, UBL, UBR, DFR, DFL, DBR.
pub(crate) const POCKET: &str = include_str!("../puzzles/pocket.tws");

/// A definition that uses everything the formats have: identical pieces, unknown orientations,
/// rotations, aliases, sequences, and every rule.
pub(crate) const EVERYTHING: &str = include_str!("../puzzles/everything.tws");

/// A puzzle whose slice may be flipped only if no wide piece lies across it.
pub(crate) const SHAPES: &str = include_str!("../puzzles/shapes.tws");

pub(crate) fn tws(text: &str) -> Definition {
    Definition::from_tws(text, &ReadLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn kpuzzle(text: &str) -> Definition {
    Definition::from_kpuzzle(text, &ReadLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn form(
    form: TextFormat,
    text: &str,
) -> Result<Definition, fewest_permutation::DefinitionError> {
    Definition::read(text.as_bytes(), form, &ReadLimits::default())
}

type Vector = [i32; 3];

/// A vector after a quarter turn about an axis, clockwise as seen from the end of the axis that
/// `sign` names.
fn turned(v: Vector, axis: usize, sign: i32) -> Vector {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = v;
    (out[b], out[c]) = (sign * v[c], -sign * v[b]);
    out
}

const FACES: [(&str, usize, i32); 6] =
    [("U", 1, 1), ("R", 0, 1), ("F", 2, 1), ("D", 1, -1), ("L", 0, -1), ("B", 2, -1)];

/// The normals of the faces that a piece shows: up or down first, else front or back. Those of a
/// corner are in clockwise order.
fn normals(place: Vector) -> Vec<Vector> {
    let normal = |axis: usize| {
        let mut out = [0; 3];
        out[axis] = place[axis];
        out
    };
    let positive = place.iter().product::<i32>() > 0;
    let order = if positive { [1, 0, 2] } else { [1, 2, 0] };
    order.into_iter().filter(|&axis| place[axis] != 0).map(normal).collect()
}

/// The 3x3x3: corners and edges, six face turns, and the rotations x and y.
pub(crate) fn cube() -> Definition {
    let places = |nonzero: usize| {
        let all = (0..27).map(|i| [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1]);
        let all = all.filter(|v: &Vector| v.iter().filter(|&&x| x != 0).count() == nonzero);
        all.collect::<Vec<Vector>>()
    };
    let sets = [places(3), places(2)];
    let orbits = [Orbit::new("CORNERS", 8, 3).unwrap(), Orbit::new("EDGES", 12, 2).unwrap()];
    let orbits = Orbits::new(orbits.to_vec()).unwrap();
    let made = |axis: usize, sign: i32| {
        let rows = sets.iter().map(|set| {
            let mut rows = (vec![0; set.len()], vec![0; set.len()]);
            for (from, &place) in set.iter().enumerate() {
                let moves = place[axis] == sign;
                let turn = |v: Vector| if moves { turned(v, axis, sign) } else { v };
                let to = set.iter().position(|&other| other == turn(place)).unwrap();
                let reference = turn(normals(place)[0]);
                let lies = normals(set[to]).iter().position(|&n| n == reference).unwrap();
                rows.0[to] = u16::try_from(from).unwrap();
                rows.1[to] = u8::try_from(lies).unwrap();
            }
            Some(rows)
        });
        Transformation::new(&orbits, rows.collect()).unwrap()
    };
    let mut cube = Definition::new("3x3x3", &orbits, PuzzleState::ordered(&orbits)).unwrap();
    for (name, axis, sign) in FACES {
        cube.add_move(name, made(axis, sign), 0).unwrap();
    }
    cube
}

/// The text of an NxNxN cube whose pieces are the stickers. It has one move for each layer.
pub(crate) fn stickers(n: i32) -> String {
    use std::fmt::Write;
    let middle = n - 1;
    // Coordinates are doubled, so that they are whole: layers from -middle to middle in steps of 2,
    // stickers at n + 1.
    let layers: Vec<i32> = (0..n).map(|i| 2 * i - middle).collect();
    let mut all: Vec<Vector> = Vec::new();
    for axis in 0..3 {
        for side in [-(n + 1), n + 1] {
            for &u in &layers {
                for &v in &layers {
                    let mut place = [0; 3];
                    (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (side, u, v);
                    all.push(place);
                }
            }
        }
    }
    all.sort_by_key(orbit_of);
    let orbits: Vec<&[Vector]> = all.chunk_by(|a, b| orbit_of(a) == orbit_of(b)).collect();
    let mut out = format!("Name {n}x{n}x{n}\n");
    for (i, orbit) in orbits.iter().enumerate() {
        let _ = writeln!(out, "Set S{i} {} 1", orbit.len());
    }
    out += "Solved\n";
    for (i, orbit) in orbits.iter().enumerate() {
        let colours = orbit.iter().map(|v| v.iter().position(|x| x.abs() == n + 1).unwrap() * 2);
        let colours = colours.zip(orbit.iter()).map(|(c, v)| c + usize::from(v[c / 2] > 0) + 1);
        let _ = writeln!(out, "S{i}\n{}", words(colours));
    }
    out += "End\n";
    for axis in 0..3 {
        for &layer in &layers {
            let _ = writeln!(out, "Move {}{}", ["R", "U", "F"][axis], (layer + middle) / 2 + 1);
            for (i, orbit) in orbits.iter().enumerate() {
                let turns = |v: Vector| v[axis].clamp(-middle, middle) == layer;
                let comes = orbit.iter().map(|&v| {
                    let back = if turns(v) { turned(v, axis, -1) } else { v };
                    orbit.iter().position(|&other| other == back).unwrap() + 1
                });
                if orbit.iter().any(|&v| turns(v)) {
                    let _ = writeln!(out, "S{i}\n{}", words(comes));
                }
            }
            out += "End\n";
        }
    }
    out
}

/// The set of stickers that rotations carry to one another, named by its smallest sticker.
fn orbit_of(place: &Vector) -> Vector {
    let mut all = vec![*place];
    let mut done = 0;
    while let Some(&v) = all.get(done) {
        done += 1;
        for axis in 0..3 {
            let next = turned(v, axis, 1);
            if !all.contains(&next) {
                all.push(next);
            }
        }
    }
    all.into_iter().min().unwrap()
}

fn words(values: impl Iterator<Item = usize>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}
