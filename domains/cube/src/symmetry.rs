//! The 48 symmetries of the cube, computed from the images of its faces.

use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::turns::FACES;

/// Number of symmetries. Number 0 is the identity. The first 16 keep the axis of U and D.
pub const COUNT: usize = 48;
/// Number of symmetries that keep the axis of U and D. They come first.
pub(crate) const AXIS_COUNT: usize = 16;

/// The images of faces and cubies under a symmetry.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    /// For each face: the face it becomes.
    faces: [u8; 6],
    /// Whether the symmetry reflects, so that clockwise becomes counterclockwise.
    mirrored: bool,
    /// For each corner: the corner it becomes, and the number of the facelet that its first facelet
    /// becomes.
    corners: [(u8, u8); 8],
    /// For each edge: the edge it becomes, and the number of the facelet that its first facelet
    /// becomes.
    edges: [(u8, u8); 12],
}

/// All symmetries: each order of the axes, with eight choices of their directions.
///
/// The orders are U R F, U F R, R U F, R F U, F U R, F R U.
static SYMMETRIES: [Symmetry; COUNT] = {
    let mut all =
        [Symmetry { faces: [0; 6], mirrored: false, corners: [(0, 0); 8], edges: [(0, 0); 12] };
            COUNT];
    let mut i = 0;
    while i < COUNT {
        all[i] = Symmetry::new(i);
        i += 1;
    }
    all
};

/// The images of axes 0, 1 and 2 (U-D, R-L, F-B), and whether this permutation is odd. The index is
/// the number of a symmetry divided by 8.
const AXES: [([u8; 3], bool); 6] = [
    ([0, 1, 2], false),
    ([0, 2, 1], true),
    ([1, 0, 2], true),
    ([1, 2, 0], false),
    ([2, 0, 1], false),
    ([2, 1, 0], true),
];

/// The numbers of the faces in a cubie's name.
pub(crate) const fn faces_of<const N: usize>(name: &str) -> [u8; N] {
    let mut faces = [0; N];
    let mut i = 0;
    while i < N {
        let mut face = 0;
        while FACES[face as usize] != name.as_bytes()[i] as char {
            face += 1;
        }
        faces[i] = face;
        i += 1;
    }
    faces
}

#[expect(clippy::cast_possible_truncation, reason = "two or three faces")]
/// The number of the cubie with these faces in any order, and the position of the first face in its
/// name.
const fn find<const N: usize>(names: &[&str], faces: [u8; N]) -> (u8, u8) {
    let mut cubie = 0;
    loop {
        let own: [u8; N] = faces_of(names[cubie as usize]);
        let (mut shared, mut first, mut i) = (0, 0, 0);
        while i < N {
            let mut j = 0;
            while j < N {
                if own[i] == faces[j] {
                    shared += 1;
                    if j == 0 {
                        first = i as u8;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        if shared == N {
            return (cubie, first);
        }
        cubie += 1;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "six faces")]
impl Symmetry {
    const fn new(number: usize) -> Self {
        let (axes, swaps) = AXES[number / 8];
        let signs = number % 8;
        let mut faces = [0; 6];
        let mut face = 0;
        while face < 6 {
            let turned = (signs >> (face % 3) & 1) as u8;
            faces[face] = (axes[face % 3] + 3 * (face as u8 / 3) + 3 * turned) % 6;
            face += 1;
        }
        let mirrored = swaps != (signs.count_ones() % 2 == 1);
        let mut corners = [(0, 0); 8];
        let mut i = 0;
        while i < 8 {
            let [a, b, c] = faces_of(CORNER_NAMES[i]);
            corners[i] =
                find(&CORNER_NAMES, [faces[a as usize], faces[b as usize], faces[c as usize]]);
            i += 1;
        }
        let mut edges = [(0, 0); 12];
        let mut i = 0;
        while i < 12 {
            let [a, b] = faces_of(EDGE_NAMES[i]);
            edges[i] = find(&EDGE_NAMES, [faces[a as usize], faces[b as usize]]);
            i += 1;
        }
        Self { faces, mirrored, corners, edges }
    }
}

/// The cube conjugated by a symmetry: slots and pieces are renamed to their images.
///
/// Sticker `n` of a corner piece lies on facelet `n + twist` of its slot. A symmetry takes sticker
/// `n` of piece `p` to sticker `r(p) + n`, or `r(p) - n` if it reflects. It takes facelets of slots
/// to facelets in the same way. So the new twist is `r(slot) + twist - r(piece)`, or `r(slot) -
/// twist - r(piece)`.
pub fn conjugate(symmetry: usize, cube: &Cube) -> Cube {
    let (mut corners, mut edges) = (0, 0);
    for slot in 0..8 {
        let here = [slot, cube.corner(slot).into(), cube.twist(slot).into()];
        let [to, piece, twist] = corner_image(symmetry, here);
        corners |= (piece as u64) << (3 * to) | (twist as u64) << (24 + 2 * to);
    }
    for slot in 0..12 {
        let here = [slot, cube.edge(slot).into(), cube.flip(slot).into()];
        let [to, piece, flip] = edge_image(symmetry, here);
        edges |= (piece as u64) << (4 * to) | (flip as u64) << (48 + to);
    }
    Cube { corners, edges }
}

/// The images of a corner slot, the piece in it, and its twist.
pub(crate) fn corner_image(symmetry: usize, [slot, piece, twist]: [usize; 3]) -> [usize; 3] {
    let symmetry = &SYMMETRIES[symmetry];
    let [(to, r_slot), (piece, r_piece)] = [symmetry.corners[slot], symmetry.corners[piece]];
    let twist = if symmetry.mirrored { 3 - twist } else { twist };
    let twist = (usize::from(r_slot + 3 - r_piece) + twist) % 3;
    [to.into(), piece.into(), twist]
}

/// The images of an edge slot, the piece in it, and its flip.
pub(crate) fn edge_image(symmetry: usize, [slot, piece, flip]: [usize; 3]) -> [usize; 3] {
    let symmetry = &SYMMETRIES[symmetry];
    let [(to, r_slot), (piece, r_piece)] = [symmetry.edges[slot], symmetry.edges[piece]];
    [to.into(), piece.into(), usize::from(r_slot ^ r_piece) ^ flip]
}

/// The image of each point under a symmetry, if points are numbered so: slot `s` has the points `k
/// s` to `k s + k - 1` with `k = 3` for a corner, and those of edges follow with `k = 2`. Point `i`
/// of a slot has sticker `i + twist` of its piece.
pub fn point_images(symmetry: usize) -> Vec<u16> {
    let Symmetry { mirrored, corners, edges, .. } = &SYMMETRIES[symmetry];
    let image = |first: u16, sides: u16, (to, r): (u8, u8), side: u16| {
        let side = if *mirrored { sides - side } else { side };
        first + u16::from(to) * sides + (sides - u16::from(r) + side) % sides
    };
    let of_corner = |&corner| (0..3).map(move |side| image(0, 3, corner, side));
    let of_edge = |&edge| (0..2).map(move |side| image(24, 2, edge, side));
    corners.iter().flat_map(of_corner).chain(edges.iter().flat_map(of_edge)).collect()
}

/// The image of a face, and whether clockwise turns become counterclockwise.
pub fn relabel_face(symmetry: usize, face: usize) -> (usize, bool) {
    (usize::from(SYMMETRIES[symmetry].faces[face]), SYMMETRIES[symmetry].mirrored)
}

/// The image of a face turn `3 * face + quarter turns - 1`.
pub fn relabel_turn(symmetry: usize, turn: usize) -> usize {
    let (face, mirrored) = relabel_face(symmetry, turn / 3);
    3 * face + if mirrored { 2 - turn % 3 } else { turn % 3 }
}

/// Whether a symmetry reflects.
pub fn mirrored(symmetry: usize) -> bool {
    SYMMETRIES[symmetry].mirrored
}

/// The symmetry that takes each face `f` to `faces[f]`.
///
/// # Panics
/// If there is no such symmetry.
pub(crate) fn by_faces(faces: [u8; 6]) -> usize {
    let found = (0..COUNT).find(|&i| SYMMETRIES[i].faces == faces);
    found.expect("faces that a symmetry makes of U R F D L B")
}

/// The three turns of the whole cube about the corner URF, the identity first.
///
/// In this order, they take the axes U-D, R-L and F-B to the axis U-D.
pub fn axis_turns() -> [usize; 3] {
    [[0, 1, 2, 3, 4, 5], [2, 0, 1, 5, 3, 4], [1, 2, 0, 4, 5, 3]].map(by_faces)
}

/// The four turns of the whole cube about the axis of U and D, the identity first.
pub(crate) fn upright_turns() -> [usize; 4] {
    [[0, 1, 2, 3, 4, 5], [0, 2, 4, 3, 5, 1], [0, 4, 5, 3, 1, 2], [0, 5, 1, 3, 2, 4]].map(by_faces)
}

/// The inverse of a symmetry.
pub fn inverse(symmetry: usize) -> usize {
    (0..COUNT).find(|&i| product(symmetry, i) == 0).expect("symmetries form a group")
}

/// The product of two symmetries: first `a`, then `b`.
pub fn product(a: usize, b: usize) -> usize {
    let (a, b) = (&SYMMETRIES[a].faces, &SYMMETRIES[b].faces);
    by_faces(a.map(|face| b[usize::from(face)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group_with_24_rotations() {
        assert_eq!((0..COUNT).filter(|&i| !mirrored(i)).count(), 24);
        for (i, symmetry) in SYMMETRIES.iter().enumerate() {
            assert_eq!((product(0, i), product(i, 0)), (i, i));
            assert_eq!(product(inverse(i), i), 0);
            assert_eq!(i < AXIS_COUNT, symmetry.faces[0] % 3 == 0, "symmetry {i}");
            assert_eq!(by_faces(symmetry.faces), i);
        }
    }

    #[test]
    fn conjugation_is_an_action_that_keeps_products() {
        let cube = (0..40).fold(Cube::SOLVED, |cube, i| cube.turned(i * 7 % 18));
        let other = (0..30).fold(Cube::SOLVED, |cube, i| cube.turned(i * 5 % 18));
        for i in 0..COUNT {
            assert_eq!(conjugate(i, &Cube::SOLVED), Cube::SOLVED);
            let product_image = conjugate(i, &cube).compose(&conjugate(i, &other));
            assert_eq!(conjugate(i, &cube.compose(&other)), product_image);
            for j in 0..COUNT {
                assert_eq!(conjugate(j, &conjugate(i, &cube)), conjugate(product(i, j), &cube));
            }
        }
    }
}
