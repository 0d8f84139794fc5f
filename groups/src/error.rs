//! What is wrong with permutations, bases and tuples: [`GroupError`].

use super::Permutation;

/// A permutation, a base, a tuple or a pattern is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GroupError {
    /// More points than numbers of 16 bits.
    #[error("{points} points; a permutation has at most {}", Permutation::MOST_POINTS)]
    Points { points: usize },
    /// An image is no point.
    #[error("the image of point {point} is {image}, outside of the {points} points")]
    Outside { point: usize, image: u16, points: usize },
    /// No permutation.
    #[error("{image} is the image of two points")]
    Twice { image: u16 },
    /// Permutations that do not fit together.
    #[error("permutation {number} has {found} points, expected {points}")]
    Generator { number: usize, found: usize, points: usize },
    /// A bad prefix of a base.
    #[error("base point {point} is named twice or is outside of the {points} points")]
    Base { point: u16, points: usize },
    /// More points than the base has.
    #[error("a tuple of {asked} base points, but the base has {base}")]
    Tuple { asked: usize, base: usize },
    /// Too large to be numbered.
    #[error(
        "the tuple has more than 2^64 - 1 places to go: the orbits have the lengths {lengths:?}"
    )]
    TooMany { lengths: Vec<usize> },
    /// Not an element of the group.
    #[error("permutation {number} is not in the group")]
    Member { number: usize },
    /// Nothing where something is needed.
    #[error("at least one permutation is needed")]
    Empty,
}
