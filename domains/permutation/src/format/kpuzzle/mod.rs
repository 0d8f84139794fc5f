//! Definitions in KPuzzle JSON (standards.cubing.net, draft 3), with keys of ours for what it cannot say.

mod json;
mod read;
mod rules;
mod values;
mod write;

pub(crate) use read::read_kpuzzle;
