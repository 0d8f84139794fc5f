//! Boards as the lines of a plain puzzle.

use super::heuristic::{Sums, TilesHeuristic};
use proofs::plain::{PlainError, PlainHeuristic, PlainMove, PlainPuzzle, PlainTable, PlainView};
use search::Op;
use tiles::{AnyTiles, BlankRegion, Board, TableLayout, WideWord, operator_name};

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

/// A heuristic as tables and sums. `None` if it is none.
pub(super) fn heuristic(domain: &AnyTiles, heuristic: &TilesHeuristic) -> Option<PlainHeuristic> {
    let sums = match heuristic {
        TilesHeuristic::Manhattan => return Some(manhattan(domain)),
        TilesHeuristic::Tables(sums) if sums.layout != TableLayout::Packed => sums,
        _ => return None,
    };
    let Sums { patterns, sums: lists, reflected, blank, .. } = sums;
    let kind = match blank {
        BlankRegion::Forgotten => LEAST,
        BlankRegion::Known => "tiles large",
    };
    let tiles = |homes: &[u8]| -> Vec<u16> {
        let number = |&home: &u8| domain.number_of(domain.label_at_home(home.into()));
        homes.iter().filter_map(number).map(u16::from).collect()
    };
    let mut made = PlainHeuristic::default();
    for pattern in patterns {
        let numbers = tiles(&pattern.goals);
        let words: Vec<String> = numbers.iter().map(u16::to_string).collect();
        made.tables.push((words.join("."), PlainTable { kind: kind.to_owned(), numbers }));
    }
    let views = [None, (*reflected && domain.reflects()).then_some("reflected")];
    if let Some(view) = views[1] {
        let (rows, columns) = (domain.rows(), domain.columns());
        let image = |square: usize| u16::try_from(square % columns * rows + square / columns);
        let image = (0..rows * columns).map(image).collect::<Result<_, _>>().ok()?;
        made.views.push((view.to_owned(), PlainView::Symmetry(image)));
    }
    for view in views.iter().take(1 + made.views.len()) {
        let lookup = |&table: &usize| (made.tables[table].0.clone(), view.map(str::to_owned));
        made.sums.extend(lists.iter().map(|list| list.iter().map(lookup).collect::<Vec<_>>()));
    }
    Some(made)
}

/// What begins a table whose lookups know nothing of the blank.
const LEAST: &str = "tiles least";

/// The Manhattan distance of a tile is its distance with all other tiles left out.
pub(super) fn manhattan(domain: &AnyTiles) -> PlainHeuristic {
    let mut made = PlainHeuristic::default();
    for tile in values(domain, &domain.goal()).into_iter().filter(|&value| value > 0) {
        let table = PlainTable { kind: LEAST.to_owned(), numbers: vec![tile] };
        made.tables.push((tile.to_string(), table));
    }
    let all = made.tables.iter().map(|(name, _)| (name.clone(), None));
    made.sums.push(all.collect());
    made
}
