//! Searches for plans above the least cost, with [`Job::slack`] or [`Job::min_length`].
//!
//! The search for each bound finds the plans that cost exactly this bound. A plan that visits a
//! state twice does not count, nor does a plan that the pruning forbids. So one-sided and two-sided
//! searches find the same plans.

use crate::puzzle::{Aim, Failure, Job};
use crate::runs::Found;
use search::{Cost, Limit, Limits, Op, Outcome, Plan};

/// The facts about one start that such a search needs.
pub(crate) struct PlanRange<'a> {
    /// Whether the start is a goal.
    pub(crate) solved: bool,
    pub(crate) cost: &'a (dyn Fn(&[Op]) -> u64 + Sync),
    /// Whether a plan counts: the pruning allows it, and it visits no state twice.
    pub(crate) accepts: &'a (dyn Fn(&[Op]) -> bool + Sync),
}

/// A search for the plans of one state.
pub(crate) type Search<'a> = dyn FnMut(&Job<'_>, &mut Found) -> Result<(), Failure> + 'a;

impl PlanRange<'_> {
    /// Searches with rising bounds until there are `job.plans` plans. The first bound is the least
    /// cost that counts, the last is `job.slack` above the cheapest plan.
    pub(crate) fn search(
        &self,
        job: &Job<'_>,
        found: &mut Found,
        search: &mut Search<'_>,
    ) -> Result<(), Failure> {
        let exact = |bound: Cost, plan: &[Op]| {
            (self.cost)(plan) == u64::from(bound) && (self.accepts)(plan)
        };
        let (mut plans, mut least): (Vec<Plan>, Option<Cost>) = (Vec::new(), None);
        let mut next = job.min_length;
        if self.solved && next == 0 {
            // The empty plan.
            if let Some(tell) = job.found {
                tell(0, &[]);
            }
            (plans, least, next) = (vec![Plan::new()], Some(0), 1);
        }
        loop {
            let last = least.map(|least| least.saturating_add(job.slack));
            let bound = last.into_iter().chain(job.limits.bound).min();
            let over = least.is_some() && bound.is_some_and(|bound| next > bound);
            if over || plans.len() >= job.plans {
                found.complete = true;
                break;
            }
            let limits = Limits { bound, ..job.limits.clone() };
            let left = job.plans - plans.len();
            let filter = Some(&exact as _);
            let own = Job { limits, filter, plans: left, aim: Aim::OptimalOnly, ..job.clone() };
            (found.lower_bound, found.complete) = (next, false);
            let searched = search(&own, found);
            let outcome = found.outcome.take();
            if least.is_none() && !matches!(outcome, Some(Outcome::Solved(_))) {
                found.outcome = outcome;
                return searched;
            }
            match (searched, outcome) {
                (Err(failure), _)
                    if !failure.is_cancelled() && !matches!(failure, Failure::Time) =>
                {
                    return Err(failure);
                }
                (Ok(()), Some(Outcome::Solved(mut more))) => {
                    least.get_or_insert(found.lower_bound);
                    more.sort_unstable();
                    plans.extend(more);
                    if !found.complete {
                        break;
                    }
                    next = found.lower_bound.saturating_add(1);
                }
                (Ok(()), Some(Outcome::Unsolvable | Outcome::LimitReached(Limit::Bound))) => {
                    found.complete = true;
                    break;
                }
                // After a cancellation or a limit, the plans found so far are the result.
                _ => break,
            }
        }
        found.lower_bound = least.unwrap_or(next);
        found.outcome = Some(Outcome::Solved(plans));
        Ok(())
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
