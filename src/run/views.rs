//! Results of the searches of one state in several views: [`Results::joined`].

use super::Results;
use crate::puzzle::Near;
use search::{Cost, Iteration, Limit, Op, Outcome, Plan};
use std::collections::BTreeMap;

impl Results {
    /// No results. The searches read this heuristic.
    pub(crate) fn reading(heuristic: &str) -> Self {
        Self { heuristic: heuristic.to_owned(), ..Self::default() }
    }

    /// Replaces each operator of all plans.
    pub(crate) fn rename(&mut self, name: impl Fn(&Op) -> Op) {
        let renamed = |plan: &mut Plan| plan.iter_mut().for_each(|op| *op = name(op));
        if let Some(Outcome::Solved(plans)) = &mut self.outcome {
            plans.iter_mut().for_each(renamed);
        }
        self.known.iter_mut().for_each(renamed);
    }

    /// Adds moves before and after all plans. `extra`: what they cost.
    pub(crate) fn lengthen(&mut self, first: &[Op], last: &[Op], extra: Cost) {
        let lengthened =
            |plan: &mut Plan| *plan = first.iter().chain(&*plan).chain(last).copied().collect();
        if let Some(Outcome::Solved(plans)) = &mut self.outcome {
            plans.iter_mut().for_each(lengthened);
        }
        self.known.iter_mut().for_each(lengthened);
        self.lower_bound = self.lower_bound.saturating_add(extra);
        self.upper = self.upper.map(|upper| upper + u64::from(extra));
        for iteration in &mut self.iterations {
            iteration.bound = iteration.bound.saturating_add(extra);
        }
        if let Some(length) = self.near.as_mut().and_then(|near| near.length.as_mut()) {
            *length += first.len() + last.len();
        }
    }

    /// Keeps only these of the plans that were found.
    pub(crate) fn take_plans(&mut self, plans: Vec<Plan>) {
        self.outcome = Some(Outcome::Solved(plans));
    }

    /// Adds its nodes, times and tables to those of a search that followed.
    pub(crate) fn add_effort(self, then: &mut Self) {
        then.elapsed += self.elapsed;
        then.cpu += self.cpu;
        then.tables += self.tables;
        then.table_bytes = then.table_bytes.max(self.table_bytes);
        add(&mut then.iterations, &self.iterations);
        then.near = joined_near(self.near, then.near.take());
    }

    /// The plans that it ends with, or the best that is known of a near-optimal search.
    pub(crate) fn best(&self) -> &[Plan] {
        match &self.outcome {
            Some(Outcome::Solved(plans)) => plans,
            _ => self.known.as_slice(),
        }
    }

    /// Joins the results of all views of a state to those of at most `most` plans. Each view has
    /// the number of its puzzle, whose tables count once. Plans cost at most `slack` more than the
    /// cheapest.
    pub(crate) fn joined(
        views: Vec<(usize, Self)>,
        (most, slack): (usize, Cost),
        cost: &dyn Fn(&[Op]) -> u64,
    ) -> Self {
        let plans = views.iter().flat_map(|(_, one)| one.best().iter().cloned());
        let mut plans: Vec<(u64, Plan)> = plans.map(|plan| (cost(&plan), plan)).collect();
        plans.sort_unstable();
        plans.dedup();
        let least = plans.first().map(|(cost, _)| *cost);
        plans.retain(|(cost, _)| least.is_none_or(|least| *cost <= least + u64::from(slack)));
        let mut all = Self::default();
        let mut bytes: BTreeMap<usize, u64> = BTreeMap::new();
        let (mut outcome, mut lower_bound) = (Outcome::Unsolvable, None);
        // Whether it is proven that no view has a cheaper plan, and that none has another wanted
        // plan.
        let (mut proven, mut complete) = (true, true);
        for (at, one) in views {
            all.elapsed += one.elapsed;
            all.cpu += one.cpu;
            all.tables += one.tables;
            let bytes = bytes.entry(at).or_default();
            *bytes = one.table_bytes.max(*bytes);
            if one.heuristic.len() > all.heuristic.len() {
                all.heuristic = one.heuristic;
            }
            add(&mut all.iterations, &one.iterations);
            all.unproven |= one.unproven;
            all.near = joined_near(all.near, one.near);
            let own = one.outcome.unwrap_or(Outcome::LimitReached(Limit::Bound));
            if own == Outcome::Unsolvable {
                continue;
            }
            let bound = one.lower_bound;
            lower_bound = Some(lower_bound.map_or(bound, |least: Cost| least.min(bound)));
            proven &= least.is_none_or(|least| u64::from(bound) >= least);
            let above = least.is_some_and(|least| u64::from(bound) > least + u64::from(slack));
            complete &= above || one.complete && matches!(own, Outcome::Solved(_));
            outcome = match (outcome, own) {
                (Outcome::Cancelled, _) | (_, Outcome::Cancelled) => Outcome::Cancelled,
                (Outcome::LimitReached(limit), _) if limit != Limit::Bound => {
                    Outcome::LimitReached(limit)
                }
                (_, Outcome::LimitReached(limit)) => Outcome::LimitReached(limit),
                (before, _) => before,
            };
        }
        all.table_bytes = bytes.values().sum();
        all.lower_bound = lower_bound.unwrap_or(Cost::MAX);
        let mut plans: Vec<Plan> = plans.into_iter().map(|(_, plan)| plan).collect();
        all.complete = plans.len() >= most || complete;
        plans.truncate(most);
        if plans.is_empty() {
            all.outcome = Some(outcome);
        } else if all.unproven {
            (all.known, all.upper) = (plans.first().cloned(), least);
            all.outcome = Some(Outcome::Solved(plans));
        } else if proven {
            all.outcome = Some(Outcome::Solved(plans));
        } else {
            // Some part may still have a cheaper plan.
            let open = Outcome::LimitReached(Limit::Bound);
            let outcome = if outcome == Outcome::Unsolvable { open } else { outcome };
            (all.known, all.outcome) = (plans.into_iter().next(), Some(outcome));
        }
        all
    }
}

/// What two near-optimal searches did together, as that of the shorter plan searches.
fn joined_near(before: Option<Near>, next: Option<Near>) -> Option<Near> {
    let (Some(a), Some(b)) = (&before, &next) else { return before.or(next) };
    let best = if b.length.is_some_and(|own| a.length.is_none_or(|a| own < a)) { b } else { a };
    Some(Near {
        generated: a.generated.saturating_add(b.generated),
        expanded: a.expanded.saturating_add(b.expanded),
        elapsed: a.elapsed + b.elapsed,
        ..best.clone()
    })
}

/// Adds iterations to those of the same bound, if both are complete or neither is.
fn add(all: &mut Vec<Iteration>, more: &[Iteration]) {
    for one in more {
        match all.iter_mut().find(|own| (own.bound, own.complete) == (one.bound, one.complete)) {
            Some(own) => {
                own.generated += one.generated;
                own.expanded += one.expanded;
            }
            None => all.push(*one),
        }
    }
    all.sort_by_key(|one| one.bound);
}
