//! The space of a table `tiles`: the squares of some tiles and of the blank, and their ranks.

use crate::puzzle::{Move, NOWHERE, Puzzle};
use crate::space::{Edge, FAR, INFINITE, MOST, Space, Visit};
use crate::text::Objection;

/// More than any finite entry.
const INFINITE_SUM: u16 = 1000;

#[derive(Debug)]
pub(crate) struct Tiles {
    squares: usize,
    columns: usize,
    /// Masks of all squares, and of those of the first column.
    all: u64,
    first_column: u64,
    /// Whether the blank moves along columns, and along rows.
    vertical: bool,
    horizontal: bool,
    pub(crate) tiles: Vec<u16>,
    /// How many ways there are to place the tiles.
    placements: usize,
}

impl Tiles {
    /// `None`: there are too many states.
    pub(crate) fn new(puzzle: &Puzzle, tiles: Vec<u16>) -> Option<Self> {
        let (squares, columns) = (puzzle.points, puzzle.columns);
        let mut placements = 1;
        for taken in 0..tiles.len() {
            placements *= (squares - taken) as u128;
            if placements * (squares - tiles.len()) as u128 > MOST {
                return None;
            }
        }
        let moves = || puzzle.moves.iter().flat_map(|by| (0..).zip(&by.map));
        let steps =
            || moves().filter(|&(_, &to)| to != NOWHERE).map(|(from, to)| to.abs_diff(from));
        Some(Self {
            squares,
            columns,
            all: u64::MAX >> (64 - squares),
            first_column: (0..squares).step_by(columns).map(|square| 1 << square).sum(),
            vertical: steps().any(|step| usize::from(step) == columns),
            horizontal: columns > 1 && steps().any(|step| step == 1),
            tiles,
            placements: placements as usize,
        })
    }

    /// How many squares are without these tiles.
    pub(crate) fn free(&self) -> usize {
        self.squares - self.tiles.len()
    }

    /// The rank of a placement: the squares of the tiles in order.
    pub(crate) fn rank_tiles(&self, squares: &[u8]) -> usize {
        let rank = |rank, (at, &square): (usize, &u8)| {
            let below = squares[..at].iter().filter(|&&other| other < square).count();
            rank * (self.squares - at) + usize::from(square) - below
        };
        squares.iter().enumerate().fold(0, rank)
    }

    /// The last digit of a state's rank.
    pub(crate) fn rank_blank(&self, squares: &[u8], blank: u8) -> usize {
        usize::from(blank) - squares.iter().filter(|&&other| other < blank).count()
    }

    /// The free squares that are connected with one of them. Both are masks.
    fn region(&self, free: u64, square: u32) -> u64 {
        let last_column = self.first_column << (self.columns - 1);
        let mut region = 1 << square;
        loop {
            let mut grown = region;
            if self.vertical {
                grown |= region << self.columns | region >> self.columns;
            }
            if self.horizontal {
                grown |= (region & !last_column) << 1 | (region & !self.first_column) >> 1;
            }
            grown &= free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// The rank of a state of the puzzle.
    pub(crate) fn rank_state(&self, state: &[u16]) -> usize {
        let square = |value: u16| state[self.squares + usize::from(value)] as u8;
        let squares: Vec<u8> = self.tiles.iter().map(|&tile| square(tile)).collect();
        self.rank_tiles(&squares) * self.free() + self.rank_blank(&squares, square(0))
    }

    /// The squares without tiles, as a mask.
    fn free_mask(&self, squares: &[u8]) -> u64 {
        squares.iter().fold(self.all, |mask, &square| mask & !(1 << square))
    }

    /// Whether the blank is in a region of more than half of the squares without these tiles.
    pub(crate) fn is_large(&self, squares: &[u8], blank: u8) -> bool {
        let region = self.region(self.free_mask(squares), blank.into());
        region.count_ones() as usize * 2 > self.free()
    }

    /// Calls `each` with the number, the squares, and the mask of free squares of each placement.
    fn each_placement<E>(&self, mut each: E) -> Result<(), Objection>
    where
        E: FnMut(usize, &[u8], u64) -> Result<(), Objection>,
    {
        let mut squares: Vec<u8> = (0..).take(self.tiles.len()).collect();
        let mut free = self.free_mask(&squares);
        for placement in 0..self.placements {
            each(placement, &squares, free)?;
            // The last tile that can goes to its next square, and those behind to the first ones.
            let mut at = squares.len();
            let mut next = 0;
            while at > 0 && next == 0 {
                at -= 1;
                free |= 1 << squares[at];
                next = free & (u64::MAX - 1) << squares[at];
            }
            for square in &mut squares[at..] {
                *square = next.trailing_zeros() as u8;
                free &= !(1_u64.checked_shl(next.trailing_zeros()).unwrap_or(0));
                next = free;
            }
        }
        Ok(())
    }

    /// For each placement, the least entry of all squares of the blank.
    pub(crate) fn keep_least(&self, entries: &mut Vec<u8>) {
        let free = self.free();
        for placement in 0..self.placements {
            let row = &entries[placement * free..][..free];
            entries[placement] = row.iter().copied().min().unwrap_or(INFINITE);
        }
        entries.truncate(self.placements);
        entries.shrink_to_fit();
    }

    /// For each placement, the value for the blank in a large region, and that for it elsewhere.
    pub(crate) fn keep_two(&self, entries: &mut Vec<u8>) -> Result<(), Objection> {
        let width = self.free();
        self.each_placement(|placement, _, free| {
            let row = &entries[placement * width..][..width];
            let (mut in_large, mut elsewhere, mut rest) = (INFINITE_SUM, INFINITE_SUM, free);
            let mut regions = 0;
            let mut has_large = false;
            while rest != 0 {
                let region = self.region(free, rest.trailing_zeros());
                let least = self.least_entry(region, free, row);
                let large = region.count_ones() as usize * 2 > width;
                let value = if large { &mut in_large } else { &mut elsewhere };
                *value = least.min(*value);
                has_large |= large;
                regions += 1;
                rest &= !region;
            }
            if regions < 2 || !has_large {
                in_large = in_large.min(elsewhere);
                elsewhere = in_large;
            }
            in_large = in_large.min(elsewhere + 8);
            elsewhere = elsewhere.min(in_large + 6);
            for (at, value) in [in_large, elsewhere].into_iter().enumerate() {
                let finite = value.min(FAR.into()) as u8;
                let value = if value < INFINITE_SUM { finite } else { INFINITE };
                entries[placement * 2 + at] = value;
            }
            Ok(())
        })?;
        entries.truncate(self.placements * 2);
        entries.shrink_to_fit();
        Ok(())
    }

    /// The least entry of a placement's row with the blank in a region.
    fn least_entry(&self, region: u64, free: u64, row: &[u8]) -> u16 {
        let (mut least, mut rest) = (INFINITE, region);
        while rest != 0 {
            let lower = (rest & rest.wrapping_neg()) - 1;
            least = least.min(row[(free & lower).count_ones() as usize]);
            rest &= rest - 1;
        }
        if least == INFINITE { INFINITE_SUM } else { least.into() }
    }

    /// The edges of one state of a row.
    fn edges(
        &self,
        moves: &[Move],
        placement: usize,
        squares: &mut [u8],
        blank: u8,
        edges: &mut Vec<Edge>,
    ) {
        edges.clear();
        for (by, one) in moves.iter().enumerate() {
            let next = one.map[usize::from(blank)];
            if next == NOWHERE {
                continue;
            }
            let next = next as u8;
            // The tile on the next square, if it is one of these, comes to where the blank was.
            let tile = squares.iter().position(|&square| square == next);
            let (mut to, mut cost) = (placement, 0);
            if let Some(tile) = tile {
                squares[tile] = blank;
                (to, cost) = (self.rank_tiles(squares), one.cost);
            }
            let to = to * self.free() + self.rank_blank(squares, next);
            if let Some(tile) = tile {
                squares[tile] = next;
            }
            edges.push(Edge { to: to as u32, cost, by: by as u16 });
        }
    }
}

impl Space for Tiles {
    fn size(&self) -> usize {
        self.placements * self.free()
    }

    /// A row is all states with the same placement.
    fn walk<V: Visit>(
        &self,
        moves: &[Move],
        entries: &mut [u8],
        wanted: Option<u8>,
        mut visit: V,
    ) -> Result<(), Objection> {
        let (width, mut edges, mut own) = (self.free(), Vec::new(), vec![0; self.tiles.len()]);
        let is_wanted = |entry: u8| wanted.is_none_or(|wanted| entry == wanted);
        self.each_placement(|placement, squares, free| {
            let row = placement * width..(placement + 1) * width;
            if !entries[row.clone()].iter().any(|&entry| is_wanted(entry)) {
                return Ok(());
            }
            own.copy_from_slice(squares);
            let (mut seen, mut seen_before) = (0, 1);
            while seen != seen_before {
                seen_before = seen;
                let mut rest = free;
                for from in row.clone() {
                    let blank = rest.trailing_zeros();
                    rest &= rest - 1;
                    if seen & 1_u64 << blank == 0 && is_wanted(entries[from]) {
                        seen |= 1 << blank;
                        self.edges(moves, placement, &mut own, blank as u8, &mut edges);
                        visit(entries, from, &edges)?;
                    }
                }
            }
            Ok(())
        })
    }
}
