//! Sets of slots, as bits: those of the edges of a slice and of the corners of a tetrad.
//!
//! Here the *slice* is the one between U and D. A *tetrad* is one of the two orbits of the corners
//! under half turns.

use crate::bytes::CORNER_PLACES;
use crate::cube::Cube;

/// Home slots of the slice's edges.
pub(super) const SLICE: u16 = 0xf00;
/// All edge slots.
const EDGES: u16 = 0xfff;
/// Number of sets of four among twelve slots.
pub(super) const SLICES: u32 = 495;
/// Number of sets of four among eight slots.
pub(super) const TETRADS: u32 = 70;

/// Returns the sets of four among twelve slots, in ascending order. Also returns a table, indexed
/// by set, of its number in that order.
pub(super) fn slices() -> (Vec<u16>, Vec<u16>) {
    let sets: Vec<u16> = (0..=EDGES).filter(|set| set.count_ones() == 4).collect();
    let mut numbers = vec![0; 1 << 12];
    for (number, &set) in (0..).zip(&sets) {
        numbers[usize::from(set)] = number;
    }
    (sets, numbers)
}

/// The sets of four among eight slots, in ascending order.
pub(super) fn tetrad_sets() -> Vec<u8> {
    (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect()
}

/// The slots that hold the slice's edges.
pub(super) fn slice_of(cube: &Cube) -> u16 {
    (0..12).filter(|&slot| cube.edge(slot) >= 8).map(|slot| 1 << slot).sum()
}

/// The slots whose edges are flipped.
pub(super) fn flips_of(cube: &Cube) -> u16 {
    (0..12).map(|slot| u16::from(cube.flip(slot)) << slot).sum()
}

/// The slots that hold the first tetrad's corners.
pub(super) fn tetrad_of(cube: &Cube) -> u8 {
    let first = &CORNER_PLACES[..4];
    (0..8).filter(|&slot| first.contains(&cube.corner(slot).into())).map(|slot| 1 << slot).sum()
}

/// A cube with the slice's edges in the slots `slice`, flipped edges in the slots `flips`, and
/// solved corners.
pub(super) fn with_edges(slice: u16, flips: u16) -> Cube {
    let (mut of_slice, mut others) = (8..12_u64, 0..8_u64);
    let pieces = (0..12).map(|slot| {
        let piece = if slice >> slot & 1 == 1 { of_slice.next() } else { others.next() };
        piece.expect("four slots are of the slice") << (4 * slot)
    });
    Cube { edges: pieces.sum::<u64>() | u64::from(flips) << 48, ..Cube::SOLVED }
}
