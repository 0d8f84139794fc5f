//! How a search evaluates a heuristic: [`Evaluation`].

/// How a search evaluates a heuristic: a constant that each heuristic declares as
/// [`Heuristic::EVALUATION`](super::Heuristic::EVALUATION).
///
/// A heuristic made of other heuristics joins their constants with [`Evaluation::then`]. Code that
/// branches on it writes `if const { H::EVALUATION.is_staged() }`, for then the compiler makes no
/// code for the other branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evaluation {
    /// The stages in which a search reads the heuristic for many children: how often it calls
    /// [`Heuristic::ask`](super::Heuristic::ask). 0: the search makes a child, reads its bound and
    /// goes down before it makes the next child.
    pub stages: usize,
    /// If true: [`Heuristic::within`](super::Heuristic::within) is too long to be inlined several
    /// times. So the search compiles one loop, even if [`Domain::UNROLL`](crate::Domain::UNROLL) is
    /// true.
    pub out_of_line: bool,
    /// If true: other processes answer, and a read takes far longer than to make children. So the
    /// search expands thousands of nodes at once. Only with stages.
    pub remote: bool,
}

impl Evaluation {
    /// The search evaluates child by child. All code is inlined.
    pub const INLINE: Self = Self { stages: 0, out_of_line: false, remote: false };
    /// The search makes all children of a node, then reads their bounds, so that prefetches arrive
    /// in time.
    pub const STAGED: Self = Self::staged(1);
    /// As [`Evaluation::INLINE`], but out of line.
    pub const OUT_OF_LINE: Self = Self { out_of_line: true, ..Self::INLINE };
    /// As [`Evaluation::STAGED`], but the answers come from other processes.
    pub const REMOTE: Self = Self { remote: true, ..Self::STAGED };

    /// As [`Evaluation::STAGED`], with this number of stages.
    pub const fn staged(stages: usize) -> Self {
        Self { stages, ..Self::INLINE }
    }

    /// Whether the search makes many children before it reads their bounds.
    pub const fn is_staged(self) -> bool {
        self.stages > 0
    }

    /// The same, but with one stage if there are several.
    #[must_use]
    pub(crate) const fn in_one_stage(self) -> Self {
        Self { stages: if self.is_staged() { 1 } else { 0 }, ..self }
    }

    /// The calls of [`Heuristic::ask`](super::Heuristic::ask) for children that are evaluated
    /// together.
    pub const fn asks(self) -> usize {
        if self.stages == 0 { 1 } else { self.stages }
    }

    /// How to evaluate two heuristics together, one after the other.
    #[must_use]
    pub const fn then(self, other: Self) -> Self {
        let staged = self.is_staged() || other.is_staged();
        Self {
            stages: if staged { self.asks() + other.asks() } else { 0 },
            out_of_line: self.out_of_line || other.out_of_line,
            remote: self.remote || other.remote,
        }
    }
}
