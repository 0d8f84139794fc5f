//! A heuristic that forgets the rules: [`Relaxed`].

use super::{Ruled, Traced};
use crate::domain::Domain;
use crate::heuristic::{Heuristic, Verdict};
use crate::operators::{Cost, Op};

/// A heuristic of a domain for the same domain under rules.
///
/// Admissible: yes (every plan that keeps the rules is a plan without them; so an operator that starts no plan within the limit starts none that
/// keeps them). Consistent: if the heuristic is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relaxed<H>(pub H);

/// Children side by side are not passed on, because their states here hold more: they are made one after another, which answers the same.
impl<D: Domain, H: Heuristic<D>> Heuristic<Ruled<'_, D>> for Relaxed<H> {
    type Carry = H::Carry;
    const PREFETCHES: bool = H::PREFETCHES;
    const SCREENS: bool = H::SCREENS;
    const LONG: bool = H::LONG;

    fn root(&self, domain: &Ruled<'_, D>, state: &Traced<D::State>) -> H::Carry {
        self.0.root(domain.domain, &state.state)
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &Ruled<'_, D>,
        from: &Traced<D::State>,
        carry: &H::Carry,
        op: Op,
        to: &Traced<D::State>,
    ) -> H::Carry {
        self.0.child(domain.domain, &from.state, carry, op, &to.state)
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &Ruled<'_, D>,
        state: &Traced<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.0.bound(domain.domain, &state.state, carry, limit)
    }
    #[inline(always)]
    fn within(
        &self,
        domain: &Ruled<'_, D>,
        from: &Traced<D::State>,
        carry: &H::Carry,
        op: Op,
        to: &Traced<D::State>,
        limit: Cost,
    ) -> Result<(H::Carry, Verdict<D::Ops>), Cost> {
        self.0.within(domain.domain, &from.state, carry, op, &to.state, limit)
    }
    #[inline(always)]
    fn screen(
        &self,
        domain: &Ruled<'_, D>,
        state: &Traced<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        self.0.screen(domain.domain, &state.state, carry, limit)
    }
    fn consistent(&self) -> bool {
        self.0.consistent()
    }
}
