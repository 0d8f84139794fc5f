//! Numbers for states: [`Ranks`].

/// A number for each state of a puzzle.
pub(super) trait Ranks: Sync {
    /// Memory for the states in hand.
    type Scratch;

    /// The number of the goal.
    fn goal(&self) -> usize;

    fn scratch(&self) -> Self::Scratch;

    /// Calls `tell` with each state from which a move leads to the state `rank`, and with the cost
    /// of this move. Returns false if one of them has no number.
    fn before(
        &self,
        rank: usize,
        scratch: &mut Self::Scratch,
        tell: impl FnMut(usize, u16),
    ) -> bool;
}
