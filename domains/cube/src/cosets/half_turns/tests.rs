//! Cosets of half turns: the coordinates and the fast index agree with what is computed from cubes.

use super::*;
use crate::bytes::ByteCube3;
use crate::cosets::tests::{coordinates_follow_cubes, index_follows_coordinates};
use crate::domain::Cube3;
use crate::turns::FACES;
use pdb::Abstraction;
use pdb::coset::Views;
use search::{Op, OpSet};

#[test]
fn coordinates_follow_turns_and_symmetries() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        for halving in HalfTurnFamily::ALL {
            let slices = HalfTurnCoordinates::new(metric, halving);
            coordinates_follow_cubes(metric, &slices, HalfTurnCoordinates::of);
        }
    }
}

#[test]
fn shapes_are_those_of_the_classes() {
    for halving in HalfTurnFamily::ALL {
        let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(CubeMetric::HalfTurn, halving));
        assert_eq!(reduced.rows(), halving.rows());
        assert_eq!(reduced.columns(), HalfTurnFamily::COLUMNS);
        let cosets: u64 = reduced.class_sizes().into_iter().map(u64::from).sum();
        assert_eq!(cosets * HalfTurnFamily::COLUMNS as u64, halving.cosets());
        assert_eq!(
            [1, 2].map(|bits| halving.bytes(bits)),
            [288, 576].map(|row| row * reduced.rows())
        );
    }
}

#[test]
fn the_index_is_that_of_the_coordinates() {
    for halving in HalfTurnFamily::ALL {
        let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(CubeMetric::HalfTurn, halving));
        let halves = HalfTurnView::new(&reduced);
        index_follows_coordinates(&reduced, &halves, HalfTurnCoordinates::of);
    }
}

#[test]
fn half_turns_are_inside() {
    let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(
        CubeMetric::HalfTurn,
        HalfTurnFamily::Htr204,
    ));
    let halves = HalfTurnView::new(&reduced);
    let domain = ByteCube3::new(Cube3::new(CubeMetric::HalfTurn));
    let table = pdb::testing::stripe_table(reduced.rows(), 1, 9, |_| 0);
    let views = Views::new(&domain, halves, table).unwrap();
    let inside: Vec<usize> = views.inside(&domain, 0).members().map(Op::index).collect();
    let plain = Cube3::new(CubeMetric::HalfTurn);
    assert_eq!(inside.len(), FACES.len());
    assert!(inside.iter().all(|&op| plain.turn(Op::new(op)) % 3 == 1));
}
