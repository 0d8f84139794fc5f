//! From a byte cube to the entry of its coset of half turns: sets of places by sign bits, one class table, shuffles of the corners.
//!
//! Two sets of edge places number the arrangement of the slices; its class and the symmetry to that come from one table of 139 KB. The symmetry moves twists and
//! pieces of the corners by shuffles. The pieces' homes, picked out tetrad by tetrad in the order of their slots, number their arrangement up to half
//! turns. Other tables: 13 KB.

use super::coordinates::Slices;
use super::corners::{CORNERS, Pairs};
use super::edges::{ARRANGEMENTS, Edges, PLACES, SECOND};
use crate::bytes::{ByteCube, CORNER_PLACES, Located, Plain, Sixteen, Vector};
use crate::cosets::index::{Twisting, twisted};
use crate::symmetry;
use pdb::coset::{Coordinate, Product, Reduced, locate_each};
use search::{Asked, Both};

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
pub(crate) struct Halves {
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

impl Halves {
    pub(super) fn new(reduced: &Reduced<Slices>) -> Self {
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
        match self.parities {
            true => self.locate_as::<Plain, true>(cube),
            false => self.locate_as::<Plain, false>(cube),
        }
    }

    #[inline(always)]
    fn locate_as<V: Vector, const PARITIES: bool>(&self, cube: &ByteCube) -> (u32, u32) {
        let tables = &*self.tables;
        let (edges, corners) = (V::load(cube.edges()), V::load(cube.corners()));
        // Bits 2 and 3 of a byte: homes of the second slice, and of the third.
        let third = edges.left::<4>().signs() & u32::from(PLACES);
        let second = edges.left::<5>().signs() & u32::from(PLACES);
        let among = V::extracted(second, !third & u32::from(PLACES));
        let number = u32::from(tables.third[third as usize & 0xfff]) * SECOND
            + u32::from(tables.second[among as usize & 255]);
        let entry = tables.classes[number as usize & 0xffff];
        let (class, s) = (entry & 1023, entry as usize >> 10 & 63);
        let turning = &tables.turnings[s];
        let places = V::load(&turning.places);
        let column = V::load(&turning.twists).shuffled(twisted(corners)).shuffled(places).number();
        // Bits 0 to 2: the home.
        let pieces = V::load(&turning.pieces).shuffled(corners).shuffled(places);
        let homes = pieces.left::<7>().signs() & 255 | (pieces.left::<6>().signs() & 255) << 8;
        let second_tetrad = pieces.left::<5>().signs() & 255;
        let both = second_tetrad * 0x101;
        let homes = [V::extracted(homes, both ^ 0xffff), V::extracted(homes, both)];
        let mut row = class * self.rows
            + tables.pairs.number(second_tetrad as usize, homes.map(|homes| homes as usize));
        if PARITIES {
            // Bit 4: flipped.
            let flips = edges.left::<3>().signs();
            let odd = |set: u32| (flips & set).count_ones() & 1;
            let others = odd(second) | odd(third) << 1;
            let after = u32::from(tables.odd[s][others as usize & 3]) ^ entry >> 16;
            row += after * CORNERS;
        }
        (row, column)
    }
}

impl Located for Halves {
    #[inline(always)]
    fn each<V: Vector>(
        &self,
        states: &[Both<ByteCube>],
        asked: &[Asked],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
    ) {
        // One loop for each kind of table, so that none asks for it.
        match self.parities {
            true => {
                locate_each(states, asked, places, place, |_, cube| self.locate_as::<V, true>(cube))
            }
            false => locate_each(states, asked, places, place, |_, cube| {
                self.locate_as::<V, false>(cube)
            }),
        }
    }
}
