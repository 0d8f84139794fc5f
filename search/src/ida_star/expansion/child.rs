//! The rule of a child: which operators make one, and when it is cut. [`Problem`] and [`Node`].

use super::Counts;
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Heuristic, Verdict};
use crate::pruning::Pruning;

/// The domain, heuristic and pruning of a search, and the step of its bounds.
pub(crate) struct Problem<'a, D, H, P> {
    pub(crate) domain: &'a D,
    pub(crate) heuristic: &'a H,
    pub(crate) pruning: &'a P,
    /// The least difference of two bounds: 2 if all plans from the start have the same parity, else
    /// 1.
    pub(crate) step: Cost,
}

impl<D, H, P> Clone for Problem<'_, D, H, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D, H, P> Copy for Problem<'_, D, H, P> {}

/// A node within the bound. Its children are not made yet.
pub(crate) struct Node<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(crate) state: D::State,
    pub(crate) carry: H::Carry,
    pub(crate) at: P::State,
    /// Operators that start no plan within `remaining`.
    pub(crate) excluded: D::Ops,
    /// The cost that may still be spent from here.
    pub(crate) remaining: Cost,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Clone for Node<D, H, P> {
    fn clone(&self) -> Self {
        let Self { state, carry, at, excluded, remaining } = self;
        Self {
            state: state.clone(),
            carry: carry.clone(),
            at: *at,
            excluded: *excluded,
            remaining: *remaining,
        }
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Problem<'_, D, H, P> {
    /// The first half of the rule of a child, before it is made: what remains at the child, and the
    /// pruning's state there. `None` if the operator costs too much, which records a cut, or leads
    /// to a dead end of the pruning.
    #[inline(always)]
    pub(crate) fn enter(
        &self,
        at: P::State,
        op: Op,
        remaining: Cost,
        counts: &mut Counts,
    ) -> Option<(Cost, P::State)> {
        let cost = self.domain.cost(op);
        if cost > remaining {
            counts.cut(cost - remaining);
            return None;
        }
        let remaining = remaining - cost;
        let next = self.pruning.next(self.domain, at, op);
        (!self.pruning.dead_end(self.domain, next, remaining)).then_some((remaining, next))
    }

    /// The second half of the rule of a child, after its bound is read: whether the child is a
    /// goal. `None` if the child is cut, which is recorded unless it is a dead end.
    #[inline(always)]
    pub(crate) fn judge(
        &self,
        h: Cost,
        state: &D::State,
        remaining: Cost,
        counts: &mut Counts,
    ) -> Option<bool> {
        if h > remaining {
            counts.cut_by_bound::<D, H>(h, remaining);
            return None;
        }
        self.judge_within(h, state, remaining, counts)
    }

    /// [`Problem::judge`] of a child whose bound is within what remains.
    #[inline(always)]
    pub(crate) fn judge_within(
        &self,
        h: Cost,
        state: &D::State,
        remaining: Cost,
        counts: &mut Counts,
    ) -> Option<bool> {
        let goal = h == 0 && self.domain.is_goal(state);
        // If nothing remains, a child that is not cut has the bound 0.
        if h == 0 && !goal && remaining == 0 {
            counts.cut(self.step);
            return None;
        }
        Some(goal)
    }

    /// The operators by which to expand a node. They are applicable, allowed by the pruning and not
    /// excluded, and [`Domain::restrict`] selects among them. Some may lead into dead ends of the
    /// pruning. Records a cut if operators are excluded.
    #[inline(always)]
    pub(crate) fn todo(
        &self,
        state: &D::State,
        at: P::State,
        excluded: D::Ops,
        counts: &mut Counts,
    ) -> D::Ops {
        if !excluded.is_empty() {
            counts.cut(self.step);
        }
        let allowed = self.domain.applicable(state).and(self.pruning.allowed(self.domain, at));
        self.domain.restrict(allowed.minus(excluded))
    }

    /// The child of a node, after [`Problem::enter`], and its bound. For all but hot loops: one
    /// copy of the heuristic serves them.
    #[inline(never)]
    pub(crate) fn child(
        &self,
        node: &Node<D, H, P>,
        op: Op,
        (remaining, at): (Cost, P::State),
    ) -> (Node<D, H, P>, Cost) {
        let mut state = node.state.clone();
        self.domain.apply_into(&node.state, op, &mut state);
        let mut carry = self.heuristic.child(self.domain, &node.state, &node.carry, op, &state);
        let Verdict { h, excluded } = self.bound(&state, &mut carry, remaining);
        (Node { state, carry, at, excluded, remaining }, h)
    }

    /// The bound of a state, in one copy for all but hot loops.
    #[inline(never)]
    pub(crate) fn bound(
        &self,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.heuristic.bound(self.domain, state, carry, limit)
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Node<D, H, P> {
    /// The start state, from which `remaining` may be spent.
    pub(crate) fn root(space: Problem<'_, D, H, P>, start: &D::State, remaining: Cost) -> Self {
        let mut carry = space.heuristic.root(space.domain, start);
        let excluded = space.bound(start, &mut carry, remaining).excluded;
        let at = space.pruning.start(space.domain, start);
        Self { state: start.clone(), carry, at, excluded, remaining }
    }
}
