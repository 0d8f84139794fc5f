//! Coset tables have the known counts, and searches with them find known plans.

use super::{
    AxisCoordinates, AxisFamily, AxisViews, CosetViews, HalfTurnCoordinates, HalfTurnFamily,
    HalfTurnView,
};
use crate::bytes::tests::cubes;
use crate::bytes::{AT_ONCE, Locator, Plain};
use crate::symmetry::{self, axis_turns};
use crate::{ByteCube3, Cube, Cube3, CubeMetric};
use pdb::coset::{Cosets, Product, SymmetryReduced, Views, side};
use pdb::table::StripeTable;
use pdb::{Abstraction, BuildOptions, PackedTable, build};
use search::random::Random;
use search::{
    Claims, Cost, Domain, Heuristic, Limits, Lookup, Max, NoPruning, Op, Options, TwoSided,
    TwoSidedState, VectorUnit, Verdict, ida_star, ida_star_parallel,
};
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Checks that coordinates change by turns and symmetries as those of a cube do. `of` gives the
/// coordinates of a cube.
pub(super) fn coordinates_follow_cubes<P: Product>(
    metric: CubeMetric,
    product: &P,
    of: impl Fn(&P, &Cube) -> (u32, u32, u32),
) {
    let (domain, mut random) = (Cube3::new(metric), Random::new(12));
    let (rows, middle, columns) = (product.first(), product.middle(), product.last());
    for cube in (0..300).map(|_| Cube::random(&mut random)) {
        let (first, value, second) = of(product, &cube);
        for op in (0..domain.operators()).map(Op::new) {
            let value = product.middle_moved(first, value, op);
            let moved = (rows.moved(first, op), value, columns.moved(second, op));
            assert_eq!(moved, of(product, &cube.turned(domain.turn(op))), "{cube:?} by {op:?}");
        }
        for s in 0..product.symmetries() {
            let conjugate = (
                rows.conjugate(first, s),
                product.middle_conjugate(first, value, s),
                product.last_conjugate(product.kind(value), second, s),
            );
            assert_eq!(conjugate, of(product, &symmetry::conjugate(s, &cube)), "by {s}");
        }
    }
    let solved = (rows.solved(), middle.solved(), columns.solved());
    assert_eq!(of(product, &Cube::SOLVED), solved);
}

/// Checks that the fast index gives, on each vector unit and without one, the entry that the
/// coordinates of a conjugated cube give. If symmetries fix the row, it may be the entry of a
/// symmetric coset. `of` gives the coordinates of a cube.
pub(super) fn index_follows_coordinates<P: Product, I: Locator + Clone>(
    reduced: &SymmetryReduced<P>,
    views: &CosetViews<I>,
    of: impl Fn(&P, &Cube) -> (u32, u32, u32),
) {
    let (product, states) = (reduced.product(), cubes(1500));
    let sides = || 0..2 * u16::try_from(I::VIEWS).unwrap();
    let asked = (0..1500).flat_map(|child| sides().map(move |side| Lookup::new(child, side)));
    let asked: Vec<Lookup> = asked.collect();
    let place = |row: u32, column: u32| u64::from(row) << 32 | u64::from(column);
    let mut expected = Vec::new();
    for &asked in &asked {
        let (cube, view) = side(&states, asked);
        let (row, column) = views.locate(view, cube);
        expected.push(place(row, column));
        let viewed = symmetry::conjugate(axis_turns()[view], &cube.into());
        let (first, middle, second) = of(product, &viewed);
        let (class, _) = reduced.class(first);
        let symmetric = (0..product.symmetries())
            .filter(|&s| reduced.class(product.first().conjugate(first, s)) == (class, 0));
        let entries = symmetric.map(|s| {
            let middle_after = product.middle_conjugate(first, middle, s);
            let after = product.last_conjugate(product.kind(middle), second, s);
            (class * product.middle().size() + middle_after, after)
        });
        let entries: Vec<(u32, u32)> = entries.collect();
        assert!(entries.contains(&(row, column)), "view {view} of {viewed:?}: {entries:?}");
        // Symmetric cubes share the entry.
        let s = (row as usize + 7 * column as usize) % product.symmetries();
        let image = symmetry::conjugate(s, &viewed);
        assert!(entries.contains(&views.locate(0, &(&image).into())), "{viewed:?} by {s}");
    }
    let asks = RefCell::new(Vec::new());
    let ask = |place| asks.borrow_mut().push(place);
    for unit in [VectorUnit::None, VectorUnit::Narrow, VectorUnit::Wide] {
        for count in [0, 1, 31, 32, 33, 95, asked.len()] {
            let mut places = vec![0; count];
            let views = views.clone().on(unit);
            views.locate_all(&states, &asked[..count], &mut places, place, ask);
            assert_eq!((places, asks.take()), (expected[..count].into(), expected[..count].into()));
        }
    }
    // Simple loops with the lanes of the widest unit.
    let whole = asked.len() - asked.len() % AT_ONCE;
    let mut lanes = vec![0; whole];
    views.index.each::<Plain<4>, 4, AT_ONCE>(&states, &asked[..whole], &mut lanes, place, ask);
    assert_eq!(lanes, expected[..whole]);
    assert_eq!(asks.take(), lanes);
}

/// A cube after a random turn.
fn turned(cube: &Cube, domain: Cube3, random: &mut Random) -> Cube {
    let op = random.below(domain.operators() as u64).try_into().unwrap();
    cube.turned(domain.turn(Op(op)))
}

fn built<P: Product>(product: P) -> (SymmetryReduced<P>, PackedTable) {
    let reduced = SymmetryReduced::new(product);
    let table = build::<4>(&reduced, &BuildOptions::default()).unwrap();
    (reduced, table)
}

/// The number of cosets at each distance. An entry counts once for each first coordinate in its
/// class.
fn cosets(product: impl Product) -> Vec<u64> {
    let (reduced, table) = built(product);
    let columns = reduced.columns() as u64;
    let mut counts = vec![0; 16];
    for (row, size) in (0..).zip(reduced.class_sizes()) {
        for column in 0..columns {
            counts[usize::from(table.get(row * columns + column))] += u64::from(size);
        }
    }
    let most = counts.iter().rposition(|&count| count > 0).unwrap();
    counts.truncate(most + 1);
    counts
}

#[test]
#[ignore = "slow: builds 70 MB, 6 s"]
fn g1_in_half_turns_has_the_known_histogram() {
    let known = [
        1,
        4,
        50,
        592,
        7156,
        87_236,
        1_043_817,
        12_070_278,
        124_946_368,
        821_605_960,
        1_199_128_738,
        58_202_444,
        476,
    ];
    assert_eq!(cosets(AxisCoordinates::new(CubeMetric::HalfTurn, AxisFamily::G1)), known);
}

#[test]
#[ignore = "slow: builds 70 MB, 6 s"]
fn g1_in_quarter_turns_has_the_known_histogram() {
    let known = [
        1,
        4,
        34,
        312,
        2772,
        24_996,
        225_949,
        2_017_078,
        17_554_890,
        139_132_730,
        758_147_361,
        1_182_378_518,
        117_594_403,
        14_072,
    ];
    assert_eq!(cosets(AxisCoordinates::new(CubeMetric::QuarterTurn, AxisFamily::G1)), known);
}

/// Compares a table with a breadth-first search without symmetries, up to distance 5. All distances
/// would take too long.
fn has_the_cosets_near_the_goal(product: impl Product + Clone) {
    let counts = cosets(product.clone());
    let (rows, middle, columns) = (product.first(), product.middle(), product.last());
    let all = u64::from(rows.size()) * u64::from(middle.size()) * u64::from(columns.size());
    assert_eq!(counts.iter().sum::<u64>(), all);
    assert!(counts.len() < 16, "an entry is not reached");
    assert_eq!(counts[..6], cosets_near_the_goal(&product, 6));
}

/// The number of cosets in each of the first layers, found without symmetries.
fn cosets_near_the_goal(product: &impl Product, layers: usize) -> Vec<u64> {
    let (rows, middle, columns) = (product.first(), product.middle(), product.last());
    let mut layer = vec![(rows.solved(), middle.solved(), columns.solved())];
    let mut seen: HashSet<_> = layer.iter().copied().collect();
    let mut counts = Vec::new();
    for _ in 0..layers {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for (first, value, second) in layer {
            for op in (0..product.operators()).map(Op::new) {
                let value = product.middle_moved(first, value, op);
                let to = (rows.moved(first, op), value, columns.moved(second, op));
                if seen.insert(to) {
                    next.push(to);
                }
            }
        }
        layer = next;
    }
    counts
}

/// These tables are too large for a test. So this test walks the first layers of their entries, and
/// counts an entry once for each first coordinate in its class.
#[test]
fn large_tables_have_as_many_cosets_near_the_goal_as_a_plain_search_finds() {
    let half = [AxisFamily::Tet112, AxisFamily::Htr108, AxisFamily::Htr110, AxisFamily::Htr111]
        .map(|family| (CubeMetric::HalfTurn, family));
    for (metric, family) in half.into_iter().chain([(CubeMetric::QuarterTurn, AxisFamily::Htr110)])
    {
        let reduced = SymmetryReduced::new(AxisCoordinates::new(metric, family));
        let (sizes, columns) = (reduced.class_sizes(), reduced.columns() as u64);
        let (mut layer, mut edges) = (Vec::new(), Vec::new());
        reduced.goals(&mut layer);
        let mut seen: HashSet<u64> = layer.iter().copied().collect();
        for count in cosets_near_the_goal(reduced.product(), 5) {
            let size = |&entry: &u64| u64::from(sizes[usize::try_from(entry / columns).unwrap()]);
            assert_eq!(layer.iter().map(size).sum::<u64>(), count);
            let mut next = Vec::new();
            for entry in layer {
                edges.clear();
                reduced.edges(entry / columns, &mut edges);
                for edge in &edges {
                    let column = usize::try_from(entry % columns).unwrap();
                    let to = edge.row * columns + reduced.column_map(edge.map).to(column) as u64;
                    if seen.insert(to) {
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
    }
}

#[test]
#[ignore = "slow: builds 9 MB twice, 2 s"]
fn g256_has_as_many_cosets_near_the_goal_as_a_plain_search_finds() {
    has_the_cosets_near_the_goal(AxisCoordinates::new(CubeMetric::HalfTurn, AxisFamily::G256));
    has_the_cosets_near_the_goal(AxisCoordinates::new(CubeMetric::QuarterTurn, AxisFamily::G256));
}

#[test]
#[ignore = "slow: builds 360 MB and 1.4 GB, 3 min"]
fn halves_have_as_many_cosets_near_the_goal_as_a_plain_search_finds() {
    // In quarter turns distances do not fit four bits.
    for halving in [HalfTurnFamily::Htr200, HalfTurnFamily::Htr204] {
        has_the_cosets_near_the_goal(HalfTurnCoordinates::new(CubeMetric::HalfTurn, halving));
    }
}

/// Bounds of two tables never exceed the lengths of random walks. Searches with two tables find
/// plans of the same length, with fewer nodes, as searches with the second table alone.
#[test]
#[ignore = "slow: builds 190 MB four times, 2 min"]
fn two_tables_are_admissible_and_find_plans_as_short_as_one() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let domain = Cube3::new(metric);
        let bytes = ByteCube3::new(domain);
        let options = BuildOptions::default();
        let slices = SymmetryReduced::new(HalfTurnCoordinates::new(metric, HalfTurnFamily::Htr200));
        let halves = |bits| {
            let code = HalfTurnFamily::Htr200.code(metric, bits);
            let table = StripeTable::build(&slices, code, &options).unwrap();
            assert_eq!(table.bytes().len() as u64, HalfTurnFamily::Htr200.bytes(bits));
            Views::new(&bytes, HalfTurnView::new(&slices), table).unwrap()
        };
        let [single, double] = [1, 2].map(halves);
        let axes = SymmetryReduced::new(AxisCoordinates::new(metric, AxisFamily::G256));
        let behind = StripeTable::build(&axes, AxisFamily::G256.base(metric), &options).unwrap();
        let behind = Views::new(&bytes, AxisViews::new(metric, &axes), behind).unwrap();
        let two = TwoSided(bytes);
        let [single, double] = [&single, &double].map(|front| Max(front, &behind));
        let mut random = Random::new(13);
        let mut scrambled = |length: usize| {
            let cube = (0..length).fold(Cube::SOLVED, |cube, _| turned(&cube, domain, &mut random));
            two.state(&(&cube).into())
        };
        for length in (0..14).cycle().take(10_000) {
            let start = scrambled(length);
            let bounds = [&single, &double].map(|both| both.estimate(&two, &start));
            assert!(usize::from(bounds[0].max(bounds[1])) <= length, "{bounds:?} after {length}");
        }
        let mut nodes = [0; 4];
        // The last five random walks, of 60 moves, have no plan within the bound.
        for length in (0..13).cycle().take(65).chain([60; 5]) {
            let start = scrambled(length);
            let options = Options::from(Limits { bound: Some(13), ..Limits::default() });
            let reports = [
                ida_star(&two, &double, &NoPruning, &start, &options),
                ida_star_parallel(&two, &double, &NoPruning, &start, &options),
                ida_star_parallel(&two, &single, &NoPruning, &start, &options),
                ida_star_parallel(&two, &behind, &NoPruning, &start, &options),
            ];
            let lengths = reports.each_ref().map(|report| report.plan().map(|plan| plan.len()));
            assert_eq!(lengths, [lengths[0]; 4]);
            assert!(lengths[0].map_or(length > 13, |found| found <= length), "{lengths:?}");
            for (nodes, report) in nodes.iter_mut().zip(reports) {
                let complete = report.iterations.iter().filter(|iteration| iteration.complete);
                *nodes += complete.map(|iteration| iteration.generated).sum::<u64>();
            }
        }
        assert_eq!(nodes[0], nodes[1]);
        assert!(nodes[0] <= nodes[2] && nodes[2] < nodes[3], "{nodes:?}");
    }
}

/// Distances of `htr108` in all views, of a cube and its inverse, never exceed the lengths of
/// random walks. Those of neighbours differ by at most one, where the table holds both. (The
/// inverses of neighbours are no neighbours.)
#[test]
#[ignore = "slow: builds 2.0 GB, 3 min"]
fn htr108_is_admissible_and_consistent() {
    let (metric, family) = (CubeMetric::HalfTurn, AxisFamily::Htr108);
    let (domain, reduced) =
        (Cube3::new(metric), SymmetryReduced::new(AxisCoordinates::new(metric, family)));
    let base = family.base(metric);
    let table = StripeTable::build(&reduced, base, &BuildOptions::default()).unwrap();
    assert_eq!(table.bytes().len() as u64, family.bytes());
    let views = AxisViews::new(metric, &reduced);
    let distances = |cube: &Cube| {
        let inverse = cube.inverse();
        let sides = [cube, &inverse].map(|side| {
            std::array::from_fn::<_, 3, _>(|view| {
                let (row, column) = views.locate(view, &side.into());
                table.get(row, column)
            })
        });
        [sides[0], sides[1]].concat()
    };
    let mut random = Random::new(14);
    for _ in 0..2000 {
        let (mut cube, mut before) = (Cube::SOLVED, vec![0; 6]);
        for length in 1..=16 {
            cube = turned(&cube, domain, &mut random);
            let after = distances(&cube);
            assert!(after.iter().all(|&after| after <= length), "{after:?} after {length}");
            for (&before, &after) in before.iter().zip(&after).take(3) {
                // For values up to the base, the table holds a lower bound.
                assert!(before.min(after) <= base || before.abs_diff(after) <= 1);
            }
            before = after;
        }
    }
}

#[test]
#[ignore = "slow: builds 9 MB twice, 3 s"]
fn searches_find_plans_as_short_as_the_scrambles_are_deep() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let (domain, family) = (Cube3::new(metric), AxisFamily::G256);
        let bytes = ByteCube3::new(domain);
        let (reduced, exact) = built(AxisCoordinates::new(metric, family));
        let (rows, columns) = (reduced.rows(), reduced.columns());
        let table = pdb::testing::stripe_table(rows, columns, family.base(metric), |entry| {
            exact.get(entry)
        });
        assert_eq!(table.bytes().len() as u64, family.bytes());
        let views = Views::new(&bytes, AxisViews::new(metric, &reduced), table).unwrap();
        let two = TwoSided(bytes);
        let mut random = Random::new(11);
        for length in 0..9_u8 {
            for _ in 0..8 {
                let cube =
                    (0..length).fold(Cube::SOLVED, |cube, _| turned(&cube, domain, &mut random));
                let (start, options) = (two.state(&(&cube).into()), Options::default());
                let plan = |report: search::Report| report.plan().unwrap().len();
                let found = plan(ida_star(&two, &views, &NoPruning, &start, &options));
                let staged = plan(ida_star_parallel(&two, &views, &NoPruning, &start, &options));
                assert_eq!(found, staged);
                assert!(found <= usize::from(length));
                if length < 7 {
                    // Another heuristic finds no shorter plan.
                    let other = crate::CubeManhattan::new(metric);
                    let other = ida_star(&domain, &other, &NoPruning, &cube, &options);
                    assert_eq!(found, plan(other));
                }
            }
        }
    }
}

type Two = TwoSided<ByteCube3>;

/// A heuristic that reads all sides of every child, and counts the children whose bound would cut
/// their parent.
///
/// Cutting by such children is bidirectional pathmax: the child's bound exceeds the parent's
/// remaining limit by more than the cost of the operator between them. (Felner, Zahavi, Holte,
/// Schaeffer, Sturtevant and Zhang, "Inconsistent heuristics in theory and practice", 2011.)
struct Raising {
    views: Views<ByteCube3, AxisViews>,
    children: AtomicU64,
    raising: AtomicU64,
}

impl Heuristic<Two> for Raising {
    type Carry = <Views<ByteCube3, AxisViews> as Heuristic<Two>>::Carry;
    const CLAIMS: Claims = Claims::ADMISSIBLE;

    search::forward_heuristic! { |this, two: Two| this.views, two; root child }
    fn bound(
        &self,
        two: &Two,
        state: &TwoSidedState<crate::ByteCube>,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<<Two as Domain>::Ops> {
        let h = self.views.bound(two, state, carry, Cost::MAX).h;
        self.children.fetch_add(1, Ordering::Relaxed);
        // The parent may spend one more than the child, and its bound would be one less.
        self.raising.fetch_add(u64::from(h > limit.saturating_add(2)), Ordering::Relaxed);
        self.views.bound(two, state, carry, limit)
    }
}

/// The distance read for each side is consistent. So a child's bound can raise its parent's only in
/// three cases: the table says "at most the base", the goal is near, or all views are equal.
#[test]
#[ignore = "slow: builds 9 MB, 4 s"]
fn bounds_of_children_hardly_ever_raise_those_of_their_parents() {
    let (metric, family) = (CubeMetric::HalfTurn, AxisFamily::G256);
    let (reduced, exact) = built(AxisCoordinates::new(metric, family));
    let table = pdb::testing::stripe_table(
        reduced.rows(),
        reduced.columns(),
        family.base(metric),
        |entry| exact.get(entry),
    );
    let bytes = ByteCube3::new(Cube3::new(metric));
    let views = Views::new(&bytes, AxisViews::new(metric, &reduced), table).unwrap();
    let zero = || AtomicU64::new(0);
    let heuristic = Raising { views, children: zero(), raising: zero() };
    let (two, mut random) = (TwoSided(bytes), Random::new(12));
    let options = Options::from(Limits { bound: Some(13), ..Limits::default() });
    for _ in 0..5 {
        let start = two.state(&(&Cube::random(&mut random)).into());
        ida_star(&two, &heuristic, &NoPruning, &start, &options);
    }
    let [children, raising] =
        [heuristic.children, heuristic.raising].map(|count| count.into_inner());
    assert_eq!((children, raising), (1_863_167, 2_583));
}
