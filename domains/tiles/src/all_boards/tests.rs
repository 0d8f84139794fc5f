//! All boards of small puzzles, their moves, and the published counts.

use super::*;
use pdb::layers::{ExhaustOptions, exhaust};
use search::{Domain, OpSet};
use std::collections::BTreeSet;

fn puzzle(rows: usize, columns: usize) -> AnyTiles {
    AnyTiles::of_size(rows, columns).expect("a size")
}

#[test]
fn entries_are_boards_and_edges_are_moves() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (2, 6), (4, 4)] {
        for goal in [None, Some("last")] {
            let puzzle = puzzle(rows, columns);
            let puzzle = goal.map_or(Ok(puzzle.clone()), |goal| puzzle.with_goal_text(goal));
            let puzzle = puzzle.expect("a goal");
            let boards = AllBoards::new(&puzzle).expect("at most 16 squares");
            let entries = boards.rows() * boards.columns() as u64;
            assert_eq!(Some(entries), AllBoards::entries_of(&puzzle));
            for entry in (0..entries).step_by(usize::try_from(entries / 97 + 1).expect("")) {
                let board = boards.board(entry);
                assert_eq!(boards.rank(&board), Some(entry), "{rows}x{columns}");
                check_edges(&puzzle, &boards, &board, entry);
            }
        }
    }
    assert_eq!(AllBoards::entries_of(&puzzle(4, 3)), Some(239_500_800));
    assert!(AllBoards::new(&puzzle(4, 5)).is_none());
}

fn check_edges(puzzle: &AnyTiles, boards: &AllBoards, board: &Board<WideWord>, entry: u64) {
    let columns = boards.columns() as u64;
    let mut edges = Vec::new();
    boards.edges(entry / columns, &mut edges);
    let column = usize::try_from(entry % columns).expect("a column");
    let target = |edge: &Edge| {
        let to = boards.column_map(edge.map).to(column);
        let back = boards.inverse_map(edge.map).expect("an inverse");
        assert_eq!(boards.column_map(back).to(to), column);
        edge.row * columns + to as u64
    };
    let found: BTreeSet<u64> = edges.iter().map(target).collect();
    let moved = |op| {
        let mut to = *board;
        puzzle.apply_into(board, op, &mut to);
        boards.rank(&to).expect("it reaches the goal")
    };
    let expected: BTreeSet<u64> = puzzle.applicable(board).members().map(moved).collect();
    assert_eq!(found, expected);
}

/// The number of boards at each distance from the goal with the blank in a corner, in memory.
fn count(rows: usize, columns: usize) -> Vec<u64> {
    let boards = AllBoards::new(&puzzle(rows, columns)).expect("at most 16 squares");
    let found = exhaust(&boards, &ExhaustOptions::default()).expect("exhausted");
    assert_eq!(found.unreached, 0);
    found.layers
}

/// OEIS A090034, A090035 and A089473, from Filip Karlemo and Patric Östergård, "On sliding block
/// puzzles", JCMCC 34, 2000, and Alexander Reinefeld, "Complete solution of the eight-puzzle",
/// IJCAI 1993.
#[test]
fn layers_are_the_published_ones() {
    assert_eq!(count(2, 2), [1, 2, 2, 2, 2, 2, 1]);
    let five = [1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1];
    assert_eq!((count(2, 3), count(3, 2)), (five.to_vec(), five.to_vec()));
    let seven = [
        1, 2, 3, 6, 10, 14, 19, 28, 42, 61, 85, 119, 161, 215, 293, 396, 506, 632, 788, 985, 1194,
        1414, 1664, 1884, 1999, 1958, 1770, 1463, 1076, 667, 361, 190, 88, 39, 19, 7, 1,
    ];
    assert_eq!(count(2, 4), seven);
    let eight = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(count(3, 3), eight);
}

/// OEIS A090166, from the same authors.
#[test]
#[ignore = "slow: 239,500,800 boards, 5 s"]
fn layers_of_the_board_of_3_by_4_are_the_published_ones() {
    let eleven = [
        1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13899, 24215, 41802,
        71167, 119_888, 198_363, 323_206, 515_778, 811_000, 1_248_011, 1_885_279, 2_782_396,
        4_009_722, 5_621_354, 7_647_872, 10_065_800, 12_760_413, 15_570_786, 18_171_606,
        20_299_876, 21_587_248, 21_841_159, 20_906_905, 18_899_357, 16_058_335, 12_772_603,
        9_515_217, 6_583_181, 4_242_753, 2_503_873, 1_350_268, 643_245, 270_303, 92_311, 27_116,
        5390, 1115, 86, 18,
    ];
    assert_eq!(count(3, 4), eleven);
}
