//! Puzzles and proofs as lines of text, for programs that share nothing with this one:
//! [`PlainPuzzle`] and [`PlainProof`]. And the distances of all states of such a puzzle:
//! [`StateDistances`].
//!
//! `docs/CERTIFICATES.md` specifies the lines and files.

mod certificate;
mod distances;
mod heuristic;
mod puzzle;
mod twins;

pub use certificate::PlainProof;
pub use distances::{ChainLevel, DistanceFault, DistanceStep, StateDistances, StateNumbers};
pub use heuristic::{PlainHeuristic, PlainTable, PlainView};
pub use puzzle::{PlainBlock, PlainError, PlainMove, PlainPuzzle, line};
