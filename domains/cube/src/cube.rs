//! The state of a 3x3x3 cube, packed in two 64-bit words, and its group operations in simple, slow
//! code.

/// The name of each corner piece and corner slot, in the order of their numbers.
pub const CORNER_NAMES: [&str; 8] = ["URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"];
/// The name of each edge piece and edge slot, in the order of their numbers.
pub const EDGE_NAMES: [&str; 12] =
    ["UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"];

/// A 3x3x3 cube whose six centres stay where they are.
///
/// Pieces and slots are numbered as in [`CORNER_NAMES`] and [`EDGE_NAMES`]. Orientations are
/// Herbert Kociemba's. A twist of 1 is a clockwise turn of the piece. Quarter turns of F and B flip
/// their four edges. Turns of U and D twist nothing. The type can also hold cubes that no turns can
/// solve; see [`Cube::check`].
///
/// | word | bits | content |
/// |---|---|---|
/// | `corners` | `3i .. 3i + 3` | the piece in corner slot `i` |
/// | `corners` | `24 + 2i .. 26 + 2i` | its twist, 0 to 2 |
/// | `edges` | `4i .. 4i + 4` | the piece in edge slot `i` |
/// | `edges` | `48 + i` | its flip |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// 40 bits: pieces, then twists.
    pub(crate) corners: u64,
    /// 60 bits: pieces, then flips.
    pub(crate) edges: u64,
}

/// The parts of a [`Cube`], unpacked. The fields may hold anything; [`Cube::from_parts`] checks
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parts {
    /// By corner slot: the piece, below 8.
    pub corners: [u8; 8],
    /// By corner slot: the twist of its piece, below 3.
    pub twists: [u8; 8],
    /// By edge slot: the piece, below 12.
    pub edges: [u8; 12],
    /// By edge slot: the flip of its piece, below 2.
    pub flips: [u8; 12],
}

impl Parts {
    /// Every piece at home.
    pub const SOLVED: Self = Self {
        corners: [0, 1, 2, 3, 4, 5, 6, 7],
        twists: [0; 8],
        edges: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        flips: [0; 12],
    };

    /// The product: the effect of `self`, then of `then`.
    pub(crate) const fn compose(&self, then: &Self) -> Self {
        let mut out = Self::SOLVED;
        let mut slot = 0;
        while slot < 8 {
            let from = then.corners[slot] as usize;
            out.corners[slot] = self.corners[from];
            out.twists[slot] = (self.twists[from] + then.twists[slot]) % 3;
            slot += 1;
        }
        let mut slot = 0;
        while slot < 12 {
            let from = then.edges[slot] as usize;
            out.edges[slot] = self.edges[from];
            out.flips[slot] = self.flips[from] ^ then.flips[slot];
            slot += 1;
        }
        out
    }

    /// The inverse element of the group.
    pub(crate) const fn inverse(&self) -> Self {
        let mut out = Self::SOLVED;
        let mut slot = 0;
        while slot < 8 {
            let piece = self.corners[slot] as usize;
            #[expect(clippy::cast_possible_truncation, reason = "slots are below 8")]
            {
                out.corners[piece] = slot as u8;
            }
            out.twists[piece] = (3 - self.twists[slot]) % 3;
            slot += 1;
        }
        let mut slot = 0;
        while slot < 12 {
            let piece = self.edges[slot] as usize;
            #[expect(clippy::cast_possible_truncation, reason = "slots are below 12")]
            {
                out.edges[piece] = slot as u8;
            }
            out.flips[piece] = self.flips[slot];
            slot += 1;
        }
        out
    }

    /// Packs parts, which must be in range.
    pub(crate) const fn pack(&self) -> Cube {
        let (mut corners, mut edges) = (0, 0);
        let mut slot = 0;
        while slot < 8 {
            corners |= (self.corners[slot] as u64) << (3 * slot);
            corners |= (self.twists[slot] as u64) << (24 + 2 * slot);
            slot += 1;
        }
        let mut slot = 0;
        while slot < 12 {
            edges |= (self.edges[slot] as u64) << (4 * slot);
            edges |= (self.flips[slot] as u64) << (48 + slot);
            slot += 1;
        }
        Cube { corners, edges }
    }
}

/// Extracts a field of a word; `mask` is below 256.
#[inline(always)]
const fn bits(word: u64, shift: usize, mask: u64) -> u8 {
    (word >> shift & mask & 0xff) as u8
}

/// Extracts a field of a word as an index.
#[expect(clippy::cast_possible_truncation, reason = "masks are small")]
#[inline(always)]
pub(crate) const fn index(word: u64, shift: usize, mask: u64) -> usize {
    (word >> shift & mask) as usize
}

impl Cube {
    /// The solved cube.
    pub const SOLVED: Self = Parts::SOLVED.pack();

    /// The piece in a corner slot.
    #[inline(always)]
    pub const fn corner(&self, slot: usize) -> u8 {
        bits(self.corners, 3 * slot, 7)
    }
    /// The twist of the piece in a corner slot.
    #[inline(always)]
    pub const fn twist(&self, slot: usize) -> u8 {
        bits(self.corners, 24 + 2 * slot, 3)
    }
    /// The piece in an edge slot.
    #[inline(always)]
    pub const fn edge(&self, slot: usize) -> u8 {
        bits(self.edges, 4 * slot, 15)
    }
    /// The flip of the piece in an edge slot.
    #[inline(always)]
    pub const fn flip(&self, slot: usize) -> u8 {
        bits(self.edges, 48 + slot, 1)
    }

    /// The parts of the cube.
    pub fn parts(&self) -> Parts {
        Parts {
            corners: std::array::from_fn(|slot| self.corner(slot)),
            twists: std::array::from_fn(|slot| self.twist(slot)),
            edges: std::array::from_fn(|slot| self.edge(slot)),
            flips: std::array::from_fn(|slot| self.flip(slot)),
        }
    }

    /// The product: the effect of `self`, then of `then`. Slot `i` of the result holds the piece in
    /// slot `j` of `self`, where `j` is the piece in slot `i` of `then`.
    #[must_use]
    pub fn compose(&self, then: &Self) -> Self {
        self.parts().compose(&then.parts()).pack()
    }

    /// The inverse: its product with this cube is the solved one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.parts().inverse().pack()
    }

    /// Whether the permutation of the corners is odd.
    pub fn corners_odd(&self) -> bool {
        odd(&self.parts().corners)
    }

    /// Whether the permutation of the edges is odd.
    pub fn edges_odd(&self) -> bool {
        odd(&self.parts().edges)
    }
}

/// Whether a permutation is odd, by its number of inversions.
fn odd(permutation: &[u8]) -> bool {
    let inversions = |(i, x): (usize, &u8)| permutation[..i].iter().filter(|y| *y > x).count();
    permutation.iter().enumerate().map(inversions).sum::<usize>() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turns::GENERATORS;

    #[test]
    fn parts_and_words_are_the_same_cube() {
        let mut cube = Cube::SOLVED;
        for generator in GENERATORS.iter().cycle().take(60) {
            assert_eq!(cube.parts().pack(), cube);
            assert_eq!(cube.compose(&cube.inverse()), Cube::SOLVED);
            assert_eq!(cube.inverse().compose(&cube), Cube::SOLVED);
            assert_eq!(cube.corners_odd(), cube.edges_odd());
            cube = cube.compose(&generator.pack());
        }
        assert_ne!(cube, Cube::SOLVED);
    }

    #[test]
    fn a_swap_is_odd_and_a_three_cycle_even() {
        assert!(odd(&[1, 0, 2]));
        assert!(!odd(&[1, 2, 0]));
    }
}
