//! The table of a pattern: one byte, or four bits, for each placement of its tiles.
//!
//! A byte has two values: one for the blank in the large region (see [`PatternTable`]), one for the
//! blank elsewhere. Four bits have the least value of all regions.

mod codes;
mod coding;

pub use codes::{BlankRegion, TableLayout};
pub(crate) use codes::{Code, Excess};

use crate::patterns::placements::{Placements, TilePattern, TilePatternError};
use codes::weights;
use coding::Coding;
use pdb::file::{Checkpoint, TableSpec, TableStore};
use pdb::layers::{DiskOptions, ExhaustError, Reduction, reduce_on_disk};
use pdb::memory::{Bytes, BytesMut};
use pdb::rank::Places;
use pdb::{Abstraction, BuildError, BuildOptions, PackedTable, build};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// The table of a pattern. For each placement of the pattern's tiles, it has a lower bound of the
/// moves that these tiles make on the way to the goal.
///
/// The [`TableLayout`] numbers an entry by the tiles' squares, in the order of the tiles' homes.
/// Entries that no solvable board has are 0.
///
/// | layout | entry |
/// |---|---|
/// | ranked, direct | a byte: half values for the blank in the large region, and anywhere else |
/// | packed | four bits: half of the least value, minus half of the tiles' distances |
///
/// The *large region* has more than half of the squares without tiles of the pattern. A table of
/// bytes is as large as one that ignores the blank, and nearly as good as one that knows the
/// blank's region. It is worse only for placements with three regions, or where values differ by
/// more than 6 moves.
///
/// Sources:
///
/// - Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial Intelligence
///   134, 2002, section 4;
/// - Robert Clausecker and Alexander Reinefeld, "Zero-aware pattern databases with 1-bit
///   compression for sliding tile puzzles", SoCS 2019, section 3. Their tables have an entry for
///   each region.
///
/// Both values in one byte are ours.
#[derive(Clone, Debug)]
pub struct PatternTable {
    pattern: TilePattern,
    layout: TableLayout,
    bytes: Bytes,
}

impl PatternTable {
    /// Bytes of a pattern's table. If the number of entries does not fit in 64 bits, at least half
    /// of [`u64::MAX`].
    pub fn bytes_for(pattern: &TilePattern, layout: TableLayout) -> u64 {
        let entries = Self::entries_for(pattern, layout);
        if layout == TableLayout::Packed { entries.div_ceil(2) } else { entries }
    }

    /// Number of entries of a pattern's table. [`u64::MAX`] if it does not fit in 64 bits.
    pub fn entries_for(pattern: &TilePattern, layout: TableLayout) -> u64 {
        let squares = (pattern.rows * pattern.columns) as u64;
        let ways = |tile: u64| match layout {
            TableLayout::Ranked | TableLayout::Packed => squares.saturating_sub(tile),
            TableLayout::Direct => squares,
        };
        (0..pattern.goals.len() as u64).fold(1, |all: u64, tile| all.saturating_mul(ways(tile)))
    }

    /// An upper bound of the bytes that a build takes, including the table.
    pub fn bytes_to_build(pattern: &TilePattern, layout: TableLayout) -> u64 {
        let ranked = Self::entries_for(pattern, TableLayout::Ranked);
        // A placement has fewer than two regions on average.
        ranked.saturating_mul(2).max(ranked.saturating_add(Self::bytes_for(pattern, layout)))
    }

    /// Builds the bytes of a table, on the current thread pool.
    ///
    /// First needs one byte for each placement and region. After that, needs the table and one byte
    /// for each placement.
    ///
    /// # Errors
    /// If a table of one byte an entry has a value above 63, memory is short, or the caller
    /// cancels.
    pub fn build(
        placements: &Placements,
        layout: TableLayout,
        options: &BuildOptions<'_>,
    ) -> Result<Bytes, BuildError> {
        let exact = build::<8>(placements, options)?.into_bytes();
        let (pattern, coding) = (placements.pattern(), Coding::new(placements, layout));
        let mut codes = codes(&coding, exact, options)?;
        let (codes, columns) = (&*codes.as_mut_slice(), placements.columns());
        let mut bytes = memory(Self::bytes_for(pattern, layout))?;
        let (words, width) = (bytes.as_words(), layout.bits());
        (0..placements.sets()).into_par_iter().for_each(|set| {
            if is_cancelled(options) {
                return;
            }
            let codes = &codes[set * columns..][..columns];
            placements.entries(set, &coding.numbering, |column, entry| {
                if codes[column] != 0 {
                    let bit = width * entry;
                    let bits = u64::from(codes[column]) << (bit % 64);
                    words[(bit / 64) as usize].fetch_or(bits.to_le(), Ordering::Relaxed);
                }
            });
        });
        if is_cancelled(options) { Err(BuildError::Cancelled) } else { Ok(bytes.freeze()) }
    }

    /// Builds a table with its layers on disk, and saves it in `store`: byte for byte the table of
    /// [`PatternTable::build`]. `bytes` of `spec` must be those of [`PatternTable::bytes_for`].
    ///
    /// # Errors
    /// As [`reduce_on_disk`], and [`PatternTable::build`].
    pub fn build_on_disk(
        placements: &Placements,
        layout: TableLayout,
        checkpoint: &Checkpoint,
        options: &DiskOptions<'_>,
        saved: (&TableStore, &TableSpec),
    ) -> Result<(), ExhaustError> {
        reduce_on_disk(placements, &Coding::new(placements, layout), checkpoint, options, saved)
    }

    /// A table over bytes that [`PatternTable::build`] made for the same pattern and layout.
    ///
    /// # Errors
    /// If a table is impossible for the pattern, or has another number of bytes.
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

    /// The layout of the entries.
    pub fn layout(&self) -> TableLayout {
        self.layout
    }

    /// The bytes of the entries.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The codes of the entries.
    pub(crate) fn codes(&self) -> PackedTable {
        let entries = Self::entries_for(&self.pattern, self.layout);
        let codes = PackedTable::new(self.bytes.clone(), self.layout.bits() as u32, entries);
        codes.expect("the number of bytes is checked")
    }

    /// The number of placements with each value. [`BlankRegion::Forgotten`] counts the least value
    /// over all regions, [`BlankRegion::Known`] the value of the large region. Counts only
    /// placements of solvable boards. Reads all entries.
    pub fn counts(&self, blank: BlankRegion) -> Vec<u64> {
        let mut counts = vec![0; 2 * usize::from(Code::MOST) + 2];
        let mut walk = Walk { table: self, weights: self.weights(), blank, counts: &mut counts };
        walk.place(0, 0, 0, 0);
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(most + 1);
        counts
    }

    /// The weight of each tile's digit. The number of an entry is the sum of digits times weights.
    /// The digit is the tile's square in a direct table, and the tile's digit in the [`Places`]
    /// rank in ranked and packed tables.
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

/// Whether the caller has cancelled the build.
fn is_cancelled(options: &BuildOptions<'_>) -> bool {
    options.cancel.is_some_and(|cancel| cancel.is_cancelled())
}

/// Zeroed memory.
fn memory(bytes: u64) -> Result<BytesMut, BuildError> {
    let len = usize::try_from(bytes).map_err(|_| std::io::ErrorKind::OutOfMemory.into());
    len.and_then(BytesMut::zeroed).map_err(|source| BuildError::Memory { bytes, source })
}

/// Number of bytes of distances that are read before their memory is given back.
const PART: usize = 32 << 20;

/// The code of each placement, by set and order; 0 for placements that no solvable board has.
///
/// `exact` are the distances. Their memory is given back while the codes are made, because both
/// together do not fit where the table and the codes do.
fn codes(
    coding: &Coding<'_>,
    exact: Bytes,
    options: &BuildOptions<'_>,
) -> Result<BytesMut, BuildError> {
    let placements = coding.placements;
    let (sets, columns) = (placements.sets(), placements.columns());
    let mut codes = memory((sets * columns) as u64)?;
    let mut exact = exact.thaw().expect("nobody else has the bytes of a build");
    let mut done = 0;
    while done < sets {
        let from = placements.bytes_before(done);
        let fits = |&set: &usize| placements.bytes_before(set) <= from + PART;
        let end = (done + 1..=sets).take_while(fits).last().unwrap_or(done + 1);
        let table = &*exact.as_mut_slice();
        let part = &mut codes.as_mut_slice()[done * columns..end * columns];
        part.par_chunks_mut(columns).enumerate().for_each(|(number, codes)| {
            if is_cancelled(options) {
                return;
            }
            let set = done + number;
            let distances = &table[placements.bytes_before(set)..placements.bytes_before(set + 1)];
            placements.values(set, distances, &coding.numbering, |placement| {
                codes[placement.column] = coding.code(&placement);
            });
        });
        if is_cancelled(options) {
            return Err(BuildError::Cancelled);
        }
        exact.discard(0..placements.bytes_before(end));
        done = end;
    }
    coding.check()?;
    Ok(codes)
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

    /// Half of an entry's value. `None` if no solvable board has the placement.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::placements::Placements;

    /// Number of boards of the 8-puzzle at each distance. A table with all tiles in one pattern has
    /// these values. Half of all placements belong to no solvable board.
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
