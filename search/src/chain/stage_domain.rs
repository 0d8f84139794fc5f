//! One stage as a domain ([`StageDomain`]), and its heuristic and pruning there ([`InStage`]).

use crate::domain::{Cost, Domain, Kernel, Op, OpSet};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};
use crate::pruning::Pruning;

/// The domain in which a stage searches: the operators and the goals of the stage.
pub(super) struct StageDomain<'a, D, O, G> {
    pub(super) domain: &'a D,
    pub(super) operators: O,
    pub(super) goal: &'a G,
}

impl<D, G> Domain for StageDomain<'_, D, D::Ops, G>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
{
    type State = D::State;
    type Ops = D::Ops;
    const UNROLL: bool = D::UNROLL;
    const UNIT_COSTS: bool = D::UNIT_COSTS;
    crate::forward_domain! { domain: operators apply_into cost }
    #[inline(always)]
    fn applicable(&self, state: &D::State) -> D::Ops {
        self.domain.applicable(state).and(self.operators)
    }
    #[inline(always)]
    fn is_goal(&self, state: &D::State) -> bool {
        (self.goal)(state)
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

/// The heuristic and the pruning of a stage, in its domain [`StageDomain`].
pub(super) struct InStage<'a, O, T> {
    pub(super) of: &'a T,
    /// `Some` if plans must cost exactly the limit: for each remaining cost, the operators that
    /// must not be the last ones. `None` if plans may cost less.
    pub(super) ends: Option<&'a [O]>,
}

impl<O: OpSet, T> InStage<'_, O, T> {
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

impl<'d, D, G, H> Heuristic<StageDomain<'d, D, D::Ops, G>> for InStage<'_, D::Ops, H>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
{
    type Carry = H::Carry;
    // No bound is changed to or from [`Cost::MAX`].
    const CLAIMS: Claims = H::CLAIMS.changed();
    const EVALUATION: Evaluation = H::EVALUATION;
    crate::forward_heuristic! {
        |this, domain: StageDomain<'d, D, D::Ops, G>| this.of, domain.domain;
        root child ask take
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &StageDomain<'d, D, D::Ops, G>,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.exactly(self.of.bound(domain.domain, state, carry, limit), limit)
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, StageDomain<'d, D, D::Ops, G>>,
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

impl<'d, D, G, P> Pruning<StageDomain<'d, D, D::Ops, G>> for InStage<'_, D::Ops, P>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    P: Pruning<D>,
{
    type State = P::State;
    const DEAD_ENDS: bool = P::DEAD_ENDS;
    fn start(&self, domain: &StageDomain<'d, D, D::Ops, G>, state: &D::State) -> P::State {
        self.of.start(domain.domain, state)
    }
    #[inline(always)]
    fn next(&self, domain: &StageDomain<'d, D, D::Ops, G>, at: P::State, op: Op) -> P::State {
        self.of.next(domain.domain, at, op)
    }
    /// The last stage searches once with its whole limit, and a plan may cost less. So it prunes no
    /// dead ends.
    #[inline(always)]
    fn dead_end(
        &self,
        domain: &StageDomain<'d, D, D::Ops, G>,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        self.ends.is_some() && self.of.dead_end(domain.domain, at, remaining)
    }
    #[inline(always)]
    fn after(&self, domain: &StageDomain<'d, D, D::Ops, G>, op: Op) -> Option<P::State> {
        self.of.after(domain.domain, op)
    }
    #[inline(always)]
    fn prefetch(&self, at: P::State) {
        self.of.prefetch(at);
    }
    #[inline(always)]
    fn allowed(&self, domain: &StageDomain<'d, D, D::Ops, G>, at: P::State) -> D::Ops {
        self.of.allowed(domain.domain, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida_star::expansion::tests::Filtered;
    use crate::testing::{GapHeuristic, Pancake, check_wrapper};
    use crate::{Scaled, Zero};

    #[test]
    fn the_heuristic_of_a_stage_keeps_the_laws_of_wrappers() {
        let of = Pancake::new(6);
        let goal = |state: &u64| *state == 0x0054_3210;
        let domain = StageDomain { domain: &of, operators: u32::FULL, goal: &goal };
        let starts = [of.state(&[3, 0, 5, 1, 4, 2])];
        let batches = InStage { of: &Filtered::<false>, ends: None };
        check_wrapper(&domain, &batches, Claims::ADMISSIBLE, &starts).unwrap();
        let dead_ends = InStage { of: &Zero, ends: None };
        check_wrapper(&domain, &dead_ends, Claims::DEAD_ENDS, &starts).unwrap();
        let scaled = InStage { of: &Scaled(GapHeuristic, 2.0), ends: None };
        check_wrapper(&domain, &scaled, Claims::ADMISSIBLE.unproven(), &starts).unwrap();
    }
}
