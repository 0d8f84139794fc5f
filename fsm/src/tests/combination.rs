//! Tests behind the rule in the crate's documentation: which prunings lose optimal plans when they
//! are combined with an automaton, and which do not.

use super::toys::Beads;
use super::{automaton, distances, learned};
use crate::{Automaton, AutomatonState, ForbiddenStrings, Keep};
use search::random::Random;
use search::testing::Pancake;
use search::{
    Cost, Domain, Group, NoPruning, Op, OpSet, Options, Packed, Pruning, Reversible, TwoSided,
    TwoSidedPruning, Zero, ida_star,
};
use std::collections::BTreeMap;

const SIZE: usize = 5;
const DEPTH: usize = 4;

/// Allows the strings that both automata allow.
struct Intersection<'a>(&'a Automaton<u32>, &'a Automaton<u32>);

impl Pruning<Pancake> for Intersection<'_> {
    type State = (AutomatonState, AutomatonState);
    fn start(&self, _: &Pancake, _: &u64) -> Self::State {
        (self.0.start_state(), self.1.start_state())
    }
    fn allowed(&self, _: &Pancake, (a, b): Self::State) -> u32 {
        self.0.live(a) & self.1.live(b)
    }
    fn next(&self, domain: &Pancake, (a, b): Self::State, op: Op) -> Self::State {
        (self.0.next(domain, a, op), self.1.next(domain, b, op))
    }
}

/// The forbidden strings that the learner finds if it tries operators in the opposite order.
/// Strings name the operators by their usual numbers.
fn learned_in_opposite_order() -> ForbiddenStrings {
    struct Opposite(Pancake);
    impl Opposite {
        fn op(&self, op: Op) -> Op {
            Op::new(self.0.operators() - 1 - op.index())
        }
    }
    impl Domain for Opposite {
        type State = u64;
        type Ops = u32;
        search::forward_domain! { 0: operators applicable is_goal }
        fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
            self.0.apply_into(from, self.op(op), to);
        }
    }
    impl search::Contexts for Opposite {
        search::forward_domain! { 0: contexts context representative }
    }
    impl Packed for Opposite {
        type Key = u64;
        search::state_is_key! {}
    }
    let domain = Opposite(Pancake::new(SIZE));
    let learned = learned(&domain, DEPTH, Keep::OneOptimal);
    let strings: Vec<Vec<Op>> =
        learned.strings().map(|string| string.iter().map(|&op| domain.op(op)).collect()).collect();
    let strings = strings.iter().map(Vec::as_slice);
    ForbiddenStrings::from_strings(learned.costs(), DEPTH, Keep::OneOptimal, strings).unwrap()
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
    // An automaton that keeps every optimal plan also keeps the one that the other relies on.
    let all = automaton(&domain, DEPTH, Keep::AllOptimal);
    assert_eq!(distances(&domain, &Intersection(&all, &theirs), &from, u32::MAX), right);
}

/// Beads moved by two to four random permutations and their inverses, in random order.
fn random_group(random: &mut Random) -> Beads {
    let mut draw = |n: usize| random.index(n);
    let mut turns = Beads(vec![]);
    let points = 4 + draw(2);
    for _ in 0..2 + draw(3) {
        let mut turn = turns.identity();
        (1..points).for_each(|place| turn.swap(place, draw(place + 1)));
        let mut inverse = turn;
        turns.invert(&turn, &mut inverse);
        for turn in [turn, inverse] {
            if turn != turns.identity() && !turns.0.contains(&turn) {
                turns.0.insert(draw(turns.0.len() + 1), turn);
            }
        }
    }
    turns
}

/// The number of elements for which a two-sided search misses the optimal length.
fn two_sided_losses(domain: &Beads, front: &Automaton<u32>, back: &Automaton<u32>) -> usize {
    let domain = TwoSided(Beads(domain.0.clone()));
    let pruning = TwoSidedPruning { front, back };
    let right = distances(&domain.0, &NoPruning, &domain.0.identity(), u32::MAX);
    let mut state = domain.0.identity();
    let missed = right.into_iter().filter(|&(key, cost)| {
        domain.0.unpack(key, &mut state);
        let mut options = Options::default();
        options.limits.bound = Some(Cost::try_from(cost).unwrap());
        let report = ida_star(&domain, &Zero, &pruning, &domain.state(&state), &options);
        report.plan().is_none_or(|plan| plan.len() != cost as usize)
    });
    missed.count()
}

/// The ends of a two-sided search share no string. So the back end may have the reversed automaton,
/// and also the same automaton as the front end.
#[test]
fn two_ends_keep_optima() {
    let mut random = Random::new(5);
    let mut tried = 0;
    while tried < 40 {
        let domain = random_group(&mut random);
        if domain.operators() == 0 {
            continue;
        }
        tried += 1;
        let learned = learned(&domain, 2 + tried % 4, Keep::OneOptimal);
        let front = Automaton::new(&learned).unwrap();
        let reversed = Automaton::reversed(&learned, |op| domain.inverse_op(op)).unwrap();
        assert_eq!(two_sided_losses(&domain, &front, &reversed), 0, "{:?}", domain.0);
        assert_eq!(two_sided_losses(&domain, &front, &front), 0, "{:?}", domain.0);
    }
}

/// Distances of all states by a breadth-first search that expands each state once, by the string
/// that came first. `first_come` orders the operators of a state.
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

#[test]
fn a_closed_list_in_another_order_loses_optima() {
    // Found by trying random groups: 24 elements, four turns.
    let turns = [[1, 3, 2, 0, 4, 5], [3, 0, 2, 1, 4, 5], [3, 0, 1, 2, 4, 5], [1, 2, 3, 0, 4, 5]];
    let domain = Beads(turns.to_vec());
    let right = distances(&domain, &NoPruning, &domain.identity(), u32::MAX);
    let one = automaton(&domain, 3, Keep::OneOptimal);
    assert_eq!(distances(&domain, &one, &domain.identity(), u32::MAX), right);
    // If operators are tried in their order, the first string to reach a state is the smallest one,
    // which the automaton keeps, too.
    assert!(with_closed_list(&domain, &one, |_| ()) == right);
    let other_order = with_closed_list(&domain, &one, |ops| ops.reverse());
    let lost = right.iter().filter(|&(state, cost)| other_order.get(state) != Some(cost)).count();
    assert_eq!(lost, 1);
    // Only inverses commute here. So a cheaper string covers every forbidden string, and no optimal
    // plan contains one.
    let all = automaton(&domain, 3, Keep::AllOptimal);
    assert!(with_closed_list(&domain, &all, |ops| ops.reverse()) == right);
}
