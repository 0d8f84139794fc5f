//! Compares the searches that store states with Dijkstra's algorithm and breadth-first distances.

use super::{Graph, Place, around, distances, far, graph, small, successors};
use crate::*;
use num_traits::PrimInt;
use petgraph::visit::Bfs;
use search::Limit;
use search::random::Random;
use std::cell::Cell;
use std::fmt::Debug;

/// A random graph with costs of 0 to 4 times `unit`, and admissible estimates that need not be
/// consistent.
pub(super) struct Case {
    graph: Graph,
    pub(super) goals: Vec<bool>,
    estimates: Vec<Option<u16>>,
    pub(super) truth: Vec<Option<u16>>,
}

impl Case {
    pub(super) fn new(random: &mut Random) -> Self {
        let nodes = 3 + random.index(25);
        let edges = nodes + random.index(2 * nodes);
        let mut graph = graph(random, nodes, edges, 5);
        graph.edge_weights_mut().for_each(|cost| *cost -= 1);
        let goals: Vec<bool> = (0..nodes).map(|_| random.index(9) == 0).collect();
        let positions: Vec<_> = (0..nodes).filter(|&node| goals[node]).collect();
        let truth = distances(&graph, &positions);
        let estimate = |distance: &Option<u16>| distance.map(|far| small(random, far + 1));
        let estimates = truth.iter().map(estimate).collect();
        Self { graph, goals, estimates, truth }
    }

    /// The successors of a node, with costs in units.
    pub(super) fn successors(&self, at: usize) -> Vec<(usize, u16)> {
        successors(&self.graph, &at)
    }

    /// The fewest steps from `start` to a goal.
    fn steps(&self, start: usize) -> Option<usize> {
        let mut unit = self.graph.clone();
        unit.edge_weights_mut().for_each(|cost| *cost = 1);
        let goals: Vec<_> = (0..self.goals.len()).filter(|&node| self.goals[node]).collect();
        distances(&unit, &goals)[start].map(usize::from)
    }

    /// A search whose costs are multiples of `unit`.
    pub(super) fn search<'a, C: Count>(
        &'a self,
        start: &'a usize,
        unit: u64,
        how: impl Fn(Search<'a, C>) -> Found<C>,
    ) -> ClosureAnswer<usize, C> {
        let cost = move |cost: u16| C::from(u64::from(cost) * unit).unwrap();
        let steps: Successors<'a, C> = Box::new(move |at| {
            successors(&self.graph, at).into_iter().map(|(to, step)| (to, cost(step))).collect()
        });
        let estimate: Estimate<'a, C> =
            Box::new(move |&at| self.estimates[at].map_or(C::max_value(), cost));
        let goals: Goals<'a> = Box::new(move |&at| self.goals[at]);
        let answer = how(ClosureSearch::new(start, steps, estimate, goals)).unwrap();
        self.replay(*start, &answer);
        answer
    }

    /// The positions of the plan lead along the states of the path, at most at its cost.
    fn replay<C: Count>(&self, start: usize, answer: &ClosureAnswer<usize, C>) {
        let Some(path) = answer.path() else {
            assert!(answer.report.plan().is_none());
            return;
        };
        let mut states = vec![start];
        for op in answer.report.plan().unwrap() {
            let at = states[states.len() - 1];
            states.push(successors(&self.graph, &at)[op.index()].0);
        }
        assert_eq!(states, path.states);
        assert!(self.goals[states[states.len() - 1]]);
    }
}

/// The type of costs.
pub(super) trait Count: Number + PrimInt + Debug + 'static {}

impl<C: Number + PrimInt + Debug + 'static> Count for C {}

pub(super) type Successors<'a, C> = Box<dyn FnMut(&usize) -> Vec<(usize, C)> + 'a>;
pub(super) type Estimate<'a, C> = Box<dyn FnMut(&usize) -> C + 'a>;
pub(super) type Goals<'a> = Box<dyn FnMut(&usize) -> bool + 'a>;
pub(super) type Search<'a, C> =
    ClosureSearch<'a, usize, C, Successors<'a, C>, Estimate<'a, C>, Goals<'a>>;
pub(super) type Found<C> = Result<ClosureAnswer<usize, C>, ClosureError>;

/// All searches, in one unit of costs.
fn check<C: Count>(unit: u64, seed: u64) {
    let mut random = Random::new(seed);
    let (mut solved, mut hopeless, mut worse) = (0, 0, 0);
    for round in 0..1500 {
        let case = Case::new(&mut random);
        let start = random.index(case.goals.len());
        let least = case.truth[start].map(|cost| C::from(u64::from(cost) * unit).unwrap());
        for answer in [
            case.search(&start, unit, |search| search.a_star()),
            case.search(&start, unit, |search| search.uniform_cost()),
            case.search(&start, unit, |search| search.weighted_a_star(1.0)),
        ] {
            assert_eq!(answer.path().map(|path| path.cost), least, "{round}");
            match least {
                Some(least) => assert_eq!(answer.report.lower_bound, least),
                None => assert_eq!(answer.report.outcome, Outcome::Unsolvable),
            }
            assert!(answer.report.optimal && answer.report.complete);
        }
        let weighted: ClosureAnswer<_, C> =
            case.search(&start, unit, |search| search.weighted_a_star(2.5));
        assert_eq!(weighted.path().is_some(), least.is_some());
        if let (Some(path), Some(least)) = (weighted.path(), least) {
            let float = |cost: C| cost.to_f64().unwrap();
            assert!(float(path.cost) <= 2.5 * float(least));
            assert!(weighted.report.lower_bound <= least && least <= path.cost);
            assert_eq!(weighted.report.optimal, weighted.report.lower_bound == path.cost);
            worse += u32::from(path.cost > least);
        }
        let fewest = case.search(&start, unit, |search: Search<'_, C>| search.breadth_first());
        let steps = case.steps(start);
        assert_eq!(fewest.path().map(|path| path.states.len() - 1), steps);
        assert_eq!(fewest.path().map(|path| path.cost), steps.and_then(C::from));
        if let Some(steps) = steps {
            assert_eq!(
                (fewest.report.lower_bound.to_usize(), fewest.report.optimal),
                (Some(steps), true)
            );
        }
        *(if least.is_some() { &mut solved } else { &mut hopeless }) += 1;
    }
    assert!(solved > 500 && hopeless > 200 && worse > 10, "{solved} {hopeless} {worse}");
}

#[test]
fn small_costs_in_buckets_are_those_of_dijkstra() {
    check::<u32>(1, 11);
    check::<i16>(3, 12);
}

#[test]
fn great_costs_in_a_heap_are_those_of_dijkstra() {
    check::<u32>(1_000_003, 13);
    check::<usize>(97, 14);
    check::<i64>(1 << 40, 15);
}

/// The searches expand the same places as a search by hand: each once.
#[test]
fn a_consistent_estimate_expands_each_state_once() {
    let calls = (Cell::new(0u64), Cell::new(0u64));
    let count = |cell: &Cell<u64>| cell.set(cell.get() + 1);
    let steps = |at: &Place| {
        count(&calls.0);
        around(at)
    };
    let estimate = |at: &Place| {
        count(&calls.1);
        far(at)
    };
    let answer = ClosureSearch::new(&(0, 0), steps, estimate, |&at| at == (6, 5)).a_star().unwrap();
    let path = answer.path().unwrap();
    assert_eq!((path.cost, path.states.len(), answer.report.expanded()), (11, 12, 11));
    // One list for each expanded state, and one for each step of the plan.
    assert_eq!(calls.0.get(), 11 + 11);
    // One estimate for each place.
    assert!(calls.1.get() < answer.report.generated());
}

#[test]
fn breadth_first_search_expands_all_nearer_states_and_no_farther_ones() {
    let run = |goal: Place| {
        let answer = ClosureSearch::new(&(0, 0), around, |_| 0, |&at| at == goal).breadth_first();
        answer.unwrap()
    };
    // Places at distance 0 to 4, and the first at distance 5.
    let answer = run((6, 0));
    assert_eq!(answer.path().unwrap().cost, 6);
    let nearer = |distance: u64| 2 * distance * (distance + 1) + 1;
    assert!((nearer(4)..=nearer(5)).contains(&answer.report.expanded()));
    assert_eq!(run((0, 0)).path().unwrap().cost, 0);
}

#[test]
fn limits_end_with_a_proven_bound() {
    let run = |limits: Limits<u64>, weight: f64| {
        let search = ClosureSearch::new(&(0, 0), around, |at| far(at) / 3, |_| false);
        let answer = search.limits(limits).weighted_a_star(weight).unwrap();
        assert!(answer.paths.is_empty());
        answer.report
    };
    let limits = Limits::<u64>::default;
    for weight in [1.0, 1.5] {
        let report = run(Limits { nodes: Some(10_000), ..limits() }, weight);
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
        assert!((10_000..11_100).contains(&report.generated()) && report.lower_bound > 20);
        let report = run(Limits { bytes: Some(1 << 20), ..limits() }, weight);
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bytes));
        assert!(report.lower_bound > 20);
        let report = run(Limits { bound: Some(18), ..limits() }, weight);
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
        assert_eq!(report.lower_bound, 19);
    }
    let report = run(Limits { time: Some(std::time::Duration::from_millis(30)), ..limits() }, 1.0);
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
    assert!(report.elapsed < std::time::Duration::from_secs(2));
}

#[test]
fn a_search_is_cancelled_from_a_closure() {
    let cancel = CancelToken::new();
    let mut lists = 0;
    let counted = |at: &Place| {
        lists += 1;
        if lists == 5000 {
            cancel.cancel();
        }
        around(at)
    };
    let search = ClosureSearch::new(&(0, 0), counted, |_| 0, |_| false).cancel(&cancel);
    let report = search.uniform_cost().unwrap().report;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert!((5000..=6024).contains(&report.expanded()), "{}", report.expanded());
}

#[test]
fn what_no_search_can_handle_is_refused_with_its_place() {
    let line = |cost: i32| {
        let steps = move |&n: &u32| [(n + 9, 1), (n + 1, if n == 2 { cost } else { 1 })];
        ClosureSearch::new(&0u32, steps, |_| -7, |&n| n == 4).a_star()
    };
    assert_eq!(line(0).unwrap().path().unwrap().cost, 3);
    let refused = line(-2).unwrap_err();
    assert_eq!(refused, ClosureError::Negative { depth: 3, position: 1, cost: -2.0 });
    assert!(refused.to_string().contains("depth 3 costs -2;"), "{refused}");

    let long = |last: u32| {
        let list = move |&n: &u32| (1..=last).map(move |i| (n + i, 1u8));
        ClosureSearch::new(&0, list, |&n| u8::from(n != last), |&n| n == last).a_star()
    };
    assert_eq!(long(65_536).unwrap().path().unwrap().states, [0, 65_536]);
    assert_eq!(long(65_537).unwrap_err(), ClosureError::Long { depth: 1 });

    // The second time, the step to 1 is gone.
    let mut calls = 0;
    let forgetful = |&n: &u32| {
        calls += 1;
        (calls < 3).then_some((n + 1, 1u32))
    };
    let changed = ClosureSearch::new(&0, forgetful, |_| 0, |&n| n == 2).a_star().unwrap_err();
    assert_eq!(changed, ClosureError::Changed { depth: 1 });
}

#[test]
fn sums_beyond_the_type_are_too_costly_and_not_wrong() {
    let line = |goal: u32| {
        ClosureSearch::new(&0u32, |&n| [(n + 1, 100u8)], |_| 0, |&n| n == goal).a_star().unwrap()
    };
    assert_eq!(line(2).path().unwrap().cost, 200);
    assert_eq!(line(3).report.outcome, Outcome::LimitReached(Limit::Bound));
    assert_eq!(line(3).report.lower_bound, u8::MAX);
}

/// States on the heap, as a newcomer writes them, and the breadth-first layers of another crate.
#[test]
fn states_may_own_heap_memory() {
    let mut random = Random::new(5);
    let graph = graph(&mut random, 40, 200, 1);
    let mut reached = 0;
    let mut all = Bfs::new(&graph, 0.into());
    while let Some(goal) = all.next(&graph) {
        let name = |node: usize| vec![node.to_string()];
        let steps = |state: &Vec<String>| {
            let node = state[0].parse().unwrap();
            successors(&graph, &node)
                .into_iter()
                .map(|(to, cost)| (name(to), cost))
                .collect::<Vec<_>>()
        };
        let target = name(goal.index());
        let start = name(0);
        let search = || ClosureSearch::new(&start, steps, |_| 0, |state| *state == target);
        let (a, b) = (search().breadth_first().unwrap(), search().uniform_cost().unwrap());
        assert_eq!(a.path().unwrap().cost, b.path().unwrap().cost);
        reached += 1;
    }
    assert!(reached > 20);
}

/// An estimate that is ten times too high, and a given bound: neither makes a plan optimal.
#[test]
fn a_plan_below_an_estimate_or_a_given_bound_proves_nothing() {
    let line = |at: &u32| [(at + 1, 1u32)];
    let bound = |lower_bound| Options { lower_bound, ..Options::default() };
    for (factor, options) in [(10, bound(0)), (1, bound(9))] {
        let search = || {
            let far = |at: &u32| factor * (5 - at.min(&5));
            ClosureSearch::new(&0, line, far, |&at| at == 5).options(options.clone())
        };
        for answer in [search().ida_star(), search().ida_star_wide(), search().a_star()] {
            let answer = answer.unwrap();
            assert_eq!(answer.path().map(|path| path.cost), Some(5));
            assert_eq!((answer.report.lower_bound, answer.report.optimal), (0, false));
        }
    }
}
