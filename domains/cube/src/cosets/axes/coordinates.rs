//! The three coordinates that tell the cosets of an axis apart, as a [`Product`] for
//! [`pdb::coset::SymmetryReduced`].
//!
//! All tables are computed from cubes that are turned and conjugated. The map of flips is affine:
//! it permutes the slots, then complements some flips. So the tables may also be computed from
//! cubes that turns cannot reach.

use super::AxisFamily;
use crate::cosets::corners::{CORNERS, Pairs};
use crate::cosets::sets::{SLICE, SLICES, flips_of, slice_of, slices, with_edges};
use crate::cosets::table::{CoordinateTable, of_symmetries, of_turns};
use crate::cosets::twists::{TWISTS, twists_of, with_twists};
use crate::cube::Cube;
use crate::domain::{Cube3, CubeMetric};
use crate::symmetry::AXIS_COUNT;
use pdb::coset::{Coordinate, Product};
use search::Op;

/// How a turn or symmetry changes the flips: it permutes the slots, then complements some. Which
/// ones depends on the slots of the slice's edges.
#[derive(Clone, Debug)]
pub(super) struct FlipMap {
    /// For each slot: the slot that its flip moves to.
    to: [u8; 12],
    /// Indexed by the number of the set of slots that hold the slice's edges. First the slots whose
    /// flips are complemented, second the number of the set after the map.
    pub(super) by_slice: Vec<(u16, u16)>,
}

impl FlipMap {
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
            u8::try_from(one.trailing_zeros()).expect("at most 16")
        });
        Self { to, by_slice }
    }

    /// Applies the map to the flips. `slice` is the number of the set of slots that hold the
    /// slice's edges before the map.
    fn apply(&self, slice: u16, flips: u16) -> u16 {
        let moved: u16 = (0..12).map(|slot| (flips >> slot & 1) << self.to[slot]).sum();
        moved ^ self.by_slice[usize::from(slice)].0
    }
}

/// The three coordinates of a coset:
///
/// - first: the slots of the slice's edges, and the flips;
/// - middle: the arrangement of the corners, as far as the family tells it apart;
/// - last: the twists.
///
/// The 16 symmetries that keep the axis of U and D act on them.
#[derive(Clone, Debug)]
pub struct AxisCoordinates {
    edges: EdgeCoordinate,
    corners: CoordinateTable,
    twists: CoordinateTable,
}

/// The first coordinate. Its value is `s * f + v`. Here `s` is the number of the set of slots that
/// hold the slice's edges. `v` is the value of the flips, and `f` is their number of values.
#[derive(Clone, Debug)]
pub(super) struct EdgeCoordinate {
    pub(super) family: AxisFamily,
    sets: Vec<u16>,
    pub(super) numbers: Vec<u16>,
    turns: Vec<FlipMap>,
    pub(super) symmetries: Vec<FlipMap>,
}

impl AxisCoordinates {
    /// The coordinates of a family with their tables of turns and symmetries.
    pub fn new(metric: CubeMetric, family: AxisFamily) -> Self {
        let domain = Cube3::new(metric);
        let twists = |image: &dyn Fn(&Cube) -> Cube| -> Vec<u16> {
            (0..TWISTS).map(|value| twists_of(&image(&with_twists(value)))).collect()
        };
        let twists = CoordinateTable {
            size: TWISTS.into(),
            solved: 0,
            turns: of_turns(&domain, twists),
            symmetries: of_symmetries(AXIS_COUNT, twists),
        };

        let (pairs, step) = (Pairs::new(), CORNERS / family.corners());
        let cubes: Vec<Cube> = pairs.cubes().into_iter().step_by(step as usize).collect();
        let number =
            |cube: &Cube| u16::try_from(pairs.of(cube) / step).expect("at most 420 values");
        let corners = |image: &dyn Fn(&Cube) -> Cube| -> Vec<u16> {
            cubes.iter().map(|cube| number(&image(cube))).collect()
        };
        let corners = CoordinateTable {
            size: family.corners(),
            solved: number(&Cube::SOLVED),
            turns: of_turns(&domain, corners),
            symmetries: of_symmetries(AXIS_COUNT, corners),
        };

        let (sets, numbers) = slices();
        let flips = |image: &dyn Fn(&Cube) -> Cube| FlipMap::new(&sets, &numbers, image);
        let (turns, symmetries) = (of_turns(&domain, flips), of_symmetries(AXIS_COUNT, flips));
        Self { edges: EdgeCoordinate { family, turns, symmetries, sets, numbers }, corners, twists }
    }

    /// The first, middle and last coordinate of a cube.
    #[cfg(test)]
    pub(super) fn of(&self, cube: &Cube) -> (u32, u32, u32) {
        let slice = self.edges.numbers[usize::from(slice_of(cube))];
        let corners = Pairs::new().of(cube) * self.edges.family.corners() / CORNERS;
        (self.edges.number(slice, flips_of(cube)), corners, twists_of(cube).into())
    }

    /// The first coordinate: slots of the slice's edges, and flips.
    pub(super) fn edges(&self) -> &EdgeCoordinate {
        &self.edges
    }
}

impl EdgeCoordinate {
    /// The value of the first coordinate. `slice` is the number of the set of slots that hold the
    /// slice's edges, and `flips` are the flips of all slots.
    pub(super) fn number(&self, slice: u16, flips: u16) -> u32 {
        let set = self.sets[usize::from(slice)];
        u32::from(slice) * self.family.flips() + self.family.encode(set, flips)
    }

    fn changed(&self, value: u32, by: &FlipMap) -> u32 {
        let slice = u16::try_from(value / self.family.flips()).expect("495 slices");
        let flips = self.family.decode(self.sets[usize::from(slice)], value % self.family.flips());
        self.number(by.by_slice[usize::from(slice)].1, by.apply(slice, flips))
    }
}

impl Coordinate for EdgeCoordinate {
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

impl Product for AxisCoordinates {
    fn first(&self) -> &dyn Coordinate {
        &self.edges
    }
    fn middle(&self) -> &dyn Coordinate {
        &self.corners
    }
    fn last(&self) -> &dyn Coordinate {
        &self.twists
    }
    fn operators(&self) -> usize {
        self.edges.turns.len()
    }
    fn symmetries(&self) -> usize {
        self.edges.symmetries.len()
    }
}
