//! Compares searches with perimeters with exhaustive searches, for domains with and without parity,
//! unit costs and all edges.

use super::front::difference;
use super::*;
use crate::control::{CancelToken, Limit, Limits, Outcome, Report};
use crate::domain::{Contexts, Cost, Op};
use crate::heuristic::{Estimate, Heuristic, Zero};
use crate::plan;
use crate::pruning::NoPruning;
use crate::stored::a_star;
use crate::stored::cayley::{Cayley, GOAL, patchy};
use crate::testing::{GapHeuristic, Pancake, PancakeList};
use crate::{Group, InversePruning, ida_star, ida_star_parallel};

fn check_plan(domain: &Pancake, start: u64, report: &Report, least: usize) {
    let plan = report.plan().unwrap();
    plan::validate(&PancakeList, &PancakeList::of(domain, start), plan).unwrap();
    assert_eq!((plan.len(), usize::from(report.lower_bound)), (least, least));
    assert!(report.optimal && report.complete);
}

/// Checks that the bound of a state is admissible at every limit. Returns how many limits up to the
/// radius cut it.
fn check_limits<H: Heuristic<Pancake>>(
    domain: &Pancake,
    perimeter: &Perimeter<H>,
    state: &u64,
    exact: Cost,
) -> u64 {
    let bound = |limit| {
        let mut carry = perimeter.root(domain, state);
        perimeter.bound(domain, state, &mut carry, limit).h
    };
    assert!((0..=exact).all(|limit| bound(limit) <= exact) && bound(Cost::MAX) <= exact);
    let limits = 0..=Cost::try_from(perimeter.radius()).unwrap();
    limits.filter(|&limit| bound(limit) > limit).count() as u64
}

#[test]
fn every_distance_is_that_of_breadth_first_search() {
    let domain = Pancake::new(6);
    let (goal, options) = (domain.identity(), Options::default());
    let mut layers = Layers::new(&domain, &[goal], &options);
    while layers.advance().unwrap() > 0 {}
    let between = |from: &u64, to: &u64| difference(&domain, &GapHeuristic, from, to);
    // The last radius is beyond all states.
    for radius in [0, 1, 2, 4, 9] {
        let blind = Perimeter::new(&domain, &[goal], Zero, radius, &options).unwrap();
        let gaps = Perimeter::new(&domain, &[goal], GapHeuristic, radius, &options).unwrap();
        let front = FrontToPerimeter::new(&domain, &[goal], between, radius, &options).unwrap();
        let far = FrontToPerimeter::new(&domain, &[goal], |_: &u64, _: &u64| 0, radius, &options);
        let far = far.unwrap();
        let mut cut = 0;
        for layer in 0..layers.sizes().len() {
            layers.for_each(layer, |start| {
                let exact = u8::try_from(layer).unwrap();
                assert!(front.estimate(&domain, start) <= exact);
                cut += check_limits(&domain, &gaps, start, exact);
                for report in [
                    ida_star(&domain, &blind, &InversePruning, start, &options),
                    ida_star(&domain, &gaps, &InversePruning, start, &options),
                    ida_star(&domain, &front, &InversePruning, start, &options),
                    ida_star(&domain, &far, &InversePruning, start, &options),
                ] {
                    check_plan(&domain, *start, &report, layer);
                }
            });
        }
        // Of the limits below the distance, those up to the radius.
        let below = |layer: usize| layer.min(radius + 1) as u64;
        let all: u64 = layers.sizes().iter().enumerate().map(|(n, size)| below(n) * size).sum();
        assert!(cut > all - all / 20 && cut <= all, "{cut} of {all} at radius {radius}");
    }
}

/// Things in a row; an operator swaps two neighbours. All plans have the parity of the permutation,
/// and a plan takes one swap for each pair in the wrong order.
struct Swaps;

const THINGS: usize = 6;

impl Domain for Swaps {
    type State = [u8; THINGS];
    type Ops = u8;
    fn operators(&self) -> usize {
        THINGS - 1
    }
    fn applicable(&self, _: &Self::State) -> u8 {
        u8::first(THINGS - 1)
    }
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        *to = *from;
        to.swap(op.index(), op.index() + 1);
    }
    fn is_goal(&self, state: &Self::State) -> bool {
        state.is_sorted()
    }
    fn parity(&self, state: &Self::State) -> Option<bool> {
        Some(exact(state) % 2 == 1)
    }
}

impl Reversible for Swaps {
    fn inverse_op(&self, op: Op) -> Op {
        op
    }
}

impl Packed for Swaps {
    type Key = u32;
    fn pack(&self, state: &Self::State) -> u32 {
        state.iter().fold(0, |key, &thing| key << 4 | u32::from(thing))
    }
    fn unpack(&self, key: u32, out: &mut Self::State) {
        *out = std::array::from_fn(|place| (key >> (4 * (THINGS - 1 - place)) & 15) as u8);
    }
}

fn exact(state: &[u8; THINGS]) -> Cost {
    let pairs = (0..THINGS).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.filter(|&(a, b)| state[a] > state[b]).count().try_into().unwrap()
}

/// Each swap brings two things one place nearer at most.
fn displacement(from: &[u8; THINGS], to: &[u8; THINGS]) -> Cost {
    let place = |thing: &u8| to.iter().position(|other| other == thing).unwrap();
    let away = from.iter().enumerate().map(|(at, thing)| place(thing).abs_diff(at));
    (away.sum::<usize>() / 2).try_into().unwrap()
}

#[test]
fn parity_halves_the_sets_and_keeps_the_distances() {
    let options = Options::default();
    let goal: [u8; THINGS] = [0, 1, 2, 3, 4, 5];
    let mut layers = Layers::new(&Swaps, &[goal], &options);
    while layers.advance().unwrap() > 0 {}
    assert_eq!(layers.sizes().iter().sum::<u64>(), 720);
    let displaced = Estimate(|state: &[u8; THINGS]| displacement(state, &goal));
    for radius in [0, 3, 4, 7] {
        let perimeter = Perimeter::new(&Swaps, &[goal], displaced, radius, &options).unwrap();
        assert_eq!(perimeter.balls.len(), radius / 2 + 1);
        let front = FrontToPerimeter::new(&Swaps, &[goal], displacement, radius, &options).unwrap();
        assert_eq!(front.border() as u64, layers.sizes()[radius]);
        for layer in 0..layers.sizes().len() {
            layers.for_each(layer, |start| {
                assert!(perimeter.estimate(&Swaps, start) <= exact(start));
                assert!(front.estimate(&Swaps, start) <= exact(start));
                for report in [
                    ida_star(&Swaps, &perimeter, &NoPruning, start, &options),
                    ida_star(&Swaps, &front, &NoPruning, start, &options),
                    a_star(&Swaps, &perimeter, start, &options),
                ] {
                    let plan = report.plan().unwrap();
                    assert_eq!((plan.len(), usize::from(exact(start))), (layer, layer));
                    let mut state = *start;
                    plan.iter().for_each(|op| state.swap(op.index(), op.index() + 1));
                    assert!(state.is_sorted() && report.optimal);
                }
            });
        }
    }
}

#[test]
fn plans_on_random_graphs_cost_the_least() {
    let options = Options::default();
    let mut solved = 0;
    for seed in 0..60 {
        let domain = Cayley::random(seed);
        let graph = domain.graph();
        let to_goal = graph.distances_to(graph.number(&GOAL));
        let part =
            Estimate(|state: &_| patchy(state, to_goal[graph.number(state)].unwrap_or(Cost::MAX)));
        for radius in [1, 2, 4] {
            let blind = Perimeter::new(&domain, &[GOAL], Zero, radius, &options).unwrap();
            let patched = Perimeter::new(&domain, &[GOAL], &part, radius, &options).unwrap();
            for start in (0..120).step_by(13) {
                let (from, least) = (&graph.states[start], to_goal[start]);
                for report in [
                    a_star(&domain, &blind, from, &options),
                    a_star(&domain, &patched, from, &options),
                    ida_star(
                        &domain,
                        &patched,
                        &NoPruning,
                        from,
                        &Options {
                            limits: Limits { nodes: Some(100_000), ..Limits::default() },
                            ..Options::default()
                        },
                    ),
                ] {
                    if report.outcome == Outcome::LimitReached(Limit::Nodes) {
                        assert!(least.is_none_or(|least| report.lower_bound <= least));
                        continue;
                    }
                    let Some(least) = least else {
                        assert!(report.plan().is_none());
                        continue;
                    };
                    let plan = report.plan().unwrap();
                    plan::validate(&graph, &start, plan).unwrap();
                    let cost: Cost = plan.iter().map(|&op| domain.cost(op)).sum();
                    assert_eq!((cost, report.lower_bound), (least, least));
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 2500, "{solved}");
}

#[test]
fn a_perimeter_saves_the_last_levels_whatever_the_threads() {
    let domain = Pancake::new(10);
    let (goal, options) = (domain.representative(0), Options::default());
    let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 9, 3, 6]);
    let weak = Estimate(|state: &u64| GapHeuristic.estimate(&domain, state).saturating_sub(3));
    let plain = ida_star(&domain, &weak, &InversePruning, &start, &options);
    let mut nodes = vec![plain.generated()];
    for radius in [2, 4] {
        let perimeter = Perimeter::new(&domain, &[goal], weak, radius, &options).unwrap();
        assert_eq!(perimeter.radius(), radius);
        let one = ida_star(&domain, &perimeter, &InversePruning, &start, &options);
        check_plan(&domain, start, &one, usize::from(plain.lower_bound));
        let more = ida_star_parallel(&domain, &perimeter, &InversePruning, &start, &options);
        let complete = one.iterations.iter().filter(|iteration| iteration.complete);
        assert!(complete.zip(&more.iterations).all(|(one, more)| one == more));
        nodes.push(one.generated());
    }
    assert!(nodes[0] > 2 * nodes[1] && nodes[1] > 5 * nodes[2], "{nodes:?}");
}

#[test]
fn bytes_and_limits_are_kept() {
    let domain = Pancake::new(10);
    let (goal, options) = (domain.identity(), Options::default());
    let mut radii = Vec::new();
    for bytes in [0, 200, 5_000, 200_000, 1 << 40] {
        let perimeter =
            Perimeter::within_bytes(&domain, &[goal], GapHeuristic, bytes, &options).unwrap();
        assert!(perimeter.radius() == 0 || perimeter.bytes() as u64 <= bytes);
        radii.push(perimeter.radius());
    }
    // No stack of ten pancakes is farther than 11 flips.
    assert!(radii.is_sorted() && radii[0] == 0 && radii[3] == 5 && radii[4] >= 11, "{radii:?}");
    let error = |limits: Limits, cancel: &CancelToken| {
        let options = Options { limits, cancel: cancel.clone(), ..Options::default() };
        let front = FrontToPerimeter::new(&domain, &[goal], |_: &u64, _: &u64| 0, 6, &options);
        let front = front.map(|_| ()).unwrap_err();
        let lookup = Perimeter::new(&domain, &[goal], Zero, 6, &options).unwrap_err();
        assert_eq!(std::mem::discriminant(&front), std::mem::discriminant(&lookup));
        lookup
    };
    let token = CancelToken::new();
    for bytes in [0, 1 << 12, 1 << 18] {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        assert!(matches!(error(limits, &token), LayersError::Memory { .. }), "{bytes}");
    }
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    assert!(matches!(error(limits, &token), LayersError::Nodes { .. }));
    token.cancel();
    assert!(matches!(error(Limits::default(), &token), LayersError::Cancelled { .. }));
}
