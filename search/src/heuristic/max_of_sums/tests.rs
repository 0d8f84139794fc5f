//! Sums whose members have values as large as costs can be.

use super::*;
use crate::control::Options;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Heuristic, Step};
use crate::ida_star::ida_star;
use crate::pruning::NoPruning;
use crate::random::Random;

/// Pebbles, each on a line of places from 0 to `LAST`. Place 0 is the goal of all. An operator
/// moves one pebble by one place.
struct Pebbles<const COUNT: usize, const LAST: u8>;

/// Two pebbles on lines as long as costs can be.
const LONG: Pebbles<2, 255> = Pebbles;
/// Six pebbles on short lines.
const SHORT: Pebbles<6, 9> = Pebbles;

impl<const COUNT: usize, const LAST: u8> Domain for Pebbles<COUNT, LAST> {
    type State = [u8; COUNT];
    type Ops = u32;
    fn operators(&self) -> usize {
        2 * COUNT
    }
    fn applicable(&self, state: &[u8; COUNT]) -> u32 {
        let end = |op: usize| if op.is_multiple_of(2) { 0 } else { LAST };
        let ops = (0..2 * COUNT).filter(|&op| state[op / 2] != end(op));
        ops.fold(0, |set, op| set.with(Op::new(op)))
    }
    fn apply_into(&self, from: &[u8; COUNT], op: Op, to: &mut [u8; COUNT]) {
        *to = *from;
        let place = &mut to[op.index() / 2];
        *place = if op.index() & 1 == 0 { *place - 1 } else { *place + 1 };
    }
    fn is_goal(&self, state: &[u8; COUNT]) -> bool {
        *state == [0; COUNT]
    }
}

impl<const COUNT: usize, const LAST: u8> Partitioned for Pebbles<COUNT, LAST> {
    fn features(&self) -> usize {
        COUNT
    }
    fn mover(&self, _: &[u8; COUNT], op: Op) -> usize {
        op.index() / 2
    }
}

/// The bounds: member `i` is the place of pebble `i`.
struct Places;

impl Members<Pebbles<2, 255>> for Places {
    /// The number of the pebble.
    type Lookup = usize;
    type Index = [u8; 2];
    fn lookups(&self) -> Vec<Vec<(usize, usize)>> {
        vec![vec![(0, 0)], vec![(1, 1)]]
    }
    fn root(&self, _: &Pebbles<2, 255>, state: &[u8; 2]) -> ([u8; 2], impl Fn(usize) -> Cost) {
        let index = *state;
        (index, move |member| index[member])
    }
    fn advance(&self, _: &Pebbles<2, 255>, from: &[u8; 2], op: Op, _: usize, to: &mut [u8; 2]) {
        LONG.apply_into(from, op, to);
    }
    fn read(&self, &pebble: &usize, index: &[u8; 2], op: Op) -> Cost {
        let mut after = *index;
        LONG.apply_into(index, op, &mut after);
        after[pebble]
    }
}

#[test]
fn large_values_lose_no_plan() {
    // The first sum is the first pebble alone. It does not charge the second one.
    let sums = [vec![0], vec![0, 1]];
    let heuristic = MaxOfSums::<_, _, 1, 8>::new(&LONG, Places, &sums).unwrap();
    for start in [[1, 0], [3, 130], [127, 1], [200, 0], [120, 7], [0, 250]] {
        let cost = start[0] + start[1];
        assert_eq!(heuristic.estimate(&LONG, &start), cost);
        let report = ida_star(&LONG, &heuristic, &NoPruning, &start, &Options::default());
        assert_eq!(report.plan().map(|plan| plan.len()), Some(cost.into()), "{start:?}");
    }
}

/// A sum that does not charge the moved feature also cuts a child, if it exceeds the remaining
/// cost.
#[test]
fn a_sum_without_the_feature_that_moved_cuts() {
    let heuristic = MaxOfSums::<_, _, 1, 8>::new(&LONG, Places, &[vec![0]]).unwrap();
    let from = [5, 0];
    let carry = heuristic.root(&LONG, &from);
    let mut child = carry.clone();
    let mut place = from;
    let mut within = |limit| {
        let mut step = Step::new(&LONG, &from, Op(3), &mut place);
        heuristic.within(&mut step, &carry, &mut child, limit)
    };
    assert_eq!(within(4).unwrap_err(), 5);
    assert_eq!(within(5).unwrap().h, 5);
}

/// For each member: the pebbles that it charges, each with the most that it charges for it.
struct Caps(Vec<Vec<(usize, u8)>>);

impl Caps {
    fn bound(&self, member: usize, state: &[u8; 6]) -> Cost {
        self.0[member].iter().map(|&(pebble, cap)| state[pebble].min(cap)).sum()
    }
}

impl Members<Pebbles<6, 9>> for Caps {
    /// The number of the member.
    type Lookup = usize;
    type Index = [u8; 6];
    fn lookups(&self) -> Vec<Vec<(usize, usize)>> {
        let lookups = |(member, caps): (usize, &Vec<(usize, u8)>)| {
            caps.iter().map(|&(pebble, _)| (pebble, member)).collect()
        };
        self.0.iter().enumerate().map(lookups).collect()
    }
    fn root(&self, _: &Pebbles<6, 9>, state: &[u8; 6]) -> ([u8; 6], impl Fn(usize) -> Cost) {
        let index = *state;
        (index, move |member| self.bound(member, &index))
    }
    fn advance(&self, _: &Pebbles<6, 9>, from: &[u8; 6], op: Op, _: usize, to: &mut [u8; 6]) {
        SHORT.apply_into(from, op, to);
    }
    fn read(&self, &member: &usize, index: &[u8; 6], op: Op) -> Cost {
        let mut after = *index;
        SHORT.apply_into(index, op, &mut after);
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
        MaxOfSums::<_, _, REGISTERS, 40>::new(&SHORT, Caps(members.to_vec()), sums).unwrap();
    let (mut random, mut state) = (Random::new(7), [9, 0, 5, 3, 7, 1]);
    let mut carry = heuristic.root(&SHORT, &state);
    for _ in 0..2000 {
        let ops: Vec<_> = SHORT.applicable(&state).members().collect();
        let op = ops[random.index(ops.len())];
        let (mut to, mut child, mut made) = (state, carry.clone(), [0; 6]);
        SHORT.apply_into(&state, op, &mut to);
        let exact = largest(&to);
        for limit in [exact.saturating_sub(1), exact, Cost::MAX] {
            let mut step = Step::new(&SHORT, &state, op, &mut made);
            let within = heuristic.within(&mut step, &carry, &mut child, limit);
            match within {
                Ok(verdict) => assert_eq!((verdict.h, step.child()), (exact, &mut to)),
                Err(h) => assert!(limit < h && h <= exact),
            }
            // The same values, read by the caller.
            let mut apart = heuristic.unread_child(&SHORT, &state, &carry, op);
            let read = |index: &[u8; 6], member| Some(caps.bound(member, index));
            let h = heuristic.bound_from(&mut apart, limit, true, read).unwrap();
            assert_eq!(within.map_or_else(|h| h, |verdict| verdict.h), h);
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
