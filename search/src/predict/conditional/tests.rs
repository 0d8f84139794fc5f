//! Predictions against complete iterations of exact searches.

use super::*;
use crate::predict::{Distribution, predict};
use crate::testing::{Distances, GapHeuristic, Pancake, Pebbles};
use crate::{
    Domain, Estimate, Group, InversePruning, Limits, NoPruning, Options, Reversible, Zero, ida_star,
};
use std::collections::HashMap;

const SIZE: usize = 7;

/// The stack without a goal, so that no iteration ends at a plan.
struct Endless(Pancake);

impl Domain for Endless {
    type State = u64;
    type Ops = u32;
    crate::forward_domain! { 0: operators applicable apply_into }
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl Reversible for Endless {
    crate::forward_domain! { 0: inverse_op }
}

impl Contexts for Endless {
    crate::forward_domain! { 0: contexts context representative }
}

/// The distances of the first `kept` pancakes, by a breadth-first search over stacks in which all
/// others look alike.
struct Table {
    kept: u64,
    distances: HashMap<u64, Cost>,
}

impl Table {
    fn new(domain: &Pancake, kept: u64) -> Self {
        let mut table = Self { kept, distances: HashMap::new() };
        let mut layer = vec![table.key(domain.identity())];
        let mut next = 0;
        for distance in 0.. {
            layer.retain(|&key| table.distances.insert(key, distance).is_none());
            let mut below = Vec::new();
            for key in &layer {
                for op in domain.applicable(key).members() {
                    domain.apply_into(key, op, &mut next);
                    if !table.distances.contains_key(&next) {
                        below.push(next);
                    }
                }
            }
            below.sort_unstable();
            below.dedup();
            layer = below;
            if layer.is_empty() {
                break;
            }
        }
        table
    }

    /// The stack with a mark in place of each pancake that is not kept.
    fn key(&self, state: u64) -> u64 {
        let nibble = |place: usize| match state >> (4 * place) & 15 {
            pancake if pancake < self.kept || pancake == SIZE as u64 => pancake,
            _ => 14,
        };
        (0..=SIZE).fold(0, |key, place| key | nibble(place) << (4 * place))
    }

    fn distance(&self, state: u64) -> Cost {
        self.distances[&self.key(state)]
    }
}

/// The lookup of the inverse, whose distance is the same.
fn inverse(domain: &Pancake, state: u64) -> u64 {
    let mut inverse = 0;
    domain.invert(&state, &mut inverse);
    inverse
}

fn all_stacks(domain: &Pancake) -> Vec<u64> {
    let all = Distances::from_goals(domain, &[domain.identity()], 250).all();
    all.into_iter().map(|(state, _)| state).collect()
}

/// Mean generated and expanded nodes of the iteration with this bound, past all plans.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn measured<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    (domain, heuristic, pruning): (&D, &H, &P),
    starts: &[D::State],
    bound: Cost,
) -> PredictedNodes {
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, lower_bound: bound, plans: usize::MAX, ..Options::default() };
    let mut sum = PredictedNodes::default();
    for start in starts {
        let report = ida_star(domain, heuristic, pruning, start, &options);
        sum.generated += report.generated() as f64;
        sum.expanded += report.expanded() as f64;
    }
    let count = starts.len() as f64;
    PredictedNodes { generated: sum.generated / count, expanded: sum.expanded / count }
}

/// The formula for consistent heuristics, which counts the root. Each flip but the first has one
/// operator less.
fn formula(values: &[u64], bound: Cost) -> f64 {
    let strings: Vec<Vec<f64>> =
        (0..32).map(|i: i32| vec![if i == 0 { 1.0 } else { 6.0 * 5_f64.powi(i - 1) }]).collect();
    predict(&strings, &[Distribution::from_counts(values)], bound.into())
}

/// What a prediction from all states tells of an iteration.
struct PredictionCheck {
    measured: PredictedNodes,
    conditional: PredictedNodes,
    /// The mean of the predictions from each start.
    from_starts: f64,
    /// The formula for consistent heuristics.
    formula: f64,
}

fn told<H: Heuristic<Endless>>(
    h: &H,
    bounds: std::ops::RangeInclusive<Cost>,
) -> Vec<PredictionCheck> {
    let stack = Pancake::new(SIZE);
    let (starts, domain) = (all_stacks(&stack), Endless(stack));
    let mut sampler = ConditionalSampler::new(&domain, h, &InversePruning, 5);
    sampler.add_starts(starts.iter().copied());
    let sampled = sampler.finish();
    let mut counts = [0; 20];
    starts.iter().for_each(|state| counts[usize::from(h.estimate(&domain, state))] += 1);
    let parts = (&domain, h, &InversePruning);
    let at = |bound| {
        let from = starts.iter().map(|start| sampled.predict_from(parts, start, bound).generated);
        PredictionCheck {
            measured: measured(parts, &starts, bound),
            conditional: sampled.predict(0, bound),
            from_starts: from.sum::<f64>() / starts.len() as f64,
            formula: formula(&counts, bound),
        }
    };
    bounds.map(at).collect()
}

/// The relative error of a prediction.
fn error(predicted: f64, measured: f64) -> f64 {
    (predicted / measured - 1.0).abs()
}

/// If the heuristic is consistent, no cut parent has a child within the bound. So both predictions
/// agree. The search differs from the formula by the nodes of value 0 that have spent all.
#[test]
fn consistent_values_are_predicted_exactly() {
    let table = Table::new(&Pancake::new(SIZE), 4);
    let one = |state: &u64| table.distance(*state);
    let gaps = |state: &u64| GapHeuristic.estimate(&Pancake::new(SIZE), state);
    for told in told(&Estimate(one), 3..=5).iter().chain(&told(&Estimate(gaps), 3..=5)) {
        let PredictionCheck { measured, conditional, .. } = told;
        assert!(error(conditional.generated, measured.generated) < 1e-9);
        assert!(error(conditional.expanded, measured.expanded) < 1e-9);
        assert!(error(told.from_starts, measured.generated) < 1e-9);
        assert!(told.formula >= measured.generated);
    }
}

#[test]
fn inconsistent_values_are_predicted_better_than_by_the_formula() {
    let domain = Pancake::new(SIZE);
    let table = Table::new(&domain, 4);
    let one = |state: &u64| table.distance(inverse(&domain, *state));
    let both = |state: &u64| table.distance(*state).max(one(state));
    for told in told(&Estimate(one), 4..=6).iter().chain(&told(&Estimate(both), 4..=6)) {
        let measured = told.measured.generated;
        assert!(error(told.conditional.generated, measured) < 0.10);
        assert!(error(told.conditional.expanded, told.measured.expanded) < 0.10);
        assert!(error(told.from_starts, measured) < 0.10);
        assert!(error(told.formula, measured) > 0.7);
    }
}

/// Without a heuristic, a context and the last operator tell the number of children.
#[test]
fn operators_may_have_any_cost() {
    let domain = Pebbles::ladder(3, 3);
    let start = domain.state(&[6, 2, 1, 15, 3, 5, 0, 4]);
    let mut sampler = ConditionalSampler::new(&domain, &Zero, &NoPruning, 1);
    let far = |bound| measured((&domain, &Zero, &NoPruning), &[start], bound);
    sampler.add((0..domain.contexts()).map(|context| domain.representative(context)));
    let sampled = sampler.finish();
    assert_eq!(sampled.predict(0, 9), PredictedNodes::default(), "no start was sampled");
    for bound in [1, 2, 3, 4, 9] {
        let told = sampled.predict_from((&domain, &Zero, &NoPruning), &start, bound);
        assert!(error(told.generated, far(bound).generated) < 1e-9, "{bound} {told:?}");
        assert!(error(told.expanded, far(bound).expanded) < 1e-9, "{bound} {told:?}");
    }
}

#[test]
fn types_without_samples_take_those_of_other_parents() {
    let kind = |h, parent| NodeType { context: 0, op: 1, h, parent };
    let children = |counts: &[(NodeType, u64)]| Children {
        nodes: 4,
        counts: counts.iter().copied().collect(),
    };
    let first = children(&[(kind(4, 5), 2), (kind(6, 5), 6)]);
    let second = children(&[(kind(4, 5), 4)]);
    let mut merged = first.clone();
    merged.add(&second);
    let sampled = ConditionalDistribution {
        starts: BTreeMap::new(),
        types: BTreeMap::from([(kind(5, 4), first), (kind(5, 6), second)]),
        merged: BTreeMap::from([((0, 1, 5), merged)]),
        costs: vec![1, 1],
    };
    let means = |kind| sampled.means(kind).collect::<Vec<_>>();
    assert_eq!(means(kind(5, 6)), [(kind(4, 5), 1.0)]);
    assert_eq!(means(kind(5, 5)), [(kind(4, 5), 0.75), (kind(6, 5), 0.75)]);
    assert_eq!(means(kind(2, 1)), []);
}
