//! Corner twists as numbers, and how symmetries change them.

use crate::bytes::{CORNER_PLACES, Sixteen, Vector};
use crate::cube::{Cube, Parts};

/// Number of values of the twists of all corners: 3^7.
pub(super) const TWISTS: u16 = 2187;

/// A cube with the twists that have the number `value`, all else solved. The base-3 digits of
/// `value` are the twists of corner slots 0 to 6, slot 0 the lowest. The last twist makes the sum
/// divisible by 3.
pub(super) fn with_twists(value: u16) -> Cube {
    let digits: Vec<u64> = (0..7).map(|slot| u64::from(value) / 3_u64.pow(slot) % 3).collect();
    let last = (3 - digits.iter().sum::<u64>() % 3) % 3;
    let twists: u64 = (24..)
        .step_by(2)
        .zip(digits.into_iter().chain([last]))
        .map(|(bit, twist)| twist << bit)
        .sum();
    Cube { corners: Cube::SOLVED.corners | twists, ..Cube::SOLVED }
}

/// The number of a cube's twists. The inverse of [`with_twists`].
pub(super) fn twists_of(cube: &Cube) -> u16 {
    (0..7).rev().fold(0, |value, slot| 3 * value + u16::from(cube.twist(slot)))
}

/// The solved cube after `change` of its parts.
pub(super) fn changed(change: impl FnOnce(&mut Parts)) -> Cube {
    let mut parts = Parts::SOLVED;
    change(&mut parts);
    parts.pack()
}

/// How a symmetry changes the twists. That depends on which slots hold corners of the other tetrad.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct TwistMap {
    /// The new twist of a piece. The index is the old twist, plus 8 if the place is in the second
    /// tetrad. If the piece's home is in the other tetrad than its place, it is 4 more.
    pub(super) twists: Sixteen,
    /// For each slot: the place that its twist comes from. 128 in the unused bytes from 8 on.
    pub(super) places: Sixteen,
    /// Whether the symmetry exchanges the tetrads.
    pub(super) swaps: bool,
}

impl TwistMap {
    /// Computes the map from the images of cubes with one twisted corner.
    #[expect(clippy::cast_possible_truncation, reason = "places are below eight")]
    pub(super) fn new(image: impl Fn(&Cube) -> Cube) -> Self {
        let mut map = Self { twists: Sixteen::ZERO, places: Sixteen::NONE, swaps: false };
        for (place, &slot) in CORNER_PLACES.iter().enumerate() {
            let twisted = |twist, other| {
                image(&changed(|parts| {
                    parts.twists[slot] = twist;
                    // A piece of the other tetrad.
                    parts.corners[slot] ^= other;
                }))
            };
            let image = twisted(1, 0);
            let to = (0..8).find(|&to| image.twist(to) != 0).expect("one slot is twisted");
            map.places.0[to] = place as u8;
            map.swaps |= place == 0 && CORNER_PLACES[4..].contains(&to);
            for (twist, other) in (0..3).flat_map(|twist| (0..2).map(move |other| (twist, other))) {
                let number = twist | other << 2 | if place < 4 { 0 } else { 8 };
                map.twists.0[usize::from(number)] = twisted(twist, other).twist(to);
            }
        }
        map
    }

    /// For each home place of a piece: the home place after the symmetry.
    #[expect(clippy::cast_possible_truncation, reason = "places are below eight")]
    pub(super) fn pieces(&self) -> Sixteen {
        let mut pieces = Sixteen::ZERO;
        for (slot, &place) in self.places.0[..8].iter().enumerate() {
            let home = CORNER_PLACES.iter().position(|&home| home == slot);
            pieces.0[usize::from(place)] = home.expect("each slot has a place") as u8;
        }
        pieces
    }

    /// The number of the twists of a cube after the symmetry. `first` is the set of slots of the
    /// first tetrad's corners.
    pub(super) fn apply(&self, cube: &Cube, first: u8) -> u16 {
        let digit = |&place: &u8| {
            let (slot, own) = (CORNER_PLACES[usize::from(place)], place < 4);
            let other = (first >> slot & 1 == 1) != own;
            let number = cube.twist(slot) | u8::from(other) << 2 | u8::from(!own) << 3;
            u16::from(self.twists.0[usize::from(number)])
        };
        self.places.0[..7].iter().rev().fold(0, |value, place| 3 * value + digit(place))
    }
}

/// Bits of a corner's byte: the twist (after a shift right by 4), and the tetrad of the piece (the
/// next constant).
const TWIST: Sixteen = Sixteen([3; 16]);
const TETRAD: Sixteen = Sixteen([4; 16]);
/// For each place: 12 if it is in the second tetrad, else 0.
const SECOND_TETRAD: Sixteen = Sixteen([0, 0, 0, 0, 12, 12, 12, 12, 0, 0, 0, 0, 0, 0, 0, 0]);

/// For each place: the index into [`TwistMap::twists`], computed from the corner bytes of a cube.
#[inline(always)]
pub(super) fn twist_indices<V: Vector<L>, const L: usize>(corners: V) -> V {
    let twists = corners.right::<4>().and(V::same(&TWIST)).or(corners.and(V::same(&TETRAD)));
    twists.xor(V::same(&SECOND_TETRAD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Plain;

    #[test]
    fn the_vector_numbers_twists_as_the_coordinate_does() {
        let digits = [2, 0, 1, 2, 1, 0, 2];
        let cube = changed(|parts| {
            parts.twists[..7].copy_from_slice(&digits);
            parts.twists[7] = 1;
        });
        let mut sixteen = Sixteen::ZERO;
        sixteen.0[..7].copy_from_slice(&digits);
        sixteen.0[7] = 1;
        assert_eq!(Plain::<4>::same(&sixteen).numbers(), [u32::from(twists_of(&cube)); 4]);
        assert_eq!(with_twists(twists_of(&cube)), cube);
    }
}
