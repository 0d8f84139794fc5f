//! From a packed cube to the entry of its coset, seen along each of the three axes, by small tables only.
//!
//! A view is the cube conjugated by a turn of the whole cube about the corner URF, which takes an axis to that of U and D. Nothing is
//! conjugated in the search. Edge slots are renumbered, as *places*, so that this turn moves each place four further (of twelve): sets of
//! slots turn by a rotation of twelve bits, and what depends on the axis besides is a constant or a set of slots whose *pieces* belong to one
//! slice. Twists are digits that a conjugation moves, and changes by a constant where slot and piece belong to different tetrads; so halves
//! of four slots, one tetrad each, turn by one read.
//!
//! From there on all views share their tables. The places of the slice's pieces are one of 495 sets in 45 classes under the 16
//! symmetries; the set's symmetry permutes the flips, the class and the flips find the row and a second symmetry, which matters only in
//! classes that some symmetry fixes; both symmetries together turn the twists into the column.
//!
//! Bytes: 32 KB for every read but one; that one, of class and flips, is in 94 KB (G1; 12 KB for g256), and only 29% of all cubes go there: a
//! class that no symmetry fixes has its flips for rows. All tables are read off conjugated cubes.

use super::coordinates::{
    Coordinates, Family, axis_symmetries, flips_of, slices, twists_of, with_edges,
};
use crate::cube::{Cube, index};
use crate::symmetry;
use pdb::coset::Reduced;

/// Corner slots of each tetrad, in the order of their digits.
const TETRADS: [[usize; 4]; 2] = [[0, 5, 2, 7], [1, 4, 3, 6]];
/// The twelve lowest bits.
const TWELVE: u16 = 0xfff;

/// What the views of a cube share. 24 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    /// By view, 16 bits each: the places of the pieces of its slice, as the view sees them.
    slices: u64,
    /// By view, 16 bits each: the flips as the view sees them.
    flips: u64,
    /// By tetrad: 16 times the number of its slots' twists, and the set of slots whose piece is of the other tetrad.
    twists: [u16; 2],
}

/// A set of slices' places in a class.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// The first row of the class.
    row: u16,
    /// Bits 0 to 11: slots flipped when the symmetry is applied; bits 12 to 15: the symmetry that takes the set to its class.
    flips: u16,
    /// Where the class begins in `second`; 0 if no symmetry fixes it.
    second: u32,
    /// The bits of the flips' number that count there.
    mask: u16,
    /// The class.
    class: u16,
}

/// Finds entries. See the module for the bytes.
#[derive(Clone, Debug)]
pub(super) struct Index {
    tables: Box<Tables>,
    /// 0, then by class that a symmetry fixes and number of flips: bits 0 to 10 the row in the class, bits 11 to 14 the second symmetry.
    second: Box<[u16]>,
    family: Family,
}

/// Tables of fixed sizes. A power of two is a size that needs no check; of the padding no byte is touched.
#[derive(Clone, Debug)]
struct Tables {
    /// By 4 slots, then the bits 0 and 3 of their pieces (8 bits): by view, the places of its slice's pieces; then the first of
    /// these as the third view sees them.
    places: [[u64; 256]; 3],
    /// By 6 slots, then their flips: by view, the flips.
    flips: [[u64; 64]; 2],
    /// By 6 places, then the pieces of the slice in them: their part of the number of the set, below 495.
    number: [[u16; 64]; 2],
    /// By number of the set.
    slice: [Slice; 512],
    /// By symmetry, 6 places, their flips: the flips by slot after the symmetry.
    permuted: [[[u16; 64]; 2]; 16],
    /// g256. By class, 6 slots, their flips: the part of the flips' number.
    kept: [[[u8; 64]; 2]; 64],
    /// By the twists of the slots of a tetrad: 16 times their number. The slots of tetrad 0 in the order 0 5 2 7, those of
    /// tetrad 1 in the order 4 1 6 3, two bits each.
    number_of_twists: [[u16; 256]; 2],
    /// By view, tetrad, and what [`Planes`] hold: the number of the twists as the view sees them.
    turned: [[[u8; 2048]; 2]; 4],
    /// By symmetry, tetrad, number of the twists: their part of the column.
    column: [[[u16; 128]; 2]; 16],
    /// By first and second symmetry: both together.
    both: [u8; 256],
}

/// The symmetries that turn the axes of U and D, R and L, F and B to that of U and D: the identity, and the turns about the corner URF.
pub(super) fn turning() -> [usize; 3] {
    [[0, 1, 2, 3, 4, 5], [2, 0, 1, 5, 3, 4], [1, 2, 0, 4, 5, 3]]
        .map(|faces| symmetry::by_faces(faces).unwrap_or(0))
}

/// By place: its edge slot. Places 0 to 3 are the slice between F and B; the turn about URF takes each place four further.
fn places() -> [usize; 12] {
    let turn = turning()[1];
    // Where a slot goes: follow one flip.
    let to = |slot: usize| {
        flips_of(&symmetry::conjugate(turn, &with_edges(0xf00, 1 << slot))).trailing_zeros()
    };
    let mut places = [0, 2, 4, 6, 0, 0, 0, 0, 0, 0, 0, 0];
    for place in 4..12 {
        places[place] = to(places[place - 4]) as usize;
    }
    places
}

/// A set of places as a view sees it.
const fn seen(view: usize, places: u16) -> u64 {
    let turned = ((places << (4 * view)) | places >> (12 - 4 * view)) & TWELVE;
    turned as u64
}

impl Tables {
    fn new() -> Box<Self> {
        let mut tables = Box::new(Self {
            places: [[0; 256]; 3],
            flips: [[0; 64]; 2],
            number: [[0; 64]; 2],
            slice: [Slice::default(); 512],
            permuted: [[[0; 64]; 2]; 16],
            kept: [[[0; 64]; 2]; 64],
            number_of_twists: [[0; 256]; 2],
            turned: [[[0; 2048]; 2]; 4],
            column: [[[0; 128]; 2]; 16],
            both: [0; 256],
        });
        let at = places();
        // A set of slots as a set of places.
        let to_places = |slots: u16| (0..12).map(|p| (slots >> at[p] & 1) << p).sum::<u16>();
        for (group, entries) in tables.places.iter_mut().enumerate() {
            for (bits, entry) in entries.iter_mut().enumerate() {
                let (mut high, mut low) = (0, 0);
                for slot in 0..4 {
                    low |= (bits as u16 >> (2 * slot) & 1) << (4 * group + slot);
                    high |= (bits as u16 >> (2 * slot + 1) & 1) << (4 * group + slot);
                }
                // Pieces 8 to 11 are those of the first slice; of the others the odd ones those of the second.
                let others = 15 << (4 * group) & !high;
                let [first, second, third] = [high, low & others, !low & others].map(to_places);
                *entry = seen(0, first)
                    | seen(1, second) << 16
                    | seen(2, third) << 32
                    | seen(2, first) << 48;
            }
        }
        for (half, entries) in tables.flips.iter_mut().enumerate() {
            for (bits, entry) in entries.iter_mut().enumerate() {
                let flips = to_places((bits << (6 * half)) as u16);
                *entry = seen(0, flips) | seen(1, flips) << 16 | seen(2, flips) << 32;
                if half == 0 {
                    // The turns see the slots of one slice flipped.
                    *entry ^= seen(1, 0x0f0) << 16 | seen(2, 0xf00) << 32;
                }
            }
        }
        // Sets by the pieces in the places 6 to 11, then by those in the places 0 to 5 among all of as many.
        let mut first = 0;
        for bits in 0..64_usize {
            let as_many = |other: &usize| other.count_ones() == bits.count_ones();
            tables.number[0][bits] = (0..bits).filter(as_many).count() as u16;
            tables.number[1][bits] = first;
            let rest = |other: &usize| other.count_ones() + bits.count_ones() == 4;
            first += (0..64).filter(rest).count() as u16;
        }
        for (symmetry, entries) in (0..).zip(&mut tables.both) {
            *entries = product(symmetry / 16, symmetry % 16);
        }
        tables.fill_twists();
        for (entries, &s) in tables.permuted.iter_mut().zip(&axis_symmetries()) {
            let solved = flips_of(&symmetry::conjugate(s, &Cube::SOLVED));
            for (half, entries) in entries.iter_mut().enumerate() {
                for (bits, entry) in entries.iter_mut().enumerate() {
                    let set = bits << (6 * half);
                    let flips: u16 = (0..12).map(|p| (set as u16 >> p & 1) << at[p]).sum();
                    *entry = flips_of(&symmetry::conjugate(s, &with_edges(0xf00, flips))) ^ solved;
                }
            }
        }
        tables
    }

    fn fill_twists(&mut self) {
        // A cube with these digits in the slots of a tetrad, where a set of slots has pieces of the other tetrad.
        let cube = |tetrad: usize, number: usize, others: usize| {
            let mut parts = Cube::SOLVED.parts();
            for (digit, &slot) in TETRADS[tetrad].iter().enumerate() {
                parts.twists[slot] = (number / 3_usize.pow(digit as u32) % 3) as u8;
                parts.corners[slot] ^= (others >> digit & 1) as u8;
            }
            parts.pack()
        };
        let number = |cube: &Cube, tetrad: usize| {
            let digits = TETRADS[tetrad].iter().rev();
            digits.fold(0, |number, &slot| 3 * number + usize::from(cube.twist(slot)))
        };
        for (view, s) in turning().into_iter().enumerate() {
            for (tetrad, twists) in (0..2).flat_map(|t| (0..81).map(move |twists| (t, twists))) {
                for others in 0..16 {
                    let image = symmetry::conjugate(s, &cube(tetrad, twists, others));
                    self.turned[view][tetrad][16 * twists + others] = number(&image, tetrad) as u8;
                }
            }
        }
        for tetrad in 0..2 {
            for twists in 0..81 {
                let cube = cube(tetrad, twists, 0);
                for (column, &s) in self.column.iter_mut().zip(&axis_symmetries()) {
                    column[tetrad][twists] = twists_of(&symmetry::conjugate(s, &cube));
                }
                self.number_of_twists[tetrad][pack_twists(cube.corners, tetrad)] =
                    16 * twists as u16;
            }
        }
    }
}

/// By two symmetries of the axis, the first applied first: their product.
fn product(first: usize, second: usize) -> u8 {
    let all = axis_symmetries();
    let product = symmetry::product(all[first], all[second]);
    all.iter().position(|&s| s == product).unwrap_or(0) as u8
}

/// The twists of a tetrad's slots, two bits each.
#[inline(always)]
fn pack_twists(corners: u64, tetrad: usize) -> usize {
    let (low, high) = (corners >> 24, corners >> 32);
    (if tetrad == 0 { low & 0x33 | high & 0xcc } else { low & 0xcc | high & 0x33 }) as usize
}

impl Index {
    pub(super) fn new(reduced: &Reduced<Coordinates>) -> Self {
        let edges = reduced.product().edges();
        let family = edges.family;
        let (sets, _) = slices();
        let at = places();
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
                    slice.second = second.len() as u32;
                    slice.mask = family.flips() as u16 - 1;
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
            let places: usize = (0..12).map(|p| usize::from(slots >> at[p] & 1) << p).sum();
            let number = tables.number[0][places & 63] + tables.number[1][places >> 6];
            tables.slice[usize::from(number)] = slice;
        }
        Self { tables, second: second.into(), family }
    }

    /// What the views of a cube share.
    #[inline(always)]
    pub(super) fn planes(&self, cube: &Cube) -> Planes {
        let (tables, edges, corners) = (&*self.tables, cube.edges, cube.corners);
        // Bits 0 and 3 of each piece, side by side, then four slots a byte.
        let bits = edges & 0x1111_1111_1111 | edges >> 2 & 0x2222_2222_2222;
        let bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f;
        let bits = bits | bits >> 4;
        let slices = tables.places[0][index(bits, 0, 255)]
            | tables.places[1][index(bits, 16, 255)]
            | tables.places[2][index(bits, 32, 255)];
        let flips = tables.flips[0][index(edges, 48, 63)] ^ tables.flips[1][index(edges, 54, 63)];
        // The second view sees the pieces of its own slice flipped, the third those of the first.
        let flips = flips ^ slices & 0xffff_0000 ^ slices >> 16 & 0xffff_0000_0000;
        // The tetrad of a piece is the sum of its bits 0 and 2.
        let tetrads = corners ^ corners >> 2;
        let others = |tetrads: u64, fields: u64, distance: u32| {
            let bits = tetrads & fields;
            let bits = bits | bits >> distance;
            (bits | bits >> 4) as u16 & 15
        };
        // Bits 0, 6, 15, 21 become bits 0, 2, 1, 3; so do bits 0, 6, 9, 15.
        let first = others(tetrads, 0o1010_0101, 14);
        let second = others(!tetrads >> 3, 0o10_1101, 8);
        let number = |tetrad: usize| tables.number_of_twists[tetrad][pack_twists(corners, tetrad)];
        Planes { slices, flips, twists: [number(0) + first, number(1) + second] }
    }

    /// Row and column of a cube in a view.
    #[inline(always)]
    pub(super) fn locate(&self, view: usize, planes: &Planes) -> (u32, u32) {
        let tables = &*self.tables;
        let lane = 16 * (view & 3);
        let set = planes.slices >> lane;
        let number = tables.number[0][index(set, 0, 63)] + tables.number[1][index(set, 6, 63)];
        let slice = tables.slice[usize::from(number) & 511];
        let first = usize::from(slice.flips >> 12);
        let flips = planes.flips >> lane;
        let permuted = &tables.permuted[first];
        let flips =
            (permuted[0][index(flips, 0, 63)] ^ permuted[1][index(flips, 6, 63)]) ^ slice.flips;
        let flips = match self.family {
            Family::G1 => flips & 0x7ff,
            Family::G256 => {
                let kept = &tables.kept[usize::from(slice.class) & 63];
                u16::from(kept[0][usize::from(flips & 63)] | kept[1][usize::from(flips >> 6 & 63)])
            }
        };
        let found = self.second[slice.second as usize + usize::from(flips & slice.mask)];
        let row = slice.row + (found & 0x7ff) + (flips & !slice.mask);
        let both = tables.both[first << 4 | usize::from(found >> 11 & 15)];
        let turned = &tables.turned[view & 3];
        let column = &tables.column[usize::from(both & 15)];
        let part = |tetrad: usize| {
            let twists = turned[tetrad][usize::from(planes.twists[tetrad]) & 2047];
            column[tetrad][usize::from(twists) & 127]
        };
        (u32::from(row), u32::from(part(0) + part(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Metric;

    #[test]
    fn most_slices_need_no_second_symmetry() {
        for (family, entries) in [(Family::G1, 23 * 2048 + 1), (Family::G256, 23 * 256 + 1)] {
            let found = Index::new(&Reduced::new(Coordinates::new(Metric::HalfTurn, family)));
            let slices = &found.tables.slice[..495];
            let without = slices.iter().filter(|slice| slice.second == 0).count();
            assert_eq!((found.second.len(), without), (entries, 352));
        }
    }

    #[test]
    fn the_turn_about_a_corner_takes_each_place_four_further() {
        let at = places();
        let mut sorted = at;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..12));
        for (turn, s) in turning().into_iter().enumerate() {
            for place in 0..12 {
                let image = symmetry::conjugate(s, &with_edges(0xf00, 1 << at[place]));
                assert_eq!(flips_of(&image), 1 << at[(place + 4 * turn) % 12]);
            }
        }
    }
}
