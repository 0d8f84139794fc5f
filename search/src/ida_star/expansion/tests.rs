//! The unrolled and the staged expansion have the same counts as the one-phase expansion with
//! loops.

use crate::domain::{Cost, Domain, Op, OpSet, Reversible};
use crate::heuristic::{Batch, Carries, Claims, Estimate, Evaluation, Heuristic, Verdict};
use crate::pruning::{InversePruning, NoPruning};
use crate::testing::{GapHeuristic, Pancake, UnrolledPancake};
use crate::{Options, Report, ida_star, ida_star_parallel};

const SIDE: i16 = 9;

/// A square of places with walls; the goal is in a corner. Operators: left, right, up, down.
#[derive(Clone, Copy)]
struct Maze<const UNROLL: bool>;

fn is_wall([x, y]: [i16; 2]) -> bool {
    let outside = x < 0 || y < 0 || x >= SIDE || y >= SIDE;
    outside || (x * 7 + y * 3 + x * y) % 5 == 3
}

fn moved([x, y]: [i16; 2], op: Op) -> [i16; 2] {
    match op.0 {
        0 => [x - 1, y],
        1 => [x + 1, y],
        2 => [x, y - 1],
        _ => [x, y + 1],
    }
}

impl<const UNROLL: bool> Domain for Maze<UNROLL> {
    type State = [i16; 2];
    type Ops = u32;
    const UNROLL: bool = UNROLL;
    const UNIT_COSTS: bool = true;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, state: &[i16; 2]) -> u32 {
        let free = (0..4).map(Op).filter(|&op| !is_wall(moved(*state, op)));
        free.fold(0, OpSet::with)
    }
    fn apply_into(&self, from: &[i16; 2], op: Op, to: &mut [i16; 2]) {
        *to = moved(*from, op);
    }
    fn is_goal(&self, state: &[i16; 2]) -> bool {
        *state == [0, 0]
    }
}

impl<const UNROLL: bool> Reversible for Maze<UNROLL> {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

/// A bound: the distance to the goal if there were no walls.
const AXES: Estimate<fn(&[i16; 2]) -> Cost> = Estimate(|[x, y]| Cost::try_from(x + y).unwrap());

fn starts() -> impl Iterator<Item = [i16; 2]> {
    [[8, 8], [3, 7], [7, 2], [5, 5], [1, 0]].into_iter().filter(|&place| !is_wall(place))
}

fn complete(report: &Report) -> Vec<crate::Iteration> {
    report.iterations.iter().filter(|iteration| iteration.complete).copied().collect()
}

#[test]
fn unrolled_searches_count_as_loops_do() {
    let (loops, unrolled) = (Maze::<false>, Maze::<true>);
    let limits = crate::Limits { bound: Some(24), ..Default::default() };
    let options = Options { limits, ..Options::default() };
    let mut solved = 0;
    for start in starts() {
        let plain = ida_star(&loops, &AXES, &InversePruning, &start, &options);
        solved += usize::from(plain.plan().is_some());
        let copied = ida_star(&unrolled, &AXES, &InversePruning, &start, &options);
        assert_eq!(copied.iterations, plain.iterations, "{start:?}");
        assert_eq!(copied.outcome, plain.outcome);
        let parallel = ida_star_parallel(&unrolled, &AXES, &InversePruning, &start, &options);
        assert_eq!(complete(&parallel), complete(&plain), "{start:?}");
    }
    assert!(solved > 1);
}

#[test]
#[should_panic(expected = "UNROLL is for at most 4 operators, not 5")]
fn no_operator_is_left_out_of_an_unrolled_loop() {
    let domain = UnrolledPancake(Pancake::new(6));
    let start = domain.0.state(&[5, 0, 4, 1, 3, 2]);
    let report = ida_star(&domain, &crate::Zero, &NoPruning, &start, &Options::default());
    let plain = ida_star(&domain.0, &crate::Zero, &NoPruning, &start, &Options::default());
    assert_eq!(report.lower_bound, plain.lower_bound, "operators were dropped");
}

/// A heuristic in three stages. The first makes the data, the second may cut children with even
/// numbers, and the third may cut the others.
pub(crate) struct Filtered<const REMOTE: bool>;

impl<const REMOTE: bool> Heuristic<Pancake> for Filtered<REMOTE> {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation { remote: REMOTE, ..Evaluation::staged(4) };
    crate::forward_heuristic! { |_this, domain: Pancake| GapHeuristic, domain; root child }
    fn ask<C>(&self, domain: &Pancake, batch: &mut Batch<'_, C>, stage: usize)
    where
        C: Carries<State = u64, Carry = Cost>,
    {
        if stage == 0 {
            GapHeuristic.ask(domain, batch, stage);
        }
    }
    fn take<C>(&self, _: &Pancake, batch: &mut Batch<'_, C>, stage: usize)
    where
        C: Carries<State = u64, Carry = Cost>,
    {
        for child in batch.left.iter().map(|&child| usize::from(child)) {
            if stage == 1 + child % 2 {
                batch.slack[child].proven = *batch.carries.child(child);
            }
        }
    }
    fn bound(&self, _: &Pancake, _: &u64, carry: &mut Cost, _: Cost) -> Verdict<u32> {
        Verdict::bound(*carry)
    }
}

#[test]
fn filtered_children_are_counted_and_cut_as_read_ones() {
    let domain = Pancake::new(10);
    for seed in 0..6 {
        let order: Vec<usize> = (0..10).map(|place| (place * 7 + seed) % 10).rev().collect();
        let start = domain.state(&order);
        let (options, near) = (Options::default(), Filtered::<false>);
        for pruned in [false, true] {
            let run = |filtered: bool, parallel: bool| match (filtered, pruned, parallel) {
                (false, false, _) => ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options),
                (false, true, _) => {
                    ida_star(&domain, &GapHeuristic, &InversePruning, &start, &options)
                }
                (true, false, false) => ida_star(&domain, &near, &NoPruning, &start, &options),
                (true, true, false) => ida_star(&domain, &near, &InversePruning, &start, &options),
                (true, _, true) => ida_star_parallel(&domain, &near, &NoPruning, &start, &options),
            };
            let plain = run(false, false);
            assert_eq!(run(true, false).iterations, plain.iterations, "{order:?}");
            if !pruned {
                assert_eq!(complete(&run(true, true)), complete(&plain), "{order:?}");
                let remote = Filtered::<true>;
                let remote = ida_star_parallel(&domain, &remote, &NoPruning, &start, &options);
                assert_eq!(complete(&remote), complete(&plain), "{order:?}");
            }
        }
    }
}

/// A ring of 20,000 numbers; operator `i` adds `i + 1`.
struct ManyWays;

const WAYS: usize = 5_000;
const RING: usize = 20_000;

impl Domain for ManyWays {
    type State = usize;
    type Ops = [u64; 79];
    fn operators(&self) -> usize {
        WAYS
    }
    fn applicable(&self, _: &usize) -> [u64; 79] {
        OpSet::first(WAYS)
    }
    fn apply_into(&self, from: &usize, op: Op, to: &mut usize) {
        *to = (from + op.index() + 1) % RING;
    }
    fn is_goal(&self, state: &usize) -> bool {
        *state == 0
    }
}

/// A bound: the least number of steps to the goal. It asks for the staged expansion.
struct Steps;

impl Heuristic<ManyWays> for Steps {
    crate::carry_nothing! { ManyWays }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::STAGED;
    fn bound(&self, _: &ManyWays, state: &usize, (): &mut (), _: Cost) -> Verdict<[u64; 79]> {
        let left = (RING - state) % RING;
        Verdict::bound(Cost::try_from(left.div_ceil(WAYS)).unwrap())
    }
}

/// Sixteen nodes would have 80,000 children, and 16 bits cannot number them. So a thread expands
/// fewer nodes at once.
#[test]
fn thousands_of_operators_are_searched_in_parallel() {
    let options = Options::default();
    let report = ida_star_parallel(&ManyWays, &Steps, &NoPruning, &(RING - 7_000), &options);
    assert_eq!(report.plan().map(|plan| plan.len()), Some(2));
}
