//! Computes the table entry of a byte cube's coset of half turns.
//!
//! Two sets of edge places, taken from the highest bits of bytes, number the arrangement of the
//! slices. A table of 139 KB has the arrangement's class and the symmetry that takes it to the
//! first one of the class. Shuffles apply that symmetry to twists and corners. The homes of the
//! corners, picked out tetrad by tetrad in the order of their slots, number the corner arrangement.
//! All other tables have 13 KB.

use super::coordinates::HalfTurnCoordinates;
use super::edges::{ARRANGEMENTS, Edges, PLACES, SECOND};
use crate::bytes::{ByteCube, Locator, Sixteen, Vector};
use crate::cosets::corners::{CORNERS, Pairs};
use crate::cosets::twists::{TwistMap, twist_indices};
use crate::symmetry;
use pdb::coset::{Product, SymmetryReduced, locate_some, side};
use search::{Lookup, TwoSidedState};

/// How a symmetry changes corners and twists.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct CornerMap {
    twists: Sixteen,
    /// For each slot: the place that its corner comes from. 128 in the unused bytes from 8 on.
    places: Sixteen,
    /// For each home place of a piece: the home place after the symmetry.
    pieces: Sixteen,
}

impl CornerMap {
    fn new(s: usize) -> Self {
        let map = TwistMap::new(|cube| symmetry::conjugate(s, cube));
        Self { twists: map.twists, places: map.places, pieces: map.pieces() }
    }
}

/// Computes the row and column of a cube. Table sizes are powers of two, so no index needs a check.
/// Entries that only fill up a table are never read.
#[derive(Clone, Debug)]
pub struct HalfTurnIndex {
    tables: Box<Tables>,
    /// Whether the family tells the parities of the slices' flips apart.
    parities: bool,
    /// Number of rows of a class.
    rows: u32,
}

#[derive(Clone, Debug)]
struct Tables {
    /// Indexed by a set of four places: its number, among twelve places (this table) and among
    /// eight (the next one).
    third: [u16; 4096],
    second: [u8; 256],
    pairs: Pairs,
    /// Indexed by the number of the slices' arrangement. Bits 0 to 9: its class. Bits 10 to 15: the
    /// symmetry that takes it to the first one of the class. Bits 16 and 17: the parities that this
    /// symmetry changes because of the arrangement.
    classes: [u32; 1 << 16],
    /// Indexed by symmetry, then parities of the second and third slice: the parities after the
    /// symmetry. Bits 16 and 17 of [`Tables::classes`] must still be applied.
    odd: [[u8; 4]; 64],
    corner_maps: [CornerMap; 64],
}

impl HalfTurnIndex {
    pub(super) fn new(reduced: &SymmetryReduced<HalfTurnCoordinates>) -> Self {
        let slices = reduced.product();
        let symmetry = |s: usize| &slices.symmetries[s % symmetry::COUNT];
        let corner_maps: [CornerMap; symmetry::COUNT] = std::array::from_fn(CornerMap::new);
        let mut tables = Box::new(Tables {
            third: [0; 4096],
            second: slices.numbers.second,
            pairs: Pairs::new(),
            classes: [0; 1 << 16],
            odd: [[0; 4]; 64],
            corner_maps: std::array::from_fn(|s| corner_maps[s % symmetry::COUNT]),
        });
        tables.third.copy_from_slice(&slices.numbers.third);
        for (number, entry) in (0..ARRANGEMENTS).zip(&mut tables.classes) {
            let (class, s) = reduced.class(number);
            let changed = symmetry(s).parities(slices.numbers.sets(number)) >> 1;
            *entry = class | (s as u32) << 10 | u32::from(changed) << 16;
        }
        for (s, entries) in tables.odd.iter_mut().enumerate() {
            let sets = Edges::SOLVED.sets;
            let changed = symmetry(s).parities(sets);
            for (others, entry) in (0..).zip(entries) {
                let odd = others << 1 | u8::from(others == 1 || others == 2);
                *entry = (symmetry(s).apply(Edges { sets, odd }).odd ^ changed) >> 1;
            }
        }
        let parities = slices.halving.parities() > 1;
        Self { tables, parities, rows: slices.middle().size() }
    }

    /// Rows and columns of `N` cubes, with `L` cubes in a register. `PARITIES` says whether the
    /// family tells parities apart. Calls `ask` with the places `before`, spread over the work.
    #[inline(always)]
    fn locate_as<V: Vector<L>, const L: usize, const N: usize, const PARITIES: bool>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup; N],
        before: &[u64],
        ask: &impl Fn(u64),
    ) -> ([u32; N], [u32; N]) {
        const { assert!(N == 1 || N.is_multiple_of(L) && L.is_multiple_of(2)) };
        let between = |i: usize| before.get(i).into_iter().for_each(|&place| ask(place));
        let tables = &*self.tables;
        let mut cubes = [side(states, asked[0]).0; N];
        let (mut thirds, mut seconds, mut flips) = ([0; N], [0; N], [0; N]);
        // Edges: the places of the second and third slice's pieces, and the flipped ones.
        for first in (0..N).step_by(L) {
            let cube = std::array::from_fn::<_, L, _>(|lane| side(states, asked[first + lane]).0);
            cubes[first..first + L].copy_from_slice(&cube);
            let edges = V::load(|lane| cube[lane].edges());
            (first..first + L).step_by(2).for_each(|i| between(i / 2));
            // Bits 2 and 3 of a byte: homes of the second slice, and of the third. Bit 4: flipped.
            let signs = [edges.left::<4>(), edges.left::<5>(), edges.left::<3>()].map(V::signs);
            for lane in 0..L {
                let of = |signs: u64| (signs >> (16 * lane)) as u32 & u32::from(PLACES);
                (thirds[first + lane], seconds[first + lane]) = (of(signs[0]), of(signs[1]));
                flips[first + lane] = of(signs[2]);
            }
        }
        // Scalar lookups: the class of the slices' arrangement and its symmetry.
        let mut entries = [0; N];
        for i in 0..N {
            let (third, second) = (thirds[i], seconds[i]);
            let among = V::extracted(second, !third & u32::from(PLACES));
            let number = u32::from(tables.third[third as usize & 0xfff]) * SECOND
                + u32::from(tables.second[among as usize & 255]);
            entries[i] = tables.classes[number as usize & 0xffff];
        }
        // Corners: twists, and the arrangement up to half turns.
        let (mut rows, mut columns) = ([0; N], [0; N]);
        for first in (0..N).step_by(L) {
            let corner_map =
                |lane: usize| &tables.corner_maps[entries[first + lane] as usize >> 10 & 63];
            let corners = V::load(|lane| cubes[first + lane].corners());
            (first..first + L).step_by(2).for_each(|i| between((N + i) / 2));
            let places = V::load(|lane| &corner_map(lane).places);
            let twists = V::load(|lane| &corner_map(lane).twists).shuffled(twist_indices(corners));
            columns[first..first + L].copy_from_slice(&twists.shuffled(places).numbers());
            // Bits 0 to 2: the home.
            let pieces =
                V::load(|lane| &corner_map(lane).pieces).shuffled(corners).shuffled(places);
            rows[first..first + L].copy_from_slice(&tables.pairs.numbers(pieces));
        }
        for i in 0..N {
            let (class, s) = (entries[i] & 1023, entries[i] as usize >> 10 & 63);
            rows[i] += class * self.rows;
            if PARITIES {
                let odd = |set: u32| (flips[i] & set).count_ones() & 1;
                let others = odd(seconds[i]) | odd(thirds[i]) << 1;
                let after = u32::from(tables.odd[s][others as usize & 3]) ^ entries[i] >> 16;
                rows[i] += after * CORNERS;
            }
        }
        (rows, columns)
    }
}

impl Locator for HalfTurnIndex {
    const VIEWS: usize = 1;
    #[inline(always)]
    fn each<V: Vector<L>, const L: usize, const N: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // One loop for each kind of table, so that no loop branches on the kind.
        macro_rules! each {
            ($parities:literal) => {
                locate_some(asked, places, place, &ask, |asked, before| {
                    self.locate_as::<V, L, N, $parities>(states, asked, before, &ask)
                })
            };
        }
        if self.parities { each!(true) } else { each!(false) }
    }
}
