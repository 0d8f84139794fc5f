//! Last moves: the last move takes one of two tiles out of the corner. That tile must come to the
//! corner before.

use crate::domain::{Board, Tiles};
use crate::facts::{BlankNotInCorner, Facts, TileFacts};
use crate::manhattan::TilesManhattan;
use crate::word::BoardWord;
use search::{Claims, Cost, Heuristic, Op, Verdict};

/// Manhattan distance plus the moves that the last move, or the last two moves, add. The blank must
/// be at home in a corner.
///
/// Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
/// The text below is for a blank at home in the upper left. For other corners it is mirrored.
///
/// *The last move* takes tile `a` or tile `b` out of the corner. Tile `a` is at home right of the
/// corner, tile `b` below it. If `a` is not in the first column, its Manhattan distance counts no
/// detour through that column. So ending with `a` costs two more. If `b` is not in the first row,
/// ending with `b` costs two more. The plan ends with `a` or `b`, so the smaller addition counts.
///
/// *The last two moves.* If the plan ends with `a`, the move before took one of two tiles out of
/// the home of `a`:
///
/// - The tile at home two right of the corner came along the row. It costs two more if it is not in
///   the first two columns.
/// - The diagonal tile came down. It costs two more if it is not in the first row.
///
/// If the plan ends with `b`, the same holds with rows and columns exchanged. No shortest plan ends
/// with two moves of the same tile. So up to four moves are added.
///
/// Admissible: yes. The moves added to `a` and to the second tile belong to different tiles, and
/// Manhattan distance counts none of them. Nothing is added at distance 0, and nothing for the
/// second move at distance 1.
///
/// Consistent: yes. A move that takes away an addition of two moves brings its tile one line nearer
/// the corner. That is away from the tile's home, so Manhattan distance rises by one. Each move
/// changes the bits of one tile, and each way to end counts this tile at most once. The smaller of
/// two sums falls by no more than one of them does.
#[derive(Clone, Debug)]
pub struct LastMoves {
    manhattan: TilesManhattan,
    facts: Facts,
    two: bool,
}

impl LastMoves {
    /// The heuristic of the last move only.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn one<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        Self::new(domain, false)
    }

    /// The heuristic of the last two moves.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn two<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        Self::new(domain, true)
    }

    fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        two: bool,
    ) -> Result<Self, BlankNotInCorner> {
        let facts = Facts::with_last_moves(domain.grid(), W::FIELD)?;
        Ok(Self { manhattan: TilesManhattan::new(domain), facts, two })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// Counts the placements of the two tiles beside the corner for which the last move adds two
    /// moves. Also returns the number of all placements of both tiles.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn last_move_fraction(&self) -> Result<(usize, usize), BlankNotInCorner> {
        Facts::with_last_moves(self.grid(), W::FIELD)?;
        let (squares, columns) = (self.squares(), self.columns());
        let corner = self.blank_home();
        let first = (0..squares).filter(|square| square % columns != corner % columns);
        let places = first.flat_map(|a| (0..squares).map(move |b| (a, b)));
        let apply = places.filter(|&(a, b)| a != b && b / columns != corner / columns).count();
        Ok((apply, squares * (squares - 1)))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for LastMoves
{
    type Carry = TileFacts;
    const CLAIMS: Claims = Claims::ADMISSIBLE;

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> TileFacts {
        self.facts.root(domain, board)
    }
    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        carry: &TileFacts,
        op: Op,
        to: &Board<W>,
    ) -> TileFacts {
        self.facts.child(&self.manhattan, from, carry, op, to)
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        carry: &mut TileFacts,
        _: Cost,
    ) -> Verdict<u32> {
        let added =
            if carry.manhattan > 1 { self.facts.last_moves(carry.facts, self.two) } else { 0 };
        Verdict { h: carry.manhattan + added, excluded: 0 }
    }
    fn consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Puzzle8, Puzzle24};

    #[test]
    fn the_fraction_is_that_of_korf_and_taylor() {
        assert_eq!(Puzzle24::new().last_move_fraction(), Ok((384, 600)));
    }

    #[test]
    fn up_to_four_moves_are_added() {
        let domain = Puzzle24::new();
        let goal = domain.goal();
        let mut numbers = domain.numbers(&goal);
        // All tiles are at home, except three tiles far from the corner, which are in a cycle.
        for square in [12, 13, 18, 17] {
            numbers.swap(0, square);
        }
        let board = domain.board(&numbers).unwrap();
        let manhattan = domain.manhattan(&board);
        assert_eq!(LastMoves::one(&domain).unwrap().estimate(&domain, &board), manhattan + 2);
        assert_eq!(LastMoves::two(&domain).unwrap().estimate(&domain, &board), manhattan + 4);
        assert_eq!(LastMoves::two(&domain).unwrap().estimate(&domain, &goal), 0);
    }

    #[test]
    fn the_blank_must_be_at_home_in_a_corner() {
        let domain = Puzzle8::parse_goal("1 2 3 8 0 4 7 6 5").unwrap();
        assert_eq!(LastMoves::two(&domain).unwrap_err(), BlankNotInCorner { square: 5 });
        assert!(LastMoves::one(&Puzzle8::parse_goal("1 2 0 3 4 5 6 7 8").unwrap()).is_ok());
    }
}
