//! Boards as places that hold values: a square is a place, the number on it a value.

use proofs::pseudo_boolean::{Encoding, EncodingError, PlaceOperator, ValueMove};
use search::Op;
use tiles::{AnyTiles, Board, WideWord, known_partition, known_sizes, slide, slide_name};

/// Most tiles of a pattern of a proof log, whose tables have an entry for each placement.
const MOST_TILES: usize = 5;

/// The search from a board to the goal, by the moves that are allowed. An operator is a square of
/// the blank with a way that the blank goes, and with the squares it goes: at most `longest`.
///
/// # Errors
/// If the board is too large.
pub(super) fn of_board(
    domain: &AnyTiles,
    (allowed, longest): (Option<&[Op]>, usize),
    start: &Board<WideWord>,
) -> Result<Encoding, EncodingError> {
    let (rows, columns) = (domain.rows(), domain.columns());
    let squares = rows * columns;
    let next = |blank: usize, way: usize| {
        let (row, column) = (blank / columns, blank % columns);
        match way {
            0 => (row > 0).then(|| blank - columns),
            1 => (column > 0).then(|| blank - 1),
            2 => (column + 1 < columns).then(|| blank + 1),
            _ => (row + 1 < rows).then(|| blank + columns),
        }
    };
    let number = |with: fn(usize) -> bool| -> Vec<Option<usize>> {
        (0..squares).map(|value| Some(value).filter(|&value| with(value))).collect()
    };
    let mut operators = Vec::new();
    let ways = (0..4).filter(|&way| allowed.is_none_or(|ops| ops.contains(&Op::new(way))));
    for (blank, way) in (0..squares).flat_map(|blank| ways.clone().map(move |way| (blank, way))) {
        let (mut at, mut tiles) = (blank, Vec::new());
        while let Some(tile) = next(at, way).filter(|_| tiles.len() < longest) {
            tiles.push(ValueMove { from: tile, to: at, values: number(|value| value > 0) });
            at = tile;
            let mut moves = vec![ValueMove { from: blank, to: at, values: number(|v| v == 0) }];
            moves.extend(tiles.iter().cloned());
            let name = slide_name(slide(Op::new(way), tiles.len()));
            operators.push(PlaceOperator {
                name: format!("{name} from square {blank}"),
                cost: 1,
                moves,
            });
        }
    }
    let numbers = |board: &Board<WideWord>| -> Vec<usize> {
        domain.numbers(board).into_iter().map(usize::from).collect()
    };
    let (start, goal) = (numbers(start), numbers(&domain.goal()));
    let patterns = patterns(rows, columns, &goal);
    let encoding = Encoding::new(&vec![squares; squares], operators, &start, &[goal])?;
    Ok(encoding.with_patterns(patterns))
}

/// The squares of a known partition, if the blank is at home in the first or the last square.
fn patterns(rows: usize, columns: usize, goal: &[usize]) -> Vec<Vec<usize>> {
    let last = goal.len() - 1;
    let fits = |sizes: &Vec<usize>| sizes.iter().all(|&size| size <= MOST_TILES);
    let partition = known_sizes(rows, columns)
        .find(fits)
        .and_then(|sizes| known_partition(rows, columns, &sizes));
    let square = |&home: &u8| match goal[last] {
        0 => Some(last - usize::from(home)),
        _ => Some(usize::from(home)).filter(|_| goal[0] == 0),
    };
    let pattern = |pattern: Vec<u8>| pattern.iter().filter_map(square).collect();
    partition.into_iter().flatten().map(pattern).collect()
}
