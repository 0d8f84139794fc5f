//! The engines that search a definition, compiled for states of one size.

mod counts;
mod engine;
pub(crate) mod large;
mod search;
mod with_rules;

pub(crate) use engine::of_model;
pub(crate) use search::Search;
