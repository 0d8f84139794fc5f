//! The 2x2x2 cube: the corners of a 3x3x3. It is solved if each face has one colour, however it is
//! held.
//!
//! Without centres the puzzle looks solved in 24 ways, so one corner may be held fixed. A
//! [`Pocket`] has 88,179,840 states as it is held, and 3,674,160 when
//! [normalised](Pocket::normalised). Turns of U, R and F reach all normalised states. A turn of
//! another face equals a turn of the opposite face and a turn of the whole puzzle. So [`Cube2`] has
//! three faces. Its plans are as short as plans with six faces, and they apply to the puzzle as it
//! is held.
//!
//! ```
//! use fewest_cube::CubeMetric;
//! use fewest_cube::cube2::{Cube2, PocketManhattan, parse_state};
//! use search::{InversePruning, Options, ida_star};
//!
//! let domain = Cube2::new(CubeMetric::HalfTurn);
//! let start = parse_state("D R2 x B'").unwrap().normalised();
//! let h = PocketManhattan::new(CubeMetric::HalfTurn);
//! let pruning = InversePruning;
//! let report = ida_star(&domain, &h, &pruning, &start, &Options::default());
//! assert_eq!(report.plan().unwrap().len(), 3);
//! ```

mod colours;
mod distances;
mod domain;
pub(crate) mod facelets;
mod manhattan;
mod metrics;
mod pocket;
mod reference;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use colours::{CORNERS, USUAL, permutations};
pub use distances::{PocketAbstraction, PocketDescription, joint_counts};
pub use domain::Cube2;
pub use facelets::PocketFacelets;
pub use manhattan::PocketManhattan;
pub use metrics::{observe_all, pocket_metrics};
pub use pocket::Pocket;
pub use reference::FaceletPocket;
pub use state::parse_state;
