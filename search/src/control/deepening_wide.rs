//! Iterative deepening with costs of any integer type, for a search of the caller's own.

use super::{Iteration, Limit, LimitCheck, Options, Outcome, Report};
use crate::Plan;
use num_traits::PrimInt;
use web_time::Instant;

/// What one iteration of [`deepen_wide`] found within its bound.
#[derive(Clone, Debug)]
pub struct WideSweep<C> {
    /// The nodes generated in this iteration, as [`Iteration`] counts them.
    pub generated: u64,
    /// The nodes expanded in this iteration.
    pub expanded: u64,
    /// The least proven cost of a plan through a node that was cut. `None` if nothing was cut.
    pub least: Option<C>,
    /// The next bound if there is no plan yet. The search takes `least` if that is greater.
    pub next: C,
    /// The plans found, all of the same cost.
    pub plans: Vec<Plan>,
    /// The cost of the plans.
    pub cost: C,
}

/// Runs `sweep` with rising bounds until it finds a plan, cuts nothing, or reaches a limit. Unlike
/// [`deepen`](super::deepen), bounds may rise by more than the least excess, since costs may be
/// great. So a sweep must find the cheapest plans within its bound, which may cost less than it.
///
/// `first` is the first bound, an admissible estimate of the start; `None` says that the start is a
/// goal. `sweep` gets the bound, and a function that it must call every few hundred nodes with the
/// number of nodes generated so far in this iteration. If that function returns `true`, the sweep
/// must end. It may then return plans that it does not know to be the cheapest. It may also end
/// when it has enough plans that cost no more than `first` or than an earlier [`WideSweep::least`].
///
/// A plan costs less than the greatest value of its type.
///
/// # Example
/// ```
/// use fewest_search::{Op, Options, WideSweep, deepen_wide};
///
/// // A line of three steps that cost 1000 each. Every iteration raises the bound by 1600.
/// let report = deepen_wide(Some(0_u32), &Options::default(), |bound, stop| {
///     let steps = bound / 1000;
///     let mut sweep = WideSweep::nothing(steps.into(), steps.into());
///     if steps < 3 && !stop(steps.into()) {
///         return WideSweep { least: Some(1000 * (steps + 1)), next: bound + 1600, ..sweep };
///     }
///     sweep.plans.push([Op(0); 3].into_iter().collect());
///     WideSweep { cost: 3000, ..sweep }
/// });
/// assert_eq!((report.lower_bound, report.optimal), (3000, true));
/// let bounds: Vec<u32> = report.iterations.iter().map(|iteration| iteration.bound).collect();
/// assert_eq!(bounds, [0, 1600, 3200]);
/// ```
pub fn deepen_wide<C: PrimInt>(
    first: Option<C>,
    options: &Options<'_, C>,
    mut sweep: impl FnMut(C, &mut dyn FnMut(u64) -> bool) -> WideSweep<C>,
) -> Report<C> {
    let started = Instant::now();
    let wanted = options.wanted();
    let most = options.most(wanted).map(|most| most.min(C::max_value() - C::one()));
    let mut report = Report {
        outcome: Outcome::Solved(vec![Plan::new()]),
        lower_bound: C::zero(),
        optimal: true,
        complete: true,
        iterations: Vec::new(),
        elapsed: started.elapsed(),
    };
    let Some(first) = first else { return report };
    report.lower_bound = first.max(options.lower_bound);
    let mut bound = report.lower_bound;
    (report.outcome, report.optimal, report.complete) = loop {
        let Some(most) = most.filter(|&most| report.lower_bound <= most) else {
            break (Outcome::LimitReached(Limit::Bound), false, false);
        };
        bound = bound.min(most);
        let (before, upper_bound) = (report.generated(), options.upper_bound);
        let lower_bound = report.lower_bound;
        let check = LimitCheck { options, started, before, bound, lower_bound, upper_bound };
        let mut stop = check.stop(before);
        if let Some(stop) = stop {
            break (stop.into(), false, false);
        }
        let swept = sweep(bound, &mut |generated| {
            stop = check.look(generated, (0, 1));
            stop.is_some()
        });
        let WideSweep { generated, expanded, least, next, plans, cost } = swept;
        let early = cost <= lower_bound && plans.len() >= wanted;
        let complete = stop.is_none() && !early;
        report.iterations.push(Iteration { bound, generated, expanded, complete });
        report.iterations.last().iter().for_each(|last| options.observer.iteration(last));
        if !plans.is_empty() {
            let optimal = stop.is_none() || cost <= lower_bound;
            if optimal {
                report.lower_bound = cost;
            }
            break (Outcome::Solved(plans), optimal, complete || early);
        }
        match (stop, least) {
            (Some(stop), _) => break (stop.into(), false, false),
            (None, None) => break (Outcome::Unsolvable, true, true),
            (None, Some(least)) => {
                report.lower_bound = least.max(lower_bound);
                bound = next.max(report.lower_bound);
            }
        }
    };
    report.elapsed = started.elapsed();
    report
}

impl<C: PrimInt> WideSweep<C> {
    /// A complete sweep that cut nothing and found no plan.
    pub fn nothing(generated: u64, expanded: u64) -> Self {
        let (next, cost) = (C::zero(), C::zero());
        Self { generated, expanded, least: None, next, plans: Vec::new(), cost }
    }
}
