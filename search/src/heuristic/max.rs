//! The maximum of heuristics: always admissible.

use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};
use smallvec::SmallVec;

/// The larger of two bounds, and the union of what they exclude.
///
/// Reads the second bound only if the first is within the limit. So put the stronger or the cheaper
/// heuristic first.
///
/// Admissible: yes, if both are (neither is above the true cost). Consistent: yes, if both are
/// (each falls by at most the cost of the operator, so their maximum does).
#[derive(Clone, Copy, Debug)]
pub struct Max<A, B>(pub A, pub B);

impl<D: Domain, A: Heuristic<D>, B: Heuristic<D>> Heuristic<D> for Max<A, B> {
    type Carry = (A::Carry, B::Carry);
    const CLAIMS: Claims = A::CLAIMS.and(B::CLAIMS);
    const EVALUATION: Evaluation = A::EVALUATION.or(B::EVALUATION);

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.0.root(domain, state), self.1.root(domain, state))
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
        (self.0.child(domain, from, &carry.0, op, to), self.1.child(domain, from, &carry.1, op, to))
    }
    #[inline(always)]
    fn screen(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        let first = self.0.screen(domain, state, &mut carry.0, limit);
        first.or_else(|| self.1.screen(domain, state, &mut carry.1, limit))
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let first = self.0.bound(domain, state, &mut carry.0, limit);
        if first.h > limit {
            return first;
        }
        let second = self.1.bound(domain, state, &mut carry.1, limit);
        Verdict { h: first.h.max(second.h), excluded: first.excluded.or(second.excluded) }
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &Self::Carry,
        child: &mut Self::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let a = self.0.within(step, &carry.0, &mut child.0, limit)?;
        let b = self.1.within(step, &carry.1, &mut child.1, limit)?;
        Ok(Verdict { h: a.h.max(b.h), excluded: a.excluded.or(b.excluded) })
    }
    #[inline(always)]
    fn prefetch(&self, domain: &D, from: &D::State, carry: &Self::Carry, op: Op) {
        self.0.prefetch(domain, from, &carry.0, op);
        self.1.prefetch(domain, from, &carry.1, op);
    }
    fn consistent(&self) -> bool {
        self.0.consistent() && self.1.consistent()
    }
}

/// The maximum of heuristics of one type, read in order until one is above the limit.
///
/// Admissible: yes, if all are. Consistent: yes, if all are. See [`Max`].
impl<D: Domain, H: Heuristic<D>> Heuristic<D> for Vec<H> {
    type Carry = SmallVec<[H::Carry; 4]>;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = H::EVALUATION;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.iter().map(|member| member.root(domain, state)).collect()
    }
    #[inline]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        self.iter()
            .zip(carry)
            .map(|(member, carry)| member.child(domain, from, carry, op, to))
            .collect()
    }
    #[inline]
    fn screen(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        let mut members = self.iter().zip(carry);
        members.find_map(|(member, carry)| member.screen(domain, state, carry, limit))
    }
    #[inline]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let mut verdict = Verdict::<D::Ops>::bound(0);
        for (member, carry) in self.iter().zip(carry) {
            let next = member.bound(domain, state, carry, limit);
            verdict.h = verdict.h.max(next.h);
            verdict.excluded = verdict.excluded.or(next.excluded);
            if verdict.h > limit {
                break;
            }
        }
        verdict
    }
    #[inline(always)]
    fn prefetch(&self, domain: &D, from: &D::State, carry: &Self::Carry, op: Op) {
        for (member, carry) in self.iter().zip(carry) {
            member.prefetch(domain, from, carry, op);
        }
    }
    fn consistent(&self) -> bool {
        self.iter().all(Heuristic::consistent)
    }
}
