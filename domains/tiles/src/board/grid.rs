//! The size of a board and the blank's home, as a value without type parameters.

use search::Cost;

/// Rows, columns and the blank's home. Distances and partitions depend on nothing else.
///
/// [`Tiles::grid`](crate::Tiles::grid) returns it for every type of board. Code that is not hot
/// takes a `Grid` instead of a board, so it is compiled only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of rows of the board.
    pub rows: usize,
    /// Number of columns of the board.
    pub columns: usize,
    /// The square of the blank in the goal.
    pub blank_home: usize,
}

impl Grid {
    /// Number of squares of the board.
    pub fn squares(self) -> usize {
        self.rows * self.columns
    }

    /// The row and the column of a square.
    pub fn place(self, square: usize) -> (usize, usize) {
        (square / self.columns, square % self.columns)
    }

    /// Whether the blank is at home in a corner.
    pub fn is_home_in_corner(self) -> bool {
        let (row, column) = self.place(self.blank_home);
        (row == 0 || row + 1 == self.rows) && (column == 0 || column + 1 == self.columns)
    }

    /// The square of a label in the goal.
    pub(crate) fn home(self, label: usize) -> usize {
        match label {
            0 => self.blank_home,
            _ if label == self.blank_home => 0,
            _ => label,
        }
    }

    /// The label of the tile that is on a square in the goal; 0 for the blank's home.
    pub(crate) fn label_at_home(self, square: usize) -> usize {
        // Labels and squares exchange the same two numbers.
        self.home(square)
    }

    /// Manhattan distance between two squares.
    pub(crate) fn distance(self, from: usize, to: usize) -> Cost {
        let ((row, column), (to_row, to_column)) = (self.place(from), self.place(to));
        let distance = row.abs_diff(to_row) + column.abs_diff(to_column);
        Cost::try_from(distance).expect("at most ten lines")
    }

    /// Manhattan distance between a square and the home of a label; 0 for the blank.
    pub(crate) fn distance_home(self, label: usize, square: usize) -> Cost {
        if label == 0 { 0 } else { self.distance(square, self.home(label)) }
    }
}
