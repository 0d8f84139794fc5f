//! The search within one stage: its domain [`Ground`], and its heuristic and pruning as [`Guide`].

use crate::domain::{Cost, Domain, Kernel, Op, OpSet};
use crate::heuristic::{ChildBatch, Evaluation, FilterStage, Heuristic, Step, Survivors, Verdict};
use crate::pruning::Pruning;

/// The domain in which a stage searches: the operators and the goals of the stage.
pub(super) struct Ground<'a, D, O, G> {
    pub(super) domain: &'a D,
    pub(super) operators: O,
    pub(super) goal: &'a G,
}

impl<D, G> Domain for Ground<'_, D, D::Ops, G>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
{
    type State = D::State;
    type Ops = D::Ops;
    const UNROLL: bool = D::UNROLL;
    const UNIT_COSTS: bool = D::UNIT_COSTS;
    #[inline(always)]
    fn operators(&self) -> usize {
        self.domain.operators()
    }
    #[inline(always)]
    fn applicable(&self, state: &D::State) -> D::Ops {
        self.domain.applicable(state).and(self.operators)
    }
    #[inline(always)]
    fn apply_into(&self, from: &D::State, op: Op, to: &mut D::State) {
        self.domain.apply_into(from, op, to);
    }
    #[inline(always)]
    fn is_goal(&self, state: &D::State) -> bool {
        (self.goal)(state)
    }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        self.domain.cost(op)
    }
    #[inline(always)]
    fn restrict(&self, allowed: D::Ops) -> D::Ops {
        self.domain.restrict(allowed)
    }
    #[inline(always)]
    fn successors<'a>(
        &self,
        from: impl Fn(usize) -> &'a D::State,
        ops: &[Op],
        to: &mut [D::State],
    ) {
        self.domain.successors(from, ops, to);
    }
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        self.domain.with_target_features(kernel)
    }
}

/// The heuristic and the pruning of a stage, in its domain [`Ground`].
pub(super) struct Guide<'a, O, T> {
    pub(super) of: &'a T,
    /// `Some` if plans must cost exactly the limit: for each remaining cost, the operators that
    /// must not be the last ones. `None` if plans may cost less.
    pub(super) ends: Option<&'a [O]>,
}

impl<O: OpSet, T> Guide<'_, O, T> {
    /// If plans must have an exact cost, changes a verdict accordingly. A goal with cost remaining
    /// is no goal, and an operator of the next stage must not be the last one.
    #[inline(always)]
    fn exactly(&self, verdict: Verdict<O>, limit: Cost) -> Verdict<O> {
        let Some(ends) = self.ends else { return verdict };
        let Verdict { h, excluded } = verdict;
        let ends = ends.get(usize::from(limit)).copied().unwrap_or(O::NONE);
        Verdict { h: h.max(Cost::from(limit > 0)), excluded: excluded.or(ends) }
    }
}

impl<'d, D, G, H> Heuristic<Ground<'d, D, D::Ops, G>> for Guide<'_, D::Ops, H>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
{
    type Carry = H::Carry;
    const EVALUATION: Evaluation = H::EVALUATION;
    // No bound is changed to or from [`Cost::MAX`].
    const DEAD_ENDS: bool = H::DEAD_ENDS;
    #[inline(always)]
    fn prefetch(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        from: &D::State,
        carry: &H::Carry,
        op: Op,
    ) {
        self.of.prefetch(ground.domain, from, carry, op);
    }
    fn root(&self, ground: &Ground<'d, D, D::Ops, G>, state: &D::State) -> H::Carry {
        self.of.root(ground.domain, state)
    }
    #[inline(always)]
    fn child(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        from: &D::State,
        carry: &H::Carry,
        op: Op,
        to: &D::State,
    ) -> H::Carry {
        self.of.child(ground.domain, from, carry, op, to)
    }
    #[inline(always)]
    fn bound(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.exactly(self.of.bound(ground.domain, state, carry, limit), limit)
    }
    #[inline(always)]
    fn screen(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        self.of.screen(ground.domain, state, carry, limit)
    }
    #[inline(always)]
    fn child_batch<'a>(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        from: impl Fn(usize) -> (&'a D::State, &'a H::Carry),
        made: ChildBatch<'_, D::State, H::Carry>,
    ) {
        self.of.child_batch(ground.domain, from, made);
    }
    #[inline(always)]
    fn filter_batch(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        children: Survivors<'_, D::State, H::Carry>,
        stage: usize,
    ) -> FilterStage {
        self.of.filter_batch(ground.domain, children, stage)
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, Ground<'d, D, D::Ops, G>>,
        carry: &H::Carry,
        child: &mut H::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let (domain, from, op) = (step.domain().domain, step.from(), step.op());
        let mut step = Step::made(domain, from, op, step.child());
        let verdict = self.of.within(&mut step, carry, child, limit)?;
        Ok(self.exactly(verdict, limit))
    }
}

impl<'d, D, G, P> Pruning<Ground<'d, D, D::Ops, G>> for Guide<'_, D::Ops, P>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    P: Pruning<D>,
{
    type State = P::State;
    const DEAD_ENDS: bool = P::DEAD_ENDS;
    fn start(&self, ground: &Ground<'d, D, D::Ops, G>, state: &D::State) -> P::State {
        self.of.start(ground.domain, state)
    }
    #[inline(always)]
    fn next(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State, op: Op) -> P::State {
        self.of.next(ground.domain, at, op)
    }
    /// The last stage searches once with its whole limit, and a plan may cost less. So it prunes no
    /// dead ends.
    #[inline(always)]
    fn dead_end(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State, remaining: Cost) -> bool {
        self.ends.is_some() && self.of.dead_end(ground.domain, at, remaining)
    }
    #[inline(always)]
    fn after(&self, ground: &Ground<'d, D, D::Ops, G>, op: Op) -> Option<P::State> {
        self.of.after(ground.domain, op)
    }
    #[inline(always)]
    fn prefetch(&self, at: P::State) {
        self.of.prefetch(at);
    }
    #[inline(always)]
    fn allowed(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State) -> D::Ops {
        self.of.allowed(ground.domain, at)
    }
}
