//! Two toy domains, and exhaustive distances.

use search::{Cost, Domain, Op, OpSet, Packed, Reversible};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The image of pebbles on `places`: all others become number 14.
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

/// A line of places. Operator 0 steps away from place 0, the goal, and operator 1 towards it, both
/// at the same cost. With `pit`, operator 2 falls into a place from which nothing leads out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) places: u32,
    pub(super) cost: Cost,
    pub(super) pit: bool,
}

impl Domain for Line {
    type State = u32;
    type Ops = u8;
    fn operators(&self) -> usize {
        2 + usize::from(self.pit)
    }
    fn applicable(&self, &place: &u32) -> u8 {
        let within = place < self.places;
        let away = u8::from(place + 1 < self.places);
        away | u8::from(within && place > 0) << 1 | u8::from(within && self.pit) << 2
    }
    fn apply_into(&self, &from: &u32, op: Op, to: &mut u32) {
        *to = [from + 1, from.wrapping_sub(1), self.places][op.index()];
    }
    fn is_goal(&self, &place: &u32) -> bool {
        place == 0
    }
    fn cost(&self, _: Op) -> Cost {
        self.cost
    }
}

/// Only without a pit.
impl Reversible for Line {
    fn inverse_op(&self, op: Op) -> Op {
        Op(1 - op.0)
    }
}

impl Packed for Line {
    type Key = u32;
    fn pack(&self, &place: &u32) -> u32 {
        place
    }
    fn unpack(&self, key: u32, out: &mut u32) {
        *out = key;
    }
    fn is_key(&self, key: u32) -> bool {
        key < self.places + u32::from(self.pit)
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
