//! Compares searches without a table with two oracles: Dijkstra's algorithm and a plain recursion.
//! Tests the errors, and every way in which a search ends.

mod remembering;
mod storing;
mod wide;

use super::*;
use crate::memory::Settings;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use search::random::Random;
use search::{Iteration, Limit, Plan, Progress};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

type Graph = DiGraph<(), u16>;
type Place = (i64, i64);

#[expect(clippy::cast_possible_truncation, reason = "small numbers only")]
fn small(random: &mut Random, end: u16) -> u16 {
    random.below(end.into()) as u16
}

/// A graph with random edges that cost 1 to `most`. Some are parallel, some are loops.
fn graph(random: &mut Random, nodes: usize, edges: usize, most: u16) -> Graph {
    let mut graph = Graph::new();
    let nodes: Vec<_> = (0..nodes).map(|_| graph.add_node(())).collect();
    for _ in 0..edges {
        let (from, to) = (nodes[random.index(nodes.len())], nodes[random.index(nodes.len())]);
        graph.add_edge(from, to, 1 + small(random, most));
    }
    graph
}

fn successors(graph: &Graph, &from: &usize) -> Vec<(usize, u16)> {
    let mut edges = graph.neighbors(NodeIndex::new(from)).detach();
    let step = || {
        let (edge, to) = edges.next(graph)?;
        Some((to.index(), graph[edge]))
    };
    std::iter::from_fn(step).collect()
}

/// For every node, the cost of a cheapest path to one of the goals; `None` if there is no path.
fn distances(graph: &Graph, goals: &[usize]) -> Vec<Option<u16>> {
    let mut reversed = graph.clone();
    reversed.reverse();
    let mut least = vec![None; graph.node_count()];
    for &goal in goals {
        let found = dijkstra(&reversed, NodeIndex::new(goal), None, |edge| *edge.weight());
        for (node, least) in graph.node_indices().zip(&mut least) {
            *least = [*least, found.get(&node).copied()].into_iter().flatten().min();
        }
    }
    least
}

/// Admissible estimates that need not be consistent. With `kind` 0 they are 0, with 1 the true
/// distances (65,535 if there is no path), and otherwise random.
fn estimates(random: &mut Random, truth: &[Option<u16>], kind: usize) -> Vec<u16> {
    let mut one = |distance: &Option<u16>| match (kind, distance) {
        (0, _) => 0,
        (1, None) => u16::MAX,
        (1, Some(distance)) => *distance,
        (_, None) => small(random, 300),
        (_, Some(distance)) => small(random, distance + 1),
    };
    truth.iter().map(&mut one).collect()
}

/// The oracle: a plain recursion that keeps a list of the states on the path.
struct Oracle<'g> {
    graph: &'g Graph,
    estimates: &'g [u16],
    goal: usize,
    path: Vec<usize>,
    generated: u64,
    expanded: u64,
    over: Option<u16>,
}

impl Oracle<'_> {
    /// Whether a plan of cost at most `remaining` leads from the end of the path to the goal. The
    /// end of the path is not the goal.
    fn descend(&mut self, remaining: u16) -> bool {
        let at = self.path[self.path.len() - 1];
        self.expanded += 1;
        let parent = self.path.len().checked_sub(2).map(|above| self.path[above]);
        for (to, cost) in successors(self.graph, &at) {
            if Some(to) == parent {
                continue;
            }
            self.generated += 1;
            let f = cost.saturating_add(self.estimates[to]);
            if to == self.goal && f <= remaining {
                return true;
            }
            // If no cost remains at the new state, every step from it exceeds the bound by at least
            // 1.
            let over = if f > remaining { f - remaining } else { u16::from(cost == remaining) };
            if over > 0 {
                self.over = Some(self.over.map_or(over, |least| least.min(over)));
            } else if !self.path.contains(&to) {
                self.path.push(to);
                if self.descend(remaining - cost) {
                    return true;
                }
                self.path.pop();
            }
        }
        false
    }
}

#[test]
fn costs_are_those_of_dijkstra_and_counts_those_of_a_plain_recursion() {
    let mut random = Random::new(1);
    let (mut solved, mut hopeless) = (0, 0);
    for round in 0..1500 {
        let (nodes, most) = (2 + random.index(8), [1, 3, 20][round % 3]);
        let edges = nodes + random.index(nodes);
        let graph = graph(&mut random, nodes, edges, most);
        let (start, goal) = (random.index(nodes), random.index(nodes));
        let truth = distances(&graph, &[goal]);
        let estimates = estimates(&mut random, &truth, round / 3 % 3);
        let mut search = ClosureSearch::new(
            &start,
            |at| successors(&graph, at),
            |&at| estimates[at],
            |&at| at == goal,
        );
        search.settings = Settings::NOTHING;
        let ClosureAnswer { paths, report } = search.ida_star().unwrap();
        let Some(distance) = truth[start] else {
            hopeless += 1;
            // With estimates above the range, the search cannot tell whether a plan exists there.
            let outcome = [Outcome::Unsolvable, Outcome::LimitReached(Limit::Bound)];
            assert!(outcome.contains(&report.outcome) && paths.is_empty());
            assert!(round / 3 % 3 == 2 || report.outcome == Outcome::Unsolvable);
            continue;
        };
        solved += 1;
        let StatePath { states, cost } = &paths[0];
        assert_eq!((*cost, report.lower_bound), (distance, distance));
        assert_eq!((states[0], states[states.len() - 1]), (start, goal));
        let ways = states.windows(2).zip(report.plan().unwrap());
        let steps = ways.map(|(step, op)| {
            let (to, cost) = successors(&graph, &step[0])[op.index()];
            assert_eq!(to, step[1]);
            cost
        });
        assert_eq!(steps.sum::<u16>(), distance);
        for iteration in &report.iterations {
            let (path, goal, estimates) = (vec![start], goal, &estimates[..]);
            let zero = Oracle {
                graph: &graph,
                estimates,
                goal,
                path,
                generated: 0,
                expanded: 0,
                over: None,
            };
            let mut oracle = zero;
            let found = iteration.bound > 0 && oracle.descend(iteration.bound);
            assert_eq!((found, oracle.expanded), (!iteration.complete, iteration.expanded));
            assert_eq!(oracle.generated, iteration.generated);
            assert!(found || oracle.over.is_some() || iteration.bound == 0);
        }
    }
    assert!(solved > 500 && hopeless > 100, "{solved} {hopeless}");
}

/// The neighbours of a place in an infinite plane, each one step away.
fn around(&(x, y): &Place) -> [(Place, u64); 4] {
    [((x + 1, y), 1), ((x, y + 1), 1), ((x - 1, y), 1), ((x, y - 1), 1)]
}

/// The exact distance to (6, 5).
fn far(&(x, y): &Place) -> u64 {
    x.abs_diff(6) + y.abs_diff(5)
}

#[test]
fn an_estimate_that_is_right_goes_straight_to_the_goal() {
    let calls = (Cell::new(0), Cell::new(0));
    let count = |cell: &Cell<u64>| cell.set(cell.get() + 1);
    let answer = ClosureSearch::new(
        &(0, 0),
        |at| {
            count(&calls.0);
            around(at)
        },
        |at| {
            count(&calls.1);
            far(at)
        },
        |&at| at == (6, 5),
    )
    .ida_star()
    .unwrap();
    assert_eq!((answer.report.expanded(), answer.report.iterations.len()), (11, 1));
    assert_eq!(calls.0.get(), answer.report.expanded(), "one list for each expanded state");
    assert_eq!(
        calls.1.get(),
        answer.report.generated() + 1,
        "one estimate for each child, and the start's"
    );
    assert_eq!(answer.path().unwrap().states.len(), 12);
}

#[test]
fn all_optimal_plans_are_found_if_asked_for() {
    let answer = ClosureSearch::new(&(0, 0), around, |at| far(at) / 2, |&at| at == (6, 5))
        .plans(1000)
        .ida_star()
        .unwrap();
    // 11 choose 5.
    assert_eq!((answer.paths.len(), answer.report.complete), (462, true));
    let mut paths = answer.paths;
    assert!(paths.iter().all(|path| path.cost == 11 && path.states.len() == 12));
    paths.sort_by(|a, b| a.states.cmp(&b.states));
    paths.dedup();
    assert_eq!(paths.len(), 462);
}

#[test]
fn a_start_that_is_a_goal_needs_nothing() {
    let never = |_: &u8| -> Vec<(u8, u8)> { unreachable!() };
    let answer = ClosureSearch::new(&7, never, |_| 0, |&n| n == 7).ida_star().unwrap();
    assert_eq!(answer.paths, [StatePath { states: vec![7], cost: 0 }]);
    assert_eq!(answer.report.outcome, Outcome::Solved(vec![Plan::new()]));
    assert_eq!(idastar(&7, never, |_| 0, |&n| n == 7), Ok(Some((vec![7], 0))));
}

#[test]
fn no_way_is_no_error() {
    let ring = |&n: &u32| vec![((n + 1) % 20, 1i32), ((n + 19) % 20, 3)];
    assert_eq!(idastar(&0, ring, |_| 0, |_| false), Ok(None));
    assert_eq!(idastar(&0, |_| None::<(u32, u8)>, |_| 0, |_| false), Ok(None));
}

#[test]
fn every_limit_ends_with_a_proven_bound() {
    let run = |limits: Limits<u64>| {
        let answer = ClosureSearch::new(&(0, 0), around, |at| far(at) / 3, |_| false)
            .limits(limits)
            .ida_star()
            .unwrap();
        assert!(answer.paths.is_empty());
        answer.report
    };
    let limits = Limits::<u64>::default;
    let report = run(Limits { nodes: Some(10_000), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
    assert!((10_000..12_000).contains(&report.generated()) && report.lower_bound > 5);
    let report = run(Limits { time: Some(Duration::from_millis(20)), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
    assert!(report.elapsed < Duration::from_secs(2));
    let report = run(Limits { bound: Some(8), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
    assert_eq!((report.lower_bound, report.iterations.last().unwrap().bound), (9, 8));
}

#[test]
fn a_search_is_cancelled_from_a_closure_and_watched() {
    #[derive(Default)]
    struct Watcher(AtomicU64, AtomicU64);
    impl<C> Observer<C> for Watcher {
        fn progress(&self, _: &Progress<C>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn iteration(&self, _: &Iteration<C>) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (cancel, watcher) = (CancelToken::new(), Watcher::default());
    let mut lists = 0;
    let counted = |at: &_| {
        lists += 1;
        if lists == 5000 {
            cancel.cancel();
        }
        around(at)
    };
    let search = ClosureSearch::new(&(0, 0), counted, |_| 0, |_| false);
    let report = search.cancel(&cancel).observer(&watcher).ida_star().unwrap().report;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert!((5000..=5256).contains(&report.expanded()), "{}", report.expanded());
    assert!(watcher.0.load(Ordering::Relaxed) >= 5);
    assert_eq!(watcher.1.load(Ordering::Relaxed), report.iterations.len() as u64);
}

#[test]
fn costs_outside_the_range_are_refused_with_their_place() {
    // A line on which the third step costs `cost`.
    let line = |cost: f64| {
        idastar(&0u8, move |&n| [(n + 1, if n == 2 { cost } else { 1.0 })], |_| 0.0, |&n| n == 9)
    };
    assert_eq!(line(5.0).unwrap().unwrap().1, 13.0);
    for cost in [0.0, 0.5, -1.0, 251.0, 1e9] {
        let refused = line(cost).unwrap_err();
        assert_eq!(refused, ClosureError::Step { depth: 3, position: 0, cost });
        assert!(refused.to_string().contains(&format!("depth 3 costs {cost};")), "{refused}");
    }
    assert!(matches!(line(f64::NAN), Err(ClosureError::Step { cost, .. }) if cost.is_nan()));
    let zero = idastar(&0u8, |&n| [(n + 1, 1u32), (n + 2, 0)], |_| 0, |&n| n == 9);
    assert_eq!(zero, Err(ClosureError::Step { depth: 1, position: 1, cost: 0.0 }));
}

#[test]
fn estimates_that_are_no_numbers_are_refused() {
    let run = |bad: u8| {
        idastar(&0u8, |&n| [(n + 1, 1.0)], |&n| if n == bad { f64::NAN } else { 0.0 }, |&n| n == 9)
    };
    assert_eq!(run(0), Err(ClosureError::Estimate { depth: 0, position: 0 }));
    assert_eq!(run(4), Err(ClosureError::Estimate { depth: 4, position: 0 }));
}

#[test]
fn a_plan_above_the_range_is_an_error_and_not_an_overflow() {
    // Steps of 25 on a line: ten cost 250.
    let line = |goal: u32| idastar(&0u32, |&n| [(n + 1, 25u64)], |_| 0, |&n| n == goal);
    assert_eq!(line(10).unwrap().unwrap().1, 250);
    assert_eq!(line(11), Err(ClosureError::Range { lower_bound: 251 }));
    let far = idastar(&0u32, |&n| [(n + 1, 1u64)], |_| 1_000_000, |&n| n == 9);
    assert_eq!(far, Err(ClosureError::Range { lower_bound: 254 }));
    let wall = idastar(&0u32, |&n| [(n + 1, 1u8)], |&n| if n == 0 { 2 } else { 255 }, |_| false);
    assert_eq!(wall, Ok(None), "the greatest estimate says that no plan starts there");
    // The sum fits the engine, but not the caller's type.
    let small = idastar(&0u32, |&n| [(n + 1, 100i8)], |_| 0, |&n| n == 2);
    assert_eq!(small, Err(ClosureError::Sum { cost: 200 }));
}

#[test]
fn very_long_lists_are_refused_where_a_position_does_not_fit() {
    let list = |last: u32| move |&n: &u32| (1..=last).map(move |i| (n + i, 1u8));
    let run = |last: u32| idastar(&0, list(last), |&n| u8::from(n != last), |&n| n == last);
    assert_eq!(run(65_536).unwrap().unwrap().0, [0, 65_536]);
    assert_eq!(run(65_537), Err(ClosureError::Long { depth: 1 }));
}

#[test]
fn lists_may_change_their_order_from_call_to_call() {
    let mut random = Random::new(9);
    let shuffled = |at: &_| {
        let mut list = around(at);
        random.shuffle(&mut list);
        list
    };
    let answer = ClosureSearch::new(&(0, 0), shuffled, |at| far(at) / 2, |&at| at == (6, 5))
        .ida_star()
        .unwrap();
    let StatePath { states, cost } = answer.path().unwrap();
    assert_eq!((*cost, states.len(), states[11]), (11, 12, (6, 5)));
    assert!(
        states
            .windows(2)
            .all(|step| step[0].0.abs_diff(step[1].0) + step[0].1.abs_diff(step[1].1) == 1)
    );
}
