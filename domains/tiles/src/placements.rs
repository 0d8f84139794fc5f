//! Placements of a pattern's tiles and the blank: the abstraction of an additive pattern database.
//!
//! A move of a tile of the pattern costs 1, a move of any other tile nothing. So only the blank's
//! *region* counts: the squares that it reaches by free moves. A row is a set of squares and one of
//! its regions. A column is the order of the tiles on the squares. Every edge is a charged move, so
//! the search is plain breadth-first search. The regions contain all free moves.
//!
//! Sources: Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial
//! Intelligence 134, 2002, section 4 (each moved tile costs one); Robert Clausecker and Alexander
//! Reinefeld, "Zero-aware pattern databases with 1-bit compression for sliding tile puzzles", SoCS
//! 2019 (regions). Rows of squares with columns of orders, moved as a whole, are ours.

use pdb::rank::{Arrangements, Combinations, Places};
use pdb::{Abstraction, ColumnMap, Edge};

/// Most tiles of a pattern: a row can have at most 8! columns.
const MOST_TILES: usize = 8;
/// Most squares of a board with patterns.
const MOST_SQUARES: usize = 32;

/// A board's size and a pattern on it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TilePattern {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Goal squares of the tiles, ascending.
    pub goals: Vec<u8>,
    /// Goal square of the blank.
    pub blank: u8,
}

impl TilePattern {
    /// Checks that the pattern has a table.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn check(&self) -> Result<(), TilePatternError> {
        let Self { rows, columns, ref goals, blank } = *self;
        let size = rows.saturating_mul(columns);
        if rows < 2 || columns < 2 || size > MOST_SQUARES {
            return Err(TilePatternError::Board { rows, columns });
        }
        if !(1..=MOST_TILES.min(size - 1)).contains(&goals.len()) {
            return Err(TilePatternError::Tiles(goals.len()));
        }
        let falls = goals.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[1]);
        let wrong = |&goal: &u8| usize::from(goal) >= size || goal == blank;
        let outside = (usize::from(blank) >= size).then_some(blank);
        match falls.or_else(|| goals.iter().copied().find(wrong)).or(outside) {
            Some(goal) => Err(TilePatternError::Goal(goal)),
            None => Ok(()),
        }
    }

    /// The distance of a square from a goal square, in moves.
    pub(crate) fn distance(&self, square: usize, goal: u8) -> u8 {
        let goal = usize::from(goal);
        let rows = (square / self.columns).abs_diff(goal / self.columns);
        let columns = (square % self.columns).abs_diff(goal % self.columns);
        (rows + columns) as u8
    }
}

/// Why a pattern has no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TilePatternError {
    /// The board is too large or too small.
    #[error(
        "a board of {rows}x{columns} squares: patterns need 2 rows and columns or more, and at most \
         {MOST_SQUARES} squares"
    )]
    Board {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },
    /// Too few or too many tiles.
    #[error(
        "a pattern has 1 to {MOST_TILES} tiles and leaves a square for the blank, not {0} tiles"
    )]
    Tiles(usize),
    /// A goal square is off the board, twice there, out of order, or the blank's.
    #[error(
        "goal square {0} of a pattern is off the board, not above the one before it, or the blank's"
    )]
    Goal(u8),
    /// The bytes are not as many as the table has.
    #[error("the table of the pattern has {expected} bytes, not {found}")]
    Bytes {
        /// Bytes given.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
}

/// The abstraction: all placements of a pattern's tiles, with the blank's region.
///
/// - Rows: by rank of the set of squares, then by region in the order of their lowest squares.
/// - Columns: by rank, the `k!` orders of the tiles on the set's ascending squares. Nibble `i` is
///   the number in the pattern of the tile on the `i`-th square.
/// - Distances: charged moves from the goal. Undirected.
///
/// Memory: 16 bytes a row, a byte a set and square, and 2 bytes for each of `k (k - 1) k!` columns
/// after a move.
#[derive(Clone, Debug)]
pub struct Placements {
    pattern: TilePattern,
    /// By square: its neighbours as a set.
    neighbours: Vec<u32>,
    sets: Combinations,
    /// By rank of a set: its first row. One more entry ends the last set.
    first: Vec<u32>,
    /// By row: the set, and the squares of the region.
    rows: Vec<(u32, u32)>,
    /// By rank of a set, then square: the number of the region; 255 in the set.
    region: Vec<u8>,
    /// By place of the tile before and after the move: the orders after. Empty if both places are
    /// the same.
    maps: Vec<Vec<u16>>,
}

/// The squares of `inside` that are reached from `from`.
fn reached(from: u32, inside: u32, neighbours: &[u32]) -> u32 {
    let (mut all, mut edge) = (from, from);
    while edge != 0 {
        let next = squares(edge).fold(0, |set, square| set | neighbours[square]);
        edge = next & inside & !all;
        all |= edge;
    }
    all
}

/// The squares of a set, ascending.
fn squares(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// By square: its neighbours as a set.
fn neighbours(rows: usize, columns: usize) -> Vec<u32> {
    let beside = |square: usize| {
        let (row, column) = (square / columns, square % columns);
        let up = if row > 0 { 1 << (square - columns) } else { 0 };
        let down = if row + 1 < rows { 1 << (square + columns) } else { 0 };
        let left = if column > 0 { 1 << (square - 1) } else { 0 };
        let right = if column + 1 < columns { 1 << (square + 1) } else { 0 };
        up | down | left | right
    };
    (0..rows * columns).map(beside).collect()
}

/// By order of the tiles: the order after the tile at place `from` went to place `to`.
fn order_map(tiles: usize, from: usize, to: usize) -> Vec<u16> {
    if from == to {
        return Vec::new();
    }
    let orders = Arrangements::permutations(tiles as u32);
    let moved = |rank: u64| {
        let order = orders.unrank(rank);
        let mut places: Vec<u64> = (0..tiles).map(|place| order >> (4 * place) & 15).collect();
        let tile = places.remove(from);
        places.insert(to, tile);
        let order = (0..).zip(&places).map(|(place, tile)| tile << (4 * place)).sum();
        orders.rank(order) as u16
    };
    (0..orders.size()).map(moved).collect()
}

impl Placements {
    /// Numbers the placements. Time and memory grow with the sets of squares, not with the orders.
    ///
    /// # Errors
    /// If the pattern has no table.
    pub fn new(pattern: TilePattern) -> Result<Self, TilePatternError> {
        pattern.check()?;
        let (rows, columns, tiles) = (pattern.rows, pattern.columns, pattern.goals.len());
        let size = rows * columns;
        let neighbours = neighbours(rows, columns);
        let sets = Combinations::new(size as u32, tiles as u32);
        let all = u32::MAX >> (32 - size);
        let (mut first, mut of_row) = (vec![0], Vec::new());
        let mut region = vec![255; sets.size() as usize * size];
        for (rank, regions) in region.chunks_exact_mut(size).enumerate() {
            let set = sets.unrank(rank as u64);
            let (mut left, mut number) = (all & !set, 0);
            while left != 0 {
                let reached = reached(left & left.wrapping_neg(), left, &neighbours);
                squares(reached).for_each(|square| regions[square] = number);
                of_row.push((set, reached));
                left &= !reached;
                number += 1;
            }
            first.push(of_row.len() as u32);
        }
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let maps = pairs.map(|(from, to)| order_map(tiles, from, to)).collect();
        Ok(Self { pattern, neighbours, sets, first, rows: of_row, region, maps })
    }

    /// The pattern.
    pub fn pattern(&self) -> &TilePattern {
        &self.pattern
    }

    /// The entry of the tiles' squares, in the order of the pattern, and the blank's. `None` if the
    /// squares are not different.
    pub fn entry(&self, tiles: &[u8], blank: u8) -> Option<u64> {
        let set = tiles.iter().fold(0_u32, |set, &square| set | 1 << square);
        let size = self.neighbours.len();
        if set.count_ones() as usize != self.pattern.goals.len() || set >> blank & 1 == 1 {
            return None;
        }
        let rank = self.sets.rank(set) as usize;
        let row = self.first[rank] + u32::from(self.region[rank * size + usize::from(blank)]);
        let order = squares(set).zip(0..).map(|(square, place)| {
            let tile = tiles.iter().position(|&at| usize::from(at) == square).expect("a tile");
            (tile as u64) << (4 * place)
        });
        let column = Arrangements::permutations(tiles.len() as u32).rank(order.sum());
        Some(u64::from(row) * self.columns() as u64 + column)
    }

    /// How many sets of squares there are.
    pub(crate) fn sets(&self) -> usize {
        self.first.len() - 1
    }

    /// Calls `put` for all placements of the set with this rank that a solvable board has. `table`
    /// has a byte an entry.
    ///
    /// The *large region* has more than half of the squares outside the set. Without one, or
    /// without another region, both values are the least of all.
    pub(crate) fn values(
        &self,
        set: usize,
        table: &[u8],
        numbering: &Numbering,
        mut put: impl FnMut(Placement),
    ) {
        let columns = self.columns();
        let of_set = self.first[set] as usize..self.first[set + 1] as usize;
        let (squares_of_set, _) = self.rows[of_set.start];
        let free = self.neighbours.len() - self.pattern.goals.len();
        let large = |row: &usize| 2 * self.rows[*row].1.count_ones() as usize > free;
        let large = of_set.clone().find(large).filter(|_| of_set.len() > 1);
        // By place among the squares, then tile.
        let mut distances = [[0; MOST_TILES]; MOST_TILES];
        for (square, distances) in squares(squares_of_set).zip(&mut distances) {
            for (&goal, distance) in self.pattern.goals.iter().zip(distances) {
                *distance = self.pattern.distance(square, goal);
            }
        }
        let mut places = [0_u64; MOST_TILES];
        squares(squares_of_set).zip(&mut places).for_each(|(square, place)| *place = square as u64);
        for (column, order) in numbering.0.iter().enumerate() {
            let value = |row: usize| table[row * columns + column];
            let least = of_set.clone().filter(|&row| Some(row) != large).map(value).min();
            let least = least.unwrap_or(u8::MAX);
            if least < u8::MAX {
                let weights =
                    order.weights.iter().zip(&places).map(|(weight, place)| weight * place);
                let tiles = order.tiles.iter().zip(&distances).take(self.pattern.goals.len());
                put(Placement {
                    entry: weights.sum::<u64>() - order.less,
                    large: large.map_or(least, value),
                    other: least,
                    distance: tiles.map(|(&tile, from)| from[usize::from(tile & 7)]).sum(),
                });
            }
        }
    }
}

/// A placement that a solvable board has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Its number in a numbering.
    pub(crate) entry: u64,
    /// The value with the blank in the large region.
    pub(crate) large: u8,
    /// The least value elsewhere.
    pub(crate) other: u8,
    /// The sum of the tiles' distances from home.
    pub(crate) distance: u8,
}

/// How placements are numbered, by column: turns the ascending squares into a number.
#[derive(Clone, Debug)]
pub(crate) struct Numbering(Vec<Order>);

/// An order of the tiles on ascending squares.
#[derive(Clone, Debug)]
struct Order {
    /// By place among the squares: the tile.
    tiles: [u8; MOST_TILES],
    /// By place among the squares: the weight of the square.
    weights: [u64; MOST_TILES],
    /// What is subtracted from the sum.
    less: u64,
}

/// By place: the tile of an arrangement.
fn places_of(order: u64) -> [u8; MOST_TILES] {
    std::array::from_fn(|place| (order >> (4 * place) & 15) as u8)
}

impl Numbering {
    /// By [`Places`] rank of the tiles' squares in the order of the pattern.
    pub(crate) fn ranks(pattern: &TilePattern) -> Self {
        let tiles = pattern.goals.len();
        let ways = Places::new((pattern.rows * pattern.columns) as u32, tiles as u32);
        let all = Arrangements::permutations(tiles as u32);
        let order = |rank: u64| {
            let order = all.unrank(rank);
            let tile = |place: usize| (order >> (4 * place) & 15) as u32;
            let (mut weights, mut less) = ([0; MOST_TILES], 0);
            for (place, weight) in weights.iter_mut().enumerate().take(tiles) {
                *weight = ways.radix(tile(place));
                // A digit does not count squares that earlier tiles have.
                let earlier = (0..place).filter(|&below| tile(below) < tile(place)).count();
                less += earlier as u64 * *weight;
            }
            Order { tiles: places_of(order), weights, less }
        };
        Self((0..all.size()).map(order).collect())
    }

    /// By the sum of each tile's square times its weight.
    pub(crate) fn weighted(weights: &[u64]) -> Self {
        let all = Arrangements::permutations(weights.len() as u32);
        let order = |rank: u64| {
            let order = all.unrank(rank);
            let weight = |place| weights.get((order >> (4 * place) & 15) as usize).copied();
            let of_place =
                |place| if place < weights.len() { weight(place).unwrap_or(0) } else { 0 };
            let weights = std::array::from_fn(of_place);
            Order { tiles: places_of(order), weights, less: 0 }
        };
        Self((0..all.size()).map(order).collect())
    }
}

impl Abstraction for Placements {
    fn shape(&self) -> (u64, usize) {
        (
            self.rows.len() as u64,
            Arrangements::permutations(self.pattern.goals.len() as u32).size() as usize,
        )
    }

    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(self.entry(&self.pattern.goals, self.pattern.blank));
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let (set, region) = self.rows[row as usize];
        let (size, tiles) = (self.neighbours.len(), self.pattern.goals.len());
        for blank in squares(region) {
            for square in squares(self.neighbours[blank] & set) {
                let below =
                    |square: usize, set: u32| (set & ((1 << square) - 1)).count_ones() as usize;
                let rest = set & !(1 << square);
                let after = rest | 1 << blank;
                let rank = self.sets.rank(after) as usize;
                let row = self.first[rank] + u32::from(self.region[rank * size + square]);
                let map = below(square, rest) * tiles + below(blank, rest);
                out.push(Edge { row: row.into(), map: map as u32, cost: 1 });
            }
        }
    }

    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }

    fn undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdb::{BuildOptions, build};
    use std::collections::VecDeque;

    fn placements(rows: usize, columns: usize, goals: &[u8], blank: u8) -> Placements {
        Placements::new(TilePattern { rows, columns, goals: goals.to_vec(), blank }).unwrap()
    }

    /// Distances by the squares of the tiles and the blank: a 0-1 breadth-first search on the plain
    /// board.
    fn oracle(placements: &Placements) -> std::collections::HashMap<Vec<u8>, u8> {
        let TilePattern { rows, columns, goals, blank } = placements.pattern();
        let mut start = goals.clone();
        start.push(*blank);
        let mut distances = std::collections::HashMap::from([(start.clone(), 0_u8)]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let (distance, blank) = (distances[&state], usize::from(*state.last().unwrap()));
            let (r, c) = (blank / columns, blank % columns);
            let near = [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)];
            for (r, c) in near.into_iter().filter(|&(r, c)| r < *rows && c < *columns) {
                let to = u8::try_from(r * columns + c).unwrap();
                let mut next = state.clone();
                *next.last_mut().unwrap() = to;
                let moved = state[..goals.len()].iter().position(|&square| square == to);
                if let Some(tile) = moved {
                    next[tile] = u8::try_from(blank).unwrap();
                }
                let after = distance + u8::from(moved.is_some());
                if distances.get(&next).is_none_or(|&known| after < known) {
                    distances.insert(next.clone(), after);
                    if moved.is_some() { queue.push_back(next) } else { queue.push_front(next) }
                }
            }
        }
        distances
    }

    #[test]
    fn distances_are_those_of_the_plain_board() {
        for (rows, columns, goals, blank) in [
            (3, 3, &[1, 2, 3][..], 0),
            (3, 3, &[1, 2, 3, 6], 0),
            (2, 3, &[0, 1, 2, 4, 5], 3),
            (3, 3, &[0, 4, 8], 5),
            (2, 4, &[1, 3, 4, 6], 0),
            (4, 2, &[5], 7),
        ] {
            let placements = placements(rows, columns, goals, blank);
            let table = build::<8>(&placements, &BuildOptions::default()).unwrap().into_bytes();
            let oracle = oracle(&placements);
            for (state, &distance) in &oracle {
                let (blank, tiles) = state.split_last().unwrap();
                let entry = placements.entry(tiles, *blank).unwrap();
                assert_eq!(table[entry as usize], distance, "{state:?}");
            }
            let reached = table.iter().filter(|&&value| value < 255).count();
            assert!(reached > 0 && reached <= oracle.len());
        }
    }

    #[test]
    fn every_edge_has_its_way_back() {
        let placements = placements(3, 4, &[1, 2, 5, 9], 0);
        let (mut edges, mut back) = (Vec::new(), Vec::new());
        for row in 0..placements.rows() {
            edges.clear();
            placements.edges(row, &mut edges);
            for edge in &edges {
                back.clear();
                placements.edges(edge.row, &mut back);
                let to = |map: u32, column: usize| placements.column_map(map).to(column);
                let inverse =
                    |e: &Edge| e.row == row && (0..24).all(|c| to(e.map, to(edge.map, c)) == c);
                assert!(back.iter().any(inverse));
            }
        }
    }

    #[test]
    fn rows_are_as_many_as_known() {
        // Clausecker's 24-puzzle solver counts 181,008,000 placements of six tiles with the blank's
        // region.
        let placements = placements(5, 5, &[1, 2, 5, 6, 7, 12], 0);
        assert_eq!(placements.rows() * placements.columns() as u64, 181_008_000);
        assert_eq!(placements.sets.size() * 720, 127_512_000);
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        let refused = |rows, columns, goals: &[u8], blank| {
            Placements::new(TilePattern { rows, columns, goals: goals.to_vec(), blank })
                .unwrap_err()
        };
        assert_eq!(refused(1, 8, &[1], 0), TilePatternError::Board { rows: 1, columns: 8 });
        assert_eq!(refused(6, 6, &[1], 0), TilePatternError::Board { rows: 6, columns: 6 });
        assert_eq!(refused(3, 3, &[], 0), TilePatternError::Tiles(0));
        assert_eq!(refused(4, 4, &[1, 2, 3, 4, 5, 6, 7, 8, 9], 0), TilePatternError::Tiles(9));
        assert_eq!(refused(3, 3, &[2, 1], 0), TilePatternError::Goal(1));
        assert_eq!(refused(3, 3, &[1, 1], 0), TilePatternError::Goal(1));
        assert_eq!(refused(3, 3, &[1, 9], 0), TilePatternError::Goal(9));
        assert_eq!(refused(3, 3, &[0, 1], 0), TilePatternError::Goal(0));
        assert_eq!(refused(3, 3, &[1], 9), TilePatternError::Goal(9));
    }
}
