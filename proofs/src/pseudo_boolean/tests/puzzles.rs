//! Small puzzles as encodings.

use crate::pseudo_boolean::{Encoding, Move, Operator};

/// Sliding pieces on a board, 0 the gap, whose goal is 0, 1, 2, ..
pub(super) fn tiles(rows: usize, columns: usize, start: &[usize]) -> Encoding {
    let n = rows * columns;
    let mut operators = Vec::new();
    for gap in 0..n {
        let (row, column) = (gap / columns, gap % columns);
        let near = [
            (row > 0).then(|| gap - columns),
            (column > 0).then(|| gap - 1),
            (column + 1 < columns).then(|| gap + 1),
            (row + 1 < rows).then(|| gap + columns),
        ];
        for tile in near.into_iter().flatten() {
            let only_gap = (0..n).map(|value| (value == 0).then_some(0)).collect();
            let tiles = (0..n).map(|value| (value > 0).then_some(value)).collect();
            let moves = vec![
                Move { from: gap, to: tile, values: only_gap },
                Move { from: tile, to: gap, values: tiles },
            ];
            operators.push(Operator { name: format!("{gap} to {tile}"), moves });
        }
    }
    let goal: Vec<usize> = (0..n).collect();
    Encoding::new(&vec![n; n], operators, start, &goal).unwrap()
}

/// A ring of pieces: turn it by one place, or swap the first two.
pub(super) fn ring(n: usize, start: &[usize]) -> Encoding {
    let all = || (0..n).map(Some).collect::<Vec<_>>();
    let turn = |by: usize| (0..n).map(move |at| (at, (at + by) % n));
    let operator = |name: &str, places: Vec<(usize, usize)>| Operator {
        name: name.to_owned(),
        moves: places.iter().map(|&(from, to)| Move { from, to, values: all() }).collect(),
    };
    let operators = vec![
        operator("left", turn(n - 1).collect()),
        operator("right", turn(1).collect()),
        operator("swap", vec![(0, 1), (1, 0)]),
    ];
    let goal: Vec<usize> = (0..n).collect();
    Encoding::new(&vec![n; n], operators, start, &goal).unwrap()
}
