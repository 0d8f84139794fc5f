//! The builder agrees with a slow, simple builder, on abstractions of every shape.

use super::*;
use crate::abstraction::{ColumnMap, Edge};
use crate::table::{StripeCode, StripeTable};
use crate::testing::stripe_table;
use crate::testing::{DiscPattern, Ring, slow_distances};
use proptest::prelude::*;
use search::{CancelToken, Cost};
use std::sync::Mutex;

/// An abstraction with random edges and column maps.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    rows: u64,
    columns: usize,
    edges: Vec<Vec<Edge>>,
    maps: Vec<Vec<u16>>,
    goals: Vec<u64>,
    undirected: bool,
}

impl Abstraction for Random {
    fn shape(&self) -> (u64, usize) {
        (self.rows, self.columns)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(&self.goals);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        out.extend(&self.edges[usize::try_from(row).expect("small")]);
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        self.undirected
    }
}

pub(crate) fn random(
    seed: u64,
    rows: u64,
    columns: usize,
    degree: u64,
    costs: &[Cost],
    undirected: bool,
) -> Random {
    let mut state = seed;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    // Map 0 is the identity; maps 2 i + 1 and 2 i + 2 are inverse to each other.
    let mut maps = vec![Vec::new()];
    for _ in 0..3 {
        let mut map: Vec<u16> = (0..).take(columns).collect();
        for i in (1..columns).rev() {
            map.swap(i, usize::try_from(next(i as u64 + 1)).expect("small"));
        }
        let mut inverse = vec![0; columns];
        for (column, &to) in (0..).zip(&map) {
            inverse[usize::from(to)] = column;
        }
        maps.extend([map, inverse]);
    }
    let mut edges = vec![Vec::new(); usize::try_from(rows).expect("small")];
    for row in 0..rows {
        for _ in 0..degree {
            let to = next(rows);
            let map = u32::try_from(next(7)).expect("small");
            let cost = costs[usize::try_from(next(costs.len() as u64)).expect("small")];
            edges[usize::try_from(row).expect("small")].push(Edge { row: to, map, cost });
            if undirected {
                let map = if map == 0 { 0 } else { ((map - 1) ^ 1) + 1 };
                edges[usize::try_from(to).expect("small")].push(Edge { row, map, cost });
            }
        }
    }
    let goals = (0..=next(2)).map(|_| next(rows * columns as u64)).collect();
    Random { rows, columns, edges, maps, goals, undirected }
}

/// Checks that the table has the distances of the slow builder, and that both refuse the same
/// distances.
fn agree(abstraction: &dyn Abstraction) {
    let slow = slow_distances(abstraction);
    let deepest = slow.iter().filter(|&&value| value != u32::MAX && value > 14).min();
    match (build::<4>(abstraction, &BuildOptions::default()), deepest) {
        (Ok(table), None) => {
            for (entry, &value) in (0..).zip(&slow) {
                let value = if value == u32::MAX { Cost::MAX.into() } else { value };
                assert_eq!(u32::from(table.get(entry)), value, "entry {entry}");
            }
            if slow.len() % 2 == 1 {
                assert_eq!(table.raw(slow.len() as u64), 15, "the padding is always the same");
            }
        }
        (Err(BuildError::TooDeep { depth, bits: 4 }), Some(&deepest)) => {
            assert_eq!(depth, deepest);
        }
        (built, deepest) => panic!("{built:?}, but the oracle finds {deepest:?}"),
    }
    let deepest = slow.iter().filter(|&&value| value != u32::MAX && value > 254).min();
    match (build::<8>(abstraction, &BuildOptions::default()), deepest) {
        (Ok(table), None) => {
            assert_eq!(table.bytes().len(), slow.len());
            for (entry, &value) in (0..).zip(&slow) {
                assert_eq!(u32::from(table.get(entry)), value.min(255));
            }
        }
        (Err(BuildError::TooDeep { depth, bits: 8 }), Some(&deepest)) => {
            assert_eq!(depth, deepest);
        }
        (built, deepest) => panic!("{built:?}, but the oracle finds {deepest:?}"),
    }
}

/// Checks tables of two bits and of one bit an entry: they encode the distances of the slow
/// builder.
fn agree_on_stripes(abstraction: &dyn Abstraction) {
    let slow = slow_distances(abstraction);
    let exact = |entry: u64| Cost::try_from(slow[usize::try_from(entry).expect("small")]);
    let two = [0, 1, 2, 5, 8, 11].map(StripeCode::two);
    for code in two.into_iter().chain([0, 1, 2, 3, 5, 8, 13].map(StripeCode::one)) {
        let built =
            StripeTable::build(abstraction, code, &BuildOptions::default()).expect("unit costs");
        let exact = |entry| exact(entry).unwrap_or(Cost::MAX);
        let (rows, columns) = (abstraction.rows(), abstraction.columns());
        let encoded = stripe_table(rows, columns, code, exact);
        assert!(built.bytes() == encoded.bytes(), "{code:?}, {rows} rows of {columns}");
    }
}

/// Edge costs of random abstractions.
const COSTS: [&[Cost]; 7] =
    [&[1], &[1, 0], &[0, 1, 1, 1, 2], &[2, 3], &[1, 1, 5], &[2, 0, 4], &[1, 200]];

proptest! {
    #[test]
    fn stripe_tables_are_the_oracles(
        seed: u64, rows in 1_u64..600, columns in 1_usize..200, degree in 1_u64..4,
        undirected: bool,
    ) {
        agree_on_stripes(&random(seed, rows, columns, degree, &[1], undirected));
    }

    #[test]
    fn stripe_tables_need_unit_costs(seed: u64, cost in prop::sample::select(vec![0, 2, 9])) {
        let abstraction = random(seed, 10, 70, 3, &[1, cost], true);
        let built = StripeTable::build(&abstraction, 8, &BuildOptions::default());
        // Edges that no goal reaches do not count.
        let slow = slow_distances(&abstraction);
        let mut rows = (0..).zip(slow.chunks(70));
        let costly = rows.any(|(row, distances)| {
            let mut edges = Vec::new();
            abstraction.edges(row, &mut edges);
            distances.iter().any(|&it| it != u32::MAX) && edges.iter().any(|edge| edge.cost != 1)
        });
        prop_assert_eq!(matches!(built, Err(BuildError::Costs)), costly);
        prop_assert_eq!(built.is_ok(), !costly);
    }

    #[test]
    fn the_table_is_the_oracles(
        seed: u64, rows in 1_u64..600, columns in 1_usize..70, degree in 1_u64..4,
        costs in prop::sample::select(COSTS.to_vec()),
        undirected: bool,
    ) {
        agree(&random(seed, rows, columns, degree, costs, undirected));
    }
}

#[test]
fn uncharged_edges_that_turn_up_late_are_closed_over() {
    // A path of charged edges, then uncharged ones, then charged ones again; both ways or one.
    for undirected in [false, true] {
        let costs = [1, 1, 1, 0, 0, 1, 2, 0, 1];
        let mut edges = vec![Vec::new(); 2000];
        for (row, cost) in (0..).zip(costs) {
            edges[row].push(Edge { row: row as u64 + 1, map: 0, cost });
            if undirected {
                edges[row + 1].push(Edge { row: row as u64, map: 0, cost });
            }
        }
        let abstraction = Random {
            rows: 2000,
            columns: 1,
            edges,
            maps: vec![vec![]],
            goals: vec![0],
            undirected,
        };
        agree(&abstraction);
        let table = build::<4>(&abstraction, &BuildOptions::default()).expect("built");
        let values: Vec<Cost> = (0..11).map(|entry| table.get(entry)).collect();
        assert_eq!(values, [0, 1, 2, 3, 3, 3, 4, 6, 6, 7, Cost::MAX]);
    }
}

/// A stripe table refuses edges of another cost also from rows that are first reached in its last
/// layer.
#[test]
fn stripe_tables_need_unit_costs_in_their_last_layer_too() {
    for (columns, cost, undirected) in [(1, 0, false), (1, 0, true), (70, 0, true), (3, 2, false)] {
        let mut edges = vec![Vec::new(); 9];
        for (row, cost) in (0..).zip([1, 1, 1, 1, cost]) {
            edges[row].push(Edge { row: row as u64 + 1, map: 0, cost });
            if undirected {
                edges[row + 1].push(Edge { row: row as u64, map: 0, cost });
            }
        }
        let (maps, goals) = (vec![vec![]], vec![0]);
        let abstraction = Random { rows: 9, columns, edges, maps, goals, undirected };
        // Row 4 is in the layer of base + 2. Row 5 behind it has no greater distance if the edge
        // between them is not charged.
        for code in [StripeCode::two(2), StripeCode::one(4)] {
            let built = StripeTable::build(&abstraction, code, &BuildOptions::default());
            assert!(matches!(built, Err(BuildError::Costs)), "{built:?}");
        }
        let far = StripeTable::build(&abstraction, 1, &BuildOptions::default());
        assert!(far.is_ok() || undirected, "edges beyond the last layer do not count");
    }
}

/// An abstraction with sixteen columns that no edge permutes. The goals are row 0, and rows 1 to 10
/// are one step from it.
fn star(rows: u64, more: &[(u64, u64, Cost)]) -> Random {
    let mut edges = vec![Vec::new(); usize::try_from(rows).expect("small")];
    let near = (1..=10).map(|row| (0, row, 1));
    for (a, b, cost) in near.chain(more.iter().copied()) {
        for (from, to) in [(a, b), (b, a)] {
            edges[usize::try_from(from).expect("small")].push(Edge { row: to, map: 0, cost });
        }
    }
    let goals = (0..16).collect();
    Random { rows, columns: 16, edges, maps: vec![vec![]], goals, undirected: true }
}

/// The distance of each row of an abstraction of 16 columns. Panics if entries of one row differ in
/// distance, or if the builder disagrees with the slow one.
fn distances_of_rows(abstraction: &Random) -> Vec<u32> {
    agree(abstraction);
    let slow = slow_distances(abstraction);
    let rows = slow.as_chunks::<16>().0;
    assert!(rows.iter().all(|row| row.iter().all(|value| *value == row[0])), "{slow:?}");
    rows.iter().map(|row| row[0]).collect()
}

#[test]
fn a_row_reached_by_an_uncharged_edge_passes_its_distance_on() {
    let found = distances_of_rows(&star(13, &[(1, 11, 0), (2, 12, 1)]));
    assert_eq!(found, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
}

#[test]
fn a_row_beyond_an_edge_of_even_cost_is_found() {
    let found = distances_of_rows(&star(12, &[(1, 11, 2)]));
    assert_eq!(found, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3]);
}

#[test]
fn patterns_of_the_toy_domain() {
    for (places, angles, wheels, discs) in [(7, 2, 4, 4), (8, 3, 8, 3), (9, 1, 5, 4), (6, 2, 2, 6)]
    {
        let patterns = DiscPattern::new(Ring::new(places, angles, wheels), discs);
        agree(&patterns);
        agree_on_stripes(&patterns);
    }
}

/// An observer that checks that the reported counts add up.
#[derive(Default)]
struct Log(Mutex<Vec<(Cost, u64, u64, u64)>>);

impl BuildObserver for Log {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        self.0.lock().expect("alive").push((depth, entries, seen, total));
    }
    fn rows(&self, _: Cost, rows: u64, total: u64) {
        assert!(rows <= total);
    }
}

#[test]
fn the_observer_is_told_the_histogram() {
    let log = Log::default();
    let options = BuildOptions { observer: Some(&log), ..BuildOptions::default() };
    let table = build::<4>(&DiscPattern::new(Ring::new(8, 2, 5), 4), &options).expect("built");
    let layers = log.0.into_inner().expect("alive");
    let histogram = table.histogram();
    assert_eq!(histogram.counts, layers.iter().map(|layer| layer.1).collect::<Vec<_>>());
    assert_eq!(histogram.entries - histogram.unreached, layers.last().expect("some").2);
    assert!(layers.iter().all(|layer| layer.3 == histogram.entries));
}

#[test]
fn what_cannot_be_built_is_refused() {
    let options = BuildOptions::default();
    let shape = |rows, columns, goals: &[u64]| {
        let edges = vec![Vec::new(); 3];
        let maps = vec![vec![]];
        build::<4>(
            &Random { rows, columns, edges, maps, goals: goals.to_vec(), undirected: false },
            &options,
        )
    };
    assert!(matches!(shape(0, 4, &[0]), Err(BuildError::Shape { .. })));
    assert!(matches!(shape(3, 0, &[0]), Err(BuildError::Shape { .. })));
    assert!(matches!(shape(3, 65_537, &[0]), Err(BuildError::Shape { .. })));
    assert!(matches!(shape(u64::MAX, 2, &[0]), Err(BuildError::Shape { .. })));
    assert!(matches!(shape(u64::MAX, 1, &[0]), Err(BuildError::Memory { .. })));
    assert!(matches!(shape(3, 4, &[12]), Err(BuildError::Goal { entry: 12, entries: 12 })));
    assert!(matches!(shape(3, 4, &[]), Err(BuildError::NoGoal)));
    assert!(shape(3, 4, &[11]).is_ok());
    let cancel = CancelToken::cancelled();
    let cancelled = BuildOptions { cancel: Some(&cancel), ..BuildOptions::default() };
    let built = build::<4>(&DiscPattern::new(Ring::new(6, 2, 3), 3), &cancelled);
    assert!(matches!(built, Err(BuildError::Cancelled)));
}
