//! Definitions of lines and words: `.tws` of twsearch, `.def` of ksolve and ksolve+.

pub(crate) mod block;
pub(crate) mod lines;
mod read;
pub(crate) mod rules;
mod words;
mod write;

pub(crate) use read::read_tws;
pub(crate) use write::{extensions, write_state, write_tws};
