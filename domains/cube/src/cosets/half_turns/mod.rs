//! Cosets of half turns: edge slices, corner arrangements up to half turns, and twists.
//!
//! A half turn keeps every piece in the orbit of its slot: edges in their slices, corners in their
//! tetrads. It twists and flips nothing. So these tell the cosets of the largest such group apart:
//!
//! | what | values |
//! |---|---|
//! | which edges are in which slice's slots | 34,650 |
//! | the arrangement of the corners up to half turns | 420 |
//! | twists of the corners | 3^7 |
//!
//! *htr200* is the table of these. *htr204* tells apart, besides, whether an odd number of each
//! slice's pieces is flipped (4 values). At one bit an entry (*htr200-1*, *htr204-1*) a table tells
//! whether a distance is above ten, or eleven in quarter turns: enough in front of another table.
//!
//! Rows are classes of the slices' arrangement under all 48 symmetries, times parities, times
//! corner arrangements; columns are twists. There are 782 classes.
//!
//! The group is its own image under every symmetry. So there is one view, of the position and of
//! its inverse. It needs few reads a state, but each cuts less than one of
//! [`AxisFamily::G1`](super::AxisFamily::G1). In front of that table both together need fewer nodes
//! than either alone.

mod coordinates;
mod corners;
mod edges;
mod family;
mod index;
#[cfg(test)]
mod tests;

pub use coordinates::HalfTurnCoordinates;
pub use family::HalfTurnFamily;

use super::CosetDescription;
use crate::bytes::{ByteCube, ByteCube3};
use crate::domain::CubeMetric;
use index::HalfTurnIndex;
use pdb::coset::{Cosets, SymmetryReduced};
use search::{Lookup, TwoSidedState, VectorUnit};

/// The one view of a table of half turns.
#[derive(Clone, Debug)]
pub struct HalfTurnView {
    index: HalfTurnIndex,
    /// What byte cubes are located on.
    unit: VectorUnit,
}

impl HalfTurnView {
    /// The view of a table built from `reduced`.
    pub fn new(reduced: &SymmetryReduced<HalfTurnCoordinates>) -> Self {
        Self { index: HalfTurnIndex::new(reduced), unit: VectorUnit::best() }
    }

    /// The same view, located on at most this unit.
    #[must_use]
    pub fn on(mut self, unit: VectorUnit) -> Self {
        self.unit = unit.min(VectorUnit::best());
        self
    }

    /// What the table of a family stores, in a metric and at one or two bits an entry.
    pub fn description(metric: CubeMetric, family: HalfTurnFamily, bits: u32) -> CosetDescription {
        let base = family.code(metric, bits).base();
        CosetDescription::new(metric, family.name(bits), 48, base)
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
