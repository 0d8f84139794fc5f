//! The three families of cosets that belong to an axis. They differ in the properties that
//! distinguish cosets.

use crate::cosets::sets::{SLICES, TETRADS};
use crate::cosets::twists::TWISTS;
use crate::domain::CubeMetric;
use pdb::table::StripeTable;

/// A family of cosets. In each family, cosets are distinguished by the twists and the slots of the
/// slice's edges. Each variant lists what else distinguishes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisFamily {
    /// The flips of the eight edges outside the slice.
    G256,
    /// The flips of all edges.
    G1,
    /// The flips of all edges, and the slots of the corners of one tetrad (orbit of corners under
    /// half turns).
    Tet112,
}

impl AxisFamily {
    /// All families, smallest table first.
    pub const ALL: [Self; 3] = [Self::G256, Self::G1, Self::Tet112];
    /// Number of columns of a row: one for each value of the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// The name of the family: `g256`, `g1` or `tet112`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G256 => "g256",
            Self::G1 => "g1",
            Self::Tet112 => "tet112",
        }
    }

    /// Whether the family distinguishes the flips of the slice's edges, too.
    pub(super) const fn all_flips(self) -> bool {
        matches!(self, Self::G1 | Self::Tet112)
    }

    /// The number of sets of slots that a tetrad's corners can have, or 1 if the family does not
    /// tell them apart.
    pub const fn tetrads(self) -> u32 {
        if matches!(self, Self::Tet112) { TETRADS } else { 1 }
    }

    /// Number of values of the flips that the family distinguishes.
    pub const fn flips(self) -> u32 {
        if self.all_flips() { 2048 } else { 256 }
    }

    /// Number of rows: classes of the first coordinate under 16 symmetries, times the values of the
    /// middle one.
    pub const fn rows(self) -> u64 {
        let classes = if self.all_flips() { 64_430 } else { 8_222 };
        classes * self.tetrads() as u64
    }

    /// Number of cosets without reduction by symmetry.
    pub const fn cosets(self) -> u64 {
        SLICES as u64 * self.tetrads() as u64 * self.flips() as u64 * TWISTS as u64
    }

    /// Number of entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * TWISTS as u64
    }

    /// Size of the table in bytes, at two bits an entry.
    pub const fn bytes(self) -> u64 {
        StripeTable::bytes_for(self.rows(), Self::COLUMNS)
    }

    /// The base value of the two-bit code (see [`pdb::table::StripeCode`]).
    ///
    /// For G256 and G1, no other base needs fewer lookups. Distances of Tet112 are greater, so its
    /// base is two more; no other value was tried.
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

    /// The number of the flips that this family tells apart: those of slots 0 to 10, or those of
    /// the slots outside the slice.
    pub(super) fn encode(self, slice: u16, flips: u16) -> u32 {
        match self {
            Self::G1 | Self::Tet112 => u32::from(flips & 0x7ff),
            Self::G256 => {
                let kept = (0..12).filter(|slot| slice >> slot & 1 == 0);
                kept.enumerate().map(|(place, slot)| u32::from(flips >> slot & 1) << place).sum()
            }
        }
    }

    /// Returns flips of all slots whose number by [`encode`](Self::encode) is `value`. For G256 no
    /// edge of the slice is flipped. For the others, the flip of slot 11 makes the number of flips
    /// even.
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
