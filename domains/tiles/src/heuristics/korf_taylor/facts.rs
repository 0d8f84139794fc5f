//! Facts about single tiles, as the bits of one word. Tables, indexed by these bits, have the moves
//! that heuristics add to Manhattan distance.

use crate::board::{Board, BoardWord, Grid, Tiles};
use search::Cost;

/// The heuristic needs a goal with the blank in a corner, and this goal has the blank elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "last moves need a goal with the blank in a corner, and here it is on square {square}; \
     Manhattan distance, linear conflict and corner tiles need no such goal"
)]
pub struct BlankNotInCorner {
    /// The blank's square in the goal, from 1.
    pub square: usize,
}

/// An error if the blank is not at home in a corner.
pub(super) fn check_corner(grid: Grid) -> Result<(), BlankNotInCorner> {
    let square = grid.blank_home + 1;
    if grid.is_home_in_corner() { Ok(()) } else { Err(BlankNotInCorner { square }) }
}

/// Tables for the facts of a puzzle. A move updates the bits by two table lookups. The bits are the
/// index of further tables, which have the number of moves to add.
///
/// Bits 12 to 17 are used only if the blank is at home in a corner. Their rows and columns count
/// from that corner, and tiles are named by their homes.
///
/// | bit | fact |
/// |---|---|
/// | 0 to 7 | this tile beside a corner is at home |
/// | 8 to 11 | this corner holds a tile that is not at home there |
/// | 12 | the tile right of the corner is off the first column |
/// | 13 | the tile below the corner is off the first row |
/// | 14 | the tile two to the right is off the first two columns |
/// | 15 | the diagonal tile is off the first row |
/// | 16 | the diagonal tile is off the first column |
/// | 17 | the tile two below is off the first two rows |
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Indexed by square and label (see [`index`]): the bits that this tile sets on this square.
    there: Box<[u32; 64 * 64]>,
    /// Bits that are set on every board. They belong to tiles that a small board does not have.
    always: u32,
    /// Indexed by bits 0 to 11: how many moves beyond Manhattan distance the tiles beside corners
    /// make.
    corners: Box<[Cost; 4096]>,
    /// Indexed by bits 0 to 11: the tiles beside corners that make the moves of `corners`, as a set
    /// of bits 0 to 7.
    charged: Box<[u8; 4096]>,
    /// Indexed by bits 12 to 17: how many moves the last moves add.
    last: [Cost; 64],
    /// Homes of the tiles beside corners, at most 8. Bit `i` of the facts is set if the tile whose
    /// home is `beside[i]` is at home.
    beside: Vec<usize>,
    /// For each bit from 12: the home of its tile, and whether the added moves are along the row.
    movers: [(usize, bool); 6],
}

/// First bit about a tile in a corner, and first bit about the last moves.
const CORNER: u32 = 8;
const LAST: u32 = 12;

/// Index into [`Facts::there`] for labels of `field` bits.
#[inline(always)]
fn index(field: u32, square: usize, label: usize) -> usize {
    (square << field | label) % (64 * 64)
}

impl Facts {
    fn none() -> Self {
        Self {
            there: Box::new([0; 64 * 64]),
            always: 0,
            corners: Box::new([0; 4096]),
            charged: Box::new([0; 4096]),
            last: [0; 64],
            beside: Vec::new(),
            movers: [(0, false); 6],
        }
    }

    /// The tables of corner tiles, for boards whose labels have `field` bits.
    pub(super) fn of_corner_tiles(grid: Grid, field: u32) -> Self {
        let mut facts = Self::none();
        facts.add_corners(grid, field);
        facts
    }

    /// The tables of the last move; with `two`, of the last two moves. An error if the blank is not
    /// at home in a corner.
    pub(super) fn of_last_moves(
        grid: Grid,
        field: u32,
        two: bool,
    ) -> Result<Self, BlankNotInCorner> {
        let mut facts = Self::none();
        facts.add_last_moves(grid, field, two)?;
        Ok(facts)
    }

    /// The tables of corner tiles and of the last two moves. An error if the blank is not at home
    /// in a corner.
    pub(super) fn of_both(grid: Grid, field: u32) -> Result<Self, BlankNotInCorner> {
        let mut facts = Self::of_corner_tiles(grid, field);
        facts.add_last_moves(grid, field, true)?;
        Ok(facts)
    }

    fn add_corners(&mut self, grid: Grid, field: u32) {
        let (bottom, right) = ((grid.rows - 1) * grid.columns, grid.columns - 1);
        let corners = [0, right, bottom, bottom + right];
        // By corner: the bits of the tiles beside it.
        let mut next_to = [0_usize; 4];
        for (number, &corner) in corners.iter().enumerate() {
            if corner == grid.blank_home {
                continue;
            }
            let home_here = grid.label_at_home(corner);
            for label in (1..grid.squares()).filter(|&label| label != home_here) {
                self.there[index(field, corner, label)] |= 1 << (CORNER as usize + number);
            }
            let beside =
                |&square: &usize| grid.distance(square, corner) == 1 && square != grid.blank_home;
            for square in (0..grid.squares()).filter(beside) {
                let bit = self
                    .beside
                    .iter()
                    .position(|&other| other == square)
                    .unwrap_or(self.beside.len());
                if bit == self.beside.len() {
                    self.beside.push(square);
                    self.there[index(field, square, grid.label_at_home(square))] |= 1 << bit;
                }
                next_to[number] |= 1 << bit;
            }
        }
        for bits in 0..4096_usize {
            let wrong = (0..4).filter(|number| bits >> (CORNER as usize + number) & 1 == 1);
            let charged = bits & 255 & wrong.fold(0, |tiles, number| tiles | next_to[number]);
            self.charged[bits] = u8::try_from(charged).expect("eight bits");
            let count = Cost::try_from(charged.count_ones()).expect("eight bits");
            self.corners[bits] = 2 * count;
        }
    }

    /// Fills in bits 12 to 17 and what they add.
    fn add_last_moves(
        &mut self,
        grid: Grid,
        field: u32,
        two: bool,
    ) -> Result<(), BlankNotInCorner> {
        check_corner(grid)?;
        let Grid { rows, columns, blank_home } = grid;
        let (row, column) = grid.place(blank_home);
        // The square `down` rows and `along` columns from the blank's corner.
        let square = |down: usize, along: usize| {
            let row = if row == 0 { down } else { row - down };
            let column = if column == 0 { along } else { column - along };
            row * columns + column
        };
        // For each bit: rows and columns from the corner to the home of its tile, and whether the
        // added moves are along the row. The last number is the line beyond which the bit is set.
        let last = [
            (0, 1, true, 0),
            (1, 0, false, 0),
            (0, 2, true, 1),
            (1, 1, false, 0),
            (1, 1, true, 0),
            (2, 0, false, 1),
        ];
        for (bit, (down, along, in_row, line)) in last.into_iter().enumerate() {
            if down >= rows || along >= columns {
                self.always |= 1 << (LAST as usize + bit);
                continue;
            }
            self.movers[bit] = (square(down, along), in_row);
            let label = grid.label_at_home(square(down, along));
            for (down, along) in
                (0..rows).flat_map(|down| (0..columns).map(move |along| (down, along)))
            {
                if (if in_row { along } else { down }) > line {
                    self.there[index(field, square(down, along), label)] |=
                        1 << (LAST as usize + bit);
                }
            }
        }
        for bits in 0..64_usize {
            let off = |bit: usize| 2 * Cost::from(bits >> bit & 1 == 1);
            self.last[bits] = if two {
                (off(0) + off(2).min(off(3))).min(off(1) + off(4).min(off(5)))
            } else {
                off(0).min(off(1))
            };
        }
        Ok(())
    }

    /// The facts of a board, computed from scratch.
    pub(super) fn of<W: BoardWord, const ROWS: usize, const COLS: usize>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
    ) -> u32 {
        let bits = |square| self.there[index(W::FIELD, square, board.label(square))];
        (0..domain.squares()).fold(self.always, |all, square| all | bits(square))
    }

    /// The bits after a tile has moved. The bits of the old square can be cleared: on any board at
    /// most one tile sets a bit, except the bits of `always`.
    #[inline(always)]
    pub(super) fn moved<W: BoardWord>(
        &self,
        bits: u32,
        label: usize,
        from: usize,
        to: usize,
    ) -> u32 {
        bits & !(self.there[index(W::FIELD, from, label)] & !self.always)
            | self.there[index(W::FIELD, to, label)]
    }

    /// How many moves the facts add to a Manhattan distance.
    #[inline(always)]
    pub(super) fn added(&self, bits: u32, manhattan: Cost) -> Cost {
        let last = if manhattan > 1 { self.last[(bits >> LAST) as usize & 63] } else { 0 };
        self.corners[bits as usize & 4095] + last
    }

    /// The bits without facts whose moves conflicts or corner tiles count already. `in_rows` are
    /// the homes of tiles with a conflict in their home row, `in_columns` of tiles with a conflict
    /// in their home column. Bit `s` is square `s`.
    pub(super) fn without(&self, bits: u32, in_rows: u64, in_columns: u64) -> u32 {
        let beside = self.beside.iter().enumerate();
        let mut out = beside.fold(bits, |bits, (bit, &square)| {
            bits & !((((in_rows | in_columns) >> square & 1) as u32) << bit)
        });
        let charged = usize::from(self.charged[out as usize & 4095]);
        let beside = self.beside.iter().enumerate();
        let cornered = beside
            .fold(0_u64, |homes, (bit, &square)| homes | ((charged >> bit & 1) as u64) << square);
        for (bit, (square, along_row)) in self.movers.into_iter().enumerate() {
            let taken = cornered | if along_row { in_columns } else { in_rows };
            out &= !(((taken >> square & 1) as u32) << (LAST as usize + bit) & !self.always);
        }
        out
    }
}
