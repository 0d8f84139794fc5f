//! Placements of a pattern's tiles and the blank, with slides as edges: [`SlidePlacements`].

use crate::board::{LEFT, RIGHT, Shape, place_after};
use crate::patterns::{TilePattern, TilePatternError};
use pdb::rank::{Arrangements, Combinations};
use pdb::{Abstraction, ColumnMap, Edge};
use search::{CancelToken, Op};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The abstraction of a pattern: all placements of its tiles and the blank. The other tiles are
/// alike.
///
/// Every slide is an edge of cost 1, whichever tiles it moves. So distances are lower bounds in the
/// multi-tile metric. Those of several patterns must not be added: one slide may move tiles of all
/// of them.
///
/// Read the tiles row by row, without the blank. A *place* is a number in this sequence. A
/// horizontal slide changes no place. A vertical one moves each of its tiles past `columns - 1`
/// others. The *row* of an entry is the blank's square with the set of the tiles' places. The
/// *column* is the order of the tiles on the places of the set. So a slide permutes all columns of
/// a row alike.
///
/// - Rows: by the blank's square, then by the rank of the set.
/// - Columns: by rank, the `k!` orders. Nibble `i` of an order is the number of tile `i`'s place in
///   the set.
///
/// Memory: 2 bytes for each column of a column map. There is one map for each order by which a
/// slide can change the tiles of a set: fewer than 100 on boards of 4 by 4 squares.
#[derive(Debug)]
pub struct SlidePlacements {
    pattern: TilePattern,
    shape: Shape,
    sets: Combinations,
    orders: Arrangements,
    /// The column maps, made when they are first needed.
    maps: OnceLock<Maps>,
}

/// The column maps.
#[derive(Debug, Default)]
struct Maps {
    /// For each map: the order by which it changes all orders.
    changes: Vec<u64>,
    /// The number of each change.
    numbers: HashMap<u64, u32>,
    /// For each map: the column of each column.
    columns: Vec<Vec<u16>>,
}

/// A row as the edges walk it: the square of the blank, the set of the tiles' places, and for each
/// place of the first set the number of its tile's place now.
#[derive(Clone, Copy)]
struct Walk {
    blank: usize,
    set: u32,
    change: u64,
}

/// The place of a square other than the blank's.
pub(super) fn place(square: usize, blank: usize) -> usize {
    square - usize::from(square > blank)
}

fn nibble(word: u64, at: usize) -> u64 {
    word >> (4 * at) & 15
}

impl SlidePlacements {
    /// The abstraction of a pattern.
    ///
    /// # Errors
    /// If a table is impossible for the pattern.
    pub fn new(pattern: TilePattern) -> Result<Self, TilePatternError> {
        pattern.check()?;
        let (squares, tiles) = (pattern.rows * pattern.columns, pattern.goals.len() as u32);
        Ok(Self {
            shape: Shape::new(pattern.rows, pattern.columns),
            sets: Combinations::new(squares as u32 - 1, tiles),
            orders: Arrangements::permutations(tiles),
            maps: OnceLock::new(),
            pattern,
        })
    }

    /// The pattern.
    pub fn pattern(&self) -> &TilePattern {
        &self.pattern
    }

    /// The number of entries of a pattern's table: a byte for each. [`u64::MAX`] if it does not fit
    /// in 64 bits.
    pub fn entries_for(pattern: &TilePattern) -> u64 {
        let squares = (pattern.rows * pattern.columns) as u64;
        let ways = (0..=pattern.goals.len() as u64).map(|tile| squares.saturating_sub(tile));
        ways.fold(1, u64::saturating_mul)
    }

    /// The number of the entry with the tiles on some squares, in the order of the pattern. `None`
    /// if two squares are the same.
    pub fn entry(&self, tiles: &[u8], blank: u8) -> Option<u64> {
        let places = tiles.iter().map(|&square| place(square.into(), blank.into()));
        let set = places.clone().fold(0_u32, |set, place| set | 1 << place);
        if set.count_ones() as usize != self.pattern.goals.len() || tiles.contains(&blank) {
            return None;
        }
        let below = |place: usize| u64::from((set & ((1 << place) - 1)).count_ones());
        let order = places.enumerate().fold(0, |order, (tile, at)| order | below(at) << (4 * tile));
        let row = u64::from(blank) * self.sets.size() + self.sets.rank(set);
        Some(row * self.orders.size() + self.orders.rank(order))
    }

    /// The row after a vertical move of the blank to the square `to`.
    fn moved(&self, at: Walk, to: usize) -> Walk {
        let (mut set, mut rest) = (0_u32, at.set);
        let mut places = [0_usize; 8];
        let tiles = self.pattern.goals.len();
        for place in &mut places[..tiles] {
            *place = place_after(rest.trailing_zeros() as usize, at.blank, to);
            set |= 1 << *place;
            rest &= rest - 1;
        }
        let below = |place: usize| u64::from((set & ((1 << place) - 1)).count_ones());
        let change = (0..tiles).fold(0, |change, tile| {
            let before = nibble(at.change, tile) as usize;
            change | below(places[before]) << (4 * tile)
        });
        Walk { blank: to, set, change }
    }

    /// Calls `take` for each row that a slide leads to.
    fn slides(&self, row: u64, mut take: impl FnMut(Walk)) {
        let from = Walk {
            blank: (row / self.sets.size()) as usize,
            set: self.sets.unrank(row % self.sets.size()),
            change: self.orders.unrank(0),
        };
        for way in (0..4).map(Op) {
            let mut at = from;
            for to in self.shape.squares_ahead(from.blank, way) {
                at = match way {
                    LEFT | RIGHT => Walk { blank: to, ..at },
                    _ => self.moved(at, to),
                };
                take(at);
            }
        }
    }

    /// The column maps. Time of the first call: one step for each edge of each row.
    fn maps(&self) -> &Maps {
        self.maps.get_or_init(|| {
            let mut maps = Maps::default();
            for row in 0..self.rows() {
                self.slides(row, |Walk { change, .. }| {
                    let number = maps.changes.len() as u32;
                    if *maps.numbers.entry(change).or_insert(number) == number {
                        maps.changes.push(change);
                    }
                });
            }
            let tiles = self.pattern.goals.len();
            let column = |change: u64, rank: u64| {
                let order = self.orders.unrank(rank);
                let moved = (0..tiles).fold(0, |moved, tile| {
                    moved | nibble(change, nibble(order, tile) as usize) << (4 * tile)
                });
                self.orders.rank(moved) as u16
            };
            let map = |&change| (0..self.orders.size()).map(|rank| column(change, rank)).collect();
            maps.columns = maps.changes.iter().map(map).collect();
            maps
        })
    }
}

impl Abstraction for SlidePlacements {
    fn shape(&self) -> (u64, usize) {
        let squares = (self.pattern.rows * self.pattern.columns) as u64;
        (squares * self.sets.size(), self.orders.size() as usize)
    }

    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(self.entry(&self.pattern.goals, self.pattern.blank));
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let numbers = &self.maps().numbers;
        self.slides(row, |Walk { blank, set, change }| {
            let row = blank as u64 * self.sets.size() + self.sets.rank(set);
            out.push(Edge { row, map: numbers[&change], cost: 1 });
        });
    }

    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps().columns[map as usize])
    }

    fn inverse_map(&self, map: u32) -> Option<u32> {
        let maps = self.maps();
        let change = maps.changes[map as usize];
        let back = (0..self.pattern.goals.len())
            .fold(0, |back, tile| back | (tile as u64) << (4 * nibble(change, tile)));
        maps.numbers.get(&back).copied()
    }

    fn undirected(&self) -> bool {
        true
    }

    fn prepare(&self, _: &CancelToken) -> bool {
        self.maps();
        true
    }
}
