//! Which slots the edges of a slice and the corners of a tetrad are in, as sets of bits.
//!
//! The *slice* is the four edges between U and D. A *tetrad* is one of the two orbits of the
//! corners under half turns.

use crate::bytes::CORNER_PLACES;
use crate::cube::{Cube, Parts};

/// Home slots of the slice's edges.
pub(super) const SLICE: u16 = 0xf00;
/// All edge slots.
const EDGES: u16 = 0xfff;
/// Sets of four of twelve slots.
pub(super) const SLICES: u32 = 495;
/// Sets of four of eight slots.
pub(super) const TETRADS: u32 = 70;

/// The sets of four of twelve slots in ascending order, and by set its number in this order.
pub(super) fn slices() -> (Vec<u16>, Vec<u16>) {
    let sets: Vec<u16> = (0..=EDGES).filter(|set| set.count_ones() == 4).collect();
    let mut numbers = vec![0; 1 << 12];
    for (number, &set) in (0..).zip(&sets) {
        numbers[usize::from(set)] = number;
    }
    (sets, numbers)
}

/// The sets of four of eight slots in ascending order.
pub(super) fn tetrad_sets() -> Vec<u8> {
    (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect()
}

/// The slots of the slice's edges.
pub(super) fn slice_of(cube: &Cube) -> u16 {
    (0..12).filter(|&slot| cube.edge(slot) >= 8).map(|slot| 1 << slot).sum()
}

/// The flipped slots.
pub(super) fn flips_of(cube: &Cube) -> u16 {
    (0..12).map(|slot| u16::from(cube.flip(slot)) << slot).sum()
}

/// The slots of the first tetrad's corners.
pub(super) fn tetrad_of(cube: &Cube) -> u8 {
    let first = &CORNER_PLACES[..4];
    (0..8).filter(|&slot| first.contains(&cube.corner(slot).into())).map(|slot| 1 << slot).sum()
}

/// A cube with the slice's edges in a set of slots, a set of slots flipped, and solved corners.
pub(super) fn with_edges(slice: u16, flips: u16) -> Cube {
    let (mut of_slice, mut others) = (8..12_u64, 0..8_u64);
    let pieces = (0..12).map(|slot| {
        let piece = if slice >> slot & 1 == 1 { of_slice.next() } else { others.next() };
        piece.expect("four slots are of the slice") << (4 * slot)
    });
    Cube { edges: pieces.sum::<u64>() | u64::from(flips) << 48, ..Cube::SOLVED }
}

/// A cube with the corners of the first tetrad in a set of slots, and all else at home.
pub(super) fn with_tetrad(set: u8) -> Cube {
    let (mut first, mut second) = (CORNER_PLACES[..4].iter(), CORNER_PLACES[4..].iter());
    let mut parts = Parts::SOLVED;
    for (slot, piece) in parts.corners.iter_mut().enumerate() {
        let next = if set >> slot & 1 == 1 { first.next() } else { second.next() };
        let corner = *next.expect("four slots are of the first tetrad");
        *piece = u8::try_from(corner).expect("eight corners");
    }
    parts.pack()
}
