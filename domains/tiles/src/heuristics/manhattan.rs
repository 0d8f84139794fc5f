//! Manhattan distance: how many moves each tile needs if nothing is in its way.

use crate::board::{Board, BoardWord, Grid, Shape, Tiles};
use search::{Claims, Cost, Heuristic, Op, Verdict};

/// Number of entries of [`TilesManhattan`]'s table: 64 squares, 4 operators, 64 labels.
const ENTRIES: usize = 64 * 4 * 64;

/// Manhattan distance: the sum over all tiles of the rows and columns between a tile and its home.
/// Works for any goal.
///
/// Admissible: yes, because a move takes one tile by one row or one column. Consistent: yes,
/// because a move changes the sum by one.
#[derive(Clone, Debug)]
pub struct TilesManhattan {
    /// Indexed by the square that the tile leaves, operator and label (see [`index`]): the change
    /// of the distance, 1 or -1 modulo 256. Indices use as few bits as the board needs. So boards
    /// of 16 squares touch only 1 KiB, of 25 squares 4 KiB, larger ones 16 KiB. The table is not
    /// boxed: the search would load its address again at every node.
    delta: [Cost; ENTRIES],
}

impl TilesManhattan {
    /// The heuristic for a puzzle.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Self {
        Self::of_grid(domain.grid(), W::FIELD)
    }

    /// The heuristic for boards whose labels have `field` bits.
    pub(crate) fn of_grid(grid: Grid, field: u32) -> Self {
        let shape = Shape::new(grid.rows, grid.columns);
        let mut delta = [0; ENTRIES];
        for blank in 0..grid.squares() {
            for op in search::OpSet::members(shape.applicable::<0, 0>(blank)) {
                let target = shape.target::<0>(blank, op);
                for label in 1..grid.squares() {
                    let before = grid.distance_home(label, target);
                    let after = grid.distance_home(label, blank);
                    delta[index(field, target, op, label)] = after.wrapping_sub(before);
                }
            }
        }
        Self { delta }
    }

    /// By how much a move changes the distance, modulo 256. `from` is the square that the tile
    /// leaves.
    #[inline(always)]
    pub(crate) fn delta<W: BoardWord>(&self, from: usize, op: Op, label: usize) -> Cost {
        self.delta[index(W::FIELD, from, op, label)]
    }
}

/// Index into [`TilesManhattan::delta`] for labels of `field` bits.
#[inline(always)]
fn index(field: u32, from: usize, op: Op, label: usize) -> usize {
    ((from << 2 | op.index()) << field | label) % ENTRIES
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// Manhattan distance between two squares.
    pub fn distance(&self, from: usize, to: usize) -> Cost {
        self.grid().distance(from, to)
    }

    /// Manhattan distance between a square and the home of a label; 0 for the blank.
    pub fn distance_home(&self, label: usize, square: usize) -> Cost {
        self.grid().distance_home(label, square)
    }

    /// Manhattan distance of a board.
    pub fn manhattan(&self, board: &Board<W>) -> Cost {
        (0..self.squares()).map(|square| self.distance_home(board.label(square), square)).sum()
    }

    /// The mean Manhattan distance over all boards, solvable or not, as numerator and denominator.
    /// A tile is on every square equally often. So the mean is the sum of the distances of all
    /// tiles on all squares, divided by the number of squares.
    pub fn expected_manhattan(&self) -> (u32, u32) {
        let grid = self.grid();
        let distances = (1..grid.squares())
            .flat_map(|label| (0..grid.squares()).map(move |square| (label, square)))
            .map(|(label, square)| u32::from(grid.distance_home(label, square)));
        (distances.sum(), u32::try_from(grid.squares()).expect("at most 40 squares"))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for TilesManhattan
{
    /// The Manhattan distance of the node.
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Cost {
        domain.manhattan(board)
    }
    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        carry: &Cost,
        op: Op,
        to: &Board<W>,
    ) -> Cost {
        let left = to.blank();
        carry.wrapping_add(self.delta::<W>(left, op, from.label(left)))
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        carry: &mut Cost,
        _: Cost,
    ) -> Verdict<u32> {
        Verdict { h: *carry, excluded: 0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Puzzle8, Puzzle15, Puzzle19, Puzzle24};

    #[test]
    fn means_are_those_of_korf_and_taylor() {
        let mean = |(sum, squares): (u32, u32)| f64::from(sum) / f64::from(squares);
        assert_eq!(mean(Puzzle8::new().expected_manhattan()), 14.0);
        assert_eq!(mean(Puzzle15::new().expected_manhattan()), 37.0);
        assert_eq!(mean(Puzzle19::new().expected_manhattan()), 53.5);
        assert_eq!(mean(Puzzle24::new().expected_manhattan()), 76.0);
    }
}
