//! Why no log was written: [`LogError`].

use std::io;

/// Why no log was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// There is a plan within the bound, so there is nothing to prove.
    #[error("there is a plan within the bound")]
    Plan,
    /// The search is too large.
    #[error("the search of the proof log generates more than {most} nodes")]
    TooMany {
        /// The most nodes that were allowed.
        most: u64,
    },
    /// The bound is above 250.
    #[error("a bound of {bound}: at most 250")]
    Bound {
        /// The bound.
        bound: usize,
    },
    /// The goals have other pieces than the start, so there is no plan at any cost.
    #[error("a goal has other pieces than the start")]
    Pieces,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A text could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
