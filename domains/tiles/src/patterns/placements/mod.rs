//! Placements of a pattern's tiles and the blank: the abstraction of an additive pattern database.
//!
//! A move of a tile of the pattern costs 1. Any other move is free. So the place of the blank
//! matters only by its *region*: the squares that it reaches by free moves. A row is a set of
//! squares for the tiles, with one of its regions. A column is the order of the tiles on the
//! squares of the set. Free moves stay within a region, so every edge costs 1. The table is built
//! by breadth-first search.
//!
//! Sources:
//!
//! - Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial Intelligence
//!   134, 2002, section 4 (each moved tile costs one);
//! - Robert Clausecker and Alexander Reinefeld, "Zero-aware pattern databases with 1-bit
//!   compression for sliding tile puzzles", SoCS 2019 (regions).
//!
//! The split into rows of squares and columns of orders, which moves whole rows, is ours.

mod numbering;
mod pattern;

pub(crate) use numbering::{Numbering, Placement};
pub use pattern::{TilePattern, TilePatternError};

use pdb::rank::{Arrangements, Combinations};
use pdb::{Abstraction, ColumnMap, Edge};

/// The abstraction of a pattern: all placements of its tiles, with the blank's region.
///
/// - Rows: by the rank of the set of squares, then by region in the order of their lowest squares.
/// - Columns: by rank, the `k!` orders of the tiles on the set's squares in ascending order. An
///   order is a word of nibbles: nibble `i` is the number of the tile on the `i`-th square.
/// - Distances: number of moves of the pattern's tiles from the goal. Edges lead both ways.
///
/// Memory: 8 to 16 bytes for each row, and one byte for each set and square. The columns after
/// moves take 2 bytes for each of `k (k - 1) k!` entries.
#[derive(Clone, Debug)]
pub struct Placements {
    pattern: TilePattern,
    /// For each square: the set of its neighbours.
    neighbours: Vec<u32>,
    sets: Combinations,
    /// For each set, by rank: its first row. One more entry ends the last set.
    first: Vec<u32>,
    /// For each row: the set of the tiles' squares, and the squares of the region.
    rows: Vec<(u32, u32)>,
    /// Indexed by rank of a set, then square: the number of the region that has the square; 255 for
    /// a square of the set.
    region: Vec<u8>,
    /// Indexed by the moved tile's places in the order before and after the move, as `before * k +
    /// after`. For each order, the order after the move. Empty if both places are the same.
    maps: Vec<Vec<u16>>,
}

/// The squares of `inside` that the blank reaches from the square set `from` without leaving
/// `inside`.
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
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// For each square: the set of its neighbours.
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

/// For each order of the tiles: the order after the tile at place `from` has moved to place `to`.
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
    /// The abstraction of a pattern. Its time and memory grow with the number of sets of squares,
    /// not with the number of placements.
    ///
    /// # Errors
    /// If a table is impossible for the pattern.
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

    /// The set of the tiles' squares and the blank's region of a row.
    pub(crate) fn row(&self, row: u64) -> (u32, u32) {
        self.rows[row as usize]
    }

    /// The number of the entry for some squares of the tiles and of the blank. `tiles` are in the
    /// order of the pattern. `None` if two squares are the same.
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
    use pdb::testing::check_edges;
    use pdb::{BuildOptions, build};
    use std::collections::VecDeque;

    fn placements(rows: usize, columns: usize, goals: &[u8], blank: u8) -> Placements {
        Placements::new(TilePattern { rows, columns, goals: goals.to_vec(), blank }).unwrap()
    }

    /// Distances by the squares of the tiles and the blank, from a 0-1 breadth-first search on a
    /// board without regions.
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
        check_edges(&placements(3, 4, &[1, 2, 5, 9], 0)).unwrap();
    }

    #[test]
    fn rows_are_as_many_as_known() {
        // Clausecker's 24-puzzle solver counts 181,008,000 placements of six tiles with the blank's
        // region.
        let placements = placements(5, 5, &[1, 2, 5, 6, 7, 12], 0);
        assert_eq!(placements.rows() * placements.columns() as u64, 181_008_000);
        assert_eq!(placements.sets.size() * 720, 127_512_000);
    }
}
