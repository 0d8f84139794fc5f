//! Groups with many orbits: the squares on the surface of a box of cells whose layers turn.

use crate::stream::Stream;
use crate::testing::layer_turns as layers;
use crate::{Permutation, StabilizerChain};
use num_bigint::BigUint;
use std::time::Instant;

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// Corners turn in eights, everything else in orbits of 24; `shared` signs depend on others.
fn expected(orbits: u32, shared: u32) -> BigUint {
    (factorial(8) * BigUint::from(3_u32).pow(7) * factorial(24).pow(orbits)) >> shared
}

#[test]
fn boxes_have_their_orders() {
    let two = StabilizerChain::new(24, &layers(2), &[]).expect("a chain");
    assert_eq!(two.order(), BigUint::from(88_179_840_u32));
    let three = StabilizerChain::new(54, &layers(3), &[]).expect("a chain");
    assert_eq!(three.order(), BigUint::from(43_252_003_274_489_856_000_u128 * 24));
    // An orbit of 24 on the edges, which is there twice, and one within the sides; the signs of the
    // corners are those within the sides.
    let four = StabilizerChain::new(96, &layers(4), &[]).expect("a chain");
    assert_eq!(four.order(), expected(2, 1));
    // Besides the corners: the twelve middles of edges, which flip, the six middles of sides, which
    // turn with the box, and eight orbits of 24. Their eleven signs take the four kinds of layers
    // apart, so seven of them are shared.
    let seven = StabilizerChain::new(294, &layers(7), &[]).expect("a chain");
    let (edges, sides) = (factorial(12) * BigUint::from(2_u32).pow(11), BigUint::from(24_u32));
    assert_eq!(seven.order(), (expected(8, 0) * edges * sides) >> 7);
}

/// 2,400 points in 100 orbits; nine of these are there twice. The turns of ten kinds of layers have
/// all signs between them.
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
