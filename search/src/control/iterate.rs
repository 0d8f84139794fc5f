//! Iterations with a rising bound: one loop for all deepening searches.

use super::{Iteration, Limit, LimitCheck, Options, Outcome, Report};
use crate::Plan;
use crate::domain::{Cost, Domain};
use crate::ida_star::expansion::{Counts, NOTHING_CUT};
use web_time::Instant;

/// The result of one iteration.
pub(crate) struct Swept {
    pub(crate) counts: Counts,
    pub(crate) plans: Vec<Plan>,
    /// How the search ended early; `None` if the iteration is complete.
    pub(crate) stop: Option<Outcome>,
}

/// Runs iterations with a rising bound. `first` is the first bound, or `None` if the start is a
/// goal. `sweep` searches everything within a bound. Each bound is a whole number of `step`s above
/// the one before.
pub(crate) fn iterate(
    first: impl FnOnce() -> Option<Cost>,
    step: Cost,
    options: &Options,
    mut sweep: impl FnMut(Cost, &LimitCheck) -> Swept,
) -> Report {
    let started = Instant::now();
    let mut report = Report {
        outcome: Outcome::Unsolvable,
        lower_bound: 0,
        optimal: true,
        complete: true,
        iterations: Vec::new(),
        elapsed: started.elapsed(),
    };
    let Some(mut bound) = first() else {
        report.outcome = Outcome::Solved(vec![Plan::new()]);
        report.elapsed = started.elapsed();
        return report;
    };
    report.outcome = loop {
        report.lower_bound = bound;
        if options.most(options.wanted()).is_none_or(|most| bound > most) {
            break Outcome::LimitReached(Limit::Bound);
        }
        let (before, upper_bound) = (report.generated(), options.upper_bound);
        let check = LimitCheck { options, started, before, bound, lower_bound: bound, upper_bound };
        if let Some(stop) = check.stop(check.before) {
            break stop.into();
        }
        let swept = sweep(bound, &check);
        let Counts { generated, expanded, over } = swept.counts;
        let complete = swept.stop.is_none() && swept.plans.len() < options.wanted();
        report.iterations.push(Iteration { bound, generated, expanded, complete });
        options
            .observer
            .iteration(report.iterations.last().unwrap_or_else(|| unreachable!("just pushed")));
        match swept.stop {
            _ if !swept.plans.is_empty() => break Outcome::Solved(swept.plans),
            Some(outcome) => break outcome,
            None if over == NOTHING_CUT => break Outcome::Unsolvable,
            None => {}
        }
        match next_bound(bound, over, step) {
            Some(next) => bound = next,
            None => {
                let over = Cost::try_from(over.max(1)).unwrap_or(Cost::MAX);
                report.lower_bound = bound.saturating_add(over);
                break Outcome::LimitReached(Limit::Bound);
            }
        }
    };
    report.optimal = matches!(report.outcome, Outcome::Solved(_) | Outcome::Unsolvable);
    report.complete = match &report.outcome {
        Outcome::Solved(plans) => {
            let swept = report.iterations.last().is_some_and(|last| last.complete);
            swept || plans.len() >= options.wanted()
        }
        Outcome::Unsolvable => true,
        Outcome::LimitReached(_) | Outcome::Cancelled => false,
    };
    report.elapsed = started.elapsed();
    report
}

/// The least difference of bounds: 2 if all plans from `start` have the same parity, else 1.
pub(crate) fn step<D: Domain>(domain: &D, start: &D::State) -> Cost {
    if domain.parity(start).is_some() { 2 } else { 1 }
}

/// The given lower bound, raised by 1 if all plans from `start` have the other parity.
pub(crate) fn raise_to_parity<D: Domain>(domain: &D, start: &D::State, bound: Cost) -> Cost {
    match domain.parity(start) {
        Some(odd) if (bound % 2 == 1) != odd => bound.saturating_add(1),
        _ => bound,
    }
}

/// The next bound: at least `over` above `bound`, and a whole number of steps. `None` if it exceeds
/// all costs.
fn next_bound(bound: Cost, over: u16, step: Cost) -> Option<Cost> {
    let excess = over.max(1).checked_next_multiple_of(step.into())?;
    bound.checked_add(Cost::try_from(excess).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_whole_steps_apart() {
        assert_eq!(next_bound(4, 1, 2), Some(6));
        assert_eq!(next_bound(4, 3, 2), Some(8));
        assert_eq!(next_bound(4, 3, 1), Some(7));
        assert_eq!(next_bound(254, 1, 2), None);
        assert_eq!(next_bound(0, 255, 1), Some(255));
        assert_eq!(next_bound(1, 255, 1), None);
    }
}
