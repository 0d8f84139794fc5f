//! Tests of the whole way from a domain to its automaton, on toy domains.

mod combination;
mod figures;
mod laws;
mod toys;

use crate::{Automaton, ForbiddenStrings, Keep, learn};
use search::{Contexts, Domain, Op, OpSet, Packed, Pruning};
use std::collections::{BTreeMap, HashMap};

fn learned<D: Contexts + Packed>(domain: &D, depth: usize, keep: Keep) -> ForbiddenStrings {
    learn(domain, depth, keep)
}

fn automaton<D: Contexts + Packed>(domain: &D, depth: usize, keep: Keep) -> Automaton<D::Ops> {
    Automaton::new(&learned(domain, depth, keep)).unwrap()
}

fn successor<D: Domain>(domain: &D, from: &D::State, op: Op) -> Option<D::State> {
    let mut to = from.clone();
    domain.applicable(from).contains(op).then(|| {
        domain.apply_into(from, op, &mut to);
        to
    })
}

/// The oracle: the least cost at which strings that the pruning allows reach each state, if at most
/// `limit`. A uniform-cost search over pairs of state and pruning state. Pairs are compared as
/// text, so any pruning will do.
fn distances<D: Packed, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    start: &D::State,
    limit: u32,
) -> BTreeMap<D::Key, u32> {
    let mut distances = BTreeMap::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut open = BTreeMap::from([(0, vec![(start.clone(), pruning.start(domain, start))])]);
    while let Some((cost, nodes)) = open.pop_first() {
        for (state, at) in nodes {
            let key = domain.pack(&state);
            if *seen.entry(format!("{key:?} {at:?}")).or_insert(cost) < cost {
                continue;
            }
            distances.entry(key).or_insert(cost);
            let allowed = domain.applicable(&state).and(pruning.allowed(domain, at));
            for op in allowed.members() {
                let spent = cost + u32::from(domain.cost(op));
                if spent <= limit
                    && let Some(to) = successor(domain, &state, op)
                {
                    let next = pruning.next(domain, at, op);
                    let pair = format!("{:?} {next:?}", domain.pack(&to));
                    if seen.get(&pair).is_none_or(|&before| before > spent) {
                        seen.insert(pair, spent);
                        open.entry(spent).or_default().push((to, next));
                    }
                }
            }
        }
    }
    distances
}

/// All optimal plans between two states, in lexicographic order. For unit costs only.
fn optimal_plans<D: Packed>(domain: &D, from: &D::State, to: &D::State) -> Vec<Vec<Op>> {
    let distances = distances(domain, &search::NoPruning, from, u32::MAX);
    let goal = domain.pack(to);
    let mut strings = vec![(Vec::new(), from.clone())];
    for length in 0..distances[&goal] {
        strings = strings
            .into_iter()
            .flat_map(|(string, state)| {
                let step = |op| successor(domain, &state, op).map(|to| (op, to));
                let ops = (0..domain.operators()).map(Op::new);
                ops.filter_map(step)
                    .filter(|(_, to)| distances[&domain.pack(to)] == length + 1)
                    .map(|(op, to)| ([&string[..], &[op]].concat(), to))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    strings.retain(|(_, state)| domain.pack(state) == goal);
    strings.into_iter().map(|(string, _)| string).collect()
}
