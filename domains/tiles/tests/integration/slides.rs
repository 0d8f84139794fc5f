//! Slides of several tiles as one move: laws, published counts, tables, and searches.

use fewest_tiles::{
    AllBoards, AnyTiles, Board, BoardWord, LEFT, PackedWord, ReferenceSlides, SlideLines,
    SlidePlacements, SlideTables, Slides, TilePattern, UP, WideWord, slide,
};
use pdb::layers::{ExhaustOptions, exhaust};
use pdb::testing::check_edges;
use pdb::{Abstraction, BuildOptions, build};
use search::plan::{Reference, validate};
use search::random::Random;
use search::stored::layer_counts_reversible;
use search::testing::{
    Distances, check_contexts, check_domain, check_heuristic, check_packed, check_plans,
    check_pruning, check_reversible, check_symmetric,
};
use search::{
    Cost, Domain, InversePruning, Max, NoPruning, Op, OpSet, Options, Reversible, ida_star,
};
use std::collections::HashMap;

fn slides<W: BoardWord>(rows: usize, columns: usize) -> Slides<W> {
    Slides::new(AnyTiles::of_size(rows, columns).unwrap())
}

/// The puzzle with the blank of the goal on another square.
fn with_goal<W: BoardWord>(puzzle: &Slides<W>, goal: &str) -> Slides<W> {
    Slides::new(puzzle.tiles().with_goal_text(goal).unwrap())
}

fn check_any<W: BoardWord>(domain: &Slides<W>) {
    let mut random = Random::new(1);
    let mut starts = vec![domain.tiles().goal()];
    starts.extend((0..6).map(|_| domain.tiles().random(&mut random)));
    check_domain(domain, &starts).unwrap();
    check_reversible(domain, &starts).unwrap();
    check_symmetric(domain, &starts).unwrap();
    check_reference(domain, &mut random);
}

/// Walks at random, on boards and on lists of numbers.
fn check_reference<W: BoardWord>(domain: &Slides<W>, random: &mut Random) {
    let tiles = domain.tiles();
    let mut board = tiles.goal();
    let mut list = tiles.numbers(&board);
    let reference = ReferenceSlides::new(tiles.columns(), list.clone());
    for _ in 0..100 {
        let applicable = domain.applicable(&board);
        for op in (0..domain.operators()).map(Op::new) {
            let next = reference.successor(&list, op);
            assert_eq!(next.is_some(), applicable.contains(op));
        }
        let ops: Vec<Op> = applicable.members().collect();
        let (op, before) = (ops[random.index(ops.len())], board);
        list = reference.successor(&list, op).unwrap();
        domain.apply_into(&before, op, &mut board);
        assert_eq!(tiles.numbers(&board), list);
        assert_eq!(tiles.board(&list), Ok(board));
        assert_eq!(reference.is_solved(&list), domain.is_goal(&board));
    }
}

fn check<W: PackedWord>(domain: &Slides<W>) {
    check_any(domain);
    let mut random = Random::new(2);
    let tiles = domain.tiles();
    let starts = vec![tiles.goal(), tiles.random(&mut random)];
    check_packed(domain, &starts).unwrap();
    check_contexts(domain, &starts, 3).unwrap();
    check_pruning(domain, &InversePruning, &starts, 4).unwrap();
    let near = Distances::from_goals(domain, &[tiles.goal()], 5);
    check_plans(domain, &NoPruning, &near).unwrap();
    check_heuristic(domain, &SlideLines, &near).unwrap();
}

#[test]
fn boards_of_every_shape_are_domains() {
    check(&slides::<u64>(2, 2));
    check(&slides::<u64>(3, 4));
    check(&with_goal(&slides::<u64>(3, 3), "1 2 3 8 0 4 7 6 5"));
    check(&slides::<u64>(4, 4));
    check(&slides::<u64>(2, 6));
    check(&slides::<u128>(5, 4));
    check(&slides::<u128>(5, 5));
    check_any(&slides::<WideWord>(6, 6));
    check_any(&slides::<WideWord>(5, 6));
}

/// The number of boards at each distance.
fn count(rows: usize, columns: usize) -> Vec<u64> {
    let boards = AllBoards::of_slides(&slides(rows, columns)).expect("at most 16 squares");
    let found = exhaust(&boards, &ExhaustOptions::default()).expect("exhausted");
    assert_eq!(found.unreached, 0);
    found.layers
}

fn radius(rows: usize, columns: usize) -> usize {
    count(rows, columns).len() - 1
}

/// OEIS A151944: the radii of boards in the multi-tile metric.
#[test]
fn radii_are_the_published_ones() {
    assert_eq!((radius(2, 2), radius(2, 3), radius(3, 2), radius(2, 4)), (6, 20, 20, 25));
    assert_eq!((radius(4, 2), radius(3, 3), radius(2, 5), radius(5, 2)), (25, 24, 36, 36));
}

#[test]
#[ignore = "slow: 239,500,800 boards, twice, 1 min"]
fn radii_of_boards_of_12_squares_are_the_published_ones() {
    assert_eq!((radius(3, 4), radius(4, 3)), (33, 33));
}

/// A breadth-first search of packed boards agrees with the exhaustive count of ranks.
#[test]
fn layers_are_those_of_a_plain_search() {
    for (rows, columns, goal) in [(2, 3, "0 1 2 3 4 5"), (3, 3, "1 2 3 8 0 4 7 6 5")] {
        let domain = with_goal(&slides::<u64>(rows, columns), goal);
        let boards = AllBoards::of_slides(&domain.to_word().unwrap()).unwrap();
        let found = exhaust(&boards, &ExhaustOptions::default()).unwrap();
        let (start, options) = (domain.tiles().goal(), Options::default());
        let plain = layer_counts_reversible(&domain, &start, 99, &options).unwrap();
        assert_eq!(found.layers, plain);
    }
}

/// OEIS A389728.
const FIFTEEN: [u64; 13] =
    [1, 6, 18, 54, 162, 486, 1457, 4334, 12568, 36046, 102_801, 289_534, 808_623];

#[test]
fn the_15_puzzle_begins_with_its_layers() {
    let domain = slides::<u64>(4, 4);
    let (goal, options) = (domain.tiles().goal(), Options::default());
    assert_eq!(layer_counts_reversible(&domain, &goal, 12, &options).unwrap(), FIFTEEN);
}

fn pattern<W: BoardWord>(domain: &Slides<W>, goals: &[u8]) -> TilePattern {
    let grid = domain.tiles().grid();
    let (rows, columns) = (grid.rows, grid.columns);
    let blank = u8::try_from(grid.blank_home).unwrap();
    TilePattern { rows, columns, goals: goals.to_vec(), blank }
}

fn tables<W: BoardWord>(domain: &Slides<W>, patterns: &[&[u8]]) -> SlideTables {
    let table = |goals: &&[u8]| {
        let pattern = pattern(domain, goals);
        let placements = SlidePlacements::new(pattern.clone()).unwrap();
        (pattern, build::<8>(&placements, &BuildOptions::default()).unwrap())
    };
    SlideTables::new(domain, patterns.iter().map(table))
}

/// Distances of all placements of some tiles and the blank, by a search on lists of squares.
fn oracle(pattern: &TilePattern) -> HashMap<Vec<u8>, u8> {
    let side = |squares: usize| i32::try_from(squares).unwrap();
    let (rows, columns) = (side(pattern.rows), side(pattern.columns));
    let mut start = pattern.goals.clone();
    start.push(pattern.blank);
    let mut distances = HashMap::from([(start.clone(), 0)]);
    let mut layer = vec![start];
    for distance in 1.. {
        let mut next = Vec::new();
        for (state, (down, right)) in layer.iter().flat_map(|state| {
            [(-1, 0), (0, -1), (0, 1), (1, 0)].into_iter().map(move |way| (state, way))
        }) {
            let mut to = state.clone();
            loop {
                let blank = i32::from(*to.last().unwrap());
                let (row, column) = (blank / columns + down, blank % columns + right);
                if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                    break;
                }
                let square = u8::try_from(row * columns + column).unwrap();
                let blank = to.pop().unwrap();
                to.iter_mut().filter(|tile| **tile == square).for_each(|tile| *tile = blank);
                to.push(square);
                if !distances.contains_key(&to) {
                    distances.insert(to.clone(), distance);
                    next.push(to.clone());
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

#[test]
fn tables_have_the_distances_of_placements() {
    for (rows, columns, goal, goals) in [
        (3, 3, "solved", &[1, 2, 3][..]),
        (3, 3, "1 2 3 8 0 4 7 6 5", &[0, 1, 2, 5]),
        (2, 3, "last", &[0, 1, 2, 3, 4]),
        (4, 3, "solved", &[4, 9]),
        (2, 5, "solved", &[9]),
        (5, 5, "solved", &[7, 24]),
    ] {
        let domain = with_goal(&slides::<WideWord>(rows, columns), goal);
        let pattern = pattern(&domain, goals);
        let oracle = oracle(&pattern);
        let placements = SlidePlacements::new(pattern.clone()).unwrap();
        let table = build::<8>(&placements, &BuildOptions::default()).unwrap();
        assert_eq!(table.entries(), SlidePlacements::entries_for(&pattern));
        for (state, &distance) in &oracle {
            let (blank, tiles) = state.split_last().unwrap();
            assert_eq!(table.get(placements.entry(tiles, *blank).unwrap()), distance, "{state:?}");
        }
        let reached = (0..table.entries()).filter(|&entry| table.get(entry) < Cost::MAX).count();
        assert_eq!(reached, oracle.len());
    }
}

#[test]
fn every_edge_has_its_way_back() {
    let domain = slides::<u64>(3, 4);
    let placements = SlidePlacements::new(pattern(&domain, &[1, 2, 5, 9])).unwrap();
    check_edges(&placements).unwrap();
    let mut edges = Vec::new();
    (0..placements.rows()).for_each(|row| placements.edges(row, &mut edges));
    assert!(edges.iter().all(|edge| placements.inverse_map(edge.map).is_some()));
}

#[test]
fn heuristics_are_admissible_on_all_boards() {
    fn all(domain: &Slides<u64>, patterns: &[&[u8]]) {
        let distances = Distances::from_goals(domain, &[domain.tiles().goal()], Cost::MAX - 1);
        check_heuristic(domain, &SlideLines, &distances).unwrap();
        check_heuristic(domain, &tables(domain, patterns), &distances).unwrap();
    }
    all(&slides(2, 3), &[&[1, 2], &[3, 4, 5]]);
    all(&slides(2, 4), &[&[1, 2, 3, 5], &[4, 7]]);
    all(&slides(3, 3), &[&[1, 3, 4, 6], &[5, 7, 8]]);
    all(&with_goal(&slides(3, 3), "1 2 3 8 0 4 7 6 5"), &[&[0, 1, 2, 3]]);
    all(&with_goal(&slides(3, 3), "1 0 3 8 2 4 7 6 5"), &[&[0, 2, 4, 5, 8]]);
}

/// Solves boards, and replays the plans.
fn solve_all(domain: &Slides<u64>, patterns: &[&[u8]], step: usize) {
    let tiles = domain.tiles();
    let distances = Distances::from_goals(domain, &[tiles.goal()], Cost::MAX - 1);
    let mut boards: Vec<(Vec<u8>, Board<u64>, Cost)> = Vec::new();
    let visit = |board: &Board<u64>, cost: Cost, _: bool| {
        boards.push((tiles.numbers(board), *board, cost));
        Ok::<_, ()>(())
    };
    distances.try_for_each(visit).unwrap();
    boards.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let heuristic = Max(tables(domain, patterns), SlideLines);
    let reference = ReferenceSlides::new(tiles.columns(), tiles.numbers(&tiles.goal()));
    for (list, board, cost) in boards.iter().step_by(step) {
        let report = ida_star(domain, &heuristic, &InversePruning, board, &Options::default());
        let plan = report.plan().expect("every board is solved");
        assert_eq!(plan.len(), usize::from(*cost), "{list:?}");
        assert_eq!(validate(&reference, list, plan), Ok(()));
    }
}

#[test]
fn plans_are_optimal() {
    solve_all(&slides(2, 3), &[&[1, 2, 3]], 1);
    solve_all(&slides(2, 4), &[&[1, 2, 4, 5], &[3, 6, 7]], 23);
    solve_all(&slides(3, 3), &[&[1, 3, 4, 6], &[5, 7, 8]], 997);
    solve_all(&with_goal(&slides(3, 3), "1 2 3 8 0 4 7 6 5"), &[&[0, 1, 3, 6]], 1999);
}

#[test]
fn a_slide_is_undone_by_its_opposite() {
    let domain = slides::<u64>(4, 4);
    assert_eq!(domain.operators(), 12);
    assert_eq!(domain.inverse_op(slide(UP, 3)), slide(fewest_tiles::DOWN, 3));
    assert_eq!(domain.inverse_op(slide(LEFT, 1)), slide(fewest_tiles::RIGHT, 1));
}
