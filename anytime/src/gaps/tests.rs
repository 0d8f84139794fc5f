//! Plans by gaps are replayed, and compared with the least costs of all states.

use super::GapBeam;
use crate::tests::on_threads;
use crate::{Generators, Pieces, Planner, WordChain};
use groups::Permutation;
use rustc_hash::FxHashMap;
use search::random::Random;
use search::{Cost, Op};
use std::collections::VecDeque;

/// Reverses the first places, two at least and all at most.
fn prefixes(points: u16) -> Generators {
    let images = |end: u16| (0..points).map(|i| if i < end { end - 1 - i } else { i }).collect();
    let reversal = |end: u16| (Permutation::new(images(end)).expect("a permutation"), 1);
    let all = (2..=points).map(reversal).collect();
    Generators::new(points.into(), all, &|| false).expect("reversals undo themselves")
}

/// Turns a ring of places, or reverses four of them.
fn ring(points: u16, cost: Cost) -> Generators {
    let turn = |by: u16| (0..points).map(|i| (i + by) % points).collect();
    let flip = (0..points).map(|i| if i < 4 { 3 - i } else { i }).collect();
    let all = [(turn(1), 1), (turn(points - 1), 1), (flip, cost)];
    let all = all.map(|(images, cost)| (Permutation::new(images).expect("a permutation"), cost));
    Generators::new(points.into(), all.to_vec(), &|| false).expect("inverses")
}

fn chain(generators: &Generators) -> WordChain {
    let pieces = Pieces::of_points(u16::try_from(generators.points()).expect("few points"));
    let effort = crate::tests::EFFORT;
    WordChain::new(generators.clone(), pieces, effort, &|| false).expect("a chain")
}

fn random_images(points: u16, random: &mut Random) -> Vec<u16> {
    let mut images: Vec<u16> = (0..points).collect();
    for i in (1..images.len()).rev() {
        images.swap(i, random.index(i + 1));
    }
    images
}

/// Whether a word takes all pieces home.
fn solves(generators: &Generators, images: &[u16], word: &[Op]) -> bool {
    let element = Permutation::new(images.to_vec()).expect("a permutation");
    let apply = |element: Permutation, op: &Op| element.then(&generators.elements()[op.index()]);
    word.iter().fold(element, apply).is_identity()
}

/// All plans that a planner tells, with what found them.
fn plans(chain: &WordChain, images: &[u16], nodes: u64) -> Vec<(String, Vec<Op>)> {
    let mut plans = Vec::new();
    Planner::new(chain, 1 << 26).improve(images, nodes, &|| false, &mut |by, plan| {
        plans.push((by.to_owned(), plan.to_vec()));
    });
    plans
}

/// The least number of operators for each state, by breadth-first search.
fn distances(generators: &Generators) -> FxHashMap<Permutation, usize> {
    let identity = Permutation::identity(generators.points()).expect("few points");
    let mut known = FxHashMap::from_iter([(identity.clone(), 0)]);
    let mut todo = VecDeque::from([identity]);
    while let Some(element) = todo.pop_front() {
        let distance = known[&element] + 1;
        for generator in generators.elements() {
            let next = element.then(generator);
            known.entry(next.clone()).or_insert_with(|| {
                todo.push_back(next);
                distance
            });
        }
    }
    known
}

/// Every plan solves its state, each is cheaper than the one before, and the last is a shortest one
/// for nearly all states.
#[test]
fn plans_of_stacks_are_nearly_optimal() {
    let generators = prefixes(7);
    let (chain, distances) = (chain(&generators), distances(&generators));
    let (mut sum, mut least, mut random) = (0, 0, Random::new(3));
    for _ in 0..100 {
        let images = random_images(7, &mut random);
        let found = plans(&chain, &images, 20_000);
        assert!(found.windows(2).all(|pair| pair[1].1.len() < pair[0].1.len()), "{images:?}");
        assert!(found.iter().all(|(_, plan)| solves(&generators, &images, plan)), "{images:?}");
        let distance = distances[&Permutation::new(images).expect("a permutation")];
        let length = found.last().expect("a plan").1.len();
        assert!(length >= distance);
        (sum, least) = (sum + length, least + distance);
    }
    assert!(sum <= least + 3, "{sum} of {least}");
}

/// Large stacks get plans by gaps, a few operators above the bound. They are the same on any number
/// of threads.
#[test]
fn large_stacks_are_solved_by_gaps() {
    let generators = prefixes(30);
    let chain = chain(&generators);
    let gaps = GapBeam::new(&generators, chain.pieces(), &|| false).expect("a relation");
    let mut random = Random::new(5);
    for _ in 0..3 {
        let images = random_images(30, &mut random);
        let found = plans(&chain, &images, 60_000);
        let (by, plan) = found.last().expect("a plan");
        assert!(solves(&generators, &images, plan), "{images:?}");
        let bound = gaps.bound(&Permutation::new(images.clone()).expect("a permutation"));
        let length = u32::try_from(plan.len()).expect("short");
        assert_eq!(*by, "gaps");
        assert!((bound..=bound + 2).contains(&length), "{length} of {bound}");
        let again = on_threads(|| plans(&chain, &images, 60_000));
        assert!(again.iter().all(|again| *again == found), "{images:?}");
    }
}

/// Where gaps are a weak guide and operators have costs, plans still solve their states.
#[test]
fn rings_are_solved() {
    for cost in [1, 3] {
        let mut by_gaps = 0;
        let generators = ring(9, cost);
        let chain = chain(&generators);
        let gaps = GapBeam::new(&generators, chain.pieces(), &|| false).expect("a relation");
        let mut random = Random::new(7);
        for _ in 0..10 {
            let images = random_images(9, &mut random);
            let element = Permutation::new(images.clone()).expect("a permutation");
            let round = gaps.search(&element, (3, 1 << 26), 60, &|| false).expect("a round");
            if let Some(plan) = round.plan {
                by_gaps += 1;
                assert!(solves(&generators, &images, &plan), "{images:?}");
                assert!(generators.cost_of(&plan) >= gaps.bound(&element), "{images:?}");
            }
            let found = plans(&chain, &images, 20_000);
            assert!(found.iter().all(|(_, plan)| solves(&generators, &images, plan)));
        }
        assert!(by_gaps > 0, "cost {cost}: no plan by gaps");
    }
}
