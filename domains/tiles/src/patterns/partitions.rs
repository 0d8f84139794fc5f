//! Partitions of a board's tiles into patterns, and the known good ones by their sizes.

use crate::board::Grid;
use crate::patterns::placements::{TilePattern, TilePatternError};
use crate::patterns::table::TableLayout;

/// A known partition: rows and columns of the board, and the homes of each pattern's tiles. It is
/// for a blank at home on square 0.
type KnownPartition = (usize, usize, &'static [&'static [u8]]);

/// The known partitions, sorted by board.
///
/// 7-8 and 6-6-6-6 are those of Richard Korf and Ariel Felner, "Disjoint pattern database
/// heuristics", Artificial Intelligence 134, 2002, figures 5 and 6. The others are ours.
/// [`PartitionChooser`](crate::PartitionChooser) found our partitions of 16 squares.
const KNOWN: [KnownPartition; 10] = [
    (3, 3, &[&[1, 2, 3, 4, 5, 6, 7, 8]]),
    (3, 3, &[&[1, 2, 4, 5], &[3, 6, 7, 8]]),
    (3, 4, &[&[1, 2, 3, 6, 7], &[4, 5, 8, 9, 10, 11]]),
    (4, 4, &[&[1, 2, 5, 6, 7], &[4, 8, 9, 12, 13], &[3, 10, 11, 14, 15]]),
    (4, 4, &[&[1, 4, 5, 8, 9, 12], &[2, 6, 10, 13, 14, 15], &[3, 7, 11]]),
    (4, 4, &[&[1, 4, 5, 8, 9, 12, 13], &[2, 3, 6, 7, 10, 11, 14, 15]]),
    (4, 5, &[&[1, 2, 3, 4, 8, 9], &[5, 6, 7, 10, 11, 15], &[12, 13, 14, 16, 17, 18, 19]]),
    (4, 5, &[&[1, 2, 5, 6, 7], &[3, 4, 8, 9], &[10, 11, 15, 16, 17], &[12, 13, 14, 18, 19]]),
    (
        5,
        5,
        &[
            &[1, 2, 5, 6, 7, 12],
            &[3, 4, 8, 9, 13, 14],
            &[10, 11, 15, 16, 20, 21],
            &[17, 18, 19, 22, 23, 24],
        ],
    ),
    (
        5,
        5,
        &[
            &[1, 2, 5, 6],
            &[3, 4, 8, 9, 14],
            &[7, 12, 13, 17, 18],
            &[10, 11, 15, 16, 20],
            &[19, 21, 22, 23, 24],
        ],
    ),
];

/// The known partition of a board into patterns with these numbers of tiles, in any order. `None`
/// if no such partition is known.
///
/// A pattern is given by the homes of its tiles, ascending. The blank must be at home on square 0.
pub fn known_partition(rows: usize, columns: usize, sizes: &[usize]) -> Option<Vec<Vec<u8>>> {
    let sorted = |mut sizes: Vec<usize>| {
        sizes.sort_unstable();
        sizes
    };
    let wanted = sorted(sizes.to_vec());
    let fits = |(r, c, partition): &&KnownPartition| {
        (*r, *c) == (rows, columns) && sorted(partition.iter().map(|p| p.len()).collect()) == wanted
    };
    let (_, _, partition) = KNOWN.iter().find(fits)?;
    Some(partition.iter().map(|pattern| pattern.to_vec()).collect())
}

/// The known partitions of a board, each as the numbers of tiles of its patterns.
pub fn known_sizes(rows: usize, columns: usize) -> impl Iterator<Item = Vec<usize>> {
    let of_board = move |(r, c, _): &&KnownPartition| (*r, *c) == (rows, columns);
    KNOWN
        .iter()
        .filter(of_board)
        .map(|(_, _, partition)| partition.iter().map(|p| p.len()).collect())
}

/// Partitions of one board whose bounds are combined by maximum. A partition is a list of patterns,
/// a pattern is a list of the homes of its tiles.
type PartitionList = &'static [&'static [&'static [u8]]];

/// Korf and Felner's partition of the 24-puzzle, then six that Robert Clausecker and Alexander
/// Reinefeld use together with it, mirrored.
///
/// They call the set their small compound (compare "Zero-aware pattern databases with 1-bit
/// compression for sliding tile puzzles", SoCS 2019). The first three are sorted by the time that
/// each saves when added to those before, measured on three boards. The order of the others was not
/// measured.
const FOUND_5X5: PartitionList = &[
    &[
        &[1, 2, 5, 6, 7, 12],
        &[3, 4, 8, 9, 13, 14],
        &[10, 11, 15, 16, 20, 21],
        &[17, 18, 19, 22, 23, 24],
    ],
    &[
        &[1, 2, 5, 6, 7, 10],
        &[3, 4, 8, 9, 13, 14],
        &[11, 12, 16, 17, 18, 19],
        &[15, 20, 21, 22, 23, 24],
    ],
    &[
        &[1, 2, 3, 4, 5, 6],
        &[7, 8, 12, 13, 17, 18],
        &[9, 14, 19, 22, 23, 24],
        &[10, 11, 15, 16, 20, 21],
    ],
    &[
        &[1, 2, 5, 6, 7, 10],
        &[3, 8, 13, 17, 18, 22],
        &[4, 9, 14, 19, 23, 24],
        &[11, 12, 15, 16, 20, 21],
    ],
    &[
        &[1, 2, 3, 4, 5, 6],
        &[7, 8, 9, 12, 13, 14],
        &[10, 11, 15, 16, 20, 21],
        &[17, 18, 19, 22, 23, 24],
    ],
    &[
        &[1, 2, 5, 6, 7, 12],
        &[3, 8, 13, 17, 18, 22],
        &[4, 9, 14, 19, 23, 24],
        &[10, 11, 15, 16, 20, 21],
    ],
    &[
        &[1, 2, 5, 6, 7, 10],
        &[3, 4, 8, 9, 13, 14],
        &[11, 12, 15, 16, 20, 21],
        &[17, 18, 19, 22, 23, 24],
    ],
];

/// Partitions found by [`PartitionChooser`](crate::PartitionChooser) with seed 7, 50,000 boards, 24
/// tables and growth 2.13. The first alone is predicted to visit 3.3e-16 of the nodes of a search
/// without a heuristic, both together 2.2e-16.
const FOUND_4X5: PartitionList = &[
    &[&[3, 4, 8, 9, 14, 19], &[2, 7, 12, 13, 17, 18], &[1, 5, 6, 10, 11, 15, 16]],
    &[&[1, 2, 3, 4, 8, 9], &[5, 6, 7, 10, 11, 12], &[13, 14, 15, 16, 17, 18, 19]],
];

/// Partitions drawn by hand. On six random boards of the 29-puzzle both together generate 0.29 of
/// the nodes of the first, in 0.46 of its time. A third one (0.79 of the nodes) made them slower.
const FOUND_5X6: PartitionList = &[
    &[
        &[1, 2, 6, 7, 8],
        &[3, 4, 5, 9, 10, 11],
        &[12, 13, 18, 19, 24, 25],
        &[14, 15, 20, 21, 26, 27],
        &[16, 17, 22, 23, 28, 29],
    ],
    &[
        &[1, 2, 3, 4, 5, 11],
        &[6, 7, 8, 12, 13, 14],
        &[9, 10, 15, 16, 21, 22],
        &[17, 23, 27, 28, 29],
        &[18, 19, 20, 24, 25, 26],
    ],
];

/// The strongest known choices of partitions for a board, each with the layout of the tables. The
/// bound of a choice is the maximum over its partitions. Empty if none is known.
///
/// The blank must be at home on square 0. Choices are in the order of preference: take the first
/// one that fits the memory. A later choice may need more memory than an earlier one.
pub fn strongest_partitions(rows: usize, columns: usize) -> Vec<(TableLayout, Vec<Vec<Vec<u8>>>)> {
    let found = |found: PartitionList, layout| {
        let owned =
            |partition: &&[&[u8]]| partition.iter().map(|pattern| pattern.to_vec()).collect();
        let all: Vec<Vec<Vec<u8>>> = found.iter().map(owned).collect();
        (1..=all.len()).rev().map(move |count| (layout, all[..count].to_vec())).collect::<Vec<_>>()
    };
    let known = |layout, sizes: &[&[usize]]| -> Vec<_> {
        let partitions = sizes.iter().filter_map(|sizes| known_partition(rows, columns, sizes));
        partitions.map(|partition| (layout, vec![partition])).collect()
    };
    match (rows, columns) {
        (4, 4) => {
            let large =
                [TableLayout::Ranked, TableLayout::Packed].map(|layout| known(layout, &[&[7, 8]]));
            [large.concat(), known(TableLayout::Direct, &[&[6, 6, 3], &[5, 5, 5]])].concat()
        }
        // One partition with direct tables is worse than both partitions with ranked tables, which
        // are smaller.
        (4, 5) => [
            found(FOUND_4X5, TableLayout::Direct)[..1].to_vec(),
            found(FOUND_4X5, TableLayout::Ranked),
            found(FOUND_4X5, TableLayout::Packed),
            known(TableLayout::Direct, &[&[5, 4, 5, 5]]),
        ]
        .concat(),
        (5, 5) => [
            found(FOUND_5X5, TableLayout::Direct),
            found(FOUND_5X5, TableLayout::Ranked),
            found(FOUND_5X5, TableLayout::Packed),
            known(TableLayout::Direct, &[&[4, 5, 5, 5, 5]]),
        ]
        .concat(),
        (5, 6) => {
            [found(FOUND_5X6, TableLayout::Ranked), found(FOUND_5X6, TableLayout::Packed)].concat()
        }
        _ => Vec::new(),
    }
}

/// Why a list of patterns is not a partition of a board's tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// A table is impossible for one of the patterns.
    #[error(transparent)]
    TilePattern(#[from] TilePatternError),
    /// A tile is in no pattern, or in more than one. A sum that counts it twice would not be
    /// admissible.
    #[error(
        "the tile at home on square {square} is in {times} patterns of the partition, not in one"
    )]
    Tile {
        /// Home of the tile.
        square: usize,
        /// Number of patterns that contain the tile.
        times: usize,
    },
}

/// Turns a partition of all tiles of a board into its patterns. `partition` lists the homes of each
/// pattern's tiles, in any order.
///
/// # Errors
/// If the lists are not a partition of all tiles, or a table is impossible for one of the patterns.
pub fn patterns(grid: Grid, partition: &[Vec<u8>]) -> Result<Vec<TilePattern>, PartitionError> {
    let Grid { rows, columns, blank_home } = grid;
    for square in (0..grid.squares()).filter(|&square| square != blank_home) {
        let times = partition.iter().flatten().filter(|&&home| usize::from(home) == square).count();
        if times != 1 {
            return Err(PartitionError::Tile { square, times });
        }
    }
    let blank = u8::try_from(blank_home).expect("at most 40 squares");
    let pattern = |homes: &Vec<u8>| {
        let mut goals = homes.clone();
        goals.sort_unstable();
        let pattern = TilePattern { rows, columns, goals, blank };
        pattern.check()?;
        Ok(pattern)
    };
    partition.iter().map(pattern).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_partitions_are_partitions() {
        fn check(rows: usize, columns: usize) -> usize {
            let grid = Grid { rows, columns, blank_home: 0 };
            let of = |sizes: Vec<usize>| known_partition(rows, columns, &sizes).unwrap();
            let known = known_sizes(rows, columns);
            known.map(|sizes| patterns(grid, &of(sizes)).unwrap().len()).sum()
        }
        assert_eq!(check(3, 3) + check(3, 4), 5);
        assert_eq!(check(4, 4), 8);
        assert_eq!(check(4, 5) + check(5, 5), 16);
        assert_eq!(known_partition(4, 4, &[8, 7]).unwrap().len(), 2);
        assert_eq!(known_partition(4, 4, &[9, 6]), None);
    }

    #[test]
    fn strongest_partitions_are_partitions() {
        fn check(rows: usize, columns: usize) -> usize {
            let grid = Grid { rows, columns, blank_home: 0 };
            let each = strongest_partitions(rows, columns);
            let all = each.iter().flat_map(|(_, partitions)| partitions);
            assert!(all.clone().all(|partition| patterns(grid, partition).is_ok()));
            all.count()
        }
        assert_eq!(check(4, 4), 4);
        assert_eq!(check(4, 5), 9);
        assert_eq!(check(5, 5), 85);
        assert_eq!(check(5, 6), 6);
        assert_eq!(check(3, 3), 0);
    }

    #[test]
    fn what_is_no_partition_is_refused() {
        let refused = |partition: &[&[u8]]| {
            let partition: Vec<_> = partition.iter().map(|pattern| pattern.to_vec()).collect();
            let grid = Grid { rows: 3, columns: 3, blank_home: 0 };
            patterns(grid, &partition).unwrap_err().to_string()
        };
        assert_eq!(
            refused(&[&[1, 2, 3], &[4, 5, 6, 7]]),
            "the tile at home on square 8 is in 0 patterns of the partition, not in one"
        );
        assert_eq!(
            refused(&[&[1, 2, 3, 4], &[4, 5, 6, 7, 8]]),
            "the tile at home on square 4 is in 2 patterns of the partition, not in one"
        );
        assert!(refused(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8]]).contains("goal square 0"));
    }
}
