//! What a beam by pairs of places has: [`PairBeam`].

use super::ball::Ball;
use super::tables::PairTables;
use crate::contents::Contents;
use search::Op;

/// Beams over single operators. A state's rank is its cost and an estimate of what is left: a sum
/// of weights, one for the contents of each pair of places that some operator changes together. The
/// weights are learned. A beam ends in a ball of states around the goal, whose costs are exact.
///
/// This is an n-tuple network, as of Bledsoe and Browning, "Pattern recognition and reading by
/// machine" (1959), trained by differences of neighbours, as in Samuel's checkers (1959).
#[derive(Clone, Debug)]
pub(crate) struct PairBeam {
    pub(super) contents: Contents,
    pub(super) tables: PairTables,
    pub(super) ball: Ball,
    /// The least cost of an operator.
    pub(super) least: u32,
    /// For each operator, and the next: whether that may come next.
    pub(super) follows: Vec<Vec<bool>>,
    /// For each operator, and the next: whether both are more than one operator.
    pub(super) varies: Vec<Vec<bool>>,
    /// The operators, by what they are powers of.
    pub(super) kinds: Vec<Vec<Op>>,
}
