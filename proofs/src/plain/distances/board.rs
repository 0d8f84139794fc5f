//! Numbers for the boards of sliding tiles: [`BoardRanks`].

use super::ranks::Ranks;
use crate::plain::PlainMove;

/// Boards by the squares of the tiles, in ascending order of the tiles.
///
/// Each square counts the squares below it that no earlier tile has. The first is the most
/// significant digit. The bases are `n`, `n - 1`, .. for a board of `n` squares.
pub(super) struct BoardRanks {
    columns: usize,
    rows: usize,
    moves: Vec<PlainMove<(i8, i8)>>,
    goal: usize,
}

/// The square of each value, the blank last.
type Squares = Vec<u8>;

impl BoardRanks {
    /// Numbers for the boards of this size. The number of boards must fit an index.
    pub(super) fn new(
        (rows, columns): (usize, usize),
        moves: Vec<PlainMove<(i8, i8)>>,
        goal: &[u16],
    ) -> Self {
        let square = |value| goal.iter().position(|&on| usize::from(on) == value);
        let squares = (1..goal.len()).chain([0]).filter_map(square);
        let squares: Squares = squares.filter_map(|square| u8::try_from(square).ok()).collect();
        Self { columns, rows, moves, goal: rank(&squares, usize::MAX, 0) }
    }

    /// The number of boards. `None` if it does not fit an index.
    pub(super) fn entries(squares: usize) -> Option<usize> {
        (1..=squares).try_fold(1, usize::checked_mul).filter(|_| squares <= 20)
    }

    /// The square that a way leads from.
    fn from(&self, blank: usize, (down, right): (i8, i8)) -> Option<usize> {
        let row = (blank / self.columns).checked_add_signed(-isize::from(down))?;
        let column = (blank % self.columns).checked_add_signed(-isize::from(right))?;
        (row < self.rows && column < self.columns).then_some(row * self.columns + column)
    }
}

/// The number of a board whose tile on the square `moved` lies on `to`.
fn rank(squares: &[u8], moved: usize, to: usize) -> usize {
    let (mut used, mut rank) = (0_u32, 0);
    for (left, &square) in (1..=squares.len()).rev().zip(&squares[..squares.len() - 1]) {
        let square = if usize::from(square) == moved { to } else { square.into() };
        let below = (used & ((1 << square) - 1)).count_ones() as usize;
        rank = rank * left + square - below;
        used |= 1 << square;
    }
    rank
}

impl Ranks for BoardRanks {
    type Scratch = Squares;

    fn goal(&self) -> usize {
        self.goal
    }

    fn scratch(&self) -> Squares {
        vec![0; self.rows * self.columns]
    }

    fn before(
        &self,
        number: usize,
        squares: &mut Squares,
        mut tell: impl FnMut(usize, u16),
    ) -> bool {
        unrank(number, squares);
        let blank = usize::from(squares[squares.len() - 1]);
        for one in &self.moves {
            // The move took the blank from there, and the value here to there.
            if let Some(there) = self.from(blank, one.effect) {
                tell(rank(squares, there, blank), one.cost);
            }
        }
        true
    }
}

/// The squares of a board with this number.
fn unrank(mut number: usize, squares: &mut [u8]) {
    // Digits, the last first. The blank has no choice.
    for (base, digit) in (1..).zip(squares.iter_mut().rev()) {
        *digit = u8::try_from(number % base).unwrap_or(u8::MAX);
        number /= base;
    }
    let mut free = (1_u32 << squares.len()) - 1;
    for square in squares {
        let mut rest = free;
        for _ in 0..*square {
            rest &= rest - 1;
        }
        let found = rest.trailing_zeros();
        free &= !(1 << found);
        *square = u8::try_from(found).unwrap_or(u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_boards_are_the_same() {
        for (number, expected) in
            [(0, [0, 1, 2, 3]), (1, [0, 1, 3, 2]), (2, [0, 2, 1, 3]), (23, [3, 2, 1, 0])]
        {
            let mut squares = [0; 4];
            unrank(number, &mut squares);
            assert_eq!(squares, expected);
            assert_eq!(rank(&squares, usize::MAX, 0), number);
        }
        assert_eq!(BoardRanks::entries(12), Some(479_001_600));
        assert_eq!(BoardRanks::entries(25), None);
    }
}
