//! Compares bidirectional search with exhaustive searches, for heuristics of all kinds. Tests
//! limits and what they leave proven.

use super::*;
use crate::TwoSided;
use crate::control::{CancelToken, Limits, Observer, Progress};
use crate::domain::{Contexts, Domain, Group, Key};
use crate::heuristic::{Estimate, Zero};
use crate::plan;
use crate::stored::cayley::{Cayley, GOAL, patchy};
use crate::stored::{Layers, a_star, uniform_cost};
use crate::testing::{CostlyPancake, GapHeuristic, Pancake, PancakeList};

/// The gap heuristic on about half of the states, 0 on the others: admissible, but not consistent.
fn patchy_gaps(domain: &Pancake) -> Estimate<impl Fn(&u64) -> Cost> {
    Estimate(
        |state: &u64| {
            if state.hash().is_multiple_of(2) { GapHeuristic.estimate(domain, state) } else { 0 }
        },
    )
}

#[test]
fn every_distance_is_that_of_breadth_first_search() {
    let domain = Pancake::new(6);
    let (goal, options) = (domain.representative(0), Options::default());
    let mut layers = Layers::new(&domain, &[goal], &options);
    while layers.advance().unwrap() > 0 {}
    let patchy = patchy_gaps(&domain);
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |start| {
            let gap = FromStart { heuristic: GapHeuristic, start: *start };
            let patched = FromStart { heuristic: &patchy, start: *start };
            for report in [
                bidirectional(&domain, &GapHeuristic, &gap, start, &goal, &options),
                bidirectional(&domain, &GapHeuristic, &Zero, start, &goal, &options),
                bidirectional(&domain, &Zero, &gap, start, &goal, &options),
                bidirectional(&domain, &patchy, &patched, start, &goal, &options),
                bidirectional(&domain, &Zero, &Zero, start, &goal, &options),
            ] {
                let plan = report.plan().unwrap();
                plan::validate(&PancakeList, &PancakeList::of(&domain, *start), plan).unwrap();
                assert_eq!((plan.len(), usize::from(report.lower_bound)), (layer, layer));
                assert!(report.optimal && report.complete);
            }
        });
    }
}

/// The heuristics of a random graph, from the exact distances: perfect, weak, none, and
/// inconsistent.
fn bound(kind: usize, state: &[u8; 5], exact: Option<Cost>) -> Cost {
    let exact = exact.unwrap_or(0);
    [exact, exact / 3, 0, patchy(state, exact)][kind]
}

#[test]
fn plans_on_random_graphs_cost_the_least() {
    let (mut solved, mut unsolvable) = (0, 0);
    for seed in 0..90 {
        let domain = Cayley::random(seed);
        let graph = domain.graph();
        let to_goal = graph.distances_to(graph.number(&GOAL));
        for start in (0..120).step_by(11) {
            let from = &graph.states[start];
            let from_start = graph.distances_from(start);
            let least = to_goal[start];
            let blind = uniform_cost(&domain, from, &Options::default());
            assert_eq!(least, blind.plan().map(|_| blind.lower_bound));
            for (front, back) in (0..4).flat_map(|front| (0..4).map(move |back| (front, back))) {
                let front = Estimate(|state: &_| bound(front, state, to_goal[graph.number(state)]));
                let back =
                    Estimate(|state: &_| bound(back, state, from_start[graph.number(state)]));
                let run =
                    |options: &Options| bidirectional(&domain, &front, &back, from, &GOAL, options);
                let report = run(&Options::default());
                let Some(least) = least else {
                    assert_eq!(report.outcome, Outcome::Unsolvable);
                    unsolvable += 1;
                    continue;
                };
                let plan = report.plan().unwrap();
                plan::validate(&graph, &start, plan).unwrap();
                let cost: Cost = plan.iter().map(|&op| domain.cost(op)).sum();
                assert_eq!((cost, report.lower_bound, report.optimal), (least, least, true));
                solved += 1;
                // No plan is cheaper. The empty plan counts in any case.
                if least > 0 {
                    let report = run(&Options { upper_bound: Some(least), ..Options::default() });
                    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
                    assert_eq!(report.lower_bound, least);
                }
            }
        }
    }
    assert!(solved > 5000 && unsolvable > 500, "{solved} {unsolvable}");
}

#[test]
fn differences_in_a_group_bound_the_cost_from_the_start() {
    // Every third graph has no gaps.
    for seed in (0..30).step_by(3) {
        let domain = Cayley::random(seed);
        let graph = domain.graph();
        let to_goal = graph.distances_to(graph.number(&GOAL));
        let heuristic = Estimate(|state: &_| to_goal[graph.number(state)].unwrap_or(Cost::MAX));
        let start = graph.states[usize::try_from(seed).unwrap() + 17];
        let from_start = graph.distances_from(graph.number(&start));
        let back = FromStart { heuristic, start };
        for (state, exact) in graph.states.iter().zip(from_start) {
            assert_eq!(back.estimate(&domain, state), exact.unwrap_or(Cost::MAX));
        }
    }
}

#[test]
fn both_ends_expand_fewer_states_than_one() {
    let domain = Pancake::new(9);
    let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 3, 6]);
    let (goal, options) = (domain.identity(), Options::default());
    let weak = Estimate(|state: &u64| GapHeuristic.estimate(&domain, state) / 2);
    let back = FromStart { heuristic: weak, start };
    let blind = uniform_cost(&domain, &start, &options);
    let ends = bidirectional(&domain, &weak, &back, &start, &goal, &options);
    let blind_ends = bidirectional(&domain, &Zero, &Zero, &start, &goal, &options);
    assert_eq!((ends.lower_bound, blind_ends.lower_bound), (blind.lower_bound, blind.lower_bound));
    assert!(blind_ends.expanded() * 10 < blind.expanded());
    assert!(ends.expanded() < blind_ends.expanded());
}

#[test]
fn a_start_that_is_the_goal_needs_no_step() {
    let (domain, options) = (Pancake::new(5), Options::default());
    let start = domain.identity();
    let report = bidirectional(&domain, &Zero, &Zero, &start, &start, &options);
    assert_eq!(report.plan().map(|plan| plan.len()), Some(0));
    assert_eq!((report.lower_bound, report.optimal, report.generated()), (0, true, 0));
}

/// A two-sided plan leads to the identity only, so no other goal is taken.
#[test]
#[should_panic(expected = "no goal of the domain")]
fn another_goal_is_refused() {
    let (domain, options) = (Pancake::new(5), Options::default());
    let both = TwoSided(domain);
    let state = |stack: &[usize]| both.state(&both.0.state(stack));
    let (start, goal) = (state(&[0, 3, 4, 1, 2]), state(&[2, 0, 4, 1, 3]));
    let _ = bidirectional(&both, &Zero, &Zero, &start, &goal, &options);
}

/// A two-sided domain restricts its operators and orders its plans in a way of its own.
#[test]
fn restricted_operators_lose_no_plan() {
    let (domain, options) = (Pancake::new(6), Options::default());
    let both = TwoSided(domain);
    for start in [[3, 1, 4, 0, 2, 5], [5, 2, 0, 4, 1, 3], [1, 0, 2, 3, 5, 4]] {
        let start = domain.state(&start);
        let (from, goal) = (both.state(&start), both.state(&domain.identity()));
        let report = bidirectional(&both, &Zero, &Zero, &from, &goal, &options);
        let plan = report.plan().unwrap();
        plan::validate(&PancakeList, &PancakeList::of(&domain, start), plan).unwrap();
        assert_eq!(uniform_cost(&domain, &start, &options).lower_bound, report.lower_bound);
        assert_eq!(plan.len(), usize::from(report.lower_bound));
    }
}

/// Pancakes, with costs that rise with the size of a flip.
fn heavy(size: usize) -> CostlyPancake {
    let cost = |op: crate::Op| Cost::try_from(op.index() + 2).unwrap();
    CostlyPancake { pancake: Pancake::new(size), cost }
}

/// Cancels the search when it knows a plan.
struct Impatient(CancelToken);

impl Observer for Impatient {
    fn progress(&self, progress: &Progress) {
        if progress.upper_bound.is_some() {
            self.0.cancel();
        }
    }
}

#[test]
fn a_limit_proves_a_bound_that_rises_and_stays_below_the_cost() {
    let domain = heavy(10);
    let start = domain.pancake.state(&[4, 0, 7, 2, 8, 1, 5, 9, 3, 6]);
    let goal = domain.pancake.identity();
    let run = |options: &Options| bidirectional(&domain, &Zero, &Zero, &start, &goal, options);
    // Each flip costs at least 2.
    let gaps = Estimate(|state: &u64| 2 * GapHeuristic.estimate(&domain.pancake, state));
    let least = a_star(&domain, &gaps, &start, &Options::default()).lower_bound;
    let mut bounds = Vec::new();
    for looks in 0.. {
        let limits = Limits { nodes: Some(looks * 80_000), ..Limits::default() };
        let report = run(&Options { limits, ..Options::default() });
        assert!(report.lower_bound <= least);
        bounds.push(report.lower_bound);
        if report.complete {
            assert!(report.optimal && report.plan().is_some());
            break;
        }
    }
    assert!(bounds.len() > 2 && bounds.is_sorted() && bounds[0] < bounds[1], "{bounds:?}");
    assert_eq!(bounds.last(), Some(&least));

    let cancel = CancelToken::new();
    let observer = &Impatient(cancel.clone());
    let report = run(&Options { cancel, observer, ..Options::default() });
    let plan = report.plan().unwrap();
    plan::validate(&PancakeList, &PancakeList::of(&domain.pancake, start), plan).unwrap();
    assert!(!report.optimal && !report.complete && report.lower_bound < least);
}

#[test]
fn nothing_found_says_why_and_what_is_proven() {
    let domain = Pancake::new(9);
    let (start, goal) = (domain.state(&[4, 0, 7, 2, 8, 1, 5, 3, 6]), domain.identity());
    let ask = |limits: Limits, cancel: &CancelToken| {
        let options = Options { limits, cancel: cancel.clone(), ..Options::default() };
        let report = bidirectional(&domain, &GapHeuristic, &Zero, &start, &goal, &options);
        assert!(report.plan().is_none() && !report.complete);
        (report.outcome, report.lower_bound)
    };
    let (token, gaps) = (CancelToken::new(), GapHeuristic.estimate(&domain, &start));
    let nodes = Limits { nodes: Some(0), ..Limits::default() };
    assert_eq!(ask(nodes, &token), (Outcome::LimitReached(Limit::Nodes), gaps));
    let bound = Limits { bound: Some(3), ..Limits::default() };
    assert_eq!(ask(bound, &token), (Outcome::LimitReached(Limit::Bound), gaps));
    let bytes = Limits { bytes: Some(1 << 10), ..Limits::default() };
    assert_eq!(ask(bytes, &token).0, Outcome::LimitReached(Limit::Bytes));
    let time = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(ask(time, &token), (Outcome::LimitReached(Limit::Time), gaps));
    token.cancel();
    assert_eq!(ask(Limits::default(), &token), (Outcome::Cancelled, gaps));
}
