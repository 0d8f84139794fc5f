//! Cosets of half turns: the coordinates and the fast index agree with what is computed from cubes.

use super::*;
use crate::bytes::{AT_ONCE, Locator, Plain};
use crate::cube::Cube;
use crate::domain::Cube3;
use crate::symmetry;
use crate::turns::FACES;
use pdb::Abstraction;
use pdb::coset::{Product, Views};
use search::random::Random;
use search::{Domain, Op, OpSet};
use std::cell::RefCell;

#[test]
fn coordinates_follow_turns_and_symmetries() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let domain = Cube3::new(metric);
        for halving in HalfTurnFamily::ALL {
            let slices = HalfTurnCoordinates::new(metric, halving);
            let mut random = Random::new(12);
            for cube in (0..300).map(|_| Cube::random(&mut random)) {
                let (first, middle, second) = slices.of(&cube);
                for op in (0..domain.operators()).map(Op::new) {
                    let mut next = Cube::SOLVED;
                    domain.apply_into(&cube, op, &mut next);
                    let moved = (
                        slices.first().moved(first, op),
                        slices.middle_moved(first, middle, op),
                        slices.last().moved(second, op),
                    );
                    assert_eq!(moved, slices.of(&next), "{cube:?} by {op:?}");
                }
                for s in 0..symmetry::COUNT {
                    let conjugate = (
                        slices.first().conjugate(first, s),
                        slices.middle_conjugate(first, middle, s),
                        slices.last_conjugate(slices.kind(middle), second, s),
                    );
                    assert_eq!(conjugate, slices.of(&symmetry::conjugate(s, &cube)), "by {s}");
                }
            }
            assert_eq!(
                slices.of(&Cube::SOLVED),
                (slices.first().solved(), slices.middle().solved(), slices.last().solved())
            );
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

/// On each vector unit and without one, the fast index gives the entry that the coordinates give.
/// If symmetries fix the row, it may be the entry of a symmetric coset.
#[test]
fn the_index_is_that_of_the_coordinates() {
    for halving in HalfTurnFamily::ALL {
        let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(CubeMetric::HalfTurn, halving));
        let halves = HalfTurnView::new(&reduced);
        let slices = reduced.product();
        let mut random = Random::new(10);
        let cubes: Vec<Cube> = std::iter::once(Cube::SOLVED)
            .chain((0..3000).map(|_| Cube::random(&mut random)))
            .collect();
        let states: Vec<TwoSidedState<ByteCube>> = cubes
            .iter()
            .map(|cube| TwoSidedState { position: cube.into(), inverse: (&cube.inverse()).into() })
            .collect();
        let sides = (0..).zip(&states).flat_map(|(child, _)| [0, 1].map(|side| (child, side)));
        let asked: Vec<Lookup> = sides.map(|(child, side)| Lookup::new(child, side)).collect();
        let place = |row: u32, column: u32| u64::from(row) << 32 | u64::from(column);
        let asks = RefCell::new(Vec::new());
        let ask = |place| asks.borrow_mut().push(place);
        let on = |unit| {
            let mut places = vec![0; asked.len()];
            halves.clone().on(unit).locate_all(&states, &asked, &mut places, place, ask);
            assert_eq!(asks.take(), places, "{unit:?}");
            places
        };
        let places = on(VectorUnit::None);
        assert_eq!(on(VectorUnit::Narrow), places);
        assert_eq!(on(VectorUnit::Wide), places);
        let whole = asked.len() - asked.len() % AT_ONCE;
        let mut lanes = vec![0; whole];
        halves.index.each::<Plain<4>, 4, AT_ONCE>(&states, &asked[..whole], &mut lanes, place, ask);
        assert_eq!(lanes, places[..whole]);
        assert_eq!(asks.take(), lanes);
        for (cube, places) in cubes.iter().zip(places.chunks(2)) {
            for (cube, &found) in [*cube, cube.inverse()].iter().zip(places) {
                let (row, column) = halves.locate(0, &cube.into());
                assert_eq!(found, place(row, column), "{cube:?}");
                let (first, middle, second) = slices.of(cube);
                let (class, _) = reduced.class(first);
                let size = slices.middle().size();
                let entries = (0..symmetry::COUNT)
                    .filter(|&s| reduced.class(slices.first().conjugate(first, s)) == (class, 0));
                let entries = entries.map(|s| {
                    let middle_after = slices.middle_conjugate(first, middle, s);
                    let after = slices.last_conjugate(slices.kind(middle), second, s);
                    (class * size + middle_after, after)
                });
                let entries: Vec<(u32, u32)> = entries.collect();
                assert!(entries.contains(&(row, column)), "{cube:?}");
                // The entry is the same from all axes.
                let s = (row as usize + 7 * column as usize) % symmetry::COUNT;
                let image = symmetry::conjugate(s, cube);
                assert!(entries.contains(&halves.locate(0, &(&image).into())), "{cube:?} by {s}");
            }
        }
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
