//! The three coordinates that tell cosets of half turns apart, as a [`Product`] for
//! [`pdb::coset::SymmetryReduced`].

use super::HalfTurnFamily;
use super::edges::{ARRANGEMENTS, EdgeMap, Edges, Numbers};
use crate::cosets::corners::{CORNERS, PAIRINGS, Pairs};
use crate::cosets::sets::{tetrad_of, tetrad_sets};
use crate::cosets::table::{CoordinateTable, of_symmetries, of_turns};
use crate::cosets::twists::{TWISTS, TwistMap, twists_of, with_twists};
use crate::cube::Cube;
use crate::domain::{Cube3, CubeMetric};
use crate::symmetry;
use pdb::coset::{Coordinate, Product};
use search::Op;

/// The three coordinates of a coset. All 48 symmetries act on them:
///
/// - first: which edges are in which slice's slots;
/// - middle: for each slice, whether an odd number of its edges are flipped, times the arrangement
///   of the corners up to half turns;
/// - last: the twists.
///
/// How an operator or symmetry changes those parities depends on the first coordinate. How a
/// symmetry changes twists depends on the slots of each tetrad's corners. They are the *kind* of
/// the middle coordinate, see [`Product::kinds`].
#[derive(Clone, Debug)]
pub struct HalfTurnCoordinates {
    pub(super) halving: HalfTurnFamily,
    pub(super) numbers: Numbers,
    turns: Vec<EdgeMap>,
    pub(super) symmetries: Vec<EdgeMap>,
    arrangement: CoordinateTable,
    /// The value is the number of the parities times 420, plus the arrangement of the corners. The
    /// tables of turns and symmetries are for the arrangement alone.
    middle: CoordinateTable,
    twists: Twists,
}

/// The last coordinate: the twists.
#[derive(Clone, Debug)]
struct Twists {
    /// Indexed by operator, then value: the value after the operator.
    turns: Vec<Vec<u16>>,
    symmetries: Vec<TwistMap>,
    /// For each kind: the slots of the first tetrad's pieces, as bits.
    kinds: Vec<u8>,
    /// For each value: a cube with these twists.
    cubes: Vec<Cube>,
}

impl HalfTurnCoordinates {
    /// The coordinates, with their tables of turns and symmetries.
    pub fn new(metric: CubeMetric, halving: HalfTurnFamily) -> Self {
        let domain = Cube3::new(metric);
        let turns = of_turns(&domain, |image| EdgeMap::new(image));
        let symmetries = of_symmetries(symmetry::COUNT, |image| EdgeMap::new(image));
        let (numbers, pairs) = (Numbers::new(), Pairs::new());
        let small = |number: u32| u16::try_from(number).expect("at most 34,650 values");
        let after = |map: &EdgeMap| -> Vec<u16> {
            let all = (0..ARRANGEMENTS).map(|number| numbers.sets(number));
            let moved = all.map(|sets| map.apply(Edges { sets, odd: 0 }).sets);
            moved.map(|sets| small(numbers.number(sets))).collect()
        };
        let cubes = pairs.cubes();
        let corners = |image: &dyn Fn(&Cube) -> Cube| -> Vec<u16> {
            cubes.iter().map(|cube| small(pairs.of(&image(cube)))).collect()
        };
        let arrangement = CoordinateTable {
            size: ARRANGEMENTS,
            solved: small(numbers.number(Edges::SOLVED.sets)),
            turns: turns.iter().map(after).collect(),
            symmetries: symmetries.iter().map(after).collect(),
        };
        let middle = CoordinateTable {
            size: halving.parities() * CORNERS,
            solved: small(pairs.of(&Cube::SOLVED)),
            turns: of_turns(&domain, corners),
            symmetries: of_symmetries(symmetry::COUNT, corners),
        };
        let twisted: Vec<Cube> = (0..TWISTS).map(with_twists).collect();
        let twists = |image: &dyn Fn(&Cube) -> Cube| {
            twisted.iter().map(|cube| twists_of(&image(cube))).collect()
        };
        let twists = Twists {
            turns: of_turns(&domain, twists),
            symmetries: of_symmetries(symmetry::COUNT, |image| TwistMap::new(image)),
            kinds: tetrad_sets(),
            cubes: twisted,
        };
        Self { halving, numbers, turns, symmetries, arrangement, middle, twists }
    }

    /// The first, middle and last coordinate of a cube.
    #[cfg(test)]
    pub(super) fn of(&self, cube: &Cube) -> (u32, u32, u32) {
        let edges = Edges::of(cube);
        let middle = self.parities(edges.odd) * CORNERS + Pairs::new().of(cube);
        (self.numbers.number(edges.sets), middle, twists_of(cube).into())
    }

    /// The number of the slices' parities, or 0 if the family does not tell them apart. `odd` has
    /// one bit for each slice. The parities have an even sum, so the first one is left out.
    fn parities(&self, odd: u8) -> u32 {
        u32::from(odd >> 1) % self.halving.parities()
    }

    /// The middle coordinate after a turn or symmetry. `map` is its effect on edges, and `first` is
    /// the first coordinate before it. `corners` has the new arrangement for each corner
    /// arrangement.
    fn changed(&self, first: u32, middle: u32, map: &EdgeMap, corners: &[u16]) -> u32 {
        let corners = u32::from(corners[(middle % CORNERS) as usize]);
        if self.halving.parities() == 1 {
            return corners;
        }
        let others = u8::try_from(middle / CORNERS).expect("below four");
        let odd = others << 1 | u8::from(others.count_ones() == 1);
        let after = map.apply(Edges { sets: self.numbers.sets(first), odd });
        self.parities(after.odd) * CORNERS + corners
    }
}

/// A symmetry changes the twists as in a cube whose corners are in the slots of their own tetrads.
/// Other cubes need the kind of the middle coordinate: see [`HalfTurnCoordinates`].
impl Coordinate for Twists {
    fn size(&self) -> u32 {
        TWISTS.into()
    }
    fn solved(&self) -> u32 {
        0
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.turns[op.index()][value as usize].into()
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        let home = self.kinds.iter().position(|&set| set == tetrad_of(&Cube::SOLVED));
        self.conjugated(home.expect("each set is a kind"), value, symmetry)
    }
}

impl Twists {
    fn conjugated(&self, kind: usize, value: u32, symmetry: usize) -> u32 {
        self.symmetries[symmetry].apply(&self.cubes[value as usize], self.kinds[kind]).into()
    }
}

impl Product for HalfTurnCoordinates {
    fn first(&self) -> &dyn Coordinate {
        &self.arrangement
    }
    fn middle(&self) -> &dyn Coordinate {
        &self.middle
    }
    fn middle_moved(&self, first: u32, middle: u32, op: Op) -> u32 {
        self.changed(first, middle, &self.turns[op.index()], &self.middle.turns[op.index()])
    }
    fn middle_conjugate(&self, first: u32, middle: u32, symmetry: usize) -> u32 {
        let corners = &self.middle.symmetries[symmetry];
        self.changed(first, middle, &self.symmetries[symmetry], corners)
    }
    fn last(&self) -> &dyn Coordinate {
        &self.twists
    }
    fn kinds(&self) -> usize {
        (CORNERS / PAIRINGS) as usize
    }
    fn kind(&self, middle: u32) -> usize {
        (middle % CORNERS / PAIRINGS) as usize
    }
    fn last_conjugate(&self, kind: usize, last: u32, symmetry: usize) -> u32 {
        self.twists.conjugated(kind, last, symmetry)
    }
    fn operators(&self) -> usize {
        self.turns.len()
    }
    fn symmetries(&self) -> usize {
        symmetry::COUNT
    }
}
