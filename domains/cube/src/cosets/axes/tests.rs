//! The fast index gives the same entries as conjugated cubes.

use super::*;
use crate::cube::Cube;
use crate::domain::Cube3;
use crate::symmetry::{self, axis_turns};
use pdb::Abstraction;
use pdb::coset::Views;
use search::random::Random;
use search::{Domain, OpSet};

/// The fast index gives the entry that the coordinates of a conjugated cube give. If symmetries fix
/// the row, it may be the entry of a symmetric coset.
#[test]
fn every_view_is_that_of_a_conjugated_cube() {
    for family in AxisFamily::ALL {
        let reduced = SymmetryReduced::new(AxisCoordinates::new(CubeMetric::HalfTurn, family));
        let axes = AxisViews::new(CubeMetric::HalfTurn, &reduced);
        let mut random = Random::new(9);
        for cube in
            std::iter::once(Cube::SOLVED).chain((0..3000).map(|_| Cube::random(&mut random)))
        {
            for (view, s) in axis_turns().into_iter().enumerate() {
                let image = symmetry::conjugate(s, &cube);
                let product = reduced.product();
                let (first, corners, twists) = product.of(&image);
                let size = product.middle().size();
                let (class, _) = reduced.class(first);
                let entries: Vec<(u32, u32)> = (0..16)
                    .filter(|&t| {
                        let moved = product.first().conjugate(first, t);
                        reduced.class(moved) == (class, 0)
                    })
                    .map(|t| {
                        let row = class * size + product.middle().conjugate(corners, t);
                        (row, product.last().conjugate(twists, t))
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
        let table = pdb::testing::stripe_table(rows, columns, 7, |_| 0);
        let domain = ByteCube3::new(Cube3::new(metric));
        let views = Views::new(&domain, axes, table).unwrap();
        let of = |view| views.inside(&domain, view);
        assert_eq!(of(0) | of(1) | of(2), u32::first(domain.operators()));
        assert!((0..3).all(|view| of(view).count_ones() == inside));
    }
}
