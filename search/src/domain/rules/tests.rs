//! Compares searches under rules with an oracle that searches over states, last operators and
//! counts of uses.

use super::*;
use crate::testing::{Distances, Pebbles};
use crate::testing::{
    GapHeuristic, Pancake, check_domain, check_heuristic, check_packed, check_parity,
};
use crate::{
    Cost, Heuristic, NoPruning, Options, Outcome, TwoSided, Zero, ida_star, ida_star_parallel,
};
use std::collections::BTreeSet;

fn rules(forbidden: &[[u16; 2]], limits: &[(&[u16], u32)]) -> OperatorRules {
    let ops = |list: &[u16]| list.iter().copied().map(Op).collect();
    OperatorRules {
        forbidden: forbidden.iter().map(|pair| pair.map(Op)).collect(),
        limits: limits.iter().map(|&(of, most)| (ops(of), most)).collect(),
    }
}

/// Whether a string keeps rules, checked by their definition.
fn keeps(rules: &OperatorRules, string: &[Op]) -> bool {
    let counted =
        |of: &[Op]| u32::try_from(string.iter().filter(|op| of.contains(op)).count()).unwrap();
    string.windows(2).all(|pair| !rules.forbidden.iter().any(|forbidden| pair == forbidden))
        && rules.limits.iter().all(|(of, most)| counted(of) <= *most)
}

/// The oracle: the least cost of a plan that keeps the rules; `None` if it is above `limit`. It
/// searches over states, last operators and counts of uses.
fn oracle<D: Packed>(
    domain: &D,
    rules: &OperatorRules,
    start: &D::State,
    limit: Cost,
) -> Option<Cost> {
    type Node<K> = (Cost, K, Option<Op>, Vec<usize>);
    let mut open: BTreeSet<Node<D::Key>> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    open.insert((0, domain.pack(start), None, vec![0; domain.operators()]));
    let mut state = start.clone();
    while let Some((cost, key, last, counts)) = open.pop_first() {
        domain.unpack(key, &mut state);
        if domain.is_goal(&state) {
            return Some(cost);
        }
        if !seen.insert((key, last, counts.clone())) {
            continue;
        }
        for op in domain.applicable(&state).members() {
            let after = last.map_or(vec![op], |last| vec![last, op]);
            let mut counts = counts.clone();
            counts[op.index()] += 1;
            let used = |of: &[Op]| of.iter().map(|op| counts[op.index()]).sum::<usize>();
            let within =
                rules.limits.iter().all(|(of, most)| used(of) <= usize::try_from(*most).unwrap());
            let pairs = OperatorRules { limits: Vec::new(), ..rules.clone() };
            let cost = cost + domain.cost(op);
            if within && keeps(&pairs, &after) && cost <= limit {
                let mut to = state.clone();
                domain.apply_into(&state, op, &mut to);
                open.insert((cost, domain.pack(&to), Some(op), counts));
            }
        }
    }
    None
}

/// Rules of every kind for five operators.
fn all_rules() -> Vec<OperatorRules> {
    vec![
        rules(&[], &[]),
        rules(&[[0, 1], [1, 0], [2, 3], [4, 4], [3, 0], [4, 1]], &[]),
        rules(&[], &[(&[4], 1), (&[0, 1], 2), (&[3, 4], 3)]),
        rules(&[[1, 2], [2, 1], [3, 1]], &[(&[4], 0), (&[2, 2, 3], 3)]),
        rules(&[[0, 4], [4, 0]], &[(&[0, 1, 2, 3, 4], 6)]),
    ]
}

fn starts() -> Vec<u64> {
    let pancakes = Pancake::new(6);
    let orders = [[3, 0, 5, 1, 4, 2], [5, 3, 1, 4, 2, 0], [1, 0, 3, 2, 5, 4], [2, 5, 0, 4, 1, 3]];
    orders.iter().map(|order| pancakes.state(order)).collect()
}

fn cost_of<D: Domain>(domain: &D, outcome: &Outcome) -> Option<Cost> {
    match outcome {
        Outcome::Solved(plans) => Some(plans[0].iter().map(|&op| domain.cost(op)).sum()),
        _ => None,
    }
}

/// Plans keep the rules and cost as much as the oracle says. This holds for serial and parallel
/// searches, with and without a heuristic, and for the front end of a two-sided domain.
#[test]
fn plans_keep_the_rules_and_are_the_shortest_that_do() {
    let domain = Pancake::new(6);
    let mut longer = 0;
    for rules in all_rules() {
        let ruled = ConstrainedDomain::new(&domain, &rules).unwrap();
        let both = TwoSided(domain);
        let back = (5..10).map(Op).collect();
        let front = OperatorRules {
            limits: rules.limits.iter().cloned().chain([(back, 0)]).collect(),
            ..rules.clone()
        };
        let front = ConstrainedDomain::new(&both, &front).unwrap();
        for start in starts() {
            let known = oracle(&domain, &rules, &start, 9);
            let limits = crate::Limits { bound: Some(9), ..crate::Limits::default() };
            let options = Options { limits, ..Options::default() };
            let at = ruled.start(start);
            let reports = [
                ida_star(&ruled, &IgnoreRules(GapHeuristic), &NoPruning, &at, &options),
                ida_star(&ruled, &Zero, &NoPruning, &at, &options),
                ida_star_parallel(&ruled, &IgnoreRules(GapHeuristic), &NoPruning, &at, &options),
                ida_star(&front, &Zero, &NoPruning, &front.start(both.state(&start)), &options),
            ];
            for report in reports {
                assert_eq!(cost_of(&domain, &report.outcome), known, "{rules:?} {start:x}");
                assert!(report.plan().is_none_or(|plan| keeps(&rules, plan)), "{report:?}");
            }
            let free = ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options);
            longer +=
                u32::from(known.is_none_or(|cost| Some(cost) > cost_of(&domain, &free.outcome)));
        }
    }
    assert!(longer > 5, "the rules cost nothing: {longer}");
}

/// Rules also work with operators of different costs and with preconditions, and if no plan within
/// the bound keeps the rules.
#[test]
fn costs_and_preconditions_go_with_rules() {
    let pebbles = Pebbles::ladder(2, 3);
    let start = pebbles.state(&[15, 0, 2, 3, 1, 4]);
    let mut costs = BTreeSet::new();
    for rules in [
        rules(&[], &[]),
        rules(&[[1, 7], [4, 6], [6, 4], [8, 10]], &[(&[2, 3], 2)]),
        rules(&[], &[(&[2, 3, 6, 7, 12, 13], 3), (&[7], 0)]),
        rules(&[], &[(&[0, 1], 0), (&[2, 3], 0), (&[4, 5], 0), (&[6, 7], 0)]),
    ] {
        let ruled = ConstrainedDomain::new(&pebbles, &rules).unwrap();
        let limits = crate::Limits { bound: Some(30), ..crate::Limits::default() };
        let options = Options { limits, ..Options::default() };
        let report = ida_star(&ruled, &Zero, &NoPruning, &ruled.start(start), &options);
        let known = oracle(&pebbles, &rules, &start, 30);
        assert_eq!(cost_of(&pebbles, &report.outcome), known, "{rules:?}");
        costs.insert(known);
    }
    assert!(costs.len() > 2, "{costs:?}");
}

/// If every operator is limited, there are finitely many strings. The search then proves that there
/// is no plan.
#[test]
fn that_no_plan_keeps_the_rules_is_proven() {
    let domain = Pancake::new(6);
    let rules = rules(&[], &[(&[0, 1, 2, 3, 4], 3)]);
    let ruled = ConstrainedDomain::new(&domain, &rules).unwrap();
    let start = ruled.start(starts()[0]);
    let report =
        ida_star(&ruled, &IgnoreRules(GapHeuristic), &NoPruning, &start, &Options::default());
    assert_eq!(report.outcome, Outcome::Unsolvable);
}

#[test]
fn the_laws_hold_under_rules() {
    let domain = Pancake::new(6);
    for rules in all_rules() {
        let ruled = ConstrainedDomain::new(&domain, &rules).unwrap();
        let starts: Vec<_> = starts().into_iter().map(|state| ruled.start(state)).collect();
        let usable = |start| !ruled.applicable(start).is_empty();
        assert!(starts.iter().all(usable));
        check_packed(&ruled, &starts).unwrap();
        check_parity(&ruled, &starts).unwrap();
        check_domain(&ruled, &starts).unwrap();
        for start in &starts {
            assert_eq!(
                IgnoreRules(GapHeuristic).estimate(&ruled, start),
                GapHeuristic.estimate(&domain, &start.state)
            );
        }
    }
}

#[test]
fn a_relaxed_heuristic_is_admissible() {
    let domain = Pancake::new(5);
    let rules = rules(&[[0, 1], [1, 2], [3, 0]], &[(&[3], 2)]);
    let ruled = ConstrainedDomain::new(&domain, &rules).unwrap();
    let states = [[3, 0, 1, 4, 2], [1, 0, 2, 3, 4], [4, 2, 0, 3, 1]];
    let starts = states.map(|state| ruled.start(domain.state(&state)));
    let distances = Distances::from_starts(&ruled, &starts, 8);
    check_heuristic(&ruled, &IgnoreRules(GapHeuristic), &distances).unwrap();
}

#[test]
fn rules_that_do_not_fit_are_refused() {
    let domain = Pancake::new(6);
    let wrong = |rules| ConstrainedDomain::new(&domain, &rules).unwrap_err().to_string();
    assert_eq!(wrong(rules(&[[0, 5]], &[])), "a rule names operator 5, but there are 5");
    assert_eq!(wrong(rules(&[], &[(&[9], 1)])), "a rule names operator 9, but there are 5");
    let many = vec![(&[1_u16][..], 1 << 25); 5];
    assert_eq!(wrong(rules(&[], &many)), "the limits of operators need 130 bits; a state has 128");
    assert!(ConstrainedDomain::new(&domain, &rules(&[], &many[..4])).is_ok());
    let reversed = rules(&[[0, 1], [3, 2]], &many[..1]).reversed();
    assert_eq!(reversed, rules(&[[1, 0], [2, 3]], &many[..1]));
    assert!(!reversed.is_empty() && OperatorRules::default().is_empty());
}
