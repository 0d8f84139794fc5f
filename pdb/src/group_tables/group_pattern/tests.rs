//! Group patterns agree with breadth-first searches over tuples.

use crate::GroupPattern;
use crate::builder::{BuildOptions, build};
use crate::layers::{ExhaustOptions, exhaust};
use crate::testing::{check_abstraction, slow_distances};
use crate::{Abstraction, Indexer};
use groups::testing::{
    cycles, layer_turns, long_cycle, small_groups as small, turn_operators, wreath,
};
use groups::{GroupError, Permutation};
use search::random::Random;
use search::{Cost, Domain, Op};
use std::collections::{BTreeMap, HashMap};

/// The cost from every tuple to the nearest goal, by Dijkstra's algorithm backward over tuples.
fn slow(
    operators: &[(Permutation, Cost)],
    tuple: &[u16],
    goals: &[Permutation],
) -> HashMap<Vec<u16>, u32> {
    let inverses: Vec<_> = operators.iter().map(|(op, cost)| (op.inverse(), *cost)).collect();
    let start = |goal: &Permutation| tuple.iter().map(|&point| goal.image(point)).collect();
    let mut open = BTreeMap::from([(0, goals.iter().map(start).collect::<Vec<Vec<u16>>>())]);
    let mut closed = HashMap::new();
    while let Some((depth, mut bucket)) = open.pop_first() {
        while let Some(images) = bucket.pop() {
            if closed.contains_key(&images) {
                continue;
            }
            for (inverse, cost) in &inverses {
                let next = images.iter().map(|&point| inverse.image(point)).collect();
                match cost {
                    0 => bucket.push(next),
                    _ => open.entry(depth + u32::from(*cost)).or_default().push(next),
                }
            }
            closed.insert(images, depth);
        }
    }
    closed
}

/// Checks that the table of a pattern has the cost of every tuple.
fn agree(
    name: &str,
    points: usize,
    operators: &[(Permutation, Cost)],
    tuple: &[u16],
    goals: &[Permutation],
) -> GroupPattern {
    let pattern = GroupPattern::of_tuple(points, operators, tuple).expect("a pattern");
    let pattern = pattern.with_goals(goals).expect("goals");
    let expected = slow(operators, tuple, goals);
    let table = slow_distances(&pattern);
    assert_eq!(pattern.entries(), pattern.rows() * pattern.columns() as u64, "{name}");
    // Each operator has a power that undoes it, so all tuples are reached even if no operator is an
    // inverse.
    assert_eq!(table.len(), expected.len(), "{name} {tuple:?}");
    let place = |image: u16| tuple.iter().position(|&point| point == image).expect("in the tuple");
    for (images, &cost) in &expected {
        let entry = pattern.rank(|point| images[place(point)]).expect("a rank");
        assert_eq!(table[usize::try_from(entry).expect("small")], cost, "{name} {tuple:?}");
    }
    let built = build::<8>(&pattern, &BuildOptions::default()).expect("built");
    assert!((0..).zip(&table).all(|(entry, &cost)| u32::from(built.get(entry)) == cost), "{name}");
    if operators.iter().all(|&(_, cost)| cost == 1) {
        let layers = exhaust(&pattern, &ExhaustOptions::default()).expect("exhausted").layers;
        let mut counts = vec![0; layers.len()];
        table.iter().for_each(|&cost| counts[cost as usize] += 1);
        assert_eq!(layers, counts, "{name}");
    }
    pattern
}

fn with_inverses(generators: &[Permutation]) -> Vec<(Permutation, Cost)> {
    generators.iter().flat_map(|g| [(g.clone(), 1), (g.inverse(), 1)]).collect()
}

#[test]
fn patterns_of_small_groups_are_those_of_tuples() {
    let mut random = Random::new(8);
    for (name, points, generators) in small().into_iter().filter(|group| group.1 > 4) {
        let identity = [Permutation::identity(points).expect("few")];
        let directed: Vec<_> = generators.iter().map(|g| (g.clone(), 1)).collect();
        let both = with_inverses(&generators);
        let weighted: Vec<_> =
            both.iter().zip([1, 1, 3, 3, 0, 0, 2]).map(|(op, cost)| (op.0.clone(), cost)).collect();
        let mut order: Vec<u16> = (0..).take(points).collect();
        for k in [0, 1, 2, 3, points.min(6)] {
            random.shuffle(&mut order);
            assert!(agree(name, points, &both, &order[..k], &identity).undirected());
            agree(name, points, &directed, &order[..k], &identity);
            agree(name, points, &weighted, &order[..k], &identity);
            let goals: Vec<_> = both.iter().map(|(op, _)| op.clone()).collect();
            agree(name, points, &both, &order[..k], &goals);
        }
        let whole = GroupPattern::of_group(points, &both, &order[..1]).expect("a pattern");
        let base = agree(name, points, &both, whole.tuple(), &identity);
        assert_eq!(whole.entries(), base.entries());
        for entry in 0..whole.entries() {
            let images = whole.images(entry).expect("an entry");
            let place = |image: u16| whole.tuple().iter().position(|&point| point == image);
            let rank = whole.rank(|point| images[place(point).expect("in the tuple")]);
            assert_eq!(rank, Some(entry), "{name}");
        }
        assert_eq!(whole.images(whole.entries()), None);
    }
}

/// Four blocks of three points, with a point for each block: the rows then tell which block is
/// where.
#[test]
fn blocks_named_first_make_rows_of_blocks() {
    let generators = wreath(4, 3, &[(&[0, 1], &[1, 2]), (&[0, 1, 2, 3], &[0, 1, 1, 1])]);
    let blocks = |g: &Permutation| {
        let images = g.images().iter().copied();
        let block = |block: u16| 12 + g.image(3 * block) / 3;
        Permutation::new(images.chain((0..4).map(block)).collect()).expect("a permutation")
    };
    let operators: Vec<_> =
        with_inverses(&generators).iter().map(|(g, c)| (blocks(g), *c)).collect();
    let identity = [Permutation::identity(16).expect("few")];
    let pattern = agree("blocks", 16, &operators, &[12, 13, 14, 15, 0, 3, 6, 9], &identity);
    assert_eq!((pattern.entries(), pattern.tuple()), (648, &[12, 13, 14, 0, 3, 6][..]));
    // The place of the third block, which the fourth one follows, may be a column too.
    assert_eq!((pattern.rows(), pattern.columns()), (12, 54));
    assert_ne!(
        pattern.fingerprint(),
        GroupPattern::of_group(16, &operators, &[]).expect("a pattern").fingerprint()
    );
    assert!(pattern.bytes() > 0);
}

/// A domain whose states are the elements of a group, and whose operators are its generators.
struct Turns(Vec<Permutation>);

impl Domain for Turns {
    type State = Vec<u16>;
    type Ops = u64;
    fn operators(&self) -> usize {
        self.0.len()
    }
    fn applicable(&self, _: &Vec<u16>) -> u64 {
        search::OpSet::first(self.0.len())
    }
    fn apply_into(&self, from: &Vec<u16>, op: Op, to: &mut Vec<u16>) {
        to.clear();
        to.extend(from.iter().map(|&point| self.0[op.index()].image(point)));
    }
    fn is_goal(&self, state: &Vec<u16>) -> bool {
        state.is_sorted()
    }
}

impl search::Packed for Turns {
    type Key = u128;
    fn pack(&self, state: &Vec<u16>) -> u128 {
        // 24 points, 5 bits each.
        state.iter().fold(0, |key, &point| key << 5 | u128::from(point))
    }
    fn unpack(&self, key: u128, out: &mut Vec<u16>) {
        out.clear();
        out.extend((0..24).rev().map(|i| u16::try_from(key >> (5 * i) & 31).expect("five bits")));
    }
}

impl Indexer<Turns> for GroupPattern {
    type Index = u64;
    fn index(&self, _: &Turns, state: &Vec<u16>) -> u64 {
        self.rank(|point| state[usize::from(point)]).expect("a rank")
    }
    fn entry(&self, at: u64) -> u64 {
        at
    }
}

#[test]
fn patterns_keep_the_law_of_abstractions() {
    let turns = layer_turns(2);
    let operators = turn_operators(&turns);
    let domain = Turns(operators.iter().map(|(operator, _)| operator.clone()).collect());
    let goal: Vec<u16> = (0..24).collect();
    for tuple in [&[0, 5][..], &[3, 20, 9, 14], &[0, 1, 2, 3, 4]] {
        let pattern = GroupPattern::of_tuple(24, &operators, tuple).expect("a pattern");
        let table = build::<8>(&pattern, &BuildOptions::default()).expect("built");
        let read = |entry: u64| table.get(entry);
        let goals = std::slice::from_ref(&goal);
        check_abstraction(&domain, &pattern, &pattern, &read, goals, 20_000).expect("the law");
    }
}

#[test]
fn bad_patterns_are_refused() {
    let cycle = [(long_cycle(5, 5), 1)];
    let refused = |tuple: &[u16]| GroupPattern::of_tuple(5, &cycle, tuple).expect_err("refused");
    assert_eq!(refused(&[7]), GroupError::Base { point: 7, points: 5 });
    assert_eq!(refused(&[1, 1]), GroupError::Base { point: 1, points: 5 });
    let pattern = GroupPattern::of_tuple(5, &cycle, &[0, 1]).expect("a pattern");
    assert_eq!((pattern.tuple(), pattern.entries()), (&[0][..], 5));
    assert_eq!(pattern.clone().with_goals(&[]).expect_err("none"), GroupError::Empty);
    let other = pattern.clone().with_goals(&[long_cycle(6, 6)]).expect_err("other points");
    assert_eq!(other, GroupError::Generator { number: 0, found: 6, points: 5 });
    let large = [(long_cycle(30, 30), 1), (cycles(30, &[&[1, 2]]), 1)];
    let error = GroupPattern::of_group(30, &large, &[]).expect_err("too large");
    assert!(matches!(error, GroupError::TooMany { .. }));
    let blocks = wreath(3, 2, &[(&[0, 1, 2], &[0; 3])]);
    let operators = [(blocks[0].clone(), 1)];
    let pattern = GroupPattern::of_tuple(6, &operators, &[0]).expect("a pattern");
    let turned = cycles(6, &[&[1, 2]]);
    assert_eq!(
        pattern.with_goals(&[turned]).expect_err("outside"),
        GroupError::Member { number: 0 }
    );
}
