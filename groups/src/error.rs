//! The error type of this crate: [`GroupError`].

/// The maximum number of points of a permutation. One 16-bit number is left for "no point".
pub(crate) const MOST_POINTS: usize = u16::MAX as usize;

/// Why a permutation, a base or a tuple of points is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GroupError {
    /// More than [`Permutation::MOST_POINTS`](crate::Permutation::MOST_POINTS) points.
    #[error("{points} points; a permutation has at most {MOST_POINTS}")]
    Points { points: usize },
    /// An image is not below the number of points.
    #[error("the image of point {point} is {image}, outside of the {points} points")]
    Outside { point: usize, image: u16, points: usize },
    /// Two points have the same image.
    #[error("{image} is the image of two points")]
    Twice { image: u16 },
    /// A generator has another number of points than the group.
    #[error("permutation {number} has {found} points, expected {points}")]
    Generator { number: usize, found: usize, points: usize },
    /// The prefix of a base names a point twice, or one that does not exist.
    #[error("base point {point} is named twice or is outside of the {points} points")]
    Base { point: u16, points: usize },
    /// The tuple is longer than the base.
    #[error("a tuple of {asked} base points, but the base has {base}")]
    Tuple { asked: usize, base: usize },
    /// A ranking would need 2^64 ranks or more.
    #[error(
        "the tuple has more than 2^64 - 1 places to go: the orbits have the lengths {lengths:?}"
    )]
    TooMany { lengths: Vec<usize> },
    /// A permutation is not in the group.
    #[error("permutation {number} is not in the group")]
    Member { number: usize },
    /// The caller's `stop` ended the work.
    #[error("stopped")]
    Stopped,
    /// The list of permutations is empty.
    #[error("at least one permutation is needed")]
    Empty,
}
