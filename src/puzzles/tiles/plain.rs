//! Boards as the lines of a plain puzzle.

use proofs::plain::{PlainError, PlainMove, PlainPuzzle};
use search::Op;
use tiles::{AnyTiles, Board, WideWord, operator_name};

/// The ways of the blank by the numbers of their operators: rows down, and columns right.
const WAYS: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The puzzle with the moves that are allowed.
///
/// # Errors
/// Never for a board.
pub(super) fn of_board(
    domain: &AnyTiles,
    allowed: Option<&[Op]>,
) -> Result<PlainPuzzle, PlainError> {
    let ways = WAYS.iter().enumerate().map(|(way, &effect)| (Op::new(way), effect));
    let ways = ways.filter(|(op, _)| allowed.is_none_or(|allowed| allowed.contains(op)));
    let one = |(op, effect)| PlainMove {
        name: operator_name(op).unwrap_or_default().to_owned(),
        cost: 1,
        effect,
    };
    let goal = values(domain, &domain.goal());
    PlainPuzzle::of_board((domain.rows(), domain.columns()), ways.map(one).collect(), goal)
}

/// The value of each square.
pub(super) fn values(domain: &AnyTiles, board: &Board<WideWord>) -> Vec<u16> {
    domain.numbers(board).into_iter().map(u16::from).collect()
}
