//! Which edges are in which slice's slots, and for each slice whether an odd number of its pieces
//! are flipped.

use crate::bytes::EDGE_PLACES;
use crate::cosets::sets::{flips_of, slices, tetrad_sets};
use crate::cube::{Cube, Parts};

/// Number of ways to place the pieces of three slices: 12! / (4! 4! 4!).
pub(super) const ARRANGEMENTS: u32 = 34_650;
/// Number of ways to place the pieces of the second slice, given the places of the third slice's
/// pieces.
pub(super) const SECOND: u32 = 70;
/// All edge places, as a set.
pub(super) const PLACES: u16 = 0xfff;

/// For each of the three slices, the set of places (of [`EDGE_PLACES`]) that hold its pieces. Slice
/// `k` is at home in the places `4 k` to `4 k + 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    pub(super) sets: [u16; 3],
    /// Bit `k` is set if an odd number of the pieces of slice `k` are flipped. The number of set
    /// bits is even.
    pub(super) odd: u8,
}

impl Edges {
    pub(super) const SOLVED: Self = Self { sets: [0x00f, 0x0f0, 0xf00], odd: 0 };

    /// The places and parities of a cube's slices, found piece by piece.
    #[cfg(test)]
    pub(super) fn of(cube: &Cube) -> Self {
        let mut edges = Self { sets: [0; 3], odd: 0 };
        for (place, &slot) in EDGE_PLACES.iter().enumerate() {
            let slice = home_slice(cube, slot);
            edges.sets[slice] |= 1 << place;
            edges.odd ^= cube.flip(slot) << slice;
        }
        edges
    }
}

/// The slice of the piece in a slot.
fn home_slice(cube: &Cube, slot: usize) -> usize {
    let piece = usize::from(cube.edge(slot));
    place_of(piece) / 4
}

/// The place of a slot. The piece with the slot's number is at home in this place.
fn place_of(slot: usize) -> usize {
    EDGE_PLACES.iter().position(|&home| home == slot).expect("twelve edges")
}

/// How a turn or a symmetry changes [`Edges`].
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeMap {
    /// For a set of the first six places, and for a set of the other six: the places they move to.
    sets: [[u16; 64]; 2],
    /// For each slice: the slice that its pieces become.
    slices: [usize; 3],
    /// The places where arriving pieces are flipped. Flips that are common to all places of a slice
    /// are left out: they do not change a parity.
    flipped: u16,
}

impl EdgeMap {
    /// Computes the map from the images of solved cubes in which one piece is flipped or two pieces
    /// are swapped.
    pub(super) fn new(image: impl Fn(&Cube) -> Cube) -> Self {
        let changed = |change: &dyn Fn(&mut Parts)| {
            let mut parts = Parts::SOLVED;
            change(&mut parts);
            image(&parts.pack())
        };
        let solved = image(&Cube::SOLVED);
        let mut map = Self { sets: [[0; 64]; 2], slices: [0; 3], flipped: 0 };
        for (place, &slot) in EDGE_PLACES.iter().enumerate() {
            let one = flips_of(&changed(&|parts| parts.flips[slot] = 1)) ^ flips_of(&solved);
            let slot_after = one.trailing_zeros() as usize % 12;
            let to = place_of(slot_after);
            for (bits, set) in map.sets[place / 6].iter_mut().enumerate() {
                *set |= u16::from(bits >> (place % 6) & 1 == 1) << to;
            }
            map.slices[place / 4] = home_slice(&solved, slot_after);
            // Swaps with the first piece show the flips up to one that all places have in common.
            let swapped = changed(&|parts| parts.edges.swap(EDGE_PLACES[0], slot));
            map.flipped |= u16::from(swapped.flip(slot_after)) << to;
        }
        map
    }

    /// The edges after the turn or symmetry.
    pub(super) fn apply(&self, edges: Edges) -> Edges {
        let mut after = Edges { sets: [0; 3], odd: 0 };
        for (slice, set) in edges.sets.into_iter().enumerate() {
            let to = self.slices[slice];
            let moved = self.sets[0][usize::from(set & 63)] | self.sets[1][usize::from(set >> 6)];
            let flipped = (moved & self.flipped).count_ones() & 1 == 1;
            after.sets[to] = moved;
            after.odd |= ((edges.odd >> slice & 1) ^ u8::from(flipped)) << to;
        }
        after
    }

    /// The parities after the turn or symmetry, if all were even before.
    pub(super) fn parities(&self, sets: [u16; 3]) -> u8 {
        self.apply(Edges { sets, odd: 0 }).odd
    }
}

/// Numbers the arrangements of the slices. An arrangement has the number `70 * t + s`. Here `t` is
/// the number of the third slice's set, and `s` is the number of the second slice's set among the
/// eight places left.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// Indexed by a set of four among twelve places: its number.
    pub(super) third: Vec<u16>,
    /// Indexed by a set of four among eight places: its number.
    pub(super) second: [u8; 256],
    /// Indexed by number: the set of four among twelve places.
    thirds: Vec<u16>,
    seconds: Vec<u8>,
}

impl Numbers {
    pub(super) fn new() -> Self {
        let ((thirds, third), seconds) = (slices(), tetrad_sets());
        let mut second = [0; 256];
        for (number, &set) in (0..).zip(&seconds) {
            second[usize::from(set)] = number;
        }
        Self { third, second, thirds, seconds }
    }

    /// The number of an arrangement, given the set of places of each slice.
    pub(super) fn number(&self, sets: [u16; 3]) -> u32 {
        let left = (0..12).filter(|place| sets[2] >> place & 1 == 0);
        let among: u16 = (0..).zip(left).map(|(bit, place)| (sets[1] >> place & 1) << bit).sum();
        let second = self.second[usize::from(among)];
        u32::from(self.third[usize::from(sets[2])]) * SECOND + u32::from(second)
    }

    /// The places of each slice's pieces in arrangement `number`, as three sets.
    pub(super) fn sets(&self, number: u32) -> [u16; 3] {
        let third = self.thirds[(number / SECOND) as usize];
        let among = u16::from(self.seconds[(number % SECOND) as usize]);
        let left = (0..12).filter(|place| third >> place & 1 == 0);
        let second: u16 = (0..).zip(left).map(|(bit, place)| (among >> bit & 1) << place).sum();
        [PLACES & !third & !second, second, third]
    }
}
