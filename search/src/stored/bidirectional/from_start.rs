//! A heuristic for the back, from one for the front, in a group.

use crate::domain::{Cost, Group};
use crate::heuristic::{Claims, Heuristic, Verdict};

/// Lower bounds on the cost from a start to a state of a group, for the back of
/// [`bidirectional`](crate::stored::bidirectional).
///
/// A plan from `s` to `t` multiplies `s` by `s^-1 t` from the right. The same operators lead from
/// `t^-1 s`, the *difference*, to the identity. So the bound is that of `heuristic` on the
/// difference. It costs one inverse, one product, and one evaluation of `heuristic` without the
/// data of a parent.
///
/// Admissible: if `heuristic` is. Consistent: not claimed. An operator `m` takes `t` to `t m`, and
/// the difference to `m^-1 t^-1 s`. So it multiplies the difference from the left, where
/// `heuristic` need not be consistent.
#[derive(Clone, Copy, Debug)]
pub struct FromStart<H, S> {
    /// Bounds the cost from a state to the identity.
    pub heuristic: H,
    /// The start.
    pub start: S,
}

impl<D: Group, H: Heuristic<D>> Heuristic<D> for FromStart<H, D::State> {
    crate::carry_nothing! { D }
    const CLAIMS: Claims = H::CLAIMS.changed();
    fn bound(&self, domain: &D, state: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        let (mut inverse, mut difference) = (state.clone(), state.clone());
        domain.invert(state, &mut inverse);
        domain.compose(&inverse, &self.start, &mut difference);
        Verdict::bound(self.heuristic.estimate(domain, &difference))
    }
}
