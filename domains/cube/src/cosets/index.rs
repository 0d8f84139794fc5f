//! From a byte cube to the entry of its coset, seen along each of the three axes: shuffles of 16 bytes and a few small tables.
//!
//! A view is the cube conjugated by a turn of the whole cube about the corner URF, which takes an axis to that of U and D and each edge place four
//! further (of twelve). Nothing is conjugated in the search: a shuffle turns the edge places, another looks up what the view sees of each piece, and the
//! sign bits of the bytes are the set of places that the slice's pieces are in, or that are flipped.
//!
//! That set is one of 495 in 45 classes under the 16 symmetries of the axis. The set's symmetry permutes the flips, moved by a shuffle or looked up by six places; class and flips find the
//! row and a second symmetry, which matters only in classes that some symmetry fixes. View and both symmetries together are one conjugation of the
//! twists: a shuffle that changes each, one that moves them, and a sum.
//!
//! Several cubes go through this together: first the shuffles of the edges, then the words, then the corners.
//!
//! Bytes: 22 or 26 KB (8 KB more where the slice's flips do not count) for every read but one; that one, of class and flips, is in 94 KB (12 KB where the slice's flips do not count), and only 29% of all cubes go there: a class that no
//! symmetry fixes has its flips for rows. All tables are read off conjugated cubes.

use super::coordinates::{
    AxisCoordinates, AxisFamily, axis_symmetries, flips_of, slices, tetrad_sets, with_edges,
};
use crate::bytes::{ByteCube, CORNER_PLACES, EDGE_PLACES, Located, Plain, Sixteen, Vector};
use crate::cube::{Cube, Parts};
use crate::symmetry;
use pdb::coset::{SymmetryReduced, locate_some, side};
use search::{Lookup, TwoSidedState};

/// What views see of the edges.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Views {
    /// By view, then place as the view sees it: the place.
    places: [Sixteen; 4],
    /// By view, then piece: bit 7 if it is of the view's slice, bit 6 if the view sees it flipped.
    pieces: [Sixteen; 4],
    /// By view, then place as the view sees it: bit 6 if the view sees it flipped.
    slots: [Sixteen; 4],
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
    family: AxisFamily,
    tables: Box<Tables>,
    /// By class and flips, only of classes that some symmetry fixes: the row less the first of the class, and the second symmetry in bits 11 to 14.
    second: Box<[u16; 1 << 16]>,
}

#[derive(Clone, Debug)]
struct Tables {
    views: Views,
    /// By the places of the slice's pieces as a set: bits 0 to 5: the class; bits 16 to 27: slots flipped when the symmetry is applied; bits 28 to 31: the
    /// symmetry that takes the set to its class.
    sets: [u32; 4096],
    /// By class: bits 0 to 15: its first row; bits 16 to 31: where it begins in `second`, 0 if no symmetry fixes it.
    classes: [u32; 64],
    /// By symmetry, then slot: the place where its flip comes from.
    sources: [Sixteen; 16],
    /// The same by symmetry, then six places flipped: where these go, of the first six places in bits 0 to 15, of the others in bits 16 to 31.
    flips: [u32; 64 * 16],
    /// g256. By class, six slots, their flips: the part of the flips' number, of the first six slots in bits 0 to 7, of the others in bits 8 to 15.
    kept: [u16; 64 * 64],
    /// By view, then symmetry.
    twists: [Twisting; 16 * 4],
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

impl Views {
    fn new() -> Self {
        let mut views = Self {
            places: [Sixteen::NONE; 4],
            pieces: [Sixteen::ZERO; 4],
            slots: [Sixteen::ZERO; 4],
        };
        for (view, symmetry) in turning().into_iter().enumerate() {
            for (place, &slot) in EDGE_PLACES.iter().enumerate() {
                // A view takes an edge so many places further.
                let seen = (place + 4 * view) % 12;
                views.places[view].0[seen] = place as u8;
                // A piece that changes places with the first one is seen flipped where one of both places is.
                let swapped = changed(|parts| parts.edges.swap(EDGE_PLACES[0], slot));
                let flipped =
                    flips_of(&symmetry::conjugate(symmetry, &swapped)) >> EDGE_PLACES[seen] & 1;
                views.slots[view].0[seen] = (flipped as u8) << 6;
                views.pieces[view].0[place] = (flipped as u8) << 6 | if seen < 8 { 0 } else { 128 };
            }
        }
        views
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
        let mut tables = Box::new(Self {
            views: Views::new(),
            sets: [0; 4096],
            classes: [0; 64],
            sources: [Sixteen::NONE; 16],
            flips: [0; 64 * 16],
            kept: [0; 64 * 64],
            twists: std::array::from_fn(|at| {
                let image = |cube: &Cube| symmetry::conjugate(turning[at / 16 % 3], cube);
                Twisting::new(|cube| symmetry::conjugate(all[at % 16], &image(cube)))
            }),
            both: [0; 256],
            tetrads: [[0; 256]; 2],
        });
        for (number, set) in (0..).zip(tetrad_sets()) {
            tables.tetrads[0][usize::from(!set)] = number;
            tables.tetrads[1][usize::from(set)] = number;
        }
        for (symmetry, entries) in (0..).zip(&mut tables.both) {
            *entries = product(symmetry / 16, symmetry % 16);
        }
        let flips = tables.flips.chunks_exact_mut(64).zip(&mut tables.sources);
        for ((entries, sources), &s) in flips.zip(&all) {
            let flips = |cube: &Cube| flips_of(&symmetry::conjugate(s, cube));
            let solved = flips(&Cube::SOLVED);
            for (flipped, entry) in entries.iter_mut().enumerate() {
                let after = |first: usize| {
                    let slots = (0..6).filter(|at| flipped >> at & 1 == 1);
                    let slots = slots.fold(0, |slots, at| slots | 1 << EDGE_PLACES[first + at]);
                    u32::from(flips(&with_edges(0xf00, slots)) ^ solved)
                };
                *entry = after(0) | after(6) << 16;
            }
            for (place, &slot) in EDGE_PLACES.iter().enumerate() {
                let to = (flips(&with_edges(0xf00, 1 << slot)) ^ solved).trailing_zeros();
                sources.0[to as usize % 16] = place as u8;
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
    pub(crate) fn new(reduced: &SymmetryReduced<AxisCoordinates>) -> Self {
        let edges = reduced.product().edges();
        let family = edges.family;
        let (sets, _) = slices();
        let mut tables = Tables::new();
        let mut second = vec![0];
        let mut classes: Vec<usize> = Vec::new();
        for (set, &slots) in sets.iter().enumerate() {
            let number = |s: usize| usize::from(edges.symmetries[s].by_slice[set].1);
            // The least set stands for its class, and comes first.
            let least = (0..16).map(number).min().unwrap_or(set);
            let symmetry = (0..16).find(|&s| number(s) == least).unwrap_or(0);
            let known = classes.iter().position(|&class| class == least);
            let class = known.unwrap_or_else(|| {
                let class = classes.len();
                let found = |flips| reduced.class(edges.number(set as u16, flips));
                let row = found(0).0;
                tables.classes[class] = row;
                for (bits, entry) in (0..64).zip(&mut tables.kept[64 * class..]) {
                    let part = |flips| family.encode(slots, flips) as u16 & 255;
                    *entry = part(bits) | part(bits << 6) << 8;
                }
                if (0..16).filter(|&s| number(s) == set).count() > 1 {
                    tables.classes[class] |= (second.len() as u32) << 16;
                    for flips in 0..family.flips() {
                        let (of, s) = found(family.decode(slots, flips));
                        second.push((of - row) as u16 | (s as u16) << 11);
                    }
                }
                classes.push(set);
                class
            });
            let complement = edges.symmetries[symmetry].by_slice[set].0;
            let places: usize =
                (0..12).map(|p| usize::from(slots >> EDGE_PLACES[p] & 1) << p).sum();
            tables.sets[places] =
                class as u32 | u32::from(complement) << 16 | (symmetry as u32) << 28;
        }
        second.resize(1 << 16, 0);
        let second = second.into_boxed_slice().try_into();
        let second = second.unwrap_or_else(|_| unreachable!("of this length"));
        Self { tables, second, family }
    }

    /// Row and column of a cube in a view, in plain loops: the oracle.
    pub(crate) fn locate(&self, view: usize, cube: &ByteCube) -> (u32, u32) {
        let both = [TwoSidedState { position: *cube, inverse: *cube }];
        let asked = &[Lookup::new(0, 2 * view as u16)];
        let ([row], [column]) = match self.family {
            AxisFamily::G256 => {
                self.locate_as::<Plain<1>, 1, 1, false, false>(&both, asked, |_| ())
            }
            AxisFamily::G1 => self.locate_as::<Plain<1>, 1, 1, true, false>(&both, asked, |_| ()),
            AxisFamily::Tet112 => {
                self.locate_as::<Plain<1>, 1, 1, true, true>(&both, asked, |_| ())
            }
        };
        (row, column)
    }

    /// Rows and columns of `N` cubes in a view each, `L` side by side in a register, of a family where all flips count, or tetrads do.
    #[inline(always)]
    fn locate_as<
        V: Vector<L>,
        const L: usize,
        const N: usize,
        const ALL_FLIPS: bool,
        const TETRADS: bool,
    >(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup; N],
        between: impl Fn(usize),
    ) -> ([u32; N], [u32; N]) {
        const { assert!(N == 1 || N.is_multiple_of(L) && L.is_multiple_of(2)) };
        let tables = &*self.tables;
        let mut cubes = [side(states, asked[0]).0; N];
        let (mut sets, mut flips) = ([0_u16; N], [0_u16; N]);
        for first in (0..N).step_by(L) {
            let cube = std::array::from_fn::<_, L, _>(|lane| side(states, asked[first + lane]).0);
            let views = std::array::from_fn(|lane| asked[first + lane].what() as u32 / 2);
            cubes[first..first + L].copy_from_slice(&cube);
            let edges = V::load(|lane| cube[lane].edges());
            let edges = edges.shuffled(V::picked(&tables.views.places, &views));
            // Bit 7: of the slice. Bit 6: flipped, which was bit 4.
            let pieces = V::picked(&tables.views.pieces, &views).shuffled(edges);
            let slots = V::picked(&tables.views.slots, &views);
            let edges = pieces.xor(edges.left::<2>()).xor(slots);
            (first..first + L).step_by(2).for_each(|i| between(i / 2));
            let of_slice = edges.signs();
            // One cube moves its flips by a shuffle; of several that would need many loads.
            let edges = match L {
                1 => {
                    let symmetry = tables.sets[of_slice as usize & 0xfff] >> 28;
                    edges.shuffled(V::same(&tables.sources[symmetry as usize]))
                }
                _ => edges,
            };
            let flipped = edges.left::<1>().signs();
            for lane in 0..L {
                sets[first + lane] = (of_slice >> (16 * lane)) as u16;
                flips[first + lane] = (flipped >> (16 * lane)) as u16;
            }
        }
        // Words one after another: no branch.
        let (mut rows, mut turned) = ([0_u32; N], [0_u8; N]);
        for i in 0..N {
            let set = tables.sets[usize::from(sets[i] & 0xfff)];
            let class = tables.classes[set as usize & 63];
            let symmetry = set >> 28;
            let flips = u32::from(flips[i]);
            let to = |flips: u32| tables.flips[(symmetry << 6 | flips & 63) as usize & 1023];
            let flips = if L == 1 { flips } else { to(flips) & 0xffff ^ to(flips >> 6) >> 16 };
            let after = (flips ^ set >> 16) & 0xfff;
            let after = if ALL_FLIPS {
                after & 0x7ff
            } else {
                let kept = |flips: u32| tables.kept[(set << 6 | flips & 63) as usize & 0xfff];
                u32::from(kept(after) & 255 | kept(after >> 6) >> 8)
            };
            let (row, begins) = (class & 0xffff, class >> 16);
            // All bits where some symmetry fixes the class.
            let fixed = if begins == 0 { 0 } else { !0 };
            let found = u32::from(self.second[(begins + (after & fixed)) as usize & 0xffff]);
            rows[i] = row + (found & 0x7ff) + (after & !fixed);
            turned[i] = tables.both[(symmetry << 4 | found >> 11 & 15) as usize & 255];
        }
        let mut columns = [0; N];
        for first in (0..N).step_by(L) {
            let twisting = |lane: usize| {
                let view = asked[first + lane].what() << 3;
                &tables.twists[view & 48 | usize::from(turned[first + lane] & 15)]
            };
            let corners = V::load(|lane| cubes[first + lane].corners());
            (first..first + L).step_by(2).for_each(|i| between((N + i) / 2));
            let twists = V::load(|lane| &twisting(lane).twists).shuffled(twisted(corners));
            let places = V::load(|lane| &twisting(lane).places);
            columns[first..first + L].copy_from_slice(&twists.shuffled(places).numbers());
            if TETRADS {
                // Bit 2 of a piece, moved to bit 7: it is of the second tetrad.
                let second = corners.left::<5>().shuffled(places).signs();
                for lane in 0..L {
                    let second = (second >> (16 * lane)) as usize & 255;
                    let tetrad = tables.tetrads[usize::from(twisting(lane).swaps)][second];
                    let row = &mut rows[first + lane];
                    *row = *row * TETRAD_SETS + u32::from(tetrad);
                }
            }
        }
        (rows, columns)
    }
}

/// What [`Twisting`] looks up: the twist, bit 2 of the piece, which is its tetrad, and what is of the place.
#[inline(always)]
pub(super) fn twisted<V: Vector<L>, const L: usize>(corners: V) -> V {
    let twists = corners.right::<4>().and(V::same(&TWIST)).or(corners.and(V::same(&TETRAD)));
    twists.xor(V::same(&SECOND_TETRAD))
}

impl Located for Index {
    #[inline(always)]
    fn each<V: Vector<L>, const L: usize, const N: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // One loop for each kind of family, so that none asks for it.
        macro_rules! each {
            ($flips:literal, $tetrads:literal) => {
                locate_some(asked, places, place, &ask, |asked, before| {
                    let between =
                        |i: usize| before.get(i).into_iter().for_each(|&place| ask(place));
                    self.locate_as::<V, L, N, $flips, $tetrads>(states, asked, between)
                })
            };
        }
        match self.family {
            AxisFamily::G256 => each!(false, false),
            AxisFamily::G1 => each!(true, false),
            AxisFamily::Tet112 => each!(true, true),
        }
    }
}

/// How many sets of slots the pieces of a tetrad can be in.
const TETRAD_SETS: u32 = 70;
/// Bits of a byte of a corner: the twist, once it is shifted, and the tetrad.
const TWIST: Sixteen = Sixteen([3; 16]);
const TETRAD: Sixteen = Sixteen([4; 16]);
/// By place: 12 in the second tetrad.
const SECOND_TETRAD: Sixteen = Sixteen([0, 0, 0, 0, 12, 12, 12, 12, 0, 0, 0, 0, 0, 0, 0, 0]);

#[cfg(test)]
mod tests {
    use super::super::coordinates::twists_of;
    use super::*;
    use crate::domain::CubeMetric;

    #[test]
    fn most_slices_need_no_second_symmetry() {
        for (family, entries) in [(AxisFamily::G1, 23 * 2048 + 1), (AxisFamily::G256, 23 * 256 + 1)]
        {
            let found = Index::new(&SymmetryReduced::new(AxisCoordinates::new(
                CubeMetric::HalfTurn,
                family,
            )));
            let sets = (0..4096_usize).filter(|set| set.count_ones() == 4);
            let classes =
                sets.map(|set| found.tables.classes[found.tables.sets[set] as usize & 63]);
            let begins: Vec<usize> = classes.map(|class| class as usize >> 16).collect();
            let without = begins.iter().filter(|&&begin| begin == 0).count();
            let flips = usize::try_from(family.flips()).unwrap();
            let last = begins.into_iter().max();
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
        let numbers = crate::bytes::Plain::<4>::same(&sixteen).numbers();
        assert_eq!(numbers, [u32::from(twists_of(&cube)); 4]);
    }
}
