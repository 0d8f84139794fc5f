//! The table of a pattern: a byte for each placement of its tiles, or four bits.
//!
//! A byte has the value for the blank in the large region and the value elsewhere. Four bits have
//! the least value of all regions.

use crate::placements::{Numbering, Placement, Placements, TilePattern, TilePatternError};
use crate::tables::BlankRegion;
use pdb::memory::{Bytes, BytesMut};
use pdb::rank::Places;
use pdb::{BuildError, BuildOptions, build};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// A byte of a table: two halved values in 5 and 3 bits.
///
/// The values of one placement have the same parity for all regions of the blank: that of the
/// tiles' distances from home. So half of a value is enough. The *large region* has more than half
/// of the squares without tiles of the pattern; not every placement has one.
///
/// | bits | content |
/// |---|---|
/// | 0 to 4 | half of the large region's value |
/// | 5 to 7 | 4 plus half of the least value elsewhere, minus the former |
///
/// Where the difference does not fit, the greater value is stored smaller. No code is 0, because
/// the least difference goes with a half of 4 or more. So 0 stands for a placement that no solvable
/// board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) u8);

impl Code {
    /// Largest half.
    const MOST: u8 = 31;

    /// The code of two halves: the large region's, and the others' least. `None` if the former is
    /// too large.
    fn new(large: u8, other: u8) -> Option<Self> {
        let large = large.min(other.saturating_add(4));
        let difference = (other + 4 - large).min(7);
        (large <= Self::MOST).then_some(Self(large | difference << 5))
    }

    /// Whether a solvable board has the placement.
    fn occurs(self) -> bool {
        self.0 != 0
    }
    /// Whether it matters where the blank is.
    #[inline(always)]
    pub(crate) fn differs(self) -> bool {
        self.0 >> 5 != 4
    }
    /// Half of the value with the blank in the large region.
    #[inline(always)]
    pub(crate) fn large(self) -> u8 {
        self.0 & Self::MOST
    }
    /// Half of the value with the blank elsewhere.
    #[inline(always)]
    pub(crate) fn other(self) -> u8 {
        (self.large() + (self.0 >> 5)).saturating_sub(4)
    }
}

/// Four bits of a table: 15 minus half of what the value exceeds the tiles' distances from home.
///
/// The value is the least of all regions. Excesses above 28 are stored as 28. 0 stands for a
/// placement that no solvable board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Excess(pub(crate) u8);

impl Excess {
    /// Greatest half.
    const MOST: u8 = 14;

    fn new(value: u8, distance: u8) -> Self {
        Self(15 - (value.saturating_sub(distance) / 2).min(Self::MOST))
    }

    /// The bits of an entry.
    #[inline(always)]
    pub(crate) fn of(byte: u8, entry: u64) -> Self {
        Self(byte >> (4 * (entry & 1)) & 15)
    }

    /// Half of what the value exceeds the distances.
    #[inline(always)]
    pub(crate) fn half(self) -> u8 {
        15 - self.0
    }
}

/// How the entries of a table are numbered, and their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableLayout {
    /// A byte an entry, numbered by the [`Places`] rank of the tiles' squares. `n! / (n - k)!`
    /// entries for `k` tiles on `n` squares, all of them used.
    Ranked,
    /// Numbered as [`TableLayout::Ranked`], two entries a byte, the even one in the low bits. The
    /// table does not know the blank.
    Packed,
    /// A byte an entry, numbered by the sum of `square of tile i` times `n^i`. There are `n^k`
    /// entries: 1.9 times as many for 6 tiles on 25 squares, 8.3 times for 8 on 16. The number
    /// needs no comparison of squares. Entries with two tiles on one square are 0.
    Direct,
}

/// The table of a pattern: for each placement of its tiles, the moves of these tiles in any plan.
///
/// **Shape**: a [`TableLayout`] numbers an entry by the tiles' squares, in the order of their
/// homes. Entries that no solvable board has are 0.
///
/// | layout | entry |
/// |---|---|
/// | ranked, direct | a byte: half values for the blank in the large region, and anywhere else |
/// | packed | four bits: half of the least value, minus half of the tiles' distances |
///
/// A table of bytes is as large as one that ignores the blank, and nearly as good as one that knows
/// the blank's region. It is worse only with three regions or with differences above 6 moves.
///
/// Sources: Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial
/// Intelligence 134, 2002, section 4; Robert Clausecker and Alexander Reinefeld, "Zero-aware
/// pattern databases with 1-bit compression for sliding tile puzzles", SoCS 2019, section 3. The
/// tables of the latter have an entry for each region. Both values in one byte are ours.
#[derive(Clone, Debug)]
pub struct PatternTable {
    pattern: TilePattern,
    layout: TableLayout,
    bytes: Bytes,
}

impl PatternTable {
    /// Bytes of a pattern's table. At least half of [`u64::MAX`] if 64 bits do not number its
    /// entries.
    pub fn bytes_for(pattern: &TilePattern, layout: TableLayout) -> u64 {
        let entries = Self::entries_for(pattern, layout);
        if layout == TableLayout::Packed { entries.div_ceil(2) } else { entries }
    }

    /// Entries of a pattern's table. [`u64::MAX`] if 64 bits do not number them.
    pub fn entries_for(pattern: &TilePattern, layout: TableLayout) -> u64 {
        let squares = (pattern.rows * pattern.columns) as u64;
        let ways = |tile: u64| match layout {
            TableLayout::Ranked | TableLayout::Packed => squares.saturating_sub(tile),
            TableLayout::Direct => squares,
        };
        (0..pattern.goals.len() as u64).fold(1, |all: u64, tile| all.saturating_mul(ways(tile)))
    }

    /// Builds the bytes of a table, on the current thread pool.
    ///
    /// Memory: the table, and a byte for each placement and region.
    ///
    /// # Errors
    /// Values above 63, no memory, or cancellation.
    pub fn build(
        placements: &Placements,
        layout: TableLayout,
        options: &BuildOptions<'_>,
    ) -> Result<Bytes, BuildError> {
        let exact = build::<8>(placements, options)?;
        let pattern = placements.pattern();
        let size = Self::bytes_for(pattern, layout);
        let memory = |source| BuildError::Memory { bytes: size, source };
        let mut bytes = BytesMut::zeroed(size as usize).map_err(memory)?;
        let words = bytes.as_words();
        let numbering = match layout {
            TableLayout::Ranked | TableLayout::Packed => Numbering::ranks(pattern),
            TableLayout::Direct => Numbering::weighted(&weights(pattern)),
        };
        let deepest = (0..placements.sets())
            .into_par_iter()
            .map(|set| {
                let mut deepest = 0;
                placements.values(
                    set,
                    exact.bytes(),
                    &numbering,
                    |Placement { entry, large, other, distance }| {
                        let (bits, width) = if layout == TableLayout::Packed {
                            (Excess::new(large.min(other), distance).0, 4)
                        } else {
                            let code = Code::new(large / 2, other / 2).unwrap_or_else(|| {
                                deepest = deepest.max(large);
                                Code(Code::MOST)
                            });
                            (code.0, 8)
                        };
                        let bit = width * entry;
                        let bits = u64::from(bits) << (bit % 64);
                        words[(bit / 64) as usize].fetch_or(bits.to_le(), Ordering::Relaxed);
                    },
                );
                deepest
            })
            .max();
        match deepest {
            Some(depth @ 1..) => Err(BuildError::TooDeep { depth: depth.into(), bits: 6 }),
            _ => Ok(bytes.freeze()),
        }
    }

    /// A table over bytes from [`PatternTable::build`] for the same pattern and layout.
    ///
    /// # Errors
    /// If the pattern has no table, or the bytes are too few or too many.
    pub fn new(
        pattern: TilePattern,
        layout: TableLayout,
        bytes: Bytes,
    ) -> Result<Self, TilePatternError> {
        pattern.check()?;
        let (found, expected) = (bytes.len() as u64, Self::bytes_for(&pattern, layout));
        if found == expected {
            Ok(Self { pattern, layout, bytes })
        } else {
            Err(TilePatternError::Bytes { found, expected })
        }
    }

    /// The pattern.
    pub fn pattern(&self) -> &TilePattern {
        &self.pattern
    }

    /// How entries are numbered.
    pub fn layout(&self) -> TableLayout {
        self.layout
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// How many placements have each value: the least one, or that of the large region. Counts only
    /// placements of solvable boards. Time: all entries.
    pub fn counts(&self, blank: BlankRegion) -> Vec<u64> {
        let mut counts = vec![0; 2 * usize::from(Code::MOST) + 2];
        let mut walk = Walk { table: self, weights: self.weights(), blank, counts: &mut counts };
        walk.place(0, 0, 0, 0);
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(most + 1);
        counts
    }

    /// By tile: the weight of its square in the number of an entry, or of its digit in the rank.
    pub(crate) fn weights(&self) -> Vec<u64> {
        match self.layout {
            TableLayout::Direct => weights(&self.pattern),
            TableLayout::Ranked | TableLayout::Packed => {
                let tiles = self.pattern.goals.len() as u32;
                let ways = Places::new((self.pattern.rows * self.pattern.columns) as u32, tiles);
                (0..tiles).map(|tile| ways.radix(tile)).collect()
            }
        }
    }
}

/// A recursion over all placements, tile by tile.
struct Walk<'a> {
    table: &'a PatternTable,
    weights: Vec<u64>,
    blank: BlankRegion,
    counts: &'a mut [u64],
}

impl Walk<'_> {
    /// Places the tiles from `tile` on and counts the values. `distance` is the sum of the placed
    /// tiles' distances from home.
    fn place(&mut self, tile: usize, taken: u64, entry: u64, distance: usize) {
        let pattern = &self.table.pattern;
        let squares = pattern.rows * pattern.columns;
        let Some(&goal) = pattern.goals.get(tile) else {
            if let Some(half) = self.half(entry, distance) {
                self.counts[2 * half + distance % 2] += 1;
            }
            return;
        };
        for square in (0..squares).filter(|square| taken >> square & 1 == 0) {
            let digit = match self.table.layout {
                TableLayout::Direct => square as u64,
                TableLayout::Ranked | TableLayout::Packed => {
                    (square as u32 - (taken & ((1 << square) - 1)).count_ones()).into()
                }
            };
            let far = usize::from(pattern.distance(square, goal));
            let entry = entry + digit * self.weights[tile];
            self.place(tile + 1, taken | 1 << square, entry, distance + far);
        }
    }

    /// Half of the value of an entry; `None` if no solvable board has it.
    fn half(&self, entry: u64, distance: usize) -> Option<usize> {
        let bytes = &self.table.bytes;
        if self.table.layout == TableLayout::Packed {
            let excess = Excess::of(bytes[(entry / 2) as usize], entry);
            return (excess.0 != 0).then(|| distance / 2 + usize::from(excess.half()));
        }
        let code = Code(bytes[entry as usize]);
        let half = match self.blank {
            BlankRegion::Forgotten => code.large().min(code.other()),
            BlankRegion::Known => code.large(),
        };
        code.occurs().then_some(half.into())
    }
}

/// By tile: the power of the number of squares.
fn weights(pattern: &TilePattern) -> Vec<u64> {
    let squares = (pattern.rows * pattern.columns) as u64;
    (0..pattern.goals.len() as u32).map(|tile| squares.pow(tile)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placements::Placements;

    /// Distances of the 8-puzzle. With all tiles in one pattern the table holds them. Half of all
    /// placements belong to no solvable board.
    const DISTANCES: [u64; 32] = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];

    #[test]
    fn values_of_placements_that_occur_are_counted() {
        let pattern = TilePattern { rows: 3, columns: 3, goals: (1..9).collect(), blank: 0 };
        let placements = Placements::new(pattern.clone()).unwrap();
        for layout in [TableLayout::Ranked, TableLayout::Packed, TableLayout::Direct] {
            let bytes = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
            let table = PatternTable::new(pattern.clone(), layout, bytes).unwrap();
            for blank in [BlankRegion::Forgotten, BlankRegion::Known] {
                assert_eq!(table.counts(blank), DISTANCES);
            }
        }
    }

    #[test]
    fn codes_are_two_halves_and_never_0() {
        for large in 0..=Code::MOST {
            for other in 0..=40 {
                let code = Code::new(large, other).unwrap();
                assert!(code.occurs() && code.large() <= large && code.other() <= other);
                let fits =
                    (large..=large + 3).contains(&other) || (other..=other + 4).contains(&large);
                assert_eq!(fits, (code.large(), code.other()) == (large, other));
            }
        }
        assert_eq!(Code::new(32, 32), None);
    }
}
