//! The coordinates of a coset as a product for [`pdb::coset::SymmetryReduced`]: slice slots and flips, and twists.
//!
//! All tables are read off turns and conjugations of cubes, so nothing here is stated twice. Flips move linearly: as sets of slots,
//! permuted by a turn and then complemented in fixed slots, so cubes that turns cannot reach serve as well.

use crate::bytes::CORNER_PLACES;
use crate::cube::{Cube, Parts};
use crate::domain::{Cube3, CubeMetric};
use crate::symmetry;
use pdb::coset::{Coordinate, Product};
use search::{Domain, Op, Symmetric};

/// Which edge flips tell cosets apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisFamily {
    /// The flips of the eight edges that do not belong to the slice.
    G256,
    /// All flips.
    G1,
    /// As [`AxisFamily::G1`], and which corners are in which tetrad's slots.
    Tet112,
}

/// Slots of the slice between U and D, as a set.
pub(super) const SLICE: u16 = 0xf00;
/// All edge slots, as a set.
const EDGES: u16 = 0xfff;
/// Sets of four of twelve slots.
const SLICES: u32 = 495;
/// Sets of four of eight slots.
const TETRADS: u32 = 70;
/// Twists of the corners.
pub(super) const TWISTS: u16 = 2187;

impl AxisFamily {
    /// All, in the order of their size.
    pub const ALL: [Self; 3] = [Self::G256, Self::G1, Self::Tet112];

    /// `g256`, `g1` or `tet112`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G256 => "g256",
            Self::G1 => "g1",
            Self::Tet112 => "tet112",
        }
    }

    /// Whether the flips of the slice's edges count, too.
    pub(super) const fn all_flips(self) -> bool {
        matches!(self, Self::G1 | Self::Tet112)
    }

    /// How many places there are for the tetrads' corners: 1 if they do not count.
    pub const fn tetrads(self) -> u32 {
        if matches!(self, Self::Tet112) { TETRADS } else { 1 }
    }

    /// Values of the flips.
    pub const fn flips(self) -> u32 {
        if self.all_flips() { 2048 } else { 256 }
    }

    /// Classes of slice slots and flips under the 16 symmetries, times the places of the tetrads.
    pub const fn rows(self) -> u64 {
        let classes = if self.all_flips() { 64_430 } else { 8_222 };
        classes * self.tetrads() as u64
    }

    /// Cosets: places of the slice and the tetrads' corners, twists and flips, before symmetric ones are put together.
    pub const fn cosets(self) -> u64 {
        SLICES as u64 * self.tetrads() as u64 * self.flips() as u64 * TWISTS as u64
    }

    /// Columns of a row: the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// Entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * TWISTS as u64
    }

    /// Bytes of the table at two bits.
    pub const fn bytes(self) -> u64 {
        pdb::coset::StripeTable::bytes_for(self.rows(), Self::COLUMNS)
    }

    /// The base value of the two-bit code. For the two small families tuned: reads are fewest with it. For the other, whose distances are greater, it
    /// is two more; other values were not compared.
    pub const fn base(self, metric: CubeMetric) -> u8 {
        let base = match self {
            Self::G256 | Self::G1 => 7,
            Self::Tet112 => 9,
        };
        match metric {
            CubeMetric::HalfTurn => base,
            CubeMetric::QuarterTurn => base + 1,
        }
    }

    /// The flips that count, as a number: those outside the slice's slots in order, or those of the slots 0 to 10.
    pub(super) fn encode(self, slice: u16, flips: u16) -> u32 {
        match self {
            Self::G1 | Self::Tet112 => u32::from(flips & 0x7ff),
            Self::G256 => {
                let kept = (0..12).filter(|slot| slice >> slot & 1 == 0);
                kept.enumerate().map(|(place, slot)| u32::from(flips >> slot & 1) << place).sum()
            }
        }
    }

    /// Flips of all slots whose number is `value`; of the slice's own slots none, or the parity.
    pub(super) fn decode(self, slice: u16, value: u32) -> u16 {
        match self {
            Self::G1 | Self::Tet112 => {
                let flips = u16::try_from(value).unwrap_or(0);
                flips | u16::from(flips.count_ones() % 2 == 1) << 11
            }
            Self::G256 => {
                let kept = (0..12).filter(|slot| slice >> slot & 1 == 0);
                kept.enumerate()
                    .map(|(place, slot)| u16::from(value >> place & 1 == 1) << slot)
                    .sum()
            }
        }
    }
}

/// The sets of four slots in ascending order, and the number of each set.
pub(super) fn slices() -> (Vec<u16>, Vec<u16>) {
    let sets: Vec<u16> = (0..=EDGES).filter(|set| set.count_ones() == 4).collect();
    let mut numbers = vec![0; 1 << 12];
    for (number, &set) in (0..).zip(&sets) {
        numbers[usize::from(set)] = number;
    }
    (sets, numbers)
}

/// A cube with the slice's pieces in a set of slots, these slots flipped, and solved corners.
pub(super) fn with_edges(slice: u16, flips: u16) -> Cube {
    let (mut of_slice, mut others) = (8..12_u64, 0..8_u64);
    let pieces = (0..12).map(|slot| {
        let piece = if slice >> slot & 1 == 1 { of_slice.next() } else { others.next() };
        piece.unwrap_or(0) << (4 * slot)
    });
    Cube { edges: pieces.sum::<u64>() | u64::from(flips) << 48, ..Cube::SOLVED }
}

/// A cube with these twists in the first seven corner slots, base 3, slot 0 lowest; the last slot makes the sum divisible by 3.
pub(super) fn with_twists(value: u16) -> Cube {
    let digits: Vec<u64> = (0..7).map(|slot| u64::from(value) / 3_u64.pow(slot) % 3).collect();
    let last = (3 - digits.iter().sum::<u64>() % 3) % 3;
    let twists: u64 = (24..)
        .step_by(2)
        .zip(digits.into_iter().chain([last]))
        .map(|(bit, twist)| twist << bit)
        .sum();
    Cube { corners: Cube::SOLVED.corners | twists, ..Cube::SOLVED }
}

/// The sets of four corner slots, ascending.
pub(super) fn tetrad_sets() -> Vec<u8> {
    (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect()
}

/// The corner slots whose pieces belong to the tetrad of the first.
pub(super) fn tetrad_of(cube: &Cube) -> u8 {
    let first = &CORNER_PLACES[..4];
    (0..8).filter(|&slot| first.contains(&cube.corner(slot).into())).map(|slot| 1 << slot).sum()
}

/// The number of a cube's set among all sets.
fn tetrad_number(sets: &[u8], cube: &Cube) -> u16 {
    (0..).zip(sets).find(|&(_, &set)| set == tetrad_of(cube)).map_or(0, |(number, _)| number)
}

/// A cube with the pieces of the first tetrad in a set of slots.
fn with_tetrad(set: u8) -> Cube {
    let (mut first, mut second) = (CORNER_PLACES[..4].iter(), CORNER_PLACES[4..].iter());
    let mut parts = Parts::SOLVED;
    for (slot, piece) in parts.corners.iter_mut().enumerate() {
        let next = if set >> slot & 1 == 1 { first.next() } else { second.next() };
        *piece = next.and_then(|&piece| u8::try_from(piece).ok()).unwrap_or(0);
    }
    parts.pack()
}

/// The slots of the slice's pieces.
pub(super) fn slice_of(cube: &Cube) -> u16 {
    (0..12).filter(|&slot| cube.edge(slot) >= 8).map(|slot| 1 << slot).sum()
}

/// The flipped slots.
pub(super) fn flips_of(cube: &Cube) -> u16 {
    (0..12).map(|slot| u16::from(cube.flip(slot)) << slot).sum()
}

/// The number of the twists; the inverse of [`with_twists`].
pub(super) fn twists_of(cube: &Cube) -> u16 {
    (0..7).rev().fold(0, |value, slot| 3 * value + u16::from(cube.twist(slot)))
}

/// How flips change: slots permuted, then a set complemented that depends on the slice's slots.
#[derive(Clone, Debug)]
pub(super) struct Flipping {
    /// By slot: where its flip goes.
    pub(super) to: [u8; 12],
    /// By number of the slice's slots (before): the slots that are flipped, and the number of the slots after.
    pub(super) by_slice: Vec<(u16, u16)>,
}

impl Flipping {
    fn new(sets: &[u16], numbers: &[u16], image: impl Fn(&Cube) -> Cube) -> Self {
        let by_slice: Vec<(u16, u16)> = sets
            .iter()
            .map(|&slice| {
                let after = image(&with_edges(slice, 0));
                (flips_of(&after), numbers[usize::from(slice_of(&after))])
            })
            .collect();
        let solved = flips_of(&image(&Cube::SOLVED));
        let to = std::array::from_fn(|slot| {
            let one = flips_of(&image(&with_edges(SLICE, 1 << slot))) ^ solved;
            u8::try_from(one.trailing_zeros()).unwrap_or(0)
        });
        Self { to, by_slice }
    }

    /// The flips after.
    pub(super) fn apply(&self, slice: u16, flips: u16) -> u16 {
        let moved: u16 = (0..12).map(|slot| (flips >> slot & 1) << self.to[slot]).sum();
        moved ^ self.by_slice[usize::from(slice)].0
    }
}

/// The product of slice slots and flips (first), slots of the tetrads (middle, if they count) and twists (second), under the 16 symmetries that keep the axis of U and D.
#[derive(Clone, Debug)]
pub struct AxisCoordinates {
    edges: Edges,
    tetrads: Values,
    twists: Values,
}

/// The slots of the slice's pieces, and the flips that count: the number of the slots times the flips' values, plus the flips.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    pub(super) family: AxisFamily,
    sets: Vec<u16>,
    pub(super) numbers: Vec<u16>,
    turns: Vec<Flipping>,
    pub(super) symmetries: Vec<Flipping>,
}

/// A coordinate in tables; its solved value is given.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) size: u32,
    pub(super) solved: u16,
    /// By operator, then value.
    pub(super) turns: Vec<Vec<u16>>,
    /// By symmetry, then value.
    pub(super) symmetries: Vec<Vec<u16>>,
}

/// The symmetries of the cube that take U to U or D: 16, the identity first.
pub(super) fn axis_symmetries() -> Vec<usize> {
    let domain = Cube3::new(CubeMetric::HalfTurn);
    let up = |s: &usize| matches!(domain.turn(domain.relabel(*s, Op(0))) / 3, 0 | 3);
    (0..symmetry::COUNT).filter(up).collect()
}

impl AxisCoordinates {
    /// The coordinates of a family, with their tables of turns and symmetries.
    pub fn new(metric: CubeMetric, family: AxisFamily) -> Self {
        let domain = Cube3::new(metric);
        let turns: Vec<usize> =
            (0..domain.operators()).map(|op| domain.turn(Op::new(op))).collect();
        let symmetries = axis_symmetries();
        let sets = tetrad_sets();
        let twists = |image: &dyn Fn(&Cube) -> Cube| -> Vec<u16> {
            (0..TWISTS).map(|value| twists_of(&image(&with_twists(value)))).collect()
        };
        let tetrads = |image: &dyn Fn(&Cube) -> Cube| -> Vec<u16> {
            let number = |cube: &Cube| tetrad_number(&sets, cube);
            let after = |set: &u8| number(&image(&with_tetrad(*set)));
            if family.tetrads() > 1 { sets.iter().map(after).collect() } else { vec![0] }
        };
        let conjugate = |s: usize| move |cube: &Cube| symmetry::conjugate(s, cube);
        let turn = |turn: usize| move |cube: &Cube| cube.turned(turn);
        let twists = Values {
            size: TWISTS.into(),
            solved: 0,
            turns: turns.iter().map(|&t| twists(&turn(t))).collect(),
            symmetries: symmetries.iter().map(|&s| twists(&conjugate(s))).collect(),
        };
        let tetrads = Values {
            size: family.tetrads(),
            solved: if family.tetrads() > 1 { tetrad_number(&sets, &Cube::SOLVED) } else { 0 },
            turns: turns.iter().map(|&t| tetrads(&turn(t))).collect(),
            symmetries: symmetries.iter().map(|&s| tetrads(&conjugate(s))).collect(),
        };
        let (sets, numbers) = slices();
        let flipping = |image: &dyn Fn(&Cube) -> Cube| Flipping::new(&sets, &numbers, image);
        let turns = turns.iter().map(|&t| flipping(&turn(t))).collect();
        let symmetries = symmetries.iter().map(|&s| flipping(&conjugate(s))).collect();
        Self { edges: Edges { family, turns, symmetries, sets, numbers }, tetrads, twists }
    }

    /// The first coordinate.
    pub(super) fn edges(&self) -> &Edges {
        &self.edges
    }
}

impl Edges {
    /// The number of slots (by their number) and flips.
    pub(super) fn number(&self, slice: u16, flips: u16) -> u32 {
        u32::from(slice) * self.family.flips()
            + self.family.encode(self.sets[usize::from(slice)], flips)
    }

    fn changed(&self, value: u32, by: &Flipping) -> u32 {
        let slice = u16::try_from(value / self.family.flips()).unwrap_or(0);
        let flips = self.family.decode(self.sets[usize::from(slice)], value % self.family.flips());
        self.number(by.by_slice[usize::from(slice)].1, by.apply(slice, flips))
    }
}

impl Coordinate for Edges {
    fn size(&self) -> u32 {
        SLICES * self.family.flips()
    }
    fn solved(&self) -> u32 {
        self.number(self.numbers[usize::from(SLICE)], 0)
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.changed(value, &self.turns[op.index()])
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        self.changed(value, &self.symmetries[symmetry])
    }
}

impl Coordinate for Values {
    fn size(&self) -> u32 {
        self.size
    }
    fn solved(&self) -> u32 {
        self.solved.into()
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.turns[op.index()][value as usize].into()
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        self.symmetries[symmetry][value as usize].into()
    }
}

impl Product for AxisCoordinates {
    fn first(&self) -> &impl Coordinate {
        &self.edges
    }
    fn middle(&self) -> &impl Coordinate {
        &self.tetrads
    }
    fn second(&self) -> &impl Coordinate {
        &self.twists
    }
    fn operators(&self) -> usize {
        self.edges.turns.len()
    }
    fn symmetries(&self) -> usize {
        self.edges.symmetries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdb::Abstraction;
    use pdb::coset::SymmetryReduced;
    use search::random::Random;

    /// Coordinates of a cube, by reading it.
    fn read(coordinates: &AxisCoordinates, cube: &Cube) -> (u32, u32, u32) {
        let edges = coordinates.edges();
        let slice = edges.numbers[usize::from(slice_of(cube))];
        let set = tetrad_sets().iter().position(|&set| set == tetrad_of(cube)).unwrap();
        let middle = if edges.family.tetrads() > 1 { u32::try_from(set).unwrap() } else { 0 };
        (edges.number(slice, flips_of(cube)), middle, twists_of(cube).into())
    }

    #[test]
    fn coordinates_follow_turns_and_symmetries() {
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            for family in AxisFamily::ALL {
                let coordinates = AxisCoordinates::new(metric, family);
                let (edges, twists) = (coordinates.first(), coordinates.second());
                let tetrads = coordinates.middle();
                let (domain, mut random) = (Cube3::new(metric), Random::new(1));
                let symmetries = axis_symmetries();
                assert_eq!((symmetries.len(), symmetries[0]), (16, 0));
                for cube in (0..200).map(|_| Cube::random(&mut random)) {
                    let (first, middle, second) = read(&coordinates, &cube);
                    for op in (0..domain.operators()).map(Op::new) {
                        let after = cube.turned(domain.turn(op));
                        let moved = (
                            edges.moved(first, op),
                            tetrads.moved(middle, op),
                            twists.moved(second, op),
                        );
                        assert_eq!(moved, read(&coordinates, &after));
                    }
                    for (number, &s) in symmetries.iter().enumerate() {
                        let after = symmetry::conjugate(s, &cube);
                        let image = (
                            edges.conjugate(first, number),
                            tetrads.conjugate(middle, number),
                            twists.conjugate(second, number),
                        );
                        assert_eq!(image, read(&coordinates, &after));
                    }
                }
            }
        }
    }

    #[test]
    fn classes_are_as_many_as_known() {
        for family in AxisFamily::ALL {
            let reduced = SymmetryReduced::new(AxisCoordinates::new(CubeMetric::HalfTurn, family));
            assert_eq!(reduced.rows(), family.rows());
        }
        assert_eq!((AxisFamily::G256.bytes(), AxisFamily::G1.bytes()), (4_735_872, 37_111_680));
    }
}
