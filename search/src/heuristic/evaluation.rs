//! How a search evaluates a heuristic: [`Evaluation`].

/// How a search evaluates a heuristic: a constant that each heuristic declares as
/// [`Heuristic::EVALUATION`](super::Heuristic::EVALUATION).
///
/// A heuristic made of other heuristics joins their constants with [`Evaluation::or`]. Code that
/// branches on a field writes `if const { H::EVALUATION.staged }`, for then the compiler makes no
/// code for the other branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evaluation {
    /// If true: [`Heuristic::child`](super::Heuristic::child) only prefetches table entries, and
    /// [`Heuristic::bound`](super::Heuristic::bound) reads them later. The search first makes all
    /// children of a node (or of several nodes), then reads their bounds.
    pub staged: bool,
    /// If true: [`Heuristic::screen`](super::Heuristic::screen) may cut a child. A staged search
    /// calls it between `child` and `bound`.
    pub screened: bool,
    /// If true: [`Heuristic::within`](super::Heuristic::within) is too long to be inlined several
    /// times. So the search compiles one loop, even if [`Domain::UNROLL`](crate::Domain::UNROLL) is
    /// true. It calls [`Heuristic::prefetch`](super::Heuristic::prefetch) for all children of a
    /// node before the first `within`.
    pub out_of_line: bool,
    /// If true: a read takes far longer than to make children, for other processes answer it. So
    /// the search expands thousands of nodes at once, and gets what their bounds need by
    /// [`Heuristic::fetch`](super::Heuristic::fetch). Only with `staged`.
    pub remote: bool,
}

impl Evaluation {
    /// The search makes a child, reads its bound and goes down before it makes the next child. All
    /// code is inlined.
    pub const INLINE: Self =
        Self { staged: false, screened: false, out_of_line: false, remote: false };
    /// The search makes all children of a node, then reads their bounds, so that prefetches arrive
    /// in time. Only [`Evaluation::staged`] is true.
    pub const STAGED: Self = Self { staged: true, ..Self::INLINE };
    /// Only [`Evaluation::screened`] is true.
    pub const SCREENED: Self = Self { screened: true, ..Self::INLINE };
    /// Only [`Evaluation::out_of_line`] is true.
    pub const OUT_OF_LINE: Self = Self { out_of_line: true, ..Self::INLINE };
    /// Only [`Evaluation::staged`] and [`Evaluation::remote`] are true.
    pub const REMOTE: Self = Self { remote: true, ..Self::STAGED };

    /// How to evaluate two heuristics together: a field is true if it is true for either of them.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            staged: self.staged || other.staged,
            screened: self.screened || other.screened,
            out_of_line: self.out_of_line || other.out_of_line,
            remote: self.remote || other.remote,
        }
    }
}
