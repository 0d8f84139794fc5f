//! The 3x3x3 cube and the 2x2x2 ([`cube2`]) as domains for the search engine of `search`.
//!
//! Use it to solve cubes optimally, or to find near-optimal plans within milliseconds
//! ([`two_phase`]). It also builds the cube's tables: Korf's pattern databases ([`patterns`]) and
//! coset tables ([`cosets`]).
//!
//! ```
//! use fewest_cube::{Cube3, CubeManhattan, CubeMetric, notation::parse_state};
//! use search::{InversePruning, Options, ida_star};
//!
//! let domain = Cube3::new(CubeMetric::HalfTurn);
//! let start = parse_state("R U2 F'").unwrap();
//! let h = CubeManhattan::new(CubeMetric::HalfTurn);
//! let pruning = InversePruning;
//! let report = ida_star(&domain, &h, &pruning, &start, &Options::default());
//! assert_eq!(domain.plan_text(report.plan().unwrap()), "F U2 R'");
//! ```
//!
//! Look first at
//! - [`Cube3`]: the domain, in half turns or quarter turns, with [`Cube`] states;
//! - [`notation::parse_state`]: a cube from moves, 54 facelets or a name;
//! - [`two_phase::TwoPhase`]: a near-optimal solver with tables of 4.3 MB;
//! - [`stages`]: the cube in the four stages of Thistlethwaite.

mod bytes;
pub mod cosets;
mod cube;
pub mod cube2;
mod cycles;
pub mod decomposition;
mod domain;
mod facelets;
pub mod instances;
mod legality;
pub mod macros;
mod manhattan;
mod metrics;
pub mod notation;
pub mod partial;
pub mod patterns;
mod random;
mod reference;
pub mod stages;
pub mod symmetry;
mod turns;
pub mod two_phase;

pub use bytes::{ByteCube, ByteCube3};
pub use cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
pub use cycles::Cycles;
pub use domain::{Cube3, CubeMetric};
pub use facelets::{Facelets, StickersError};
pub use legality::{LegalityError, PartsError};
pub use manhattan::CubeManhattan;
pub use metrics::cube_metrics;
pub use reference::FaceletCube;
pub use turns::FACES;
