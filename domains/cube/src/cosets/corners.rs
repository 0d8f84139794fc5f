//! Numbers the arrangements of the corners up to half turns.

use crate::bytes::{CORNER_PLACES, Vector};
use crate::cosets::sets::{tetrad_of, tetrad_sets};
use crate::cube::{Cube, Parts};

/// Number of corner arrangements up to half turns: 8! / 96.
pub(super) const CORNERS: u32 = 420;
/// Number of ways to match the three pairings of one tetrad with those of the other.
pub(super) const PAIRINGS: u32 = 6;

/// Numbers a corner arrangement up to half turns by the slots of the first tetrad's pieces (70
/// sets) and a permutation of the axes (6).
///
/// Four pieces fall into two pairs in three ways, one for each axis. Half turns about the axis keep
/// these pairs together. Two pieces of a tetrad whose home places differ in bit 0 are a pair of the
/// axis F-B. A difference in bit 1 means U-D, a difference in both bits R-L.
///
/// Take the slots of a tetrad's pieces in ascending order. The axes of the pairs (0, 1), (0, 2) and
/// (0, 3) are a permutation of the three axes. Half turns change the permutations of both tetrads
/// alike. So the permutation that leads from one to the other stays the same. It is one of six.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// The number of a tetrad's permutation of axes, times 8. Bits 0 to 3 of the index are bit 0 of
    /// the homes of its four pieces, bits 4 to 7 are bit 1.
    pub(super) axes: [u8; 256],
    /// The number of the permutation that leads from the first tetrad's permutation to the
    /// second's. The index is the number of the first times 8, plus the number of the second.
    pub(super) ratios: [u8; 64],
    /// Indexed by the set of slots of the second tetrad's pieces: the number of the set of slots
    /// that hold the first tetrad's pieces.
    pub(super) tetrads: [u8; 256],
}

/// The permutations of three axes.
const ORDERS: [[usize; 3]; 6] = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];

impl Pairs {
    pub(super) fn new() -> Self {
        let mut pairs = Self { axes: [0; 256], ratios: [0; 64], tetrads: [0; 256] };
        for (bits, number) in pairs.axes.iter_mut().enumerate() {
            let home = |piece: usize| (bits >> piece & 1) | (bits >> (4 + piece) & 1) << 1;
            let axes: [usize; 3] = std::array::from_fn(|other| home(0) ^ home(other + 1));
            // Bits that no four pieces have keep number 0, and are never read.
            let found = (0..).zip(ORDERS).find(|&(_, order)| order == axes);
            *number = found.map_or(0, |(found, _): (u8, _)| 8 * found);
        }
        for (first, a) in ORDERS.into_iter().enumerate() {
            for (second, b) in ORDERS.into_iter().enumerate() {
                // The permutation leads from the pairs of the first tetrad to those of the second
                // with the same axis.
                let place = |axis| b.iter().position(|&other| other == axis).expect("three axes");
                let ratio = a.map(|axis| 1 + place(axis));
                let found = (0..).zip(ORDERS).find(|&(_, order)| order == ratio);
                pairs.ratios[8 * first + second] = found.expect("a permutation").0;
            }
        }
        for (number, set) in (0..).zip(tetrad_sets()) {
            pairs.tetrads[usize::from(!set)] = number;
        }
        pairs
    }

    /// The number of an arrangement. `second` are the slots of the second tetrad's pieces. `homes`
    /// has, for each tetrad, bits 0 and 1 of the homes of its pieces.
    #[inline(always)]
    pub(super) fn number(&self, second: usize, homes: [usize; 2]) -> u32 {
        let [a, b] = homes.map(|homes| usize::from(self.axes[homes & 255]));
        let ratio = self.ratios[(a + b / 8) & 63];
        u32::from(self.tetrads[second & 255]) * PAIRINGS + u32::from(ratio)
    }

    /// The numbers of several cubes' arrangements. For each slot, bits 0 to 2 of `pieces` are the
    /// home of the piece there.
    #[inline(always)]
    pub(super) fn numbers<V: Vector<L>, const L: usize>(&self, pieces: V) -> [u32; L] {
        let bits = [pieces.left::<7>(), pieces.left::<6>(), pieces.left::<5>()].map(V::signs);
        std::array::from_fn(|lane| {
            let [first_bit, second_bit, second] =
                bits.map(|bits| (bits >> (16 * lane)) as u32 & 255);
            let (homes, both) = (first_bit | second_bit << 8, second * 0x101);
            let homes = [V::extracted(homes, both ^ 0xffff), V::extracted(homes, both)];
            self.number(second as usize, homes.map(|homes| homes as usize))
        })
    }

    /// The number of the arrangement of a cube's corners.
    pub(super) fn of(&self, cube: &Cube) -> u32 {
        let first = tetrad_of(cube);
        let homes = |of_first: bool| {
            let slots = (0..8).filter(|slot| (first >> slot & 1 == 1) == of_first);
            let homes = slots.map(|slot| home(cube.corner(slot)));
            (0..).zip(homes).map(|(at, home)| (home & 1) << at | (home >> 1 & 1) << (4 + at)).sum()
        };
        self.number(usize::from(!first), [homes(true), homes(false)])
    }

    /// For each number: a cube with this arrangement of the corners, solved edges and no twists.
    /// Turns cannot reach all of them.
    pub(super) fn cubes(&self) -> Vec<Cube> {
        let mut cubes = vec![None; CORNERS as usize];
        for set in tetrad_sets() {
            for order in ORDERS {
                // The pieces of the first tetrad are in the order of their homes, those of the
                // second in this order.
                let (mut first, mut second) = (0..4, [0].into_iter().chain(order));
                let mut parts = Parts::SOLVED;
                for (slot, piece) in parts.corners.iter_mut().enumerate() {
                    let home = match set >> slot & 1 == 1 {
                        true => first.next().expect("four slots"),
                        false => 4 + second.next().expect("four slots"),
                    };
                    *piece = u8::try_from(CORNER_PLACES[home]).expect("eight corners");
                }
                let cube = parts.pack();
                cubes[self.of(&cube) as usize] = Some(cube);
            }
        }
        cubes.into_iter().map(|cube| cube.expect("every number is reached")).collect()
    }
}

/// The place (of [`CORNER_PLACES`]) where a corner is at home.
fn home(piece: u8) -> usize {
    CORNER_PLACES.iter().position(|&at| at == usize::from(piece)).expect("eight corners")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cube3, CubeMetric};
    use search::random::Random;
    use search::{Domain, Op};
    use std::collections::HashSet;

    #[test]
    fn every_number_has_a_cube() {
        let pairs = Pairs::new();
        assert!((0..).zip(pairs.cubes()).all(|(number, cube)| pairs.of(&cube) == number));
    }

    /// Half turns make 96 arrangements from the solved one. Multiplied from the left, each keeps
    /// every number. There are 420 numbers, so no other arrangement does.
    #[test]
    fn numbers_are_cosets_of_the_half_turns() {
        let (pairs, domain) = (Pairs::new(), Cube3::new(CubeMetric::HalfTurn));
        let halves: Vec<Op> = (0..18).map(Op::new).filter(|&op| domain.turn(op) % 3 == 1).collect();
        let corners = |cube: &Cube| cube.parts().corners;
        let (mut group, mut seen) = (vec![Cube::SOLVED], HashSet::from([corners(&Cube::SOLVED)]));
        let mut at = 0;
        while at < group.len() {
            for &op in &halves {
                let mut next = Cube::SOLVED;
                domain.apply_into(&group[at], op, &mut next);
                if seen.insert(corners(&next)) {
                    group.push(next);
                }
            }
            at += 1;
        }
        assert_eq!((halves.len(), group.len()), (6, 96));
        let mut random = Random::new(4);
        for cube in (0..200).map(|_| Cube::random(&mut random)) {
            assert!(group.iter().all(|half| pairs.of(&half.compose(&cube)) == pairs.of(&cube)));
        }
        let cubes = pairs.cubes();
        let numbers: HashSet<u32> = cubes.iter().map(|cube| pairs.of(cube)).collect();
        assert_eq!(numbers.len(), 420);
    }
}
