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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_moves;

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
}
