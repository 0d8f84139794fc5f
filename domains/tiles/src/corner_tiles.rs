//! Corner tiles: a corner with the wrong tile needs moves of the tiles beside it.

use crate::domain::{Board, Tiles};
use crate::facts::Facts;
use crate::facts::TileFacts;
use crate::manhattan::TilesManhattan;
use crate::word::BoardWord;
use search::{Claims, Cost, Heuristic, Op, Verdict};

/// Manhattan distance plus corner tiles: two moves for each tile that is at home beside a corner
/// with a wrong tile. Works for any goal.
///
/// The corner that is the blank's home, if any, adds nothing. A tile beside two such corners counts
/// once. Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI
/// 1996.
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
#[derive(Clone, Debug)]
pub struct CornerTiles {
    manhattan: TilesManhattan,
    facts: Facts,
}

impl CornerTiles {
    /// The heuristic for a puzzle.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Self {
        let facts = Facts::new(domain.grid(), W::FIELD);
        Self { manhattan: TilesManhattan::new(domain), facts }
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for CornerTiles
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
        Verdict { h: carry.manhattan + self.facts.corner_tiles(carry.facts), excluded: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Puzzle24;

    #[test]
    fn up_to_twelve_moves_are_added() {
        let domain = Puzzle24::new();
        let mut numbers = domain.numbers(&domain.goal());
        for square in [4, 20, 24] {
            numbers.swap(square, 12);
        }
        numbers.swap(1, 5);
        let board = domain.board(&numbers).unwrap();
        let added = CornerTiles::new(&domain).estimate(&domain, &board) - domain.manhattan(&board);
        assert_eq!(added, 12);
    }
}
