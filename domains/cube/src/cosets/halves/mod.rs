//! Cosets of groups of half turns, which all 48 symmetries keep: slices, corner arrangements up to half turns, and twists.
//!
//! A half turn keeps every piece in the orbit of its slot: the edges in their slices, the corners in their tetrads, and it twists and flips nothing.
//! The cosets of the largest such group are told apart by which edges are in which slice's slots (34,650), the arrangement of the corners up to half
//! turns (420) and the twists (3^7). *htr200* is the table of these; *htr204* tells apart, besides, whether an odd number of each slice's
//! pieces are flipped (4 values). At one bit an entry, *htr200-1* and *htr204-1* tell whether a distance is above ten (eleven in quarter turns): enough in front of another table. Rows are classes of the slices' arrangements under the 48 symmetries (782, of which a few are kept twice and more, as
//! they have symmetries of their own), times parities, times corner arrangements; columns are twists.
//!
//! The group is its own image under every symmetry, so there is one view, of the position and of its inverse: few reads a state, but each
//! cuts less than one of [`AxisFamily::G1`](super::AxisFamily::G1) with its three views. In front of that they need fewer nodes together than either.

mod coordinates;
mod corners;
mod edges;
#[expect(clippy::cast_possible_truncation, reason = "classes and symmetries are few: 782 and 48")]
mod index;
#[cfg(test)]
mod tests;

pub use coordinates::HalfTurnCoordinates;

use super::CosetDescription;
use crate::bytes::{ByteCube, ByteCube3};
use crate::domain::CubeMetric;
use pdb::coset::{Code, Cosets, StripeTable, SymmetryReduced};
use search::{Lookup, TwoSidedState, VectorUnit};

/// What tells cosets of half turns apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HalfTurnFamily {
    /// Slices, corners up to half turns, and twists.
    Htr200,
    /// And the parities of the slices' flips.
    Htr204,
}

impl HalfTurnFamily {
    /// Both, in the order of their size.
    pub const ALL: [Self; 2] = [Self::Htr200, Self::Htr204];
    /// Columns of a row: the twists.
    pub const COLUMNS: usize = super::AxisFamily::COLUMNS;

    /// `htr200` or `htr204`, and `-1` at one bit an entry.
    pub const fn name(self, bits: u32) -> &'static str {
        match (self, bits) {
            (Self::Htr200, 1) => "htr200-1",
            (Self::Htr200, _) => "htr200",
            (Self::Htr204, 1) => "htr204-1",
            (Self::Htr204, _) => "htr204",
        }
    }

    /// Values of the slices' parities.
    pub const fn parities(self) -> u32 {
        match self {
            Self::Htr200 => 1,
            Self::Htr204 => 4,
        }
    }

    /// Classes of slices under the 48 symmetries, times parities, times arrangements of corners.
    pub const fn rows(self) -> u64 {
        782 * (self.parities() * corners::CORNERS) as u64
    }

    /// Cosets, before symmetric ones are put together.
    pub const fn cosets(self) -> u64 {
        (edges::ARRANGEMENTS * self.parities() * corners::CORNERS) as u64 * Self::COLUMNS as u64
    }

    /// Entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * Self::COLUMNS as u64
    }

    /// Bytes of the table at one bit or two.
    pub const fn bytes(self, bits: u32) -> u64 {
        let code = if bits == 1 { Code::one(0) } else { Code::two(0) };
        StripeTable::bytes_in(code, self.rows(), Self::COLUMNS)
    }

    /// The code at one bit or two.
    pub const fn code(self, metric: CubeMetric, bits: u32) -> Code {
        let more = match metric {
            CubeMetric::HalfTurn => 0,
            CubeMetric::QuarterTurn => 1,
        };
        match (self, bits) {
            (_, 1) => Code::one(10 + more),
            (Self::Htr200, _) => Code::two(8 + more),
            (Self::Htr204, _) => Code::two(9 + more),
        }
    }
}

/// The one view of a table of half turns.
#[derive(Clone, Debug)]
pub struct HalfTurnView {
    index: index::HalfTurnView,
    /// What byte cubes are located on.
    unit: VectorUnit,
}

impl HalfTurnView {
    /// The view of a table built from `reduced`.
    pub fn new(reduced: &SymmetryReduced<HalfTurnCoordinates>) -> Self {
        Self { index: index::HalfTurnView::new(reduced), unit: VectorUnit::best() }
    }

    /// Located on at most this unit.
    #[must_use]
    pub fn on(mut self, unit: VectorUnit) -> Self {
        self.unit = unit.min(VectorUnit::best());
        self
    }

    /// What the file of a table is told from others by.
    pub fn description(metric: CubeMetric, halving: HalfTurnFamily, bits: u32) -> CosetDescription {
        CosetDescription {
            puzzle: "3x3x3".to_owned(),
            metric,
            abstraction: "coset".to_owned(),
            family: halving.name(bits).to_owned(),
            symmetries: 48,
            base: halving.code(metric, bits).base(),
            ranking: 1,
        }
    }
}

impl Cosets<ByteCube3> for HalfTurnView {
    const VIEWS: usize = 1;
    #[inline(always)]
    fn locate(&self, _: usize, state: &ByteCube) -> (u32, u32) {
        self.index.locate(state)
    }
    #[inline(always)]
    fn locate_all(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        crate::bytes::locate_all(&self.index, self.unit, states, asked, places, place, ask);
    }
}
