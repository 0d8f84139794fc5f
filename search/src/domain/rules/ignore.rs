//! A heuristic that ignores rules about operators: [`IgnoreRules`].

use super::{ConstrainedDomain, ConstrainedState};
use crate::domain::{Cost, Domain, Op};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};

/// A heuristic of a domain, used for the same domain under rules ([`ConstrainedDomain`]).
///
/// Admissible: yes (every plan that keeps the rules is a plan without them). Consistent: if the
/// heuristic is.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreRules<H>(pub H);

/// Reads in one stage. The stages of the heuristic inside need slices of states without rules, and
/// there are no such slices here.
impl<D: Domain, H: Heuristic<D>> Heuristic<ConstrainedDomain<'_, D>> for IgnoreRules<H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = H::EVALUATION.in_one_stage();

    fn root(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        state: &ConstrainedState<D::State>,
    ) -> H::Carry {
        self.0.root(domain.domain, &state.state)
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        from: &ConstrainedState<D::State>,
        carry: &H::Carry,
        op: Op,
        to: &ConstrainedState<D::State>,
    ) -> H::Carry {
        self.0.child(domain.domain, &from.state, carry, op, &to.state)
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        state: &ConstrainedState<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.0.bound(domain.domain, &state.state, carry, limit)
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, ConstrainedDomain<'_, D>>,
        carry: &H::Carry,
        child: &mut H::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let (domain, from, op) = (step.domain().domain, &step.from().state, step.op());
        let mut step = Step::made(domain, from, op, &mut step.child().state);
        self.0.within(&mut step, carry, child, limit)
    }
}
