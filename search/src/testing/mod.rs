//! The laws of the contracts as a library, and a toy domain: what every domain, heuristic and pruning must pass.

mod pancake;

pub use pancake::{Gap, Pancake};
