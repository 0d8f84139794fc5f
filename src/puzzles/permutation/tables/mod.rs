//! The table files of a definition: their names, and the tables of patterns.

mod names;
mod patterns;

pub(crate) use names::{TableNames, is_named_right};
pub(crate) use patterns::PatternTables;
