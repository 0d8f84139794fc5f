//! The parts of Korf and Taylor's heuristic, each alone: corner tiles, and last moves.

use super::facts::{BlankNotInCorner, Facts};
use crate::board::{Board, BoardWord, Tiles};
use crate::heuristics::TilesManhattan;
use search::{Claims, Cost, Heuristic, Op, Verdict};

/// Manhattan distance plus the moves that one fact about single tiles adds. Richard Korf and Larry
/// Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
///
/// # Corner tiles
///
/// They add two moves for each tile that is at home beside a corner with a wrong tile. Works for
/// any goal. The corner that is the blank's home, if any, adds nothing. A tile beside two such
/// corners counts once.
///
/// Admissible: yes. Consider the first time that the corner's own tile enters the corner. Just
/// before, the blank entered the corner, because another tile left it for one of the two squares
/// beside. The corner's own tile then comes from the other square. It cannot come from the same
/// square: that square holds the tile that just left. So both tiles at home beside the corner leave
/// their squares. Each makes at least two moves, and Manhattan distance counts none of them. A
/// blank that starts in the corner adds nothing: the corner's own tile may enter at once.
///
/// Consistent: no. When a wrong tile leaves a corner, both additions of that corner may end, and
/// the tile may also come one nearer its home.
///
/// # Last moves
///
/// The blank must be at home in a corner. The text below is for a blank at home in the upper left.
/// For other corners it is mirrored.
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
pub struct ManhattanPlus<const CONSISTENT: bool> {
    manhattan: TilesManhattan,
    facts: Facts,
}

impl ManhattanPlus<false> {
    /// The heuristic with corner tiles.
    pub fn corner_tiles<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Self {
        let facts = Facts::of_corner_tiles(domain.grid(), W::FIELD);
        Self { manhattan: TilesManhattan::new(domain), facts }
    }
}

impl ManhattanPlus<true> {
    /// The heuristic with the last move.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn last_move<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        let facts = Facts::of_last_moves(domain.grid(), W::FIELD, false)?;
        Ok(Self { manhattan: TilesManhattan::new(domain), facts })
    }

    /// The heuristic with the last two moves.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn last_two_moves<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        let facts = Facts::of_last_moves(domain.grid(), W::FIELD, true)?;
        Ok(Self { manhattan: TilesManhattan::new(domain), facts })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize, const CONSISTENT: bool>
    Heuristic<Tiles<W, ROWS, COLS>> for ManhattanPlus<CONSISTENT>
{
    /// Manhattan distance, and the facts as bits.
    type Carry = (Cost, u32);
    const CLAIMS: Claims = Claims { consistent: CONSISTENT, ..Claims::ADMISSIBLE };

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Carry {
        (domain.manhattan(board), self.facts.of(domain, board))
    }
    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        &(manhattan, facts): &Self::Carry,
        op: Op,
        to: &Board<W>,
    ) -> Self::Carry {
        let (left, entered) = (to.blank(), from.blank());
        let label = from.label(left);
        let manhattan = manhattan.wrapping_add(self.manhattan.delta::<W>(left, op, label));
        (manhattan, self.facts.moved::<W>(facts, label, left, entered))
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        &mut (manhattan, facts): &mut Self::Carry,
        _: Cost,
    ) -> Verdict<u32> {
        Verdict { h: manhattan + self.facts.added(facts, manhattan), excluded: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Puzzle8, Puzzle24};

    #[test]
    fn corner_tiles_add_up_to_twelve_moves() {
        let domain = Puzzle24::new();
        let mut numbers = domain.numbers(&domain.goal());
        for square in [4, 20, 24] {
            numbers.swap(square, 12);
        }
        numbers.swap(1, 5);
        let board = domain.board(&numbers).unwrap();
        let h = ManhattanPlus::corner_tiles(&domain).estimate(&domain, &board);
        assert_eq!(h, domain.manhattan(&board) + 12);
    }

    #[test]
    fn last_moves_add_up_to_four_moves() {
        let domain = Puzzle24::new();
        let goal = domain.goal();
        let mut numbers = domain.numbers(&goal);
        // All tiles are at home, except three tiles far from the corner, which are in a cycle.
        for square in [12, 13, 18, 17] {
            numbers.swap(0, square);
        }
        let board = domain.board(&numbers).unwrap();
        let manhattan = domain.manhattan(&board);
        let one = ManhattanPlus::last_move(&domain).unwrap();
        let two = ManhattanPlus::last_two_moves(&domain).unwrap();
        assert_eq!(one.estimate(&domain, &board), manhattan + 2);
        assert_eq!(two.estimate(&domain, &board), manhattan + 4);
        assert_eq!(two.estimate(&domain, &goal), 0);
    }

    #[test]
    fn the_blank_must_be_at_home_in_a_corner() {
        let domain = Puzzle8::parse_goal("1 2 3 8 0 4 7 6 5").unwrap();
        let error = ManhattanPlus::last_two_moves(&domain).unwrap_err();
        assert_eq!(error, BlankNotInCorner { square: 5 });
        let corner = Puzzle8::parse_goal("1 2 0 3 4 5 6 7 8").unwrap();
        assert!(ManhattanPlus::last_move(&corner).is_ok());
    }
}
