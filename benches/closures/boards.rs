//! The board of the 15-puzzle in three representations, each with its slides and Manhattan
//! distance.

/// The tile on each square. 0 is the blank.
pub(crate) type Board = [u8; 16];

/// The goal: every tile on the square of its number.
pub(crate) const GOAL: Board = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// For each square of the blank: the neighbouring squares.
const AROUND: [&[usize]; 16] = [
    &[1, 4],
    &[0, 2, 5],
    &[1, 3, 6],
    &[2, 7],
    &[0, 5, 8],
    &[1, 4, 6, 9],
    &[2, 5, 7, 10],
    &[3, 6, 11],
    &[4, 9, 12],
    &[5, 8, 10, 13],
    &[6, 9, 11, 14],
    &[7, 10, 15],
    &[8, 13],
    &[9, 12, 14],
    &[10, 13, 15],
    &[11, 14],
];

/// The Manhattan distance of a tile from its home.
pub(crate) const fn distance(tile: u8, place: u8) -> u8 {
    (tile / 4).abs_diff(place / 4) + (tile % 4).abs_diff(place % 4)
}

/// The board as sixteen bytes.
pub(crate) mod flat {
    use super::{AROUND, Board, distance};

    pub(crate) fn iterator(board: &Board) -> impl Iterator<Item = (Board, u32)> + use<> {
        let board = *board;
        let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        AROUND[blank].iter().map(move |&to| {
            let mut next = board;
            next.swap(blank, to);
            (next, 1)
        })
    }

    pub(crate) fn vector(board: &Board) -> Vec<(Board, u32)> {
        iterator(board).collect()
    }

    pub(crate) fn manhattan(board: &Board) -> u32 {
        let tiles = (0..).zip(board).filter(|(_, tile)| **tile != 0);
        tiles.map(|(place, &tile)| distance(tile, place)).sum::<u8>().into()
    }
}

/// The board as an array of rows, and the row and column of the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Grid {
    tiles: [[u8; 4]; 4],
    row: usize,
    column: usize,
}

impl Grid {
    pub(crate) fn new(board: Board) -> Self {
        let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        let tiles = std::array::from_fn(|row| std::array::from_fn(|at| board[4 * row + at]));
        Self { tiles, row: blank / 4, column: blank % 4 }
    }
}

/// The functions of the benchmark for a [`Grid`].
pub(crate) mod grid {
    use super::Grid;

    pub(crate) fn vector(board: &Grid) -> Vec<(Grid, u32)> {
        let mut list = Vec::with_capacity(4);
        for (down, right) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
            let row = board.row.wrapping_add_signed(down);
            let column = board.column.wrapping_add_signed(right);
            if row < 4 && column < 4 {
                let mut tiles = board.tiles;
                tiles[board.row][board.column] = tiles[row][column];
                tiles[row][column] = 0;
                list.push((Grid { tiles, row, column }, 1));
            }
        }
        list
    }

    pub(crate) fn manhattan(board: &Grid) -> u32 {
        let mut sum = 0;
        for (row, tiles) in (0..).zip(&board.tiles) {
            for (column, &tile) in (0..).zip(tiles) {
                if tile != 0 {
                    sum += (tile / 4).abs_diff(row) + (tile % 4).abs_diff(column);
                }
            }
        }
        sum.into()
    }
}

/// The board as one word, with four bits for each square.
pub(crate) mod word {
    use super::{AROUND, Board, distance};

    /// For each square and tile: the Manhattan distance of the tile from its home.
    const DISTANCES: [[u8; 16]; 16] = {
        let mut distances = [[0; 16]; 16];
        let mut place = 0;
        while place < 16 {
            let mut tile = 1;
            while tile < 16 {
                distances[place as usize][tile as usize] = distance(tile, place);
                tile += 1;
            }
            place += 1;
        }
        distances
    };

    pub(crate) fn pack(board: Board) -> u64 {
        board.iter().rev().fold(0, |word, &tile| word << 4 | u64::from(tile))
    }

    pub(crate) fn iterator(&board: &u64) -> impl Iterator<Item = (u64, u32)> + use<> {
        let blank = (0..16).find(|square| board >> (4 * square) & 15 == 0).unwrap_or(0);
        AROUND[blank].iter().map(move |&to| {
            let tile = board >> (4 * to) & 15;
            (board ^ tile << (4 * to) ^ tile << (4 * blank), 1)
        })
    }

    pub(crate) fn manhattan(board: &u64) -> u32 {
        let distances = DISTANCES.iter().enumerate();
        let tile = |square: usize| (board >> (4 * square) & 15) as usize;
        distances.map(|(square, row)| u32::from(row[tile(square)])).sum()
    }
}
