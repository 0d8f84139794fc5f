//! How a search evaluates a heuristic: [`Evaluation`].

/// What a search knows at compile time about how to evaluate a heuristic.
///
/// The constants are joined by [`Evaluation::or`]. A wrapper passes on what its parts say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evaluation {
    /// [`Heuristic::child`](super::Heuristic::child) prefetches. The search makes all children of
    /// a node before it reads any.
    pub staged: bool,
    /// [`Heuristic::screen`](super::Heuristic::screen) may cut a child. The staged expansion calls
    /// it between `child` and `bound`.
    pub screened: bool,
    /// [`Heuristic::within`](super::Heuristic::within) is long. It is compiled once and not for
    /// each pair of operators. `prefetch` is called for all children before.
    pub out_of_line: bool,
}

impl Evaluation {
    /// Each child at once, inlined.
    pub const INLINE: Self = Self { staged: false, screened: false, out_of_line: false };
    /// See [`Evaluation::staged`].
    pub const STAGED: Self = Self { staged: true, ..Self::INLINE };
    /// See [`Evaluation::screened`].
    pub const SCREENED: Self = Self { screened: true, ..Self::INLINE };
    /// See [`Evaluation::out_of_line`].
    pub const OUT_OF_LINE: Self = Self { out_of_line: true, ..Self::INLINE };

    /// What either of two heuristics asks for: how to evaluate them together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            staged: self.staged || other.staged,
            screened: self.screened || other.screened,
            out_of_line: self.out_of_line || other.out_of_line,
        }
    }
}
