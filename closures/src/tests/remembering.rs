//! Compares searches with a table with searches without one, and with Dijkstra's algorithm for
//! several goals.

use super::{Graph, Place, around, distances, estimates, graph, small, successors};
use crate::memory::Settings;
use crate::*;
use search::random::Random;
use search::{Limit, Plan};
use std::cell::Cell;
use std::hash::{Hash, Hasher};

/// A random graph with costs of 1 to 5, any number of goals, and admissible estimates that need not
/// be consistent.
struct Case {
    graph: Graph,
    goals: Vec<bool>,
    estimates: Vec<u16>,
    truth: Vec<Option<u16>>,
}

impl Case {
    fn new(random: &mut Random, round: usize) -> Self {
        let nodes = 4 + random.index(9);
        let edges = nodes + random.index(2 * nodes);
        let graph = graph(random, nodes, edges, [1, 2, 5, 5][round % 4]);
        let often = 2 + 4 * random.index(3);
        let goals: Vec<bool> = (0..nodes).map(|_| random.index(often) == 0).collect();
        let truth = distances(&graph, &positions(&goals));
        let estimates = estimates(random, &truth, [0, 2, 2, 1][round / 4 % 4]);
        Self { graph, goals, estimates, truth }
    }

    fn search(&self, start: usize, plans: usize, settings: Settings) -> ClosureAnswer<usize, u16> {
        let mut search = ClosureSearch::new(
            &start,
            |at| successors(&self.graph, at),
            |&at| self.estimates[at],
            |&at| self.goals[at],
        )
        .plans(plans);
        search.settings = settings;
        search.ida_star().unwrap()
    }
}

/// The nodes that are goals.
fn positions(goals: &[bool]) -> Vec<usize> {
    (0..goals.len()).filter(|&node| goals[node]).collect()
}

/// The states and operators of all plans, sorted.
fn sorted(answer: &ClosureAnswer<usize, u16>) -> Vec<(Vec<usize>, Plan)> {
    let Outcome::Solved(plans) = &answer.report.outcome else { return Vec::new() };
    let paths = answer.paths.iter().map(|path| path.states.clone());
    let mut all: Vec<_> = paths.zip(plans.iter().cloned()).collect();
    all.sort();
    all
}

#[test]
fn what_is_remembered_changes_neither_costs_nor_plans_nor_proofs() {
    let mut random = Random::new(21);
    let (mut solved, mut hopeless, mut fewer, mut many) = (0, 0, 0, 0);
    for round in 0..6000 {
        let case = Case::new(&mut random, round);
        let start = random.index(case.goals.len());
        let entries = 1 << (2 + random.index(8));
        let (share, large) = ([256, 128][round % 2], 1 + u32::from(small(&mut random, 4)));
        let settings = Settings { entries, share, large, ..Settings::ALL };
        let without = case.search(start, usize::MAX, Settings::NOTHING);
        let with = case.search(start, usize::MAX, settings);
        fewer += usize::from(with.report.expanded() < without.report.expanded());
        assert_eq!(sorted(&with), sorted(&without), "{round}");
        let one = case.search(start, 1, settings);
        for answer in [&with, &one] {
            let Some(distance) = case.truth[start] else {
                // With infinite estimates, neither search can tell whether a plan above the range
                // exists.
                let outcome = [Outcome::Unsolvable, Outcome::LimitReached(Limit::Bound)];
                assert!(outcome.contains(&answer.report.outcome), "{round}");
                let proof = without.report.outcome == Outcome::Unsolvable;
                assert!(!proof || answer.report.outcome == Outcome::Unsolvable, "{round}");
                continue;
            };
            let path = answer.path().unwrap();
            assert_eq!(path.cost, distance, "{round}");
            assert_eq!(answer.report.lower_bound, distance, "{round}");
            let bounds = |report: &Report<u16>| -> Vec<u16> {
                report.iterations.iter().map(|iteration| iteration.bound).collect()
            };
            assert!(bounds(&answer.report).is_sorted_by(|a, b| a < b), "{round}");
            let (more, less) = (bounds(&without.report), bounds(&answer.report));
            assert!(less.iter().zip(&more).all(|(a, b)| a >= b), "{round}: {less:?} {more:?}");
        }
        let plans = with.paths.len();
        (solved, many) = (solved + usize::from(plans > 0), many + usize::from(plans > 1));
        hopeless += usize::from(plans == 0);
    }
    assert!(solved > 2000 && many > 300 && hopeless > 500, "{solved} {many} {hopeless}");
    assert!(fewer > 400, "{fewer}");
}

/// A third of the distance to (9, 8).
fn third(&(x, y): &Place) -> u64 {
    (x.abs_diff(9) + y.abs_diff(8)) / 3
}

#[test]
fn places_without_end_take_far_fewer_expanded_states() {
    let run = |settings, plans| {
        let mut search =
            ClosureSearch::new(&(0, 0), around, third, |&at| at == (9, 8)).plans(plans);
        search.settings = settings;
        search.ida_star().unwrap()
    };
    let (with, without) = (run(Settings::DEFAULT, 1), run(Settings::NOTHING, 1));
    assert_eq!((with.paths[0].cost, without.paths[0].cost), (17, 17));
    let (few, many) = (with.report.expanded(), without.report.expanded());
    assert!(20 * few < many, "{few} {many}");
    // 17 choose 8.
    assert_eq!(run(Settings::DEFAULT, usize::MAX).paths.len(), 24310);
    let again = run(Settings::DEFAULT, 1).report;
    assert_eq!(again.iterations, with.report.iterations, "the same in every run");
}

/// A number that counts how often it is hashed.
#[derive(Clone, PartialEq, Eq)]
struct Counted<'c>(u64, &'c Cell<u64>);

impl Hash for Counted<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.1.set(self.1.get() + 1);
        self.0.hash(state);
    }
}

#[test]
fn hardly_anything_is_hashed_where_no_state_comes_twice() {
    let hashed = Cell::new(0);
    let run = |bound| {
        let limits = Limits { bound: Some(bound), ..Limits::default() };
        let start = Counted(1, &hashed);
        let tree = |at: &Counted<'_>| [2 * at.0, 2 * at.0 + 1].map(|n| (Counted(n, &hashed), 1u8));
        let answer = ClosureSearch::new(&start, tree, |_| 0, |_| false).limits(limits).ida_star();
        (answer.unwrap().report.expanded(), hashed.take())
    };
    // Small searches have no table.
    assert_eq!(run(12), ((1 << 13) - 14, 0));
    let (expanded, hashed) = run(20);
    assert_eq!(expanded, (1 << 21) - 22);
    assert!(hashed > 8192 && hashed < expanded / 16, "{hashed}");
}

#[test]
fn a_child_that_came_nearest_is_tried_first() {
    // Three chains with branches. In an early iteration, only the last chain comes as near as two
    // steps to the goal.
    let chains = |&(chain, at): &(u8, u8)| -> Vec<((u8, u8), u8)> {
        match at {
            0 => (0..3).map(|chain| ((chain, 1), 1)).collect(),
            1..20 => vec![((chain, at + 1), 1), ((chain + 3, at + 1), 1)],
            _ => vec![],
        }
    };
    let far = |&(chain, at): &(u8, u8)| {
        if chain == 2 { 18u8.saturating_sub(at) } else { 18u8.saturating_sub(at).max(5) }
    };
    let last = |large| {
        let mut search = ClosureSearch::new(&(0, 0), chains, far, |&at| at == (2, 20));
        search.settings = Settings { large, ..Settings::ALL };
        let report = search.ida_star().unwrap().report;
        assert_eq!((report.lower_bound, report.iterations.len()), (20, 3));
        report.iterations[2].expanded
    };
    assert_eq!(last(1), 20, "straight to the goal");
    assert!(last(u32::MAX) > 100, "{}", last(u32::MAX));
}
