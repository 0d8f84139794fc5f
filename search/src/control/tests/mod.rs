//! Options have the same meaning for every search.

mod claims;

use crate::ida_star::tests::Prefetching;
use crate::stored::{a_star, bidirectional, greedy_best_first, uniform_cost, weighted_a_star};
use crate::testing::{GapHeuristic, Line, Pancake};
use crate::{
    CancelToken, Claims, Cost, Estimate, Group, Heuristic, Limit, Max, NoPruning, Options, Outcome,
    Verdict, Zero, depth_first, ida_star, ida_star_parallel,
};

fn reversed(size: usize) -> (Pancake, u64) {
    let domain = Pancake::new(size);
    let order: Vec<usize> = (0..size).map(|place| (place * 5 + 2) % size).collect();
    let start = domain.state(&order);
    (domain, start)
}

#[test]
fn no_plan_wanted_means_one() {
    let (domain, start) = reversed(7);
    let options = Options { plans: 0, ..Options::default() };
    let best = uniform_cost(&domain, &start, &options).lower_bound;
    for report in [
        ida_star(&domain, &Zero, &NoPruning, &start, &options),
        // The plan lies below the root tasks.
        ida_star_parallel(&domain, &Zero, &NoPruning, &start, &options),
        depth_first(&domain, &NoPruning, &start, &options),
    ] {
        assert!(matches!(&report.outcome, Outcome::Solved(plans) if plans.len() == 1));
        assert!(report.complete && report.lower_bound == best);
    }
}

/// With the cost of an optimal plan as upper bound, every search proves that none is cheaper. With
/// a greater cost as upper bound, it finds an optimal plan.
#[test]
fn every_search_looks_below_a_known_plan_alone() {
    let (domain, start) = reversed(7);
    let run = |known| {
        let options = Options { upper_bound: Some(known), ..Options::default() };
        [
            ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options),
            ida_star_parallel(&domain, &GapHeuristic, &NoPruning, &start, &options),
            depth_first(&domain, &NoPruning, &start, &options),
            a_star(&domain, &GapHeuristic, &start, &options),
            uniform_cost(&domain, &start, &options),
            weighted_a_star(&domain, &GapHeuristic, 1.5, &start, &options),
            bidirectional(&domain, &GapHeuristic, &Zero, &start, &domain.identity(), &options),
            greedy_best_first(&domain, &GapHeuristic, &start, &options),
        ]
    };
    let best = uniform_cost(&domain, &start, &Options::default()).lower_bound;
    assert!(best > 4);
    for (search, report) in run(best).into_iter().enumerate() {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound), "search {search}");
        // Greedy search proves no more than the estimate of the start.
        assert!(report.lower_bound == best || search == 7, "search {search}");
    }
    for report in run(best + 1) {
        assert_eq!(report.plan().map(|plan| plan.len()), Some(best.into()));
    }
    for report in run(0) {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
        assert!(report.generated() == 0);
    }
}

/// A search that pauses after each bound, and goes on from what is proven, makes the iterations of
/// one search.
#[test]
fn a_search_goes_on_after_a_pause_without_a_loss() {
    let (domain, start) = reversed(6);
    let run = |options: &Options| {
        [
            ida_star(&domain, &Zero, &NoPruning, &start, options),
            ida_star_parallel(&domain, &Zero, &NoPruning, &start, options),
        ]
    };
    for (search, whole) in run(&Options::default()).iter().enumerate() {
        let (mut iterations, mut lower_bound) = (Vec::new(), 0);
        let last = loop {
            let options = Options { pause: Some(1), lower_bound, ..Options::default() };
            let [serial, parallel] = run(&options);
            let part = if search == 0 { serial } else { parallel };
            // The bound of the start takes no node.
            assert!(part.iterations.len() <= 2);
            iterations.extend(&part.iterations);
            if part.outcome != Outcome::LimitReached(Limit::Nodes) {
                break part;
            }
            assert!(part.lower_bound > lower_bound);
            lower_bound = part.lower_bound;
        };
        assert!(iterations.len() > 2);
        assert_eq!((&iterations, &last.outcome), (&whole.iterations, &whole.outcome));
        assert_eq!(last.lower_bound, whole.lower_bound);
    }
}

#[test]
fn bounds_step_alike_with_and_without_a_heuristic() {
    let options = Options::default();
    let plain = depth_first(&Line::<5>, &NoPruning, &20, &options);
    let deepened = ida_star(&Line::<5>, &Zero, &NoPruning, &20, &options);
    assert_eq!(plain.iterations, deepened.iterations);
    assert_eq!((plain.outcome, plain.lower_bound), (deepened.outcome, 20));
}

/// Bounds of 1 for the start 1001, and of 255 for all other states.
struct Hopeless;

impl<const STEP: u32> Heuristic<Line<STEP>> for Hopeless {
    crate::carry_nothing! { Line<STEP> }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn bound(&self, _: &Line<STEP>, state: &u32, (): &mut (), _: Cost) -> Verdict<u32> {
        Verdict::bound(if *state == 1001 { 1 } else { Cost::MAX })
    }
}

/// A bound of 255 says that plans cost at least 255, not that no plan exists.
#[test]
fn the_largest_bound_is_no_proof_that_there_is_no_plan() {
    let options = Options::default();
    for report in [
        ida_star(&Line::<1>, &Hopeless, &NoPruning, &1001, &options),
        ida_star_parallel(&Line::<1>, &Hopeless, &NoPruning, &1001, &options),
    ] {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
        assert_eq!((report.lower_bound, report.optimal), (Cost::MAX, false));
    }
    let report = a_star(&Line::<1>, &Hopeless, &1001, &options);
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Bound));
    assert_eq!((report.lower_bound, report.optimal), (Cost::MAX, false));
}

/// Where a bound of 255 is a dead end, no other state left means no plan. 14 leads to 11, 8, 5, 2.
#[test]
fn a_search_that_cuts_only_dead_ends_proves_that_there_is_no_plan() {
    let options = Options::default();
    for dead in [14, 8, 5] {
        let far = Estimate(|&n: &u32| match n % 3 {
            0 => u8::from(n > 0),
            _ => {
                if n <= dead {
                    Cost::MAX
                } else {
                    1
                }
            }
        });
        let both = Max(Zero, far);
        let staged = Prefetching(both);
        for report in [
            ida_star(&Line::<3>, &both, &NoPruning, &14, &options),
            ida_star_parallel(&Line::<3>, &both, &NoPruning, &14, &options),
            ida_star(&Line::<3>, &staged, &NoPruning, &14, &options),
            ida_star_parallel(&Line::<3>, &staged, &NoPruning, &14, &options),
            a_star(&Line::<3>, &far, &14, &options),
            weighted_a_star(&Line::<3>, &far, 2.0, &14, &options),
        ] {
            assert_eq!((report.outcome, report.optimal), (Outcome::Unsolvable, true), "{dead}");
            assert!(report.complete);
        }
        let solved = ida_star(&Line::<3>, &far, &NoPruning, &15, &options);
        assert_eq!(solved.plan().map(|plan| plan.len()), Some(5));
    }
}

/// A report that is written as JSON reads back as the same report, whatever the outcome.
#[test]
fn reports_are_read_back_as_they_were_written() {
    let (domain, start) = (Pancake::new(7), Pancake::new(7).state(&[3, 1, 4, 0, 5, 2, 6]));
    let limits = crate::Limits { nodes: Some(1), ..crate::Limits::default() };
    let limited = Options { limits, ..Options::default() };
    for options in [Options::default(), limited] {
        let report = ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<crate::Report>(&text).unwrap(), report);
    }
}

#[test]
fn a_child_is_cancelled_with_its_parent_or_alone() {
    let parent = CancelToken::new();
    let (one, other) = (parent.child(), parent.child());
    one.clone().cancel();
    assert!(one.is_cancelled() && !parent.is_cancelled() && !other.is_cancelled());
    assert!(one.is_same(&one.clone()) && !one.is_same(&other));
    let grandchild = other.child();
    parent.cancel();
    assert!(other.is_cancelled() && grandchild.is_cancelled());
}

#[test]
fn a_child_with_a_deadline_ends_with_it_and_its_parent_goes_on() {
    let parent = CancelToken::new();
    let over = parent.child_within(Some(std::time::Duration::ZERO));
    let endless = parent.child_within(None);
    let late = parent.child_within(Some(std::time::Duration::MAX));
    assert!(over.is_cancelled() && over.child().is_cancelled() && !parent.is_cancelled());
    assert!(!endless.is_cancelled() && !late.is_cancelled());
    parent.cancel();
    assert!(endless.is_cancelled() && late.is_cancelled());
}
