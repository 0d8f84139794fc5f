//! Two toy domains, and exhaustive distances.

use search::{Domain, Op, OpSet};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The image of pebbles on `places`: those that are not kept become number 14.
pub(super) fn keep(
    places: usize,
    kept: std::ops::Range<u64>,
) -> impl Fn(&u64) -> u64 + Clone + Sync {
    move |&state| {
        (0..places).fold(state, |image, place| match state >> (4 * place) & 15 {
            15 => image,
            pebble if kept.contains(&pebble) => image,
            pebble => image ^ (pebble ^ 14) << (4 * place),
        })
    }
}

/// Two counters. Operator `i` takes 1 from counter `i`, which must not be 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters;

impl Domain for Counters {
    type State = [u8; 2];
    type Ops = u8;
    fn operators(&self) -> usize {
        2
    }
    fn applicable(&self, state: &[u8; 2]) -> u8 {
        u8::from(state[0] > 0) | u8::from(state[1] > 0) << 1
    }
    fn apply_into(&self, from: &[u8; 2], op: Op, to: &mut [u8; 2]) {
        *to = *from;
        to[op.index()] -= 1;
    }
    fn is_goal(&self, state: &[u8; 2]) -> bool {
        *state == [0, 0]
    }
}

/// All nodes that `successors` reaches from `start`.
pub(super) fn reached<S: Copy + Eq + Hash>(
    start: S,
    successors: impl Fn(S, &mut dyn FnMut(S)),
) -> HashSet<S> {
    let (mut known, mut open) = (HashSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        successors(state, &mut |to| {
            if known.insert(to) {
                open.push(to);
            }
        });
    }
    known
}

/// Calls `visit` with every operator of a state, and the successor.
pub(super) fn each_step<D: Domain<State: Copy>>(
    domain: &D,
    state: D::State,
    mut visit: impl FnMut(Op, D::State),
) {
    for op in domain.applicable(&state).members() {
        let mut to = state;
        domain.apply_into(&state, op, &mut to);
        visit(op, to);
    }
}

/// For each image: the least sum of charges from any of its states to a goal. Relaxes all states
/// until nothing changes (Bellman and Ford).
pub(super) fn least_charges<D: Domain<State: Copy + Eq + Hash>>(
    domain: &D,
    start: D::State,
    image: impl Fn(&D::State) -> D::State,
    charge: impl Fn(&D::State, Op) -> u32,
) -> HashMap<D::State, u32> {
    let states = reached(start, |state, found| each_step(domain, state, |_, to| found(to)));
    let mut costs: HashMap<D::State, u32> =
        states.iter().filter(|state| domain.is_goal(state)).map(|&goal| (goal, 0)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &state in &states {
            each_step(domain, state, |op, to| {
                let Some(rest) = costs.get(&to) else { return };
                let cost = rest + charge(&state, op);
                if costs.get(&state).is_none_or(|&known| cost < known) {
                    costs.insert(state, cost);
                    changed = true;
                }
            });
        }
    }
    let mut least = HashMap::new();
    for (state, cost) in costs {
        let known = least.entry(image(&state)).or_insert(cost);
        *known = cost.min(*known);
    }
    least
}
