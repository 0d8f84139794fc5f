//! Chains and rankings against enumerated groups, and against published orders of large groups.

mod cosets;
mod large;

use super::testing::{beside, cycles, long_cycle, mathieu, small_groups as small, wreath};
use super::*;
use crate::stream::Stream;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// The oracle: all elements of a group, found by multiplying with generators.
fn enumerate(points: usize, generators: &[Permutation]) -> BTreeSet<Permutation> {
    let identity = Permutation::identity(points).expect("few");
    let mut all = BTreeSet::from([identity.clone()]);
    let mut todo = vec![identity];
    while let Some(element) = todo.pop() {
        for generator in generators {
            let next = element.then(generator);
            if all.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    all
}

#[test]
fn elements_of_small_groups_are_those_enumerated() {
    for (name, points, generators) in small() {
        let all = enumerate(points, &generators);
        let chain = StabilizerChain::new(points, &generators, &[]).expect("a chain");
        assert_eq!(chain.order(), BigUint::from(all.len() as u128), "{name}");
        assert_eq!(chain.order(), BigUint::from(all.len()), "{name}");
        let mut digits = BTreeSet::new();
        for element in &all {
            let found = chain.digits(element).unwrap_or_else(|| panic!("{name}: {element:?}"));
            assert_eq!(chain.element(&found).as_ref(), Some(element), "{name}");
            let images: Vec<u16> = chain.base().iter().map(|&point| element.image(point)).collect();
            assert_eq!(chain.element_taking(&images).as_ref(), Some(element), "{name}");
            digits.insert(found);
        }
        assert_eq!(digits.len(), all.len(), "{name}");
        // Random permutations are in the chain exactly if they were enumerated.
        let mut random = Stream::new(5);
        for _ in 0..200 {
            let mut images: Vec<u16> = (0..).take(points).collect();
            random.shuffle(&mut images);
            let permutation = Permutation::new(images).expect("a permutation");
            assert_eq!(chain.contains(&permutation), all.contains(&permutation), "{name}");
            // `element_taking` finds the element with these images, or `None` if there is none.
            let base = chain.base();
            let images: Vec<u16> = base.iter().map(|&point| permutation.image(point)).collect();
            let taken = |element: &&Permutation| {
                base.iter().zip(&images).all(|(&point, &image)| element.image(point) == image)
            };
            assert_eq!(chain.element_taking(&images).as_ref(), all.iter().find(taken), "{name}");
        }
    }
}

/// Relabels the points at random: every numbering gives the order, however the levels grow.
#[test]
fn the_numbering_of_points_does_not_matter() {
    let copies = |count: u16, of: fn(u16) -> [Permutation; 2]| {
        let one = move |i| of(3 * i).into_iter().collect::<Vec<_>>();
        (0..count).flat_map(one).collect::<Vec<_>>()
    };
    let eight = copies(8, |i| [[i, i + 1].to_vec(), [i, i + 2].to_vec()].map(|c| cycle(24, &c)));
    let turns = copies(8, |i| [[i, i + 1].to_vec(), (i..i + 3).collect()].map(|c| cycle(24, &c)));
    let ladder: Vec<_> = (0..11).map(|i| cycle(12, &[i, i + 1])).collect();
    let groups = [(24, eight, 6_u64.pow(8)), (24, turns, 6_u64.pow(8)), (12, ladder, 479_001_600)];
    let mut random = Stream::new(44);
    for (points, generators, order) in groups {
        for round in 0..1500 {
            let mut labels: Vec<u16> = (0..).take(points).collect();
            random.shuffle(&mut labels);
            let labels = Permutation::new(labels).expect("labels");
            let relabel = |g: &Permutation| labels.inverse().then(g).then(&labels);
            let mut relabelled: Vec<_> = generators.iter().map(relabel).collect();
            random.shuffle(&mut relabelled);
            let chain = StabilizerChain::new(points, &relabelled, &[]).expect("a chain");
            assert_eq!(chain.order(), BigUint::from(order), "{round}: {relabelled:?}");
            assert!(relabelled.iter().all(|generator| chain.contains(generator)));
        }
    }
}

fn cycle(points: usize, cycle: &[u16]) -> Permutation {
    Permutation::from_cycles(points, &[cycle]).expect("a cycle")
}

#[test]
fn random_elements_are_equally_likely() {
    let chain = StabilizerChain::new(12, &small()[14].2, &[]).expect("a chain");
    assert_eq!(chain.order(), BigUint::from(648_u32));
    let mut random = Stream::new(11);
    let mut counts = BTreeMap::new();
    for _ in 0..64_800 {
        *counts.entry(chain.random(|end| random.below(end))).or_insert(0_u32) += 1;
    }
    // Expected 100 each, standard deviation 10.
    assert_eq!(counts.len(), 648);
    assert!(counts.values().all(|count| count.abs_diff(100) < 60));
}

#[test]
fn mathieus_groups_have_their_orders() {
    for (points, order) in [(11, 7920), (12, 95_040), (24, 244_823_040_u32)] {
        let chain = StabilizerChain::new(points, &mathieu(points), &[]).expect("a chain");
        assert_eq!(chain.order(), BigUint::from(order));
        let swap = cycles(points, &[&[1, 2]]);
        assert!(!chain.contains(&swap) && chain.contains(&mathieu(points)[1]));
    }
    assert_eq!(
        StabilizerChain::new(24, &mathieu(24), &[]).expect("a chain").orbit_lengths().len(),
        7
    );
}

#[test]
fn the_base_begins_as_asked() {
    for (name, points, generators) in small().into_iter().filter(|group| group.1 > 4) {
        let prefix = [4, 2, 0];
        let chain = StabilizerChain::new(points, &generators, &prefix).expect("a chain");
        assert_eq!(chain.base()[..3], prefix, "{name}");
        assert_eq!(chain.order(), BigUint::from(enumerate(points, &generators).len() as u128));
        // The same generators give the same chain and the same ranks.
        let again = StabilizerChain::new(points, &generators, &prefix).expect("a chain");
        assert_eq!(format!("{chain:?}"), format!("{again:?}"));
        assert_eq!(
            Ranking::new(&chain, 3).map(|ranking| ranking.fingerprint()),
            Ranking::new(&again, 3).map(|ranking| ranking.fingerprint())
        );
    }
    let refused =
        |prefix: &[u16]| StabilizerChain::new(3, &[long_cycle(3, 3)], prefix).expect_err("bad");
    assert_eq!(refused(&[3]), GroupError::Base { point: 3, points: 3 });
    assert_eq!(refused(&[1, 1]), GroupError::Base { point: 1, points: 3 });
    let error =
        StabilizerChain::new(4, &[long_cycle(3, 3)], &[]).expect_err("another number of points");
    assert_eq!(error, GroupError::Generator { number: 0, found: 3, points: 4 });
    assert_eq!(
        StabilizerChain::new(1 << 16, &[], &[]).expect_err("many"),
        GroupError::Points { points: 1 << 16 }
    );
}

/// The tuples of images that occur have exactly the ranks `0 .. size`, each one rank. No other
/// tuple has a rank.
#[test]
fn ranks_of_tuples_are_dense() {
    for (name, points, generators) in small().into_iter().filter(|group| group.1 > 4) {
        for prefix in [&[][..], &[4, 2, 0], &[1, 0]] {
            let chain = StabilizerChain::new(points, &generators, prefix).expect("a chain");
            for k in 0..=chain.base().len() {
                let ranking = Ranking::new(&chain, k).expect("a ranking");
                let base = ranking.base().to_vec();
                let mut reached = BTreeSet::from([base.clone()]);
                let mut todo = vec![base.clone()];
                while let Some(tuple) = todo.pop() {
                    for generator in &generators {
                        let next: Vec<_> = tuple.iter().map(|&p| generator.image(p)).collect();
                        if reached.insert(next.clone()) {
                            todo.push(next);
                        }
                    }
                }
                assert_eq!(ranking.size(), reached.len() as u64, "{name} {prefix:?} {k}");
                assert_eq!(ranking.rank(&base), Some(0));
                let ranks: BTreeSet<_> = reached.iter().filter_map(|t| ranking.rank(t)).collect();
                assert!(ranks.iter().copied().eq(0..ranking.size()), "{name} {prefix:?} {k}");
                let unranked: BTreeSet<_> =
                    (0..ranking.size()).filter_map(|rank| ranking.unrank(rank)).collect();
                assert_eq!(unranked, reached, "{name} {prefix:?} {k}");
                assert!(reached.iter().take(500).all(|tuple| {
                    ranking.rank(tuple).and_then(|rank| ranking.unrank(rank)).as_ref()
                        == Some(tuple)
                }));
                assert_eq!(ranking.unrank(ranking.size()), None);
                assert_none_else(&ranking, points, &reached);
            }
        }
    }
}

fn assert_none_else(ranking: &Ranking, points: usize, reached: &BTreeSet<Vec<u16>>) {
    let (mut random, k) = (Stream::new(3), ranking.base().len());
    for _ in 0..300 {
        let point = |_| u16::try_from(random.below(points as u64 + 1)).expect("few");
        let tuple: Vec<u16> = (0..k).map(point).collect();
        assert_eq!(ranking.rank(&tuple).is_some(), reached.contains(&tuple), "{tuple:?}");
    }
    assert_eq!(ranking.rank(&vec![0; k + 1]), None);
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let chain =
        StabilizerChain::new(24, &[long_cycle(24, 24), cycles(24, &[&[1, 2]])], &[]).expect("S24");
    assert_eq!(chain.order(), BigUint::from((1..=24).product::<u128>()));
    let error = Ranking::new(&chain, 24).expect_err("too many");
    assert_eq!(error, GroupError::Tuple { asked: 24, base: 23 });
    assert!(matches!(Ranking::new(&chain, 23), Err(GroupError::TooMany { .. })));
    let ranking = Ranking::new(&chain, 12).expect("fits");
    assert_eq!(ranking.size(), (13..=24).product::<u64>());
    assert_eq!(ranking.base().len(), 12);
    assert!(ranking.bytes() > 0);
}

#[test]
fn long_tuples_are_ranked_too() {
    // 40 independent swaps.
    let swaps: Vec<_> = (0..40).map(|i| cycles(80, &[&[2 * i + 1, 2 * i + 2]])).collect();
    let chain = StabilizerChain::new(80, &swaps, &[]).expect("a chain");
    let ranking = Ranking::new(&chain, 40).expect("fits");
    assert_eq!(ranking.size(), 1 << 40);
    for rank in [0, 1, 0xff_ffff_ffff, 0x12_3456_789a] {
        let images = ranking.unrank(rank).expect("a rank");
        assert_eq!((images.len(), ranking.rank(&images)), (40, Some(rank)));
    }
}

/// Generators that move 20 blocks of 3 points and 30 blocks of 2 points, in cycles of five blocks.
/// The order is 20!/2 * 3^19 * 30!/2 * 2^29 = 1.0067e68.
#[test]
fn two_large_wreath_products() {
    let mut generators = Vec::new();
    for i in 0..15 {
        let five = |blocks: u16| [0, 1, 2, 3, 4].map(|block| (2 * i + block) % blocks);
        let a = wreath(20, 3, &[(&five(20), &[1, 2, 0, 1, 2])]);
        let b = wreath(30, 2, &[(&five(30), &[1, 0, 1, 0, 0])]);
        generators.push(beside(&a[0], &b[0]));
    }
    let chain = StabilizerChain::new(120, &generators, &[]).expect("a chain");
    let even = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>() / 2_u32;
    let expected =
        even(20) * BigUint::from(3_u32).pow(19) * even(30) * BigUint::from(2_u32).pow(29);
    assert_eq!(chain.order(), expected);
    assert!(expected.to_string().starts_with("10066") && expected.to_string().len() == 69);
    let mut random = Stream::new(9);
    let element = chain.random(|end| random.below(end));
    assert!(
        chain.contains(&element) && !chain.contains(&element.then(&cycles(120, &[&[1, 2, 3]])))
    );
}
