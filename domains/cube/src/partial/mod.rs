//! Sets of cubes whose pieces are only partly known, or only partly matter: [`PartialCube`].

mod labels;
mod named;
mod stickers;

pub use labels::{CubeLabels, Ignored, KINDS, Label, LabelRow, LabelsError};
pub use named::{GOALS_OF_2X2X2, GOALS_OF_3X3X3, GoalName, GoalNameError, named_goal};
pub use stickers::{has_open, parse_partial};

use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::{cube2::Pocket, symmetry};

/// A set of cubes: for each slot, the pieces that may lie there, and in which orientations.
///
/// A goal that leaves stickers open is such a set, and so is a state whose stickers are not all
/// known. The set may contain cubes that no turns can solve.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartialCube {
    /// For each corner slot: bit `3 * piece + twist` of each piece that may lie there.
    corners: [u32; 8],
    /// For each edge slot: bit `2 * piece + flip` of each piece that may lie there.
    edges: [u32; 12],
}

const ALL: u32 = 0xff_ffff;

impl From<&Cube> for PartialCube {
    /// The set with this cube alone.
    fn from(cube: &Cube) -> Self {
        Self {
            corners: std::array::from_fn(|slot| 1 << (3 * cube.corner(slot) + cube.twist(slot))),
            edges: std::array::from_fn(|slot| 1 << (2 * cube.edge(slot) + cube.flip(slot))),
        }
    }
}

impl From<&Pocket> for PartialCube {
    /// The cubes with these corners.
    fn from(pocket: &Pocket) -> Self {
        Self { edges: Self::ANY.edges, ..Self::from(&pocket.cube()) }
    }
}

impl PartialCube {
    /// All cubes.
    pub const ANY: Self = Self { corners: [ALL; 8], edges: [ALL; 12] };

    /// The cubes on which the pieces that `at_home` accepts are at home, and the others anywhere.
    /// `at_home` gets the names of pieces, such as `URF` and `DR`.
    pub fn at_home(at_home: impl Fn(&str) -> bool) -> Self {
        let mut all = Self::ANY;
        for (slot, _) in CORNER_NAMES.iter().enumerate().filter(|(_, name)| at_home(name)) {
            all.corners[slot] = 1 << (3 * slot);
        }
        for (slot, _) in EDGE_NAMES.iter().enumerate().filter(|(_, name)| at_home(name)) {
            all.edges[slot] = 1 << (2 * slot);
        }
        all
    }

    /// For each corner slot, the pieces that may lie there: bit `3 * piece + twist`.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// For each edge slot, the pieces that may lie there: bit `2 * piece + flip`.
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// Whether a cube is in the set.
    pub fn contains(&self, cube: &Cube) -> bool {
        let corner = |slot| self.corners[slot] >> (3 * cube.corner(slot) + cube.twist(slot)) & 1;
        let edge = |slot| self.edges[slot] >> (2 * cube.edge(slot) + cube.flip(slot)) & 1;
        (0..8).all(|slot| corner(slot) == 1) && (0..12).all(|slot| edge(slot) == 1)
    }

    /// The cubes in both sets. `None` if some slot has no piece that both allow.
    pub fn and(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        both.corners.iter_mut().zip(&other.corners).for_each(|(own, other)| *own &= other);
        both.edges.iter_mut().zip(&other.edges).for_each(|(own, other)| *own &= other);
        (!both.corners.contains(&0) && !both.edges.contains(&0)).then_some(both)
    }

    /// The set conjugated by a symmetry: slots and pieces are renamed to their images.
    #[must_use]
    pub fn image(&self, symmetry: usize) -> Self {
        let mut image = Self { corners: [0; 8], edges: [0; 12] };
        for (slot, &all) in self.corners.iter().enumerate() {
            for (piece, twist) in members(all, 3) {
                let [to, piece, twist] = symmetry::corner_image(symmetry, [slot, piece, twist]);
                image.corners[to] |= 1 << (3 * piece + twist);
            }
        }
        for (slot, &all) in self.edges.iter().enumerate() {
            for (piece, flip) in members(all, 2) {
                let [to, piece, flip] = symmetry::edge_image(symmetry, [slot, piece, flip]);
                image.edges[to] |= 1 << (2 * piece + flip);
            }
        }
        image
    }

    /// The images of this set under the 24 rotations of a whole 2x2x2, sorted and without
    /// duplicates. They leave all edges open.
    pub fn held(&self) -> Vec<Self> {
        let ways = Pocket::held();
        let mut all: Vec<Self> = ways.map(|way| self.after(&way.cube())).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The image of this set under a rotation of the whole 2x2x2. It leaves all edges open.
    fn after(&self, whole: &Cube) -> Self {
        let corner = |slot: usize| {
            let turned = |bits, (piece, twist)| {
                bits | 1_u32 << (3 * piece + (twist + usize::from(whole.twist(slot))) % 3)
            };
            members(self.corners[usize::from(whole.corner(slot))], 3).fold(0_u32, turned)
        };
        Self { corners: std::array::from_fn(corner), edges: Self::ANY.edges }
    }
}

/// The pieces and orientations in a set of bits. `turns` is the number of orientations of a piece.
fn members(all: u32, turns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..24).filter(move |bit| all >> bit & 1 == 1).map(move |bit| (bit / turns, bit % turns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_moves;

    fn after(moves: &str) -> Cube {
        Cube::SOLVED.moved(&parse_moves(moves).unwrap())
    }

    #[test]
    fn images_contain_the_images_of_cubes() {
        let cross = PartialCube::at_home(|name| name.len() == 2 && name.contains('D'));
        let cube = after("R U R' F' U F");
        assert!(cross.contains(&cube) && !cross.contains(&after("R")));
        let (exact, any) = (PartialCube::from(&cube), &PartialCube::ANY);
        for s in 0..symmetry::COUNT {
            let image = symmetry::conjugate(s, &cube);
            assert_eq!(exact.image(s), PartialCube::from(&image));
            assert!(cross.image(s).contains(&image) && any.image(s) == *any);
        }
    }

    #[test]
    fn a_small_cube_is_held_in_24_ways() {
        let held = PartialCube::from(&Pocket::SOLVED).held();
        assert_eq!(held.len(), 24);
        assert!(held.iter().all(|way| way.edges == PartialCube::ANY.edges));
        assert_eq!(PartialCube::ANY.held(), [PartialCube::ANY]);
        let layer = PartialCube::at_home(|name| name.len() == 3 && name.contains('D'));
        assert_eq!(layer.held().len(), 24);
    }
}
