//! Macro tables of toy domains, compared with breadth-first search over all states.

use super::{LearningEnd, MacroError, MacroTable, SerialOrder, learn_macros};
use crate::testing::{Distances, PairedPebbles, Pancake, PancakePlaces, check_serial};
use crate::{
    CancelToken, Domain, Group, Iteration, Limit, Limits, Observer, Op, OpSet, Options, Packed,
    Placed, Plan, Progress, Reversible,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The free place of a ladder with this many places, then the pebbles.
struct FreeFirst(usize);

impl SerialOrder<PairedPebbles> for FreeFirst {
    fn features(&self) -> usize {
        self.0
    }
    fn values(&self, _: usize) -> usize {
        self.0
    }
    fn value(&self, domain: &PairedPebbles, state: &u64, feature: usize) -> usize {
        let pebble = feature.checked_sub(1);
        (0..self.0).find(|&place| domain.pebbles().feature_at(state, place) == pebble).unwrap_or(0)
    }
}

/// Solves every state by the table and replays the plan. Compares the macros with the least costs,
/// and the figures with the plans. Returns the number of states.
fn check_table<D: Reversible + Packed, S: SerialOrder<D>>(
    domain: &D,
    order: &S,
    goal: &D::State,
    table: &MacroTable,
) -> usize {
    let costs = Distances::from_goals(domain, std::slice::from_ref(goal), 250).all();
    let (mut least, states) = (BTreeMap::new(), costs.len());
    let (mut next, mut total, mut longest) = (goal.clone(), 0, 0);
    for (mut state, cost) in costs {
        let solution = table.solve(domain, order, &state).unwrap();
        let mut values = (0..order.features()).map(|i| (i, order.value(domain, &state, i)));
        let first = values.find(|&(i, value)| value != order.value(domain, goal, i));
        assert_eq!(solution.macros.first().map(|used| (used.feature, used.value)), first);
        if let Some(first) = first {
            let known = least.entry(first).or_insert(cost);
            *known = cost.min(*known);
        }
        let mut spent = 0;
        for &op in &solution.plan {
            assert!(domain.applicable(&state).contains(op));
            domain.apply_into(&state, op, &mut next);
            std::mem::swap(&mut state, &mut next);
            spent += u64::from(domain.cost(op));
        }
        assert!(domain.is_goal(&state));
        let of_macros: usize = solution.macros.iter().map(|used| used.operators).sum();
        assert_eq!(solution.plan.len(), of_macros);
        (total, longest) = (total + spent, longest.max(spent));
    }
    let figures = table.statistics();
    assert_eq!((figures.macros, table.is_complete()), (least.len(), true));
    for (feature, value, entry) in table.iter() {
        let least = least[&(feature, value)];
        let cost: u32 = entry.plan.iter().map(|&op| u32::from(domain.cost(op))).sum();
        assert_eq!(entry.cost, cost);
        assert!(entry.cost >= least.into() && (!entry.cheapest || entry.cost == u32::from(least)));
    }
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let mean = total as f64 / states as f64;
    assert!((mean - figures.mean_plan).abs() < 1e-9, "{mean} {}", figures.mean_plan);
    assert!(longest <= figures.longest_plan);
    states
}

#[test]
fn every_stack_is_solved_by_the_cheapest_macros() {
    let (domain, order) = (Pancake::new(6), PancakePlaces(6));
    let goal = domain.identity();
    check_serial(&domain, &order, &goal, &[domain.state(&[3, 1, 0, 5, 4, 2])]).unwrap();
    let learned = learn_macros(&domain, &order, &goal, usize::MAX, &Options::default());
    assert_eq!((learned.end, learned.states), (LearningEnd::Complete, 720));
    assert_eq!(check_table(&domain, &order, &goal, &learned.table), 720);
    let figures = learned.table.statistics();
    assert_eq!((figures.macros, figures.cheapest), (15, 15));
}

/// The pairs of few states, and their products, give a complete table. More states make it better.
#[test]
fn few_states_give_a_complete_table() {
    let (domain, order) = (Pancake::new(7), PancakePlaces(7));
    let goal = domain.identity();
    let means = [0, 1, 5, 50, 500].map(|most| {
        let learned = learn_macros(&domain, &order, &goal, most, &Options::default());
        assert_eq!(check_table(&domain, &order, &goal, &learned.table), 5040);
        let figures = learned.table.statistics();
        assert!(figures.cheapest < 21 || most > 5);
        figures.mean_plan
    });
    assert!(means.is_sorted_by(|a, b| a >= b), "{means:?}");
}

/// The free place decides which operators apply. Ways have two costs.
#[test]
fn every_ladder_is_solved() {
    for (half, rung, states) in [(1, 1, 12), (2, 1, 360), (2, 3, 360), (3, 2, 20_160)] {
        let (domain, order) = (PairedPebbles::ladder(half, rung), FreeFirst(2 * half + 2));
        let goal = domain.pebbles().goal();
        check_serial(&domain, &order, &goal, &[]).unwrap();
        for most in [20, 300, 30_000] {
            let learned = learn_macros(&domain, &order, &goal, most, &Options::default());
            assert_eq!(check_table(&domain, &order, &goal, &learned.table), states);
            let figures = learned.table.statistics();
            assert!(most < states || figures.cheapest == figures.macros);
        }
    }
}

/// The learning ends when all macros are proven to be the cheapest. That needs no search of all
/// states.
#[test]
fn the_proof_of_the_cheapest_needs_few_states() {
    let (domain, order) = (PairedPebbles::ladder(3, 2), FreeFirst(8));
    let goal = domain.pebbles().goal();
    let learned = learn_macros(&domain, &order, &goal, usize::MAX, &Options::default());
    let figures = learned.table.statistics();
    assert!(learned.states < 9000 && figures.cheapest == figures.macros);
    assert_eq!(check_table(&domain, &order, &goal, &learned.table), 20_160);
}

/// An odd order of pebbles has no plan, and a complete table proves it.
#[test]
fn a_missing_macro_of_a_complete_table_is_a_proof() {
    let domain = PairedPebbles::ladder(2, 1);
    let (order, goal) = (FreeFirst(6), domain.pebbles().goal());
    let table = learn_macros(&domain, &order, &goal, 1000, &Options::default()).table;
    let odd = domain.pebbles().state(&[0, 1, 2, 4, 3, 15]);
    let error = table.solve(&domain, &order, &odd).unwrap_err();
    assert_eq!(error, MacroError::Missing { feature: 4, value: 4 });
    assert!(error.to_string().contains("value 4 of feature 4"));
}

/// Counts what an observer hears.
#[derive(Default)]
struct Counter {
    progress: AtomicU64,
    iterations: AtomicU64,
}

impl Observer for Counter {
    fn progress(&self, _: &Progress) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }
    fn iteration(&self, iteration: &Iteration) {
        assert!(iteration.complete && iteration.generated > 0);
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn limits_end_the_learning_and_the_table_says_so() {
    let (domain, order) = (Pancake::new(9), PancakePlaces(9));
    let goal = domain.identity();
    let learn = |options: &Options| learn_macros(&domain, &order, &goal, 100_000, options);
    let counter = Counter::default();
    let all = learn(&Options { observer: &counter, ..Options::default() });
    assert!(all.end == LearningEnd::Complete && all.generated > 50_000, "{}", all.generated);
    let heard = [&counter.progress, &counter.iterations].map(|n| n.load(Ordering::Relaxed));
    assert!(heard[0] > 10 && heard[1] == 1, "{heard:?}");

    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let none = learn(&Options { limits, ..Options::default() });
    assert_eq!(none.end, LearningEnd::LimitReached(Limit::Nodes));
    assert!(!none.table.is_complete() && none.table.iter().next().is_none());
    let start = domain.state(&[1, 0, 2, 3, 4, 5, 6, 7, 8]);
    let error = none.table.solve(&domain, &order, &start).unwrap_err();
    assert_eq!(error, MacroError::Missing { feature: 7, value: 0 });

    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let some = learn(&Options { limits, ..Options::default() });
    assert_eq!(some.end, LearningEnd::LimitReached(Limit::Nodes));
    assert!((20_000..40_000).contains(&some.generated), "{}", some.generated);

    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let late = learn(&Options { limits, ..Options::default() });
    assert_eq!(late.end, LearningEnd::LimitReached(Limit::Time));
    let cancel = CancelToken::cancelled();
    assert_eq!(learn(&Options { cancel, ..Options::default() }).end, LearningEnd::Cancelled);

    // Little memory: fewer states, and still a complete table.
    let limits = Limits { bytes: Some(1 << 16), ..Limits::default() };
    let small = learn(&Options { limits, ..Options::default() });
    assert!(small.end == LearningEnd::Complete && small.table.is_complete() && small.states < 2000);
    let mean = |table: &MacroTable| table.statistics().mean_plan;
    assert!(mean(&small.table) >= mean(&all.table));
}

#[test]
fn a_table_of_another_domain_is_found_out() {
    let (domain, order) = (Pancake::new(5), PancakePlaces(5));
    let table = learn_macros(&domain, &order, &domain.identity(), 500, &Options::default()).table;
    let small = Pancake::new(4);
    let start = small.state(&[1, 0, 3, 2]);
    assert!(table.solve(&small, &PancakePlaces(4), &start).is_err());
    let ladder = PairedPebbles::ladder(2, 1);
    let error = table.solve(&ladder, &FreeFirst(6), &ladder.pebbles().state(&[0, 1, 2, 3, 15, 4]));
    assert!(error.is_err(), "{error:?}");
    // A macro that is damaged does not lead where it should.
    let mut damaged = table.clone();
    for entry in damaged.columns.iter_mut().flatten().flatten() {
        entry.plan = Plan::new();
    }
    let error = damaged.solve(&domain, &order, &domain.state(&[1, 0, 2, 3, 4])).unwrap_err();
    assert_eq!(error, MacroError::Foreign { feature: 3, value: 0 });
    for entry in damaged.columns.iter_mut().flatten().flatten() {
        entry.plan = Plan::from_slice(&[Op(900)]);
    }
    assert!(damaged.solve(&domain, &order, &domain.state(&[1, 0, 2, 3, 4])).is_err());
}

#[test]
fn a_table_is_stored_and_read() {
    let (domain, order) = (Pancake::new(5), PancakePlaces(5));
    let learned = learn_macros(&domain, &order, &domain.identity(), 100, &Options::default());
    let text = serde_json::to_string(&learned.table).unwrap();
    assert_eq!(serde_json::from_str::<MacroTable>(&text).unwrap(), learned.table);
    let figures = learned.table.statistics();
    let text = serde_json::to_string(&figures).unwrap();
    assert_eq!(serde_json::from_str::<super::MacroStatistics>(&text).unwrap(), figures);
}

/// Orders that are not serial.
struct Wrong(fn(&PairedPebbles, &u64, usize) -> usize);

impl SerialOrder<PairedPebbles> for Wrong {
    fn features(&self) -> usize {
        6
    }
    fn values(&self, _: usize) -> usize {
        6
    }
    fn value(&self, domain: &PairedPebbles, state: &u64, feature: usize) -> usize {
        (self.0)(domain, state, feature)
    }
}

#[test]
fn the_law_finds_orders_that_are_not_serial() {
    let domain = PairedPebbles::ladder(2, 1);
    let broken = |order: Wrong| {
        check_serial(&domain, &order, &domain.pebbles().goal(), &[]).unwrap_err().to_string()
    };
    let last_free = Wrong(|domain, state, feature| FreeFirst(6).value(domain, state, 5 - feature));
    assert!(broken(last_free).contains("other operators apply"));
    let by_place = Wrong(|domain, state, feature| match feature {
        0 => FreeFirst(6).value(domain, state, 0),
        place => domain.pebbles().feature_at(state, place - 1).map_or(5, |pebble| pebble),
    });
    assert!(broken(by_place).contains("agrees in the features up to this one"));
    let large = Wrong(|domain, state, feature| 6 + FreeFirst(6).value(domain, state, feature));
    assert!(broken(large).contains("there are 6"));
    let blind = Wrong(|domain, state, feature| match feature {
        0 => FreeFirst(6).value(domain, state, 0),
        _ => 0,
    });
    assert!(broken(blind).contains("but it is no goal"));
}

/// Pancakes, each flip of which is two operators.
struct Twins(Pancake);

impl Domain for Twins {
    type State = u64;
    type Ops = u32;
    fn operators(&self) -> usize {
        2 * self.0.operators()
    }
    fn applicable(&self, _: &u64) -> u32 {
        u32::first(self.operators())
    }
    fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
        self.0.apply_into(from, Op(op.0 / 2), to);
    }
    crate::forward_domain! { 0: is_goal }
}

impl Reversible for Twins {
    fn inverse_op(&self, op: Op) -> Op {
        op
    }
}

impl Packed for Twins {
    type Key = u64;
    crate::state_is_key! {}
}

impl SerialOrder<Twins> for PancakePlaces {
    fn features(&self) -> usize {
        self.0
    }
    fn values(&self, _: usize) -> usize {
        self.0
    }
    fn value(&self, domain: &Twins, state: &u64, feature: usize) -> usize {
        SerialOrder::<Pancake>::value(self, &domain.0, state, feature)
    }
}

/// Wherever memory ends, a second operator to the last state finds no state without a record.
#[test]
fn memory_may_end_at_a_state_that_two_operators_reach() {
    let domain = Twins(Pancake::new(6));
    let goal = domain.0.identity();
    for bytes in (0..60_000).step_by(8) {
        let options = Options::from(Limits { bytes: Some(bytes), ..Limits::default() });
        learn_macros(&domain, &PancakePlaces(6), &goal, 40, &options);
    }
}
