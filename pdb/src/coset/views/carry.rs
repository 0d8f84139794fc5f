//! The data that a search carries for a node: the values of its sides, and which of them another
//! child shares. A side is the position or its inverse, read in one view.
//!
//! A side has one byte, so one word holds all sides.
#![expect(clippy::cast_possible_truncation, reason = "values have four bits, sides three")]

use search::Cost;
use std::hint::select_unpredictable;

/// Maximum number of sides: four views, each of the position and of its inverse. Side `2 v` is the
/// position in view `v`, side `2 v + 1` the inverse.
pub(super) const SIDES: usize = 8;
/// A 1 in the byte of each side.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Bit 7 of the byte of each side: a flag.
pub(super) const FLAGS: u64 = ONES << 7;
/// The low four bits of each byte: one more than a value.
const VALUES: u64 = 15 * ONES;
/// The bytes of the sides of the position. The other bytes are those of the inverse.
const POSITIONS: u64 = 0x00ff_00ff_00ff_00ff;

/// The data that a search carries for a node. 16 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Carry {
    /// One byte for each side. Bit 7: whether the value is known (inherited or read). Bits 0 to 3:
    /// the value plus 1. If it is not known, it is the value of the parent.
    sides: [u8; SIDES],
    /// A byte for each side:
    ///
    /// - bit 7: the partner shares the side. The partner is the child by the other operator of the
    ///   pair;
    /// - bit 6: the value equals the limit (until the child is evaluated: the parent's value did);
    /// - bit 5: the value is one below the limit (until the child is evaluated: the parent's value
    ///   was).
    ///
    /// Bits 0 to 1 of byte 0: how many children after this one its partner is. 0 if no partner
    /// comes after.
    hints: u64,
}

/// The byte 7 for side 0, down to 0 for side 7.
const RANKS: u64 = u64::from_le_bytes([7, 6, 5, 4, 3, 2, 1, 0]);
/// The hints that a child takes over from its parent.
const LIMITS: u64 = FLAGS >> 1 | FLAGS >> 2;

/// A word with 255 in each byte whose flag is set, else 0.
#[inline(always)]
fn bytes(flags: u64) -> u64 {
    (flags >> 7) * 255
}

/// The flag of a side.
#[inline(always)]
pub(super) fn flag(side: usize) -> u64 {
    128 << (8 * (side & (SIDES - 1)))
}

/// Packs the flags into one bit for each side, the lowest first.
#[inline(always)]
pub(super) fn bits(flags: u64) -> u8 {
    ((flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The greatest byte of a word.
#[inline(always)]
pub(super) fn greatest(bytes: u64) -> u8 {
    // Two bytes a lane at first: bit 8 of a difference says which is greater.
    let (a, b) = (bytes & POSITIONS, bytes >> 8 & POSITIONS);
    let greater = ((a | 0x0100_0100_0100_0100) - b) >> 8 & 0x0001_0001_0001_0001;
    let lanes = b ^ (a ^ b) & (greater * 255);
    let lanes = lanes.to_le_bytes();
    lanes[0].max(lanes[2]).max(lanes[4].max(lanes[6]))
}

impl Carry {
    /// A carry in which no value is known.
    pub(in crate::coset) const UNKNOWN: Self = Self { sides: [1; SIDES], hints: 0 };

    /// The bytes of all sides as a word.
    #[inline(always)]
    pub(super) fn word(&self) -> u64 {
        u64::from_le_bytes(self.sides)
    }

    /// The flags of the sides that are not known.
    #[inline(always)]
    pub(super) fn unknown(&self, all: u64) -> u64 {
        !self.word() & all
    }

    /// Sets the value of a side and marks it as known.
    #[inline(always)]
    pub(in crate::coset) fn know(&mut self, side: usize, value: Cost) {
        self.sides[side % SIDES] = (value + 1) | 128;
    }

    /// The value of a side, which must be known.
    #[inline(always)]
    pub(super) fn value(&self, side: usize) -> Cost {
        // A damaged table may say 15, which is stored as 16.
        (self.sides[side % SIDES] & 31) - 1
    }

    /// The flags of the sides that have this value. No flags if the value is above 14. All sides
    /// must be known.
    #[inline(always)]
    pub(super) fn at(&self, value: Cost, all: u64) -> u64 {
        // Without their flags, the bytes of `other` are 0 for sides with this value, and at most 31
        // for all others.
        let byte = (u64::from(value.min(15)) + 1) | 128;
        let other = self.word() ^ (byte * ONES);
        !((other & !FLAGS) + (ONES * 127)) & all
    }

    /// How many children after this one its partner is. 0 if no partner comes after.
    #[inline(always)]
    pub(super) fn after(&self) -> usize {
        (self.hints & 3) as usize
    }

    /// Notes that the partner comes `distance` children after this one.
    #[inline(always)]
    pub(super) fn note_after(&mut self, distance: u8) {
        self.hints |= u64::from(distance);
    }

    /// The carry of a child before any lookup. `kept` has no flags for the sides that the child's
    /// operator changes.
    #[inline(always)]
    pub(super) fn child(&self, kept: u64, hints: u64) -> Self {
        Self { sides: (self.word() & kept).to_le_bytes(), hints: self.hints & LIMITS | hints }
    }

    /// Notes which sides have a value at the limit, and which have one below it. All sides must be
    /// known.
    #[inline(always)]
    pub(super) fn note_limit(&mut self, at: u64, below: u64) {
        self.hints = self.hints & !LIMITS | at >> 1 | below >> 2;
    }

    /// The flags of the sides to read first. If the child has a partner: all unknown sides that
    /// both share. Otherwise one unknown side: one that was at the limit in the parent, else one
    /// that was one below, else any. None if all sides are known.
    #[inline(always)]
    pub(super) fn first(&self, all: u64) -> u64 {
        let unknown = self.unknown(all);
        let some = |these: u64, others: u64| if these == 0 { others } else { these };
        let these = some(self.hints << 1 & unknown, some(self.hints << 2 & unknown, unknown));
        some(self.hints & FLAGS, these & these.wrapping_neg())
    }

    /// The unknown side with the greatest value in the parent, and whether any side is unknown.
    #[inline(always)]
    pub(super) fn greatest(&self, all: u64) -> (usize, bool) {
        // Four bits of the value (at most 14, stored as 15), three of the side. No value is stored
        // as 0.
        let key = greatest(((self.word() & VALUES) << 4 | RANKS) & bytes(self.unknown(all)));
        (usize::from(7 - (key & 7)), key > 0)
    }

    /// The greatest value of all sides, and the bound of the rule of equal views. If all sides of
    /// one end have the same value above 0, the bound is one more than that value. It is the
    /// greater one of both ends, or 0 if neither gives one. All sides must be known. Sides of
    /// missing views are 0 in `all`.
    #[inline(always)]
    pub(super) fn most(&self, all: u64) -> (Cost, Cost) {
        let values = self.word() & VALUES & bytes(all);
        // The sides whose value differs from that of the side before, at the same end.
        let differ = (values ^ values >> 16) & bytes(all) >> 16;
        // The CPU cannot predict whether the values are equal.
        let equal = |values: u64, differ: u64| {
            select_unpredictable(differ & POSITIONS == 0, values & 15, 0)
        };
        let (positions, inverses) = (equal(values, differ), equal(values >> 8, differ >> 8));
        let equal = select_unpredictable(positions > inverses, positions, inverses) as Cost;
        (greatest(values) - 1, if equal > 1 { equal } else { 0 })
    }
}
