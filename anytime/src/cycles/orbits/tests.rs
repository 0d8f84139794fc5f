//! Plans made orbit by orbit are replayed.

use super::super::tests::{board, generators, puzzles, random, solves};
use super::orbit_plan;
use crate::tests::on_threads;
use crate::{Generators, PieceHome, Pieces};
use groups::Permutation;
use search::random::Random;
use std::sync::atomic::{AtomicUsize, Ordering};

const BYTES: u64 = 1 << 26;

/// A permutation of points behind others, among `points`.
fn behind(permutation: &Permutation, before: u16, points: u16) -> Permutation {
    let mut images: Vec<u16> = (0..points).collect();
    for (point, &image) in (before..).zip(permutation.images()) {
        images[usize::from(point)] = before + image;
    }
    Permutation::new(images).expect("a permutation")
}

/// Two boards whose first rows turn five more points: four forth of the one, four of the other.
/// Those have no cheap cycles, and every move permutes its board oddly.
fn two_boards() -> Vec<Permutation> {
    let first = board(4).into_iter().map(|turn| behind(&turn, 0, 37));
    let second = board(4).into_iter().map(|turn| behind(&turn, 16, 37));
    let mut turns: Vec<Permutation> = first.chain(second).collect();
    for (turn, cycle) in [(0, [32, 33, 34, 35]), (8, [33, 34, 35, 36])] {
        let more = Permutation::from_cycles(37, &[&cycle]).expect("a cycle");
        turns[turn] = turns[turn].then(&more);
    }
    turns
}

/// More orbits than a word has bits: five places each, in two turns of three that share one.
fn many_orbits() -> Vec<Permutation> {
    let turn = |at: u16| Permutation::from_cycles(330, &[&[at, at + 1, at + 2]]).expect("a cycle");
    (0..66).flat_map(|orbit| [turn(5 * orbit), turn(5 * orbit + 2)]).collect()
}

/// Orbits of five places, and swaps in the first orbit, in the first two, and so on. Joined step by
/// step, their words would double in length with each orbit.
fn parities() -> Vec<Permutation> {
    let cycle = |places: &[u16]| Permutation::from_cycles(150, &[places]).expect("a cycle");
    let turns = (0..30).flat_map(|orbit| {
        let at = 5 * orbit;
        [cycle(&[at, at + 1, at + 2]), cycle(&[at + 2, at + 3, at + 4])]
    });
    let swaps = (0..30).map(|last| {
        (1..=last).fold(cycle(&[0, 1]), |all, orbit| all.then(&cycle(&[5 * orbit, 5 * orbit + 1])))
    });
    turns.chain(swaps).collect()
}

/// The puzzles of one orbit, and puzzles of several.
fn all() -> Vec<(&'static str, Generators, Pieces)> {
    let alike =
        |home: u16| PieceHome { home, class: if home < 16 { home / 4 } else { home }, step: 0 };
    let alike = Pieces::new((0..37).map(alike).collect(), &[1; 37]);
    let mut all = puzzles();
    all.extend([
        ("two boards", generators(&two_boards(), [1, 1]), Pieces::of_points(37)),
        ("two boards, some alike", generators(&two_boards(), [2, 1]), alike),
        ("many orbits", generators(&many_orbits(), [1, 1]), Pieces::of_points(330)),
        ("parities", generators(&parities(), [1, 1]), Pieces::of_points(150)),
    ]);
    all
}

/// Plans of random states solve them, on any number of threads the same.
#[test]
fn plans_solve() {
    for (name, generators, pieces) in all() {
        let mut seed = Random::new(3);
        for _ in 0..5 {
            let images = random(&generators, &pieces, &mut seed);
            let plan = || orbit_plan(&generators, &pieces, &images, BYTES, &|| false);
            let [one, two, seven] = on_threads(plan);
            assert!(solves(&generators, &pieces, &images, one.as_ref().expect(name)), "{name}");
            assert!(one == two && one == seven, "{name}");
            assert!(one.is_some_and(|plan| plan.len() < 20 * pieces.list().len()), "{name}");
        }
    }
}

/// A stop ends with no plan, wherever the search is.
#[test]
fn a_stop_gives_no_plan() {
    for (name, generators, pieces) in all() {
        let images = random(&generators, &pieces, &mut Random::new(4));
        let plan = |most: usize| {
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            orbit_plan(&generators, &pieces, &images, BYTES, &stop)
        };
        let plans = [0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, usize::MAX].map(plan);
        assert!(plans[0].is_none() && plans[9].is_some(), "{name}");
        let solves = |plan: &Vec<_>| solves(&generators, &pieces, &images, plan);
        assert!(plans.iter().flatten().all(solves), "{name}");
    }
}

/// No plan: for words of pieces without cycles that do not fit, or a state that has none.
#[test]
fn some_states_have_no_plan() {
    let plan = |(generators, pieces): (&Generators, &Pieces), images: &[u16], bytes| {
        orbit_plan(generators, pieces, images, bytes, &|| false)
    };
    let two = generators(&two_boards(), [1, 1]);
    let images: Vec<u16> = (0..37).collect();
    let pieces = Pieces::of_points(37);
    assert_eq!(plan((&two, &pieces), &images, BYTES), Some(Vec::new()));
    assert_eq!(plan((&two, &pieces), &images, 100), None);
    // Turns of three make no swap.
    let many = generators(&many_orbits(), [1, 1]);
    let mut images: Vec<u16> = (0..330).collect();
    images.swap(7, 8);
    assert_eq!(plan((&many, &Pieces::of_points(330)), &images, BYTES), None);
}
