//! Linear conflict: if two tiles are in their home row or column but in the wrong order, one must
//! make way.

use crate::board::{Board, BoardWord, Grid, LEFT, LineCodes, RIGHT, Tiles};
use crate::heuristics::TilesManhattan;
use crate::heuristics::lines::Lines;
use search::{Claims, Cost, Heuristic, Op, Verdict};

/// Manhattan distance plus two moves for each tile that must leave its home row or column. Works
/// for any goal.
///
/// Consider the tiles that are in their home line. Tiles that never leave the line must be in the
/// right order already. So all but a longest rising subsequence must leave.
///
/// Othar Hansson, Andrew Mayer and Moti Yung, "Criticizing solutions to relaxed models yields
/// powerful admissible heuristics", Information Sciences 63, 1992, section 4. They pick the leaving
/// tiles greedily by their number of conflicts. Here a table has the least number of leaving tiles.
///
/// Admissible: yes. Consider the moves of tiles across their home rows. A tile that is in its home
/// row and makes no such move never leaves the row. These tiles never change their order, so they
/// are a rising subsequence. Every other tile of the row makes at least two such moves, and
/// Manhattan distance counts none of them. The same holds for columns, with moves along rows. So no
/// move counts twice, even for a tile with conflicts in its row and in its column.
///
/// Consistent: yes. A move along a row changes no order within a row. It changes the conflicts of a
/// column only if the tile is at home in that column. If the tile leaves the column, conflicts fall
/// by at most 2 moves and the distance rises by 1. If it arrives, the distance falls by 1 and
/// conflicts do not fall.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: TilesManhattan,
    /// The table of conflicts in a row. A row has as many squares as the board has columns.
    rows: Lines,
    /// The table of conflicts in a column.
    columns: Lines,
    /// For each label: row and column of its home.
    homes: [(u8, u8); 64],
    /// Indexed by square and label (see [`index`]): the digits of this tile in the codes of its
    /// lines (see [`Lines`]). Bits 0 to 2 are the digit in the row's code, bits 3 to 5 that in the
    /// column's. The used part has 256 bytes for 16 squares, 1 KiB for 25, and 4 KiB for more.
    digits: Box<[u8; 64 * 64]>,
}

/// What the search carries from node to node for [`LinearConflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflicts<C> {
    /// The codes of the rows: 3 bits a square, row by row.
    rows: C,
    /// The codes of the columns: 3 bits a square, column by column.
    columns: C,
    /// Manhattan distance plus the moves that conflicts add.
    pub(crate) h: Cost,
    /// The moves that conflicts add.
    pub(crate) extra: Cost,
}

impl LinearConflict {
    /// The heuristic for a puzzle.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Self {
        Self::of_grid(domain.grid(), W::FIELD)
    }

    /// The heuristic for boards whose labels have `field` bits.
    pub(crate) fn of_grid(grid: Grid, field: u32) -> Self {
        let mut homes = [(0, 0); 64];
        let mut digits = Box::new([0; 64 * 64]);
        let byte = |value: usize| u8::try_from(value).expect("six bits");
        for label in 1..grid.squares() {
            let (row, column) = grid.place(grid.home(label));
            homes[label] = (byte(row), byte(column));
            for square in 0..grid.squares() {
                let here = grid.place(square);
                let in_row = if here.0 == row { column + 1 } else { 0 };
                let in_column = if here.1 == column { row + 1 } else { 0 };
                digits[index(field, square, label)] = byte(in_row | in_column << 3);
            }
        }
        let (rows, columns) = (Lines::new(grid.columns), Lines::new(grid.rows));
        let manhattan = TilesManhattan::of_grid(grid, field);
        Self { manhattan, rows, columns, homes, digits }
    }

    /// The codes of rows and columns after a tile is put on a square, or taken away if it is there
    /// already.
    #[inline(always)]
    fn toggled<W: BoardWord, const ROWS: usize, const COLS: usize>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        (rows, columns): (W::LineCodes, W::LineCodes),
        square: usize,
        label: usize,
    ) -> (W::LineCodes, W::LineCodes) {
        let digits = usize::from(self.digits[index(W::FIELD, square, label)]);
        let place = domain.by_columns(square);
        (rows.toggled(square, digits & 7), columns.toggled(place, digits >> 3))
    }

    /// First the labels with a conflict in their home row, second the labels with a conflict in
    /// their home column. Bit `s` stands for the label at home on square `s`.
    #[inline]
    pub(crate) fn conflicted<W: BoardWord, const ROWS: usize, const COLS: usize>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        carry: &Conflicts<W::LineCodes>,
    ) -> (u64, u64) {
        let (rows, columns) = (domain.rows(), domain.columns());
        let (mut in_rows, mut in_columns) = (0, 0);
        for row in 0..rows {
            let places = self.rows.conflicted(carry.rows.digits(row * columns, columns));
            in_rows |= places << (row * columns);
        }
        for column in 0..columns {
            let places = self.columns.conflicted(carry.columns.digits(column * rows, rows));
            in_columns |= spread(places, columns) << column;
        }
        (in_rows, in_columns)
    }
}

/// Moves bit `p` of `places` to bit `columns * p`, for at most 7 bits.
#[inline(always)]
fn spread(places: u64, columns: usize) -> u64 {
    (0..7).fold(0, |bits, place| bits | (places >> place & 1) << (columns * place))
}

/// Index into [`LinearConflict::digits`] for labels of `field` bits.
#[inline(always)]
fn index(field: u32, square: usize, label: usize) -> usize {
    (square << field | label) % (64 * 64)
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for LinearConflict
{
    type Carry = Conflicts<W::LineCodes>;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Carry {
        let mut codes = Default::default();
        for square in (0..domain.squares()).filter(|&square| board.label(square) != 0) {
            codes = self.toggled(domain, codes, square, board.label(square));
        }
        let (rows, columns) = codes;
        let (height, width) = (domain.rows(), domain.columns());
        let in_rows = (0..height).map(|row| self.rows.extra(rows.digits(row * width, width)));
        let in_columns =
            (0..width).map(|column| self.columns.extra(columns.digits(column * height, height)));
        let extra = in_rows.sum::<Cost>() + in_columns.sum::<Cost>();
        Conflicts { rows, columns, h: domain.manhattan(board) + extra, extra }
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        carry: &Self::Carry,
        op: Op,
        to: &Board<W>,
    ) -> Self::Carry {
        let (left, entered) = (to.blank(), from.blank());
        let label = from.label(left);
        let codes = self.toggled(domain, (carry.rows, carry.columns), left, label);
        let (rows, columns) = self.toggled(domain, codes, entered, label);
        // A move along a row changes no order in the row. It can change the conflicts only of the
        // tile's home column.
        let (home_row, home_column) = self.homes[label & 63];
        let (before, after) = if op == LEFT || op == RIGHT {
            let place = usize::from(home_column) * domain.rows();
            let extra =
                |codes: W::LineCodes| self.columns.extra(codes.digits(place, domain.rows()));
            (extra(carry.columns), extra(columns))
        } else {
            let place = usize::from(home_row) * domain.columns();
            let extra =
                |codes: W::LineCodes| self.rows.extra(codes.digits(place, domain.columns()));
            (extra(carry.rows), extra(rows))
        };
        let change = after.wrapping_sub(before);
        let h =
            carry.h.wrapping_add(self.manhattan.delta::<W>(left, op, label)).wrapping_add(change);
        Conflicts { rows, columns, h, extra: carry.extra.wrapping_add(change) }
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        carry: &mut Self::Carry,
        _: Cost,
    ) -> Verdict<u32> {
        Verdict { h: carry.h, excluded: 0 }
    }
}
