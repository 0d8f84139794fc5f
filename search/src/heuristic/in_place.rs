//! Searching on one working copy of a state that operators change and change back.

use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;
use std::fmt::Debug;

/// A heuristic that keeps what it knows of a state in one working copy, which it changes with each operator and changes back.
///
/// For heuristics that would carry much from node to node of which an operator changes little: the copy of a node costs more than the change
/// ([`ida_star_in_place`](crate::ida_star_in_place)). What an operator changes beyond taking back, such as bounds that were read, is not in
/// the working copy but in a small [`InPlace::Note`] of each node.
///
/// Contract: no bound is above the true cost; [`InPlace::undo`] restores the working copy. The laws are in
/// [`testing::check_in_place`](crate::testing::check_in_place).
pub trait InPlace<D: Domain>: Heuristic<D> {
    /// The state, and what is known of it.
    type Work: Send + Debug + PartialEq;
    /// What belongs to one node, and its children inherit.
    type Note: Copy + Send + Sync + Debug;
    /// What the children of one node are read with.
    type Ready;

    /// The working copy of a state, and its note.
    fn work(&self, domain: &D, state: &D::State) -> (Self::Work, Self::Note);
    /// The state of a working copy.
    fn state(&self, domain: &D, work: &Self::Work) -> D::State;
    /// [`Domain::is_goal`].
    fn is_goal(&self, domain: &D, work: &Self::Work) -> bool;
    /// [`Domain::applicable`].
    fn applicable(&self, domain: &D, work: &Self::Work) -> D::Ops;
    /// What is read of a node before its children, where so much remains.
    fn ready(
        &self,
        domain: &D,
        work: &Self::Work,
        note: &mut Self::Note,
        remaining: Cost,
    ) -> Self::Ready;
    /// Asks for what [`InPlace::step`] will read.
    #[inline(always)]
    fn prefetch(&self, _: &D, _: &Self::Work, _: &Self::Ready, _op: Op) {}
    /// Applies an operator, unless the bound of the child is above the limit, which is what remained less the cost of the operator: then nothing
    /// changes, and a proven value above the limit is returned.
    ///
    /// # Errors
    /// The value above the limit.
    fn step(
        &self,
        domain: &D,
        work: &mut Self::Work,
        note: &Self::Note,
        ready: &Self::Ready,
        op: Op,
        limit: Cost,
    ) -> Result<Self::Note, Cost>;
    /// Takes back the operator that was applied last.
    fn undo(&self, domain: &D, work: &mut Self::Work, op: Op);
}
