//! The state space of a search: three closures behind one trait, so that a search has two type
//! parameters in place of six.

use super::costs::Number;

/// What a search needs from its caller.
pub(super) trait StateSpace<N> {
    /// The type of costs and estimates.
    type Cost: Number;
    /// The type of lists of successors.
    type Successors: IntoIterator<Item = (N, Self::Cost)>;
    /// The successors of a state with the costs of their steps.
    fn successors(&mut self, state: &N) -> Self::Successors;
    /// The estimate of the cost from a state to a goal.
    fn estimate(&mut self, state: &N) -> Self::Cost;
    /// Whether a state is a goal.
    fn is_goal(&mut self, state: &N) -> bool;
}

/// A state space of three closures: successors, estimate and goal test.
pub(super) struct Closures<S, H, G>(pub(super) S, pub(super) H, pub(super) G);

impl<N, C, I, S, H, G> StateSpace<N> for Closures<S, H, G>
where
    C: Number,
    I: IntoIterator<Item = (N, C)>,
    S: FnMut(&N) -> I,
    H: FnMut(&N) -> C,
    G: FnMut(&N) -> bool,
{
    type Cost = C;
    type Successors = I;
    #[inline(always)]
    fn successors(&mut self, state: &N) -> I {
        (self.0)(state)
    }
    #[inline(always)]
    fn estimate(&mut self, state: &N) -> C {
        (self.1)(state)
    }
    #[inline(always)]
    fn is_goal(&mut self, state: &N) -> bool {
        (self.2)(state)
    }
}
