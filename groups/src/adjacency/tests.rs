//! Bounds of gaps against the distances of all states of toy groups.

use super::Adjacency;
use crate::Permutation;
use std::collections::HashMap;

type Generators = Vec<(Permutation, u8)>;

fn of_images(images: Vec<u16>) -> Permutation {
    Permutation::new(images).expect("a permutation")
}

/// Reverses the first places, two at least and all at most.
fn prefixes(points: u16) -> Generators {
    let reversal =
        |end: u16| (0..points).map(|i| if i < end { end - 1 - i } else { i }).collect::<Vec<_>>();
    (2..=points).map(|end| (of_images(reversal(end)), 1)).collect()
}

/// Turns a ring by a place, both ways, or reverses a part of it.
fn ring(points: u16, part: u16, costs: [u8; 2]) -> Generators {
    let turn = |by: u16| of_images((0..points).map(|i| (i + by) % points).collect());
    let flip = of_images((0..points).map(|i| if i < part { part - 1 - i } else { i }).collect());
    vec![(turn(1), costs[0]), (turn(points - 1), costs[0]), (flip, costs[1])]
}

/// Swaps of neighbours in a row.
fn swaps(points: u16) -> Generators {
    let swap = |i| Permutation::from_cycles(points.into(), &[&[i, i + 1]]).expect("a swap");
    (0..points - 1).map(|i| (swap(i), 1)).collect()
}

/// The generators with other numbers for the places.
fn relabelled(generators: &Generators, names: &Permutation) -> Generators {
    let back = names.inverse();
    generators.iter().map(|(one, cost)| (back.then(one).then(names), *cost)).collect()
}

fn find(generators: &Generators) -> Option<Adjacency> {
    Adjacency::find(generators[0].0.points(), generators, &|| false)
}

/// The least costs of all elements, by Dijkstra's order.
fn distances(generators: &Generators) -> HashMap<Permutation, u32> {
    let identity = Permutation::identity(generators[0].0.points()).expect("few");
    let (mut known, mut layers) = (HashMap::new(), vec![vec![identity]]);
    let mut cost = 0;
    while cost < layers.len() {
        for element in std::mem::take(&mut layers[cost]) {
            if known.contains_key(&element) {
                continue;
            }
            for (generator, of) in generators {
                let next = cost + usize::from(*of);
                layers.resize_with(layers.len().max(next + 1), Vec::new);
                layers[next].push(element.then(generator));
            }
            known.insert(element, u32::try_from(cost).expect("short"));
        }
        cost += 1;
    }
    known
}

/// Which piece lies at a place after an element.
fn at(element: &Permutation, end: u16) -> impl Fn(u16) -> u16 + use<> {
    let back = element.inverse();
    move |place| if place == end { end } else { back.image(place) }
}

/// Checks all states: no bound is above the distance or falls by more than a cost, and the
/// difference of a generator is exact. Returns the sum of the bounds and that of the distances.
fn check(generators: &Generators) -> (u32, u32) {
    let adjacency = find(generators).expect("a relation");
    let end = adjacency.end();
    let (mut bounds, mut all) = (0, 0);
    for (element, distance) in distances(generators) {
        let gaps = adjacency.gaps(at(&element, end));
        let bound = adjacency.bound(gaps);
        assert!(bound <= distance, "{element:?}: {bound} of {distance}");
        for (number, (generator, cost)) in generators.iter().enumerate() {
            let next = element.then(generator);
            let after = adjacency.gaps(at(&next, end));
            assert_eq!(after, adjacency.gaps_after(gaps, number, at(&element, end)));
            assert!(bound <= adjacency.bound(after) + u32::from(*cost));
        }
        (bounds, all) = (bounds + bound, all + distance);
    }
    (bounds, all)
}

#[test]
fn no_bound_is_above_the_distance() {
    for points in [5, 6, 7] {
        // The gap is nearly the distance.
        let (bounds, all) = check(&prefixes(points));
        assert!(bounds * 10 > all * 8, "{points}: {bounds} of {all}");
        check(&ring(points, 4, [1, 1]));
    }
    check(&ring(7, 4, [1, 3]));
    check(&ring(7, 4, [2, 1]));
    check(&swaps(7));
}

/// Stacks of any size get all neighbours and the plate, and one separation for each move.
#[test]
fn stacks_and_rings_get_their_neighbours() {
    for points in [8, 15, 16, 33, 50] {
        let stack = find(&prefixes(points)).expect("a relation");
        let mut pairs = stack.pairs().to_vec();
        pairs.sort_unstable();
        let expected: Vec<[u16; 2]> = (0..points).map(|i| [i, i + 1]).collect();
        assert_eq!(pairs, expected);
        assert_eq!(stack.bound(u32::from(points)), u32::from(points));
    }
    let ring = find(&ring(20, 4, [1, 1])).expect("a relation");
    assert!((0..20).all(|i| ring.are_near([i, (i + 1) % 20])));
    assert!(ring.bound(20) >= 10);
}

/// Other numbers of the places give the same gaps.
#[test]
fn gaps_do_not_depend_on_the_numbers_of_places() {
    for points in [9, 16, 30] {
        // 11 has no common factor with the numbers of places.
        let names = of_images((0..points).map(|i| (i * 11 + 5) % points).collect());
        let generators = prefixes(points);
        let one = find(&generators).expect("a relation");
        let other = find(&relabelled(&generators, &names)).expect("a relation");
        let mut element = Permutation::identity(points.into()).expect("few");
        for step in 0..200 {
            element = element.then(&generators[(step * step + 3) % generators.len()].0);
            let twin = names.inverse().then(&element).then(&names);
            let end = one.end();
            assert_eq!(one.gaps(at(&element, end)), other.gaps(at(&twin, end)));
        }
    }
}

/// Without neighbours that last, there is no relation. Nor is there with several orbits.
#[test]
fn other_groups_have_none() {
    for points in [23, 24] {
        let elements = crate::testing::mathieu(points).into_iter();
        assert!(find(&elements.map(|one| (one, 1)).collect()).is_none(), "{points}");
    }
    let two = [[0, 1], [2, 3]].map(|cycle| Permutation::from_cycles(4, &[&cycle]).expect("few"));
    assert!(find(&two.map(|one| (one, 1)).to_vec()).is_none());
    assert!(Adjacency::find(6, &prefixes(6), &|| true).is_none());
}
