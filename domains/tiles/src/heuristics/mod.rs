//! Heuristics that need no table of a pattern.

mod korf_taylor;
mod linear_conflict;
mod lines;
mod manhattan;

pub use korf_taylor::{KorfTaylor, ManhattanPlus};
pub use linear_conflict::{Conflicts, LinearConflict};
pub use manhattan::TilesManhattan;
