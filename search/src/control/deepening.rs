//! Iterations with a rising bound: the one loop of all deepening searches, with costs of any
//! integer type.

use super::sweep::{Start, Sweep};
use super::{BoundResult, Iteration, Limit, Options, Outcome, Report, SearchState};
use crate::Plan;
use crate::domain::{Cost, Domain, MAX_COST, Op, OpSet};
use num_traits::PrimInt;

/// Runs `sweep` with rising bounds until it finds a plan, cuts nothing, or reaches a limit.
///
/// `sweep` gets the bound, and a function that it must call every few hundred nodes with the number
/// of nodes generated so far in this iteration. The function reports progress. If it returns
/// `true`, the sweep must end. It may then return plans that it does not know to be the cheapest.
///
/// A bound may rise by more than the least excess ([`Sweep::next`]). Then a sweep must find the
/// cheapest plans within its bound, which may cost less than it. It may also end when it has enough
/// plans that cost no more than `start` or than an earlier [`Sweep::least`].
///
/// A plan costs less than the greatest value of its type. A plan that costs less than `start`,
/// [`Options::lower_bound`] or an earlier [`Sweep::least`] shows that one of these was wrong. Then
/// nothing is proven: see [`Report::lower_bound`].
///
/// # Example
/// ```
/// use fewest_search::{Op, Options, Start, Sweep, deepen};
///
/// // A line of three steps that cost 1000 each. Every iteration raises the bound by 1600.
/// let report = deepen(Start::Bound(0_u32), &Options::default(), |bound, stop| {
///     let steps = bound / 1000;
///     let mut sweep = Sweep::nothing(steps.into(), steps.into());
///     if steps < 3 && !stop(steps.into()) {
///         return Sweep { least: Some(1000 * (steps + 1)), next: bound + 1600, ..sweep };
///     }
///     sweep.plans.push([Op(0); 3].into_iter().collect());
///     Sweep { cost: 3000, ..sweep }
/// });
/// assert_eq!((report.lower_bound, report.optimal), (3000, true));
/// let bounds: Vec<u32> = report.iterations.iter().map(|iteration| iteration.bound).collect();
/// assert_eq!(bounds, [0, 1600, 3200]);
/// ```
pub fn deepen<C: PrimInt>(
    start: Start<C>,
    options: &Options<'_, C>,
    mut sweep: impl FnMut(C, &mut dyn FnMut(u64) -> bool) -> Sweep<C>,
) -> Report<C> {
    iterate(&mut || start, C::max_value() - C::one(), options, &mut |state| {
        let mut stop = None;
        let swept = sweep(state.bound, &mut |generated| {
            stop = state.look(generated, (0, 1));
            stop.is_some()
        });
        Sweep { stop: stop.map(Outcome::from).or(swept.stop.clone()), ..swept }
    })
}

/// Iterations of a search of a domain, whose plans cost at most [`MAX_COST`]. `start` is called
/// first. Its bound is raised to [`Options::lower_bound`] and to the parity of the plans.
///
/// # Panics
/// If an operator costs 0: the search would go on for ever.
pub(crate) fn deepen_domain<D: Domain>(
    domain: &D,
    start: &D::State,
    first: &mut dyn FnMut() -> Start,
    options: &Options,
    sweep: &mut dyn FnMut(&SearchState) -> BoundResult,
) -> Report {
    check_costs(domain);
    let step = step(domain, start);
    let mut first = || match first() {
        Start::Bound(bound) => {
            Start::Bound(raise_to_parity(domain, start, bound.max(options.lower_bound)))
        }
        start => start,
    };
    iterate(&mut first, MAX_COST, options, &mut |state| {
        sweep(state).sweep(&|op| domain.cost(op), state.bound, step)
    })
}

/// The loop. A plan costs at most `most`.
fn iterate<C: PrimInt>(
    start: &mut dyn FnMut() -> Start<C>,
    most: C,
    options: &Options<'_, C>,
    sweep: &mut dyn FnMut(&SearchState<'_, C>) -> Sweep<C>,
) -> Report<C> {
    let mut state = SearchState::new(options);
    let mut report = Report {
        outcome: Outcome::Unsolvable,
        lower_bound: options.lower_bound,
        optimal: true,
        complete: true,
        iterations: Vec::new(),
        elapsed: state.elapsed(),
    };
    match start() {
        Start::Goal => {
            report.outcome = Outcome::Solved(vec![Plan::new()]);
            report.lower_bound = C::zero();
        }
        Start::DeadEnd => {}
        Start::Bound(first) => {
            state.lower_bound = first.max(options.lower_bound);
            state.bound = state.lower_bound;
            let most = options.most(options.wanted()).map(|limit| limit.min(most));
            raise(&mut state, most, &mut report, sweep);
        }
    }
    report.elapsed = state.elapsed();
    report
}

/// Raises the bound until the report is complete.
fn raise<C: PrimInt>(
    state: &mut SearchState<'_, C>,
    most: Option<C>,
    report: &mut Report<C>,
    sweep: &mut dyn FnMut(&SearchState<'_, C>) -> Sweep<C>,
) {
    let wanted = state.options.wanted();
    (report.outcome, report.optimal, report.complete) = loop {
        report.lower_bound = state.lower_bound;
        let Some(most) = most.filter(|&most| state.lower_bound <= most) else {
            break (Outcome::LimitReached(Limit::Bound), false, false);
        };
        state.bound = state.bound.min(most);
        state.before = report.generated();
        if let Some(stop) = state.look(0, (0, 0)) {
            break (stop.into(), false, false);
        }
        let pauses = state.options.pause.is_some_and(|nodes| state.before >= nodes);
        if pauses && !report.iterations.is_empty() {
            break (Outcome::LimitReached(Limit::Nodes), false, false);
        }
        let Sweep { generated, expanded, least, next, plans, cost, stop } = sweep(state);
        let early = plans.len() >= wanted && cost <= state.lower_bound;
        let complete = stop.is_none() && !early;
        let iteration = Iteration { bound: state.bound, generated, expanded, complete };
        report.iterations.push(iteration);
        state.options.observer.iteration(&iteration);
        match (stop, least) {
            (stop, _) if !plans.is_empty() => {
                // A complete iteration has found all cheaper plans.
                let bound = if stop.is_none() { cost } else { state.lower_bound };
                let proven = bound.max(state.lower_bound);
                let optimal;
                (report.lower_bound, optimal) = proven_by(cost, proven);
                let complete = (complete || early) && cost >= state.lower_bound;
                break (Outcome::Solved(plans), optimal, complete);
            }
            (Some(stop), _) => break (stop, false, false),
            (None, None) => break (Outcome::Unsolvable, true, true),
            (None, Some(least)) => {
                state.lower_bound = least.max(state.lower_bound);
                state.bound = next.max(state.lower_bound);
            }
        }
    };
}

/// The proven lower bound if there is a plan of this cost, and whether the plan is proven optimal.
/// `bound` was held for proven.
///
/// A plan below the bound shows that an estimate or a given bound was too high. Then nothing is
/// proven but that no plan costs less than 0.
pub(crate) fn proven_by<C: PrimInt>(cost: C, bound: C) -> (C, bool) {
    let bound = if cost < bound { C::zero() } else { bound };
    (bound, cost <= bound)
}

/// Panics if an operator costs 0, before a search by bounds goes on for ever.
fn check_costs<D: Domain>(domain: &D) {
    let free = D::Ops::first(domain.operators()).members().find(|&op| domain.cost(op) == 0);
    if let Some(Op(op)) = free {
        panic!("operator {op} costs 0: every operator of a domain costs at least 1");
    }
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
