//! Sums of members whose values are as large as costs can be.

use super::*;
use crate::control::Options;
use crate::domain::{Domain, OpSet};
use crate::heuristic::Heuristic;
use crate::ida_star::{ida_star, ida_star_in_place};
use crate::pruning::NoPruning;

/// Two pebbles on a line of 256 places each, both to be brought to place 0; an operator moves one pebble by one place.
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

/// The places of the pebbles, each a member; `steady` is what they claim.
struct Places {
    steady: bool,
}

impl AdditiveBounds<Lines> for Places {
    type Work = [u8; 2];
    fn count(&self) -> usize {
        2
    }
    fn features(&self, member: usize) -> &[u64] {
        [&[1], &[2]][member]
    }
    fn steady(&self) -> bool {
        self.steady
    }
    fn work(&self, _: &Lines, state: &[u8; 2]) -> [u8; 2] {
        *state
    }
    fn state(&self, _: &Lines, work: &[u8; 2]) -> [u8; 2] {
        *work
    }
    fn is_goal(&self, domain: &Lines, work: &[u8; 2]) -> bool {
        domain.is_goal(work)
    }
    fn applicable(&self, work: &[u8; 2]) -> u32 {
        Lines.applicable(work)
    }
    fn mover(&self, _: &[u8; 2], op: Op) -> usize {
        op.index() / 2
    }
    fn read_still(&self, member: usize, work: &[u8; 2]) -> Cost {
        work[member]
    }
    fn read_moved(&self, member: usize, work: &[u8; 2], op: Op, _: usize) -> Cost {
        let mut to = *work;
        Lines.apply_into(work, op, &mut to);
        to[member]
    }
    fn step(&self, work: &mut [u8; 2], op: Op, _: usize) {
        let from = *work;
        Lines.apply_into(&from, op, work);
    }
    fn undo(&self, work: &mut [u8; 2], op: Op) {
        let from = *work;
        Lines.apply_into(&from, Op(op.0 ^ 1), work);
    }
}

#[test]
fn large_values_lose_no_plan() {
    for start in [[1, 0], [3, 130], [127, 1], [200, 0], [120, 7], [0, 254]] {
        for steady in [true, false] {
            // The first pebble alone is a sum, too.
            let sums = [vec![0], vec![0, 1]];
            let families = MaxOfSums::<_, 8, 8>::new(&Lines, Places { steady }, &sums).unwrap();
            let cost = start[0] + start[1];
            assert_eq!(families.estimate(&Lines, &start), cost);
            let options = Options::default();
            let copied = ida_star(&Lines, &families, &NoPruning, &start, &options);
            let in_place = ida_star_in_place(&Lines, &families, &NoPruning, &start, &options);
            for report in [&copied, &in_place] {
                assert_eq!(report.plan().map(|plan| plan.len()), Some(cost.into()), "{start:?}");
            }
            assert_eq!(copied.iterations, in_place.iterations);
        }
    }
}
