//! Sums whose members have values as large as costs can be.

use super::*;
use crate::control::Options;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Heuristic, Step};
use crate::ida_star::ida_star;
use crate::pruning::NoPruning;
use crate::random::Random;

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

/// Six pebbles on lines of ten places. Place 0 is the goal of each. An operator moves one pebble by
/// one place.
struct Pebbles;

impl Domain for Pebbles {
    type State = [u8; 6];
    type Ops = u32;
    fn operators(&self) -> usize {
        12
    }
    fn applicable(&self, state: &[u8; 6]) -> u32 {
        let ops = (0..12).filter(|op| state[op / 2] != if op % 2 == 0 { 0 } else { 9 });
        ops.fold(0, |set, op| set.with(Op::new(op)))
    }
    fn apply_into(&self, from: &[u8; 6], op: Op, to: &mut [u8; 6]) {
        *to = *from;
        let place = &mut to[op.index() / 2];
        *place = if op.index() & 1 == 0 { *place - 1 } else { *place + 1 };
    }
    fn is_goal(&self, state: &[u8; 6]) -> bool {
        *state == [0; 6]
    }
}

impl Partitioned for Pebbles {
    fn features(&self) -> usize {
        6
    }
    fn mover(&self, _: &[u8; 6], op: Op) -> usize {
        op.index() / 2
    }
}

/// For each member: the pebbles that it charges, each with the most that it charges for it.
struct Caps(Vec<Vec<(usize, u8)>>);

impl Caps {
    fn bound(&self, member: usize, state: &[u8; 6]) -> Cost {
        self.0[member].iter().map(|&(pebble, cap)| state[pebble].min(cap)).sum()
    }
}

impl Members for Caps {
    /// The number of the member.
    type Lookup = usize;
    fn lookups(&self) -> Vec<Vec<(usize, usize)>> {
        let lookups = |(member, caps): (usize, &Vec<(usize, u8)>)| {
            caps.iter().map(|&(pebble, _)| (pebble, member)).collect()
        };
        self.0.iter().enumerate().map(lookups).collect()
    }
}

impl AdditiveBounds<Pebbles> for Caps {
    type Index = [u8; 6];
    fn root(&self, _: &Pebbles, state: &[u8; 6]) -> ([u8; 6], Vec<Cost>) {
        (*state, (0..self.0.len()).map(|member| self.bound(member, state)).collect())
    }
    fn advance(&self, domain: &Pebbles, from: &[u8; 6], op: Op, _: usize, to: &mut [u8; 6]) {
        domain.apply_into(from, op, to);
    }
    fn read(&self, &member: &usize, index: &[u8; 6], op: Op) -> Cost {
        let mut after = *index;
        Pebbles.apply_into(index, op, &mut after);
        self.bound(member, &after)
    }
}

/// Walks at random, and compares each child with sums that are added one by one.
fn check_sums<const REGISTERS: usize>(members: &[Vec<(usize, u8)>], sums: &[Vec<usize>]) {
    let caps = Caps(members.to_vec());
    let largest = |state: &[u8; 6]| {
        let sum = |sum: &Vec<usize>| sum.iter().map(|&member| caps.bound(member, state)).sum();
        sums.iter().map(sum).max().unwrap_or(0_u8)
    };
    let heuristic =
        MaxOfSums::<_, REGISTERS, 40>::new(&Pebbles, Caps(members.to_vec()), sums).unwrap();
    let (mut random, mut state) = (Random::new(7), [9, 0, 5, 3, 7, 1]);
    let mut carry = heuristic.root(&Pebbles, &state);
    for _ in 0..2000 {
        let ops: Vec<_> = Pebbles.applicable(&state).members().collect();
        let op = ops[random.index(ops.len())];
        let (mut to, mut child, mut made) = (state, carry.clone(), [0; 6]);
        Pebbles.apply_into(&state, op, &mut to);
        let exact = largest(&to);
        for limit in [exact.saturating_sub(1), exact, Cost::MAX] {
            let mut step = Step::new(&Pebbles, &state, op, &mut made);
            match heuristic.within(&mut step, &carry, &mut child, limit) {
                Ok(verdict) => assert_eq!((verdict.h, step.child()), (exact, &mut to)),
                Err(h) => assert!(limit < h && h <= exact),
            }
        }
        (state, carry) = (to, child);
    }
}

#[test]
fn sums_in_one_register_and_in_several_are_those_of_plain_loops() {
    let mut random = Random::new(11);
    // Each of 40 members charges one to three pebbles.
    let mut some = || {
        let mut pebbles: Vec<usize> = (0..6).collect();
        random.shuffle(&mut pebbles);
        pebbles.truncate(1 + random.index(3));
        let cap = |pebble| (pebble, u8::try_from(2 + random.index(8)).unwrap());
        pebbles.into_iter().map(cap).collect()
    };
    let members: Vec<Vec<(usize, u8)>> = (0..40).map(|_| some()).collect();
    let mut sum = || {
        let mut order: Vec<usize> = (0..members.len()).collect();
        random.shuffle(&mut order);
        let mut charged = [false; 6];
        order.retain(|&member| {
            let free = members[member].iter().all(|&(pebble, _)| !charged[pebble]);
            if free {
                members[member].iter().for_each(|&(pebble, _)| charged[pebble] = true);
            }
            free
        });
        order
    };
    let sums: Vec<_> = (0..64).map(|_| sum()).collect();
    check_sums::<1>(&members, &sums[..16]);
    check_sums::<2>(&members, &sums[..20]);
    check_sums::<4>(&members, &sums);
}
