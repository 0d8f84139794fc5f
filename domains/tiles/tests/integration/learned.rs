//! Learned pairs and triples of tiles: their numbers are the published ones, known conflicts are
//! among them, and no bound is too high.

use crate::{board, wide};
use distances::{Excess, LearnedDistances};
use fewest_tiles::{BoardWord, PackedWord, Puzzle15, Puzzle35, Tiles, TilesManhattan};
use search::random::Random;
use search::testing::{Distances, check_heuristic};
use search::{Cost, Domain, Heuristic, InversePruning, OpSet, Options, ida_star};

fn pairs<W: BoardWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
) -> LearnedDistances {
    LearnedDistances::pairs(domain, &[domain.goal()], None).unwrap()
}

fn triples<W: BoardWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
) -> LearnedDistances {
    LearnedDistances::triples(domain, &[domain.goal()], None).unwrap()
}

/// Counts the learned pairs of a board. A pair is two tiles on two squares. It exceeds if its
/// distance is above the Manhattan distance of both tiles. Returns four numbers:
///
/// - all pairs;
/// - pairs that exceed;
/// - of these, pairs in a linear conflict;
/// - of these, pairs of the two tiles at home beside the blank's home.
fn counts<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) -> [u64; 4] {
    let (learned, columns) = (pairs(domain), domain.columns());
    assert!(learned.excesses().iter().all(|excess| excess.cost() == 2));
    let in_line = |line: &dyn Fn(usize) -> usize, tile: u8, square: u8| {
        line(usize::from(tile)) == line(usize::from(square))
    };
    let reversed = |excess: &Excess, line: &dyn Fn(usize) -> usize| {
        let (tiles, squares) = (excess.features(), excess.places());
        in_line(line, tiles[0], tiles[1])
            && in_line(line, tiles[0], squares[0])
            && in_line(line, tiles[1], squares[1])
            && squares[0] > squares[1]
    };
    let count = |filter: &dyn Fn(&Excess) -> bool| {
        learned.excesses().iter().filter(|excess| filter(excess)).count() as u64
    };
    let beside = [1, u8::try_from(columns).unwrap()];
    [
        learned.entries()[1],
        learned.excesses().len() as u64,
        count(&|excess| {
            reversed(excess, &|square| square / columns)
                || reversed(excess, &|square| square % columns)
        }),
        count(&|excess| excess.features() == beside),
    ]
}

#[test]
fn pairs_exceed_as_often_as_published() {
    assert_eq!(counts(&board(3, 3))[..2], [2016, 145]);
    assert_eq!(counts(&Puzzle15::new()), [25_200, 548, 252, 140]);
    assert_eq!(counts(&wide(4, 5)), [64_980, 963, 522, 236]);
    assert_eq!(counts(&wide(5, 5)), [165_600, 1583, 920, 395]);
}

/// The numbers of triples are our own: none are published.
#[test]
fn triples_exceed_every_pair_in_them() {
    let learned = triples(&Puzzle15::new());
    assert_eq!(learned.entries(), [240, 25_200, 1_528_800]);
    let count = |cost| {
        let of_three = learned.excesses().iter().filter(|excess| excess.features().len() == 3);
        of_three.filter(|excess| excess.cost() == cost).count()
    };
    assert_eq!([count(2), count(4), learned.excesses().len()], [15_380, 1682, 548 + 15_380 + 1682]);
}

#[test]
fn single_distances_are_manhattan_distance() {
    fn check<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
        let singles = LearnedDistances::singles(domain, &[domain.goal()]).unwrap();
        let (manhattan, columns) = (TilesManhattan::new(domain), domain.columns());
        let mut random = Random::new(4);
        for _ in 0..100 {
            let board = domain.random(&mut random);
            assert_eq!(singles.estimate(domain, &board), manhattan.estimate(domain, &board));
        }
        for (tile, square) in
            (1..domain.squares()).flat_map(|tile| (0..domain.squares()).map(move |to| (tile, to)))
        {
            let home = domain.home(tile);
            let far = (home / columns).abs_diff(square / columns)
                + (home % columns).abs_diff(square % columns);
            assert_eq!(singles.distance(tile, square).map(usize::from), Some(far));
        }
    }
    check(&board(3, 3).with_goal_text("1 2 3 8 0 4 7 6 5").unwrap());
    check(&Puzzle15::new());
    check(&wide(5, 5));
    check(&Puzzle35::new());
}

fn found(learned: &LearnedDistances, tiles: &[u8], squares: &[u8]) -> Option<Cost> {
    let mut all = learned.excesses().iter();
    all.find(|excess| excess.features() == tiles && excess.places() == squares).map(Excess::cost)
}

#[test]
fn what_was_found_by_hand_is_discovered() {
    let learned = pairs(&wide(5, 5));
    let found = |tiles: [u8; 2], squares: [u8; 2]| found(&learned, &tiles, &squares);
    // There is a linear conflict in the middle row, and one in a column. The right order has no
    // excess.
    assert_eq!(found([11, 12], [12, 11]), Some(2));
    assert_eq!(found([7, 17], [22, 12]), Some(2));
    assert_eq!(found([11, 12], [11, 12]), None);
    // Corner tiles: 3 is at home beside the corner of 4. Either 4 is not on the other side of that
    // corner, or a wrong tile is in it.
    assert_eq!(found([3, 4], [3, 12]), Some(2));
    assert_eq!(found([3, 17], [3, 4]), Some(2));
    assert_eq!(found([3, 4], [3, 9]), None);
    // Last moves: 1 is not in the first column and 5 not in the first row, but one of them makes
    // the last move.
    assert_eq!(found([1, 5], [13, 22]), Some(2));
    assert_eq!(found([1, 5], [10, 22]), None);
    assert_eq!(found([1, 5], [1, 5]), None);
}

/// If the tiles 3 2 1 stand in this order in their row, two of them have to leave it. Disjoint
/// pairs count only one of these tiles, because any two pairs share a tile. A triple counts both.
#[test]
fn three_in_the_wrong_order_need_a_triple() {
    let learned = triples(&Puzzle15::new());
    for (tiles, squares) in [([1, 2], [3, 2]), ([1, 3], [3, 1]), ([2, 3], [2, 1])] {
        assert_eq!(found(&learned, &tiles, &squares), Some(2));
    }
    assert_eq!(found(&learned, &[1, 2, 3], &[3, 2, 1]), Some(4));
}

/// Checks all laws of heuristics, for learned pairs and triples, on the boards within `limit` moves
/// of the goal.
fn check<W: PackedWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>, limit: Cost) {
    let distances = Distances::from_goals(domain, &[domain.goal()], limit);
    check_heuristic(domain, &pairs(domain), &distances).unwrap();
    check_heuristic(domain, &triples(domain), &distances).unwrap();
}

#[test]
fn all_boards_of_small_puzzles() {
    check(&board(2, 3), 254);
    check(&board(2, 3).with_goal_text("1 0 2 3 4 5").unwrap(), 254);
    check(&board(2, 4), 254);
    check(&board(4, 2).with_goal_text("1 2 3 4 5 6 0 7").unwrap(), 18);
    check(&board(3, 3), 18);
}

/// Checks on every board that no bound is too high.
#[test]
fn bounds_of_the_8_puzzle_are_admissible() {
    assert_eq!(exhaust(&board(3, 3)), 181_440);
}

#[test]
#[ignore = "slow: four goals, all boards with pairs and triples, 40 s"]
fn all_boards_of_the_8_puzzle_with_four_goals() {
    check(&board(3, 3), 254);
    check(&board(3, 3).with_goal_text("1 2 0 3 4 5 6 7 8").unwrap(), 254);
    check(&board(3, 3).with_goal_text("1 2 3 8 0 4 7 6 5").unwrap(), 254);
    check(&board(3, 3).with_goal_text("1 2 3 0 4 5 6 7 8").unwrap(), 254);
}

#[test]
fn boards_near_the_goal_of_larger_puzzles() {
    check(&board(3, 4), 14);
    check(&Puzzle15::new(), 12);
}

/// One move may resolve a conflict and also take the tile nearer its home. So a bound may fall by
/// more than the cost of the move.
#[test]
fn bounds_are_not_consistent() {
    let domain = board(3, 3);
    let distances = Distances::from_goals(&domain, &[domain.goal()], 254);
    for heuristic in [pairs(&domain), triples(&domain)] {
        let mut most = 0;
        let fall = |board: &fewest_tiles::Board<u64>, _, _| {
            let h = heuristic.estimate(&domain, board);
            let mut to = *board;
            for op in domain.applicable(board).members() {
                domain.apply_into(board, op, &mut to);
                most = h.saturating_sub(heuristic.estimate(&domain, &to)).max(most);
            }
            Ok::<(), ()>(())
        };
        distances.try_for_each(fall).unwrap();
        assert!(most > 1, "{most}");
    }
}

/// Checks on all boards of a puzzle that no bound is too high. Returns the number of boards.
fn exhaust<W: PackedWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) -> u64 {
    let heuristics = [pairs(domain), triples(domain)];
    let bounds = |board: &_| heuristics.each_ref().map(|one| one.estimate(domain, board));
    crate::heuristics::exhaust(domain, bounds).iter().sum()
}

#[test]
#[ignore = "slow: all 1,814,400 boards of 2x5, 30 s"]
fn all_boards_of_two_rows_of_five() {
    assert_eq!(exhaust(&board(2, 5)), 1_814_400);
}

#[test]
#[ignore = "slow: all 239,500,800 boards of 3x4 in 5 GB, 1 h"]
fn all_boards_of_three_rows_of_four() {
    assert_eq!(exhaust(&board(3, 4)), 239_500_800);
}

#[test]
fn all_heuristics_find_the_same_length() {
    let domain = board(3, 4);
    let pruning = InversePruning;
    let heuristics = [pairs(&domain), triples(&domain)];
    let mut random = Random::new(9);
    for _ in 0..8 {
        let start = domain.random(&mut random);
        let manhattan = TilesManhattan::new(&domain);
        let plain = ida_star(&domain, &manhattan, &pruning, &start, &Options::default());
        let mut before = plain.generated();
        for heuristic in &heuristics {
            let report = ida_star(&domain, heuristic, &pruning, &start, &Options::default());
            assert_eq!(report.plan().map(|plan| plan.len()), plain.plan().map(|plan| plan.len()));
            assert!(report.generated() < before);
            before = report.generated();
        }
    }
}
