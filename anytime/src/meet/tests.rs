//! Two searches meet at the least cost.

use super::Meet;
use crate::tests::{all_costs, cycles, on_threads, product, rings, turning};
use crate::{Generators, PieceHome, Pieces};
use groups::StabilizerChain;
use search::random::Random;

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

/// Pieces that look alike: no plan is shorter than those of two searches, on any number of threads.
#[test]
fn searches_meet_for_pieces_that_look_alike() {
    let generators = rings([3, 3]);
    let group = StabilizerChain::new(12, generators.elements(), &[]).expect("a group");
    let mut random = Random::new(5);
    for classes in [2, 3, 12] {
        let pieces = pieces(classes);
        let meet = Meet::new(&generators, &pieces, 20.0).expect("states of few bits");
        for _ in 0..5 {
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
            assert_eq!(generators.cost_of(&plan), bound);
            let end = element.then(&product(&generators, &plan));
            let class = |place: u16| place % classes;
            assert!((0..12).all(|place| class(end.image(place)) == class(place)));
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
