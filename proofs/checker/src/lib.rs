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
//! | `certificate` | the lines of a certificate, and their order |
//! | `forbidden` | that each forbidden string has a twin |
//! | `view` | that a view keeps distances |
//! | `space` | distances in any abstraction: computed, or checked edge by edge |
//! | `words`, `tiles` | the abstractions of tables, and the ranks of their states |
//! | `table` | one table: computed or read, and its lookup |
//! | `search` | nodes, the heuristic, units |
//! | `check` | all of these in turn, and the claim |
//! | `distances` | a file of all distances of a puzzle |

#![expect(
    clippy::cast_possible_truncation,
    reason = "sizes are checked when they are read: 65,534 points and moves, 64 squares, 2^32 states"
)]

mod certificate;
mod check;
mod distances;
mod forbidden;
mod puzzle;
mod search;
mod space;
mod table;
mod text;
mod tiles;
mod view;
mod words;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("tables have up to 2^32 entries");

pub use check::{Checks, check};
pub use text::Objection;
