//! One stage after the other, each at the least cost: [`search_stages`].

use super::stage::AnyStage;
use crate::Plan;
use crate::control::{Iteration, Limits, Observer, Options, Outcome, Progress, Report};
use crate::domain::{Cost, Domain, Op};
use std::time::Duration;
use web_time::Instant;

/// The answer of [`search_stages`]: the plan, and the report of each stage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StagedReport {
    /// The plans of all stages, one after the other. `None` if a stage has no plan.
    pub plan: Option<Plan>,
    /// The reports of the stages that were searched, in their order. Each begins where the one
    /// before ended. Only the last one may have no plan.
    pub stages: Vec<Report>,
    /// The cost of the plans of these stages together.
    pub spent: u32,
    /// Wall time of the search.
    pub elapsed: Duration,
}

impl StagedReport {
    /// The number of the stage without a plan, counted from 0, and its report. `None` if every
    /// stage has a plan.
    ///
    /// [`Report::lower_bound`] is the least that this stage costs from the end of the stage before.
    /// [`Outcome::Unsolvable`](crate::Outcome::Unsolvable) says that no plan leads from there to a
    /// goal of the stage. It says nothing about other ends of the stage before.
    pub fn failed(&self) -> Option<(usize, &Report)> {
        let last = self.stages.len().checked_sub(1)?;
        self.stages.last().filter(|report| report.plan().is_none()).map(|report| (last, report))
    }

    /// The cost of the stages together. Of a stage without a plan, what it costs at least.
    pub fn cost(&self) -> u32 {
        self.spent + self.failed().map_or(0, |(_, report)| u32::from(report.lower_bound))
    }

    /// The number of generated nodes of all stages.
    pub fn generated(&self) -> u64 {
        self.stages.iter().map(Report::generated).sum()
    }

    /// The number of expanded nodes of all stages.
    pub fn expanded(&self) -> u64 {
        self.stages.iter().map(Report::expanded).sum()
    }
}

/// Solves the stages of a chain one after the other by [`ida_star`](crate::ida_star()), each at the
/// least cost.
///
/// The first stage begins at `start`, and each later one at the end of the plan before. A stage
/// searches in operator order, and takes the first of its cheapest plans. So plans and counts are
/// the same on every machine, unless the time runs out or the caller cancels.
///
/// Each stage has operators, goals and a heuristic of its own. The plan reaches a goal of the last
/// stage. Where stages should not undo each other, the goals of a stage are goals of the stage
/// before. The search ends at the first stage that has no plan within the limits, and
/// [`StagedReport::failed`] tells which.
///
/// - `each` limits every single stage: its nodes, its time, and the cost of its plan.
/// - [`Options::limits`] and [`Options::upper_bound`] hold for the whole plan. The search ignores
///   [`Options::plans`], [`Options::lower_bound`] and [`Options::filter`].
///
/// The whole plan need not be cheapest. If the stages satisfy the rules of
/// [`search_chain`](super::search_chain), the cost of the first stage is a lower bound on it. Then
/// `search_chain` finds better plans with the same stages, if [`Options::upper_bound`] is the cost
/// of this plan.
///
/// Subgoals one after the other with operators that keep them are the method of Morwen
/// Thistlethwaite's 52-move algorithm (1981; described by Joe Fowler, thesis, 2002).
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::{
///     AnyStage, Estimate, InversePruning, Limits, OpSet, Options, Stage, search_stages,
/// };
///
/// // Bring the pancakes 5, 4, 3 .. down to their places, one after the other.
/// let domain = Pancake::new(6);
/// let stages: Vec<_> = (1..6)
///     .rev()
///     .map(|size| {
///         let away = move |state: &u64| Pancake::pancake(*state, size) != size;
///         Stage {
///             operators: u32::first(size),
///             goal: move |state: &u64| !away(state),
///             heuristic: Estimate(move |state: &u64| u8::from(away(state))),
///             pruning: InversePruning,
///         }
///     })
///     .collect();
/// let chain: Vec<&dyn AnyStage<Pancake>> = stages.iter().map(|stage| stage as _).collect();
/// let start = domain.state(&[2, 0, 5, 3, 1, 4]);
/// let (each, options) = (Limits::default(), Options::default());
/// let report = search_stages(&domain, &chain, &start, &each, &options);
/// let flips: Vec<u8> = report.stages.iter().map(|stage| stage.lower_bound).collect();
/// assert_eq!(flips, [2, 1, 2, 0, 1]);
/// assert_eq!(report.plan.unwrap().len(), 6);
/// ```
pub fn search_stages<D: Domain>(
    domain: &D,
    stages: &[&dyn AnyStage<D>],
    start: &D::State,
    each: &Limits,
    options: &Options<'_>,
) -> StagedReport {
    let started = Instant::now();
    let elapsed = started.elapsed();
    let mut report = StagedReport { plan: None, stages: Vec::new(), spent: 0, elapsed };
    let (mut state, mut spare) = (start.clone(), start.clone());
    let mut path: Vec<Op> = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        let (spent, generated) = (report.spent, report.generated());
        let first = report.stages.first().map(|first| first.lower_bound);
        let observer = OfAllStages { of: options.observer, generated, first };
        let of_stage = Options {
            limits: left(&options.limits, each, spent, generated, started.elapsed()),
            cancel: options.cancel.clone(),
            observer: &observer,
            upper_bound: options.upper_bound.map(|known| minus(known, spent)),
            ..Options::default()
        };
        let mut solved = stage.solve(domain, &state, &of_stage);
        let own = solved.plan().cloned();
        if let (Outcome::Solved(plans), Some(own)) = (&mut solved.outcome, &own) {
            *plans = vec![domain.to_plan(own)];
        }
        options.observer.stage(number, &solved);
        report.stages.push(solved);
        report.elapsed = started.elapsed();
        let Some(own) = own else { return report };
        for &op in &own {
            domain.apply_into(&state, op, &mut spare);
            std::mem::swap(&mut state, &mut spare);
            report.spent += u32::from(domain.cost(op));
        }
        path.extend(own);
    }
    report.plan = Some(domain.to_plan(&path));
    report.elapsed = started.elapsed();
    report
}

/// What is left of a bound after `spent`.
fn minus(bound: Cost, spent: u32) -> Cost {
    Cost::try_from(u32::from(bound).saturating_sub(spent)).unwrap_or(0)
}

/// The limits of a stage: those of each stage, and what is left of those of the whole search.
fn left(whole: &Limits, each: &Limits, spent: u32, generated: u64, elapsed: Duration) -> Limits {
    let nodes = whole.nodes.map(|nodes| nodes.saturating_sub(generated));
    let time = whole.time.map(|time| time.saturating_sub(elapsed));
    let bound = whole.bound.map(|bound| minus(bound, spent));
    Limits {
        nodes: nodes.into_iter().chain(each.nodes).min(),
        time: time.into_iter().chain(each.time).min(),
        bound: bound.into_iter().chain(each.bound).min(),
        bytes: None,
    }
}

/// Passes the events of a stage on, with the nodes of the stages before.
struct OfAllStages<'a> {
    of: &'a dyn Observer,
    /// The nodes generated in the stages before.
    generated: u64,
    /// The cost of the first stage, if this is a later one.
    first: Option<Cost>,
}

impl Observer for OfAllStages<'_> {
    fn progress(&self, progress: &Progress) {
        self.of.progress(&Progress {
            generated: self.generated + progress.generated,
            lower_bound: self.first.unwrap_or(progress.lower_bound),
            upper_bound: None,
            ..progress.clone()
        });
    }
    fn iteration(&self, iteration: &Iteration) {
        self.of.iteration(iteration);
    }
}
