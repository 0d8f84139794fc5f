//! What a search claims if an estimate, a bound or the domain is wrong, and how soon it stops.

use crate::stored::{
    a_star, bidirectional, breadth_first, greedy_best_first, uniform_cost, weighted_a_star,
};
use crate::{
    CancelToken, Cost, Domain, Estimate, Limit, Limits, NoPruning, Observer, Op, OpSet, Options,
    Outcome, Packed, Progress, Report, Reversible, Scaled, Zero, depth_first, ida_star,
    ida_star_parallel,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The stairs 0 to 40. Operator 0 goes down, operator 1 goes up, and operator 2 stays where it is.
/// The goal is at the bottom. Only stairs that are all different can be told from their keys.
struct Stairs {
    /// What operator 0 costs.
    down: Cost,
    /// What operator 2 costs.
    stay: Cost,
    /// Keys drop this many bits.
    dropped: u32,
    /// How long an operator takes.
    slow: Duration,
    applied: AtomicU64,
}

impl Domain for Stairs {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        3
    }
    fn applicable(&self, state: &u32) -> u32 {
        u32::from(*state > 0) | u32::from(*state < 40) << 1 | u32::from(self.stay < 250) << 2
    }
    fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
        std::thread::sleep(self.slow);
        self.applied.fetch_add(1, Ordering::Relaxed);
        *to = [from.wrapping_sub(1), from + 1, *from][op.index()];
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }
    fn cost(&self, op: Op) -> Cost {
        [self.down, 1, self.stay][op.index()]
    }
}

impl Packed for Stairs {
    type Key = u32;
    fn pack(&self, state: &u32) -> u32 {
        state >> self.dropped
    }
    fn unpack(&self, key: u32, out: &mut u32) {
        *out = key << self.dropped;
    }
}

impl Reversible for Stairs {
    fn inverse_op(&self, op: Op) -> Op {
        [Op(1), Op(0), Op(2)][op.index()]
    }
}

/// Only down and up.
fn stairs() -> Stairs {
    let (slow, applied) = (Duration::ZERO, AtomicU64::new(0));
    Stairs { down: 1, stay: 250, dropped: 0, slow, applied }
}

/// The stairs above the bottom, times `factor`.
fn height(factor: Cost) -> Estimate<impl Fn(&u32) -> Cost + Sync> {
    Estimate(move |&state: &u32| Cost::try_from(state).unwrap().saturating_mul(factor))
}

/// Whether a search has found a plan of `cost`, and takes all bounds for wrong.
fn proves_nothing(report: &Report, cost: usize) -> bool {
    let Some(plan) = report.plan() else { return false };
    plan.len() == cost && !report.optimal && report.lower_bound == 0
}

#[test]
fn a_plan_below_a_given_bound_proves_nothing() {
    let (stairs, h) = (stairs(), height(1));
    let options = Options { lower_bound: 9, ..Options::default() };
    let reports = [
        ida_star(&stairs, &h, &NoPruning, &6, &options),
        ida_star_parallel(&stairs, &h, &NoPruning, &6, &options),
        depth_first(&stairs, &NoPruning, &6, &options),
        a_star(&stairs, &h, &6, &options),
        uniform_cost(&stairs, &6, &options),
        weighted_a_star(&stairs, &h, 1.5, &6, &options),
        greedy_best_first(&stairs, &h, &6, &options),
        breadth_first(&stairs, &6, &options),
        bidirectional(&stairs, &h, &Zero, &6, &0, &options),
        greedy_best_first(&stairs, &Scaled(height(1), 2.0), &6, &options),
        crate::bayes::hill_climbing(
            &stairs,
            |&state| state.into(),
            &6,
            crate::bayes::LookAhead::One,
            &options,
        ),
    ];
    for (search, report) in reports.iter().enumerate() {
        assert!(proves_nothing(report, 6), "{search}: {report:?}");
    }
    assert!(reports[..3].iter().all(|report| !report.complete));
}

#[test]
fn a_plan_below_an_estimate_proves_nothing() {
    let (stairs, options) = (stairs(), Options::default());
    let reports = [
        ida_star(&stairs, &height(3), &NoPruning, &6, &options),
        ida_star_parallel(&stairs, &height(3), &NoPruning, &6, &options),
        a_star(&stairs, &height(3), &6, &options),
        weighted_a_star(&stairs, &height(3), 1.5, &6, &options),
        greedy_best_first(&stairs, &height(3), &6, &options),
    ];
    for (search, report) in reports.iter().enumerate() {
        assert!(proves_nothing(report, 6), "{search}: {report:?}");
    }
    // The two ends meet before the bound has risen to what the estimate says.
    let back = Estimate(|&state: &u32| Cost::try_from(state.abs_diff(6)).unwrap() * 3);
    let report = bidirectional(&stairs, &height(3), &back, &6, &0, &options);
    assert!(proves_nothing(&report, 6), "{report:?}");
}

/// All searches of a domain find plans of cost 250, and none of 251.
#[test]
fn plans_cost_at_most_250() {
    let options = Options::default();
    for (down, outcome) in [
        (250, Outcome::Solved(vec![[Op(0)].into_iter().collect()])),
        (251, Outcome::LimitReached(Limit::Bound)),
    ] {
        let steep = Stairs { down, ..stairs() };
        for (search, report) in [
            ida_star(&steep, &Zero, &NoPruning, &1, &options),
            ida_star_parallel(&steep, &Zero, &NoPruning, &1, &options),
            a_star(&steep, &Zero, &1, &options),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!((report.outcome, report.lower_bound), (outcome.clone(), down), "{search}");
        }
    }
}

/// An operator that costs 0 is refused before the search, by name. Searches that store states take
/// it.
#[test]
fn operators_that_cost_nothing_are_named() {
    let free = Stairs { stay: 0, ..stairs() };
    let options = Options::default();
    let searches: [&dyn Fn() -> Report; 3] = [
        &|| ida_star(&free, &Zero, &NoPruning, &3, &options),
        &|| ida_star_parallel(&free, &Zero, &NoPruning, &3, &options),
        &|| depth_first(&free, &NoPruning, &3, &options),
    ];
    for search in searches {
        let panic = catch_unwind(AssertUnwindSafe(search)).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert_eq!(text, "operator 2 costs 0: every operator of a domain costs at least 1");
    }
    let report = a_star(&free, &height(1), &3, &options);
    assert_eq!((report.lower_bound, report.optimal), (3, true));
}

/// A plan that does not lead to the goal is no answer.
#[test]
fn a_search_that_mixes_states_up_says_that_the_domain_is_wrong() {
    let mixed = Stairs { dropped: 1, ..stairs() };
    let options = Options::default();
    let searches: [&dyn Fn() -> Report; 2] = [&|| uniform_cost(&mixed, &5, &options), &|| {
        bidirectional(&mixed, &Zero, &Zero, &5, &0, &options)
    }];
    for search in searches {
        match catch_unwind(AssertUnwindSafe(search)) {
            Ok(report) => assert_eq!(report.plan(), None),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap();
                assert!(text.contains("the domain breaks a law"), "{text}");
            }
        }
    }
}

/// A greedy search takes no estimate for proven that may be too high.
#[test]
fn greedy_search_goes_on_above_an_estimate_that_may_be_too_high() {
    let stairs = stairs();
    let report = greedy_best_first(&stairs, &Scaled(height(1), 50.0), &6, &Options::default());
    assert_eq!(report.plan().map(|plan| plan.len()), Some(6));
    let options = Options { upper_bound: Some(7), ..Options::default() };
    let report = greedy_best_first(&stairs, &Scaled(height(1), 5.0), &6, &options);
    assert_eq!(report.plan().map(|plan| plan.len()), Some(6));
}

/// Remembers the greatest lower bound that it hears.
#[derive(Default)]
struct Bounds(AtomicU64);

impl Observer for Bounds {
    fn progress(&self, progress: &Progress) {
        self.0.fetch_max(progress.lower_bound.into(), Ordering::Relaxed);
    }
}

#[test]
fn greedy_search_reports_no_estimate_that_may_be_too_high() {
    let bounds = Bounds::default();
    let options = Options { observer: &bounds, ..Options::default() };
    greedy_best_first(&stairs(), &Scaled(height(1), 5.0), &6, &options);
    assert!(bounds.0.into_inner() <= 1);
}

/// The searches that store states.
fn storing(stairs: &Stairs, options: &Options) -> [Report; 4] {
    [
        uniform_cost(stairs, &40, options),
        breadth_first(stairs, &40, options),
        greedy_best_first(stairs, &Zero, &40, options),
        bidirectional(stairs, &Zero, &Zero, &40, &0, options),
    ]
}

#[test]
fn searches_that_store_states_keep_to_a_limit_of_nodes() {
    for nodes in [0, 1, 2, 7, 20] {
        let options = Options::from(Limits { nodes: Some(nodes), ..Limits::default() });
        for (search, report) in storing(&stairs(), &options).iter().enumerate() {
            assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes), "{search}");
            assert_eq!(report.generated(), nodes, "{search}");
        }
    }
}

#[test]
fn searches_that_store_states_keep_to_a_limit_of_time_where_operators_are_slow() {
    let slow = Stairs { slow: Duration::from_millis(4), ..stairs() };
    let options =
        Options::from(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
    for report in storing(&slow, &options) {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
    }
    // 41 stairs take 160 ms at least.
    assert!(slow.applied.load(Ordering::Relaxed) < 4 * 20);
}

/// Numbers on which 120 operators add or subtract, and no goal near.
struct Wide(AtomicU64, CancelToken);

impl Domain for Wide {
    type State = i32;
    type Ops = u128;
    fn operators(&self) -> usize {
        120
    }
    fn applicable(&self, _: &i32) -> u128 {
        u128::first(120)
    }
    fn apply_into(&self, from: &i32, op: Op, to: &mut i32) {
        if self.0.fetch_add(1, Ordering::Relaxed) == 200 {
            self.1.cancel();
        }
        *to = from + i32::from(op.0);
    }
    fn is_goal(&self, state: &i32) -> bool {
        *state < 0
    }
}

/// The nodes above the units are made by one thread, which looks at the token, too.
#[test]
fn a_search_that_is_cancelled_above_its_units_makes_few_more_nodes() {
    let wide = Wide(AtomicU64::new(0), CancelToken::new());
    let cancel = wide.1.clone();
    let options = Options { cancel, lower_bound: 3, ..Options::default() };
    let report = ida_star_parallel(&wide, &Zero, &NoPruning, &1, &options);
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert!(report.generated() < 200 + 17 * 120, "{}", report.generated());
}
