//! The families of cosets that are seen along an axis.

use crate::cosets::sets::{SLICES, TETRADS};
use crate::cosets::twists::TWISTS;
use crate::domain::CubeMetric;
use pdb::table::StripeTable;

/// Which edge flips and corners tell cosets apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisFamily {
    /// The flips of the eight edges outside the slice.
    G256,
    /// All flips.
    G1,
    /// All flips, and which corners are in which tetrad's slots.
    Tet112,
}

impl AxisFamily {
    /// All families, smallest table first.
    pub const ALL: [Self; 3] = [Self::G256, Self::G1, Self::Tet112];
    /// Columns of a row: the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// `g256`, `g1` or `tet112`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G256 => "g256",
            Self::G1 => "g1",
            Self::Tet112 => "tet112",
        }
    }

    /// Whether the flips of the slice's edges count, too.
    pub(super) const fn all_flips(self) -> bool {
        matches!(self, Self::G1 | Self::Tet112)
    }

    /// How many sets of slots a tetrad's corners can have: 1 if tetrads do not count.
    pub const fn tetrads(self) -> u32 {
        if matches!(self, Self::Tet112) { TETRADS } else { 1 }
    }

    /// Values of the flips that count.
    pub const fn flips(self) -> u32 {
        if self.all_flips() { 2048 } else { 256 }
    }

    /// Classes of slice slots and flips under 16 symmetries, times the sets of a tetrad.
    pub const fn rows(self) -> u64 {
        let classes = if self.all_flips() { 64_430 } else { 8_222 };
        classes * self.tetrads() as u64
    }

    /// Cosets, each symmetric one counted.
    pub const fn cosets(self) -> u64 {
        SLICES as u64 * self.tetrads() as u64 * self.flips() as u64 * TWISTS as u64
    }

    /// Entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * TWISTS as u64
    }

    /// Bytes of the table at two bits an entry.
    pub const fn bytes(self) -> u64 {
        StripeTable::bytes_for(self.rows(), Self::COLUMNS)
    }

    /// The base value of the two-bit code.
    ///
    /// For G256 and G1 it is tuned: no other base needs fewer reads. Distances of Tet112 are
    /// greater, so its base is two more; other values were not compared.
    pub const fn base(self, metric: CubeMetric) -> u8 {
        let base = match self {
            Self::G256 | Self::G1 => 7,
            Self::Tet112 => 9,
        };
        match metric {
            CubeMetric::HalfTurn => base,
            CubeMetric::QuarterTurn => base + 1,
        }
    }

    /// The rank of the flips that this family keeps: those of slots 0 to 10, or those of the slots
    /// outside the slice.
    pub(super) fn encode(self, slice: u16, flips: u16) -> u32 {
        match self {
            Self::G1 | Self::Tet112 => u32::from(flips & 0x7ff),
            Self::G256 => {
                let kept = (0..12).filter(|slot| slice >> slot & 1 == 0);
                kept.enumerate().map(|(place, slot)| u32::from(flips >> slot & 1) << place).sum()
            }
        }
    }

    /// Flips of all slots with the number `value`. Of G256 no edge of the slice is flipped; of the
    /// others slot 11 makes the number of flips even.
    pub(super) fn decode(self, slice: u16, value: u32) -> u16 {
        match self {
            Self::G1 | Self::Tet112 => {
                let flips = u16::try_from(value).expect("a number of flips is below 2,048");
                flips | u16::from(flips.count_ones() % 2 == 1) << 11
            }
            Self::G256 => {
                let kept = (0..12).filter(|slot| slice >> slot & 1 == 0);
                kept.enumerate()
                    .map(|(place, slot)| u16::from(value >> place & 1 == 1) << slot)
                    .sum()
            }
        }
    }
}
