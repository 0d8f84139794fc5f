//! Ranks, edges, goals and tables of patterns of any pieces.

use super::*;
use pdb::testing::check_abstraction;
use pdb::{BuildOptions, build};
use search::random::Random;

fn pattern(metric: CubeMetric, corners: &[u8], edges: &[u8]) -> PiecePattern {
    PiecePattern::new(metric, corners, edges).unwrap()
}

#[test]
fn ranks_are_one_to_one() {
    for (corners, edges) in
        [(&[6, 5][..], &[5, 9][..]), (&[], &[3, 0, 11]), (&[7, 0, 4], &[]), (&[2], &[8])]
    {
        let pattern = pattern(CubeMetric::HalfTurn, corners, edges);
        let (rows, columns) = pattern.shape();
        for row in 0..rows {
            assert_eq!(pattern.rank(&pattern.places(row)), (row, 0));
        }
        assert_eq!(pattern.entries(), rows * columns as u64);
    }
}

#[test]
fn what_is_carried_is_what_is_found() {
    let mut random = Random::new(5);
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let pattern = pattern(metric, &[6, 0, 3], &[5, 9, 11, 2]);
        let domain = Cube3::new(metric);
        let (mut cube, mut edges) = (Cube::random(&mut random), Vec::new());
        let mut at = pattern.index(&domain, &cube);
        for _ in 0..1000 {
            let op = Op::new(random.index(domain.operators()));
            let next = cube.turned(domain.turn(op));
            let (row, column) = pattern.rank(&at);
            edges.clear();
            pattern.edges(row, &mut edges);
            let edge = edges[op.index()];
            at = pattern.advance(&domain, &cube, at, op, &next);
            assert_eq!(at, pattern.index(&domain, &next));
            let column = pattern.column_map(edge.map).to(column as usize);
            let entry = edge.row * pattern.columns() as u64 + column as u64;
            assert_eq!(entry, pattern.entry(at));
            cube = next;
        }
    }
}

/// Six edges have the table of [`EdgePattern`](crate::patterns::EdgePattern), smaller patterns
/// have the distances of their abstraction.
#[test]
fn tables_are_lawful() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        for (corners, edges) in [(&[6, 5][..], &[5, 9][..]), (&[], &[6, 9, 10, 5])] {
            let pattern = pattern(metric, corners, edges);
            let table = build::<4>(&pattern, &BuildOptions::default()).unwrap();
            assert_eq!(table.histogram().unreached, 0);
            let distance = |entry| table.get(entry);
            let domain = Cube3::new(metric);
            check_abstraction(&domain, &pattern, &pattern, &distance, &[Cube::SOLVED], 20_000)
                .unwrap();
        }
    }
}

/// Goals by a choice: the distances are those to the nearest of all goals.
#[test]
fn goals_may_leave_a_choice() {
    let any = pattern(CubeMetric::HalfTurn, &[6, 5], &[5]);
    let single = [1 << 6, 1 << 5, 1 << 13]
        .map(|bit: u32| any.clone().with_goals(&move |solved| solved & bit != 0));
    let any = any.with_goals(&|solved| solved != 0);
    let tables = single.map(|one| build::<4>(&one, &BuildOptions::default()).unwrap());
    let least = build::<4>(&any, &BuildOptions::default()).unwrap();
    assert_eq!(any.goals.len(), 504 * 24 - (504 - 21 - 21 + 1) * 23);
    for entry in 0..any.entries() {
        let distances = tables.iter().map(|table| table.get(entry));
        assert_eq!(Some(least.get(entry)), distances.min());
    }
}

#[test]
fn what_is_no_pattern_is_told() {
    let told = |corners: &[u8], edges: &[u8]| {
        PiecePattern::new(CubeMetric::HalfTurn, corners, edges).unwrap_err().to_string()
    };
    assert_eq!(told(&[], &[]), "found no piece, expected at least one");
    assert_eq!(
        told(&[1, 8], &[]),
        "found the corner 8, expected a number below 8 that was not named before"
    );
    assert!(told(&[], &[3, 3]).starts_with("found the edge 3, "));
    assert!(told(&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5, 6]).starts_with("93312 ways"));
}
