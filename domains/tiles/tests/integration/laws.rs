//! The laws that the engine expects of a domain, on boards of every shape and with many goals.

use crate::{board, wide};
use fewest_tiles::{
    AnyTiles, BoardWord, PackedWord, Puzzle15, Puzzle24, Tiles, TilesManhattan, WideWord,
};
use search::random::Random;
use search::stored::layer_counts_reversible;
use search::testing::{
    Distances, check_contexts, check_domain, check_heuristic, check_packed, check_parity,
    check_placed, check_plans, check_pruning, check_reversible, check_symmetric,
};
use search::{Cost, InversePruning, NoPruning, Options};

/// Checks the laws of a domain, also for boards that have no packed key.
fn check_any<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
    let mut random = Random::new(1);
    let mut starts = vec![domain.goal()];
    starts.extend((0..8).map(|_| domain.random(&mut random)));
    check_domain(domain, &starts).unwrap();
    check_reversible(domain, &starts).unwrap();
    check_parity(domain, &starts).unwrap();
    check_symmetric(domain, &starts).unwrap();
    check_placed(domain, &starts).unwrap();
}

fn check<W: PackedWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
    check_any(domain);
    let mut random = Random::new(2);
    let starts = vec![domain.goal(), domain.random(&mut random), domain.random(&mut random)];
    check_packed(domain, &starts).unwrap();
    check_contexts(domain, &starts, 5).unwrap();
    check_pruning(domain, &NoPruning, &starts, 7).unwrap();
    check_pruning(domain, &InversePruning, &starts, 8).unwrap();
    let nearest = Distances::from_goals(domain, &[domain.goal()], 6);
    let near = Distances::from_goals(domain, &[domain.goal()], 12);
    check_plans(domain, &NoPruning, &nearest).unwrap();
    check_plans(domain, &InversePruning, &nearest).unwrap();
    check_heuristic(domain, &TilesManhattan::new(domain), &near).unwrap();
}

#[test]
fn boards_of_every_shape_are_domains() {
    check(&board(2, 2));
    check(&board(2, 3));
    check(&board(3, 2));
    check(&board(3, 3));
    check(&board(3, 4));
    check(&Puzzle15::new());
    check(&board(2, 6));
    check(&wide(6, 3));
    check(&wide(4, 5));
    check(&wide(5, 4));
    check(&board(2, 7));
    check(&wide(7, 3));
    check(&wide(4, 6));
    check(&Puzzle24::new());
    for (rows, columns) in [(6, 5), (5, 6), (3, 3), (6, 6), (4, 7), (7, 5)] {
        check_any(&AnyTiles::<WideWord>::of_size(rows, columns).unwrap());
    }
}

#[test]
fn other_goals_are_domains() {
    check(&board(3, 3).with_goal_text("1 2 3 8 0 4 7 6 5").unwrap());
    check(&board(3, 3).with_goal_text("1 2 3 4 5 6 7 8 0").unwrap());
    check(&Puzzle15::parse_goal("15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0").unwrap());
    check(&wide(4, 5).with_goal_text("3 1 2 0 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19").unwrap());
}

fn layers<W: PackedWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
    depth: usize,
) -> Vec<u64> {
    layer_counts_reversible(domain, &domain.goal(), depth, &Options::default()).unwrap()
}

/// The 8-puzzle has the known number of boards at each distance. The two farthest boards are 31
/// moves away.
#[test]
fn the_8_puzzle_has_its_layers() {
    let expected = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(layers(&board(3, 3), 99), expected);
    assert_eq!(layers(&board(3, 3).with_goal_text("1 2 3 4 5 6 7 8 0").unwrap(), 99), expected);
}

#[test]
fn the_15_puzzle_begins_with_its_layers() {
    let expected =
        [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119_000];
    assert_eq!(layers(&Puzzle15::new(), 16), expected);
}

#[test]
fn the_24_puzzle_begins_with_its_layers() {
    let expected = [1, 2, 4, 10, 26, 64, 159, 366, 862, 1904, 4538, 10238, 24098, 53186, 123_435];
    assert_eq!(layers(&Puzzle24::new(), 14), expected);
}

#[test]
fn half_of_all_boards_can_be_reached() {
    let total = |layers: Vec<u64>| layers.iter().sum::<u64>();
    assert_eq!(total(layers(&board(2, 2), 99)), 12);
    assert_eq!(total(layers(&board(2, 3), 99)), 360);
    assert_eq!(total(layers(&board(3, 3), 99)), 181_440);
}

/// Checks the laws of heuristics for Manhattan distance, on all boards of small puzzles.
#[test]
fn manhattan_is_admissible() {
    fn all<W: PackedWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
        let distances = Distances::from_goals(domain, &[domain.goal()], Cost::MAX - 1);
        check_heuristic(domain, &TilesManhattan::new(domain), &distances).unwrap();
    }
    all(&board(2, 3));
    all(&board(3, 3));
    all(&board(3, 3).with_goal_text("1 2 3 8 0 4 7 6 5").unwrap());
}
