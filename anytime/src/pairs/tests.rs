//! Tests of beams by pairs: contents, the ball, what is learned, and plans.

use super::ball::Ball;
use super::tables::PairTables;
use super::{PairBeam, Scope};
use crate::contents::Contents;
use crate::tests::{all_costs, cycles, on_threads, product, rings, turning};
use crate::{Generators, PieceHome, Pieces};
use groups::{Permutation, StabilizerChain};
use search::Op;
use search::random::Random;

const SCOPE: Scope = Scope { elements: 12.0, bytes: 1 << 20, nodes: 100_000 };

/// Pieces of two classes in the places of rings.
fn alike() -> Pieces {
    let piece = |home| PieceHome { home, class: home % 2, step: 0 };
    Pieces::new((0..12).map(piece).collect(), &[1; 12])
}

fn random_elements(generators: &Generators, count: usize) -> Vec<Permutation> {
    let points = generators.points();
    let group = StabilizerChain::new(points, generators.elements(), &[]).expect("a group");
    let mut random = Random::new(7);
    (0..count).map(|_| group.random(|below| random.below(below))).collect()
}

/// The contents after an operator are those of the element after it, whatever turns or looks alike.
#[test]
fn operators_change_contents_as_they_change_elements() {
    let (turned, twisted) = turning([1, 2]);
    let distinct = Pieces::of_points(12);
    for (generators, pieces) in
        [(rings([1, 2]), distinct), (rings([1, 2]), alike()), (turned, twisted)]
    {
        let contents = Contents::new(&generators, &pieces, 1 << 20).expect("contents");
        let mut tables = PairTables::new(&contents, 1 << 20).expect("pairs");
        let mut random = Random::new(3);
        for element in random_elements(&generators, 50) {
            let state = contents.of(&pieces.images(&element));
            tables.add(&state, i32::try_from(random.below(100)).expect("small"));
            for (op, turn) in generators.elements().iter().enumerate() {
                let mut next = state.clone();
                contents.apply(&state, op, &mut next);
                assert_eq!(next, contents.of(&pieces.images(&element.then(turn))));
                let hash = contents.hash_after(&state, contents.hash(&state), op);
                assert_eq!(hash, contents.hash(&next));
                let change = tables.part(&next, op) - tables.part(&state, op);
                assert_eq!(tables.estimate(&state) + change, tables.estimate(&next));
            }
        }
    }
}

/// The ball has the least cost of each state, and a plan of that cost.
#[test]
fn a_ball_has_the_least_costs() {
    let (generators, pieces) = turning([1, 2]);
    let contents = Contents::new(&generators, &pieces, 1 << 20).expect("contents");
    let costs = all_costs(&generators);
    for most in [1, 10, 300, 1 << 14] {
        let ball = Ball::new(&contents, (most, 1 << 24), &|| false).expect("not stopped");
        let mut inside = 0;
        for (element, &cost) in &costs {
            let state = contents.of(&pieces.images(element));
            let Some(own) = ball.cost(contents.hash(&state)) else { continue };
            inside += 1;
            assert_eq!(own, cost);
            let plan = ball.plan(&contents, &state).expect("a way to the goal");
            assert_eq!(generators.cost_of(&plan), cost);
            assert!(element.then(&product(&generators, &plan)).is_identity());
        }
        // The last states may be left out: some path to them is not known.
        assert!(inside as u64 <= most && (most < 300 || inside > 200), "{inside} of {most}");
        assert_eq!(ball.is_whole(), inside == costs.len());
    }
    assert!(Ball::new(&contents, (300, 1 << 24), &|| true).is_none());
}

/// Every plan solves its state and costs less than the limit. The weights and the plans are the
/// same on any number of threads, and after the weights were saved.
#[test]
fn plans_of_beams_by_pairs_solve_their_states() {
    let generators = rings([1, 2]);
    for pieces in [Pieces::of_points(12), alike()] {
        let puzzle = (&generators, &pieces);
        let learn = || PairBeam::new(puzzle, SCOPE, None, &|| false).expect("pairs");
        let learned = on_threads(learn);
        let bytes = learned[0].to_bytes();
        assert!(learned[1..].iter().all(|other| other.to_bytes() == bytes));
        let read = PairBeam::new(puzzle, SCOPE, Some(&bytes), &|| false);
        let read = read.expect("the same weights");
        for wrong in [&bytes[4..], &vec![0x7f; bytes.len()]] {
            assert!(PairBeam::new(puzzle, SCOPE, Some(wrong), &|| false).is_none());
        }
        let contents = Contents::new(&generators, &pieces, 1 << 20).expect("contents");
        for element in random_elements(&generators, 5) {
            let images = pieces.images(&element);
            let beam = |limit| read.search(&[&images], (500, limit, 1 << 24), &|| false);
            let found = on_threads(|| beam(u32::MAX));
            assert!(found[1..].iter().all(|other| *other == found[0]));
            assert_eq!(
                learned[0].search(&[&images], (500, u32::MAX, 1 << 24), &|| false),
                found[0]
            );
            let (_, plan) = found[0].0.clone().expect("a plan");
            let end = element.then(&product(&generators, &plan));
            assert_eq!(contents.of(&pieces.images(&end)), contents.goal);
            let cost = generators.cost_of(&plan);
            let cheaper = beam(cost).0.map(|(_, plan)| generators.cost_of(&plan));
            assert!(cheaper.is_none_or(|cheaper| cheaper < cost));
            assert_eq!(read.search(&[&images], (500, u32::MAX, 1 << 24), &|| true).0, None);
        }
    }
}

/// The estimates rise with the least costs, where an operator swaps two neighbours: the costs are
/// the pairs in wrong order.
#[test]
fn estimates_rise_with_the_costs() {
    let swaps = (0..6).map(|point| (cycles(7, &[&[point, point + 1]]), 1));
    let generators = Generators::new(7, swaps.collect(), &|| false).expect("inverses");
    let (pieces, costs) = (Pieces::of_points(7), all_costs(&generators));
    // The ball has a part of the 5,040 states.
    let scope = Scope { bytes: 1 << 18, ..SCOPE };
    let beam = PairBeam::new((&generators, &pieces), scope, None, &|| false).expect("pairs");
    let estimated = costs.iter().map(|(element, &cost)| {
        let estimate = beam.tables.estimate(&beam.contents.of(&pieces.images(element)));
        (f64::from(cost), f64::from(estimate))
    });
    let estimated: Vec<(f64, f64)> = estimated.collect();
    let mean = |of: &dyn Fn((f64, f64)) -> f64| {
        estimated.iter().map(|&pair| of(pair)).sum::<f64>() / estimated.len() as f64
    };
    let (x, y) = (mean(&|(cost, _)| cost), mean(&|(_, estimate)| estimate));
    let both = mean(&|(cost, estimate)| (cost - x) * (estimate - y));
    let spread = mean(&|(cost, _)| (cost - x).powi(2)) * mean(&|(_, own)| (own - y).powi(2));
    assert!(both > 0.7 * spread.sqrt(), "{both} of {}", spread.sqrt());
}

/// There are no beams for too many states, free operators or too few bytes.
#[test]
fn what_is_too_large_has_no_pairs() {
    let (generators, pieces) = (rings([1, 2]), Pieces::of_points(12));
    let has =
        |scope, stop| PairBeam::new((&generators, &pieces), scope, None, &move || stop).is_some();
    assert!(!has(Scope { bytes: 2_000, ..SCOPE }, false));
    assert!(!has(Scope { bytes: 1_000, ..SCOPE }, false));
    assert!(!has(SCOPE, true) && has(SCOPE, false));
    let free = [1, 11].map(|power| {
        let turn = cycles(12, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]);
        ((0..power).fold(turn.then(&turn.inverse()), |product, _| product.then(&turn)), 0)
    });
    let free = Generators::new(12, free.to_vec(), &|| false).expect("inverses");
    assert!(PairBeam::new((&free, &pieces), SCOPE, None, &|| false).is_none());
    assert_eq!(free.cost(Op(0)), 0);
}
