//! Numbers placements of a pattern by the tiles' squares, as the entries of a table.

use super::pattern::MOST_TILES;
use super::{Placements, TilePattern, squares};
use pdb::Abstraction;
use pdb::rank::{Arrangements, Places};

impl Placements {
    /// Number of sets of squares that the tiles may occupy.
    pub(crate) fn sets(&self) -> usize {
        self.first.len() - 1
    }

    /// Calls `put` for each placement of the tiles on one set of squares, if some solvable board
    /// has this placement. `set` is the rank of the set. `distances` has one byte for each entry of
    /// the abstraction on this set.
    ///
    /// The *large region* has more than half of the squares outside the set. If a set has no large
    /// region, or only one region, both values are the least of all regions.
    pub(crate) fn values(
        &self,
        set: usize,
        distances: &[u8],
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
        let mut from_home = [[0; MOST_TILES]; MOST_TILES];
        for (square, from_home) in squares(squares_of_set).zip(&mut from_home) {
            for (&goal, distance) in self.pattern.goals.iter().zip(from_home) {
                *distance = self.pattern.distance(square, goal);
            }
        }
        for (column, order) in numbering.0.iter().enumerate() {
            let value = |row: usize| distances[(row - of_set.start) * columns + column];
            let least = of_set.clone().filter(|&row| Some(row) != large).map(value).min();
            let least = least.unwrap_or(u8::MAX);
            if least < u8::MAX {
                let tiles = order.tiles.iter().zip(&from_home).take(self.pattern.goals.len());
                put(Placement {
                    column,
                    large: large.map_or(least, value),
                    other: least,
                    distance: tiles.map(|(&tile, from)| from[usize::from(tile & 7)]).sum(),
                });
            }
        }
    }
}

impl Placements {
    /// Calls `put` with the column and the number of each placement on one set of squares.
    pub(crate) fn entries(
        &self,
        set: usize,
        numbering: &Numbering,
        mut put: impl FnMut(usize, u64),
    ) {
        let places = self.places(set);
        (0..numbering.0.len()).for_each(|column| put(column, numbering.entry(column, &places)));
    }

    /// The squares of a set, ascending.
    pub(crate) fn places(&self, set: usize) -> [u64; MOST_TILES] {
        let (squares_of_set, _) = self.rows[self.first[set] as usize];
        let mut places = [0; MOST_TILES];
        squares(squares_of_set).zip(&mut places).for_each(|(square, place)| *place = square as u64);
        places
    }

    /// The rank of the set of a row.
    pub(crate) fn set_of(&self, row: u64) -> usize {
        self.sets.rank(self.row(row).0) as usize
    }

    /// The row behind the last one of a set.
    pub(crate) fn set_end(&self, set: usize) -> u64 {
        self.first[set + 1].into()
    }

    /// The bytes of the abstraction's entries on the sets before this one.
    pub(crate) fn bytes_before(&self, set: usize) -> usize {
        self.first[set] as usize * self.columns()
    }
}

/// A placement that some solvable board has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The number of the tiles' order.
    pub(crate) column: usize,
    /// The value with the blank in the large region.
    pub(crate) large: u8,
    /// The least value with the blank elsewhere.
    pub(crate) other: u8,
    /// The sum of the tiles' distances from home.
    pub(crate) distance: u8,
}

/// The weights of each column (an order of the tiles). They give the number of a placement from the
/// ascending squares of its set.
#[derive(Clone, Debug)]
pub(crate) struct Numbering(Vec<Order>);

/// An order of the tiles on ascending squares, with the weights that number it: the sum of squares
/// times weights, minus `less`.
#[derive(Clone, Debug)]
struct Order {
    /// For each place among the ascending squares: the tile.
    tiles: [u8; MOST_TILES],
    /// For each place among the ascending squares: the weight of the square.
    weights: [u64; MOST_TILES],
    /// The number that is subtracted from the weighted sum.
    less: u64,
}

/// For each place: the tile there, unpacked from the nibbles of `order`.
fn places_of(order: u64) -> [u8; MOST_TILES] {
    std::array::from_fn(|place| (order >> (4 * place) & 15) as u8)
}

impl Numbering {
    /// The number of the placement in a column, on these squares.
    #[inline]
    pub(crate) fn entry(&self, column: usize, places: &[u64; MOST_TILES]) -> u64 {
        let order = &self.0[column];
        let weighted = order.weights.iter().zip(places).map(|(weight, place)| weight * place);
        weighted.sum::<u64>() - order.less
    }

    /// Numbers a placement by the [`Places`] rank of the tiles' squares, in the order of the
    /// pattern.
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

    /// Numbers a placement by the sum of each tile's square times the tile's weight.
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
