//! Searches with remainders are those with the exact table.

use super::*;
use crate::PatternDatabase;
use crate::builder::{BuildOptions, build};
use crate::memory::BytesMut;
use crate::table::PackedTable;
use crate::testing::{DiscPattern, Ring, check_abstraction};
use search::random::Random;
use search::stored::a_star;
use search::testing::{Distances, check_heuristic};
use search::{Max, NoPruning, Options, Zero, ida_star};

/// A ring whose pattern tracks all discs, with both tables of the pattern.
fn all() -> (Ring, DiscPattern, PackedTable, Modulo3) {
    let ring = Ring::new(5, 2, 2);
    let tracked = DiscPattern::new(ring, 5);
    let exact = build::<4>(&tracked, &BuildOptions::default()).expect("built");
    let table = Modulo3::build(&tracked, &BuildOptions::default()).expect("built");
    (ring, tracked, exact, table)
}

#[test]
fn a_walk_is_as_long_as_the_distance() {
    let (ring, tracked, exact, table) = all();
    let walk = DescentWalk::new(&ring, tracked, table).expect("unit costs");
    let distances = Distances::from_goals(&ring, &[ring.sorted()], 20);
    check_heuristic(&ring, &walk, &distances).expect("lawful");
    let read = |entry| exact.get(entry);
    check_abstraction(&ring, walk.indexer(), walk.indexer(), &read, &[ring.sorted()], 10_000)
        .expect("lawful");
    for ops in [[0, 4, 1, 5, 2, 3, 0], [3, 0, 3, 1, 4, 2, 5], [5, 5, 2, 2, 4, 0, 4]] {
        let (mut state, mut next) = (ring.sorted(), ring.sorted());
        for op in ops {
            ring.apply_into(&state, Op(op), &mut next);
            state = next;
        }
        let options = Options::default();
        let blind = ida_star(&ring, &Zero, &NoPruning, &state, &options);
        let plan = walk.plan(&ring, &state).expect("reached");
        assert_eq!(plan.len(), usize::from(blind.lower_bound));
        let walked = ida_star(&ring, &walk, &NoPruning, &state, &options);
        assert_eq!(walked.plan(), Some(&plan));
        assert_eq!(walked.iterations.len(), 1, "the first bound is right");
        let end = plan.iter().fold(state, |state, &op| {
            let mut next = state;
            ring.apply_into(&state, op, &mut next);
            next
        });
        assert!(ring.is_goal(&end));
    }
}

#[test]
fn what_reaches_no_goal_is_a_dead_end() {
    let (ring, tracked, exact, table) = all();
    let mut bytes = BytesMut::zeroed(table.bytes().len()).expect("memory");
    bytes.as_mut_slice().fill(0xff);
    let table = Modulo3::new(bytes.freeze(), exact.entries()).expect("fits");
    let walk = DescentWalk::new(&ring, tracked, table).expect("unit costs");
    assert_eq!(walk.plan(&ring, &ring.sorted()), None);
    assert_eq!(walk.estimate(&ring, &ring.sorted()), Cost::MAX);
}

/// The end of a random walk from the goal.
fn walked(ring: &Ring, random: &mut Random, steps: usize) -> <Ring as Domain>::State {
    let (mut state, mut next) = (ring.sorted(), ring.sorted());
    for _ in 0..steps {
        ring.apply_into(&state, Op::new(random.index(ring.operators())), &mut next);
        state = next;
    }
    state
}

#[test]
fn searches_are_those_of_the_exact_table() {
    for (ring, discs) in [(Ring::new(5, 2, 2), 3), (Ring::new(8, 2, 5), 3), (Ring::new(9, 3, 4), 4)]
    {
        let pattern = || DiscPattern::new(ring, discs);
        let table = build::<4>(&pattern(), &BuildOptions::default()).expect("built");
        let two = Modulo3::from_exact(&pattern(), &table).expect("undirected");
        assert_eq!(two.bytes().len(), table.bytes().len().div_ceil(2));
        let exact = PatternDatabase::new(pattern(), table);
        check_searches(&ring, &exact, pattern(), two);
    }
}

/// Compares searches with those of the exact table.
fn check_searches(
    ring: &Ring,
    exact: &PatternDatabase<DiscPattern>,
    pattern: DiscPattern,
    table: Modulo3,
) {
    let options = Options::default();
    let walk = DescentWalk::new(ring, pattern, table).expect("unit costs");
    let mut random = Random::new(4);
    for steps in 0..10 {
        let start = walked(ring, &mut random, steps % 6);
        let report = ida_star(ring, exact, &NoPruning, &start, &options);
        let alone = ida_star(ring, &walk, &NoPruning, &start, &options);
        let both = Max(&walk, exact);
        let both = ida_star(ring, &both, &NoPruning, &start, &options);
        for other in [alone, both] {
            assert_eq!(other.plan(), report.plan());
            assert_eq!(other.iterations, report.iterations);
        }
        let stored = a_star(ring, &walk, &start, &options);
        assert_eq!(stored.lower_bound, report.lower_bound);
    }
}

/// Makes children of children whose bounds are not read.
#[test]
fn values_are_exact_along_any_path() {
    let ring = Ring::new(8, 2, 5);
    let pattern = || DiscPattern::new(ring, 3);
    let table = build::<4>(&pattern(), &BuildOptions::default()).expect("built");
    let two = Modulo3::from_exact(&pattern(), &table).expect("made");
    let exact = PatternDatabase::new(pattern(), table);
    let walk = DescentWalk::new(&ring, pattern(), two).expect("unit");
    let mut random = Random::new(5);
    let mut state = walked(&ring, &mut random, 20);
    let mut carry = walk.root(&ring, &state);
    for step in 0..2000 {
        let (op, mut to) = (Op::new(random.index(ring.operators())), state);
        ring.apply_into(&state, op, &mut to);
        carry = walk.child(&ring, &state, &carry, op, &to);
        state = to;
        let h = exact.estimate(&ring, &state);
        if step % 5 == 0 {
            assert_eq!(walk.bound(&ring, &state, &mut carry, 0).h, h);
        }
    }
}
