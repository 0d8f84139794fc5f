//! Certificates of small puzzles hold.

mod maker;

use fewest_check::{Checks, check};
use maker::{Abstraction, Game, Maker, Table, View};

fn holds(text: &str) -> String {
    check(text.as_bytes(), &Checks::default(), &mut |_| {})
        .unwrap_or_else(|objection| panic!("{objection}"))
}

#[test]
fn a_board() {
    let game = Game::board(3, 3, [1; 4], (0..9).collect());
    let tiles = |kind, tiles: &[u16]| Table::new(&game, Abstraction::Tiles(kind, tiles.to_vec()));
    let maker = Maker {
        start: game.walk(60),
        views: vec![
            (String::new(), View::Plain),
            ("reflect".into(), View::Symmetry(vec![0, 3, 6, 1, 4, 7, 2, 5, 8])),
        ],
        tables: vec![tiles("exact", &[1, 2]), tiles("large", &[4, 3, 5]), tiles("least", &[6, 7])],
        sums: vec![vec![(0, 0), (1, 0)], vec![(2, 1), (0, 1)]],
        forbidden: [(0, 3), (1, 2), (2, 1), (3, 0)].map(|(a, b)| (vec![a, b], vec![])).to_vec(),
        game,
    };
    let (_, text) = maker.certificate();
    assert!(holds(&text).ends_with("holds: the plan costs 9, and no plan costs less\n"));
}
