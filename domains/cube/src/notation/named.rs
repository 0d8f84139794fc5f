//! Well-known positions with names.

use crate::cube::Cube;

/// The names of positions, each with moves that lead to it from the solved cube.
pub const NAMED: [(&str, &str); 8] = [
    ("solved", ""),
    // By Dik Winter, with the fewest face turns.
    ("superflip", "F B U2 R F2 R2 B2 U' D F U2 R' L' U B2 D R2 U B2 U"),
    ("checkerboard", "U2 D2 F2 B2 L2 R2"),
    ("pons-asinorum", "U2 D2 F2 B2 L2 R2"),
    ("four-spot", "F2 B2 U D' R2 L2 U D'"),
    ("six-spot", "U D' R L' F B' U D'"),
    ("cube-in-cube", "F L F U' R U F2 L2 U' L' B D' B' L2 U"),
    // Twenty-six quarter turns away, the farthest in that metric.
    ("superflip-four-spot", "U2 D2 L F2 U' D R2 B U' D' R L F2 R U D' R' L U F' B'"),
];

/// The position with this name (lower case). `None` if it is not in [`NAMED`].
pub fn named(name: &str) -> Option<Cube> {
    let (_, moves) = NAMED.iter().find(|(known, _)| *known == name)?;
    super::parse_moves(moves).ok().map(|moves| Cube::SOLVED.moved(&moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facelets::Facelets;
    use crate::notation::parse_moves;
    use crate::symmetry;

    /// For each face: the sets of colours of its centre, its edges and its corners.
    fn spots(name: &str) -> Vec<[Vec<u8>; 3]> {
        let facelets = Facelets::from(&named(name).unwrap());
        let pick = |face: &[u8], at: &[usize]| {
            let mut colours: Vec<u8> = at.iter().map(|&i| face[i]).collect();
            colours.dedup();
            colours
        };
        let face = |face: &[u8]| [&[4][..], &[1, 3, 5, 7], &[0, 2, 6, 8]].map(|at| pick(face, at));
        facelets.0.chunks(9).map(face).collect()
    }

    #[test]
    fn the_superflip_flips_every_edge() {
        let flipped = Cube { edges: Cube::SOLVED.edges | 0xfff << 48, ..Cube::SOLVED };
        assert_eq!(named("superflip"), Some(flipped));
        // A sequence with the fewest quarter turns, credited to Michael Reid and to Richard
        // Longridge.
        let quarters = "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'";
        assert_eq!(Cube::SOLVED.moved(&parse_moves(quarters).unwrap()), flipped);
    }

    #[test]
    fn patterns_look_like_their_names() {
        let different = |name: &str, ring: usize, count: usize| {
            let faces = spots(name);
            assert!(
                faces.iter().all(|face| face.iter().all(|colours| colours.len() == 1)),
                "{name}"
            );
            assert_eq!(faces.iter().filter(|face| face[0] != face[ring]).count(), count, "{name}");
        };
        different("solved", 1, 0);
        different("checkerboard", 1, 6);
        different("checkerboard", 2, 0);
        different("four-spot", 1, 4);
        different("four-spot", 2, 4);
        different("six-spot", 1, 6);
        different("six-spot", 2, 6);
        let both = named("superflip").unwrap().compose(&named("four-spot").unwrap());
        let found = named("superflip-four-spot").unwrap();
        assert!((0..symmetry::COUNT).any(|i| symmetry::conjugate(i, &both) == found));
        let cube_in_cube = named("cube-in-cube").unwrap();
        assert_eq!((0..8).filter(|&i| usize::from(cube_in_cube.corner(i)) != i).count(), 6);
    }
}
