//! The heuristics without tables. Their bounds are compared with the true distances on all boards
//! of small puzzles, and near the goal on larger boards.

use crate::{board, wide};
use fewest_tiles::{
    AnyTiles, BoardWord, KorfTaylor, LinearConflict, ManhattanPlus, PackedWord, Puzzle15, Puzzle24,
    Puzzle35, Tiles, TilesManhattan,
};
use search::random::Random;
use search::stored::Layers;
use search::testing::{Distances, check_heuristic};
use search::{Cost, Domain, Heuristic, InversePruning, OpSet, Options, ida_star};

/// Checks all laws of heuristics, for each heuristic that the puzzle allows, on all boards within
/// `limit` moves of the goal.
fn check<W: PackedWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>, limit: Cost) {
    let distances = Distances::from_goals(domain, &[domain.goal()], limit);
    check_heuristic(domain, &TilesManhattan::new(domain), &distances).unwrap();
    check_heuristic(domain, &LinearConflict::new(domain), &distances).unwrap();
    check_heuristic(domain, &ManhattanPlus::corner_tiles(domain), &distances).unwrap();
    let (row, column) =
        (domain.blank_home() / domain.columns(), domain.blank_home() % domain.columns());
    let corner =
        [0, domain.rows() - 1].contains(&row) && [0, domain.columns() - 1].contains(&column);
    assert_eq!(KorfTaylor::new(domain).is_ok(), corner);
    if corner {
        check_heuristic(domain, &ManhattanPlus::last_move(domain).unwrap(), &distances).unwrap();
        check_heuristic(domain, &ManhattanPlus::last_two_moves(domain).unwrap(), &distances)
            .unwrap();
        check_heuristic(domain, &KorfTaylor::new(domain).unwrap(), &distances).unwrap();
    }
}

#[test]
fn all_boards_of_small_puzzles() {
    check(&board(2, 2), 254);
    check(&board(2, 2).with_goal_text("2 0 1 3").unwrap(), 254);
    check(&board(2, 3), 254);
    check(&board(3, 2), 254);
    check(&board(2, 3).with_goal_text("1 0 2 3 4 5").unwrap(), 254);
    check(&board(3, 2).with_goal_text("1 2 3 4 5 0").unwrap(), 254);
    check(&board(2, 4), 254);
    check(&board(4, 2).with_goal_text("1 2 3 4 5 6 0 7").unwrap(), 254);
}

#[test]
fn all_boards_of_the_8_puzzle() {
    check(&board(3, 3), 254);
}

#[test]
#[ignore = "slow: three goals, all boards with six heuristics, 10 s"]
fn all_boards_of_the_8_puzzle_with_other_goals() {
    check(&board(3, 3).with_goal_text("1 2 0 3 4 5 6 7 8").unwrap(), 254);
    check(&board(3, 3).with_goal_text("1 2 3 8 0 4 7 6 5").unwrap(), 254);
    check(&board(3, 3).with_goal_text("1 2 3 0 4 5 6 7 8").unwrap(), 254);
}

#[test]
fn boards_near_the_goal_of_larger_puzzles() {
    check(&board(3, 4), 14);
    check(&Puzzle15::new(), 13);
    check(&Puzzle15::parse_goal("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0").unwrap(), 12);
    check(&wide(4, 5), 12);
    check(&Puzzle24::new(), 12);
    check(&board(7, 2).with_goal_text("1 2 3 4 5 6 7 8 9 10 11 12 13 0").unwrap(), 13);
    check(&wide(3, 7), 12);
}

/// A function that returns the bounds of all six heuristics for a board.
fn bounds<W: BoardWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
) -> impl Fn(&fewest_tiles::Board<W>) -> [Cost; 6] {
    let manhattan = TilesManhattan::new(domain);
    let conflict = LinearConflict::new(domain);
    let corner = ManhattanPlus::corner_tiles(domain);
    let last =
        [ManhattanPlus::last_move(domain).unwrap(), ManhattanPlus::last_two_moves(domain).unwrap()];
    let all = KorfTaylor::new(domain).unwrap();
    move |board| {
        [
            manhattan.estimate(domain, board),
            conflict.estimate(domain, board),
            corner.estimate(domain, board),
            last[0].estimate(domain, board),
            last[1].estimate(domain, board),
            all.estimate(domain, board),
        ]
    }
}

/// Checks on all boards of a puzzle, layer by layer, that no bound is above the distance. Returns
/// the sizes of the layers.
pub(crate) fn exhaust<W: PackedWord, const R: usize, const C: usize, const N: usize>(
    domain: &Tiles<W, R, C>,
    bounds: impl Fn(&fewest_tiles::Board<W>) -> [Cost; N],
) -> Vec<u64> {
    let options = Options::default();
    let mut layers = Layers::last_two(domain, &[domain.goal()], &options);
    for distance in 0.. {
        layers.for_each(distance, |board| {
            let bounds = bounds(board);
            let admissible = bounds.iter().all(|&h| usize::from(h) <= distance);
            assert!(admissible, "{} is {distance} moves away: {bounds:?}", domain.text(board));
        });
        if layers.advance().unwrap() == 0 {
            break;
        }
    }
    layers.sizes().to_vec()
}

#[test]
#[ignore = "slow: all 3,628,800 boards of 2x5 and 5x2, 5 s"]
fn all_boards_of_two_rows_of_five() {
    for domain in [board(2, 5), board(5, 2)] {
        assert_eq!(exhaust(&domain, bounds(&domain)).iter().sum::<u64>(), 1_814_400);
    }
}

#[test]
#[ignore = "slow: all 239,500,800 boards of 3x4 in 5 GB, 5 min"]
fn all_boards_of_three_rows_of_four() {
    let domain = board(3, 4);
    let layers = exhaust(&domain, bounds(&domain));
    assert_eq!((layers.len(), layers.last()), (54, Some(&18)));
    assert_eq!(layers.iter().sum::<u64>(), 239_500_800);
}

/// Random walks from the goal, on boards that are too large to exhaust: no bound is above the
/// length of the walk.
#[test]
fn walks_are_no_shorter_than_bounds() {
    fn walk<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
        let bounds = bounds(domain);
        let mut random = Random::new(5);
        for _ in 0..2000 {
            let (mut board, mut last) = (domain.goal(), None);
            for length in 1..=60 {
                let ops =
                    domain.applicable(&board).minus(last.map_or(0_u32, |op: u16| 1_u32 << op));
                let op = ops
                    .members()
                    .nth(usize::try_from(random.below(ops.len().into())).unwrap())
                    .unwrap();
                let from = board;
                domain.apply_into(&from, op, &mut board);
                last = Some(3 - op.0);
                assert!(bounds(&board).iter().all(|&h| h <= length), "{}", domain.text(&board));
            }
        }
    }
    walk(&Puzzle15::new());
    walk(&wide(4, 5));
    walk(&Puzzle24::new());
    walk(&Puzzle35::new());
}

/// On random boards, no part of the combined heuristic is above the whole unless the whole leaves
/// something out. All heuristics find the same length.
#[test]
fn all_heuristics_find_the_same_length() {
    let domain = board(3, 4);
    let pruning = InversePruning;
    let mut random = Random::new(9);
    for _ in 0..5 {
        let start = domain.random(&mut random);
        fn length<H: Heuristic<AnyTiles<u64>>>(
            domain: &AnyTiles<u64>,
            heuristic: &H,
            pruning: &InversePruning,
            start: &fewest_tiles::Board<u64>,
        ) -> Option<usize> {
            let report = ida_star(domain, heuristic, pruning, start, &Options::default());
            report.plan().map(|plan| plan.len())
        }
        let expected = length(&domain, &TilesManhattan::new(&domain), &pruning, &start);
        assert_eq!(length(&domain, &LinearConflict::new(&domain), &pruning, &start), expected);
        assert_eq!(
            length(&domain, &ManhattanPlus::corner_tiles(&domain), &pruning, &start),
            expected
        );
        assert_eq!(
            length(&domain, &ManhattanPlus::last_two_moves(&domain).unwrap(), &pruning, &start),
            expected
        );
        assert_eq!(length(&domain, &KorfTaylor::new(&domain).unwrap(), &pruning, &start), expected);
    }
}

/// The diagonal's reflection changes no bound.
#[test]
fn bounds_are_the_same_for_the_reflection() {
    let domain = Puzzle24::new();
    let bounds = bounds(&domain);
    let mut random = Random::new(3);
    for _ in 0..1000 {
        let board = domain.random(&mut random);
        assert_eq!(bounds(&board), bounds(&domain.reflected(&board).unwrap()));
    }
}
