//! The maximum of heuristics: always admissible.

use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Batch, Carries, Claims, Evaluation, Heuristic, Step, Verdict};
use smallvec::SmallVec;

/// The larger of two bounds, and the union of what they exclude.
///
/// Reads the second bound only if the first is within the limit. So put the stronger or the cheaper
/// heuristic first. In stages, the second one names its entries only for the children that the
/// first one has not cut.
///
/// Admissible: yes, if both are (neither is above the true cost). Consistent: yes, if both are
/// (each falls by at most the cost of the operator, so their maximum does).
#[derive(Clone, Copy, Debug)]
pub struct Max<A, B>(pub A, pub B);

impl<D: Domain, A: Heuristic<D>, B: Heuristic<D>> Heuristic<D> for Max<A, B> {
    type Carry = (A::Carry, B::Carry);
    const CLAIMS: Claims = A::CLAIMS.and(B::CLAIMS);
    const EVALUATION: Evaluation = A::EVALUATION.then(B::EVALUATION);

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
    fn ask<C>(&self, domain: &D, batch: &mut Batch<'_, C>, stage: usize)
    where
        C: Carries<State = D::State, Carry = Self::Carry>,
    {
        match stage.checked_sub(A::EVALUATION.asks()) {
            None => self.0.ask(domain, &mut batch.of(First), stage),
            Some(stage) => self.1.ask(domain, &mut batch.of(Second), stage),
        }
    }
    #[inline(always)]
    fn take<C>(&self, domain: &D, batch: &mut Batch<'_, C>, stage: usize)
    where
        C: Carries<State = D::State, Carry = Self::Carry>,
    {
        match stage.checked_sub(A::EVALUATION.asks()) {
            None => self.0.take(domain, &mut batch.of(First), stage),
            Some(stage) => self.1.take(domain, &mut batch.of(Second), stage),
        }
    }
}

/// The data of the first heuristic.
struct First<'c, C>(&'c mut C);

impl<A: 'static, B: 'static, C: Carries<Carry = (A, B)>> Carries for First<'_, C> {
    type State = C::State;
    type Carry = A;
    #[inline(always)]
    fn parent(&self, child: usize) -> (&C::State, &A) {
        let (state, carry) = self.0.parent(child);
        (state, &carry.0)
    }
    #[inline(always)]
    fn child(&mut self, child: usize) -> &mut A {
        &mut self.0.child(child).0
    }
}

/// The data of the second heuristic.
struct Second<'c, C>(&'c mut C);

impl<A: 'static, B: 'static, C: Carries<Carry = (A, B)>> Carries for Second<'_, C> {
    type State = C::State;
    type Carry = B;
    #[inline(always)]
    fn parent(&self, child: usize) -> (&C::State, &B) {
        let (state, carry) = self.0.parent(child);
        (state, &carry.1)
    }
    #[inline(always)]
    fn child(&mut self, child: usize) -> &mut B {
        &mut self.0.child(child).1
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
}
