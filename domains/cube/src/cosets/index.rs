//! From a packed cube to the entry of its coset, seen along each of the three axes, by small tables only.
//!
//! A view is the cube conjugated by a symmetry that turns its axis to that of U and D. Nothing is conjugated in the search: the tables
//! of a view read the cube as it is held. With T the slots that the symmetry takes to the slice, and a set c of slots for which
//! the view sees flips the other way round, the view's flips are the cube's flips, xor c, xor the slots whose *pieces*
//! belong to c. Twists of a view are sums over slots, read by pairs of neighbouring slots. Then the slots of the slice find their class
//! (45 classes) and its symmetry, which permutes the flips; class and flips find row and a second symmetry; both together turn the
//! twists into the column. Every table is read off conjugated cubes.

use super::coordinates::{
    Coordinates, Family, TWISTS, axis_symmetries, flips_of, slice_of, slices, with_edges,
};
use crate::cube::Cube;
use crate::symmetry;
use pdb::coset::Reduced;

/// The edges of a cube as sets of slots, shared by its views.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    corners: u64,
    flips: u16,
    /// By slice of home (between U and D, between L and R, between F and B): the slots of its four pieces.
    slices: [u16; 3],
}

/// The highest bit of each of 12 nibbles, as 12 bits.
#[inline(always)]
fn gather(bits: u64) -> u16 {
    let bits = bits & 0x1111_1111_1111;
    let bits = (bits | bits >> 3) & 0x0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f;
    ((bits | bits >> 12 | bits >> 24) & 0xfff) as u16
}

impl Planes {
    /// The planes of a cube.
    #[inline(always)]
    pub(super) fn new(cube: &Cube) -> Self {
        // Pieces 8 to 11 belong to the first slice; of the others the odd ones to the second.
        let (high, low) = (gather(cube.edges >> 3), gather(cube.edges));
        let slices = [high, low & !high, !low & !high & 0xfff];
        Self { corners: cube.corners, flips: (cube.edges >> 48) as u16, slices }
    }
}

/// The tables of one view.
#[derive(Clone, Debug)]
struct View {
    /// Which slice of home the symmetry takes to the one between U and D.
    slice: usize,
    /// The slices of home whose pieces the view sees flipped, and the slots that it sees so.
    flipped: [bool; 3],
    flipped_slots: u16,
    /// By the slots of the slice (12 bits): class in the high byte, symmetry in the low one.
    class: Box<[u16; 4096]>,
    /// By the slots of the slice: slots that class and symmetry flip, as the class sees them.
    complement: Box<[u16; 4096]>,
    /// By symmetry, half of the slots, their 6 flips: the flips as the class sees them.
    permuted: Box<[[[u16; 64]; 2]; 16]>,
    /// By pair of corner slots, then pieces (6 bits) and twists (4 bits) there: their part of the twists' number.
    twists: Box<[[u16; 1024]; 4]>,
}

/// Finds entries. The tables of all views are 60 KB, those shared by them 450 KB.
#[derive(Clone, Debug)]
pub(super) struct Index {
    views: [View; 3],
    /// By class, then flips (11 bits for G1, 12 for g256): row, and symmetry.
    rows: Box<[u16]>,
    symmetries: Box<[u8]>,
    shift: u32,
    mask: u16,
    /// By first and second symmetry: where the twists of both together begin in `columns`.
    both: [[u32; 16]; 16],
    columns: Box<[u16]>,
}

/// The symmetries that turn each axis to that of U and D: the identity, then one for each other axis.
pub(super) fn turning() -> [usize; 3] {
    let taking = |slice: usize| {
        let home = [0xf00_u16, 0x0aa, 0x055][slice];
        (0..symmetry::COUNT)
            .find(|&s| {
                // The slots of a slice go to those of the other: seen by moving one flip.
                let solved = flips_of(&symmetry::conjugate(s, &Cube::SOLVED));
                (0..12).filter(|slot| home >> slot & 1 == 1).all(|slot| {
                    let one =
                        flips_of(&symmetry::conjugate(s, &with_edges(0xf00, 1 << slot))) ^ solved;
                    one & 0xf00 != 0
                })
            })
            .unwrap_or(0)
    };
    [taking(0), taking(1), taking(2)]
}

impl View {
    fn new(symmetry: usize, slice: usize, coordinates: &Coordinates, classes: &[(u8, u8)]) -> Self {
        let (_, numbers) = slices();
        let conjugate = |cube: &Cube| symmetry::conjugate(symmetry, cube);
        // Where a slot goes: follow one flip.
        let to: [u16; 12] = std::array::from_fn(|slot| {
            flips_of(&conjugate(&with_edges(0xf00, 1 << slot))).trailing_zeros() as u16
        });
        let moved = |slots: u16| (0..12).map(|slot| (slots >> slot & 1) << to[slot]).sum::<u16>();
        // A piece of slot 0 in slot j: its flip says whether the view sees slot j otherwise than slot 0.
        let otherwise = |slot: usize| {
            let mut cube = Cube::SOLVED;
            let swap = |at: usize, piece: u64, cube: &mut Cube| {
                cube.edges = cube.edges & !(15 << (4 * at)) | piece << (4 * at);
            };
            swap(slot, 0, &mut cube);
            swap(0, slot as u64, &mut cube);
            flips_of(&conjugate(&cube)) >> to[slot] & 1
        };
        let flipped_slots: u16 = (1..12).map(|slot| otherwise(slot) << slot).sum();
        let flipped = [0xf00_u16, 0x0aa, 0x055].map(|home| flipped_slots & home == home);
        let (mut class, mut complement) = (Box::new([0; 4096]), Box::new([0; 4096]));
        for slots in (0..4096_u16).filter(|slots| slots.count_ones() == 4) {
            let number = numbers[usize::from(moved(slots))];
            let (which, s) = classes[usize::from(number)];
            class[usize::from(slots)] = u16::from(which) << 8 | u16::from(s);
            complement[usize::from(slots)] =
                coordinates.flippings()[usize::from(s)].by_slice[usize::from(number)].0;
        }
        let mut permuted = Box::new([[[0; 64]; 2]; 16]);
        for (s, permuted) in permuted.iter_mut().enumerate() {
            let by = &coordinates.flippings()[s].to;
            for (half, permuted) in permuted.iter_mut().enumerate() {
                for (flips, image) in permuted.iter_mut().enumerate() {
                    let slots = (flips << (6 * half)) as u16;
                    let seen = moved(slots);
                    *image = (0..12).map(|slot| (seen >> slot & 1) << by[slot]).sum();
                }
            }
        }
        Self {
            slice,
            flipped,
            flipped_slots,
            class,
            complement,
            permuted,
            twists: twist_pairs(symmetry),
        }
    }

    /// Class, flips as it sees them, and symmetry.
    #[inline(always)]
    fn edges(&self, planes: &Planes) -> (usize, u16, usize) {
        let mut flips = planes.flips ^ self.flipped_slots;
        for slice in 0..3 {
            flips ^= if self.flipped[slice] { planes.slices[slice] } else { 0 };
        }
        let slots = usize::from(planes.slices[self.slice] & 0xfff);
        let class = self.class[slots];
        let symmetry = usize::from(class & 15);
        let halves = &self.permuted[symmetry];
        let low = halves[0][usize::from(flips & 63)];
        let seen = low | halves[1][usize::from(flips >> 6 & 63)];
        (usize::from(class >> 8), seen ^ self.complement[slots], symmetry)
    }

    #[inline(always)]
    fn twists(&self, corners: u64) -> usize {
        let pair = |pair: usize| {
            let (pieces, twists) = (corners >> (6 * pair) & 63, corners >> (24 + 4 * pair) & 15);
            usize::from(self.twists[pair][(pieces | twists << 6) as usize])
        };
        pair(0) + pair(1) + pair(2) + pair(3)
    }
}

/// The parts of the twists' number, by pairs of slots, as a conjugated cube has them.
fn twist_pairs(symmetry: usize) -> Box<[[u16; 1024]; 4]> {
    // A piece and a twist in a slot: which slot it goes to, and with which twist.
    let seen = |slot: usize, piece: u64, twist: u64| {
        let mut corners = Cube::SOLVED.corners;
        corners = corners & !(7 << (3 * piece)) | (slot as u64) << (3 * piece);
        corners = corners & !(7 << (3 * slot)) | piece << (3 * slot) | twist << (24 + 2 * slot);
        let image = symmetry::conjugate(symmetry, &Cube { corners, ..Cube::SOLVED });
        // Where the slot went: a twist of the solved piece there shows it.
        let one = Cube { corners: Cube::SOLVED.corners | 1 << (24 + 2 * slot), ..Cube::SOLVED };
        let shown = symmetry::conjugate(symmetry, &one);
        let to = (0..8).find(|&to| shown.twist(to) != 0).unwrap_or(0);
        (to, u16::from(image.twist(to)))
    };
    let mut pairs = Box::new([[0; 1024]; 4]);
    for (pair, parts) in pairs.iter_mut().enumerate() {
        for (key, part) in (0_u64..).zip(parts.iter_mut()) {
            let half = |which: usize| {
                let twist = key >> (6 + 2 * which) & 3;
                let (to, twist) = seen(2 * pair + which, key >> (3 * which) & 7, twist % 3);
                // The last slot follows from the others.
                if to == 7 { 0 } else { twist * 3_u16.pow(to as u32) }
            };
            *part = half(0) + half(1);
        }
    }
    pairs
}

impl Index {
    pub(super) fn new(reduced: &Reduced<Coordinates>) -> Self {
        let coordinates = reduced.product();
        let (sets, numbers) = slices();
        // Classes of slots under the symmetries: the least number stands for its class.
        let mut classes = vec![(u8::MAX, 0_u8); sets.len()];
        let mut least = Vec::new();
        for number in 0..sets.len() {
            if classes[number].0 != u8::MAX {
                continue;
            }
            for (s, by) in (0_u8..).zip(coordinates.flippings()) {
                // The symmetry s takes these slots to the least number.
                for (class, image) in classes.iter_mut().zip(&by.by_slice) {
                    if usize::from(image.1) == number && class.0 == u8::MAX {
                        *class = (least.len() as u8, s);
                    }
                }
            }
            least.push(number as u16);
        }
        let (shift, mask) = match coordinates.family() {
            Family::G1 => (11, 0x7ff),
            Family::G256 => (12, 0xfff),
        };
        let mut rows = vec![0; least.len() << shift];
        let mut symmetries = vec![0; least.len() << shift];
        for (class, &slice) in least.iter().enumerate() {
            for flips in 0..=mask {
                let (row, symmetry) = reduced.class(coordinates.first(slice, flips));
                let at = class << shift | usize::from(flips);
                (rows[at], symmetries[at]) = (row as u16, symmetry as u8);
            }
        }
        let turning = turning();
        debug_assert!(usize::from(numbers[0xf00]) < sets.len() && slice_of(&Cube::SOLVED) == 0xf00);
        Self {
            views: std::array::from_fn(|view| {
                View::new(turning[view], view, coordinates, &classes)
            }),
            rows: rows.into(),
            symmetries: symmetries.into(),
            shift,
            mask,
            both: products(),
            columns: coordinates.twist_symmetries().concat().into(),
        }
    }

    /// Row and column of a cube in a view.
    #[inline(always)]
    pub(super) fn locate(&self, view: usize, planes: &Planes) -> (u32, u32) {
        let view = &self.views[view];
        let (class, flips, first) = view.edges(planes);
        let at = class << self.shift | usize::from(flips & self.mask);
        let twists = view.twists(planes.corners);
        let second = usize::from(self.symmetries[at] & 15);
        let column = self.columns[self.both[first][second] as usize + twists];
        (u32::from(self.rows[at]), u32::from(column))
    }
}

/// By two symmetries of the axis, the first applied first: where the twists of their product begin.
fn products() -> [[u32; 16]; 16] {
    let all = axis_symmetries();
    let domain = crate::domain::Cube3::default();
    let image = |s: usize, op: search::Op| search::Symmetric::relabel(&domain, s, op);
    std::array::from_fn(|first| {
        std::array::from_fn(|second| {
            let together = |&s: &usize| {
                (0..18)
                    .map(search::Op)
                    .all(|op| image(s, op) == image(all[second], image(all[first], op)))
            };
            all.iter().position(together).unwrap_or(0) as u32 * u32::from(TWISTS)
        })
    })
}
