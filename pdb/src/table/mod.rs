//! Tables of distances in memory.
//!
//! | type | bits of an entry | values |
//! |---|---|---|
//! | [`PackedTable`] | 2, 4 or 8 | exact distances; one value marks entries that reach no goal |
//! | [`Modulo3`] | 2 | distances modulo 3; a walk to a goal gives the exact distance |
//! | [`StripeTable`] | 1 or 2 | lower bounds, exact close above a base value |

mod histogram;
mod packed;
mod residues;
mod stripes;

pub use histogram::Histogram;
pub use packed::PackedTable;
pub use residues::{Modulo3, residues};
pub use stripes::{StripeCode, StripeLines, StripePlace, StripeTable};
