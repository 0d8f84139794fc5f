//! Puzzles as lines of text, from which an independent program can check a proof: [`PlainPuzzle`].
//!
//! `docs/CERTIFICATES.md` specifies the lines.

mod puzzle;

pub use puzzle::{PlainBlock, PlainError, PlainMove, PlainPuzzle, line};
