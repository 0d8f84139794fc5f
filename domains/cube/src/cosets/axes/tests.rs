//! The fast index and the coordinates agree with conjugated cubes.

use super::*;
use crate::bytes::ByteCube3;
use crate::cosets::tests::{coordinates_follow_cubes, index_follows_coordinates};
use crate::domain::Cube3;
use pdb::Abstraction;
use pdb::coset::Views;
use search::{Domain, OpSet};

#[test]
fn coordinates_follow_turns_and_symmetries() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        for family in AxisFamily::ALL {
            let coordinates = AxisCoordinates::new(metric, family);
            coordinates_follow_cubes(metric, &coordinates, AxisCoordinates::of);
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

#[test]
fn every_view_is_that_of_a_conjugated_cube() {
    for family in AxisFamily::ALL {
        let reduced = SymmetryReduced::new(AxisCoordinates::new(CubeMetric::HalfTurn, family));
        let axes = AxisViews::new(CubeMetric::HalfTurn, &reduced);
        index_follows_coordinates(&reduced, &axes, AxisCoordinates::of);
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
