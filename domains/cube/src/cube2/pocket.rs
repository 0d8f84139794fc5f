//! The state of a 2x2x2: its eight corners, with turns, normalisation and ranks.

use crate::cube::{Cube, Parts, index};
use crate::legality::LegalityError;
use crate::notation::Move;
use crate::turns::{turn_corners, turn_parts};
use pdb::rank::{Orientations, octet};

/// The corner DBL, and the slot with this name. The corner is held fixed: turns of U, R and F do
/// not move it.
const HELD: usize = 6;

/// Ranks the twists of the seven slots that move. The last twist follows from the others.
const TWISTS: Orientations = Orientations::constrained(3, 7, 2);

/// A 2x2x2 as it is held: for each slot, the corner in it and the corner's twist.
///
/// Corners, slots and twists are numbered as on a 3x3x3 ([`CORNER_NAMES`](crate::CORNER_NAMES)). Of
/// 64 bits 40 are used: bits `3i .. 3i + 3` are the corner in slot `i`, bits `24 + 2i .. 26 + 2i`
/// its twist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pocket {
    pub(crate) corners: u64,
}

impl From<Cube> for Pocket {
    /// Takes the corners of a 3x3x3.
    fn from(cube: Cube) -> Self {
        Self { corners: cube.corners }
    }
}

impl Pocket {
    /// The solved puzzle, with every corner at home.
    pub const SOLVED: Self = Self { corners: Cube::SOLVED.corners };
    /// Number of normalised states: 7! 3^6.
    pub const COUNT: u32 = 3_674_160;

    /// The corner in a slot.
    pub fn corner(&self, slot: usize) -> u8 {
        self.cube().corner(slot)
    }
    /// The twist of the corner in a slot.
    pub fn twist(&self, slot: usize) -> u8 {
        self.cube().twist(slot)
    }
    /// A 3x3x3 with these corners, its edges at home.
    pub fn cube(&self) -> Cube {
        Cube { corners: self.corners, ..Cube::SOLVED }
    }
    /// Whether the permutation of the corners is odd.
    pub fn odd(&self) -> bool {
        self.cube().corners_odd()
    }

    /// Checks that turns can solve this state: the twists must sum to 0 modulo 3.
    ///
    /// # Errors
    /// If the sum is not 0. The error has the sum.
    pub fn check(&self) -> Result<(), LegalityError> {
        match self.cube().parts().twists.iter().sum::<u8>() % 3 {
            0 => Ok(()),
            twist => Err(LegalityError { twist, flip: false, parity: false }),
        }
    }

    /// The product: the effect of `self`, then of `then`.
    #[must_use]
    pub fn compose(&self, then: &Self) -> Self {
        self.cube().compose(&then.cube()).into()
    }

    /// The inverse: composed with this state it gives the solved one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.cube().inverse().into()
    }

    /// The state after a face turn `3 * face + quarter turns - 1`, faces in the order U R F D L B.
    #[must_use]
    #[inline(always)]
    pub fn turned(&self, turn: usize) -> Self {
        Self { corners: turn_corners(self.corners, turn) }
    }

    /// The state after some moves, as the puzzle is held after them. Moves act as on the corners of
    /// a 3x3x3: a wide turn moves the corners of its face, a slice turn moves none.
    #[must_use]
    pub fn moved(&self, moves: &[Move]) -> Self {
        self.cube().moved(moves).into()
    }

    /// The state after the rotation of the whole puzzle that brings the corner DBL home. The same
    /// face turns solve both states, up to how the puzzle is held.
    #[must_use]
    pub fn normalised(&self) -> Self {
        let held = 3 * usize::from(self.corner(HELD)) + usize::from(self.twist(HELD));
        WHOLE_TURNS[held].compose(&self.cube().parts()).pack().into()
    }

    /// Whether the puzzle is solved, however it is held.
    pub fn is_solved(&self) -> bool {
        self.normalised() == Self::SOLVED
    }

    /// The solved puzzle, held in each of the 24 ways.
    pub fn held() -> impl Iterator<Item = Self> {
        WHOLE_TURNS.iter().map(|parts| parts.pack().into())
    }

    /// The number of a normalised state, below [`Pocket::COUNT`]: 729 times [`Pocket::order`] plus
    /// [`Pocket::twists`].
    #[inline(always)]
    pub fn rank(&self) -> u32 {
        729 * u32::from(self.order()) + u32::from(self.twists())
    }

    /// The rank of a normalised state's permutation of corners, below 5,040. The order is
    /// lexicographic. It begins with the slot DBL, and the slots after it follow cyclically.
    /// Corners compare by their numbers XOR 6, so that the fixed corner is least.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "24 bits, and ranks below 5,040")]
    pub fn order(&self) -> u16 {
        let named = (self.corners as u32 & 0xff_ffff) ^ 0o6666_6666;
        octet::rank((named >> (3 * HELD) | named << (24 - 3 * HELD)) & 0xff_ffff) as u16
    }

    /// The rank of a normalised state's twists, below 729: in base 3, with slot 7 the units, then
    /// slots 0 to 4.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "ranks below 729")]
    pub fn twists(&self) -> u16 {
        let twists = self.corners >> 24;
        TWISTS.rank(twists >> 14 | twists << 2 & 0x3ffc) as u16
    }

    /// The normalised state with this [rank](Self::rank).
    ///
    /// # Panics
    /// If the rank is not below [`Pocket::COUNT`].
    #[inline(always)]
    pub fn unrank(rank: u32) -> Self {
        assert!(rank < Self::COUNT, "{rank} is no rank: expected less than {}", Self::COUNT);
        let named = octet::unrank(rank / 729);
        let order = (named << (3 * HELD) | named >> (24 - 3 * HELD)) & 0xff_ffff ^ 0o6666_6666;
        let twists = TWISTS.unrank(u64::from(rank % 729));
        let twists = (twists << 14 | twists >> 2) & 0xcfff;
        Self { corners: u64::from(order) | twists << 24 }
    }
}

/// Indexed by three times the corner in slot DBL plus its twist: the turn of the whole puzzle that
/// brings the corner DBL home. Number 18 is the identity.
static WHOLE_TURNS: [Parts; 24] = {
    let mut turns = [Parts::SOLVED; 24];
    // Both layers of an axis together turn the whole puzzle: R L', U D' and F B'.
    let [u, r, f] = [whole(0), whole(1), whole(2)];
    let mut number = 0;
    while number < 64 {
        let turn = power(&u, number / 16)
            .compose(&power(&r, number / 4 % 4))
            .compose(&power(&f, number % 4));
        let mut corner = 0;
        while turn.corners[corner] as usize != HELD {
            corner += 1;
        }
        turns[3 * corner + (3 - turn.twists[corner] as usize) % 3] = turn;
        number += 1;
    }
    turns
};

/// The corners after a quarter turn of the whole puzzle, clockwise as seen on `face`. It equals a
/// turn of the face and a backward turn of the opposite face.
const fn whole(face: usize) -> Parts {
    let both = turn_parts(3 * face).compose(&turn_parts(3 * (face + 3) + 2));
    Parts { corners: both.corners, twists: both.twists, ..Parts::SOLVED }
}

/// The product of `times` copies of `parts`.
const fn power(parts: &Parts, times: usize) -> Parts {
    let (mut power, mut done) = (Parts::SOLVED, 0);
    while done < times {
        power = power.compose(parts);
        done += 1;
    }
    power
}

/// The number of the corner in a slot, and its place `3 * slot + twist`.
#[inline(always)]
pub(super) fn place(pocket: &Pocket, slot: usize) -> (usize, usize) {
    let c = pocket.corners;
    (index(c, 3 * slot, 7), 3 * slot + index(c, 24 + 2 * slot, 3))
}
