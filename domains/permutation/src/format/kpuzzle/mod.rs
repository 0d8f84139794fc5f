//! Definitions in KPuzzle JSON (standards.cubing.net, draft 3).
//!
//! Keys of this project hold what the format cannot say.

mod json;
mod moves;
mod pattern;
mod read;
mod rules;
mod values;
mod write;

pub(crate) use json::read_values;
pub(crate) use pattern::{read_patterns, read_raw};
pub(crate) use read::read_kpuzzle;
pub(crate) use write::{extensions, write_kpuzzle, write_pattern};
