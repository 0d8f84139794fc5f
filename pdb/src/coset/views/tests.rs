//! Views of a toy group, on all its states: bounds, excluded operators, and lengths of plans.

use super::*;
use crate::Remote;
use crate::coset::SymmetryReduced;
use crate::testing::wheels::{Together, WheelViews, Wheels};
use crate::testing::{NearReader, stripe_table};
use crate::{Abstraction, BuildOptions, build};
use search::testing::{Distances, check_heuristic};
use search::{Domain, Frontier, KnownUnits, Max, NoPruning, Options, Outcome, UnitCounts, Units};
use search::{ida_star, ida_star_parallel};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

/// The heuristic of the toy group `wheels`, whose table has the base value `base`.
fn views<const VIEWS: usize>(wheels: Wheels, base: Cost) -> Views<Wheels, WheelViews<VIEWS>> {
    let reduced = SymmetryReduced::new(Together::new(wheels));
    let exact = build::<4>(&reduced, &BuildOptions::default()).unwrap();
    let table = stripe_table(reduced.rows(), reduced.columns(), base, |entry| exact.get(entry));
    Views::new(&wheels, WheelViews(reduced), table).unwrap()
}

fn check<const VIEWS: usize>(wheels: Wheels, base: Cost) {
    let views = views::<VIEWS>(wheels, base);
    for view in 0..VIEWS {
        // A view contains both operators of its own wheel. No other wheel keeps the three points
        // together.
        assert_eq!(views.inside(&wheels, view), 3 << (2 * view));
    }
    assert_eq!(views.covered, 2 * VIEWS == usize::from(wheels.0));
    let two = TwoSided(wheels);
    let distances = Distances::from_goals(&two, &[two.state(&wheels.identity())], 20);
    assert_eq!(distances.len(), if wheels.0 == 6 { 360 } else { 20_160 });
    check_heuristic(&two, &views, &distances).unwrap();
}

#[test]
fn bounds_are_admissible_and_excluded_operators_start_no_plan() {
    for base in [0, 1, 2, 4, 11] {
        check::<3>(Wheels(6), base);
        check::<2>(Wheels(6), base);
    }
    check::<4>(Wheels(8), 1);
    check::<1>(Wheels(8), 2);
}

/// A heuristic with the bounds of another one, that excludes no operators.
struct Including<H>(H);

impl<D: Group, H: Heuristic<TwoSided<D>>> Heuristic<TwoSided<D>> for Including<H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS;
    search::forward_heuristic! { |this, domain: TwoSided<D>| this.0, domain; root child }
    fn bound(
        &self,
        domain: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        Verdict::bound(self.0.bound(domain, state, carry, limit).h)
    }
}

#[test]
fn plans_are_as_short_with_exclusions_as_without_and_found_with_fewer_nodes() {
    let wheels = Wheels(8);
    let (views, two) = (views::<4>(wheels, 1), TwoSided(wheels));
    let distances = Distances::from_goals(&two, &[two.state(&wheels.identity())], 20);
    let (mut number, mut nodes) = (0, [0; 3]);
    distances
        .try_for_each(|state, cost, exact| {
            number += 1;
            assert!(exact);
            if number % 29 != 0 {
                return Ok::<(), ()>(());
            }
            let options = Options::default();
            let reports = [
                ida_star(&two, &views, &NoPruning, state, &options),
                ida_star(&two, &Including(&views), &NoPruning, state, &options),
                // This is the staged expansion, which cuts children in stages.
                ida_star_parallel(&two, &views, &NoPruning, state, &options),
            ];
            for (report, nodes) in reports.iter().zip(&mut nodes) {
                let Outcome::Solved(plans) = &report.outcome else { panic!("{report:?}") };
                assert_eq!(plans[0].len(), usize::from(cost), "{state:?}");
                let complete = report.iterations.iter().filter(|iteration| iteration.complete);
                *nodes += complete.map(|iteration| iteration.generated).sum::<u64>();
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(nodes[0], nodes[2]);
    assert!(nodes[0] < nodes[1], "{nodes:?}");
}

#[test]
fn a_child_of_a_node_that_was_cut_inherits_only_what_was_read() {
    let wheels = Wheels(8);
    let (views, two) = (views::<4>(wheels, 1), TwoSided(wheels));
    let mut state = two.state(&wheels.identity());
    for step in 0..200_usize {
        let op = Op::new(step * step * 5 % 16);
        let (from, mut carry) = (state, views.root(&two, &state));
        for limit in [0, 1, 2, Cost::MAX] {
            two.apply_into(&from, op, &mut state);
            let mut child = views.child(&two, &from, &carry, op, &state);
            let bound = views.bound(&two, &state, &mut child, Cost::MAX).h;
            assert_eq!(bound, views.estimate(&two, &state));
            views.bound(&two, &from, &mut carry, limit);
        }
    }
}

/// The first few of four views; field `.1` is their number. `VIEWS` is only the maximum: the number
/// of views is known at run time.
struct Variable(WheelViews<4>, usize);

impl Cosets<Wheels> for Variable {
    const VIEWS: usize = 4;
    const FIXED: bool = false;
    fn views(&self) -> usize {
        self.1
    }
    fn locate(&self, view: usize, state: &<Wheels as Domain>::State) -> (u32, u32) {
        self.0.locate(view, state)
    }
}

#[test]
fn a_variable_number_of_views_searches_as_a_fixed_one() {
    fn same<const VIEWS: usize>() {
        let wheels = Wheels(8);
        let (fixed, two) = (views::<VIEWS>(wheels, 1), TwoSided(wheels));
        let reduced = SymmetryReduced::new(Together::new(wheels));
        let cosets = Variable(WheelViews(reduced), VIEWS);
        let variable = Views::new(&wheels, cosets, fixed.table().clone()).unwrap();
        let distances = Distances::from_goals(&two, &[two.state(&wheels.identity())], 20);
        let mut number = 0;
        distances
            .try_for_each(|state, _, _| {
                number += 1;
                if number % 401 == 0 {
                    let options = Options::default();
                    let fixed = ida_star_parallel(&two, &fixed, &NoPruning, state, &options);
                    let variable = ida_star_parallel(&two, &variable, &NoPruning, state, &options);
                    assert_eq!(fixed.lower_bound, variable.lower_bound);
                    assert_eq!(fixed.plan().map(|p| p.len()), variable.plan().map(|p| p.len()));
                    let complete = |report: &search::Report| {
                        let all = report.iterations.iter().filter(|iteration| iteration.complete);
                        all.map(|iteration| iteration.generated).collect::<Vec<u64>>()
                    };
                    assert_eq!(complete(&fixed), complete(&variable));
                }
                Ok::<(), ()>(())
            })
            .unwrap();
        assert!(number > 10_000);
    }
    same::<1>();
    same::<2>();
    same::<3>();
    same::<4>();
}

#[test]
fn two_tables_bound_as_the_greater_one_and_need_no_more_nodes_than_either() {
    let wheels = Wheels(8);
    let (front, behind, two) = (views::<2>(wheels, 0), views::<4>(wheels, 4), TwoSided(wheels));
    let both = Max(&front, &behind);
    let within = |most| Distances::from_goals(&two, &[two.state(&wheels.identity())], most);
    check_heuristic(&two, &both, &within(4)).unwrap();
    let distances = within(20);
    let (mut number, mut nodes) = (0, [0; 4]);
    distances
        .try_for_each(|state, cost, _| {
            number += 1;
            let bounds = (front.estimate(&two, state), behind.estimate(&two, state));
            assert_eq!(both.estimate(&two, state), bounds.0.max(bounds.1));
            if number % 37 != 0 {
                return Ok::<(), ()>(());
            }
            let options = Options::default();
            let reports = [
                ida_star(&two, &both, &NoPruning, state, &options),
                // This is the staged expansion, which cuts children with one table and then with
                // the other.
                ida_star_parallel(&two, &both, &NoPruning, state, &options),
                ida_star_parallel(&two, &front, &NoPruning, state, &options),
                ida_star_parallel(&two, &behind, &NoPruning, state, &options),
            ];
            for (report, nodes) in reports.iter().zip(&mut nodes) {
                assert_eq!(report.plan().unwrap().len(), usize::from(cost), "{state:?}");
                let complete = report.iterations.iter().filter(|iteration| iteration.complete);
                *nodes += complete.map(|iteration| iteration.generated).sum::<u64>();
            }
            Ok(())
        })
        .unwrap();
    let [plain, staged, front, behind] = nodes;
    assert_eq!(plain, staged);
    assert!(plain <= front && plain <= behind && front != behind, "{nodes:?}");
}

/// A table of four views in front of the same table: plans stay optimal with the largest possible
/// number of sides.
#[test]
fn a_table_of_four_views_may_stand_in_front() {
    let (wheels, two) = (Wheels(8), TwoSided(Wheels(8)));
    let views = views::<4>(wheels, 1);
    let distances = Distances::from_goals(&two, &[two.state(&wheels.identity())], 4);
    check_heuristic(&two, &Max(&views, &views), &distances).unwrap();
}

/// Records what a search counts: above the units, and in each unit.
#[derive(Default)]
struct Recorder {
    next: AtomicUsize,
    counts: Mutex<Vec<(Cost, usize, UnitCounts)>>,
    bound: AtomicU8,
}

impl Recorder {
    fn note(&self, unit: usize, counts: UnitCounts) {
        self.counts.lock().unwrap().push((self.bound.load(Relaxed), unit, counts));
    }

    fn sorted(self) -> Vec<(Cost, usize, UnitCounts)> {
        let mut counts = self.counts.into_inner().unwrap();
        counts.sort_by_key(|&(bound, unit, _)| (bound, unit));
        counts
    }
}

impl Units for Recorder {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        self.next.store(0, Relaxed);
        self.bound.store(frontier.bound, Relaxed);
        self.note(usize::MAX, frontier.above);
        KnownUnits::default()
    }
    fn claim(&self) -> usize {
        self.next.fetch_add(1, Relaxed)
    }
    fn searched(&self, unit: usize, counts: UnitCounts) {
        self.note(unit, counts);
    }
    fn found(&self, _: usize, _: &[Op]) {}
}

/// Searches states by a reader and in memory, and compares all nodes.
fn check_reader<H: Lookups<TwoSided<Wheels>>>(near: &H) {
    let (two, reader) = (TwoSided(Wheels(8)), NearReader::default());
    Remote::open(&two, near, &reader);
    let far = Remote::new(near, &reader);
    let distances = Distances::from_goals(&two, &[two.state(&two.0.identity())], 20);
    let (mut number, mut nodes) = (0, 0);
    distances
        .try_for_each(|state, cost, _| {
            number += 1;
            if number % 197 != 0 || cost < 5 {
                return Ok::<(), ()>(());
            }
            assert_eq!(near.estimate(&two, state), far.estimate(&two, state));
            let options = Options { plans: usize::MAX, ..Options::default() };
            let (by_near, by_far) = (Recorder::default(), Recorder::default());
            let near_options = Options { units: Some(&by_near), ..options.clone() };
            let here = ida_star_parallel(&two, near, &NoPruning, state, &near_options);
            reader.counts();
            let far_options = Options { units: Some(&by_far), ..options };
            let there = ida_star_parallel(&two, &far, &NoPruning, state, &far_options);
            // The same excess too, above the units and in each of them.
            assert_eq!(by_near.sorted(), by_far.sorted());
            assert_eq!(here.iterations, there.iterations);
            assert_eq!(here.outcome, there.outcome);
            nodes += here.generated();
            let [calls, entries, _] = reader.counts();
            assert!(entries > 0 && entries < 8 * (here.generated() + 64), "{entries}");
            assert!(4 * calls < entries || entries < 10_000, "{calls} calls for {entries}");
            Ok(())
        })
        .unwrap();
    assert!(nodes > 10_000, "{nodes}");
}

#[test]
fn searches_by_a_reader_have_the_same_nodes() {
    let (few, many) = (views::<2>(Wheels(8), 0), views::<4>(Wheels(8), 1));
    check_reader(&few);
    check_reader(&many);
    check_reader(&Max(&few, &many));
}
