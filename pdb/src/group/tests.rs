//! Chains and ranks against enumeration, published orders, and large groups of every kind that matters.

mod large;
mod patterns;

use super::*;
use num_bigint::BigUint;
use search::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// Cycles of points counted from 1, as books write them.
fn cycles(points: usize, cycles: &[&[u16]]) -> Permutation {
    let shifted: Vec<Vec<u16>> =
        cycles.iter().map(|c| c.iter().map(|&point| point - 1).collect()).collect();
    let slices: Vec<&[u16]> = shifted.iter().map(Vec::as_slice).collect();
    Permutation::from_cycles(points, &slices).expect("cycles")
}

fn long_cycle(points: usize, length: u16) -> Permutation {
    cycles(points, &[&(1..=length).collect::<Vec<_>>()])
}

fn mathieu(points: usize) -> Vec<Permutation> {
    if points == 24 {
        return vec![
            long_cycle(24, 23),
            cycles(
                24,
                &[
                    &[3, 17, 10, 7, 9],
                    &[4, 13, 14, 19, 5],
                    &[8, 18, 11, 12, 23],
                    &[15, 20, 22, 21, 16],
                ],
            ),
            cycles(
                24,
                &[
                    &[1, 24],
                    &[2, 23],
                    &[3, 12],
                    &[4, 16],
                    &[5, 18],
                    &[6, 10],
                    &[7, 20],
                    &[8, 14],
                    &[9, 21],
                    &[11, 17],
                    &[13, 22],
                    &[15, 19],
                ],
            ),
        ];
    }
    let mut generators =
        vec![long_cycle(points, 11), cycles(points, &[&[3, 7, 11, 8], &[4, 10, 5, 6]])];
    if points == 12 {
        generators.push(cycles(12, &[&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]]));
    }
    generators
}

/// `blocks` blocks of `size` points; each generator moves blocks round in a cycle and turns each by its twist.
pub(super) fn wreath(blocks: u16, size: u16, cycles: &[(&[u16], &[u16])]) -> Vec<Permutation> {
    let one = |(cycle, twists): &(&[u16], &[u16])| {
        let mut images: Vec<u16> = (0..blocks * size).collect();
        for (i, (&from, &twist)) in cycle.iter().zip(*twists).enumerate() {
            let to = cycle[(i + 1) % cycle.len()];
            for turn in 0..size {
                images[usize::from(from * size + turn)] = to * size + (turn + twist) % size;
            }
        }
        Permutation::new(images).expect("a permutation")
    };
    cycles.iter().map(one).collect()
}

/// Side by side: points of the second behind those of the first.
fn beside(a: &Permutation, b: &Permutation) -> Permutation {
    let shift = u16::try_from(a.points()).expect("few");
    let images = a.images().iter().copied().chain(b.images().iter().map(|&image| image + shift));
    Permutation::new(images.collect()).expect("a permutation")
}

/// All elements, by multiplying with generators.
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

/// Small groups: name, points, generators.
pub(super) fn small() -> Vec<(&'static str, usize, Vec<Permutation>)> {
    let swap = cycles(6, &[&[1, 2]]);
    let three = cycles(6, &[&[1, 2, 3]]);
    let fixed = |points| Permutation::identity(points).expect("few");
    vec![
        ("trivial", 4, vec![]),
        ("identity", 4, vec![fixed(4)]),
        ("no points", 0, vec![]),
        ("cyclic", 12, vec![long_cycle(12, 12)]),
        ("two cycles", 9, vec![cycles(9, &[&[1, 2, 3, 4], &[5, 6, 7, 8, 9]])]),
        ("symmetric", 6, vec![swap.clone(), long_cycle(6, 6)]),
        ("alternating", 6, vec![three.clone(), cycles(6, &[&[2, 3, 4, 5, 6]])]),
        ("dihedral", 8, vec![long_cycle(8, 8), cycles(8, &[&[2, 8], &[3, 7], &[4, 6]])]),
        (
            "elementary",
            8,
            vec![cycles(8, &[&[1, 2]]), cycles(8, &[&[3, 4]]), cycles(8, &[&[5, 6], &[7, 8]])],
        ),
        ("M11", 11, mathieu(11)),
        (
            "direct",
            12,
            vec![
                beside(&swap, &fixed(6)),
                beside(&long_cycle(6, 5), &fixed(6)),
                beside(&fixed(6), &three),
            ],
        ),
        (
            "signs shared",
            12,
            vec![beside(&swap, &swap), beside(&three, &fixed(6)), beside(&fixed(6), &three)],
        ),
        ("diagonal", 12, vec![beside(&swap, &swap), beside(&long_cycle(6, 6), &long_cycle(6, 6))]),
        ("threes shared", 12, vec![beside(&three, &three)]),
        ("wreath", 12, wreath(4, 3, &[(&[0, 1], &[1, 2]), (&[0, 1, 2, 3], &[0, 1, 1, 1])])),
        (
            "full wreath",
            8,
            wreath(4, 2, &[(&[0], &[1]), (&[0, 1], &[0, 0]), (&[0, 1, 2, 3], &[0; 4])]),
        ),
    ]
}

#[test]
fn elements_of_small_groups_are_those_enumerated() {
    for (name, points, generators) in small() {
        let all = enumerate(points, &generators);
        let chain = Chain::new(points, &generators, &[]).expect("a chain");
        assert_eq!(chain.order_u128(), Some(all.len() as u128), "{name}");
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
        // What is not there is not found.
        let mut random = Random::new(5);
        for _ in 0..200 {
            let mut images: Vec<u16> = (0..).take(points).collect();
            random.shuffle(&mut images);
            let permutation = Permutation::new(images).expect("a permutation");
            assert_eq!(chain.contains(&permutation), all.contains(&permutation), "{name}");
            // Images that no element has are refused; those that some element has lead to that one.
            let base = chain.base();
            let images: Vec<u16> = base.iter().map(|&point| permutation.image(point)).collect();
            let taken = |element: &&Permutation| {
                base.iter().zip(&images).all(|(&point, &image)| element.image(point) == image)
            };
            assert_eq!(chain.element_taking(&images).as_ref(), all.iter().find(taken), "{name}");
        }
    }
}

#[test]
fn random_elements_are_equally_likely() {
    let chain = Chain::new(12, &small()[14].2, &[]).expect("a chain");
    assert_eq!(chain.order_u128(), Some(648));
    let mut random = Random::new(11);
    let mut counts = BTreeMap::new();
    for _ in 0..64_800 {
        *counts.entry(chain.random(&mut random)).or_insert(0_u32) += 1;
    }
    // Expected 100 each, standard deviation 10.
    assert_eq!(counts.len(), 648);
    assert!(counts.values().all(|count| count.abs_diff(100) < 60));
}

#[test]
fn mathieus_groups_have_their_orders() {
    for (points, order) in [(11, 7920), (12, 95_040), (24, 244_823_040)] {
        let chain = Chain::new(points, &mathieu(points), &[]).expect("a chain");
        assert_eq!(chain.order_u128(), Some(order));
        let swap = cycles(points, &[&[1, 2]]);
        assert!(!chain.contains(&swap) && chain.contains(&mathieu(points)[1]));
    }
    assert_eq!(Chain::new(24, &mathieu(24), &[]).expect("a chain").orbit_lengths().len(), 7);
}

#[test]
fn the_base_begins_as_asked() {
    for (name, points, generators) in small().into_iter().filter(|group| group.1 > 4) {
        let prefix = [4, 2, 0];
        let chain = Chain::new(points, &generators, &prefix).expect("a chain");
        assert_eq!(chain.base()[..3], prefix, "{name}");
        assert_eq!(chain.order_u128(), Some(enumerate(points, &generators).len() as u128));
        // The same again, and all of it.
        let again = Chain::new(points, &generators, &prefix).expect("a chain");
        assert_eq!(format!("{chain:?}"), format!("{again:?}"));
        assert_eq!(
            Ranking::new(&chain, 3).map(|ranking| ranking.fingerprint()),
            Ranking::new(&again, 3).map(|ranking| ranking.fingerprint())
        );
    }
    let refused = |prefix: &[u16]| Chain::new(3, &[long_cycle(3, 3)], prefix).expect_err("bad");
    assert_eq!(refused(&[3]), GroupError::Base { point: 3, points: 3 });
    assert_eq!(refused(&[1, 1]), GroupError::Base { point: 1, points: 3 });
    let error = Chain::new(4, &[long_cycle(3, 3)], &[]).expect_err("another number of points");
    assert_eq!(error, GroupError::Generator { number: 0, found: 3, points: 4 });
    assert_eq!(
        Chain::new(1 << 16, &[], &[]).expect_err("many"),
        GroupError::Points { points: 1 << 16 }
    );
}

/// Every tuple of images that occurs has one rank, all ranks occur, and nothing else has one.
#[test]
fn ranks_of_tuples_are_dense() {
    for (name, points, generators) in small().into_iter().filter(|group| group.1 > 4) {
        for prefix in [&[][..], &[4, 2, 0], &[1, 0]] {
            let chain = Chain::new(points, &generators, prefix).expect("a chain");
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
    let (mut random, k) = (Random::new(3), ranking.base().len());
    for _ in 0..300 {
        let point = |_| u16::try_from(random.below(points as u64 + 1)).expect("few");
        let tuple: Vec<u16> = (0..k).map(point).collect();
        assert_eq!(ranking.rank(&tuple).is_some(), reached.contains(&tuple), "{tuple:?}");
    }
    assert_eq!(ranking.rank(&vec![0; k + 1]), None);
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let chain = Chain::new(24, &[long_cycle(24, 24), cycles(24, &[&[1, 2]])], &[]).expect("S24");
    assert_eq!(chain.order_u128(), Some((1..=24).product::<u128>()));
    let error = Ranking::new(&chain, 24).expect_err("too many");
    assert_eq!(error, GroupError::Tuple { asked: 24, base: 23 });
    assert!(matches!(Ranking::new(&chain, 23), Err(GroupError::TooMany { .. })));
    let ranking = Ranking::new(&chain, 12).expect("fits");
    assert_eq!(ranking.size(), (13..=24).product::<u64>());
    assert_eq!((ranking.base().len(), ranking.radices()[11]), (12, 13));
    assert!(ranking.bytes() > 0);
}

#[test]
fn long_tuples_are_ranked_too() {
    // 40 swaps that do not know each other.
    let swaps: Vec<_> = (0..40).map(|i| cycles(80, &[&[2 * i + 1, 2 * i + 2]])).collect();
    let chain = Chain::new(80, &swaps, &[]).expect("a chain");
    let ranking = Ranking::new(&chain, 40).expect("fits");
    assert_eq!(ranking.size(), 1 << 40);
    for rank in [0, 1, 0xff_ffff_ffff, 0x12_3456_789a] {
        let images = ranking.unrank(rank).expect("a rank");
        assert_eq!((images.len(), ranking.rank(&images)), (40, Some(rank)));
    }
}

/// 20 blocks of 3 and 30 of 2, turned in fives: order 20!/2 * 3^19 * 30!/2 * 2^29 = 1.0067e68.
#[test]
fn two_large_wreath_products() {
    let mut generators = Vec::new();
    for i in 0..15 {
        let five = |blocks: u16| [0, 1, 2, 3, 4].map(|block| (2 * i + block) % blocks);
        let a = wreath(20, 3, &[(&five(20), &[1, 2, 0, 1, 2])]);
        let b = wreath(30, 2, &[(&five(30), &[1, 0, 1, 0, 0])]);
        generators.push(beside(&a[0], &b[0]));
    }
    let chain = Chain::new(120, &generators, &[]).expect("a chain");
    let even = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>() / 2_u32;
    let expected =
        even(20) * BigUint::from(3_u32).pow(19) * even(30) * BigUint::from(2_u32).pow(29);
    assert_eq!(chain.order(), expected);
    assert!(expected.to_string().starts_with("10066") && expected.to_string().len() == 69);
    assert_eq!(chain.order_u128(), None);
    let mut random = Random::new(9);
    let element = chain.random(&mut random);
    assert!(
        chain.contains(&element) && !chain.contains(&element.then(&cycles(120, &[&[1, 2, 3]])))
    );
}
