//! The families of cosets of half turns.

use super::corners::CORNERS;
use super::edges::ARRANGEMENTS;
use crate::cosets::twists::TWISTS;
use crate::domain::CubeMetric;
use pdb::table::{StripeCode, StripeTable};

/// What tells cosets of half turns apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HalfTurnFamily {
    /// Slices, corners up to half turns, and twists.
    Htr200,
    /// Slices, parities of their flips, corners up to half turns, and twists.
    Htr204,
}

impl HalfTurnFamily {
    /// Both, smaller table first.
    pub const ALL: [Self; 2] = [Self::Htr200, Self::Htr204];
    /// Columns of a row: the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// `htr200` or `htr204`; with `-1` for one bit an entry.
    pub const fn name(self, bits: u32) -> &'static str {
        match (self, bits) {
            (Self::Htr200, 1) => "htr200-1",
            (Self::Htr200, _) => "htr200",
            (Self::Htr204, 1) => "htr204-1",
            (Self::Htr204, _) => "htr204",
        }
    }

    /// Values of the slices' parities: 1 if they do not count.
    pub const fn parities(self) -> u32 {
        match self {
            Self::Htr200 => 1,
            Self::Htr204 => 4,
        }
    }

    /// Classes of slices under the 48 symmetries, times parities, times arrangements of corners.
    pub const fn rows(self) -> u64 {
        782 * (self.parities() * CORNERS) as u64
    }

    /// Cosets, each symmetric one counted.
    pub const fn cosets(self) -> u64 {
        (ARRANGEMENTS * self.parities() * CORNERS) as u64 * Self::COLUMNS as u64
    }

    /// Entries of the table.
    pub const fn entries(self) -> u64 {
        self.rows() * Self::COLUMNS as u64
    }

    /// Bytes of the table at one or two bits an entry.
    pub const fn bytes(self, bits: u32) -> u64 {
        let code = if bits == 1 { StripeCode::one(0) } else { StripeCode::two(0) };
        StripeTable::bytes_in(code, self.rows(), Self::COLUMNS)
    }

    /// The code at one or two bits an entry.
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
