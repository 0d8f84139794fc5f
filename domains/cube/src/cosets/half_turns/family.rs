//! The two families of cosets of half turns.

use super::edges::ARRANGEMENTS;
use crate::cosets::corners::CORNERS;
use crate::cosets::twists::TWISTS;
use crate::domain::CubeMetric;
use pdb::table::{StripeCode, StripeTable};

/// A family of cosets of half turns. Each variant lists what distinguishes its cosets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HalfTurnFamily {
    /// Which edges are in which slice, corners up to half turns, and twists.
    Htr200,
    /// As [`Self::Htr200`], and for each slice whether an odd number of its edges are flipped.
    Htr204,
}

impl HalfTurnFamily {
    /// Both families, the one with the smaller table first.
    pub const ALL: [Self; 2] = [Self::Htr200, Self::Htr204];
    /// Number of columns of a row: one for each value of the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// The name of the family's table: `htr200` or `htr204`; with `-1` appended for one bit an
    /// entry.
    pub const fn name(self, bits: u32) -> &'static str {
        match (self, bits) {
            (Self::Htr200, 1) => "htr200-1",
            (Self::Htr200, _) => "htr200",
            (Self::Htr204, 1) => "htr204-1",
            (Self::Htr204, _) => "htr204",
        }
    }

    /// Number of values of the slices' parities, or 1 if the family does not tell them apart.
    pub const fn parities(self) -> u32 {
        match self {
            Self::Htr200 => 1,
            Self::Htr204 => 4,
        }
    }

    /// Number of rows: classes of the slices' arrangements under the 48 symmetries, times parities,
    /// times corner arrangements.
    pub const fn rows(self) -> u64 {
        782 * (self.parities() * CORNERS) as u64
    }

    /// Number of cosets without reduction by symmetry.
    pub const fn cosets(self) -> u64 {
        (ARRANGEMENTS * self.parities() * CORNERS) as u64 * Self::COLUMNS as u64
    }

    /// Number of entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * Self::COLUMNS as u64
    }

    /// Size of the table in bytes, at one or two bits an entry.
    pub const fn bytes(self, bits: u32) -> u64 {
        let code = if bits == 1 { StripeCode::one(0) } else { StripeCode::two(0) };
        StripeTable::bytes_in(code, self.rows(), Self::COLUMNS)
    }

    /// The code of the table's values, at one or two bits an entry.
    pub const fn code(self, metric: CubeMetric, bits: u32) -> StripeCode {
        let more = match metric {
            CubeMetric::HalfTurn => 0,
            CubeMetric::QuarterTurn => 1,
        };
        match (self, bits) {
            (_, 1) => StripeCode::one(10 + more),
            (Self::Htr200, _) => StripeCode::two(8 + more),
            (Self::Htr204, _) => StripeCode::two(9 + more),
        }
    }
}
