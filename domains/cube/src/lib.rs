//! The 3x3x3 cube and its corners alone, the 2x2x2 ([`cube2`]), as domains of the fewest search
//! engine.
//!
//! ```
//! use fewest_cube::{Cube3, CubeManhattan, CubeMetric, notation::parse_state};
//! use search::{InversePruning, Options, ida_star};
//!
//! let domain = Cube3::new(CubeMetric::HalfTurn);
//! let start = parse_state("R U2 F'").unwrap();
//! let pruning = InversePruning;
//! let report = ida_star(&domain, &CubeManhattan::new(CubeMetric::HalfTurn), &pruning, &start, &Options::default());
//! assert_eq!(domain.plan_text(report.plan().unwrap()), "F U2 R'");
//! ```

mod bytes;
pub mod cosets;
mod cube;
pub mod cube2;
mod cycles;
mod domain;
mod facelets;
mod legality;
mod manhattan;
pub mod notation;
pub mod patterns;
mod random;
mod reference;
pub mod symmetry;
mod turns;
pub mod two_phase;

pub use bytes::{ByteCube, ByteCube3};
pub use cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
pub use cycles::{Cycles, CyclesError};
pub use domain::{Cube3, CubeMetric};
pub use facelets::{Facelets, FaceletsError};
pub use legality::{LegalityError, PartsError};
pub use manhattan::CubeManhattan;
pub use reference::FaceletCube;
pub use turns::FACES;
