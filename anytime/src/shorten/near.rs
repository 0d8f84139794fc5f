//! Cheaper plans among the states near a plan, or near several: [`near_plan`], [`plan_among`].

use crate::hash::hash_of;
use rustc_hash::{FxHashMap, FxHashSet};
use search::{Domain, Op, OpSet, Plan};
use std::hash::Hash;

/// The operators of a part of a plan that is improved at once, and by how far the next part begins
/// behind it.
const PART: usize = 40;

/// The most states around a part of a plan.
const MOST_STATES: usize = 500_000;

/// The number of states between two questions whether to stop.
const LOOK: usize = 256;

/// The least states around a part of a plan.
const LEAST_STATES: usize = 2_000;

/// Makes a plan cheaper by way of the states near it, until nothing gets cheaper. Returns the plan
/// as it is by then, and the nodes that were generated. It never costs more.
///
/// For each part of 40 operators, the states near the states of the part are collected, layer by
/// layer, and the cheapest way through them replaces the part: the neighbourhood graph of Nakhost
/// and Müller, "Action Elimination and Plan Neighborhood Graph Search" (2010). About `nodes` nodes
/// are generated in all. Of these, at most `states` are held at once. `stop` is asked every few
/// hundred states.
///
/// `plan` must solve `start`. Two states of one hash count as one, so replay the result.
pub fn near_plan<D: Domain<State: Hash>>(
    domain: &D,
    start: &D::State,
    plan: &[Op],
    (nodes, states): (u64, usize),
    stop: &dyn Fn() -> bool,
) -> (Plan, u64) {
    let (mut best, mut spent): (Plan, u64) = (plan.iter().copied().collect(), 0);
    loop {
        let parts = best.len().div_ceil(PART / 2).max(1) as u64;
        // A node is generated when it is collected, and again on the way through.
        let share = nodes.saturating_sub(spent) / parts / 2 / domain.operators().max(1) as u64;
        let most = usize::try_from(share).unwrap_or(MOST_STATES).min(MOST_STATES).min(states);
        if most < LEAST_STATES && spent > 0 {
            return (best, spent);
        }
        let most = most.max(LEAST_STATES.min(states));
        let (mut from, mut at, mut gained) = (start.clone(), 0, false);
        while at < best.len() && spent < nodes && !stop() {
            let end = (at + PART).min(best.len());
            let part: Plan = best[at..end].iter().copied().collect();
            let is_last = end == best.len();
            let (cheaper, made) = part_between(domain, &from, &part, (most, is_last), stop);
            spent += made;
            if let Some(cheaper) = cheaper {
                gained = true;
                best = best[..at].iter().chain(&cheaper).chain(&best[end..]).copied().collect();
                continue;
            }
            let step = if is_last { best.len() - at } else { PART / 2 };
            for &op in &best[at..at + step] {
                let before = from.clone();
                domain.apply_into(&before, op, &mut from);
            }
            at += step;
        }
        if !gained || spent >= nodes || stop() {
            return (best, spent);
        }
    }
}

/// A cheaper way from a state to the end of a part of a plan, if there is one among the states near
/// the part. Also the nodes that were generated. If the part is the last, every goal is an end.
fn part_between<D: Domain<State: Hash>>(
    domain: &D,
    start: &D::State,
    part: &[Op],
    (most, is_last): (usize, bool),
    stop: &dyn Fn() -> bool,
) -> (Option<Vec<Op>>, u64) {
    let mut states = vec![start.clone()];
    for &op in part {
        let mut next = states[states.len() - 1].clone();
        domain.apply_into(&states[states.len() - 1], op, &mut next);
        states.push(next);
    }
    let end = states[states.len() - 1].clone();
    let (near, generated) = near_states(domain, states, most, stop);
    let cost: usize = part.iter().map(|&op| usize::from(domain.cost(op))).sum();
    let is_end = |state: &D::State| *state == end || is_last && domain.is_goal(state);
    let (cheaper, made) = way_through(domain, start, (&near, cost), &is_end, stop);
    (cheaper, generated + made)
}

/// A plan that costs less than all of several plans of one state, and the nodes that were
/// generated. `None` if there is none among the states near these plans.
///
/// The states of all plans and those near them, layer by layer, are one graph, in which a way may
/// change from one plan to another. The cheapest way to a goal is the plan. About `nodes` nodes are
/// generated, and at most `states` states are held at once. Put the cheapest plans last: if there
/// are too many states, those of the first are left out. `stop` is asked every few hundred states.
///
/// Every plan must solve `start`. Two states of one hash count as one, so replay the result.
pub fn plan_among<D: Domain<State: Hash>>(
    domain: &D,
    start: &D::State,
    plans: &[impl AsRef<[Op]>],
    (nodes, states): (u64, usize),
    stop: &dyn Fn() -> bool,
) -> (Option<Plan>, u64) {
    // A node is generated when it is collected, and again on the way through.
    let share = nodes / 2 / domain.operators().max(1) as u64;
    let most = usize::try_from(share).unwrap_or(usize::MAX).min(states);
    let (mut known, mut states) = (FxHashSet::default(), Vec::new());
    for plan in plans.iter().rev() {
        let mut state = start.clone();
        for (number, &op) in plan.as_ref().iter().enumerate() {
            if states.len() >= most || number % LOOK == LOOK - 1 && stop() {
                break;
            }
            let before = state.clone();
            domain.apply_into(&before, op, &mut state);
            if known.insert(hash_of(&state)) {
                states.push(state.clone());
            }
        }
    }
    let (near, generated) = near_states(domain, states, most, stop);
    let cost = |plan: &[Op]| plan.iter().map(|&op| usize::from(domain.cost(op))).sum();
    let cost = plans.iter().map(|plan| cost(plan.as_ref())).min().unwrap_or(0);
    let is_goal = |state: &D::State| domain.is_goal(state);
    let (cheaper, made) = way_through(domain, start, (&near, cost), &is_goal, stop);
    (cheaper.map(Plan::from_vec), generated + made)
}

/// The hashes of these states and of about `most` states near them, layer by layer, and the nodes
/// that were generated.
fn near_states<D: Domain<State: Hash>>(
    domain: &D,
    states: Vec<D::State>,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> (FxHashSet<u64>, u64) {
    let mut near: FxHashSet<u64> = states.iter().map(hash_of).collect();
    let mut generated = 0;
    let mut layer = states;
    while near.len() < most && !layer.is_empty() && !stop() {
        let mut next = Vec::new();
        'layer: for (number, from) in layer.iter().enumerate() {
            if number % LOOK == LOOK - 1 && stop() {
                break;
            }
            let mut to = from.clone();
            for op in domain.restrict(domain.applicable(from)).members() {
                domain.apply_into(from, op, &mut to);
                generated += 1;
                if near.insert(hash_of(&to)) {
                    next.push(to.clone());
                }
                if near.len() >= most {
                    break 'layer;
                }
            }
        }
        layer = next;
    }
    (near, generated)
}

/// The cheapest way from a state to an end through states with these hashes, if it costs less than
/// `cost`, and the nodes that were generated.
fn way_through<D: Domain<State: Hash>>(
    domain: &D,
    start: &D::State,
    (near, cost): (&FxHashSet<u64>, usize),
    is_end: &dyn Fn(&D::State) -> bool,
    stop: &dyn Fn() -> bool,
) -> (Option<Vec<Op>>, u64) {
    let mut generated = 0;
    // For each state: the least cost so far. For each node: its parent and the operator.
    let mut least = FxHashMap::from_iter([(hash_of(start), 0)]);
    let mut nodes: Vec<(u32, Op)> = vec![(0, Op(0))];
    let mut queue: Vec<Vec<(D::State, u32)>> = vec![Vec::new(); cost];
    if let Some(first) = queue.first_mut() {
        first.push((start.clone(), 0));
    }
    for so_far in 0..cost {
        if stop() {
            break;
        }
        for (number, (from, node)) in std::mem::take(&mut queue[so_far]).into_iter().enumerate() {
            if number % LOOK == LOOK - 1 && stop() {
                return (None, generated);
            }
            if least[&hash_of(&from)] < so_far {
                continue;
            }
            if is_end(&from) {
                let mut way = Vec::new();
                let mut at = node;
                while at != 0 {
                    let (parent, op) = nodes[at as usize];
                    way.push(op);
                    at = parent;
                }
                way.reverse();
                return (Some(way), generated);
            }
            let mut to = from.clone();
            for op in domain.restrict(domain.applicable(&from)).members() {
                let total = so_far + usize::from(domain.cost(op));
                if total >= cost {
                    continue;
                }
                domain.apply_into(&from, op, &mut to);
                generated += 1;
                let own = hash_of(&to);
                if near.contains(&own) && least.get(&own).is_none_or(|&known| total < known) {
                    least.insert(own, total);
                    let number = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
                    nodes.push((node, op));
                    queue[total].push((to.clone(), number));
                }
            }
        }
    }
    (None, generated)
}
