//! Lower bounds on the cost to a goal: the [`Heuristic`] trait and the zero heuristic.

mod additive;
mod batch;
mod in_place;
mod max;
mod max_of_sums;

pub use additive::{Additive, Charged, Overlap};
pub use batch::{ChildBatch, FilterStage, Lookup, LookupBatch, Slack, Survivors};
pub use in_place::InPlace;
pub use max::Max;
pub use max_of_sums::{
    ActiveMembers, AdditiveBounds, CopiedSums, MaxOfSums, MaxOfSumsError, SumCache, WIDEST,
};

use crate::domain::{Cost, Domain, Op, OpSet};

/// What a heuristic says of a state, asked with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<O> {
    /// A lower bound on the cost to a goal; where it is above the limit, any proven value above the limit (reading stops there).
    pub h: Cost,
    /// If `h <= limit`: operators that start *no* plan of cost `<= limit` from here. Empty where nothing is known.
    pub excluded: O,
}

impl<O: OpSet> Verdict<O> {
    /// A bound that excludes no operator.
    #[inline(always)]
    pub fn bound(h: Cost) -> Self {
        Self { h, excluded: O::NONE }
    }
}

/// A lower bound on the cost to a goal, in two steps: [`Heuristic::child`] computes what a child carries and prefetches;
/// [`Heuristic::bound`] reads later.
///
/// Contract: never above the true cost (admissible). A smaller value keeps the answer right and makes the search do
/// more work. The laws are in [`testing::check_heuristic`](crate::testing::check_heuristic).
pub trait Heuristic<D: Domain>: Sync {
    /// What a node carries for the heuristic: partial indices, inherited values; `()` if nothing.
    type Carry: Clone + Send + Sync + std::fmt::Debug + 'static;

    /// True: [`Heuristic::child`] prefetches, so the staged expansion makes all children of a node before it reads
    /// any. [default: no]
    const PREFETCHES: bool = false;

    /// True: a child may be cut before all its reads, so the staged expansion calls [`Heuristic::screen`] between
    /// [`Heuristic::child`] and [`Heuristic::bound`]. [default: no]
    const SCREENS: bool = false;

    /// True: [`Heuristic::within`] is long, and is compiled in one place instead of once for each operator and operator before. [default: no]
    const OUTLINED: bool = false;

    /// What the start state carries.
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// What a child carries: arithmetic and prefetching only. `to` is already the successor of `from` by `op`.
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry;

    /// Reads the bound. Called once a child, in operator order, never for a child that the search did not reach.
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops>;

    /// [`Heuristic::child`] and [`Heuristic::bound`] in one: what the child carries and its bound, or, if that is above the limit, a proven value
    /// above it. A heuristic that can cut a child before it has made all that the child would carry does so here. The one-phase expansion
    /// calls nothing else. [default: one after the other]
    ///
    /// # Errors
    /// The value above the limit.
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(Self::Carry, Verdict<D::Ops>), Cost> {
        let mut carry = self.child(domain, from, carry, op, to);
        let verdict = self.bound(domain, to, &mut carry, limit);
        if verdict.h > limit { Err(verdict.h) } else { Ok((carry, verdict)) }
    }

    /// Reads what [`Heuristic::child`] asked for: a proven value above the limit if that is enough to cut, else `None`, and then asks for
    /// what [`Heuristic::bound`] will read. The bound is the same with and without this call. [default: `None`]
    #[inline(always)]
    fn screen(&self, _: &D, _: &D::State, _: &mut Self::Carry, _limit: Cost) -> Option<Cost> {
        None
    }

    /// [`Heuristic::child`] for several children, side by side: overwrites `made.carries[i]` with what child `i` carries, whose parent is the state and has the carry
    /// `from(i)`. What [`Heuristic::filter_batch`] is to read first may be added to `made.batch`. [default: one after another]
    #[inline(always)]
    fn child_batch<'a>(
        &self,
        domain: &D,
        from: impl Fn(usize) -> (&'a D::State, &'a Self::Carry),
        made: ChildBatch<'_, D::State, Self::Carry>,
    ) {
        for (number, ((&op, to), child)) in
            made.ops.iter().zip(made.states).zip(made.carries).enumerate()
        {
            let (state, carry) = from(number);
            *child = self.child(domain, state, carry, op, to);
        }
    }

    /// [`Heuristic::screen`] for several children, side by side, in stages, called until it says that it is [`FilterStage::Done`] or no child is left.
    /// Children are numbered as in [`Heuristic::child_batch`]. A stage that says [`FilterStage::Cuts`] has given children proven values in
    /// [`Slack::proven`](crate::Slack::proven), and those with values above their limits are no longer among those that are left.
    /// [default: one after another, once]
    #[inline(always)]
    fn filter_batch(
        &self,
        domain: &D,
        children: Survivors<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> FilterStage {
        if !Self::SCREENS || stage > 0 {
            return FilterStage::Done;
        }
        for child in children.left.iter().map(|&child| usize::from(child)) {
            let (state, carry) = (&children.states[child], &mut children.carries[child]);
            let slack = &mut children.slack[child];
            slack.proven = self.screen(domain, state, carry, slack.limit).unwrap_or(0);
        }
        FilterStage::Cuts
    }

    /// True: the bound never falls by more than the cost of an operator. [default: not claimed]
    fn consistent(&self) -> bool {
        false
    }

    /// The bound of one state on its own.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        let mut carry = self.root(domain, state);
        self.bound(domain, state, &mut carry, Cost::MAX).h
    }
}

impl<D: Domain, H: Heuristic<D>> Heuristic<D> for &H {
    type Carry = H::Carry;
    const PREFETCHES: bool = H::PREFETCHES;
    const SCREENS: bool = H::SCREENS;
    const OUTLINED: bool = H::OUTLINED;
    #[inline(always)]
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        (**self).root(domain, state)
    }
    #[inline(always)]
    fn screen(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        (**self).screen(domain, state, carry, limit)
    }
    #[inline(always)]
    fn child_batch<'a>(
        &self,
        domain: &D,
        from: impl Fn(usize) -> (&'a D::State, &'a Self::Carry),
        made: ChildBatch<'_, D::State, Self::Carry>,
    ) {
        (**self).child_batch(domain, from, made);
    }
    #[inline(always)]
    fn filter_batch(
        &self,
        domain: &D,
        children: Survivors<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> FilterStage {
        (**self).filter_batch(domain, children, stage)
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        (**self).child(domain, from, carry, op, to)
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        (**self).bound(domain, state, carry, limit)
    }
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(Self::Carry, Verdict<D::Ops>), Cost> {
        (**self).within(domain, from, carry, op, to, limit)
    }
    fn consistent(&self) -> bool {
        (**self).consistent()
    }
}

/// Knows nothing. Admissible: yes (zero is below every cost). Consistent: yes (it never changes).
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    type Carry = ();
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(0)
    }
    fn consistent(&self) -> bool {
        true
    }
}
