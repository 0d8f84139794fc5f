//! Small puzzles, with tables of each kind.

use super::{Abstraction, Game, Maker, State, Table, View};
use std::sync::OnceLock;

/// The permutation that sends places to places: `cycle` is for each place where its piece comes
/// from and by how much it is rotated.
fn map(rotations: u16, places: &[(u16, u16)]) -> State {
    let point = |&(from, by): &(u16, u16)| {
        (0..rotations).map(move |i| from * rotations + (by + i) % rotations)
    };
    places.iter().flat_map(point).collect()
}

fn inverse(map: &State) -> State {
    let mut inverse = map.clone();
    for (at, &from) in map.iter().enumerate() {
        inverse[from as usize] = at as u16;
    }
    inverse
}

/// `v m v^-1`: where `v` sends point `p`, it has where `v` sends `m[p]`.
fn conjugate(map: &State, v: &State) -> State {
    let mut image = map.clone();
    for (p, &from) in map.iter().enumerate() {
        image[v[p] as usize] = v[from as usize];
    }
    image
}

/// The inverses of moves, forbidden behind them.
fn back_and_forth(pairs: &[(usize, usize)]) -> Vec<(Vec<usize>, Vec<usize>)> {
    pairs.iter().map(|&(a, b)| (vec![a, b], vec![])).collect()
}

fn views(view: Option<(&str, View)>) -> Vec<(String, View)> {
    let others = view.into_iter().map(|(name, view)| (name.to_owned(), view));
    [(String::new(), View::Plain)].into_iter().chain(others).collect()
}

/// A board with a table of each kind, and their reflections.
pub(crate) fn board() -> Maker {
    let game = Game::board(3, 3, [1; 4], (0..9).collect());
    let tiles = |kind, tiles: &[u16]| Table::new(&game, Abstraction::Tiles(kind, tiles.to_vec()));
    Maker {
        start: game.far(20),
        views: views(Some(("reflect", View::Symmetry(vec![0, 3, 6, 1, 4, 7, 2, 5, 8])))),
        tables: vec![tiles("exact", &[1, 2]), tiles("large", &[4, 3, 5]), tiles("least", &[6, 7])],
        sums: vec![vec![(0, 0), (1, 0)], vec![(2, 1), (0, 1)]],
        forbidden: back_and_forth(&[(0, 3), (1, 2), (2, 1), (3, 0)]),
        game,
    }
}

/// A board with so weak a heuristic that there are units, and a longer forbidden string: three
/// tiles go around in a square of four.
pub(crate) fn weak_board() -> Maker {
    let game = Game::board(3, 3, [1; 4], vec![1, 2, 3, 8, 0, 4, 7, 6, 5]);
    let tiles = |tiles: &[u16]| Table::new(&game, Abstraction::Tiles("exact", tiles.to_vec()));
    let mut forbidden = back_and_forth(&[(0, 3), (1, 2), (2, 1), (3, 0)]);
    let around = [0, 1, 3, 2];
    let turn = |turns: usize| around.iter().cycle().take(turns).copied().collect::<Vec<_>>();
    let back = [1, 0, 2, 3].iter().cycle().take(6).copied().collect::<Vec<_>>();
    // Six steps around one way are six steps around the other way.
    forbidden.push(if back < turn(6) { (turn(6), back) } else { (back, turn(6)) });
    Maker {
        start: game.far(25),
        views: views(None),
        tables: vec![tiles(&[1, 2]), tiles(&[8, 4])],
        sums: vec![vec![(0, 0), (1, 0)]],
        forbidden,
        game,
    }
}

/// The cost and certificate of that board, which take seconds.
pub(crate) fn units() -> &'static (u64, String) {
    static UNITS: OnceLock<(u64, String)> = OnceLock::new();
    UNITS.get_or_init(|| weak_board().certificate())
}

/// A board with moves of different costs and without one direction, two rows high.
pub(crate) fn one_way_board() -> Maker {
    let game = Game::board(2, 3, [3, 1, 2, 5], vec![1, 2, 3, 4, 5, 0]);
    let tiles = |kind, tiles: &[u16]| Table::new(&game, Abstraction::Tiles(kind, tiles.to_vec()));
    Maker {
        start: game.far(40),
        views: views(None),
        tables: vec![tiles("large", &[1, 2, 3]), tiles("exact", &[4, 5]), tiles("large", &[3])],
        sums: vec![vec![(0, 0), (1, 0)], vec![(2, 0)]],
        forbidden: vec![],
        game,
    }
}

/// Six pieces with three rotations, two moves of four pieces, and their inverses. A symmetry swaps
/// the moves.
fn ring(costs: [u64; 2], goal: State) -> Game {
    let a = map(3, &[(1, 1), (2, 2), (3, 1), (0, 2), (4, 0), (5, 0)]);
    let b = conjugate(&a, &mirror());
    let moves = [
        ("A", costs[0], a.clone()),
        ("A'", costs[0], inverse(&a)),
        ("B", costs[1], b.clone()),
        ("B'", costs[1], inverse(&b)),
    ];
    Game::permutations(&[(6, 3)], &moves, goal)
}

/// Turns the ring around: reflected pieces.
fn mirror() -> State {
    (0..6).flat_map(|place| [0, 2, 1].map(|i| (5 - place) * 3 + i)).collect()
}

/// Labels for the rotations of all pieces, for three pieces, and for the places of two.
fn ring_tables(game: &Game) -> Vec<Table> {
    let turns = (0..18).map(|point| u16::from(point % 3 == 0)).collect();
    let three = (0..18).map(|point| if point < 9 { point + 1 } else { 0 }).collect();
    let places = (0..18).map(|point| if point < 6 { 1 + point / 3 } else { 0 }).collect();
    [turns, three, places].map(|labels| Table::new(game, Abstraction::Labels(labels))).to_vec()
}

/// Permutations with tables of labels, and a symmetry.
pub(crate) fn symmetric_ring() -> Maker {
    let game = ring([1, 1], (0..18).collect());
    Maker {
        start: game.far(9),
        views: views(Some(("mirror", View::Symmetry(mirror())))),
        tables: ring_tables(&game),
        sums: vec![vec![(0, 0)], vec![(1, 0)], vec![(1, 1)], vec![(2, 1)]],
        forbidden: back_and_forth(&[(0, 1), (1, 0), (2, 3), (3, 2)]),
        game,
    }
}

/// The same with the inverse, and costs.
pub(crate) fn inverse_ring() -> Maker {
    let game = ring([2, 3], (0..18).collect());
    Maker {
        start: game.far(20),
        views: views(Some(("inverse", View::Inverse))),
        tables: ring_tables(&game),
        sums: vec![vec![(1, 0)], vec![(1, 1)], vec![(0, 1)]],
        forbidden: back_and_forth(&[(0, 1), (1, 0), (2, 3), (3, 2)]),
        game,
    }
}

/// The same with pieces that look alike: the last three, however they are rotated, and the first
/// two.
pub(crate) fn alike_ring() -> Maker {
    let goal: State = [1, 2, 3, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let game = ring([1, 1], goal);
    let labels = (0..18).map(|point| u16::from(point == 6) + u16::from(point < 6)).collect();
    Maker {
        start: game.far(9),
        views: views(None),
        tables: vec![Table::new(&game, Abstraction::Labels(labels))],
        sums: vec![vec![(0, 0)]],
        forbidden: back_and_forth(&[(0, 1), (1, 0), (2, 3), (3, 2)]),
        game,
    }
}

/// Two blocks, moves without their inverses, and no forbidden strings.
pub(crate) fn two_blocks() -> Maker {
    let shift = |map: State, by: u16| map.into_iter().map(move |point| point + by);
    let join = |one: State, other: State| one.into_iter().chain(shift(other, 8)).collect();
    let a = join(map(2, &[(1, 1), (2, 0), (0, 1), (3, 0)]), map(1, &[(1, 0), (0, 0), (2, 0)]));
    let b = join(map(2, &[(0, 0), (2, 1), (3, 0), (1, 0)]), map(1, &[(0, 0), (2, 0), (1, 0)]));
    let moves = [("a", 1, a), ("b", 3, b)];
    let game = Game::permutations(&[(4, 2), (3, 1)], &moves, (0..11).collect());
    let labels = [
        vec![1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3],
        vec![1, 2, 3, 4, 0, 0, 0, 0, 1, 1, 0],
        vec![1, 1, 0, 0, 0, 0, 0, 0, 5, 6, 7],
    ];
    Maker {
        start: game.far(22),
        views: views(None),
        tables: labels.map(|labels| Table::new(&game, Abstraction::Labels(labels))).to_vec(),
        sums: vec![vec![(0, 0)], vec![(1, 0)], vec![(2, 0)]],
        forbidden: vec![],
        game,
    }
}

/// Moves that commute and undo themselves: each path ends, so that there are dead ends.
pub(crate) fn switches() -> Maker {
    let swap = |pair: u16| (0..10).map(|p| if p / 2 == pair { p ^ 1 } else { p }).collect();
    let names = ["a", "b", "c", "d", "e"];
    let costs = [3, 5, 2, 7, 4];
    let moves: Vec<_> = (0..5).map(|i| (names[i], costs[i], swap(i as u16))).collect();
    let game = Game::permutations(&[(10, 1)], &moves, (0..10).collect());
    let mut forbidden = Vec::new();
    for i in 0..5 {
        forbidden.push((vec![i, i], vec![]));
        forbidden.extend((0..i).map(|j| (vec![i, j], vec![j, i])));
    }
    Maker {
        start: vec![0, 1, 3, 2, 4, 5, 7, 6, 9, 8],
        views: views(None),
        tables: vec![],
        sums: vec![],
        forbidden,
        game,
    }
}

/// All of them, with names.
pub(crate) fn all() -> Vec<(&'static str, Maker)> {
    vec![
        ("board", board()),
        ("weak board", weak_board()),
        ("one-way board", one_way_board()),
        ("symmetric ring", symmetric_ring()),
        ("inverse ring", inverse_ring()),
        ("alike ring", alike_ring()),
        ("two blocks", two_blocks()),
        ("switches", switches()),
    ]
}
