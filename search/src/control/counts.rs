//! The counts of a search below a bound, and what such a search found.

use super::{Outcome, Sweep};
use crate::Plan;
use crate::domain::{Cost, Domain, Op};
use crate::heuristic::Heuristic;

/// The counts of a search, and by how much the cheapest cut passed the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// The least proven excess over the bound among all cuts; [`NOTHING_CUT`] if nothing was cut.
    pub(crate) over: u16,
}

/// Stands for "nothing was cut". It is more than any cost, because a cut may exceed the bound by
/// 255.
pub(crate) const NOTHING_CUT: u16 = u16::MAX;

impl Counts {
    pub(crate) const ZERO: Counts = Counts { generated: 0, expanded: 0, over: NOTHING_CUT };

    #[inline(always)]
    pub(crate) fn add(&mut self, other: Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.over = self.over.min(other.over);
    }

    /// Records a cut: every plan through the cut node costs at least `over` more than the bound.
    #[inline(always)]
    pub(crate) fn cut(&mut self, over: Cost) {
        self.over = self.over.min(over.into());
    }

    /// Records a cut by a bound above what remains. Below a dead end there is no plan, so its cut
    /// says nothing about the next bound.
    #[inline(always)]
    pub(crate) fn cut_by_bound<D: Domain, H: Heuristic<D>>(&mut self, h: Cost, remaining: Cost) {
        if !H::CLAIMS.is_dead_end(h) {
            self.cut(h - remaining);
        }
    }

    /// The least excess of a cut; `None` if nothing was cut.
    pub(crate) fn least_cut(self) -> Option<u16> {
        (self.over != NOTHING_CUT).then_some(self.over)
    }

    pub(crate) fn with_least_cut(generated: u64, expanded: u64, over: Option<u16>) -> Self {
        Self { generated, expanded, over: over.unwrap_or(NOTHING_CUT) }
    }
}

/// What a search of a domain found within a bound.
pub(crate) struct BoundResult {
    pub(crate) counts: Counts,
    pub(crate) plans: Vec<Plan>,
    /// How the search ended early; `None` if it is complete.
    pub(crate) stop: Option<Outcome>,
}

impl BoundResult {
    /// A complete search that generated nothing.
    pub(crate) const NOTHING: Self = Self { counts: Counts::ZERO, plans: Vec::new(), stop: None };

    /// The same with costs in place of the excess over `bound`. Bounds are whole numbers of `step`
    /// apart. `cost` is that of an operator.
    pub(super) fn sweep(self, cost: &dyn Fn(Op) -> Cost, bound: Cost, step: Cost) -> Sweep {
        let Self { counts, plans, stop } = self;
        let least = counts.least_cut().map(|over| next_bound(bound, over, step));
        let total = |plan: &Plan| plan.iter().map(|&op| u64::from(cost(op))).sum();
        let cost = plans.iter().map(total).min().unwrap_or(0);
        let cost = Cost::try_from(cost).unwrap_or(Cost::MAX);
        let Counts { generated, expanded, .. } = counts;
        Sweep { generated, expanded, least, next: 0, plans, cost, stop }
    }
}

/// The next bound: at least `over` above `bound`, and a whole number of steps. [`Cost::MAX`] if it
/// exceeds all costs.
fn next_bound(bound: Cost, over: u16, step: Cost) -> Cost {
    let excess = over.max(1).next_multiple_of(step.into());
    Cost::try_from(excess).map_or(Cost::MAX, |excess| bound.saturating_add(excess))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_whole_steps_apart() {
        assert_eq!(next_bound(4, 1, 2), 6);
        assert_eq!(next_bound(4, 3, 2), 8);
        assert_eq!(next_bound(4, 3, 1), 7);
        assert_eq!(next_bound(254, 1, 2), 255);
        assert_eq!(next_bound(0, 255, 1), 255);
        assert_eq!(next_bound(1, 255, 1), 255);
    }
}
