//! Which edges are in which slice's slots, and the parity of each slice's flips.

use crate::bytes::EDGE_PLACES;
use crate::cosets::sets::{flips_of, slices, tetrad_sets};
use crate::cube::{Cube, Parts};

/// Ways to place the pieces of three slices: 12! / (4! 4! 4!).
pub(super) const ARRANGEMENTS: u32 = 34_650;
/// Ways to place the pieces of the second slice once those of the third have their places.
pub(super) const SECOND: u32 = 70;
/// All edge places, as a set.
pub(super) const PLACES: u16 = 0xfff;

/// The pieces of the three slices as sets of places (of [`EDGE_PLACES`]). Slice `k` is at home in
/// the places `4 k` to `4 k + 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    pub(super) sets: [u16; 3],
    /// Bit `k`: whether an odd number of the pieces of slice `k` are flipped. The sum of all is
    /// even.
    pub(super) odd: u8,
}

impl Edges {
    pub(super) const SOLVED: Self = Self { sets: [0x00f, 0x0f0, 0xf00], odd: 0 };

    /// Those of a cube.
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

/// The place of a slot, or of a piece's home.
fn place_of(slot: usize) -> usize {
    EDGE_PLACES.iter().position(|&home| home == slot).expect("twelve edges")
}

/// How a turn or a symmetry changes [`Edges`].
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeMap {
    /// By the first six places of a set, and by the others: where they go.
    sets: [[u16; 64]; 2],
    /// By slice: the one that its pieces become.
    slices: [usize; 3],
    /// The places where arriving pieces are flipped. A flip that all places of a slice share is
    /// left out.
    flipped: u16,
}

impl EdgeMap {
    /// Reads a map off the images of solved cubes with one flip, or with two pieces swapped.
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
            // The first piece is flipped in all places alike.
            let swapped = changed(&|parts| parts.edges.swap(EDGE_PLACES[0], slot));
            map.flipped |= u16::from(swapped.flip(slot_after)) << to;
        }
        map
    }

    /// The edges after.
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

    /// The parities after, if all were even before.
    pub(super) fn parities(&self, sets: [u16; 3]) -> u8 {
        self.apply(Edges { sets, odd: 0 }).odd
    }
}

/// Numbers arrangements: the number of the third slice's set times 70, plus that of the second's
/// set among the eight places left.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// By set of 12 places: its number among those of four.
    pub(super) third: Vec<u16>,
    /// By set of eight places: its number among those of four.
    pub(super) second: [u8; 256],
    /// By number: the set.
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

    /// The number of an arrangement.
    pub(super) fn number(&self, sets: [u16; 3]) -> u32 {
        let left = (0..12).filter(|place| sets[2] >> place & 1 == 0);
        let among: u16 = (0..).zip(left).map(|(bit, place)| (sets[1] >> place & 1) << bit).sum();
        let second = self.second[usize::from(among)];
        u32::from(self.third[usize::from(sets[2])]) * SECOND + u32::from(second)
    }

    /// The arrangement of a number.
    pub(super) fn sets(&self, number: u32) -> [u16; 3] {
        let third = self.thirds[(number / SECOND) as usize];
        let among = u16::from(self.seconds[(number % SECOND) as usize]);
        let left = (0..12).filter(|place| third >> place & 1 == 0);
        let second: u16 = (0..).zip(left).map(|(bit, place)| (among >> bit & 1) << place).sum();
        [PLACES & !third & !second, second, third]
    }
}
