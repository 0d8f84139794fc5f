//! Lookups in pattern tables, on the board and its reflection, whose values are added to bounds. A
//! *member* is one table that is read for the board or for its reflection.
//!
//! Direct and ranked tables share the code of this module.

mod direct;
mod ranked;
#[cfg(test)]
mod tests;
mod tile_index;

pub use direct::{DirectLookup, DirectSums, DirectTables};
pub use ranked::{RankedSums, RankedTables};
pub use tile_index::TileIndex;

use crate::board::{Board, BoardWord, Tiles};
use crate::patterns::table::{BlankRegion, Code, PatternTable};
use pdb::memory::Bytes;
use pdb::{EntryTable, TableEntry};
use search::Cost;
use std::sync::Arc;

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
    /// For each byte of a table: the value rounded down to an even number, or [`REGIONS`] if the
    /// value depends on the blank's region.
    doubles: [u8; 256],
    board: Squares,
}

/// Where the tiles of a member are.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// Labels on whose squares its tiles are, repeated from the first on.
    labels: [u8; 8],
    /// Half of the number of squares without its tiles.
    half_free: u32,
}

impl Taken {
    fn new(labels: impl Iterator<Item = u8> + Clone, count: usize, board: &Squares) -> Self {
        let mut all = labels.cycle();
        let labels = std::array::from_fn(|_| all.next().unwrap_or(0));
        Self { labels, half_free: (board.all.count_ones() - count as u32) / 2 }
    }
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
        let doubles = std::array::from_fn(|byte| {
            let code = Code(byte as u8);
            match blank {
                BlankRegion::Forgotten => 2 * code.large().min(code.other()),
                BlankRegion::Known if code.differs() => REGIONS,
                BlankRegion::Known => 2 * code.large(),
            }
        });
        let board = Squares::new(domain.rows(), domain.columns());
        Self { list, charged, image, doubles, board }
    }

    /// For each member, the tiles whose moves it counts, each with what a lookup after its move
    /// needs.
    fn lookups<T>(&self, lookup: impl Fn(usize, usize) -> T) -> Vec<Vec<(usize, T)>> {
        let tiles = |(number, member): (usize, &Member)| {
            let labels = member.labels.iter().map(|&label| usize::from(label));
            labels.map(|label| (label, lookup(number, label))).collect()
        };
        self.list.iter().enumerate().map(tiles).collect()
    }

    /// The tables. Members of the board come first, so each table is that of one of them.
    fn tables(&self) -> Vec<EntryTable> {
        let own = self.list[..self.table_count()].iter();
        own.map(|member| EntryTable::Codes(member.table.codes())).collect()
    }

    fn table_count(&self) -> usize {
        self.list.iter().filter(|member| !member.reflected).count()
    }

    /// The entry of a member with this number.
    fn entry(&self, member: usize, entry: u64) -> TableEntry {
        TableEntry { table: member % self.table_count(), entry }
    }

    /// Where the tiles of member `number` are.
    fn taken(&self, number: usize) -> Taken {
        let labels = &self.list[number].labels;
        Taken::new(labels.iter().copied(), labels.len(), &self.board)
    }

    /// Where the tiles of member `number` are after a move of its tile `label`, by the squares
    /// before the move: this tile is where the blank, label 0, was.
    fn taken_after(&self, number: usize, label: usize) -> Taken {
        let labels = &self.list[number].labels;
        let others = labels.iter().copied().filter(|&other| usize::from(other) != label);
        Taken::new(others.chain([0]), labels.len(), &self.board)
    }

    /// The value of a member for the byte `code` of its table. `odd` is 1 if the value is odd, else
    /// 0. `pattern` gives the place of the member's tiles, and the label on whose square the blank
    /// is.
    #[inline(always)]
    fn value<'a, E>(
        &self,
        code: u8,
        odd: u8,
        index: &TileIndex<E>,
        pattern: impl FnOnce() -> (&'a Taken, usize),
    ) -> Cost {
        let double = self.doubles[usize::from(code)];
        if double != REGIONS {
            return double + odd;
        }
        let (taken, blank) = pattern();
        self.double_of_region(code, index, taken, blank) + odd
    }

    /// The value, rounded down to an even number, for a byte whose value depends on the region of
    /// the blank. The blank is on the square where the label `blank` is.
    fn double_of_region<E>(
        &self,
        code: u8,
        index: &TileIndex<E>,
        taken: &Taken,
        blank: usize,
    ) -> u8 {
        // A member of the reflection uses the squares of the board itself, too: reflection keeps
        // the size of regions.
        let bit = |label: usize| self.board.bits[usize::from(index.square(label))];
        let squares = taken.labels.iter().fold(0, |set, &label| set | bit(label.into()));
        let large = self.board.in_large_region(squares, bit(blank), taken.half_free);
        let code = Code(code);
        2 * if large { code.large() } else { code.other() }
    }
}

/// Marks a byte in [`Members::doubles`] whose value depends on the blank's region. It is odd.
const REGIONS: u8 = 255;

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

/// Sets of squares that depend on the size of the board. A row has one bit for each of its squares,
/// and one more that is never in a set. So shifts by one bit do not lead into the next row.
#[derive(Clone, Copy, Debug)]
struct Squares {
    /// Bits of a row.
    row: u32,
    all: u64,
    /// For each square: its bit.
    bits: [u64; 64],
}

impl Squares {
    fn new(rows: usize, columns: usize) -> Self {
        let mut bits = [0; 64];
        for (square, bit) in bits.iter_mut().enumerate().take(rows * columns) {
            *bit = 1 << (square + square / columns);
        }
        let all = bits.iter().fold(0, |all, bit| all | bit);
        Self { row: columns as u32 + 1, all, bits }
    }

    /// Whether the region of the blank has more than `half_free` squares, which are half of the
    /// free ones. `taken` are the squares of the pattern's tiles.
    #[inline]
    fn in_large_region(&self, taken: u64, blank: u64, half_free: u32) -> bool {
        let free = self.all & !taken;
        let mut region = blank;
        loop {
            let mut wider = region;
            for _ in 0..4 {
                wider = self.wider(wider, free);
            }
            if wider.count_ones() > half_free {
                return true;
            }
            if wider == region {
                return false;
            }
            region = wider;
        }
    }

    /// A set of squares and their neighbours in `free`.
    #[inline(always)]
    fn wider(&self, region: u64, free: u64) -> u64 {
        (region | region >> 1 | region << 1 | region << self.row | region >> self.row) & free
    }
}
