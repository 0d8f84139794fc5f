//! Formulas against hand values, counts against exhaustive search, and the search with perfect,
//! useful and useless metrics.

use super::*;
use crate::control::{CancelToken, Limit, Limits, Outcome};
use crate::domain::{Op, OpSet};
use crate::plan;
use crate::testing::{Distances, GapHeuristic, Pancake, PancakeList};
use crate::{Domain, Group, Heuristic, Packed, Report};
use std::collections::BTreeMap;
use std::time::Duration;

/// All stacks of a size with their distances.
fn all(domain: &Pancake) -> BTreeMap<u64, u8> {
    let known = Distances::from_goals(domain, &[domain.identity()], 20);
    known.all().into_iter().collect()
}

/// Pancakes at home.
fn home(size: usize) -> impl Fn(&u64) -> u8 {
    move |&state| (0..size).map(|place| u8::from(Pancake::pancake(state, place) == place)).sum()
}

/// Neighbours that do not belong together.
fn gaps(size: usize) -> impl Fn(&u64) -> u8 {
    move |state| GapHeuristic.estimate(&Pancake::new(size), state)
}

fn learn(domain: &Pancake, metrics: &Metrics<u64>, all: &BTreeMap<u64, u8>) -> Observations {
    let mut seen = Observations::new(metrics, 1 + usize::from(*all.values().max().unwrap()));
    for state in all.keys() {
        seen.observe(domain, metrics, state, |state| all.get(state).map(|&d| d.into())).unwrap();
    }
    seen
}

fn every_setting() -> impl Iterator<Item = BayesSettings> {
    let evidence = [Evidence::Changes, Evidence::Path, Evidence::State];
    let scores = [Score::Distance, Score::Fall];
    let looks = [LookAhead::One, LookAhead::Two];
    evidence.into_iter().flat_map(move |evidence| {
        scores.into_iter().flat_map(move |score| {
            looks.map(|look_ahead| BayesSettings { evidence, score, look_ahead })
        })
    })
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Counts of four states: the goal, two at distance 1 and one at distance 2. The first metric has
/// the values 1; 1, 0; 0. The second has 1; 0, 0; 1.
fn by_hand() -> Observations {
    let metrics = Metrics::new().with("a", 2, |_: &u8| 0).with("b", 2, |_: &u8| 0);
    let mut seen = Observations::new(&metrics, 3);
    for (distance, values) in [(0, [1, 1]), (1, [1, 0]), (1, [0, 0]), (2, [0, 1])] {
        seen.state(distance, &values);
    }
    // From distance 1: two steps fall, one stays, one rises. From distance 2: one falls, one stays.
    for (from, to) in [
        ((1, [1, 0]), (0, [1, 1])),
        ((1, [0, 0]), (0, [1, 1])),
        ((1, [0, 0]), (1, [1, 0])),
        ((1, [0, 0]), (2, [0, 1])),
        ((2, [0, 1]), (1, [0, 0])),
        ((2, [0, 1]), (2, [0, 1])),
    ] {
        seen.step((from.0, &from.1), (to.0, &to.1)).unwrap();
    }
    seen
}

#[test]
fn formulas_give_the_values_by_hand() {
    let beliefs = by_hand().beliefs(0.0);
    assert_eq!(beliefs.prior()[..], [0.25, 0.5, 0.25]);
    assert_eq!(beliefs.steps()[1..], [[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]]);
    // Formula 3: 1/2 * 1/2 * 1 against 1/4 * 1 * 0, and 1/2 * 1/2 against 1/4 * 1.
    assert_eq!(beliefs.posterior(&[0, 0])[..], [0.0, 1.0, 0.0]);
    let ignorant = beliefs.clone().with_weights(&[1.0, 0.0]);
    assert_eq!(ignorant.posterior(&[0, 0])[..], [0.0, 0.5, 0.5]);
    // Formula 4, from (0, 1/2, 1/2): 1/8 + 1/4 at distance 1, a fall in 1/4; 1/8 + 1/4 at distance
    // 2. Formula 5 for the value 0 of the first metric: 3/8 * 1/2 against 3/8 * 1.
    let prediction = ignorant.predict(&[0.0, 0.5, 0.5]);
    let (belief, fall) = ignorant.after_values(&prediction, &[0, 0]);
    assert!(near(belief[1], 1.0 / 3.0) && near(belief[2], 2.0 / 3.0), "{belief:?}");
    assert!(near(fall, 1.0 / 4.0 * 1.0 / 2.0 / (9.0 / 16.0)), "{fall}");
    // Formula 6: the first metric stays. At distance 1 it does so in 1 of 2 falls and in the rise,
    // at distance 2 always. So 1/2 * 1/4 rises to 2; 1/2 * 1/2 falls to 1 and as much stays at 2.
    let (belief, fall) = ignorant.after_changes(&[0.0, 0.5, 0.5], &[0, 0], &[0, 0]);
    assert!(near(belief[1], 0.4) && near(belief[2], 0.6), "{belief:?}");
    assert!(near(fall, 0.4), "{fall}");
}

#[test]
fn smoothing_spreads_states_over_all_values() {
    let beliefs = by_hand().beliefs(2.0);
    // Distance 1: counts 1 and 1, and 0 and 2. Distance 2: 1 and 0, and 0 and 1; one more each.
    let belief = beliefs.posterior(&[0, 0]);
    let (one, two) = (0.5 * (2.0 / 4.0) * (3.0 / 4.0), 0.25 * (2.0 / 3.0) * (1.0 / 3.0));
    assert!(near(belief[1], one / (one + two)), "{belief:?}");
}

#[test]
fn far_steps_are_refused_and_merging_adds_up() {
    let mut seen = by_hand();
    let far = seen.step((0, &[0, 0]), (2, &[0, 0])).unwrap_err();
    assert_eq!(
        far.to_string(),
        "a step from distance 0 to distance 2: expected a difference of at most 1"
    );
    seen.merge(&by_hand());
    assert_eq!(seen.states(), [2, 4, 2]);
    let beliefs = (seen.beliefs(0.0), by_hand().beliefs(0.0));
    assert_eq!(beliefs.0.posterior(&[0, 0]), beliefs.1.posterior(&[0, 0]));
    assert_eq!(beliefs.0.steps(), beliefs.1.steps());
    let text = serde_json::to_string(&seen).unwrap();
    assert_eq!(serde_json::from_str::<Observations>(&text).unwrap(), seen);
}

/// The beliefs about all stacks agree with frequencies counted in another way.
#[test]
fn beliefs_are_frequencies() {
    let domain = Pancake::new(6);
    let all = all(&domain);
    let metrics = Metrics::new().with("gaps", 7, gaps(6));
    let beliefs = learn(&domain, &metrics, &all).beliefs(0.0);
    let read = gaps(6);
    for value in 1..=6 {
        let with: Vec<usize> =
            all.iter().filter(|(s, _)| read(s) == value).map(|(_, &d)| usize::from(d)).collect();
        let posterior = beliefs.posterior(&[value]);
        for (d, p) in posterior.iter().enumerate().skip(1) {
            let share = with.iter().filter(|&&at| at == d).count() as f64 / with.len() as f64;
            assert!(near(*p, share), "value {value} distance {d}: {p} {share}");
        }
    }
    let mut to = 0;
    for (d, steps) in beliefs.steps().iter().enumerate() {
        let (mut falls, mut steps_of) = (0, 0);
        for (&state, _) in all.iter().filter(|&(_, &at)| usize::from(at) == d) {
            for op in domain.applicable(&state).members() {
                domain.apply_into(&state, op, &mut to);
                falls += usize::from(usize::from(all[&to]) < d);
                steps_of += 1;
            }
        }
        assert!(near(steps[0], falls as f64 / steps_of as f64));
        assert!(near(steps.iter().sum(), 1.0));
    }
}

/// A metric that is the distance leads to an optimal plan from every stack, in every setting.
#[test]
fn the_distance_as_a_metric_gives_optimal_plans() {
    let domain = Pancake::new(6);
    let all = all(&domain);
    let known = all.clone();
    let metrics = Metrics::new().with("distance", 8, move |state| known[state]);
    let beliefs = learn(&domain, &metrics, &all).beliefs(0.0);
    for settings in every_setting() {
        for (state, &distance) in &all {
            let options = Options { lower_bound: distance, ..Options::default() };
            let report = bayes_greedy(&domain, &metrics, &beliefs, state, &settings, &options);
            let plan = report.plan().unwrap();
            assert_eq!(plan.len(), usize::from(distance), "{settings:?}");
            assert!(report.optimal && report.complete);
            plan::validate(&PancakeList, &PancakeList::of(&domain, *state), plan).unwrap();
        }
    }
}

fn lengths(all: &BTreeMap<u64, u8>, solve: impl Fn(&u64) -> Report) -> (usize, usize) {
    let (mut solved, mut sum) = (0, 0);
    for state in all.keys() {
        let report = solve(state);
        match &report.outcome {
            Outcome::Solved(plans) => {
                let list = PancakeList::of(&Pancake::new(6), *state);
                plan::validate(&PancakeList, &list, &plans[0]).unwrap();
                assert!(plans[0].len() >= usize::from(all[state]));
                (solved, sum) = (solved + 1, sum + plans[0].len());
            }
            outcome => {
                assert_eq!(*outcome, Outcome::LimitReached(Limit::Bound));
                assert!(!report.complete && !report.optimal);
            }
        }
    }
    (solved, sum)
}

/// Every plan is valid, failures are told, and the same input gives the same plan.
#[test]
fn plans_are_valid_and_failures_are_told() {
    let domain = Pancake::new(6);
    let all = all(&domain);
    let metrics = Metrics::new().with("gaps", 7, gaps(6)).with("home", 7, home(6));
    let beliefs = learn(&domain, &metrics, &all).beliefs(1e-3);
    let options = Options::from(Limits { bound: Some(9), ..Limits::default() });
    for settings in every_setting() {
        let solve =
            |state: &u64| bayes_greedy(&domain, &metrics, &beliefs, state, &settings, &options);
        let found = lengths(&all, solve);
        assert_eq!(found, lengths(&all, solve));
        assert!(found.0 >= all.len() / 20, "{settings:?}: {found:?}");
    }
    // A metric that says nothing: the search only sees goals nearby.
    let blind = Metrics::new().with("nothing", 1, |_: &u64| 0);
    let beliefs = learn(&domain, &blind, &all).beliefs(0.0);
    for (look_ahead, near) in [(LookAhead::One, 1), (LookAhead::Two, 2)] {
        let settings = BayesSettings { look_ahead, ..BayesSettings::default() };
        for (state, &distance) in all.iter().filter(|&(_, &distance)| distance <= near) {
            let report = bayes_greedy(&domain, &blind, &beliefs, state, &settings, &options);
            assert_eq!(report.plan().unwrap().len(), usize::from(distance));
        }
    }
}

/// The gap heuristic as a height solves all stacks of six, and looking farther helps.
#[test]
fn hill_climbing_goes_down_and_round() {
    let domain = Pancake::new(6);
    let all = all(&domain);
    let read = gaps(6);
    let solve = |look_ahead| {
        let height = |state: &u64| f64::from(read(state));
        lengths(&all, |state| {
            hill_climbing(&domain, height, state, look_ahead, &Options::default())
        })
    };
    let (one, two) = (solve(LookAhead::One), solve(LookAhead::Two));
    assert_eq!((one.0, two.0), (720, 720));
    assert!(two.1 < one.1, "{one:?} {two:?}");
}

/// Lines of ten numbers each. Operators go one up or down; the goal lies on the first line.
struct Islands;

impl Domain for Islands {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        2
    }
    fn applicable(&self, n: &u32) -> u32 {
        u32::from(*n % 10 != 9) | u32::from(!n.is_multiple_of(10)) << 1
    }
    fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
        *to = if op.0 == 0 { from + 1 } else { from - 1 };
    }
    fn is_goal(&self, n: &u32) -> bool {
        *n == 3
    }
}

impl Packed for Islands {
    type Key = u32;
    crate::state_is_key! {}
}

/// A height that leads away from the goal: the search turns round at the end of the line. On the
/// line without a goal it visits all states.
#[test]
fn dead_ends_are_taken_back() {
    let away = |n: &u32| -f64::from(*n);
    for look_ahead in [LookAhead::One, LookAhead::Two] {
        let solve = |start| hill_climbing(&Islands, away, &start, look_ahead, &Options::default());
        let report = solve(6);
        assert_eq!(report.plan().unwrap()[..], [Op(1); 3]);
        let lost = solve(14);
        assert_eq!(lost.outcome, Outcome::Unsolvable);
        assert!(lost.complete && lost.expanded() >= 10);
        assert_eq!(solve(3).plan().map(|plan| plan.len()), Some(0));
    }
}

#[test]
fn limits_and_cancellation_end_the_search() {
    let domain = Pancake::new(12);
    let start = domain.state(&[1, 7, 3, 9, 0, 5, 8, 2, 6, 4, 11, 10]);
    let solve =
        |options: &Options| hill_climbing(&domain, |_: &u64| 0.0, &start, LookAhead::Two, options);
    let limited = |limits| solve(&Options { limits, ..Options::default() });
    let at = |limit| Outcome::LimitReached(limit);
    let report = limited(Limits::default());
    assert_eq!(report.outcome, at(Limit::Bound));
    assert_eq!((report.lower_bound, report.iterations[0].bound), (1, crate::MAX_COST));
    let report = limited(Limits { nodes: Some(500), ..Limits::default() });
    assert_eq!(report.outcome, at(Limit::Nodes));
    // A step of two operators generates at most 11 + 11 * 11 states.
    assert!((500..500 + 132).contains(&report.generated()), "{}", report.generated());
    let report = limited(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!((report.outcome, report.iterations[0].expanded), (at(Limit::Time), 0));
    let report = limited(Limits { bytes: Some(400), ..Limits::default() });
    assert_eq!(report.outcome, at(Limit::Bytes));
    let report = limited(Limits { bound: Some(0), ..Limits::default() });
    assert_eq!(report.outcome, at(Limit::Bound));
    let report = solve(&Options { upper_bound: Some(0), ..Options::default() });
    assert_eq!((report.outcome, report.iterations[0].generated), (at(Limit::Bound), 0));
    let report = solve(&Options { cancel: CancelToken::cancelled(), ..Options::default() });
    assert_eq!(report.outcome, Outcome::Cancelled);
}
