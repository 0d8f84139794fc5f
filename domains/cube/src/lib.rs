//! The 3x3x3 cube as a domain of the fewest search engine.

mod cube;
mod domain;
pub mod symmetry;
mod turns;

pub use cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
pub use domain::{Cube3, Metric};
pub use turns::FACES;
