//! A partition of the tiles into patterns whose additive tables are summed, and the maximum with its reflection.

use crate::domain::{Board, Tiles};
use crate::placements::{Pattern, PatternError, Placements};
use crate::word::Word;
use pdb::memory::{Bytes, BytesMut};
use pdb::{BuildError, BuildOptions, build_octets};
use search::{Cost, Heuristic, Op, Verdict};

/// Most patterns of a partition.
const MOST: usize = 5;

/// The tables of a partition: for each pattern the moves of its tiles that no plan can do without.
///
/// **Table** of a pattern of `k` tiles on `n` squares: `n^k` bytes, entry = sum of `square of tile i` times `n^i`; value: moves of the pattern's
/// tiles at the least, the blank forgotten; 255 where two tiles would be on one square. So an entry changes by one product
/// when a tile moves, and nothing is ranked in a search.
///
/// Admissible: yes (a move moves one tile, which one pattern charges; the board's reflection has the same distance). Consistent: no
/// (a move may take the blank to a region that the least value was not from).
///
/// Sources: Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134, 2002, sections 4 to 6
/// (the maximum over a partition and its reflection). The reflection is read only where the partition itself does not cut.
#[derive(Clone, Debug)]
pub struct Partition {
    tables: Vec<Bytes>,
    /// By label, for the board and its reflection: the pattern and what a step to the next square adds to its entry.
    tiles: [[(u8, i32); 36]; 2],
    /// By square: that of the reflection.
    image: [u8; 36],
    reflect: bool,
}

/// Why a partition has no tables.
#[derive(Debug, thiserror::Error)]
pub enum PartitionError {
    /// A pattern is none.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A tile is in no pattern, or in two: a sum that counts it twice would not be admissible.
    #[error("tile {tile} is in {times} patterns of the partition, not in one")]
    Tile {
        /// Its label.
        tile: usize,
        /// How often it is there.
        times: usize,
    },
    /// Too many patterns.
    #[error("{0} patterns are more than {MOST}")]
    Many(usize),
    /// A table would have more entries than 32 bits number.
    #[error(
        "a pattern of {tiles} tiles on {squares} squares needs a table of {squares}^{tiles} bytes; fewer than 2^32 are possible"
    )]
    Large {
        /// Tiles of the pattern.
        tiles: usize,
        /// Squares of the board.
        squares: usize,
    },
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Entries and values of a board and of its reflection.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    sides: [Side; 2],
}

/// Entries and values of one side. The pattern whose tile moved last is to be read.
#[derive(Clone, Copy, Debug)]
struct Side {
    entries: [u32; MOST],
    values: [Cost; MOST],
    sum: Cost,
    moved: u8,
}

impl Partition {
    /// Builds the tables of a partition, each the labels of a pattern, on the current thread pool. `reflect`: also reads the reflection, if the
    /// puzzle has one.
    ///
    /// Memory: `n^k` bytes a pattern, and while one is built about 1.5 bytes a placement.
    ///
    /// # Errors
    /// If the patterns are not a partition of all tiles, or too large, or a build fails.
    pub fn build<W: Word, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        patterns: &[Vec<usize>],
        reflect: bool,
        options: &BuildOptions<'_>,
    ) -> Result<Self, PartitionError> {
        let squares = Tiles::<W, ROWS, COLS>::SQUARES;
        if patterns.len() > MOST {
            return Err(PartitionError::Many(patterns.len()));
        }
        for tile in 1..squares {
            let times = patterns.iter().flatten().filter(|&&label| label == tile).count();
            if times != 1 {
                return Err(PartitionError::Tile { tile, times });
            }
        }
        for tiles in patterns.iter().map(Vec::len) {
            if u32::try_from((squares as u64).pow(tiles.min(8) as u32)).is_err() {
                return Err(PartitionError::Large { tiles, squares });
            }
        }
        let reflect = reflect && domain.reflects();
        let mut partition = Self {
            tables: Vec::new(),
            tiles: [[(0, 0); 36]; 2],
            image: std::array::from_fn(|square| (square % COLS * COLS + square / COLS) as u8),
            reflect,
        };
        for (number, labels) in (0..).zip(patterns) {
            // In the order of their homes, as the placements have them.
            let mut labels = labels.clone();
            labels.sort_unstable_by_key(|&label| domain.home(label));
            let goals = labels.iter().map(|&label| domain.home(label) as u8).collect();
            let blank = domain.blank_home() as u8;
            let pattern = Pattern { rows: ROWS, columns: COLS, goals, blank };
            partition.tables.push(table(&Placements::new(pattern)?, squares, options)?);
            for (&label, power) in labels.iter().zip(0..) {
                let weight = squares.pow(power) as i32;
                partition.tiles[0][label] = (number, weight);
                if reflect {
                    let image = partition.image[domain.home(label)];
                    partition.tiles[1][domain.label_at_home(image.into())] = (number, weight);
                }
            }
        }
        Ok(partition)
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.len()).sum()
    }

    #[inline(always)]
    fn advance(&self, side: &Side, reflected: usize, label: usize, from: u8, to: u8) -> Side {
        let (pattern, weight) = self.tiles[reflected][label];
        let mut side = *side;
        let step = i32::from(to) - i32::from(from);
        let entry = &mut side.entries[usize::from(pattern) % MOST];
        *entry = entry.wrapping_add_signed(weight * step);
        side.moved = pattern;
        side
    }

    /// Reads the pattern that changed.
    #[inline(always)]
    fn read(&self, side: &mut Side) -> Cost {
        let pattern = usize::from(side.moved) % MOST;
        let value = self.tables[pattern][side.entries[pattern] as usize];
        side.sum = side.sum - side.values[pattern] + value;
        side.values[pattern] = value;
        side.sum
    }
}

/// The table of a pattern.
fn table(
    placements: &Placements,
    squares: usize,
    options: &BuildOptions<'_>,
) -> Result<Bytes, PartitionError> {
    let exact = build_octets(placements, options)?;
    let size = squares.pow(placements.pattern().goals.len() as u32);
    let memory = |source| BuildError::Memory { bytes: size as u64, source };
    let mut bytes = BytesMut::zeroed(size).map_err(memory)?;
    let entries = bytes.as_mut_slice();
    entries.fill(255);
    placements.forget_blank(&exact, |tiles, value| {
        let entry = tiles.iter().rev().fold(0, |entry, &tile| entry * squares + usize::from(tile));
        entries[entry] = value;
    });
    Ok(bytes.freeze())
}

impl<W: Word, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>> for Partition {
    type Carry = Sums;

    fn root(&self, _: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Sums {
        let empty = Side { entries: [0; MOST], values: [0; MOST], sum: 0, moved: 0 };
        let mut sums = Sums { sides: [empty; 2] };
        for (reflected, side) in
            sums.sides.iter_mut().enumerate().take(1 + usize::from(self.reflect))
        {
            for square in 0..ROWS * COLS {
                let label = board.label(square);
                let at = if reflected == 0 { square as u8 } else { self.image[square] };
                if label > 0 {
                    *side = self.advance(side, reflected, label, 0, at);
                }
            }
            for pattern in 0..self.tables.len() {
                side.moved = pattern as u8;
                self.read(side);
            }
        }
        sums
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        carry: &Sums,
        _: Op,
        to: &Board<W>,
    ) -> Sums {
        let (left, entered) = (to.blank(), from.blank());
        let label = from.label(left);
        let step =
            |reflected, from, to| self.advance(&carry.sides[reflected], reflected, label, from, to);
        let first = step(0, left as u8, entered as u8);
        let second = if self.reflect {
            step(1, self.image[left], self.image[entered])
        } else {
            carry.sides[1]
        };
        Sums { sides: [first, second] }
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        _: &Board<W>,
        carry: &mut Sums,
        limit: Cost,
    ) -> Verdict<u32> {
        let h = self.read(&mut carry.sides[0]);
        if h > limit || !self.reflect {
            return Verdict::bound(h);
        }
        Verdict::bound(h.max(self.read(&mut carry.sides[1])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Puzzle8, Puzzle24};
    use search::testing::{Distances, check_heuristic};
    use search::{InversePruning, Options, ida_star};

    #[test]
    fn sums_are_admissible_on_all_boards_of_the_8_puzzle() {
        for goal in ["0 1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 0", "1 2 3 8 0 4 7 6 5"] {
            let domain = Puzzle8::parse_goal(goal).unwrap();
            let distances = Distances::from_goals(&domain, &[domain.goal()], 40);
            let homes = |homes: &[usize]| {
                homes.iter().map(|&home| domain.label_at_home(home)).collect::<Vec<_>>()
            };
            let tiles: Vec<usize> = (0..9).filter(|&home| home != domain.blank_home()).collect();
            for sizes in [&[2, 3, 3][..], &[7, 1]] {
                let mut rest = tiles.as_slice();
                let split = |&size: &usize| {
                    let (pattern, more) = rest.split_at(size);
                    rest = more;
                    homes(pattern)
                };
                let patterns: Vec<_> = sizes.iter().map(split).collect();
                let options = BuildOptions::default();
                let partition = Partition::build(&domain, &patterns, true, &options).unwrap();
                check_heuristic(&domain, &partition, &distances).unwrap();
            }
        }
    }

    #[test]
    fn what_is_no_partition_is_refused() {
        let build = |patterns: &[Vec<usize>]| {
            Partition::build(&Puzzle8::new(), patterns, true, &BuildOptions::default())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            build(&[vec![1, 2, 3], vec![4, 5, 6, 7]]),
            "tile 8 is in 0 patterns of the partition, not in one"
        );
        assert_eq!(
            build(&[vec![1, 2, 3, 4], vec![4, 5, 6, 7, 8]]),
            "tile 4 is in 2 patterns of the partition, not in one"
        );
        assert_eq!(
            build(&(0..6).map(|tile| vec![tile]).collect::<Vec<_>>()),
            "6 patterns are more than 5"
        );
    }

    /// Korf and Felner's instances 38, 40 and 25: boards, lengths, and generated nodes with the maximum of both sides (2002, table 4).
    const KORF_FELNER: [(&str, Cost, u64); 3] = [
        ("10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16", 96, 38_173_507),
        ("2 17 4 13 7 12 10 3 0 16 21 24 8 5 18 20 15 19 14 9 22 11 6 1 23", 82, 65_099_578),
        ("3 17 9 8 24 1 11 12 14 0 5 4 22 13 16 21 15 6 7 10 20 23 2 18 19", 81, 292_174_444),
    ];

    #[test]
    #[ignore = "slow: four tables of 244 MB, a minute"]
    fn counts_of_korf_and_felner_are_reproduced() {
        let domain = Puzzle24::new();
        let patterns = [
            vec![1, 2, 5, 6, 7, 12],
            vec![3, 4, 8, 9, 13, 14],
            vec![10, 11, 15, 16, 20, 21],
            vec![17, 18, 19, 22, 23, 24],
        ];
        let partition =
            Partition::build(&domain, &patterns, true, &BuildOptions::default()).unwrap();
        let pruning = InversePruning::new(&domain);
        for (start, length, generated) in KORF_FELNER {
            let start = domain.parse(start).unwrap();
            let report = ida_star(&domain, &partition, &pruning, &start, &Options::default());
            eprintln!("{} {:?}", report.generated(), report.elapsed);
            assert_eq!((report.lower_bound, report.generated()), (length, generated));
        }
    }
}
