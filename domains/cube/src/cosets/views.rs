//! The three axes as views of one coset table, for [`pdb::coset::Views`].

use super::coordinates::{AxisCoordinates, AxisFamily};
use super::index::Index;
use crate::bytes::{ByteCube, ByteCube3};
use crate::domain::CubeMetric;
use pdb::coset::{Cosets, Product, SymmetryReduced};
use search::{Lookup, TwoSidedState, VectorUnit};

/// The three axes of the cube: view 0 is that of U and D, 1 that of L and R, 2 that of F and B.
#[derive(Clone, Debug)]
pub struct AxisViews {
    pub(super) index: Index,
    /// What byte cubes are located on.
    unit: VectorUnit,
}

impl AxisViews {
    /// The views of a table built from `reduced`.
    ///
    /// # Panics
    /// If `reduced` is of another metric.
    pub fn new(metric: CubeMetric, reduced: &SymmetryReduced<AxisCoordinates>) -> Self {
        assert_eq!(reduced.product().operators(), 6 * metric.per_face(), "another metric");
        Self { index: Index::new(reduced), unit: VectorUnit::best() }
    }

    /// Located on at most this unit.
    #[must_use]
    pub fn on(mut self, unit: VectorUnit) -> Self {
        self.unit = unit.min(VectorUnit::best());
        self
    }

    /// The name of a family's table in a metric, and what its file is told from others by.
    pub fn description(metric: CubeMetric, family: AxisFamily) -> super::CosetDescription {
        super::CosetDescription {
            puzzle: "3x3x3".to_owned(),
            metric,
            abstraction: "coset".to_owned(),
            family: family.name().to_owned(),
            symmetries: 16,
            base: family.base(metric),
            ranking: 1,
        }
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

#[cfg(test)]
mod tests {
    use super::super::coordinates::{
        flips_of, slice_of, slices, tetrad_of, tetrad_sets, twists_of,
    };
    use super::super::index::turning;
    use super::*;
    use crate::cube::Cube;
    use crate::domain::Cube3;
    use crate::symmetry;
    use pdb::Abstraction;
    use pdb::coset::{Coordinate, StripeTable, Views};
    use search::random::Random;
    use search::{Domain, OpSet};

    /// The fast index agrees with conjugating the cube and reading its coordinates, up to symmetries of the row.
    #[test]
    fn every_view_is_that_of_a_conjugated_cube() {
        for family in AxisFamily::ALL {
            let reduced = SymmetryReduced::new(AxisCoordinates::new(CubeMetric::HalfTurn, family));
            let axes = AxisViews::new(CubeMetric::HalfTurn, &reduced);
            let (_, numbers) = slices();
            let mut random = Random::new(9);
            for cube in
                std::iter::once(Cube::SOLVED).chain((0..3000).map(|_| Cube::random(&mut random)))
            {
                for (view, s) in turning().into_iter().enumerate() {
                    let image = symmetry::conjugate(s, &cube);
                    let (product, slice) = (reduced.product(), usize::from(slice_of(&image)));
                    let first = product.edges().number(numbers[slice], flips_of(&image));
                    let twists = u32::from(twists_of(&image));
                    let set = tetrad_sets().iter().position(|&set| set == tetrad_of(&image));
                    let tetrads = product.middle().size();
                    let tetrad =
                        set.filter(|_| tetrads > 1).map_or(0, |set| u32::try_from(set).unwrap());
                    let (class, _) = reduced.class(first);
                    let entries: Vec<(u32, u32)> = (0..16)
                        .filter(|&t| {
                            let moved = product.first().conjugate(first, t);
                            reduced.class(moved) == (class, 0)
                        })
                        .map(|t| {
                            let row = class * tetrads + product.middle().conjugate(tetrad, t);
                            (row, product.second().conjugate(twists, t))
                        })
                        .collect();
                    let located = axes.locate(view, &(&cube).into());
                    assert!(
                        entries.contains(&located),
                        "view {view} of {cube:?}: {located:?}, {entries:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn ten_operators_are_inside_and_together_all() {
        for (metric, inside) in [(CubeMetric::HalfTurn, 10), (CubeMetric::QuarterTurn, 4)] {
            let reduced = SymmetryReduced::new(AxisCoordinates::new(metric, AxisFamily::G256));
            let axes = AxisViews::new(metric, &reduced);
            let (rows, columns) = (reduced.rows(), reduced.columns());
            let table = StripeTable::encode_with(rows, columns, 7, |_| 0).unwrap();
            let domain = ByteCube3::new(Cube3::new(metric));
            let views = Views::new(&domain, axes, table).unwrap();
            let of = |view| views.inside(&domain, view);
            assert_eq!(of(0) | of(1) | of(2), u32::first(domain.operators()));
            assert!((0..3).all(|view| of(view).count_ones() == inside));
        }
    }
}
