//! Checks that a list of numbers is a solvable board, and reports what is wrong if it is not.

use std::fmt;

/// Why a list of numbers is not a solvable board. Squares are counted from 1, row by row.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The list has more or fewer numbers than the board has squares.
    #[error("{found} numbers, expected {expected}: one a square, row by row, 0 the blank")]
    Count {
        /// The number of numbers in the list.
        found: usize,
        /// The number of squares of the board.
        expected: usize,
    },
    /// A word of the text is not a number.
    #[error(
        "square {square}: found `{found}`, expected a number from 0 to {largest}, or _ for the blank"
    )]
    NotANumber {
        /// The square, from 1.
        square: usize,
        /// The word that stands there.
        found: String,
        /// The largest number of this board.
        largest: usize,
    },
    /// A number is above the largest tile of this board.
    #[error("square {square}: found {found}, expected a number from 0 to {largest}")]
    OutOfRange {
        /// The square, from 1.
        square: usize,
        /// The number that stands there, as it is written.
        found: String,
        /// The largest number of this board.
        largest: usize,
    },
    /// A number occurs twice, so another number is missing.
    #[error(
        "square {square}: found {tile} again, which is on square {first} already; {missing} is \
         missing"
    )]
    Duplicate {
        /// The second square with the number, from 1.
        square: usize,
        /// The first square with the number, from 1.
        first: usize,
        /// The number that occurs twice.
        tile: u8,
        /// The smallest number that no square has.
        missing: u8,
    },
    /// No plan leads to the goal.
    #[error("this board cannot be solved: {0}")]
    Parity(#[from] ParityError),
}

impl BoardError {
    /// The wrong square, from 1, and perhaps the one that it disagrees with. Empty if the error is
    /// not about single squares.
    pub fn squares(&self) -> Vec<usize> {
        match *self {
            Self::NotANumber { square, .. } | Self::OutOfRange { square, .. } => vec![square],
            Self::Duplicate { square, first, .. } => vec![square, first],
            Self::Count { .. } | Self::Parity(_) => Vec::new(),
        }
    }
}

/// A board is unsolvable because two parities differ. Every move changes both, and in the goal both
/// are even.
/// William Johnson and William Story, "Notes on the 15 puzzle", American Journal of Mathematics 2,
/// 1879.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParityError {
    /// Whether the board, blank included, is an odd permutation of the goal.
    pub tiles_odd: bool,
    /// Whether the blank is an odd number of moves from its square in the goal.
    pub blank_odd: bool,
}

impl fmt::Display for ParityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |odd| if odd { "odd" } else { "even" };
        write!(
            f,
            "it is an {} permutation of the goal, but the blank is an {} number of moves from its goal \
             square, expected the same: every move changes both; exchanging any two tiles makes it \
             solvable",
            word(self.tiles_odd),
            word(self.blank_odd)
        )
    }
}

impl std::error::Error for ParityError {}

/// Checks that `numbers` are the numbers from 0 to `squares - 1`, each once.
pub(crate) fn check(numbers: &[u8], squares: usize) -> Result<(), BoardError> {
    if numbers.len() != squares {
        return Err(BoardError::Count { found: numbers.len(), expected: squares });
    }
    let mut first = [None; 256];
    for (square, &number) in (1..).zip(numbers) {
        if usize::from(number) >= squares {
            let found = number.to_string();
            return Err(BoardError::OutOfRange { square, found, largest: squares - 1 });
        }
        if let Some(first) = first[usize::from(number)].replace(square) {
            let missing = (0..=u8::MAX).find(|number| !numbers.contains(number));
            let missing = missing.expect("one number is there twice");
            return Err(BoardError::Duplicate { square, first, tile: number, missing });
        }
    }
    Ok(())
}

/// Whether a permutation is odd: an odd number of its cycles have an even length.
pub(crate) fn permutation_odd(permutation: &[usize]) -> bool {
    let mut seen = 0_u64;
    let mut odd = false;
    for start in 0..permutation.len() {
        let mut at = permutation[start];
        while seen >> start & 1 == 0 && at != start {
            seen |= 1 << at;
            odd = !odd;
            at = permutation[at];
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transpositions_are_odd() {
        assert!(!permutation_odd(&[0, 1, 2, 3]));
        assert!(permutation_odd(&[1, 0, 2, 3]));
        assert!(!permutation_odd(&[1, 2, 0, 3]));
        assert!(!permutation_odd(&[1, 0, 3, 2]));
        assert!(permutation_odd(&[3, 2, 0, 1]));
    }

    #[test]
    fn complaints_name_the_square() {
        let refused = |numbers: &[u8]| check(numbers, 4).unwrap_err().to_string();
        assert_eq!(
            refused(&[0, 1, 2]),
            "3 numbers, expected 4: one a square, row by row, 0 the blank"
        );
        assert_eq!(refused(&[0, 1, 4, 2]), "square 3: found 4, expected a number from 0 to 3");
        assert_eq!(
            refused(&[0, 2, 1, 2]),
            "square 4: found 2 again, which is on square 2 already; 3 is missing"
        );
        assert_eq!(check(&[3, 1, 0, 2], 4), Ok(()));
    }
}
