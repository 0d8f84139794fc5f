//! [`Pieces`]: states as effects on pieces in slots.

use super::encodings::Effect;

/// The states of a puzzle as what takes the pieces of the solved one there.
pub(crate) trait Pieces<S>: Sync {
    /// For each orbit of slots: how many there are, and in how many ways a piece lies in one.
    fn orbits(&self) -> Vec<(usize, usize)>;
    /// The effects of the operators, in order.
    fn operators(&self) -> Vec<Effect>;
    /// What takes the solved state to another. `None` if several things do, or the goal is not that
    /// state alone.
    fn effect(&self, state: &S) -> Option<Effect>;
    /// The state to which an effect takes the solved one. `None` if no operators lead there.
    fn state(&self, effect: &Effect) -> Option<S>;
}
