//! The serial order of a board's features, for macro tables ([`search::macros::learn_macros`]).

use crate::board::{Board, BoardWord, Tiles};
use search::macros::SerialOrder;

/// The blank, then the tiles by their numbers. The value of a feature is its square.
///
/// The order is serial: the blank decides which operators apply, and a move exchanges it with one
/// tile. It is the order of Richard Korf, "Macro-operators: a weak method for learning", 1985.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileOrder {
    /// The label of each feature.
    labels: Vec<usize>,
}

impl TileOrder {
    /// The order of a puzzle.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        puzzle: &Tiles<W, ROWS, COLS>,
    ) -> Self {
        Self { labels: (0..=u8::MAX).map_while(|number| puzzle.label_of(number)).collect() }
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> SerialOrder<Tiles<W, ROWS, COLS>>
    for TileOrder
{
    fn features(&self) -> usize {
        self.labels.len()
    }
    fn values(&self, _: usize) -> usize {
        self.labels.len()
    }
    fn value(&self, _: &Tiles<W, ROWS, COLS>, board: &Board<W>, feature: usize) -> usize {
        if feature == 0 {
            return board.blank();
        }
        let label = self.labels[feature];
        (0..self.labels.len()).find(|&square| board.label(square) == label).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{AnyTiles, Puzzle8, Puzzle15, ReferenceTiles};
    use search::macros::{MacroError, MacroLearning, learn_macros};
    use search::random::Random;
    use search::{Domain, OpSet, Options, Packed, plan, testing};
    use std::collections::HashMap;

    fn learn<const R: usize, const C: usize>(
        puzzle: &Tiles<u64, R, C>,
        most: usize,
    ) -> (TileOrder, MacroLearning) {
        let order = TileOrder::new(puzzle);
        let learned = learn_macros(puzzle, &order, &puzzle.goal(), most, &Options::default());
        (order, learned)
    }

    #[test]
    fn the_order_is_serial_and_goes_by_numbers() {
        let mut random = Random::new(3);
        for goal in ["0 1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 0", "1 2 3 8 0 4 7 6 5"] {
            let puzzle = Puzzle8::parse_goal(goal).unwrap();
            let order = TileOrder::new(&puzzle);
            let start = puzzle.random(&mut random);
            testing::check_serial(&puzzle, &order, &puzzle.goal(), &[start]).unwrap();
            let homes = (0..9).map(|i| order.value(&puzzle, &puzzle.goal(), i));
            let numbers = puzzle.numbers(&puzzle.goal());
            assert!(homes.map(|square| usize::from(numbers[square])).eq(0..9));
        }
    }

    /// All 181,440 boards by their distance from the goal, by breadth-first search.
    fn distances(puzzle: &Puzzle8) -> HashMap<u64, (Board<u64>, u32)> {
        let goal = puzzle.goal();
        let mut found = HashMap::from([(puzzle.pack(&goal), (goal, 0))]);
        let (mut layer, mut depth, mut next) = (vec![goal], 0, goal);
        while !layer.is_empty() {
            depth += 1;
            let mut fresh = Vec::new();
            for board in &layer {
                for op in puzzle.applicable(board).members() {
                    puzzle.apply_into(board, op, &mut next);
                    found.entry(puzzle.pack(&next)).or_insert_with(|| {
                        fresh.push(next);
                        (next, depth)
                    });
                }
            }
            layer = fresh;
        }
        found
    }

    #[test]
    fn the_table_of_the_8_puzzle_is_the_cheapest_and_solves_every_board() {
        let goals = [("0 1 2 3 4 5 6 7 8", 50.61, 16), ("1 2 3 8 0 4 7 6 5", 39.78, 14)];
        for (goal, expected, longest) in goals {
            let puzzle = Puzzle8::parse_goal(goal).unwrap();
            let (order, learned) = learn(&puzzle, 1 << 16);
            let figures = learned.table.statistics();
            let columns: Vec<usize> = figures.columns.iter().map(|column| column.macros).collect();
            assert_eq!(columns, [8, 7, 6, 5, 4, 3, 2, 0, 0]);
            assert_eq!((figures.macros, figures.cheapest, figures.longest), (35, 35, longest));
            assert!((figures.mean_plan - expected).abs() < 5e-3, "{}", figures.mean_plan);
            let reference = ReferenceTiles::new(3, puzzle.numbers(&puzzle.goal()));
            let mut total = 0;
            let mut best: HashMap<(usize, usize), u32> = HashMap::new();
            let all = distances(&puzzle);
            assert_eq!(all.len(), 181_440);
            for (number, (board, distance)) in all.values().enumerate() {
                let solution = learned.table.solve(&puzzle, &order, board).unwrap();
                if number % 16 == 0 {
                    plan::validate(&reference, &puzzle.numbers(board), &solution.plan).unwrap();
                }
                total += solution.plan.len();
                let homes = puzzle.goal();
                let at = |i| order.value(&puzzle, board, i);
                let first = (0..9).find(|&i| at(i) != order.value(&puzzle, &homes, i));
                if let Some(first) = first {
                    let least = best.entry((first, at(first))).or_insert(*distance);
                    *least = (*least).min(*distance);
                }
            }
            let mean = total as f64 / all.len() as f64;
            assert!((mean - figures.mean_plan).abs() < 1e-9, "{mean} {}", figures.mean_plan);
            assert_eq!(best.len(), 35);
            for (feature, value, entry) in learned.table.iter() {
                assert_eq!(entry.cost, best[&(feature, value)], "{feature} {value}");
            }
        }
    }

    #[test]
    fn the_table_of_the_15_puzzle_solves_random_boards() {
        let puzzle = Puzzle15::new();
        let (order, learned) = learn(&puzzle, 1 << 19);
        let figures = learned.table.statistics();
        let macros = (2..16).sum::<usize>();
        assert_eq!((figures.macros, figures.cheapest, figures.longest), (macros, macros, 26));
        assert!((figures.mean_plan - 162.4393).abs() < 5e-5 && figures.longest_plan == 262);
        let reference = ReferenceTiles::new(4, puzzle.numbers(&puzzle.goal()));
        let (mut random, mut total) = (Random::new(9), 0);
        for _ in 0..1000 {
            let board = puzzle.random(&mut random);
            let solution = learned.table.solve(&puzzle, &order, &board).unwrap();
            plan::validate(&reference, &puzzle.numbers(&board), &solution.plan).unwrap();
            total += u32::try_from(solution.plan.len()).unwrap();
        }
        // The table lists every combination of values equally often.
        let mean = f64::from(total) / 1000.0;
        assert!((mean - figures.mean_plan).abs() < 5.0, "{mean} {}", figures.mean_plan);
    }

    /// A complete table proves that a board of the wrong parity has no plan.
    #[test]
    fn boards_of_the_wrong_parity_have_no_macro() {
        let puzzle = AnyTiles::<u64>::of_size(2, 3).unwrap();
        let order = TileOrder::new(&puzzle);
        let learned = learn_macros(&puzzle, &order, &puzzle.goal(), 10_000, &Options::default());
        assert!(learned.table.is_complete() && learned.states == 360);
        let mut board = puzzle.goal();
        puzzle.unpack(0x45_3210, &mut board);
        let error = learned.table.solve(&puzzle, &order, &board).unwrap_err();
        assert_eq!(error, MacroError::Missing { feature: 4, value: 5 });
    }
}
