//! The codes of a table's entries, and how a table numbers them.

use crate::patterns::placements::TilePattern;

/// A byte of a table: half of each of two values, in 5 and 3 bits.
///
/// A *region* is a set of squares without tiles of the pattern, which the blank can reach without
/// moving these tiles. All values of one placement are even or all are odd, like the sum of the
/// tiles' distances from home. So half of each value is enough. The *large region* has more than
/// half of the squares without tiles of the pattern. Not every placement has one.
///
/// | bits | content |
/// |---|---|
/// | 0 to 4 | half of the large region's value |
/// | 5 to 7 | 4 plus half of the least value elsewhere, minus bits 0 to 4 |
///
/// If the difference does not fit in its bits, the greater of both values is lowered. Bits 5 to 7
/// are 0 only if bits 0 to 4 are 4 or more. So the byte 0 is free to mark placements that no
/// solvable board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) u8);

impl Code {
    /// Largest half of a value.
    pub(super) const MOST: u8 = 31;

    /// The byte of a placement. `large` is the value with the blank in the large region, divided by
    /// 2. `other` is the least value with the blank in any other region, divided by 2. `None` if
    /// `large` is above [`Code::MOST`].
    pub(super) fn new(large: u8, other: u8) -> Option<Self> {
        let large = large.min(other.saturating_add(4));
        let difference = (other + 4 - large).min(7);
        (large <= Self::MOST).then_some(Self(large | difference << 5))
    }

    /// Whether some solvable board has the placement.
    pub(super) fn occurs(self) -> bool {
        self.0 != 0
    }
    /// Whether the value depends on the region of the blank.
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

/// Four bits of a table: 15 minus half of the excess, which is the value minus the sum of the
/// tiles' distances from home.
///
/// The value is the least of all regions. An excess above 28 is stored as 28. The bits are 0 for a
/// placement that no solvable board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Excess(pub(crate) u8);

impl Excess {
    /// Largest half of an excess.
    const MOST: u8 = 14;

    pub(super) fn new(value: u8, distance: u8) -> Self {
        Self(15 - (value.saturating_sub(distance) / 2).min(Self::MOST))
    }

    /// The four bits of an entry: the low half of its byte if the entry's number is even, else the
    /// high half.
    #[inline(always)]
    pub(crate) fn of(byte: u8, entry: u64) -> Self {
        Self(byte >> (4 * (entry & 1)) & 15)
    }

    /// Half of the excess over the tiles' distances from home.
    #[inline(always)]
    pub(crate) fn half(self) -> u8 {
        15 - self.0
    }
}

/// How a table numbers its entries, and how many bits each has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableLayout {
    /// One byte an entry, numbered by the [`Places`](pdb::rank::Places) rank of the tiles' squares.
    /// `k` tiles on `n` squares have `n! / (n - k)!` entries, without gaps.
    Ranked,
    /// Four bits an entry, numbered as [`TableLayout::Ranked`]; entries with even numbers are in
    /// the low bits. Values do not depend on the blank.
    Packed,
    /// One byte an entry, numbered by the sum of `(square of tile i) * n^i`. There are `n^k`
    /// entries: 1.9 times as many as ranked ones for 6 tiles on 25 squares, 8.3 times for 8 on 16.
    /// In return the number needs no comparison of squares. Entries with two tiles on one square
    /// are 0.
    Direct,
}

impl TableLayout {
    /// Bits of an entry.
    pub(super) fn bits(self) -> u64 {
        if self == Self::Packed { 4 } else { 8 }
    }
}

/// Whether a lookup uses the blank's region: the squares that the blank reaches without moving
/// tiles of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlankRegion {
    /// The lookup gives the least value over all regions, as in Korf and Felner's tables (2002).
    Forgotten,
    /// The lookup gives the value for the blank's region. Tables of one byte an entry have two
    /// values: one for the large region, one for all others. Packed tables have one value for all
    /// regions.
    Known,
}

/// For each tile `i` of a direct table: its weight, which is `n^i` for a board of `n` squares.
pub(super) fn weights(pattern: &TilePattern) -> Vec<u64> {
    let squares = (pattern.rows * pattern.columns) as u64;
    (0..pattern.goals.len() as u32).map(|tile| squares.pow(tile)).collect()
}
