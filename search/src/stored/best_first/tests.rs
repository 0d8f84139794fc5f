//! Compares best-first searches with breadth-first layers of pancakes. Tests inconsistent
//! heuristics, costs and limits.

use super::*;
use crate::control::{CancelToken, Limit, Limits, Outcome};
use crate::domain::{Contexts, Cost, Domain, Key, Op, OpSet};
use crate::heuristic::Estimate;
use crate::stored::Layers;
use crate::stored::cayley::{Cayley, GOAL, patchy};
use crate::testing::{GapHeuristic, Pancake};
use crate::{NoPruning, Plan, ida_star, plan};

fn cost_and_end(domain: &Pancake, start: u64, plan: &Plan) -> usize {
    let end = plan.iter().fold(start, |state, &op| {
        let mut to = 0;
        domain.apply_into(&state, op, &mut to);
        to
    });
    assert!(domain.is_goal(&end));
    plan.len()
}

#[test]
fn every_distance_is_that_of_breadth_first_search() {
    let domain = Pancake::new(6);
    let options = Options::default();
    let patchy = Estimate(|state: &u64| {
        // Admissible, but not consistent.
        if state.hash().is_multiple_of(2) { GapHeuristic.estimate(&domain, state) } else { 0 }
    });
    let mut layers = Layers::new(&domain, &[domain.representative(0)], &options);
    while layers.advance().unwrap() > 0 {}
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |start| {
            let reports = [
                a_star(&domain, &GapHeuristic, start, &options),
                a_star(&domain, &patchy, start, &options),
                uniform_cost(&domain, start, &options),
                breadth_first(&domain, start, &options),
            ];
            for report in reports {
                assert_eq!(cost_and_end(&domain, *start, report.plan().unwrap()), layer);
                assert_eq!((usize::from(report.lower_bound), report.optimal), (layer, true));
            }
            let greedy = greedy_best_first(&domain, &GapHeuristic, start, &options);
            let cost = cost_and_end(&domain, *start, greedy.plan().unwrap());
            assert!(cost >= layer && (!greedy.optimal || cost == layer));
            assert_eq!(greedy.lower_bound, GapHeuristic.estimate(&domain, start));
        });
    }
}

/// Numbers from 0 to 99. Operators subtract 1 (cost 1) and 10 (cost 7). The goal is 0.
struct Stairs;

impl Domain for Stairs {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        2
    }
    fn applicable(&self, state: &u32) -> u32 {
        u32::from(*state > 0) | u32::from(*state >= 10) << 1
    }
    fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
        *to = from - [1, 10][op.index()];
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }
    fn cost(&self, op: Op) -> Cost {
        [1, 7][op.index()]
    }
}

impl Packed for Stairs {
    type Key = u32;
    crate::state_is_key! {}
}

#[test]
fn operators_of_different_cost_give_cheapest_plans() {
    for start in 0..100u32 {
        let cost = Cost::try_from(start / 10 * 7 + (start % 10)).unwrap();
        let report = uniform_cost(&Stairs, &start, &Options::default());
        assert_eq!((report.lower_bound, report.optimal), (cost, true));
        assert_eq!(report.plan().unwrap().iter().map(|&op| Stairs.cost(op)).sum::<Cost>(), cost);
        let fewest = breadth_first(&Stairs, &start, &Options::default());
        let steps = start / 10 + start % 10;
        assert_eq!(fewest.plan().unwrap().len(), steps as usize);
        assert_eq!((u32::from(fewest.lower_bound), fewest.optimal), (steps, true));
    }
}

/// Four states. 0 leads to 1 (cost 1) and 2 (cost 3), 1 to 2 (cost 1), 2 to the goal 3 (cost 10).
struct Shortcut;

impl Domain for Shortcut {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, state: &u32) -> u32 {
        [0b0011, 0b0100, 0b1000, 0][*state as usize]
    }
    fn apply_into(&self, _: &u32, op: Op, to: &mut u32) {
        *to = [1, 2, 2, 3][op.index()];
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 3
    }
    fn cost(&self, op: Op) -> Cost {
        [1, 3, 1, 10][op.index()]
    }
}

impl Packed for Shortcut {
    type Key = u32;
    crate::state_is_key! {}
}

/// The true distance on state 1, and 0 elsewhere: admissible, but not consistent.
const WARY: Estimate<fn(&u32) -> Cost> = Estimate(|&state| if state == 1 { 11 } else { 0 });

#[test]
fn a_closed_state_is_opened_again_when_it_is_reached_more_cheaply() {
    let report = a_star(&Shortcut, &WARY, &0, &Options::default());
    assert_eq!(report.plan().unwrap()[..], [Op(0), Op(2), Op(3)]);
    assert_eq!((report.lower_bound, report.expanded(), report.generated()), (12, 4, 5));
    let greedy = greedy_best_first(&Shortcut, &WARY, &0, &Options::default());
    assert_eq!(greedy.plan().unwrap()[..], [Op(1), Op(3)]);
    assert!(!greedy.optimal);
    assert_eq!(a_star(&Shortcut, &WARY, &3, &Options::default()).plan().unwrap().len(), 0);
}

#[test]
fn nothing_found_says_why_and_what_is_proven() {
    let domain = Pancake::new(9);
    let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 3, 6]);
    let ask = |limits: Limits, cancel: &CancelToken| {
        let options = Options { limits, cancel: cancel.clone(), ..Options::default() };
        let blind = uniform_cost(&domain, &start, &options);
        (blind.outcome.clone(), blind.lower_bound)
    };
    let token = CancelToken::new();
    let nodes = Limits { nodes: Some(4000), ..Limits::default() };
    let (outcome, bound) = ask(nodes, &token);
    assert!(outcome == Outcome::LimitReached(Limit::Nodes) && (1..9).contains(&bound), "{bound}");
    let bound = Limits { bound: Some(3), ..Limits::default() };
    assert_eq!(ask(bound, &token), (Outcome::LimitReached(Limit::Bound), 4));
    let bytes = Limits { bytes: Some(1 << 14), ..Limits::default() };
    assert_eq!(ask(bytes, &token).0, Outcome::LimitReached(Limit::Bytes));
    let time = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(ask(time, &token), (Outcome::LimitReached(Limit::Time), 0));
    token.cancel();
    assert_eq!(ask(Limits::default(), &token), (Outcome::Cancelled, 0));
}

#[test]
fn a_star_expands_no_more_than_iterative_deepening() {
    let domain = Pancake::new(12);
    let start = domain.state(&[7, 2, 10, 0, 5, 9, 3, 11, 1, 6, 8, 4]);
    let options = Options::default();
    let a = a_star(&domain, &GapHeuristic, &start, &options);
    let i = ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options);
    assert_eq!(a.plan().unwrap().len(), i.plan().unwrap().len());
    assert!(a.expanded() <= i.expanded(), "{} {}", a.expanded(), i.expanded());
}

/// The plan of weighted A* costs at most the weight times the least cost. The proven bound is never
/// above the least cost, also if the heuristic is not consistent. With the weight 1, and with the
/// best plan proven, it is the least cost.
#[test]
fn a_weight_bounds_the_cost_and_the_lower_bound_is_proven() {
    let (mut proven, mut worse) = (0, 0);
    for seed in 0..60 {
        let domain = Cayley::random(seed);
        let graph = domain.graph();
        let distances = graph.distances_to(graph.number(&GOAL));
        let exact = |state: &_| distances[graph.number(state)].unwrap_or(0);
        for start in (0..120).step_by(7) {
            let from = &graph.states[start];
            for weight in [1.0, 1.25, 1.5, 2.0, 3.5, 1000.0] {
                for patched in [false, true] {
                    let heuristic = |state: &_| {
                        if patched { patchy(state, exact(state)) } else { exact(state) / 2 }
                    };
                    let options = Options::default();
                    let report =
                        weighted_a_star(&domain, &Estimate(heuristic), weight, from, &options);
                    let Some(least) = distances[start] else {
                        assert_eq!(report.outcome, Outcome::Unsolvable);
                        continue;
                    };
                    let plan = report.plan().unwrap();
                    plan::validate(&graph, &start, plan).unwrap();
                    let cost: Cost = plan.iter().map(|&op| domain.cost(op)).sum();
                    assert!(f64::from(cost) <= weight * f64::from(least), "{seed} {start}");
                    assert!(report.lower_bound <= least, "{seed} {start} {weight} {patched}");
                    assert_eq!(report.optimal, report.lower_bound == cost);
                    assert!(report.optimal || weight > 1.0);
                    proven += u32::from(report.optimal && weight > 1.0);
                    worse += u32::from(cost > least);
                }
            }
        }
    }
    assert!(proven > 1000 && worse > 100, "{proven} {worse}");
}

#[test]
fn a_greater_weight_finds_a_plan_sooner_and_proves_less() {
    let domain = Pancake::new(10);
    let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 9, 3, 6]);
    let weak = Estimate(|state: &u64| GapHeuristic.estimate(&domain, state) / 2);
    let options = Options::default();
    let run = |weight| weighted_a_star(&domain, &weak, weight, &start, &options);
    let (exact, weighted) = (run(1.25), run(3.0));
    assert!(weighted.expanded() * 10 < exact.expanded());
    assert!(weighted.lower_bound < exact.lower_bound && !weighted.optimal);
    // A limit ends the search before it has a plan.
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let limited = Options { limits, ..Options::default() };
    let report = weighted_a_star(&domain, &weak, 1.25, &start, &limited);
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
    assert!((weak.0(&start)..=exact.lower_bound).contains(&report.lower_bound));
}

/// State 2 is reached at the cost 3 and closed, while state 1, which leads to it at the cost 2, is
/// open: with it, the bound is 12.
#[test]
fn a_weighted_search_opens_closed_states_again() {
    let report = weighted_a_star(&Shortcut, &WARY, 2.0, &0, &Options::default());
    assert_eq!(report.plan().unwrap()[..], [Op(1), Op(3)]);
    assert_eq!((report.lower_bound, report.optimal), (12, false));
}

/// States 0, 1, 2 in a row; the last of 40,000 operators leads from each to the next.
struct ManyOperators;

impl Domain for ManyOperators {
    type State = u32;
    type Ops = [u64; 625];
    fn operators(&self) -> usize {
        40_000
    }
    fn applicable(&self, state: &u32) -> [u64; 625] {
        if *state < 2 { OpSet::with(OpSet::NONE, Op(39_999)) } else { OpSet::NONE }
    }
    fn apply_into(&self, from: &u32, _: Op, to: &mut u32) {
        *to = from + 1;
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 2
    }
}

impl Packed for ManyOperators {
    type Key = u32;
    crate::state_is_key! {}
}

#[test]
fn operators_above_32767_are_found() {
    for report in [
        uniform_cost(&ManyOperators, &0, &Options::default()),
        greedy_best_first(&ManyOperators, &Zero, &0, &Options::default()),
    ] {
        assert_eq!(report.plan().map(|plan| plan.to_vec()), Some(vec![Op(39_999); 2]));
    }
}
