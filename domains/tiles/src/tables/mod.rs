//! Lookups in pattern tables, on the board and its reflection, whose values are added to bounds. A
//! *member* is one table that is read for the board or for its reflection.
//!
//! Direct and ranked tables share the code of this module.

mod direct;
mod ranked;
mod tile_index;

pub use direct::DirectTables;
pub use ranked::RankedTables;
pub use tile_index::TileIndex;

use crate::domain::{Board, Tiles};
use crate::pattern_table::{Code, PatternTable};
use crate::word::BoardWord;
use pdb::memory::Bytes;
use search::Cost;
use std::sync::Arc;

/// Whether a lookup uses the blank's region: the squares that the blank reaches without moving
/// tiles of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlankRegion {
    /// The lookup gives the least value over all regions, as in Korf and Felner's tables (2002).
    Forgotten,
    /// The lookup gives the value for the blank's region. Tables of one byte an entry have two
    /// values: one for the large region, one for all others. Packed tables have one value for all
    /// regions.
    Known,
}

/// A table that is read for the board or for its reflection.
#[derive(Clone, Debug)]
struct Member {
    table: Arc<PatternTable>,
    bytes: Bytes,
    reflected: bool,
    /// The labels of its tiles, in the order in which the entry's rank takes their squares.
    labels: Vec<u8>,
}

/// All members, and the tables that every lookup needs.
#[derive(Clone, Debug)]
struct Members {
    list: Vec<Member>,
    /// For each label: the members that count this tile's moves, as bits.
    charged: [u64; 64],
    /// For each square: the mirrored square.
    image: [u8; 64],
    /// For each byte of a table: half of the value, or [`REGIONS`] if the value depends on the
    /// blank's region.
    halves: [u8; 256],
    board: Squares,
}

impl Members {
    /// Creates one member for each table. If `reflected` is set and the puzzle reflects, also
    /// creates one for each table on the reflected board.
    fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Self {
        let image = domain.shape().by_columns;
        let both = [false, true].into_iter().take(1 + usize::from(reflected && domain.reflects()));
        let sides = both.flat_map(|reflected| tables.iter().map(move |table| (reflected, table)));
        let member = |(reflected, table): (bool, &Arc<PatternTable>)| {
            let home = |&goal: &u8| if reflected { image[usize::from(goal)] } else { goal };
            let homes = table.pattern().goals.iter().map(home);
            let labels: Vec<_> =
                homes.map(|home| domain.label_at_home(home.into()) as u8).collect();
            Member { table: table.clone(), bytes: table.bytes().clone(), reflected, labels }
        };
        let list: Vec<_> = sides.map(member).collect();
        let mut charged = [0; 64];
        for (number, member) in list.iter().enumerate() {
            for &label in &member.labels {
                charged[usize::from(label)] |= 1 << (number & 63);
            }
        }
        let halves = std::array::from_fn(|byte| {
            let code = Code(byte as u8);
            match blank {
                BlankRegion::Forgotten => code.large().min(code.other()),
                BlankRegion::Known if code.differs() => REGIONS,
                BlankRegion::Known => code.large(),
            }
        });
        let board = Squares::new(domain.rows(), domain.columns());
        Self { list, charged, image, halves, board }
    }

    /// The features whose moves each member counts: the labels of its tiles.
    fn features(&self) -> Vec<Vec<usize>> {
        let labels = |member: &Member| member.labels.iter().map(|&label| label.into()).collect();
        self.list.iter().map(labels).collect()
    }

    /// The value of member `number` for the byte `code` of its table.
    #[inline(always)]
    fn value<E>(&self, number: usize, code: u8, index: &TileIndex<E>) -> Cost {
        let half = self.halves[usize::from(code)];
        let half = if half < REGIONS { half } else { self.half_of_region(number, code, index) };
        2 * half + index.is_odd(number)
    }

    /// Half of a member's value, for a byte whose value depends on the blank's region.
    fn half_of_region<E>(&self, number: usize, code: u8, index: &TileIndex<E>) -> u8 {
        // A member of the reflection uses the squares of the board itself, too: reflection keeps
        // the size of regions.
        let labels = &self.list[number].labels;
        let taken = labels.iter().fold(0, |set, &label| set | 1 << index.square(label.into()));
        let code = Code(code);
        if self.board.in_large_region(taken, index.blank()) { code.large() } else { code.other() }
    }
}

/// Marks a byte in [`Members::halves`] whose value depends on the blank's region.
const REGIONS: u8 = 128;

impl Members {
    /// The index of a board. `entries` are the numbers of the members' entries.
    fn index<W: BoardWord, const ROWS: usize, const COLS: usize, E>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
        entries: E,
    ) -> TileIndex<E> {
        let (mut squares, mut odd) = ([0; 64], 0);
        for square in 0..domain.squares() {
            let label = board.label(square);
            squares[label & 63] = square as u8;
            if domain.distance_home(label, square) % 2 == 1 {
                odd ^= self.charged[label & 63];
            }
        }
        TileIndex::new(squares, odd, entries)
    }
}

/// Sets of squares that depend on the size of the board.
#[derive(Clone, Copy, Debug)]
struct Squares {
    columns: u32,
    all: u64,
    first_column: u64,
    last_column: u64,
}

impl Squares {
    fn new(rows: usize, columns: usize) -> Self {
        let first_column = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        let columns = columns as u32;
        let all = u64::MAX >> (64 - rows as u32 * columns);
        Self { columns, all, first_column, last_column: first_column << (columns - 1) }
    }

    /// Whether the region of the blank has more than half of the free squares. `taken` are the
    /// squares of the pattern's tiles.
    #[inline]
    fn in_large_region(self, taken: u64, blank: u8) -> bool {
        let free = self.all & !taken;
        let mut region = 1_u64 << (blank & 63);
        loop {
            let across = (region & !self.first_column) >> 1 | (region & !self.last_column) << 1;
            let wider = (region | across | region << self.columns | region >> self.columns) & free;
            if wider == region {
                return 2 * region.count_ones() > free.count_ones();
            }
            region = wider;
        }
    }
}
