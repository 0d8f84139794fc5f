//! Checks plain certificates: that a plan solves a puzzle, and that no plan costs less.
//!
//! `docs/CERTIFICATES.md` specifies the format, in its section "Plain certificates". This crate is
//! written from that section alone, and uses no crate of the program that writes certificates. It
//! prefers what is easy to read to what is fast.
//!
//! | module | what it checks |
//! |---|---|
//! | `text` | lines, words and numbers |
//! | `puzzle` | blocks, boards, moves, the goal |
//! | `rules` | that each forbidden string has a twin, that views keep distances |
//! | `space` | distances in any abstraction: computed, or checked edge by edge |
//! | `words`, `tiles` | the states of tables, their ranks, and the moves between them |
//! | `table` | one table: computed or read, and its lookup |
//! | `certificate` | the lines of a certificate, and their order |
//! | `search` | nodes, the heuristic, units |
//! | `check` | all of these in turn, and the claim |
//! | `distances` | a file of all distances of a puzzle |
//!
//! Numbers are `usize`. Entries of tables are bytes.

#![expect(clippy::cast_possible_truncation, reason = "ranks are below 2^32, squares below 64")]

mod certificate;
mod check;
mod distances;
mod puzzle;
mod rules;
mod search;
mod space;
mod table;
mod text;
mod tiles;
mod words;

pub use check::check;
pub use table::Checks;
pub use text::Objection;
