//! Coset tables of the cube: two families of subgroups, and the fast index of each.
//!
//! | module | subgroup | tables | views |
//! |---|---|---|---|
//! | `axes` | of one axis, such as U, D and half turns | g256 to htr111 | three, one an axis |
//! | `half_turns` | half turns of all faces | htr200, htr204 | one |
//!
//! The values of three coordinates (a [`pdb::coset::Product`]) tell the cosets of a table apart.
//! Symmetric cosets share an entry ([`pdb::coset::SymmetryReduced`]). Tables have two bits an
//! entry, some have one ([`pdb::table::StripeTable`]).

#[expect(clippy::cast_possible_truncation, reason = "slots, classes and rows are small")]
mod axes;
#[expect(clippy::cast_possible_truncation, reason = "sets of eight slots")]
mod corners;
#[expect(clippy::cast_possible_truncation, reason = "classes and symmetries are 782 and 48")]
mod half_turns;
mod sets;
mod table;
#[cfg(test)]
mod tests;
mod twists;
#[expect(clippy::cast_possible_truncation, reason = "views are few, and halves of a place")]
mod views;

pub use axes::{AxisCoordinates, AxisFamily, AxisViews};
pub use half_turns::{HalfTurnCoordinates, HalfTurnFamily, HalfTurnView};
pub use views::CosetViews;

use crate::domain::CubeMetric;

/// The description of a coset table. Its fields are written in this order, as JSON, to the table's
/// file. The file's fingerprint is computed from them.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct CosetDescription {
    /// Always `3x3x3`.
    pub puzzle: String,
    /// What counts as one move.
    pub metric: CubeMetric,
    /// Always `coset`.
    pub abstraction: String,
    /// Name of an [`AxisFamily`] or a [`HalfTurnFamily`].
    pub family: String,
    /// Number of symmetries that the table is reduced by.
    pub symmetries: u32,
    /// Base value of the code, see [`pdb::table::StripeCode`].
    pub base: u8,
    /// Version of the numbering of entries. It changes when entries get other numbers.
    pub ranking: u32,
}

impl CosetDescription {
    fn new(metric: CubeMetric, family: &str, symmetries: u32, base: u8) -> Self {
        Self {
            puzzle: "3x3x3".to_owned(),
            metric,
            abstraction: "coset".to_owned(),
            family: family.to_owned(),
            symmetries,
            base,
            ranking: 1,
        }
    }
}
