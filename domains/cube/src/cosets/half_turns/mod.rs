//! Cosets of half turns. Edge slices, corner arrangements up to half turns, and twists tell them
//! apart.
//!
//! A half turn keeps every edge within its slice and every corner within its *tetrad* (an orbit of
//! four corners). It twists and flips nothing. So the following properties are the same for all
//! cubes of a coset. The subgroup of the table is the largest group that leaves all of them
//! unchanged:
//!
//! | what | values |
//! |---|---|
//! | which edges are in which slice's slots | 34,650 |
//! | the arrangement of the corners up to half turns | 420 |
//! | twists of the corners | 3^7 |
//!
//! The table *htr200* distinguishes these properties. *htr204* also tells apart, for each slice,
//! whether an odd number of its pieces are flipped (4 values). With one bit an entry (*htr200-1*,
//! *htr204-1*), a table tells whether a distance is above ten, or above eleven in quarter turns.
//! That is enough for a table that is read before another table.
//!
//! A row is a class of slice arrangements under all 48 symmetries, with parities and a corner
//! arrangement. There are 782 classes. The columns are the twists.
//!
//! Every symmetry maps the subgroup to itself. So there is one view, read for the position and for
//! its inverse. A state needs few lookups, but each prunes less than a lookup of
//! [`AxisFamily::G1`](super::AxisFamily::G1). If this table is read before the G1 table, both
//! together need fewer nodes than either alone.

mod coordinates;
mod edges;
mod family;
mod index;
#[cfg(test)]
mod tests;

pub use coordinates::HalfTurnCoordinates;
pub use family::HalfTurnFamily;

use super::CosetDescription;
use super::views::CosetViews;
use crate::domain::CubeMetric;
use index::HalfTurnIndex;
use pdb::coset::SymmetryReduced;

/// The one view of a table of half turns.
pub type HalfTurnView = CosetViews<HalfTurnIndex>;

impl HalfTurnView {
    /// The view of a table that was built from `reduced`.
    pub fn new(reduced: &SymmetryReduced<HalfTurnCoordinates>) -> Self {
        Self::of_index(HalfTurnIndex::new(reduced))
    }

    /// The description of a family's table at one or two bits an entry, for its file.
    pub fn description(metric: CubeMetric, family: HalfTurnFamily, bits: u32) -> CosetDescription {
        let base = family.code(metric, bits).base();
        CosetDescription::new(metric, family.name(bits), 48, base)
    }
}
