//! Decompositions against Dijkstra's algorithm over the elements of small groups.

use super::*;
use crate::group_tables::point_permutation;
use crate::testing::elements::{Elements, closure, costs, ops, swaps};
use groups::{GroupError, Permutation};
use search::random::Random;
use search::testing::{Pancake, check_group, check_permutation_group};
use search::{Domain, Group, InversePruning, Op, Outcome};
use std::collections::BTreeSet;

/// Solves every element of the group with tables of at most `most` entries. Checks the bounds on
/// the cost to each subgoal, and that each part of a plan costs the least. Returns the number of
/// points that each subgoal adds.
fn check(domain: &Elements, most: u64) -> Vec<usize> {
    let actions = SubgroupActions::of(domain).expect("actions");
    assert_eq!(actions.operators, domain.0);
    let built = PointDecomposition::build(&actions, most, &BuildOptions::default());
    let built = built.expect("a decomposition");
    let all_ops = ops(0..domain.operators());
    let group = closure(domain, &all_ops);
    let fixes = |element: &Permutation, number: usize| {
        let points = built.subgoals[..=number].iter().flat_map(|subgoal| &subgoal.points);
        points.copied().all(|point| element.image(point) == point)
    };
    let mut tables = Vec::new();
    for (number, subgoal) in built.subgoals().iter().enumerate() {
        assert!(subgoal.entries <= most || subgoal.tuple.len() == 1, "{subgoal:?}");
        assert_eq!(built.tables[number].0.entries(), subgoal.entries);
        assert!(subgoal.tuple.starts_with(&subgoal.points));
        let goals: BTreeSet<_> =
            group.iter().filter(|element| fixes(element, number)).cloned().collect();
        let table = costs(domain, &all_ops, &goals);
        let heuristic = built.heuristic(number);
        let bound = |state: &Permutation| heuristic.estimate(domain, state);
        for (state, &cost) in &table {
            assert!(u32::from(bound(state)) <= cost);
            for (action, price) in &domain.0 {
                assert!(bound(state) <= bound(&state.then(action)) + price);
            }
        }
        tables.push(table);
    }
    for start in &group {
        let (each, options) = (Limits::default(), Options::default());
        let report = built.search(domain, &InversePruning, start, &each, &options);
        let mut state = start.clone();
        for (number, (stage, table)) in report.stages.iter().zip(&tables).enumerate() {
            assert_eq!(u32::from(stage.lower_bound), table[&state]);
            for op in stage.plan().expect("a plan") {
                state = state.then(&domain.0[op.index()].0);
            }
            assert!(fixes(&state, number));
        }
        assert!(domain.is_goal(&state) && report.plan.is_some());
    }
    built.subgoals().iter().map(|subgoal| subgoal.points.len()).collect()
}

/// Two cycles of a permutation group and their inverses, with these costs.
fn cycles(points: usize, first: &[u16], second: &[u16], costs: [Cost; 2]) -> Elements {
    let cycle = |cycle| Permutation::from_cycles(points, &[cycle]).expect("a cycle");
    let (first, second) = (cycle(first), cycle(second));
    let both = |cycle: Permutation, cost| [(cycle.clone(), cost), (cycle.inverse(), cost)];
    Elements([both(first, costs[0]), both(second, costs[1])].concat())
}

#[test]
fn each_part_costs_the_least() {
    for costs in [[1, 1], [1, 3]] {
        let domain = cycles(6, &[0, 1, 2, 3], &[3, 4, 5], costs);
        let identity = [domain.identity()];
        check_group(&domain, &identity).expect("a group");
        check_permutation_group(&domain, &identity).expect("permutes");
        assert_eq!(check(&domain, 720), [5]);
        assert_eq!(check(&domain, 200), [3, 2]);
        assert_eq!(check(&domain, 40), [2, 2, 1]);
    }
    let pairs: Vec<[[u16; 2]; 1]> = (0..5).map(|point| [[point, point + 1]]).collect();
    let pairs: Vec<&[[u16; 2]]> = pairs.iter().map(|pair| &pair[..]).collect();
    assert_eq!(check(&swaps(6, &pairs, |_| 1), 40), [2, 2, 1]);
    // Both triples move alike, so three points determine the others.
    let alike = [&[[0, 1], [3, 4]][..], &[[1, 2], [4, 5]]];
    for most in [4, 1] {
        assert_eq!(check(&swaps(6, &alike, |_| 1), most), [1, 1]);
    }
}

#[test]
fn blocks_grow_where_operators_keep_them() {
    let actions = SubgroupActions::of(&Pancake::new(8)).expect("actions");
    let subgoals = point_subgoals(&actions, 400, &|| false).expect("subgoals");
    // Fewer flips move the lower pancakes. A flip of three keeps pancake 1. If all others are at
    // home, pancake 2 is, too.
    let points: Vec<_> = subgoals.iter().map(|subgoal| &subgoal.points[..]).collect();
    assert_eq!(points, [&[7, 6, 5][..], &[4, 3, 1], &[0]]);
    assert_eq!(subgoals[2].tuple, [0, 1, 3]);
    let entries: Vec<u64> = subgoals.iter().map(|subgoal| subgoal.entries).collect();
    assert_eq!(entries, [336; 3]);
    let stopped = point_subgoals(&actions, 400, &|| true).expect_err("stopped");
    assert_eq!(stopped, GroupError::Stopped);
    // Without moving points there is nothing to reach.
    let still = SubgroupActions { points: 3, operators: Vec::new(), components: Vec::new() };
    assert_eq!(point_subgoals(&still, 400, &|| false).expect("none"), []);
}

/// Without subgoals, the start itself must be a goal.
#[test]
fn operators_that_move_nothing_solve_nothing_else() {
    let domain = swaps(3, &[&[]], |_| 1);
    let still = SubgroupActions::of(&domain).expect("actions");
    let built = PointDecomposition::build(&still, 400, &BuildOptions::default());
    let built = built.expect("a decomposition");
    let swapped = Permutation::from_cycles(3, &[&[0, 2]]).expect("a swap");
    for (start, plan) in [(domain.identity(), true), (swapped, false)] {
        let (each, options) = (Limits::default(), Options::default());
        let report = built.search(&domain, &InversePruning, &start, &each, &options);
        assert_eq!(report.plan.is_some(), plan, "{start:?}");
    }
}

/// The permutations of states follow those of the operators.
#[test]
fn operators_of_a_domain_act_on_its_points() {
    let domain = Pancake::new(7);
    let actions = SubgroupActions::of(&domain).expect("actions");
    assert_eq!(actions.components, [(0..7).collect::<Vec<u16>>()]);
    let (mut random, mut state, mut next) = (Random::new(3), domain.identity(), 0);
    for _ in 0..100 {
        let op = Op::new(random.index(domain.operators()));
        domain.apply_into(&state, op, &mut next);
        let [before, after] = [&state, &next].map(|state| point_permutation(&domain, state));
        let action = &actions.operators[op.index()].0;
        assert_eq!(after.expect("few points"), before.expect("few points").then(action));
        state = next;
    }
}

#[test]
fn a_state_outside_of_the_group_has_no_plan() {
    let domain = swaps(5, &[&[[0, 1], [2, 3]], &[[1, 2], [3, 4]]], |_| 1);
    let actions = SubgroupActions::of(&domain).expect("actions");
    let built = PointDecomposition::build(&actions, 100, &BuildOptions::default());
    let built = built.expect("a decomposition");
    let start = Permutation::from_cycles(5, &[&[0, 2]]).expect("a swap");
    let (each, options) = (Limits::default(), Options::default());
    let report = built.search(&domain, &InversePruning, &start, &each, &options);
    assert_eq!(report.failed().map(|(_, stage)| &stage.outcome), Some(&Outcome::Unsolvable));
    let limits = Limits { bound: Some(2), ..Limits::default() };
    let start = domain.0[0].0.then(&domain.0[1].0).then(&domain.0[0].0);
    let report = built.search(&domain, &InversePruning, &start, &limits, &options);
    let (number, failed) = report.failed().expect("a limit");
    assert!(number == 0 && failed.lower_bound == 3 && report.plan.is_none());
}
