//! Groups with many orbits: the stickers of cubes of several sizes whose layers turn.

use crate::stream::Stream;
use crate::testing::layer_turns as layers;
use crate::{GroupError, Permutation, StabilizerChain, symmetries_until};
use num_bigint::BigUint;
use std::cell::Cell;
use std::time::Instant;

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// The order of a group of layer turns: that of the corners, times `24!` for each of `orbits`
/// independent orbits of 24 stickers. Each of `shared` signs that others determine halves it.
fn expected(orbits: u32, shared: u32) -> BigUint {
    (factorial(8) * BigUint::from(3_u32).pow(7) * factorial(24).pow(orbits)) >> shared
}

#[test]
fn boxes_have_their_orders() {
    let two = StabilizerChain::new(24, &layers(2), &[]).expect("a chain");
    assert_eq!(two.order(), BigUint::from(88_179_840_u32));
    let three = StabilizerChain::new(54, &layers(3), &[]).expect("a chain");
    assert_eq!(three.order(), BigUint::from(43_252_003_274_489_856_000_u128 * 24));
    // The corners, the edges (two orbits of 24 stickers that move alike, so one is independent),
    // and the centres (one orbit of 24). The sign of the corners equals that of the centres.
    let four = StabilizerChain::new(96, &layers(4), &[]).expect("a chain");
    assert_eq!(four.order(), expected(2, 1));
    // Besides the corners there are 12 middle edges, which flip, and 8 independent orbits of 24.
    // There are also 6 middle centres, which the middle layers turn as a whole. These parts have 11
    // signs. Layers of four kinds (by distance from the centre) give only 4 independent signs, so 7
    // are shared.
    let seven = StabilizerChain::new(294, &layers(7), &[]).expect("a chain");
    let (edges, sides) = (factorial(12) * BigUint::from(2_u32).pow(11), BigUint::from(24_u32));
    assert_eq!(seven.order(), (expected(8, 0) * edges * sides) >> 7);
}

/// The chain of 2,400 points in 100 orbits is built in seconds and has the right order. Of the
/// orbits, 1 belongs to the corners and 9 are copies of other orbits, so 90 are independent. They
/// have 91 signs with the corners; the 10 kinds of layers leave 10 of them independent, so 81 are
/// shared.
#[test]
fn a_hundred_orbits_take_seconds() {
    let generators = layers(20);
    let begin = Instant::now();
    let chain = StabilizerChain::new(2400, &generators, &[]).expect("a chain");
    eprintln!("2,400 points: {:.2} s", begin.elapsed().as_secs_f64());
    assert_eq!(chain.order(), expected(90, 81));
    let mut random = Stream::new(4);
    let element = chain.random(|end| random.below(end));
    assert!(chain.contains(&element));
    let mut images = element.images().to_vec();
    images.swap(1000, 1001);
    assert!(!chain.contains(&Permutation::new(images).expect("a permutation")));
}

/// Stacks of about a hundred pancakes, turned over at any depth: many generators mix slowly, and a
/// proof by Schreier's lemma would take minutes. The order is its bound, however the flips are
/// sorted.
#[test]
fn a_hundred_pancakes_have_a_chain_without_a_proof() {
    for pancakes in [75, 100, 101] {
        let flip = |count: u16| {
            let images = (0..pancakes).map(|at| if at < count { count - 1 - at } else { at });
            Permutation::new(images.collect()).expect("a flip")
        };
        let mut counts: Vec<u16> = (2..=pancakes).collect();
        for _ in 0..2 {
            let flips: Vec<Permutation> = counts.iter().map(|&count| flip(count)).collect();
            // A proof divides 500,000 elements: 5,050 points of all levels times 99 flips.
            let divisions = Cell::new(0_u32);
            let stop = || {
                divisions.set(divisions.get() + 1);
                divisions.get() > 20_000
            };
            let points = usize::from(pancakes);
            let chain = StabilizerChain::new_until(points, &flips, &[], &stop).expect("a chain");
            assert_eq!(chain.order(), factorial(pancakes.into()));
            // As names of moves are sorted: 10 before 2.
            counts.sort_by_key(u16::to_string);
        }
    }
}

/// Work that is stopped gives no chain, however far it came.
#[test]
fn a_chain_ends_when_it_is_stopped() {
    let (generators, asked) = (layers(7), Cell::new(0));
    let after = |most: usize| {
        asked.set(0);
        let stop = || asked.replace(asked.get() + 1) >= most;
        StabilizerChain::new_until(294, &generators, &[], &stop).map(|chain| chain.order())
    };
    let order = after(usize::MAX).expect("nobody stops");
    let all = asked.get();
    assert!(all > 1000, "{all}");
    for most in [0, 1, all / 3, all - 1] {
        assert_eq!(after(most), Err(GroupError::Stopped), "{most}");
        // After it has returned true, `stop` is not called again.
        assert_eq!(asked.get(), most + 1);
    }
    assert_eq!(after(all), Ok(order));
}

#[test]
fn symmetries_end_when_they_are_stopped() {
    let generators: Vec<_> = layers(4).into_iter().map(|turn| (turn, ())).collect();
    let asked = Cell::new(0);
    let after = |most: usize| {
        asked.set(0);
        let stop = || asked.replace(asked.get() + 1) >= most;
        symmetries_until(96, &generators, 256, &stop).map(|all| all.len())
    };
    let found = after(usize::MAX).expect("nobody stops");
    let all = asked.get();
    for most in [0, all / 2, all - 1] {
        assert_eq!(after(most), Err(GroupError::Stopped), "{most}");
    }
    assert_eq!(after(all), Ok(found));
}
