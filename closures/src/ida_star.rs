//! Iterative deepening with the costs of the closures: converts options, progress and reports to
//! the engine's [`Cost`] and back.

use super::answer::{ClosureAnswer, StatePath};
use super::costs::{self, Number};
use super::descent::{Descent, Round};
use super::error::ClosureError;
use super::memory::Settings;
use super::space::StateSpace;
use search::{
    Cost, Iteration, Limits, MAX_COST, Observer, Options, Progress, Start, Sweep, deepen,
};
use std::hash::Hash;

/// Runs iterations until there is a cheapest plan, none, or a limit.
pub(super) fn run<N: Clone + Eq + Hash, T: StateSpace<N>>(
    start: &N,
    space: T,
    options: &Options<'_, T::Cost>,
    settings: Settings,
) -> Result<ClosureAnswer<N, T::Cost>, ClosureError> {
    let observer = Converter(options.observer);
    let Limits { nodes, time, bytes, .. } = options.limits;
    let bound = options.limits.bound.and_then(costs::bound).unwrap_or(MAX_COST).min(MAX_COST);
    let options = Options {
        limits: Limits { nodes, time, bytes, bound: Some(bound) },
        cancel: options.cancel.clone(),
        observer: &observer,
        plans: options.plans,
        lower_bound: costs::bound(options.lower_bound).unwrap_or(0),
        upper_bound: options.upper_bound.and_then(costs::upper_bound),
        pause: options.pause,
        filter: None,
        on_plan: None,
        units: None,
    };
    let mut search = Descent::new(space, settings);
    let (first, mut found) = (search.first(start), Vec::new());
    let estimate = match first {
        Start::Bound(estimate) => estimate,
        Start::Goal | Start::DeadEnd => 0,
    };
    if first == Start::Goal {
        found.push(StatePath { states: vec![start.clone()], cost: 0 });
    }
    let wanted = options.plans;
    let report = deepen(first, &options, |bound, stop| {
        // A sweep without cuts and without plans ends the iterations. After an error, the report is
        // dropped.
        if search.refused.is_some() {
            return Sweep::nothing(0, 0);
        }
        let mut round = Round { bound, wanted, paths: Vec::new(), plans: Vec::new(), stop };
        let counts = search.sweep(start, estimate, &mut round);
        found = round.paths;
        let over = if search.refused.is_some() { None } else { counts.over };
        let cost = found.iter().map(|path| path.cost).min().unwrap_or(0);
        let (least, plans) = (over.map(|over| bound.saturating_add(over)), round.plans);
        Sweep { least, plans, cost, ..Sweep::nothing(counts.generated, counts.expanded) }
    });
    if let Some(refused) = search.refused {
        return Err(refused);
    }
    let path = |StatePath { states, cost }: StatePath<N, Cost>| {
        let cost = num_traits::cast(cost).ok_or(ClosureError::Sum { cost })?;
        Ok(StatePath { states, cost })
    };
    let paths: Result<_, _> = found.into_iter().map(path).collect();
    Ok(ClosureAnswer { paths: paths?, report: report.map_costs(costs::widen) })
}

/// Tells an observer progress and iterations in the costs of the closures.
struct Converter<'a, C>(&'a dyn Observer<C>);

impl<C: Number> Observer for Converter<'_, C> {
    fn progress(&self, progress: &Progress) {
        self.0.progress(&progress.map_costs(costs::widen));
    }
    fn iteration(&self, iteration: &Iteration<Cost>) {
        self.0.iteration(&iteration.map_costs(costs::widen));
    }
}
