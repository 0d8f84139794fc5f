//! Boards as places that hold values: a square is a place, the number on it a value.

use proofs::pseudo_boolean::{Encoding, EncodingError, PlaceOperator, ValueMove};
use search::Op;
use tiles::{AnyTiles, Board, WideWord, operator_name};

/// The search from a board to the goal, by the moves that are allowed. An operator is a square of
/// the blank with a way that the blank goes.
///
/// # Errors
/// If the board is too large.
pub(super) fn of_board(
    domain: &AnyTiles,
    allowed: Option<&[Op]>,
    start: &Board<WideWord>,
) -> Result<Encoding, EncodingError> {
    let (rows, columns) = (domain.rows(), domain.columns());
    let squares = rows * columns;
    let mut operators = Vec::new();
    for blank in 0..squares {
        let (row, column) = (blank / columns, blank % columns);
        let ways = [
            (row > 0).then(|| blank - columns),
            (column > 0).then(|| blank - 1),
            (column + 1 < columns).then(|| blank + 1),
            (row + 1 < rows).then(|| blank + columns),
        ];
        for (way, tile) in ways.into_iter().enumerate() {
            let op = Op::new(way);
            let Some(tile) = tile.filter(|_| allowed.is_none_or(|ops| ops.contains(&op))) else {
                continue;
            };
            let number = |with: fn(usize) -> bool| {
                (0..squares).map(|value| Some(value).filter(|&value| with(value))).collect()
            };
            let moves = vec![
                ValueMove { from: blank, to: tile, values: number(|value| value == 0) },
                ValueMove { from: tile, to: blank, values: number(|value| value > 0) },
            ];
            let way = operator_name(op).unwrap_or_default();
            operators.push(PlaceOperator { name: format!("{way} from square {blank}"), moves });
        }
    }
    let numbers = |board: &Board<WideWord>| -> Vec<usize> {
        domain.numbers(board).into_iter().map(usize::from).collect()
    };
    let (start, goal) = (numbers(start), numbers(&domain.goal()));
    Encoding::new(&vec![squares; squares], operators, &start, &goal)
}
