//! Cosets that belong to an axis. Corner twists, the slots of one slice's edges, and edge flips
//! tell them apart.
//!
//! U, D and the half turns of the other faces generate the subgroup, as in the solvers of Herbert
//! Kociemba and Michael Reid. Three things tell its cosets apart:
//!
//! | what | values |
//! |---|---|
//! | twists of the corners | 3^7 |
//! | slots of the middle slice's four edges | 495 |
//! | flips of all edges (*g1*), or of the eight edges of U and D (*g256*) | 2^11, or 2^8 |
//!
//! The family *tet112* also tells apart which slots hold the corners of one tetrad (70 values). The
//! tetrads are the two orbits of the corners under half turns. The tables are reduced by the 16
//! symmetries that keep the axis of U and D. They have 18.0 million entries (g256), 140.9 million
//! (g1), and 70 times that (tet112).

mod coordinates;
mod family;
mod index;
#[cfg(test)]
mod tests;

pub use coordinates::AxisCoordinates;
pub use family::AxisFamily;
pub(crate) use index::AxisIndex;

use super::CosetDescription;
use crate::bytes::{ByteCube, ByteCube3};
use crate::domain::CubeMetric;
use pdb::coset::{Cosets, Product, SymmetryReduced};
use search::{Lookup, TwoSidedState, VectorUnit};

/// One coset table read for each of the three axes: U and D (view 0), L and R (1), F and B (2).
#[derive(Clone, Debug)]
pub struct AxisViews {
    index: AxisIndex,
    /// The vector unit that computes table places.
    unit: VectorUnit,
}

impl AxisViews {
    /// The three views of a table that was built from `reduced`.
    ///
    /// # Panics
    /// If `reduced` is for another metric.
    pub fn new(metric: CubeMetric, reduced: &SymmetryReduced<AxisCoordinates>) -> Self {
        assert_eq!(reduced.product().operators(), 6 * metric.per_face(), "another metric");
        Self { index: AxisIndex::new(reduced), unit: VectorUnit::best() }
    }

    /// The same views, restricted to vector units up to `unit`.
    #[must_use]
    pub fn on(mut self, unit: VectorUnit) -> Self {
        self.unit = unit.min(VectorUnit::best());
        self
    }

    /// The description of a family's table, for its file.
    pub fn description(metric: CubeMetric, family: AxisFamily) -> CosetDescription {
        CosetDescription::new(metric, family.name(), 16, family.base(metric))
    }
}

impl Cosets<ByteCube3> for AxisViews {
    const VIEWS: usize = 3;
    #[inline(always)]
    fn locate(&self, view: usize, state: &ByteCube) -> (u32, u32) {
        self.index.locate(view, state)
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
