//! The 3x3x3 solved stage by stage: Morwen Thistlethwaite's chain of subgroups.

mod thistlethwaite;

pub use thistlethwaite::{CubeView, Thistlethwaite};
