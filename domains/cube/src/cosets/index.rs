//! From a byte cube to the entry of its coset, seen along each of the three axes: shuffles of 16 bytes and a few small tables.
//!
//! A view is the cube conjugated by a turn of the whole cube about the corner URF, which takes an axis to that of U and D and each edge place four
//! further (of twelve). Nothing is conjugated in the search: a shuffle turns the edge places, another looks up what the view sees of each piece, and the
//! sign bits of the bytes are the set of places that the slice's pieces are in, or that are flipped.
//!
//! That set is one of 495 in 45 classes under the 16 symmetries of the axis. The set's symmetry permutes the flips, by a shuffle; class and flips find the
//! row and a second symmetry, which matters only in classes that some symmetry fixes. View and both symmetries together are one conjugation of the
//! twists: a shuffle that changes each, one that moves them, and a sum.
//!
//! Bytes: 16 KB (8 KB more where the slice's flips do not count) for every read but one; that one, of class and flips, is in 94 KB (12 KB where the slice's flips do not count), and only 29% of all cubes go there: a class that no
//! symmetry fixes has its flips for rows. All tables are read off conjugated cubes.

use super::coordinates::{
    Coordinates, Family, axis_symmetries, flips_of, slices, tetrad_sets, with_edges,
};
use crate::bytes::{ByteCube, CORNER_PLACES, EDGE_PLACES, Located, Plain, Sixteen, Vector};
use crate::cube::{Cube, Parts};
use crate::symmetry;
use pdb::coset::{Reduced, locate_each};
use search::{Asked, Both};

/// A set of slices' places in a class. 8 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// The first row of the class.
    row: u16,
    /// Bits 0 to 11: slots flipped when the symmetry is applied; bits 12 to 15: the symmetry that takes the set to its class.
    flips: u16,
    /// Where the class begins in `second`; 0 if no symmetry fixes it.
    second: u16,
    /// Bits 0 to 5: the class; bit 15: some symmetry fixes it.
    class: u16,
}

/// What a view sees of the edges.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct View {
    /// By place as the view sees it: the place.
    places: Sixteen,
    /// By piece: bit 7 if it is of the view's slice, bit 6 if the view sees it flipped.
    pieces: Sixteen,
    /// By place as the view sees it: bit 6 if the view sees it flipped.
    slots: Sixteen,
}

/// What a view and a symmetry make of the twists.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Twisting {
    /// By twist, plus 4 if the piece is of the other tetrad than its place, plus 8 in the second tetrad: the twist after.
    pub(super) twists: Sixteen,
    /// By slot: the place where its twist comes from; 128 from eight on.
    pub(super) places: Sixteen,
    /// Whether a piece of one tetrad becomes one of the other.
    swaps: bool,
}

/// Finds entries. See the module for the bytes. Tables have sizes that are powers of two, so that no check is needed; of the padding no byte is touched.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    family: Family,
    tables: Box<Tables>,
    /// By class and flips, only of classes that some symmetry fixes: the row less the first of the class, and the second symmetry in bits 11 to 14.
    second: Box<[u16; 1 << 16]>,
}

#[derive(Clone, Debug)]
struct Tables {
    views: [View; 4],
    /// By the places of the slice's pieces as a set: its number, below 495.
    number: [u16; 4096],
    /// By number of the set.
    slices: [Slice; 512],
    /// By symmetry, then slot: the place where its flip comes from.
    flips: [Sixteen; 16],
    /// g256. By class, 6 slots, their flips: the part of the flips' number.
    kept: [[[u8; 64]; 2]; 64],
    /// By view, then symmetry.
    twists: [[Twisting; 16]; 4],
    /// By first and second symmetry: both together.
    both: [u8; 256],
    /// By whether tetrads swap, then the slots with pieces of the second tetrad: the number of those with pieces of the first.
    tetrads: [[u8; 256]; 2],
}

/// The symmetries that turn the axes of U and D, R and L, F and B to that of U and D: the identity, and the turns about the corner URF.
pub(crate) fn turning() -> [usize; 3] {
    [[0, 1, 2, 3, 4, 5], [2, 0, 1, 5, 3, 4], [1, 2, 0, 4, 5, 3]]
        .map(|faces| symmetry::by_faces(faces).unwrap_or(0))
}

/// A solved cube in parts, changed.
fn changed(change: impl FnOnce(&mut Parts)) -> Cube {
    let mut parts = Parts::SOLVED;
    change(&mut parts);
    parts.pack()
}

impl View {
    /// A view by the turn of the whole cube that it is, and by how many places that takes an edge further.
    fn new(symmetry: usize, further: usize) -> Self {
        let mut view = Self { places: Sixteen::NONE, pieces: Sixteen::ZERO, slots: Sixteen::ZERO };
        for (place, &slot) in EDGE_PLACES.iter().enumerate() {
            let seen = (place + further) % 12;
            view.places.0[seen] = place as u8;
            // A piece that changes places with the first one is seen flipped where one of both places is.
            let swapped = changed(|parts| parts.edges.swap(EDGE_PLACES[0], slot));
            let flipped =
                flips_of(&symmetry::conjugate(symmetry, &swapped)) >> EDGE_PLACES[seen] & 1;
            view.slots.0[seen] = (flipped as u8) << 6;
            view.pieces.0[place] = (flipped as u8) << 6 | if seen < 8 { 0 } else { 128 };
        }
        view
    }
}

/// Whether a change of all slots and pieces takes the first tetrad to the other.
fn swaps_tetrads(image: impl Fn(&Cube) -> Cube) -> bool {
    // Twist the piece at home in the first slot, and see in which slot of the image the twist is.
    let twisted = image(&changed(|parts| parts.twists[CORNER_PLACES[0]] = 1));
    let to = (0..8).find(|&slot| twisted.twist(slot) != 0).unwrap_or(0);
    CORNER_PLACES[4..].contains(&to)
}

impl Twisting {
    /// The twists after, as a number, of a cube in which the pieces of the first tetrad are in a set of slots.
    pub(super) fn apply(&self, cube: &Cube, first: u8) -> u16 {
        let digit = |&place: &u8| {
            let (slot, own) = (CORNER_PLACES[usize::from(place)], place < 4);
            let other = (first >> slot & 1 == 1) != own;
            let number = cube.twist(slot) | u8::from(other) << 2 | u8::from(!own) << 3;
            u16::from(self.twists.0[usize::from(number)])
        };
        self.places.0[..7].iter().rev().fold(0, |value, place| 3 * value + digit(place))
    }

    pub(super) fn new(image: impl Fn(&Cube) -> Cube) -> Self {
        let swaps = swaps_tetrads(&image);
        let mut twisting = Self { twists: Sixteen::ZERO, places: Sixteen::NONE, swaps };
        for (place, &slot) in CORNER_PLACES.iter().enumerate() {
            let twisted = |twist, other| {
                image(&changed(|parts| {
                    parts.twists[slot] = twist;
                    // A piece of the other tetrad.
                    parts.corners[slot] ^= other;
                }))
            };
            let to = (0..8).find(|&to| twisted(1, 0).twist(to) != 0).unwrap_or(0);
            twisting.places.0[to] = place as u8;
            for (twist, other) in (0..3).flat_map(|twist| (0..2).map(move |other| (twist, other))) {
                let number = twist | other << 2 | if place < 4 { 0 } else { 8 };
                twisting.twists.0[usize::from(number)] = twisted(twist, other).twist(to);
            }
        }
        twisting
    }
}

impl Tables {
    fn new() -> Box<Self> {
        let all = axis_symmetries();
        let turning = turning();
        let view = |view: usize| turning[view % 3];
        let mut tables = Box::new(Self {
            views: std::array::from_fn(|v| View::new(view(v), 4 * (v % 3))),
            number: [0; 4096],
            slices: [Slice::default(); 512],
            flips: [Sixteen::NONE; 16],
            kept: [[[0; 64]; 2]; 64],
            twists: std::array::from_fn(|v| {
                std::array::from_fn(|s| {
                    Twisting::new(|cube| {
                        symmetry::conjugate(all[s], &symmetry::conjugate(view(v), cube))
                    })
                })
            }),
            both: [0; 256],
            tetrads: [[0; 256]; 2],
        });
        for (number, set) in (0..).zip(tetrad_sets()) {
            tables.tetrads[0][usize::from(!set)] = number;
            tables.tetrads[1][usize::from(set)] = number;
        }
        let sets = (0..4096_usize).filter(|set| set.count_ones() == 4);
        for (number, set) in (0..).zip(sets) {
            tables.number[set] = number;
        }
        for (symmetry, entries) in (0..).zip(&mut tables.both) {
            *entries = product(symmetry / 16, symmetry % 16);
        }
        for (entries, &s) in tables.flips.iter_mut().zip(&all) {
            let solved = flips_of(&symmetry::conjugate(s, &Cube::SOLVED));
            for (place, &slot) in EDGE_PLACES.iter().enumerate() {
                let image = symmetry::conjugate(s, &with_edges(0xf00, 1 << slot));
                let to = (flips_of(&image) ^ solved).trailing_zeros();
                entries.0[to as usize % 16] = place as u8;
            }
        }
        tables
    }
}

/// By two symmetries of the axis, the first applied first: their product.
fn product(first: usize, second: usize) -> u8 {
    let all = axis_symmetries();
    let product = symmetry::product(all[first], all[second]);
    all.iter().position(|&s| s == product).unwrap_or(0) as u8
}

impl Index {
    pub(super) fn new(reduced: &Reduced<Coordinates>) -> Self {
        let edges = reduced.product().edges();
        let family = edges.family;
        let (sets, _) = slices();
        let mut tables = Tables::new();
        let mut second = vec![0];
        let mut classes: Vec<(usize, Slice)> = Vec::new();
        for (set, &slots) in sets.iter().enumerate() {
            let number = |s: usize| usize::from(edges.symmetries[s].by_slice[set].1);
            // The least set stands for its class, and comes first.
            let least = (0..16).map(number).min().unwrap_or(set);
            let symmetry = (0..16).find(|&s| number(s) == least).unwrap_or(0);
            let known = classes.iter().find(|class| class.0 == least).map(|class| class.1);
            let mut slice = known.unwrap_or_else(|| {
                let class = classes.len();
                let found = |flips| reduced.class(edges.number(set as u16, flips));
                let mut slice =
                    Slice { row: found(0).0 as u16, class: class as u16, ..Slice::default() };
                for (half, entries) in tables.kept[class].iter_mut().enumerate() {
                    for (bits, entry) in entries.iter_mut().enumerate() {
                        *entry = (family.encode(slots, (bits << (6 * half)) as u16) & 255) as u8;
                    }
                }
                if (0..16).filter(|&s| number(s) == set).count() > 1 {
                    slice.second = second.len() as u16;
                    slice.class |= 1 << 15;
                    for flips in 0..family.flips() {
                        let (row, s) = found(family.decode(slots, flips));
                        second.push((row as u16 - slice.row) | (s as u16) << 11);
                    }
                }
                classes.push((set, slice));
                slice
            });
            let complement = edges.symmetries[symmetry].by_slice[set].0;
            slice.flips = complement | (symmetry as u16) << 12;
            let places: usize =
                (0..12).map(|p| usize::from(slots >> EDGE_PLACES[p] & 1) << p).sum();
            tables.slices[usize::from(tables.number[places])] = slice;
        }
        second.resize(1 << 16, 0);
        let second = second.into_boxed_slice().try_into();
        let second = second.unwrap_or_else(|_| unreachable!("of this length"));
        Self { tables, second, family }
    }

    /// Row and column of a cube in a view, in plain loops: the oracle.
    pub(crate) fn locate(&self, view: usize, cube: &ByteCube) -> (u32, u32) {
        match self.family {
            Family::G256 => self.locate_as::<Plain, false, false>(view, cube),
            Family::G1 => self.locate_as::<Plain, true, false>(view, cube),
            Family::Tet112 => self.locate_as::<Plain, true, true>(view, cube),
        }
    }

    /// Row and column of a cube in a view, of a family where all flips count, or tetrads do.
    #[inline(always)]
    fn locate_as<V: Vector, const ALL_FLIPS: bool, const TETRADS: bool>(
        &self,
        view: usize,
        cube: &ByteCube,
    ) -> (u32, u32) {
        let tables = &*self.tables;
        let (edges, corners) = (V::load(cube.edges()), V::load(cube.corners()));
        let seen = &tables.views[view & 3];
        let edges = edges.shuffled(V::load(&seen.places));
        // Bit 7: of the slice. Bit 6: flipped, which was bit 4.
        let edges = V::load(&seen.pieces).shuffled(edges).xor(edges.left::<2>());
        let edges = edges.xor(V::load(&seen.slots));
        let set = edges.signs() as usize & 0xfff;
        let slice = tables.slices[usize::from(tables.number[set]) & 511];
        let first = usize::from(slice.flips >> 12);
        let flips = edges.shuffled(V::load(&tables.flips[first])).left::<1>().signs() as u16;
        let flips = (flips ^ slice.flips) & 0xfff;
        let flips = if ALL_FLIPS {
            flips & 0x7ff
        } else {
            let kept = &tables.kept[usize::from(slice.class) & 63];
            u16::from(kept[0][usize::from(flips & 63)] | kept[1][usize::from(flips >> 6)])
        };
        // All bits where some symmetry fixes the class.
        let fixed = (slice.class.cast_signed() >> 15).cast_unsigned();
        let found = self.second[usize::from(slice.second.wrapping_add(flips & fixed))];
        let class = u32::from(slice.row + (found & 0x7ff) + (flips & !fixed));
        let both = tables.both[first << 4 | usize::from(found >> 11 & 15)];
        let twisting = &tables.twists[view & 3][usize::from(both & 15)];
        let twists = V::load(&twisting.twists).shuffled(twisted(corners));
        let places = V::load(&twisting.places);
        let column = twists.shuffled(places).number();
        if !TETRADS {
            return (class, column);
        }
        // Bit 2 of a piece, moved to bit 7: it is of the second tetrad.
        let second = corners.left::<5>().shuffled(places).signs() as usize & 255;
        let tetrad = tables.tetrads[usize::from(twisting.swaps)][second];
        (class * TETRAD_SETS + u32::from(tetrad), column)
    }
}

/// What [`Twisting`] looks up: the twist, bit 2 of the piece, which is its tetrad, and what is of the place.
#[inline(always)]
pub(super) fn twisted<V: Vector>(corners: V) -> V {
    let twists = corners.right::<4>().and(V::all(3)).or(corners.and(V::all(4)));
    twists.xor(V::load(&SECOND_TETRAD))
}

impl Located for Index {
    #[inline(always)]
    fn each<V: Vector>(
        &self,
        states: &[Both<ByteCube>],
        asked: &[Asked],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
    ) {
        // One loop for each kind of family, so that none asks for it.
        macro_rules! each {
            ($flips:literal, $tetrads:literal) => {
                locate_each(states, asked, places, place, |view, cube| {
                    self.locate_as::<V, $flips, $tetrads>(view, cube)
                })
            };
        }
        match self.family {
            Family::G256 => each!(false, false),
            Family::G1 => each!(true, false),
            Family::Tet112 => each!(true, true),
        }
    }
}

/// How many sets of slots the pieces of a tetrad can be in.
const TETRAD_SETS: u32 = 70;
/// By place: 12 in the second tetrad.
const SECOND_TETRAD: Sixteen = Sixteen([0, 0, 0, 0, 12, 12, 12, 12, 0, 0, 0, 0, 0, 0, 0, 0]);

#[cfg(test)]
mod tests {
    use super::super::coordinates::twists_of;
    use super::*;
    use crate::domain::Metric;

    #[test]
    fn most_slices_need_no_second_symmetry() {
        for (family, entries) in [(Family::G1, 23 * 2048 + 1), (Family::G256, 23 * 256 + 1)] {
            let found = Index::new(&Reduced::new(Coordinates::new(Metric::HalfTurn, family)));
            let slices = &found.tables.slices[..495];
            let without = slices.iter().filter(|slice| slice.class >> 15 == 0).count();
            assert!(slices.iter().all(|slice| (slice.second == 0) == (slice.class >> 15 == 0)));
            let last = slices.iter().map(|slice| usize::from(slice.second)).max();
            let flips = usize::try_from(family.flips()).unwrap();
            assert_eq!((last, without), (Some(entries - flips), 352));
        }
    }

    #[test]
    fn the_turn_about_a_corner_takes_each_place_four_further() {
        let mut sorted = EDGE_PLACES;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..12));
        for (turn, s) in turning().into_iter().enumerate() {
            for place in 0..12 {
                let image = symmetry::conjugate(s, &with_edges(0xf00, 1 << EDGE_PLACES[place]));
                assert_eq!(flips_of(&image), 1 << EDGE_PLACES[(place + 4 * turn) % 12]);
            }
        }
    }

    #[test]
    fn twists_are_numbered_as_the_coordinate_does() {
        let digits = [2, 0, 1, 2, 1, 0, 2];
        let cube = changed(|parts| {
            parts.twists[..7].copy_from_slice(&digits);
            parts.twists[7] = 1;
        });
        let mut sixteen = Sixteen::ZERO;
        sixteen.0[..7].copy_from_slice(&digits);
        sixteen.0[7] = 1;
        assert_eq!(crate::bytes::Plain::load(&sixteen).number(), u32::from(twists_of(&cube)));
    }
}
