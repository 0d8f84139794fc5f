//! Sums whose members have values as large as costs can be.

use super::*;
use crate::control::Options;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Heuristic, Step};
use crate::ida_star::ida_star;
use crate::pruning::NoPruning;

/// Two pebbles, each on a line of 256 places. Place 0 is the goal of both. An operator moves one
/// pebble by one place.
struct Lines;

impl Domain for Lines {
    type State = [u8; 2];
    type Ops = u32;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, state: &[u8; 2]) -> u32 {
        let ops = (0..4).filter(|op| state[op / 2] != if op % 2 == 0 { 0 } else { 255 });
        ops.fold(0, |set, op| set.with(Op::new(op)))
    }
    fn apply_into(&self, from: &[u8; 2], op: Op, to: &mut [u8; 2]) {
        *to = *from;
        let place = &mut to[op.index() / 2];
        *place = if op.index() & 1 == 0 { *place - 1 } else { *place + 1 };
    }
    fn is_goal(&self, state: &[u8; 2]) -> bool {
        *state == [0, 0]
    }
}

impl Partitioned for Lines {
    fn features(&self) -> usize {
        2
    }
    fn mover(&self, _: &[u8; 2], op: Op) -> usize {
        op.index() / 2
    }
}

/// The bounds: member `i` is the place of pebble `i`.
struct Places;

impl Members for Places {
    /// The number of the pebble.
    type Lookup = usize;
    fn lookups(&self) -> Vec<Vec<(usize, usize)>> {
        vec![vec![(0, 0)], vec![(1, 1)]]
    }
}

impl AdditiveBounds<Lines> for Places {
    type Index = [u8; 2];
    fn root(&self, _: &Lines, state: &[u8; 2]) -> ([u8; 2], Vec<Cost>) {
        (*state, state.to_vec())
    }
    fn advance(&self, domain: &Lines, from: &[u8; 2], op: Op, _: usize, to: &mut [u8; 2]) {
        domain.apply_into(from, op, to);
    }
    fn read(&self, &pebble: &usize, index: &[u8; 2], op: Op) -> Cost {
        let mut after = *index;
        Lines.apply_into(index, op, &mut after);
        after[pebble]
    }
}

#[test]
fn large_values_lose_no_plan() {
    // The first sum is the first pebble alone. It does not charge the second one.
    let sums = [vec![0], vec![0, 1]];
    let heuristic = MaxOfSums::<_, 1, 8>::new(&Lines, Places, &sums).unwrap();
    for start in [[1, 0], [3, 130], [127, 1], [200, 0], [120, 7], [0, 254]] {
        let cost = start[0] + start[1];
        assert_eq!(heuristic.estimate(&Lines, &start), cost);
        let report = ida_star(&Lines, &heuristic, &NoPruning, &start, &Options::default());
        assert_eq!(report.plan().map(|plan| plan.len()), Some(cost.into()), "{start:?}");
    }
}

/// A sum that does not charge the moved feature also cuts a child, if it exceeds the remaining
/// cost.
#[test]
fn a_sum_without_the_feature_that_moved_cuts() {
    let heuristic = MaxOfSums::<_, 1, 8>::new(&Lines, Places, &[vec![0]]).unwrap();
    let from = [5, 0];
    let carry = heuristic.root(&Lines, &from);
    let mut child = carry.clone();
    let mut place = from;
    let mut within = |limit| {
        let mut step = Step::new(&Lines, &from, Op(3), &mut place);
        heuristic.within(&mut step, &carry, &mut child, limit)
    };
    assert_eq!(within(4).unwrap_err(), 5);
    assert_eq!(within(5).unwrap().h, 5);
}
