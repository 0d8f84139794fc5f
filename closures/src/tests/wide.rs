//! Compares iterative deepening with costs of any integer type with Dijkstra's algorithm and with
//! an enumeration of all plans.

use super::storing::{Case, Count};
use super::{Place, around, far};
use crate::*;
use search::Limit;
use search::random::Random;
use std::cell::Cell;

/// All cheapest plans that pass no state twice: the operators of each, sorted.
fn all_plans(case: &Case, start: usize) -> Vec<Plan> {
    fn extend(case: &Case, path: &mut Vec<usize>, plan: &mut Plan, left: u16, all: &mut Vec<Plan>) {
        let at = path[path.len() - 1];
        if case.goals[at] {
            if left == 0 {
                all.push(plan.clone());
            }
            return;
        }
        for (op, (to, cost)) in (0..).map(search::Op).zip(case.successors(at)) {
            if cost <= left && !path.contains(&to) {
                path.push(to);
                plan.push(op);
                extend(case, path, plan, left - cost, all);
                plan.pop();
                path.pop();
            }
        }
    }
    let mut all = Vec::new();
    if let Some(least) = case.truth[start] {
        extend(case, &mut vec![start], &mut Plan::new(), least, &mut all);
    }
    all.sort();
    all
}

/// Random graphs with costs of 0 to 4 units. The estimate of a state that reaches no goal says so.
fn check<C: Count>(unit: u64, seed: u64) {
    let mut random = Random::new(seed);
    let (mut solved, mut hopeless, mut several, mut passed) = (0, 0, 0, 0);
    for round in 0..600 {
        let case = Case::new(&mut random);
        let start = random.index(case.goals.len());
        let least = case.truth[start].map(|cost| C::from(u64::from(cost) * unit).unwrap());
        let answer = case.search(&start, unit, |search| search.ida_star_wide());
        assert_eq!(answer.path().map(|path| path.cost), least, "{round}");
        assert!(answer.report.optimal && answer.report.complete);
        let stored: ClosureAnswer<_, C> = case.search(&start, unit, |search| search.a_star());
        assert_eq!(stored.report.lower_bound, answer.report.lower_bound);
        let Some(least) = least else {
            assert_eq!(answer.report.outcome, Outcome::Unsolvable);
            hopeless += 1;
            continue;
        };
        solved += 1;
        assert_eq!(answer.report.lower_bound, least);
        let last = answer.report.iterations.last();
        passed += u32::from(last.is_some_and(|last| last.bound > least));

        let plans: ClosureAnswer<_, C> =
            case.search(&start, unit, |search| search.plans(10_000).ida_star_wide());
        let all = all_plans(&case, start);
        let Outcome::Solved(mut found) = plans.report.outcome else { panic!("{round}") };
        found.sort();
        assert_eq!(found, all, "{round}");
        assert!(plans.paths.iter().all(|path| path.cost == least));
        several += u32::from(all.len() > 1);
        let two = case.search(&start, unit, |search: super::storing::Search<'_, C>| {
            search.plans(2).ida_star_wide()
        });
        assert_eq!((two.paths.len(), two.report.complete), (all.len().min(2), true));
    }
    assert!(solved > 200 && hopeless > 80 && several > 30, "{solved} {hopeless} {several}");
    assert!(passed > 20, "{passed}");
}

#[test]
fn costs_and_plans_are_those_of_an_enumeration() {
    check::<u32>(1, 21);
    check::<i16>(300, 22);
    check::<u64>(1_000_003, 23);
    check::<i64>(1 << 40, 24);
    check::<u128>(1 << 50, 25);
}

/// Many values of `f` make few iterations.
#[test]
fn bounds_pass_the_many_values_of_great_costs() {
    // A grid with eight directions. `f` is a sum of multiples of 1000 and 1414.
    let steps = |&(x, y): &Place| {
        let all = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (dx, dy)));
        let steps = all.filter(|&step| step != (0, 0));
        steps.map(move |(dx, dy)| ((x + dx, y + dy), if dx * dy == 0 { 1000u32 } else { 1414 }))
    };
    let estimate = |&(x, y): &Place| u32::try_from(900 * x.abs_diff(4).max(y.abs_diff(3))).unwrap();
    let search = || ClosureSearch::new(&(0, 0), steps, estimate, |&at| at == (4, 3));
    let (wide, stored) = (search().ida_star_wide().unwrap(), search().a_star().unwrap());
    assert_eq!(wide.path().unwrap().cost, 3 * 1414 + 1000);
    assert_eq!(wide.path().unwrap().cost, stored.path().unwrap().cost);
    assert!(wide.report.iterations.len() < 12, "{:?}", wide.report.iterations);
    let bounds = wide.report.iterations.windows(2);
    assert!(bounds.clone().all(|pair| pair[0].bound < pair[1].bound));
}

#[test]
fn long_paths_and_zero_steps_need_no_deep_stack() {
    // A line of 100,000 steps; from every tenth place, three steps of cost 0 lead around.
    let steps = |&(n, around): &(u32, u32)| {
        let on = if around == 0 { 1_000_000u64 } else { 0 };
        let turn = ((n, (around + 1) % 3), 0);
        std::iter::once(((n + u32::from(around == 0), around), on))
            .chain((n % 10 == 0).then_some(turn))
    };
    let left = |&(n, _): &(u32, u32)| 1_000_000 * u64::from(100_000 - n.min(100_000));
    let answer =
        ClosureSearch::new(&(0, 0), steps, left, |&(n, _)| n == 100_000).ida_star_wide().unwrap();
    assert_eq!(answer.path().unwrap().cost, 100_000_000_000);
    assert_eq!(answer.report.iterations.len(), 1);
}

#[test]
fn every_limit_ends_with_a_proven_bound() {
    let steps = |at: &Place| around(at).map(|(to, _)| (to, 1000u64));
    let run = |limits: Limits<u64>| {
        let search = ClosureSearch::new(&(0, 0), steps, |at| 300 * far(at), |_| false);
        let answer = search.limits(limits).ida_star_wide().unwrap();
        assert!(answer.paths.is_empty());
        answer.report
    };
    let limits = Limits::<u64>::default;
    let report = run(Limits { nodes: Some(10_000), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
    assert!((10_000..11_100).contains(&report.generated()) && report.lower_bound > 4000);
    let report = run(Limits { time: Some(std::time::Duration::from_millis(20)), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
    let report = run(Limits { bound: Some(5000), ..limits() });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
    assert!(report.lower_bound > 5000 && report.lower_bound <= 6000);
    assert!(report.iterations.iter().all(|iteration| iteration.bound <= 5000));
}

#[test]
fn a_limit_may_leave_a_plan_that_is_not_proven() {
    // The first plan costs 2000. The cheapest, 1990, lies behind many states.
    let steps = |&n: &u32| match n {
        0 => vec![(1, 1000u32), (10, 10)],
        1 => vec![(2, 1000)],
        2 => vec![],
        _ if n < 10_000 => vec![(n + 1, 0), (n + 10_000, 1500), (n + 20_000, 1600)],
        10_000 => vec![(2, 1980)],
        _ => vec![],
    };
    let search = || ClosureSearch::new(&0, steps, |_| 0, |&n| n == 2);
    let whole = search().ida_star_wide().unwrap();
    assert_eq!(whole.path().map(|path| path.cost), Some(1990));
    assert!(whole.report.optimal);
    let known = whole.report.iterations.last().unwrap();
    assert!(known.bound >= 2000, "the last bound is {}", known.bound);
    let before = whole.report.generated() - known.generated;
    let limits = Limits { nodes: Some(before + 1000), ..Limits::default() };
    let cut = search().limits(limits).ida_star_wide().unwrap();
    assert_eq!(cut.path().map(|path| path.cost), Some(2000));
    assert!(!cut.report.optimal && !cut.report.complete && cut.report.lower_bound <= 1990);
    assert!(matches!(cut.report.outcome, Outcome::Solved(_)));
}

#[test]
fn a_search_is_cancelled_from_a_closure() {
    let (cancel, lists) = (CancelToken::new(), Cell::new(0));
    let counted = |at: &Place| {
        lists.set(lists.get() + 1);
        if lists.get() == 5000 {
            cancel.cancel();
        }
        around(at)
    };
    let search = ClosureSearch::new(&(0, 0), counted, |_| 0, |_| false).cancel(&cancel);
    let report = search.ida_star_wide().unwrap().report;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert!((5000..=5256).contains(&report.expanded()), "{}", report.expanded());
}

#[test]
fn dead_ends_starts_and_sums_end_as_in_a_star() {
    let line = |h: u8, goal: u32| {
        let search = || ClosureSearch::new(&0u32, |&n| [(n + 1, 100u8)], |_| h, |&n| n == goal);
        let (wide, stored) = (search().ida_star_wide().unwrap(), search().a_star().unwrap());
        assert_eq!(wide.report.outcome, stored.report.outcome);
        assert_eq!(wide.report.lower_bound, stored.report.lower_bound);
        assert_eq!(wide.paths, stored.paths);
        wide.report
    };
    assert_eq!(line(255, 9).outcome, Outcome::Unsolvable);
    assert_eq!(line(0, 3).outcome, Outcome::LimitReached(Limit::Bound));
    assert_eq!(line(0, 3).lower_bound, 255);
    assert_eq!((line(0, 0).generated(), line(0, 2).lower_bound), (0, 200));

    let refused = |cost: i32| {
        let steps = move |&n: &u32| [(n + 9, 1), (n + 1, if n == 2 { cost } else { 1 })];
        ClosureSearch::new(&0u32, steps, |_| -7, |&n| n == 4).ida_star_wide()
    };
    assert_eq!(refused(0).unwrap().path().unwrap().cost, 3);
    let error = ClosureError::Negative { depth: 3, position: 1, cost: -2.0 };
    assert_eq!(refused(-2).unwrap_err(), error);
    let list = |&n: &u32| (1..=if n == 0 { 65_537 } else { 0 }).map(|i| (i, 1u8));
    let long = ClosureSearch::new(&0, list, |_| 0, |&n| n == 65_537);
    assert_eq!(long.ida_star_wide().unwrap_err(), ClosureError::Long { depth: 1 });
}

#[test]
fn known_bounds_are_used() {
    let search = |known: u32| {
        let options = Options { upper_bound: Some(known), ..Options::default() };
        let steps = |&n: &u32| [(n + 1, 1000u32)];
        ClosureSearch::new(&0, steps, |_| 0, |&n| n == 3).options(options).ida_star_wide().unwrap()
    };
    assert_eq!(search(3001).path().map(|path| path.cost), Some(3000));
    for known in [3000, 1, 0] {
        let answer = search(known);
        assert_eq!(answer.report.outcome, Outcome::LimitReached(Limit::Bound));
        assert!(answer.report.lower_bound >= known.min(1) && answer.path().is_none());
    }
}
