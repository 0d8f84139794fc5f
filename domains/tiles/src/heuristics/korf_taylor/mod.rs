//! The hand-made heuristic of Korf and Taylor: linear conflict, last two moves and corner tiles.

mod facts;
mod manhattan_plus;

pub use manhattan_plus::ManhattanPlus;

use crate::board::{Board, BoardWord, Tiles};
use crate::heuristics::{Conflicts, LinearConflict};
use facts::{BlankNotInCorner, Facts, check_corner};
use search::{Claims, Cost, Evaluation, Heuristic, Op, Verdict};

/// The sum of three heuristics: [`LinearConflict`], the last two moves and corner tiles (see
/// [`ManhattanPlus`]). It leaves out additions that may count a move twice. The blank must be at
/// home in a corner.
///
/// Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
/// Three additions are left out:
///
/// - *Corner tiles in a conflict.* A tile beside a corner adds nothing if it conflicts with a tile
///   of its row or column. The same two moves may resolve the conflict and free the corner.
/// - *Last moves of a tile in a conflict.* A detour through an earlier column adds moves along the
///   row. A conflict in the tile's home column may count the same moves. The same holds for rows.
/// - *Last moves of a corner tile that adds moves.* Both additions may count the same moves. This
///   happens only on boards with fewer than five rows or columns.
///
/// On the 24-puzzle the second rule concerns tiles 1, 2 and 6 if they have a conflict in their
/// column. It also concerns tiles 5, 10 and 6 if they have a conflict in their row. The paper does
/// not use the tiles beside the blank's corner as corner tiles. For the 24-puzzle that is the same
/// as the third rule.
///
/// The paper asks whether a tile is among the tiles whose moves the conflict count includes. Here a
/// tile is in a conflict if it and any other tile of its line are in the wrong order. That holds
/// even if only the other tile makes way. Conflicts of a line count only moves of such tiles.
///
/// Admissible: yes. Split the moves of a plan beyond Manhattan distance by tile and direction:
///
/// - Conflicts count moves across a line, of tiles that conflict in it.
/// - Corner tiles count moves in both directions, of tiles without conflicts.
/// - Last moves count moves in one direction, of tiles that nothing else charges in that direction.
///
/// So no move counts twice, whichever tiles make the last moves. Of all tiles that may make them,
/// the smallest addition counts. Consistent: no, because corner tiles are not.
#[derive(Clone, Debug)]
pub struct KorfTaylor {
    conflicts: LinearConflict,
    facts: Facts,
}

impl KorfTaylor {
    /// The heuristic for a puzzle.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        let (grid, field) = (domain.grid(), W::FIELD);
        let facts = Facts::of_both(grid, field)?;
        Ok(Self { conflicts: LinearConflict::of_grid(grid, field), facts })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// Counts the placements of the two tiles beside the corner for which the last move adds two
    /// moves. Also returns the number of all placements of both tiles.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn last_move_fraction(&self) -> Result<(usize, usize), BlankNotInCorner> {
        check_corner(self.grid())?;
        let (squares, columns) = (self.squares(), self.columns());
        let corner = self.blank_home();
        let first = (0..squares).filter(|square| square % columns != corner % columns);
        let places = first.flat_map(|a| (0..squares).map(move |b| (a, b)));
        let apply = places.filter(|&(a, b)| a != b && b / columns != corner / columns).count();
        Ok((apply, squares * (squares - 1)))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for KorfTaylor
{
    type Carry = (Conflicts<W::LineCodes>, u32);
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Carry {
        (self.conflicts.root(domain, board), self.facts.of(domain, board))
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        (conflicts, facts): &Self::Carry,
        op: Op,
        to: &Board<W>,
    ) -> Self::Carry {
        let (left, entered) = (to.blank(), from.blank());
        let facts = self.facts.moved::<W>(*facts, from.label(left), left, entered);
        (self.conflicts.child(domain, from, conflicts, op, to), facts)
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        (conflicts, facts): &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<u32> {
        let (h, extra) = (conflicts.h, conflicts.extra);
        let most = h + self.facts.added(*facts, h - extra);
        // Without conflicts, only last moves of a corner tile that adds moves can be left out.
        if h > limit || most == h {
            return Verdict { h, excluded: 0 };
        }
        let (in_rows, in_columns) = match extra {
            0 => (0, 0),
            _ => self.conflicts.conflicted(domain, conflicts),
        };
        let facts = self.facts.without(*facts, in_rows, in_columns);
        Verdict { h: h + self.facts.added(facts, h - extra), excluded: 0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Puzzle24;

    #[test]
    fn the_fraction_is_that_of_korf_and_taylor() {
        assert_eq!(Puzzle24::new().last_move_fraction(), Ok((384, 600)));
    }
}
