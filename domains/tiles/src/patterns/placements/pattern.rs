//! Patterns: subsets of a board's tiles that a table is built for.

/// Most tiles of a pattern: a row of the table can have at most 8! columns.
pub(super) const MOST_TILES: usize = 8;
/// Most squares of a board that patterns work for.
const MOST_SQUARES: usize = 32;

/// A board's size and a pattern on it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TilePattern {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Goal squares of the tiles, ascending.
    pub goals: Vec<u8>,
    /// Goal square of the blank.
    pub blank: u8,
}

impl TilePattern {
    /// Checks that a table is possible for the pattern.
    ///
    /// # Errors
    /// If it is impossible. The error says why.
    pub fn check(&self) -> Result<(), TilePatternError> {
        let Self { rows, columns, ref goals, blank } = *self;
        let size = rows.saturating_mul(columns);
        if rows < 2 || columns < 2 || size > MOST_SQUARES {
            return Err(TilePatternError::Board { rows, columns });
        }
        if !(1..=MOST_TILES.min(size - 1)).contains(&goals.len()) {
            return Err(TilePatternError::Tiles(goals.len()));
        }
        let falls = goals.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[1]);
        let wrong = |&goal: &u8| usize::from(goal) >= size || goal == blank;
        let outside = (usize::from(blank) >= size).then_some(blank);
        match falls.or_else(|| goals.iter().copied().find(wrong)).or(outside) {
            Some(goal) => Err(TilePatternError::Goal(goal)),
            None => Ok(()),
        }
    }

    /// Manhattan distance between a square and a goal square.
    pub(crate) fn distance(&self, square: usize, goal: u8) -> u8 {
        let goal = usize::from(goal);
        let rows = (square / self.columns).abs_diff(goal / self.columns);
        let columns = (square % self.columns).abs_diff(goal % self.columns);
        (rows + columns) as u8
    }
}

/// Why a table is impossible for a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TilePatternError {
    /// The board is too large or too small.
    #[error(
        "a board of {rows}x{columns} squares: patterns need 2 rows and columns or more, and at most \
         {MOST_SQUARES} squares"
    )]
    Board {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },
    /// The pattern has too few or too many tiles.
    #[error(
        "a pattern has 1 to {MOST_TILES} tiles and leaves a square for the blank, not {0} tiles"
    )]
    Tiles(usize),
    /// A goal square is off the board, occurs twice, is out of order, or is the blank's.
    #[error(
        "goal square {0} of a pattern is off the board, not above the one before it, or the blank's"
    )]
    Goal(u8),
    /// The number of bytes given for the table is wrong.
    #[error("the table of the pattern has {expected} bytes, not {found}")]
    Bytes {
        /// Bytes given.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::super::Placements;
    use super::*;

    #[test]
    fn what_is_no_pattern_is_refused() {
        let refused = |rows, columns, goals: &[u8], blank| {
            Placements::new(TilePattern { rows, columns, goals: goals.to_vec(), blank })
                .unwrap_err()
        };
        assert_eq!(refused(1, 8, &[1], 0), TilePatternError::Board { rows: 1, columns: 8 });
        assert_eq!(refused(6, 6, &[1], 0), TilePatternError::Board { rows: 6, columns: 6 });
        assert_eq!(refused(3, 3, &[], 0), TilePatternError::Tiles(0));
        assert_eq!(refused(4, 4, &[1, 2, 3, 4, 5, 6, 7, 8, 9], 0), TilePatternError::Tiles(9));
        assert_eq!(refused(3, 3, &[2, 1], 0), TilePatternError::Goal(1));
        assert_eq!(refused(3, 3, &[1, 1], 0), TilePatternError::Goal(1));
        assert_eq!(refused(3, 3, &[1, 9], 0), TilePatternError::Goal(9));
        assert_eq!(refused(3, 3, &[0, 1], 0), TilePatternError::Goal(0));
        assert_eq!(refused(3, 3, &[1], 9), TilePatternError::Goal(9));
    }
}
