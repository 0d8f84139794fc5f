//! The table files of a definition: their names, the tables of patterns, and words.

mod names;
mod patterns;
mod words;

pub(crate) use names::{TableNames, is_named_right};
pub(crate) use patterns::PatternTables;
pub(crate) use words::WordFile;
