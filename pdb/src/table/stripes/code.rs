//! How a stripe codes its values: [`StripeCode`].

use search::Cost;

/// Bytes of a stripe. Four stripes share a cache line.
pub(super) const STRIPE_BYTES: usize = 16;
/// Bits of a stripe that hold codes; the minimum is in the other four.
pub(super) const CODE_BITS: u32 = 124;
/// The greatest value that a lookup returns.
pub(super) const MOST: Cost = 14;

/// How values are coded: the bits of an entry, and the base above which values are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripeCode {
    bits: u32,
    base: Cost,
}

impl StripeCode {
    /// One bit an entry, which says whether the value is at most the base or more.
    pub const fn one(base: Cost) -> Self {
        Self { bits: 1, base }
    }
    /// Two bits an entry, which say whether the value is at most the base, base + 1, base + 2, or
    /// more.
    pub const fn two(base: Cost) -> Self {
        Self { bits: 2, base }
    }
    /// Bits of an entry, 1 or 2.
    pub const fn bits(self) -> u32 {
        self.bits
    }
    /// The base. For values up to the base, a lookup returns the minimum of the stripe.
    pub const fn base(self) -> Cost {
        self.base
    }
    /// The greatest code.
    pub(super) const fn most(self) -> Cost {
        (1 << self.bits) - 1
    }
    /// Number of entries of a stripe.
    pub(crate) const fn stripe(self) -> usize {
        (CODE_BITS / self.bits) as usize
    }
    /// Panics if lookups would return values above 14.
    pub(crate) fn check(self) {
        let (base, most) = (self.base, MOST - self.most());
        assert!(base <= most, "the base is {base}, at most {most} is possible");
    }
    /// Bytes of a row with this many columns.
    pub(super) const fn row_bytes(self, columns: usize) -> usize {
        columns.div_ceil(self.stripe()) * STRIPE_BYTES
    }
    /// The stripe that begins at column `first` of a row with `columns` columns. All distances up
    /// to the greatest code must be exact, and the others must be greater.
    pub(crate) fn stripe_of(
        self,
        columns: usize,
        first: usize,
        distance: impl Fn(usize) -> Cost,
    ) -> [u8; STRIPE_BYTES] {
        let mut least = 15;
        let columns = (first..columns.min(first + self.stripe())).enumerate();
        let codes = columns.fold(0_u128, |codes, (slot, column)| {
            let value = distance(column);
            if value <= self.base {
                least = value.min(least);
            }
            let own = value.saturating_sub(self.base).min(self.most());
            codes | u128::from(own) << (self.bits as usize * slot)
        });
        (codes | u128::from(least) << CODE_BITS).to_le_bytes()
    }
    /// The greatest distance of which the table needs to know the entries.
    pub(crate) const fn last_layer(self) -> Cost {
        self.base + self.most() - 1
    }
    /// The name of the code in table files: `one-bit:B` or `two-bit:B`.
    pub fn name(self) -> String {
        format!("{}-bit:{}", if self.bits == 1 { "one" } else { "two" }, self.base)
    }
}

/// Converts a base to the code of two bits an entry.
impl From<Cost> for StripeCode {
    fn from(base: Cost) -> Self {
        Self::two(base)
    }
}
