//! Puzzles and proofs as lines of text, for programs that share nothing with this one:
//! [`PlainPuzzle`] and [`PlainProof`].
//!
//! `docs/CERTIFICATES.md` specifies the lines.

mod certificate;
mod heuristic;
mod puzzle;
mod twins;

pub use certificate::PlainProof;
pub use heuristic::{PlainBlank, PlainHeuristic, PlainTable, PlainView};
pub use puzzle::{PlainBlock, PlainError, PlainMove, PlainPuzzle, line};
