//! The bound of a [`Perimeter`]: that of its heuristic, raised outside.

use super::Perimeter;
use crate::domain::{Cost, Key, Packed};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};

impl<H> Perimeter<H> {
    /// A bound of a state from the sets, or 0. `limit` is what may still be spent.
    #[inline(always)]
    fn outside<D: Packed>(&self, domain: &D, state: &D::State, limit: Cost) -> Cost {
        let free = limit == Cost::MAX;
        let most = if free { 0 } else { usize::from(limit) / self.least };
        let sets = if free { usize::MAX } else { 1 };
        if most > self.radius { 0 } else { self.look_up(domain, state, most, sets) }
    }

    /// Asks up to `sets` sets, from the least radius of at least `most` on, until one has the
    /// state. Returns the bound of a state that the sets before do not have; 0 if there are none.
    fn look_up<D: Packed>(&self, domain: &D, state: &D::State, most: usize, sets: usize) -> Cost {
        let number = ((self.radius - most) / self.step).min(self.balls.len() - 1);
        let radius = self.radius - number * self.step;
        if self.step == 2 && domain.parity(state) != Some(radius % 2 == 1) {
            return 0;
        }
        let hash = domain.pack(state).hash();
        let asked = self.balls[..=number].iter().rev().take(sets);
        match asked.take_while(|ball| !ball.may_hold(hash)).count() {
            0 => 0,
            without => {
                let beyond = radius + without * self.step;
                Cost::try_from(beyond * self.least).unwrap_or(Cost::MAX)
            }
        }
    }
}

impl<D: Packed, H: Heuristic<D>> Heuristic<D> for Perimeter<H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS.changed();
    const EVALUATION: Evaluation = H::EVALUATION;

    crate::forward_heuristic! { |this, domain: D| this.heuristic, domain; root child ask take }
    #[inline(always)]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let mut verdict = self.heuristic.bound(domain, state, carry, limit);
        if verdict.h <= limit {
            verdict.h = verdict.h.max(self.outside(domain, state, limit));
        }
        verdict
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &H::Carry,
        child: &mut H::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let mut verdict = self.heuristic.within(step, carry, child, limit)?;
        let domain = step.domain();
        verdict.h = verdict.h.max(self.outside(domain, step.child(), limit));
        if verdict.h > limit { Err(verdict.h) } else { Ok(verdict) }
    }
}
