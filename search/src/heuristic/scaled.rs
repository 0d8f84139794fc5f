//! A heuristic times a factor: never a proof.

use crate::domain::{Cost, Domain};
use crate::heuristic::{Claims, Heuristic, Verdict};

/// The bound of a heuristic times a factor, rounded down, and at most 254. [`Cost::MAX`] stays as
/// it is.
///
/// Admissible: no. So a search that proves ([`ida_star()`](crate::ida_star()),
/// [`a_star`](crate::stored::a_star) and the like) does not compile with it, nor with a combination
/// that contains it. [`greedy_best_first`](crate::stored::greedy_best_first) takes it, and then
/// proves nothing. For a plan within a factor of the cheapest, with a proof, take
/// [`weighted_a_star`](crate::stored::weighted_a_star) and the heuristic as it is.
///
/// ```
/// use fewest_search::testing::{GapHeuristic, Pancake};
/// use fewest_search::{Estimate, Max, Options, Scaled};
/// use fewest_search::stored::greedy_best_first;
///
/// let domain = Pancake::new(8);
/// let start = domain.state(&[3, 6, 0, 5, 1, 7, 4, 2]);
/// let bottom = Estimate(|state: &u64| u8::from(Pancake::pancake(*state, 7) != 7));
/// let guide = Max(GapHeuristic, Scaled(bottom, 4.0));
/// let report = greedy_best_first(&domain, &guide, &start, &Options::default());
/// assert!(report.plan().is_some());
/// assert_eq!((report.lower_bound, report.optimal), (0, false));
/// ```
///
/// ```compile_fail
/// # use fewest_search::testing::{GapHeuristic, Pancake};
/// # use fewest_search::{Options, Scaled};
/// # use fewest_search::stored::a_star;
/// # let domain = Pancake::new(4);
/// # let start = domain.state(&[3, 1, 0, 2]);
/// a_star(&domain, &Scaled(GapHeuristic, 1.5), &start, &Options::default());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scaled<H>(pub H, pub f64);

impl<D: Domain, H: Heuristic<D>> Heuristic<D> for Scaled<H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS.unproven();

    crate::forward_heuristic! { |this, domain: D| this.0, domain; root child }
    #[inline(always)]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        _: Cost,
    ) -> Verdict<D::Ops> {
        // A limit of this bound is none of the inner one, and what that excludes holds there only.
        let h = self.0.bound(domain, state, carry, Cost::MAX).h;
        #[expect(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
        #[expect(clippy::cast_sign_loss, reason = "casts of floats saturate")]
        let scaled = (f64::from(h) * self.1) as Cost;
        Verdict::bound(if h == Cost::MAX { h } else { scaled.min(Cost::MAX - 1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimate;
    use crate::testing::Pancake;

    #[test]
    fn bounds_are_scaled_down_to_whole_numbers_and_dead_ends_stay() {
        let domain = Pancake::new(3);
        let of = |h: Cost, factor| Scaled(Estimate(move |_: &u64| h), factor).estimate(&domain, &0);
        assert_eq!((of(3, 1.5), of(10, 0.25), of(0, 9.0)), (4, 2, 0));
        assert_eq!((of(200, 1.25), of(200, 2.0), of(3, 1e300)), (250, 254, 254));
        assert_eq!((of(Cost::MAX, 0.5), of(7, -1.0), of(7, f64::NAN)), (Cost::MAX, 0, 0));
    }
}
