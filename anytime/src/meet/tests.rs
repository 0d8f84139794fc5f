//! Two searches meet at the least cost.

use super::Meet;
use crate::contents::Contents;
use crate::tests::{all_costs, cycles, on_threads, product, rings, turning};
use crate::{Generators, PieceHome, Pieces};
use groups::StabilizerChain;
use rustc_hash::FxHashMap;
use search::random::Random;
use std::collections::VecDeque;

/// Pieces of so many classes, in turn.
fn pieces(classes: u16) -> Pieces {
    let piece = |home| PieceHome { home, class: home % classes, step: 0 };
    Pieces::new((0..12).map(piece).collect(), &[1; 12])
}

/// The least cost of each state by a slow search of all elements, its plan, and each bound before.
#[test]
fn searches_meet_at_the_least_cost() {
    let (turned, twisted) = turning([1, 1]);
    let costs = all_costs(&turned);
    let meet = Meet::new(&turned, &twisted, 8.0).expect("states of few bits");
    for (element, &cost) in &costs {
        let mut meeting = meet.start(&twisted.images(element), 1 << 20).expect("memory");
        let plan = loop {
            let round = meeting.grow(&|| false).expect("a layer");
            if let Some(plan) = round.plan {
                break plan;
            }
            assert!(meeting.bound() <= cost);
        };
        assert_eq!((turned.cost_of(&plan), meeting.bound()), (cost, cost));
        assert!(element.then(&product(&turned, &plan)).is_identity());
    }
}

/// The cost of each state of pieces that look alike, by a plain search from the goal.
fn costs_of(contents: &Contents, cost: u32) -> FxHashMap<Vec<u16>, u32> {
    let mut costs = FxHashMap::from_iter([(contents.goal.clone(), 0)]);
    let mut queue = VecDeque::from([contents.goal.clone()]);
    while let Some(state) = queue.pop_front() {
        let next_cost = costs[&state] + cost;
        for op in 0..contents.moves.len() {
            let mut next = state.clone();
            contents.apply(&state, op, &mut next);
            if !costs.contains_key(&next) {
                costs.insert(next.clone(), next_cost);
                queue.push_back(next);
            }
        }
    }
    costs
}

/// Pieces that look alike, some turned: the least cost, on any number of threads.
#[test]
fn searches_meet_for_pieces_that_look_alike() {
    let (turned, _) = turning([3, 3]);
    let piece = |home| PieceHome { home, class: u16::from(home > 4), step: 0 };
    let twins = Pieces::new([0, 4, 8, 9, 10, 11].map(piece).to_vec(), &[4, 4, 1, 1, 1, 1]);
    let halves = twins.list().iter().map(|piece| PieceHome { step: 2, ..*piece });
    let halves =
        halves.map(|piece| if piece.home > 4 { PieceHome { step: 0, ..piece } } else { piece });
    let halves = Pieces::new(halves.collect(), &[4, 4, 1, 1, 1, 1]);
    let mut random = Random::new(5);
    for (generators, pieces) in [
        (rings([3, 3]), pieces(2)),
        (rings([3, 3]), pieces(3)),
        (turned.clone(), twins),
        (turned, halves),
    ] {
        let group = StabilizerChain::new(12, generators.elements(), &[]).expect("a group");
        let meet = Meet::new(&generators, &pieces, 20.0).expect("states of few bits");
        let costs = costs_of(&meet.contents, 3);
        for _ in 0..20 {
            let element = group.random(|below| random.below(below));
            let images = pieces.images(&element);
            let search = || {
                let mut meeting = meet.start(&images, 1 << 28).expect("memory");
                loop {
                    let round = meeting.grow(&|| false).expect("a layer");
                    if let Some(plan) = round.plan {
                        return (plan, meeting.bound());
                    }
                }
            };
            let (plan, bound) = search();
            let state = meet.contents.of(&images);
            assert_eq!((generators.cost_of(&plan), bound), (costs[&state], costs[&state]));
            let end = element.then(&product(&generators, &plan));
            assert_eq!(meet.contents.of(&pieces.images(&end)), meet.contents.goal);
            for other in on_threads(search) {
                assert_eq!(other, (plan.clone(), bound));
            }
        }
    }
}

/// Operators of different costs, states of many bits and little memory are refused.
#[test]
fn what_does_not_fit_is_refused() {
    let generators = rings([1, 1]);
    let meet = Meet::new(&generators, &pieces(12), 20.0).expect("states of few bits");
    let images: Vec<u16> = (0..12).rev().collect();
    assert!(meet.start(&images, 1 << 10).is_none());
    let mut meeting = meet.start(&images, 1 << 28).expect("memory");
    assert!(meeting.grow(&|| true).is_none());
    let swap = |i: u16| (cycles(12, &[&[i, i + 1]]), 1 + u8::from(i > 5));
    let swaps = Generators::new(12, (0..11).map(swap).collect(), &|| false).expect("inverses");
    assert!(Meet::new(&swaps, &pieces(12), 20.0).is_none());
    let turn = cycles(100, &[&(0..100).collect::<Vec<u16>>()[..]]);
    let turns = vec![(turn.inverse(), 1), (turn, 1)];
    let turns = Generators::new(100, turns, &|| false).expect("inverses");
    assert!(Meet::new(&turns, &Pieces::of_points(100), 4.6).is_none());
}
