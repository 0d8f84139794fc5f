//! Where one automaton and another cut lose the optimum, and where not: the tests behind the rule in the crate's documentation.

use super::toys::Beads;
use super::{automaton, distances, learned};
use crate::{Automaton, AutomatonState, Keep, Learned};
use search::testing::Pancake;
use search::{
    Cost, Domain, Ends, Group, NoPruning, Op, OpSet, Options, Packed, Pruning, Reversible,
    TwoSided, Zero, ida_star,
};
use std::collections::BTreeMap;

const SIZE: usize = 6;
const DEPTH: usize = 7;

/// Lets through what both let through.
struct Intersection<'a>(&'a Automaton<u32>, &'a Automaton<u32>);

impl Pruning<Pancake> for Intersection<'_> {
    type State = (AutomatonState, AutomatonState);
    fn start(&self, _: &Pancake, _: &u64) -> Self::State {
        (self.0.start_state(), self.1.start_state())
    }
    fn next(&self, (a, b): Self::State, op: Op, _: Cost) -> Option<Self::State> {
        self.0.step(a, op).zip(self.1.step(b, op))
    }
}

/// What the learner finds when it takes up the operators in the opposite order.
fn learned_in_opposite_order() -> Learned {
    struct Opposite(Pancake);
    impl Opposite {
        fn op(&self, op: Op) -> Op {
            Op::new(self.0.operators() - 1 - op.index())
        }
    }
    impl Domain for Opposite {
        type State = u64;
        type Ops = u32;
        fn operators(&self) -> usize {
            self.0.operators()
        }
        fn applicable(&self, state: &u64) -> u32 {
            self.0.applicable(state)
        }
        fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
            self.0.apply_into(from, self.op(op), to);
        }
        fn is_goal(&self, state: &u64) -> bool {
            self.0.is_goal(state)
        }
    }
    impl search::Contexts for Opposite {
        fn contexts(&self) -> usize {
            1
        }
        fn context(&self, _: &u64) -> usize {
            0
        }
        fn representative(&self, _: usize) -> u64 {
            self.0.identity()
        }
    }
    impl Packed for Opposite {
        type Key = u64;
        fn pack(&self, state: &u64) -> u64 {
            *state
        }
        fn unpack(&self, key: u64, out: &mut u64) {
            *out = key;
        }
    }
    let domain = Opposite(Pancake::new(SIZE));
    let learned = learned(&domain, DEPTH, Keep::OneOptimal);
    let strings: Vec<Vec<Op>> = learned
        .forbidden()
        .map(|string| string.iter().map(|&op| domain.op(op)).collect())
        .collect();
    let strings = strings.iter().map(Vec::as_slice);
    Learned::from_strings(learned.costs(), DEPTH, Keep::OneOptimal, strings).unwrap()
}

#[test]
fn two_orders_of_strings_together_lose_optima() {
    let domain = Pancake::new(SIZE);
    let ours = automaton(&domain, DEPTH, Keep::OneOptimal);
    let theirs: Automaton<u32> = Automaton::new(&learned_in_opposite_order()).unwrap();
    let from = domain.identity();
    let right = distances(&domain, &NoPruning, &from, u32::MAX);
    assert_eq!(distances(&domain, &ours, &from, u32::MAX), right);
    assert_eq!(distances(&domain, &theirs, &from, u32::MAX), right);
    let both = distances(&domain, &Intersection(&ours, &theirs), &from, u32::MAX);
    let lost = right.iter().filter(|&(state, cost)| both.get(state) != Some(cost)).count();
    assert!(lost > 0, "each relies on a plan that the other cuts");
    // Where every optimal plan survives, the other cut finds all it relies on.
    let all = automaton(&domain, DEPTH, Keep::AllOptimal);
    assert_eq!(distances(&domain, &Intersection(&all, &theirs), &from, u32::MAX), right);
}

/// For how many elements a two-sided search from the goal misses the optimal length.
fn two_sided_losses<D, B>(domain: D, front: &Automaton<D::Ops>, back: B) -> usize
where
    D: Group + Packed,
    B: Pruning<D>,
{
    let domain = TwoSided(domain);
    let pruning = Ends { front, back };
    let right = distances(&domain.0, &NoPruning, &domain.0.identity(), u32::MAX);
    let mut state = domain.0.identity();
    let found = right.into_iter().filter(|&(key, cost)| {
        domain.0.unpack(key, &mut state);
        let mut options = Options::default();
        options.limits.bound = Some(Cost::try_from(cost).unwrap());
        let report = ida_star(&domain, &Zero, &pruning, &domain.state(&state), &options);
        report.plan().is_none_or(|plan| plan.len() != cost as usize)
    });
    found.count()
}

#[test]
fn explore() {
    for size in 4..7 {
        for depth in 3..8 {
            let domain = Pancake::new(size);
            let learned = learned(&domain, depth, Keep::OneOptimal);
            let front: Automaton<u32> = Automaton::new(&learned).unwrap();
            let back = Automaton::reversed(&learned, |op| domain.inverse_op(op)).unwrap();
            let right = distances(&domain, &NoPruning, &domain.identity(), u32::MAX);
            let closed = with_closed_list(&domain, &front, |ops| ops.reverse());
            let lost = right.iter().filter(|&(state, cost)| closed.get(state) != Some(cost)).count();
            eprintln!("EXP pancake {size} {depth}: same {} reversed {} closed {}", two_sided_losses(domain, &front, &front), two_sided_losses(domain, &front, &back), lost);
        }
    }
    for size in 3..6 {
        for depth in 2..9 {
            let domain = Beads(size);
            let learned = learned(&domain, depth, Keep::OneOptimal);
            let front: Automaton<u32> = Automaton::new(&learned).unwrap();
            let back = Automaton::reversed(&learned, |op| domain.inverse_op(op)).unwrap();
            let right = distances(&domain, &NoPruning, &domain.identity(), u32::MAX);
            let closed = with_closed_list(&domain, &front, |ops| ops.reverse());
            let lost = right.iter().filter(|&(state, cost)| closed.get(&state) != Some(cost)).count();
            eprintln!("EXP beads {size} {depth}: same {} reversed {} closed {}", two_sided_losses(Beads(size), &front, &front), two_sided_losses(Beads(size), &front, &back), lost);
        }
    }
}

/// Breadth-first search that never takes up a state twice: distances by state. `first_come` puts a state's operators in order.
fn with_closed_list<D: Group + Packed>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    first_come: impl Fn(&mut Vec<Op>),
) -> BTreeMap<D::Key, u32> {
    let start = domain.identity();
    let mut distances = BTreeMap::from([(domain.pack(&start), 0)]);
    let mut layer = vec![(start, automaton.start_state())];
    for depth in 1.. {
        let mut next = Vec::new();
        for (state, at) in layer {
            let mut ops: Vec<Op> = automaton.live(at).members().collect();
            first_come(&mut ops);
            for op in ops {
                let (mut to, at) = (state.clone(), automaton.step(at, op).unwrap());
                domain.apply_into(&state, op, &mut to);
                distances.entry(domain.pack(&to)).or_insert_with(|| {
                    next.push((to, at));
                    depth
                });
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

