//! Pattern tables as members of additive sums, on the board and its reflection.
//!
//! Direct and ranked tables share their members and the working board here.

mod direct;
mod ranked;
mod working_board;

pub use direct::DirectTables;
pub use ranked::RankedTables;
pub use working_board::WorkingBoard;

use crate::domain::{Board, Tiles};
use crate::pattern_table::{Code, PatternTable};
use crate::shape::Shape;
use crate::word::BoardWord;
use pdb::memory::Bytes;
use std::sync::Arc;

/// Methods that read only the [`WorkingBoard`], the same for every layout.
macro_rules! of_working_board {
    () => {
        fn state(&self, domain: &Tiles<W, ROWS, COLS>, work: &Self::Work) -> Board<W> {
            work.board(domain.squares())
        }
        #[inline(always)]
        fn is_goal(&self, domain: &Tiles<W, ROWS, COLS>, work: &Self::Work) -> bool {
            work.is(&domain.goal(), domain.squares())
        }
        #[inline(always)]
        fn applicable(&self, work: &Self::Work) -> u32 {
            self.members.shape.applicable::<ROWS, COLS>(work.blank())
        }
        #[inline(always)]
        fn mover(&self, work: &Self::Work, op: Op) -> usize {
            work.label(self.members.shape.target::<COLS>(work.blank(), op))
        }
    };
}
use of_working_board;

/// Whether a lookup asks for the blank's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlankRegion {
    /// No: the least value over all regions, as in Korf and Felner's tables (2002).
    Forgotten,
    /// Yes: the value of the blank's own region, as far as the table tells it.
    Known,
}

/// A table on one of the two boards.
#[derive(Clone, Debug)]
struct Member {
    table: Arc<PatternTable>,
    bytes: Bytes,
    reflected: bool,
    /// The labels of its tiles, in the order of the ranks.
    labels: Vec<u8>,
    features: [u64; 1],
}

/// All members, and what every read needs.
#[derive(Clone, Debug)]
struct Members {
    list: Vec<Member>,
    /// By label: the members that charge it.
    charged: [u64; 64],
    /// By square: its image in the reflection.
    image: [u8; 64],
    blank: BlankRegion,
    /// By byte of a table: half of the value, or [`REGIONS`].
    halves: [u8; 256],
    board: Squares,
    shape: Shape,
}

impl Members {
    /// The tables in their order. With `reflected`, and if the puzzle reflects, the same tables on
    /// the reflected board follow.
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
            let features = [labels.iter().fold(0, |set, label| set | 1_u64 << label)];
            Member {
                table: table.clone(),
                bytes: table.bytes().clone(),
                reflected,
                labels,
                features,
            }
        };
        let list: Vec<_> = sides.map(member).collect();
        let mut charged = [0; 64];
        for (number, member) in list.iter().enumerate() {
            for (label, charged) in charged.iter_mut().enumerate() {
                *charged |= (member.features[0] >> label & 1) << (number & 63);
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
        let shape = *domain.shape();
        let board = Squares::new(shape.rows, shape.columns);
        Self { list, charged, image, blank, halves, board, shape }
    }

    /// Half of the value of an entry. `squares` gives the tiles' squares on the board itself, also
    /// for a member of the reflection.
    #[inline(always)]
    fn half(&self, code: u8, squares: impl FnOnce() -> u64, blank: u8) -> u8 {
        let half = self.halves[usize::from(code)];
        if half < REGIONS {
            return half;
        }
        let code = Code(code);
        if self.board.in_large_region(squares(), blank) { code.large() } else { code.other() }
    }
}

/// Instead of half of a value: it depends on the blank's region.
const REGIONS: u8 = 128;

impl Members {
    /// The working board of a board. The caller numbers the `entries`.
    fn tray<W: BoardWord, const ROWS: usize, const COLS: usize, E>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
        entries: E,
    ) -> WorkingBoard<E> {
        let odd = (0..domain.squares()).fold(0, |odd, square| {
            let label = board.label(square);
            let toggles = domain.distance_home(label, square) % 2 == 1;
            odd ^ if toggles { self.charged[label & 63] } else { 0 }
        });
        WorkingBoard::new(domain, board, odd, entries)
    }

    /// The squares of the tiles of a member.
    #[inline(always)]
    fn taken<E>(&self, number: usize, work: &WorkingBoard<E>) -> u64 {
        let labels = &self.list[number].labels;
        labels.iter().fold(0, |set, &label| set | 1 << (work.square(label.into()) & 63))
    }
}

/// Sets of a board's squares.
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

    /// Whether the blank's region is the one with more than half of the free squares.
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
