//! Searches for plans above the least cost, with [`Request::slack`] or [`Request::min_length`].
//!
//! The search for each bound finds the plans that cost exactly this bound. A plan that visits a
//! state twice does not count, nor does a plan that the pruning forbids. So one-sided and two-sided
//! searches find the same plans.

use super::Run;
use crate::puzzle::{Aim, Event, Result, Watch};
use search::{Cost, Limit, Op, Outcome, Plan, PlanFilter};

/// The facts about one start that such a search needs.
pub(crate) struct PlanRange<'a> {
    /// Whether the start is a goal.
    pub(crate) solved: bool,
    pub(crate) cost: &'a (dyn Fn(&[Op]) -> u64 + Sync),
    /// Whether a plan counts: the pruning allows it, and it visits no state twice.
    pub(crate) accepts: &'a (dyn Fn(&[Op]) -> bool + Sync),
}

impl Run<'_> {
    /// Searches with rising bounds until there are as many plans as are wanted. The first bound is
    /// the least cost that counts, the last is [`Request::slack`] above the cheapest plan.
    ///
    /// # Errors
    /// Those of `search`, unless there are plans by then and a limit ended it.
    pub(crate) fn range(
        &mut self,
        range: &PlanRange<'_>,
        search: &mut dyn FnMut(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let exact = |bound: Cost, plan: &[Op]| {
            (range.cost)(plan) == u64::from(bound) && (range.accepts)(plan)
        };
        let filter: &PlanFilter<'_> = &exact;
        let (wanted, slack) = (self.request.plans, self.request.slack);
        let (mut plans, mut least): (Vec<Plan>, Option<Cost>) = (Vec::new(), None);
        let mut next = self.request.min_length;
        if range.solved && next == 0 {
            // The empty plan.
            if let Some(tell) = self.listener {
                tell(0, &[]);
            }
            (plans, least, next) = (vec![Plan::new()], Some(0), 1);
        }
        loop {
            let last = least.map(|least| least.saturating_add(slack));
            let bound = last.into_iter().chain(self.request.limits.bound).min();
            let over = least.is_some() && bound.is_some_and(|bound| next > bound);
            if over || plans.len() >= wanted {
                self.results.complete = true;
                break;
            }
            (self.results.lower_bound, self.results.complete) = (next, false);
            let left = wanted - plans.len();
            let exactly = |run: &mut Run<'_>| {
                (run.request.limits.bound, run.request.plans) = (bound, left);
                run.request.aim = Aim::OptimalOnly;
            };
            // Searches above the least cost prove no higher bound.
            let most = least.unwrap_or(Cost::MAX);
            let watch: &dyn Watch = &AtMost { watch: self.request.watch, most };
            let searched = self.part(
                |run| (run.filter, run.request.watch) = (Some(filter), watch),
                |run| {
                    exactly(run);
                    search(run)
                },
            );
            let results = &mut self.results;
            let outcome = results.outcome.take();
            if least.is_none() && !matches!(outcome, Some(Outcome::Solved(_))) {
                results.outcome = outcome;
                return searched;
            }
            match (searched, outcome) {
                (Err(failure), _) if !failure.is_stop() => return Err(failure),
                (Ok(()), Some(Outcome::Solved(mut more))) => {
                    least.get_or_insert(results.lower_bound);
                    more.sort_unstable();
                    plans.extend(more);
                    if !results.complete {
                        break;
                    }
                    next = results.lower_bound.saturating_add(1);
                }
                (Ok(()), Some(Outcome::Unsolvable | Outcome::LimitReached(Limit::Bound))) => {
                    results.complete = true;
                    break;
                }
                // After a cancellation or a limit, the plans found so far are the result.
                _ => break,
            }
        }
        self.results.lower_bound = least.unwrap_or(next);
        self.results.outcome = Some(Outcome::Solved(plans));
        Ok(())
    }
}

/// A [`Watch`] that tells no lower bound above `most`.
pub(crate) struct AtMost<'a> {
    pub(crate) watch: &'a dyn Watch,
    pub(crate) most: Cost,
}

impl Watch for AtMost<'_> {
    fn event(&self, event: &Event<'_>) {
        let mut event = event.clone();
        if let Event::Search { lower_bound, .. } | Event::Plan { lower_bound, .. } = &mut event {
            *lower_bound = (*lower_bound).min(self.most);
        }
        self.watch.event(&event);
    }
}

/// Whether a path visits no state twice. It may end where it began.
///
/// Two states are the same if they have the same `key`.
pub(crate) fn is_simple<S: Clone, K: PartialEq>(
    start: &S,
    path: &[Op],
    step: &dyn Fn(&S, Op) -> S,
    key: &dyn Fn(&S) -> K,
) -> bool {
    let (mut at, mut passed) = (start.clone(), vec![key(start)]);
    for (place, &op) in path.iter().enumerate() {
        at = step(&at, op);
        let (next, from) = (key(&at), usize::from(place + 1 == path.len()));
        if passed[from..].contains(&next) {
            return false;
        }
        passed.push(next);
    }
    true
}
