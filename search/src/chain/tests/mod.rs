//! Chains of two and three stages that sort pancakes, against breadth-first distances.

mod inadmissible;
mod staged;

use super::*;
use crate::control::{CancelToken, Limits, Observer};
use crate::domain::{Domain, Group, Op, OpSet};
use crate::heuristic::{Claims, Heuristic, Verdict};
use crate::plan::validate;
use crate::pruning::{InversePruning, NoPruning, Pruning};
use crate::testing::{CostlyPancake, Distances, GapHeuristic, Pancake, PancakeList};
use crate::{Plan, Zero};
use std::sync::Mutex;
use std::time::Duration;

/// The number of pairs of pancakes `i` and `i + 1`, with `i` at least `from`, that are no
/// neighbours in the stack. The plate counts as the last pancake.
///
/// Admissible if the goal is a stack sorted from place `from` on: yes (a flip joins at most one
/// pair).
struct Below {
    from: usize,
}

impl Heuristic<CostlyPancake> for Below {
    crate::carry_nothing! { CostlyPancake }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn bound(&self, domain: &CostlyPancake, state: &u64, (): &mut (), _: Cost) -> Verdict<u32> {
        let size = domain.pancake.size();
        let beside = |place: usize| {
            let [a, b] = [place, place + 1].map(|place| Pancake::pancake(*state, place));
            a.abs_diff(b) == 1 && a.min(b) >= self.from
        };
        let together = (0..size).filter(|&place| beside(place)).count();
        Verdict::bound(Cost::try_from(size - self.from - together).unwrap())
    }
}

/// The gap heuristic of the whole stack.
struct Gaps;

impl Heuristic<CostlyPancake> for Gaps {
    crate::carry_nothing! { CostlyPancake }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn bound(&self, domain: &CostlyPancake, state: &u64, (): &mut (), _: Cost) -> Verdict<u32> {
        Verdict::bound(GapHeuristic.root(&domain.pancake, state))
    }
}

/// Whether all pancakes from a place on are at their goal places.
fn sorted_from(from: usize) -> impl Fn(&u64) -> bool + Sync {
    move |state| {
        (from..15).all(|place| {
            let pancake = Pancake::pancake(*state, place);
            pancake == place || pancake == 0 && state >> (4 * place) == 0
        })
    }
}

fn unit(size: usize) -> CostlyPancake {
    CostlyPancake { pancake: Pancake::new(size), cost: |_| 1 }
}

/// Every second operator costs 2.
fn dear(size: usize) -> CostlyPancake {
    CostlyPancake { cost: |op| 1 + Cost::from(op.0 % 2 == 1), ..unit(size) }
}

/// Sorts the places from `from` on first, then the upper part with the smaller flips.
fn two_stages(from: usize) -> Vec<Box<dyn AnyStage<CostlyPancake>>> {
    let first = Stage {
        operators: u32::FULL,
        goal: sorted_from(from),
        heuristic: Below { from },
        pruning: InversePruning,
    };
    let second = Stage {
        operators: u32::first(from - 1),
        goal: sorted_from(0),
        heuristic: Gaps,
        pruning: InversePruning,
    };
    vec![Box::new(first), Box::new(second)]
}

/// Sorts the places from `middle` on, then those from `upper` on, then the rest.
fn three_stages(middle: usize, upper: usize) -> Vec<Box<dyn AnyStage<CostlyPancake>>> {
    let stage = |operators, from| Stage {
        operators,
        goal: sorted_from(from),
        heuristic: Below { from },
        pruning: NoPruning,
    };
    let last = Stage {
        operators: u32::first(upper - 1),
        goal: sorted_from(0),
        heuristic: Zero,
        pruning: NoPruning,
    };
    let second = stage(u32::first(middle - 1), upper);
    vec![Box::new(stage(u32::FULL, middle)), Box::new(second), Box::new(last)]
}

/// The stages as a chain.
fn chain(stages: &[Box<dyn AnyStage<CostlyPancake>>]) -> Vec<&dyn AnyStage<CostlyPancake>> {
    stages.iter().map(|stage| &**stage).collect()
}

/// Forbids strings of more than this many flips.
struct AtMost(Cost);

impl Pruning<CostlyPancake> for AtMost {
    /// The flips so far.
    type State = Cost;
    const DEAD_ENDS: bool = true;
    fn start(&self, _: &CostlyPancake, _: &u64) -> Cost {
        0
    }
    fn allowed(&self, _: &CostlyPancake, flips: Cost) -> u32 {
        if flips < self.0 { u32::FULL } else { 0 }
    }
    fn next(&self, _: &CostlyPancake, flips: Cost, _: Op) -> Cost {
        flips + 1
    }
    fn dead_end(&self, _: &CostlyPancake, flips: Cost, remaining: Cost) -> bool {
        remaining > self.0.saturating_sub(flips)
    }
}

/// A plan of the last stage may cost less than the limit. So a dead end for plans that spend the
/// whole limit must not be cut.
#[test]
fn dead_ends_cut_no_plan_below_the_limit() {
    let domain = unit(6);
    let first = Stage {
        operators: u32::FULL,
        goal: sorted_from(4),
        heuristic: Below { from: 4 },
        pruning: NoPruning,
    };
    // No stack of four pancakes needs more than four flips.
    let second = Stage {
        operators: u32::first(3),
        goal: sorted_from(0),
        heuristic: Zero,
        pruning: AtMost(4),
    };
    check(&domain, &[Box::new(first), Box::new(second)], false, 100, 1);
}

/// Records the plans and the upper bounds that an observer gets.
#[derive(Default)]
struct Notes {
    plans: Mutex<Vec<(Plan, Cost)>>,
    known: Mutex<Vec<Option<Cost>>>,
}

impl Observer for Notes {
    fn improved(&self, plan: &Plan, cost: Cost) {
        self.plans.lock().unwrap().push((plan.clone(), cost));
    }
    fn progress(&self, progress: &crate::Progress) {
        self.known.lock().unwrap().push(progress.upper_bound);
    }
}

/// Runs a chain to its end from every state whose number is a multiple of `every`. Every reported
/// plan is valid and better than the one before, and the last one has the true distance.
fn check(
    domain: &CostlyPancake,
    stages: &[Box<dyn AnyStage<CostlyPancake>>],
    inverses: bool,
    ceiling: Cost,
    every: usize,
) {
    let stages = chain(stages);
    let distances = Distances::from_goals(domain, &[domain.identity()], 40);
    let (mut seen, mut several) = (0, 0);
    let mut place = 0;
    distances
        .try_for_each(|state, distance, _| {
            place += 1;
            if place % every != 0 {
                return Ok(());
            }
            let mut images = vec![Image::plain(*state)];
            if inverses {
                images.push(Image::new(domain, state, 0, true));
            }
            let notes = Notes::default();
            let options = Options { observer: &notes, ..Options::default() };
            let report = search_chain(domain, &stages, &images, ceiling, &options);
            let told = notes.plans.into_inner().unwrap();
            assert!(told.is_sorted_by(|(_, a), (_, b)| a > b), "{told:?}");
            let list = PancakeList::of(&domain.pancake, *state);
            for (plan, cost) in &told {
                assert_eq!(validate(&PancakeList, &list, plan), Ok(()), "{list:?}");
                assert_eq!(plan.iter().map(|&op| domain.cost(op)).sum::<Cost>(), *cost);
            }
            assert_eq!(told.last().map(|(_, cost)| *cost), Some(distance), "{list:?}");
            assert_eq!(report.plan(), told.last().map(|(plan, _)| plan));
            assert!(report.complete && report.lower_bound <= distance);
            assert_eq!(report.optimal, distance == 0);
            seen += 1;
            several += usize::from(told.len() > 1);
            Ok::<(), ()>(())
        })
        .unwrap();
    assert!(seen > 60 && several > 0, "{seen} states, {several} with more than one plan");
}

#[test]
fn two_stages_end_at_the_true_distance() {
    let domain = unit(7);
    for from in [3, 4] {
        check(&domain, &two_stages(from), false, Cost::MAX, 23);
        check(&domain, &two_stages(from), true, 3, 31);
    }
}

/// Whatever the first ceiling, the search ends with a cheapest plan.
#[test]
fn a_ceiling_leaves_nothing_out_for_good() {
    let domain = unit(6);
    for ceiling in [0, 1, 2] {
        check(&domain, &two_stages(4), false, ceiling, 1);
    }
}

#[test]
fn three_stages_end_at_the_true_distance() {
    let domain = unit(7);
    check(&domain, &three_stages(5, 3), false, Cost::MAX, 37);
    check(&domain, &three_stages(5, 3), true, 2, 43);
}

#[test]
fn operators_may_cost_differently() {
    let domain = dear(6);
    check(&domain, &two_stages(4), false, Cost::MAX, 1);
    check(&domain, &two_stages(3), true, 2, 3);
    check(&domain, &three_stages(4, 3), true, Cost::MAX, 3);
}

/// A chain of one stage finds the plan that iterative deepening finds.
#[test]
fn a_chain_may_have_one_stage() {
    let domain = unit(6);
    let only =
        Stage { operators: u32::FULL, goal: sorted_from(0), heuristic: Gaps, pruning: NoPruning };
    let state = domain.pancake.state(&[3, 0, 5, 1, 4, 2]);
    let report = search_chain(&domain, &[&only], &[Image::plain(state)], 0, &Options::default());
    let optimal = crate::ida_star(&domain, &Gaps, &NoPruning, &state, &Options::default());
    assert_eq!(report.plan(), optimal.plan());
}

const HARD: [usize; 12] = [3, 9, 0, 6, 11, 1, 8, 4, 10, 2, 7, 5];

/// Searches a large stack with these options.
fn hard(options: &Options) -> Report {
    let domain = unit(12);
    let image = Image::plain(domain.pancake.state(&HARD));
    search_chain(&domain, &chain(&two_stages(8)), &[image], 10, options)
}

#[test]
fn limits_end_the_search_with_the_best_plan() {
    let notes = Notes::default();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let limited = |limits| hard(&Options { limits, observer: &notes, ..Options::default() });
    let nothing = limited(nodes(0));
    assert_eq!(nothing.outcome, Outcome::LimitReached(Limit::Nodes));
    assert_eq!(nothing.generated(), 0);
    let (some, more) = (limited(nodes(100_000)), limited(nodes(400_000)));
    let length = |report: &Report| report.plan().expect("a plan").len();
    assert!(length(&some) >= length(&more) && !some.complete && !some.optimal);
    assert!((100_000..400_000).contains(&some.generated()) && more.generated() < 500_000);
    assert_eq!(some.iterations, limited(nodes(100_000)).iterations);
    assert!(
        notes.known.into_inner().unwrap().contains(&Some(Cost::try_from(length(&some)).unwrap()))
    );
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let timed = hard(&Options { limits: time, ..Options::default() });
    assert_eq!(timed.outcome, Outcome::LimitReached(Limit::Time));
}

#[test]
fn a_cancelled_search_says_so() {
    let report = hard(&Options { cancel: CancelToken::cancelled(), ..Options::default() });
    assert_eq!((report.outcome, report.complete), (Outcome::Cancelled, false));
}

/// The search looks only for plans below the known cost and within the bound.
#[test]
fn known_plans_are_not_found_again() {
    let domain = unit(7);
    let state = domain.pancake.state(&[3, 0, 6, 1, 5, 2, 4]);
    let distance = Distances::from_goals(&domain, &[domain.identity()], 20).cost(&state).unwrap();
    let stages = two_stages(4);
    let run = |upper_bound, bound| {
        let limits = Limits { bound, ..Limits::default() };
        let options = Options { limits, upper_bound, ..Options::default() };
        search_chain(&domain, &chain(&stages), &[Image::plain(state)], Cost::MAX, &options)
    };
    for (known, bound, there) in [
        (Some(distance + 1), None, true),
        (Some(distance), None, false),
        (None, Some(distance), true),
        (None, Some(distance - 1), false),
    ] {
        let report = run(known, bound);
        assert_eq!(report.plan().is_some(), there, "{known:?} {bound:?}");
        let outcome = Outcome::LimitReached(Limit::Bound);
        assert!(there || report.outcome == outcome, "{:?}", report.outcome);
        assert!(report.complete);
    }
}
