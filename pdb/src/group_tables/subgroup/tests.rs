//! Chains of subgroups against breadth-first search over the elements of small groups.

use super::*;
use crate::builder::BuildOptions;
use crate::testing::check_abstraction;
use crate::testing::elements::{Elements, closure, costs, ops, swaps};
use groups::BigUint;
use search::{Group, Limits, Options};

/// Solves every element of the group in these stages, and checks each stage, its table and its
/// plan. Returns for each stage whether its table is exact.
fn check(domain: &Elements, components: &[Vec<u16>], stages: &[Vec<Op>], most: u32) -> Vec<bool> {
    let points = domain.identity().points();
    let actions =
        SubgroupActions { points, operators: domain.0.clone(), components: components.to_vec() };
    let view: fn(&Permutation) -> Permutation = Permutation::clone;
    let chain = SubgroupChain::build(&actions, stages, view, most, &BuildOptions::default());
    let chain = chain.expect("a chain");
    let mut groups: Vec<_> = stages.iter().map(|ops| closure(domain, ops)).collect();
    groups.push(closure(domain, &[]));
    let mut tables = Vec::new();
    for (number, stage) in chain.stages().iter().enumerate() {
        let (own, next) = (&groups[number], &groups[number + 1]);
        assert_eq!(*stage.index(), BigUint::from(own.len() / next.len()));
        let table = costs(domain, &stages[number], next);
        assert!(stage.histograms().iter().all(|table| table.entries <= u64::from(most)));
        if stage.is_exact() && *stage.index() > 1_u32.into() {
            let histogram = &stage.histograms()[0];
            let mut counts = vec![0; histogram.counts.len()];
            table.values().for_each(|&cost| counts[cost as usize] += 1);
            let of_coset: Vec<u64> = counts.iter().map(|count| count / next.len() as u64).collect();
            assert_eq!(histogram.counts, of_coset);
        }
        tables.push(table);
    }
    for start in &groups[0] {
        let (each, options) = (Limits::default(), Options::default());
        let report = chain.solve(domain, start, &each, &options);
        assert!(chain.solves(start));
        let mut state = start.clone();
        for (stage, table) in report.stages.iter().zip(&tables) {
            assert_eq!(u32::from(stage.lower_bound), table[&state]);
            for op in stage.plan().expect("a plan") {
                state = state.then(&domain.0[op.index()].0);
            }
            assert_eq!(table[&state], 0);
        }
        assert!(domain.is_goal(&state) && report.plan.is_some());
    }
    chain.stages().iter().map(SubgroupStage::is_exact).collect()
}

#[test]
fn stages_of_one_component_cost_their_distances() {
    let pairs: Vec<[[u16; 2]; 1]> = (0..5).map(|point| [[point, point + 1]]).collect();
    let pairs: Vec<&[[u16; 2]]> = pairs.iter().map(|pair| &pair[..]).collect();
    let all: Vec<u16> = (0..6).collect();
    for cost in [|_| 1, |number| 1 + Cost::try_from(number % 3).expect("small")] {
        let domain = swaps(6, &pairs, cost);
        let stages = [ops(0..5), ops([0, 1, 3, 4]), ops([1, 3])];
        assert_eq!(check(&domain, std::slice::from_ref(&all), &stages, 1000), [true; 3]);
    }
}

/// Without room for the cosets there is no table, and the stages search without bounds.
#[test]
fn stages_without_tables_search() {
    let domain = swaps(5, &[&[[0, 1]], &[[1, 2]], &[[2, 3]], &[[3, 4]]], |_| 1);
    let (all, stages) = ((0..5).collect(), [ops(0..4), ops([0, 1, 3])]);
    assert_eq!(check(&domain, &[all], &stages, 9), [false, false]);
}

/// Two components of three points. The subgroup moves both alike, so the components do not tell
/// its cosets apart, and the table has lower bounds.
#[test]
fn components_that_move_together_give_lower_bounds() {
    let both = [[0, 1], [3, 4]];
    let domain = swaps(6, &[&both, &[[1, 2], [4, 5]], &[[0, 1]], &[[4, 5]]], |_| 1);
    let components = [vec![0, 1, 2], vec![3, 4, 5]];
    let stages = [ops(0..4), ops([0, 1]), ops([0])];
    assert_eq!(check(&domain, &components, &stages, 1000), [false, true, true]);
    // Components that move apart are exact, in one table or none.
    let stages = [ops(0..4), ops([2, 3])];
    assert_eq!(check(&domain, &components, &stages, 1000), [true, true]);
    assert_eq!(check(&domain, &components, &stages, 4), [false, true]);
}

#[test]
fn entries_follow_operators() {
    let cycle = groups::testing::long_cycle(8, 5);
    let other = groups::testing::cycles(8, &[&[6, 7], &[7, 8], &[1, 2, 3]]);
    let powers =
        [(cycle.clone(), 1), (cycle.inverse(), 1), (other.clone(), 2), (other.inverse(), 2)];
    let domain = Elements(powers.to_vec());
    let operators: Vec<_> = powers.iter().cloned().map(Some).collect();
    let steps = Steps { points: 8, operators: &operators, subgroup: &[cycle] };
    let components = [(0..5).collect(), (5..8).collect()];
    let patterns =
        SubgroupPattern::of_stage(&steps, &components, &Permutation::clone, 1000, &|| false);
    let patterns = patterns.expect("patterns");
    assert_eq!(patterns.len(), 1);
    let pattern = &patterns[0];
    let distances = crate::testing::slow_distances(pattern);
    let read = |entry: u64| {
        let at = usize::try_from(entry).expect("few entries");
        Cost::try_from(distances[at]).unwrap_or(Cost::MAX)
    };
    check_abstraction(&domain, pattern, pattern, &read, &[domain.identity()], 3000)
        .expect("lawful");
}

#[test]
fn what_is_no_chain_is_refused() {
    let domain = swaps(4, &[&[[0, 1]], &[[1, 2]], &[[2, 3]]], |_| 1);
    let mut operators = domain.0.clone();
    operators.push((groups::testing::long_cycle(4, 4), 1));
    let actions = SubgroupActions { points: 4, operators, components: vec![(0..4).collect()] };
    let view: fn(&Permutation) -> Permutation = Permutation::clone;
    let error = |stages: &[Vec<Op>]| {
        let options = BuildOptions::default();
        SubgroupChain::build(&actions, stages, view, 1000, &options).expect_err("no chain")
    };
    assert!(matches!(error(&[]), SubgroupError::Empty { stage: 0 }));
    assert!(matches!(error(&[ops(0..3), vec![]]), SubgroupError::Empty { stage: 1 }));
    let outside = error(&[ops([0, 1]), ops([0, 2])]);
    assert!(matches!(outside, SubgroupError::Outside { stage: 1, op: Op(2) }), "{outside}");
    let alone = error(&[ops(0..4)]);
    assert!(matches!(alone, SubgroupError::NoInverse { stage: 0, op: Op(3) }), "{alone}");
    let cancel = search::CancelToken::cancelled();
    let options = BuildOptions { cancel: Some(&cancel), ..BuildOptions::default() };
    assert!(SubgroupChain::build(&actions, &[ops(0..3)], view, 1000, &options).is_err());
    // A state that the first stage cannot solve has no plan.
    let chain = SubgroupChain::build(&actions, &[ops([0])], view, 1000, &BuildOptions::default());
    let (chain, start) = (chain.expect("a chain"), groups::testing::cycles(4, &[&[3, 4]]));
    assert!(!chain.solves(&start));
    let domain = Elements(actions.operators[..3].to_vec());
    let report = chain.solve(&domain, &start, &Limits::default(), &Options::default());
    assert!(report.failed().is_some() && report.plan.is_none());
}
