//! Definitions in KPuzzle JSON (standards.cubing.net, draft 3).
//!
//! Keys of this project hold what the format cannot say.

mod json;
mod moves;
mod read;
mod rules;
mod values;
mod write;

pub(crate) use read::read_kpuzzle;
pub(crate) use write::{extensions, write_kpuzzle};
