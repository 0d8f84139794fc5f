//! Reflection along the main diagonal, for square boards with the blank at home on that diagonal.

use crate::board::domain::{Board, Tiles};
use crate::board::word::BoardWord;
use search::{Op, Symmetric};

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// Whether the puzzle reflects: the board is square and the blank's home is on the main
    /// diagonal.
    pub fn reflects(&self) -> bool {
        let (home, columns) = (self.blank_home(), self.columns());
        self.rows() == columns && home / columns == home % columns
    }

    /// The reflection of a board along the main diagonal. A tile moves to the mirrored square, and
    /// becomes the tile whose home is the mirrored home. `None` if the puzzle does not reflect.
    ///
    /// A plan for the board becomes a plan for its reflection if up and left are exchanged, and
    /// right and down.
    pub fn reflected(&self, board: &Board<W>) -> Option<Board<W>> {
        if !self.reflects() {
            return None;
        }
        let image = |square: usize| self.by_columns(square);
        let squares = (0..self.squares()).fold(W::default(), |squares, square| {
            let label = match board.label(square) {
                0 => 0,
                label => self.label_at_home(image(self.home(label))),
            };
            squares.with(image(square), label)
        });
        Some(Board { squares, blank: image(board.blank()) })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Symmetric for Tiles<W, ROWS, COLS> {
    /// 2 if the puzzle reflects, else 1.
    fn symmetries(&self) -> usize {
        1 + usize::from(self.reflects())
    }
    fn conjugate(&self, symmetry: usize, board: &Board<W>, out: &mut Board<W>) {
        *out = match symmetry {
            0 => *board,
            _ => self.reflected(board).expect("a puzzle with two symmetries reflects"),
        };
    }
    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        if symmetry == 0 { op } else { Op(op.0 ^ 1) }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::domain::{Puzzle8, Puzzle11};

    #[test]
    fn rows_become_columns() {
        let domain = Puzzle8::new();
        let board = domain.parse("1 2 5 0 4 8 3 6 7").unwrap();
        let image = domain.reflected(&board).unwrap();
        assert_eq!(domain.text(&image), "3 0 1 6 4 2 7 8 5");
        assert_eq!(domain.reflected(&image), Some(board));
        assert_eq!(domain.reflected(&domain.goal()), Some(domain.goal()));
    }

    #[test]
    fn some_puzzles_do_not_reflect() {
        assert!(!Puzzle11::new().reflects());
        assert!(!Puzzle8::parse_goal("1 0 2 3 4 5 6 7 8").unwrap().reflects());
        assert!(Puzzle8::parse_goal("1 2 3 4 0 5 6 7 8").unwrap().reflects());
        assert!(Puzzle8::parse_goal("1 2 3 4 5 6 7 8 0").unwrap().reflects());
        let domain = Puzzle11::new();
        assert_eq!(domain.reflected(&domain.goal()), None);
    }
}
