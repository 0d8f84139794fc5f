//! From a byte cube to the entry of its coset of half turns: sets of places by sign bits, one class table, shuffles of the corners.
//!
//! Two sets of edge places number the arrangement of the slices; its class and the symmetry to that come from one table of 139 KB. The symmetry moves twists and
//! pieces of the corners by shuffles. The pieces' homes, picked out tetrad by tetrad in the order of their slots, number their arrangement up to half
//! turns. Other tables: 13 KB.

use super::coordinates::HalfTurnCoordinates;
use super::corners::{CORNERS, Pairs};
use super::edges::{ARRANGEMENTS, Edges, PLACES, SECOND};
use crate::bytes::{ByteCube, CORNER_PLACES, Located, Plain, Sixteen, Vector};
use crate::cosets::index::{Twisting, twisted};
use crate::symmetry;
use pdb::coset::{Coordinate, Product, SymmetryReduced, locate_some, side};
use search::{Lookup, TwoSidedState};

/// What a symmetry makes of the corners.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Turning {
    twists: Sixteen,
    /// By slot: the place where its corner comes from; 128 from eight on.
    places: Sixteen,
    /// By place of a piece's home: that of its home after.
    pieces: Sixteen,
}

impl Turning {
    fn new(s: usize) -> Self {
        let Twisting { twists, places, .. } = Twisting::new(|cube| symmetry::conjugate(s, cube));
        let mut pieces = Sixteen::ZERO;
        for (slot, &place) in places.0[..8].iter().enumerate() {
            let home = CORNER_PLACES.iter().position(|&home| home == slot);
            pieces.0[usize::from(place)] = home.unwrap_or(0) as u8;
        }
        Self { twists, places, pieces }
    }
}

/// Finds entries. See the module for the bytes. Tables have sizes that are powers of two, so that no check is needed; of the padding no byte is touched.
#[derive(Clone, Debug)]
pub(crate) struct HalfTurnView {
    tables: Box<Tables>,
    /// Whether parities count.
    parities: bool,
    /// Rows of a class.
    rows: u32,
}

#[derive(Clone, Debug)]
struct Tables {
    /// By set of four places: its number, of twelve places, and of eight.
    third: [u16; 4096],
    second: [u8; 256],
    pairs: Pairs,
    /// By number of the arrangement: its class in bits 0 to 9, the symmetry in bits 10 to 15, and in bits 16 and 17 the parities that change.
    classes: [u32; 1 << 16],
    /// By symmetry, then parities of the second and third slice: those after, but for what [`Tables::classes`] changes.
    odd: [[u8; 4]; 64],
    turnings: [Turning; 64],
}

impl HalfTurnView {
    pub(super) fn new(reduced: &SymmetryReduced<HalfTurnCoordinates>) -> Self {
        let slices = reduced.product();
        let symmetry = |s: usize| &slices.symmetries[s % symmetry::COUNT];
        let turnings: [Turning; symmetry::COUNT] = std::array::from_fn(Turning::new);
        let mut tables = Box::new(Tables {
            third: [0; 4096],
            second: slices.numbers.second,
            pairs: Pairs::new(),
            classes: [0; 1 << 16],
            odd: [[0; 4]; 64],
            turnings: std::array::from_fn(|s| turnings[s % symmetry::COUNT]),
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

    /// Row and column of a cube, in plain loops: the oracle.
    pub(super) fn locate(&self, cube: &ByteCube) -> (u32, u32) {
        let (both, asked) =
            ([TwoSidedState { position: *cube, inverse: *cube }], [Lookup::new(0, 0)]);
        let ([row], [column]) = match self.parities {
            true => self.locate_as::<Plain<1>, 1, 1, true>(&both, &asked, |_| ()),
            false => self.locate_as::<Plain<1>, 1, 1, false>(&both, &asked, |_| ()),
        };
        (row, column)
    }

    /// Rows and columns of `N` cubes, `L` side by side in a register, where parities count or not.
    #[inline(always)]
    fn locate_as<V: Vector<L>, const L: usize, const N: usize, const PARITIES: bool>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup; N],
        between: impl Fn(usize),
    ) -> ([u32; N], [u32; N]) {
        const { assert!(N == 1 || N.is_multiple_of(L) && L.is_multiple_of(2)) };
        let tables = &*self.tables;
        let mut cubes = [side(states, asked[0]).0; N];
        let (mut thirds, mut seconds, mut flips) = ([0; N], [0; N], [0; N]);
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
        let mut entries = [0; N];
        for i in 0..N {
            let (third, second) = (thirds[i], seconds[i]);
            let among = V::extracted(second, !third & u32::from(PLACES));
            let number = u32::from(tables.third[third as usize & 0xfff]) * SECOND
                + u32::from(tables.second[among as usize & 255]);
            entries[i] = tables.classes[number as usize & 0xffff];
        }
        let (mut rows, mut columns) = ([0; N], [0; N]);
        for first in (0..N).step_by(L) {
            let turning = |lane: usize| &tables.turnings[entries[first + lane] as usize >> 10 & 63];
            let corners = V::load(|lane| cubes[first + lane].corners());
            (first..first + L).step_by(2).for_each(|i| between((N + i) / 2));
            let places = V::load(|lane| &turning(lane).places);
            let twists = V::load(|lane| &turning(lane).twists).shuffled(twisted(corners));
            columns[first..first + L].copy_from_slice(&twists.shuffled(places).numbers());
            // Bits 0 to 2: the home.
            let pieces = V::load(|lane| &turning(lane).pieces).shuffled(corners).shuffled(places);
            let bits = [pieces.left::<7>(), pieces.left::<6>(), pieces.left::<5>()].map(V::signs);
            for lane in 0..L {
                let [first_bit, second_bit, tetrad] =
                    bits.map(|bits| (bits >> (16 * lane)) as u32 & 255);
                let homes = first_bit | second_bit << 8;
                let both = tetrad * 0x101;
                let homes = [V::extracted(homes, both ^ 0xffff), V::extracted(homes, both)];
                rows[first + lane] =
                    tables.pairs.number(tetrad as usize, homes.map(|homes| homes as usize));
            }
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

impl Located for HalfTurnView {
    #[inline(always)]
    fn each<V: Vector<L>, const L: usize, const N: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        // One loop for each kind of table, so that none asks for it.
        match self.parities {
            true => locate_some(asked, places, place, &ask, |asked, before| {
                let between = |i: usize| before.get(i).into_iter().for_each(|&place| ask(place));
                self.locate_as::<V, L, N, true>(states, asked, between)
            }),
            false => locate_some(asked, places, place, &ask, |asked, before| {
                let between = |i: usize| before.get(i).into_iter().for_each(|&place| ask(place));
                self.locate_as::<V, L, N, false>(states, asked, between)
            }),
        }
    }
}
