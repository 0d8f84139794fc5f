//! Heuristics that are read from one working copy of a state: [`InPlace`].

use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;
use std::fmt::Debug;

/// A heuristic with one working copy of the state. Each operator changes it and changes it back.
///
/// For heuristics that would carry much data of which an operator changes little
/// ([`ida_star_in_place`](crate::ida_star_in_place)). Data that cannot be changed back, such as
/// bounds that were read, is in the small [`InPlace::Note`] of each node.
///
/// Contract: no bound is above the true cost, and [`InPlace::undo`] restores the working copy. The
/// laws are in
/// [`testing::check_in_place`](crate::testing::check_in_place).
pub trait InPlace<D: Domain>: Heuristic<D> {
    /// The working copy: the state and data about it.
    type Work: Send + Debug + PartialEq;
    /// The data of one node, inherited by its children.
    type Note: Copy + Send + Sync + Debug;
    /// Per-node data shared by all [`InPlace::step`] calls.
    type Ready;

    /// The working copy of a state, and its note.
    fn work(&self, domain: &D, state: &D::State) -> (Self::Work, Self::Note);
    /// The state of a working copy.
    fn state(&self, domain: &D, work: &Self::Work) -> D::State;
    /// [`Domain::is_goal`].
    fn is_goal(&self, domain: &D, work: &Self::Work) -> bool;
    /// [`Domain::applicable`].
    fn applicable(&self, domain: &D, work: &Self::Work) -> D::Ops;
    /// Reads what the children of a node share. `remaining` may still be spent from the node.
    fn ready(
        &self,
        domain: &D,
        work: &Self::Work,
        note: &mut Self::Note,
        remaining: Cost,
    ) -> Self::Ready;
    /// Prefetches what [`InPlace::step`] will read. [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _: &D, _: &Self::Work, _: &Self::Ready, _op: Op) {}
    /// Applies an operator if the child's bound is within `limit`, which is what remains after it.
    ///
    /// # Errors
    /// A proven value above the limit. The working copy is then unchanged.
    fn step(
        &self,
        domain: &D,
        work: &mut Self::Work,
        note: &Self::Note,
        ready: &Self::Ready,
        op: Op,
        limit: Cost,
    ) -> Result<Self::Note, Cost>;
    /// Undoes the operator that was applied last.
    fn undo(&self, domain: &D, work: &mut Self::Work, op: Op);
}
