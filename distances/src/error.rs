//! The error type of this crate: [`DistancesError`].

/// Why learning distances failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistancesError {
    /// The list of goals is empty.
    #[error("no goal was given")]
    NoGoal,
    /// The domain has more of something than the tables can number.
    #[error("the domain has {found} {what}; at most {most} are possible")]
    TooMany {
        /// The things of which the domain has too many.
        what: &'static str,
        /// The number that the domain has.
        found: usize,
        /// The greatest number that is possible.
        most: usize,
    },
    /// The caller cancelled the learner.
    #[error("learning distances was cancelled")]
    Cancelled,
}
