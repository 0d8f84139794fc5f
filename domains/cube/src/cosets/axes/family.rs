//! The families of cosets that belong to an axis. They differ in the properties that distinguish
//! cosets.

use crate::cosets::corners::CORNERS;
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
    /// The flips of the eight edges outside the slice, and the corners up to half turns.
    Htr108,
    /// The flips of all edges, and the slots of the corners of one tetrad (orbit of corners under
    /// half turns).
    Tet112,
    /// The corners up to half turns, and the flips of all edges up to flips of the whole slice.
    Htr110,
    /// The corners up to half turns, and the flips of all edges.
    Htr111,
}

impl AxisFamily {
    /// All families, smallest table first.
    pub const ALL: [Self; 6] =
        [Self::G256, Self::G1, Self::Htr108, Self::Tet112, Self::Htr110, Self::Htr111];
    /// Number of columns of a row: one for each value of the twists.
    pub const COLUMNS: usize = TWISTS as usize;

    /// The name of the family, such as `g1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G256 => "g256",
            Self::G1 => "g1",
            Self::Htr108 => "htr108",
            Self::Tet112 => "tet112",
            Self::Htr110 => "htr110",
            Self::Htr111 => "htr111",
        }
    }

    /// Number of values of the corners' arrangement: 1 if it does not count, 70 for the slots of a
    /// tetrad's corners, 420 for the arrangement up to half turns.
    pub const fn corners(self) -> u32 {
        match self {
            Self::G256 | Self::G1 => 1,
            Self::Tet112 => TETRADS,
            Self::Htr108 | Self::Htr110 | Self::Htr111 => CORNERS,
        }
    }

    /// Number of values of the flips that the family distinguishes.
    pub const fn flips(self) -> u32 {
        match self {
            Self::G256 | Self::Htr108 => 256,
            Self::Htr110 => 1024,
            Self::G1 | Self::Tet112 | Self::Htr111 => 2048,
        }
    }

    /// Number of rows: classes of the first coordinate under 16 symmetries, times the values of the
    /// middle one.
    pub const fn rows(self) -> u64 {
        let classes = match self.flips() {
            256 => 8_222,
            1024 => 32_410,
            _ => 64_430,
        };
        classes * self.corners() as u64
    }

    /// Number of cosets without reduction by symmetry.
    pub const fn cosets(self) -> u64 {
        SLICES as u64 * self.corners() as u64 * self.flips() as u64 * TWISTS as u64
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
    /// For G256 and G1, no other base needs fewer lookups. Distances of the others are greater, so
    /// their base is two more; no other value was tried.
    pub const fn base(self, metric: CubeMetric) -> u8 {
        let base = match self {
            Self::G256 | Self::G1 => 7,
            _ => 9,
        };
        match metric {
            CubeMetric::HalfTurn => base,
            CubeMetric::QuarterTurn => base + 1,
        }
    }

    /// The number of the flips that this family tells apart. Each of its bits is a sum, modulo two,
    /// of flips.
    pub(super) fn encode(self, slice: u16, flips: u16) -> u32 {
        if self.flips() == 2048 {
            return u32::from(flips & 0x7ff);
        }
        let [within, others] = parts(slice);
        let picked = |slots: u16| -> u32 {
            let slots = (0..12).filter(|slot| slots >> slot & 1 == 1);
            (0..).zip(slots).map(|(at, slot)| u32::from(flips >> slot & 1) << at).sum()
        };
        let (within, others) = (picked(within), picked(others));
        if self.flips() == 256 {
            return others;
        }
        // The flip of the slice's last edge is taken off all four.
        let within = if within >> 3 == 1 { within ^ 15 } else { within };
        others | within >> 1 << 8
    }

    /// Returns flips of all slots whose number by [`encode`](Self::encode) is `value`. Their
    /// number is even, except that for G256 and Htr108 no edge of the slice is flipped.
    pub(super) fn decode(self, slice: u16, value: u32) -> u16 {
        let (within, others) = match self.flips() {
            256 => (0, value),
            1024 => (value >> 8 << 1, value & 255),
            _ => {
                let flips = u16::try_from(value).expect("a number of flips is below 2,048");
                return flips | u16::from(flips.count_ones() % 2 == 1) << 11;
            }
        };
        // The first edge of the slice makes the number of flips even.
        let odd = (within.count_ones() + others.count_ones()) % 2;
        let within = if self.flips() == 256 { 0 } else { within | odd };
        let [inner, outer] = parts(slice);
        let spread = |slots: u16, bits: u32| -> u16 {
            let slots = (0..12).filter(|slot| slots >> slot & 1 == 1);
            (0..).zip(slots).map(|(at, slot)| u16::from(bits >> at & 1 == 1) << slot).sum()
        };
        spread(inner, within) | spread(outer, others)
    }
}

/// The slots of the slice's edges, and the slots of the others.
fn parts(slice: u16) -> [u16; 2] {
    [slice, 0xfff & !slice]
}
