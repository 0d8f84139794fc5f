//! Computes the table entry of a byte cube's coset, for each of the three axes.
//!
//! A *view* is the cube conjugated by a rotation of the whole cube about the corner URF. That
//! rotation takes one axis to the axis of U and D. View `v` moves each edge place by `4 v`, modulo
//! 12. A search does not conjugate cubes. Instead, one shuffle rotates the edge places. A second
//! shuffle looks up, for each piece, whether the view has it in its slice and sees it flipped. The
//! highest bits of the bytes are then the places of the slice's pieces, or the flipped places.
//!
//! The slice's places are one of 495 sets in 45 classes under the 16 symmetries of the axis. One
//! symmetry takes the set to the first one of its class. A shuffle, or a table of six places,
//! permutes the flips by this symmetry. The class and the flips give the row and a second symmetry.
//! The second symmetry matters only in classes that some symmetry besides the identity fixes. The
//! view and both symmetries together are one conjugation of the twists. It consists of a shuffle
//! that changes each twist, a shuffle that moves the twists, and a sum.
//!
//! Several cubes pass these steps together: first the shuffles of all edges, then the scalar
//! lookups, then the corners.
//!
//! | table | bytes (g1, tet112, htr111) | bytes (g256) |
//! |---|---|---|
//! | class and flips | 94 KB | 12 KB |
//! | all others, one cube at once | 22 KB | 38 KB |
//! | all others, several cubes at once | 26 KB | 42 KB |
//!
//! htr108 and htr110 are like g256, but class and flips of htr110 take 47 KB. All three tables of
//! corners up to half turns take 2 KB more.
//!
//! Only 29% of all cubes read the table of class and flips. If only the identity fixes a class, the
//! flips number its rows directly. All tables are computed from conjugated cubes.

use super::coordinates::AxisCoordinates;
use super::family::AxisFamily;
use crate::bytes::{ByteCube, EDGE_PLACES, Locator, Sixteen, Vector};
use crate::cosets::corners::{CORNERS, Pairs};
use crate::cosets::sets::{self, SLICE, flips_of, slices, tetrad_sets, with_edges};
use crate::cosets::twists::{TwistMap, changed, twist_indices};
use crate::cube::Cube;
use crate::symmetry::{self, AXIS_COUNT, axis_turns};
use pdb::coset::{SymmetryReduced, locate_some, side};
use search::{Lookup, TwoSidedState};

/// Shuffle tables of the edges for each view.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct EdgeViews {
    /// Indexed by view, then place in the view: the place in the cube.
    places: [Sixteen; 4],
    /// Indexed by view, then piece: bit 7 if the piece belongs to the view's slice, bit 6 if the
    /// view sees the piece's home flipped.
    pieces: [Sixteen; 4],
    /// Indexed by view, then place in the view: bit 6 if the view sees the place flipped.
    slots: [Sixteen; 4],
}

/// Computes the row and column of a cube in a view. Table sizes are powers of two, so no index
/// needs a check. Entries that only fill up a table are never read.
#[derive(Clone, Debug)]
pub struct AxisIndex {
    family: AxisFamily,
    tables: Box<Tables>,
    /// The row and the second symmetry of a set of flips, in classes that some symmetry besides the
    /// identity fixes. The index is the class's beginning (see [`Tables::classes`]) plus the flips.
    /// Bits 0 to 10: the row minus the first row of the class. Bits 11 to 14: the second symmetry.
    second: Box<[u16; 1 << 16]>,
}

#[derive(Clone, Debug)]
struct Tables {
    views: EdgeViews,
    /// Indexed by the set of places of the slice's pieces. Bits 0 to 5: the class. Bits 16 to 27:
    /// the slots that its symmetry flips. Bits 28 to 31: the symmetry that takes the set to the
    /// first one of the class.
    sets: [u32; 4096],
    /// For each class. Bits 0 to 15: its first row. Bits 16 to 31: where its entries begin in
    /// [`AxisIndex::second`]; 0 if only the identity fixes the class.
    classes: [u32; 64],
    /// Indexed by symmetry, then slot: the place that its flip comes from.
    sources: [Sixteen; 16],
    /// Indexed by symmetry, then a set of six flipped places: the places that they move to. Bits 0
    /// to 15 are for a set of the first six places, bits 16 to 31 for the other six.
    flips: [u32; 64 * 16],
    /// If the family does not tell all flips apart. Indexed by class, then the flips of six slots:
    /// their part of the number of the flips. Bits 0 to 15 are for the first six slots, the others
    /// for the other six. The number is the sum (xor) of both parts.
    kept: [u32; 64 * 64],
    /// Indexed by view, then symmetry: how both together change the twists.
    twists: [TwistMap; 16 * 4],
    /// Indexed by the first symmetry times 16 plus the second: their product.
    both: [u8; 256],
    /// The number of the set of slots that hold the first tetrad's pieces. Indexed by whether the
    /// tetrads change places, then by the set of slots of the second tetrad's pieces.
    tetrads: [[u8; 256]; 2],
    /// Indexed as [`Tables::twists`], then by the home place of a piece: the home place after both.
    pieces: [Sixteen; 16 * 4],
    pairs: Pairs,
}

impl EdgeViews {
    fn new() -> Self {
        let mut views = Self {
            places: [Sixteen::NONE; 4],
            pieces: [Sixteen::ZERO; 4],
            slots: [Sixteen::ZERO; 4],
        };
        for (view, symmetry) in axis_turns().into_iter().enumerate() {
            for (place, &slot) in EDGE_PLACES.iter().enumerate() {
                // View `v` takes an edge `4 v` places further.
                let seen = (place + 4 * view) % 12;
                views.places[view].0[seen] = place as u8;
                // A piece that is swapped with the first one is seen flipped if the view flips
                // exactly one of both places.
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

impl Tables {
    fn new() -> Box<Self> {
        let views = axis_turns();
        let mut tables = Box::new(Self {
            views: EdgeViews::new(),
            sets: [0; 4096],
            classes: [0; 64],
            sources: [Sixteen::NONE; 16],
            flips: [0; 64 * 16],
            kept: [0; 64 * 64],
            twists: std::array::from_fn(|at| {
                let viewed = |cube: &Cube| symmetry::conjugate(views[at / 16 % 3], cube);
                TwistMap::new(|cube| symmetry::conjugate(at % 16, &viewed(cube)))
            }),
            both: [0; 256],
            tetrads: [[0; 256]; 2],
            pieces: [Sixteen::ZERO; 16 * 4],
            pairs: Pairs::new(),
        });
        for (pieces, map) in tables.pieces.iter_mut().zip(&tables.twists) {
            *pieces = map.pieces();
        }
        for (number, set) in (0..).zip(tetrad_sets()) {
            tables.tetrads[0][usize::from(!set)] = number;
            tables.tetrads[1][usize::from(set)] = number;
        }
        for (pair, product) in tables.both.iter_mut().enumerate() {
            *product = symmetry::product(pair / 16, pair % 16) as u8;
        }
        let flips = tables.flips.chunks_exact_mut(64).zip(&mut tables.sources);
        for (s, (entries, sources)) in flips.enumerate() {
            let flips = |cube: &Cube| flips_of(&symmetry::conjugate(s, cube));
            let solved = flips(&Cube::SOLVED);
            for (flipped, entry) in entries.iter_mut().enumerate() {
                let after = |first: usize| {
                    let slots = (0..6).filter(|at| flipped >> at & 1 == 1);
                    let slots = slots.fold(0, |slots, at| slots | 1 << EDGE_PLACES[first + at]);
                    u32::from(flips(&with_edges(SLICE, slots)) ^ solved)
                };
                *entry = after(0) | after(6) << 16;
            }
            for (place, &slot) in EDGE_PLACES.iter().enumerate() {
                let to = (flips(&with_edges(SLICE, 1 << slot)) ^ solved).trailing_zeros();
                sources.0[to as usize % 16] = place as u8;
            }
        }
        tables
    }
}

impl AxisIndex {
    pub(super) fn new(reduced: &SymmetryReduced<AxisCoordinates>) -> Self {
        let edges = reduced.product().edges();
        let family = edges.family;
        let (sets, _) = slices();
        let mut index = Self { family, tables: Tables::new(), second: Box::new([0; 1 << 16]) };
        // Entry 0 of `second` serves all classes that only the identity fixes.
        let mut end = 1;
        let mut classes: Vec<usize> = Vec::new();
        for (set, &slots) in sets.iter().enumerate() {
            let image = |s: usize| usize::from(edges.symmetries[s].by_slice[set].1);
            // The least set stands for its class, and comes first.
            let (least, symmetry) =
                (0..AXIS_COUNT).map(|s| (image(s), s)).min().expect("16 symmetries");
            let known = classes.iter().position(|&class| class == least);
            let class = known.unwrap_or_else(|| {
                let fixed = (0..AXIS_COUNT).filter(|&s| image(s) == set).count() > 1;
                end = index.add_class(reduced, classes.len(), (set as u16, slots), fixed, end);
                classes.push(set);
                classes.len() - 1
            });
            let complement = edges.symmetries[symmetry].by_slice[set].0;
            let places: usize =
                (0..12).map(|p| usize::from(slots >> EDGE_PLACES[p] & 1) << p).sum();
            index.tables.sets[places] =
                class as u32 | u32::from(complement) << 16 | (symmetry as u32) << 28;
        }
        index
    }

    /// Fills in the class of a set. `(set, slots)` are the set's number and its slots. If some
    /// symmetry besides the identity fixes the class, its entries of `second` begin at `begin`.
    /// Returns the index after them.
    fn add_class(
        &mut self,
        reduced: &SymmetryReduced<AxisCoordinates>,
        class: usize,
        (set, slots): (u16, u16),
        fixed: bool,
        begin: usize,
    ) -> usize {
        let family = self.family;
        let edges = reduced.product().edges();
        let find = |flips| reduced.class(edges.number(set, flips));
        let (row, _) = find(0);
        self.tables.classes[class] = row;
        for (bits, entry) in (0..64).zip(&mut self.tables.kept[64 * class..]) {
            let part = |flips| family.encode(slots, flips);
            *entry = part(bits) | part(bits << 6) << 16;
        }
        if !fixed {
            return begin;
        }
        self.tables.classes[class] |= (begin as u32) << 16;
        for (flips, entry) in (0..family.flips()).zip(&mut self.second[begin..]) {
            let (of, s) = find(family.decode(slots, flips));
            *entry = (of - row) as u16 | (s as u16) << 11;
        }
        begin + family.flips() as usize
    }

    /// Rows and columns of `N` cubes, each in its view, with `L` cubes in a register. `FAMILY` is
    /// the family's number in [`AxisFamily::ALL`]. Calls `ask` with the places `before`, spread
    /// over the work.
    #[inline(always)]
    fn locate_as<V: Vector<L>, const L: usize, const N: usize, const FAMILY: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup; N],
        before: &[u64],
        ask: &impl Fn(u64),
    ) -> ([u32; N], [u32; N]) {
        const { assert!(N == 1 || N.is_multiple_of(L) && L.is_multiple_of(2)) };
        let family = const { AxisFamily::ALL[FAMILY] };
        let between = |i: usize| before.get(i).into_iter().for_each(|&place| ask(place));
        let tables = &*self.tables;
        let mut cubes = [side(states, asked[0]).0; N];
        let (mut sets, mut flips) = ([0_u16; N], [0_u16; N]);
        // Edges: the places of the slice's pieces, and the flipped ones.
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
            // For one cube a shuffle moves the flips. For several cubes, shuffles would need many
            // loads.
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
        // Scalar lookups, one cube after another and without a branch: the row, and the symmetry
        // for the twists.
        let (mut rows, mut turned) = ([0_u32; N], [0_u8; N]);
        for i in 0..N {
            let set = tables.sets[usize::from(sets[i] & 0xfff)];
            let class = tables.classes[set as usize & 63];
            let symmetry = set >> 28;
            let flips = u32::from(flips[i]);
            let to = |flips: u32| tables.flips[(symmetry << 6 | flips & 63) as usize & 1023];
            let flips = if L == 1 { flips } else { to(flips) & 0xffff ^ to(flips >> 6) >> 16 };
            let after = (flips ^ set >> 16) & 0xfff;
            let after = if family.flips() == 2048 {
                after & 0x7ff
            } else {
                let kept = |flips: u32| tables.kept[(set << 6 | flips & 63) as usize & 0xfff];
                kept(after) & 0xffff ^ kept(after >> 6) >> 16
            };
            let (row, begins) = (class & 0xffff, class >> 16);
            // A mask: all bits if some symmetry besides the identity fixes the class, else none.
            let fixed = if begins == 0 { 0 } else { !0 };
            let found = u32::from(self.second[(begins + (after & fixed)) as usize & 0xffff]);
            rows[i] = row + (found & 0x7ff) + (after & !fixed);
            turned[i] = tables.both[(symmetry << 4 | found >> 11 & 15) as usize & 255];
        }
        // Corners: twists changed and moved, and the tetrads.
        let mut columns = [0; N];
        for first in (0..N).step_by(L) {
            let at = |lane: usize| {
                let view = asked[first + lane].what() << 3;
                view & 48 | usize::from(turned[first + lane] & 15)
            };
            let twisting = |lane: usize| &tables.twists[at(lane)];
            let corners = V::load(|lane| cubes[first + lane].corners());
            (first..first + L).step_by(2).for_each(|i| between((N + i) / 2));
            let twists = V::load(|lane| &twisting(lane).twists).shuffled(twist_indices(corners));
            let places = V::load(|lane| &twisting(lane).places);
            columns[first..first + L].copy_from_slice(&twists.shuffled(places).numbers());
            match family.corners() {
                1 => {}
                sets::TETRADS => {
                    // Bit 2 of a piece says that it is of the second tetrad. It is moved to bit 7.
                    let second = corners.left::<5>().shuffled(places).signs();
                    for lane in 0..L {
                        let second = (second >> (16 * lane)) as usize & 255;
                        let tetrad = tables.tetrads[usize::from(twisting(lane).swaps)][second];
                        let row = &mut rows[first + lane];
                        *row = *row * sets::TETRADS + u32::from(tetrad);
                    }
                }
                _ => {
                    let pieces = V::load(|lane| &tables.pieces[at(lane)]);
                    let numbers = tables.pairs.numbers(pieces.shuffled(corners).shuffled(places));
                    for (row, number) in rows[first..first + L].iter_mut().zip(numbers) {
                        *row = *row * CORNERS + number;
                    }
                }
            }
        }
        (rows, columns)
    }
}

impl Locator for AxisIndex {
    const VIEWS: usize = 3;
    #[inline(always)]
    fn each<V: Vector<L>, const L: usize, const N: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // One loop for each family, so that no loop branches on it.
        macro_rules! each {
            ($number:literal) => {
                locate_some(asked, places, place, &ask, |asked, before| {
                    self.locate_as::<V, L, N, $number>(states, asked, before, &ask)
                })
            };
        }
        match self.family {
            AxisFamily::G256 => each!(0),
            AxisFamily::G1 => each!(1),
            AxisFamily::Htr108 => each!(2),
            AxisFamily::Tet112 => each!(3),
            AxisFamily::Htr110 => each!(4),
            AxisFamily::Htr111 => each!(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CubeMetric;

    #[test]
    fn most_slices_need_no_second_symmetry() {
        for (family, entries) in [(AxisFamily::G1, 23 * 2048 + 1), (AxisFamily::G256, 23 * 256 + 1)]
        {
            let found = AxisIndex::new(&SymmetryReduced::new(AxisCoordinates::new(
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
        for (turn, s) in axis_turns().into_iter().enumerate() {
            for place in 0..12 {
                let image = symmetry::conjugate(s, &with_edges(SLICE, 1 << EDGE_PLACES[place]));
                assert_eq!(flips_of(&image), 1 << EDGE_PLACES[(place + 4 * turn) % 12]);
            }
        }
    }
}
