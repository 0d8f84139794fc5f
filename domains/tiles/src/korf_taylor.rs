//! The hand-made heuristic of Korf and Taylor: linear conflict, last two moves and corner tiles
//! together.

use crate::domain::{Board, Tiles};
use crate::facts::Facts;
use crate::last_moves::BlankNotInCorner;
use crate::linear_conflict::{Conflicts, LinearConflict};
use crate::word::BoardWord;
use search::{Cost, Heuristic, Op, Verdict};

/// [`LinearConflict`], with what [`LastMoves`](crate::LastMoves) (two) and
/// [`CornerTiles`](crate::CornerTiles) add where nothing is counted twice. The blank must be at
/// home in a corner.
///
/// Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
/// What is excluded:
/// - *Corner tiles and conflicts.* A tile next to a corner that conflicts with another tile in its
///   row or column adds nothing: the two moves that bring it out of the corner's way may be those
///   that bring it out of the other's way.
/// - *Last moves and conflicts.* What is added to a tile for its way through an earlier column are
///   moves along the row. If it conflicts with another tile in its home column, the conflict may
///   count the same moves, so nothing is added. Likewise for earlier rows and conflicts in the home
///   row. (So, with the tiles of the 24-puzzle: 1 not if it conflicts in its column, 5 not in its
///   row, 2 not in its column, 10 not in its row, and 6 not in the one of both that is asked for.)
/// - *Last moves and corner tiles.* A tile that adds two moves beside a corner adds none for the
///   last moves, as the moves may be the same. This happens on boards with fewer than five rows or
///   columns only; the paper's rule, that the tiles next to the blank's corner are not used as
///   corner tiles, is the same for the 24-puzzle.
///
/// Where the paper asks whether a tile is in a conflict, this asks whether any tile of its line is
/// in the wrong order with it, also if others than it can make way: conflicts of a line count only
/// moves of such tiles.
///
/// Admissible: yes. Split the moves of a plan beyond Manhattan distance by tile and direction.
/// Conflicts count moves across a line, of tiles that conflict there; corner tiles count moves in
/// both directions, of tiles that conflict nowhere; the last moves count moves in one direction, of
/// tiles that neither of the others charges in that direction. So no move counts twice, in each way
/// to end, and the smallest of the ways counts. Consistent: no (nor are corner tiles).
#[derive(Clone, Debug)]
pub struct KorfTaylor {
    conflicts: LinearConflict,
    facts: Facts,
}

impl KorfTaylor {
    /// The tables for a puzzle.
    ///
    /// # Errors
    /// If the blank is not at home in a corner.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Result<Self, BlankNotInCorner> {
        Ok(Self { conflicts: LinearConflict::new(domain), facts: Facts::with_last_moves(domain)? })
    }

    /// What corners and last moves add.
    #[inline(always)]
    fn added(&self, facts: u32, manhattan: Cost) -> Cost {
        let last = if manhattan > 1 { self.facts.last_moves(facts, true) } else { 0 };
        self.facts.corner_tiles(facts) + last
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for KorfTaylor
{
    type Carry = (Conflicts<W::LineCodes>, u32);
    const OUTLINED: bool = true;

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
        let most = h + self.added(*facts, h - extra);
        // Without conflicts nothing is excluded, but corner tiles may still be charged for the last
        // moves.
        if h > limit || most == h {
            return Verdict { h, excluded: 0 };
        }
        let (in_rows, in_columns) = match extra {
            0 => (0, 0),
            _ => self.conflicts.conflicted(domain, conflicts),
        };
        let facts = self.facts.without(*facts, in_rows, in_columns);
        Verdict { h: h + self.added(facts, h - extra), excluded: 0 }
    }
}
