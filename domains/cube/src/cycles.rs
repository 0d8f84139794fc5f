//! Cubes in cycle notation, such as `(ulb)+(ubr)-`.

use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
use std::fmt;

/// A cube written as cycles of its cubies. The solved cube is `()`.
///
/// The notation is David Singmaster's, as in Joe Fowler's "Algorithmic approaches to solving the
/// Rubik's cube" (2002, section 1.5). `(uf,ub,df)` takes the cubie at UF to UB, with its U sticker
/// to the U face. It takes the cubie at UB to DF, and the one at DF to UF.
///
/// A sign says how the last cubie comes to the first place: turned clockwise (`+` of a corner),
/// turned counterclockwise (`-`) or flipped (`+` of an edge). Solved cubies are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycles<'a>(pub &'a Cube);

/// A text is not cycle notation. The error has the column where reading failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: found {found}, expected {expected}")]
pub struct CyclesError {
    column: usize,
    found: String,
    expected: &'static str,
}

impl fmt::Display for Cycles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.0.parts();
        if parts == Parts::SOLVED {
            return f.write_str("()");
        }
        write_cycles(f, &parts.corners, &parts.twists, 3, &CORNER_NAMES)?;
        write_cycles(f, &parts.edges, &parts.flips, 2, &EDGE_NAMES)
    }
}

/// Writes the cycles of the corners or of the edges.
fn write_cycles(
    f: &mut fmt::Formatter<'_>,
    pieces: &[u8],
    turns: &[u8],
    size: usize,
    names: &[&str],
) -> fmt::Result {
    let mut done = vec![false; pieces.len()];
    for start in 0..pieces.len() {
        if done[start] || usize::from(pieces[start]) == start && turns[start] == 0 {
            continue;
        }
        // The first sticker of the cubie at `start` comes to facelet `turn` of the place `at`.
        let (mut at, mut turn) = (start, 0);
        let mut cubies = Vec::new();
        while !done[at] {
            done[at] = true;
            let name = names[at].to_lowercase();
            cubies.push(format!("{}{}", &name[turn..], &name[..turn]));
            let Some(next) = pieces.iter().position(|&piece| usize::from(piece) == at) else {
                break;
            };
            turn = (turn + usize::from(turns[next])) % size;
            at = next;
        }
        let sign = ["", "+", "-"][turn];
        write!(f, "({}){sign}", cubies.join(","))?;
    }
    Ok(())
}

/// Finds a cubie by its name, with its faces in any order. Returns its kind (0 corner, 1 edge), its
/// number, and the index of the first letter in the usual name.
fn find(name: &str) -> Option<(usize, usize, usize)> {
    let upper = name.to_uppercase();
    let first = upper.chars().next()?;
    let same =
        |known: &&str| known.len() == upper.len() && known.chars().all(|c| upper.contains(c));
    let kinds: [&[&str]; 2] = [&CORNER_NAMES, &EDGE_NAMES];
    kinds.iter().enumerate().find_map(|(kind, names)| {
        let number = names.iter().position(same)?;
        Some((kind, number, names[number].find(first)?))
    })
}

impl Cube {
    /// Reads cycle notation, as [`Cycles`] writes it. The cube may be unsolvable: see
    /// [`Cube::check`].
    ///
    /// # Errors
    /// If the text is not cycle notation. The error has the column, what stands there, and what was
    /// expected.
    pub fn from_cycles(text: &str) -> Result<Self, CyclesError> {
        let mut parts = Parts::SOLVED;
        let mut used = [[false; 12]; 2];
        let mut rest = text;
        let error = |rest: &str, expected| {
            let column = text.chars().count() - rest.chars().count() + 1;
            let found = rest.chars().next().map_or("the end".to_owned(), |c| format!("`{c}`"));
            CyclesError { column, found, expected }
        };
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(parts.pack());
            }
            rest = rest.strip_prefix('(').ok_or_else(|| error(rest, "a cycle such as (ulb)+"))?;
            let end = rest.find(')').ok_or_else(|| error("", "`)` after a cycle"))?;
            let mut cycle: Vec<(usize, usize, usize)> = Vec::new();
            let inner = &rest[..end];
            for name in inner.split(',').filter(|_| !inner.trim().is_empty()) {
                let here = &rest[name.as_ptr().addr() - rest.as_ptr().addr()..];
                let cubie =
                    find(name.trim()).ok_or_else(|| error(here, "a cubie such as ulb or uf"))?;
                if std::mem::replace(&mut used[cubie.0][cubie.1], true) {
                    return Err(error(here, "a cubie that was not named before"));
                }
                if cycle.first().is_some_and(|&(kind, ..)| kind != cubie.0) {
                    return Err(error(here, "only corners or only edges in a cycle"));
                }
                cycle.push(cubie);
            }
            rest = &rest[end + 1..];
            let kind = cycle.first().map_or(0, |&(kind, ..)| kind);
            let sign = match (rest.chars().next(), kind) {
                (Some('+'), _) => 1,
                (Some('-'), 0) => 2,
                (Some('-'), _) => return Err(error(rest, "`+` or nothing after a cycle of edges")),
                _ => 0,
            };
            rest = &rest[usize::from(sign > 0)..];
            let (pieces, turns): (&mut [u8], &mut [u8]) = match kind {
                0 => (&mut parts.corners, &mut parts.twists),
                _ => (&mut parts.edges, &mut parts.flips),
            };
            let size = 3 - kind;
            for (i, &(_, from, turn)) in cycle.iter().enumerate() {
                let (_, to, turned) = cycle[(i + 1) % cycle.len()];
                let closing = if i + 1 == cycle.len() { sign } else { 0 };
                pieces[to] = u8::try_from(from).expect("at most 12 cubies");
                let turns_to = (turned + closing + size - turn) % size;
                turns[to] = u8::try_from(turns_to).expect("below three");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_moves;
    use search::random::Random;

    fn cycles(moves: &str) -> String {
        Cycles(&Cube::SOLVED.moved(&parse_moves(moves).unwrap())).to_string()
    }

    #[test]
    fn fowlers_macro_twists_two_corners() {
        assert_eq!(cycles("L (U2 L B' D2 B L')2 L'"), "(ulb)+(ubr)-");
    }

    #[test]
    fn turns_and_the_solved_cube_are_written() {
        assert_eq!(cycles(""), "()");
        assert_eq!(cycles("U"), "(urf,ufl,ulb,ubr)(ur,uf,ul,ub)");
        assert_eq!(cycles("F"), "(urf,rdf,dlf,luf)(uf,rf,df,lf)");
        let flipped = Cube { edges: Cube::SOLVED.edges | 0b101 << 48, ..Cube::SOLVED };
        assert_eq!(Cycles(&flipped).to_string(), "(ur)+(ul)+");
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = Random::new(4);
        for _ in 0..500 {
            let cube = Cube::random(&mut random);
            assert_eq!(Cube::from_cycles(&Cycles(&cube).to_string()), Ok(cube));
        }
        assert_eq!(Cube::from_cycles(" ( ) "), Ok(Cube::SOLVED));
        assert_eq!(Cube::from_cycles("(bul)+ (rub)-"), Cube::from_cycles("(ulb)+(ubr)-"));
    }

    #[test]
    fn complaints_name_the_column() {
        for (text, complaint) in [
            ("ulb", "column 1: found `u`, expected a cycle such as (ulb)+"),
            ("(ulb", "column 5: found the end, expected `)` after a cycle"),
            ("(ulb,udf)", "column 6: found `u`, expected a cubie such as ulb or uf"),
            ("(ulb,uf)", "column 6: found `u`, expected only corners or only edges in a cycle"),
            ("(uf,ub)(df,fu)", "column 12: found `f`, expected a cubie that was not named before"),
            ("(uf,ub)-", "column 8: found `-`, expected `+` or nothing after a cycle of edges"),
            ("(ulb,)", "column 6: found `)`, expected a cubie such as ulb or uf"),
        ] {
            assert_eq!(Cube::from_cycles(text).unwrap_err().to_string(), complaint);
        }
    }
}
