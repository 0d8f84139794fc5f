//! A stage whose heuristic may exceed the cost of a plan: [`Inadmissible`].

use super::chain_search::ChainSearch;
use super::stage::{AnyStage, Stage, Visit};
use super::stage_domain::{InStage, StageDomain};
use crate::control::{Iteration, Observer, Options, Progress, Report};
use crate::domain::{Cost, Domain};
use crate::heuristic::Heuristic;
use crate::ida_star::ida_star_unproven;
use crate::pruning::Pruning;

/// A stage whose heuristic is no lower bound: it may exceed the cost of every plan. Such a
/// heuristic cuts more, and can make a hard stage solvable.
///
/// The plan of the stage need not be cheapest. So the report claims no more than that a start which
/// is no goal costs at least 1, and [`Report::optimal`] is false. The heuristic must be 0 at goals.
/// A value of [`Cost::MAX`] still says that there is no plan.
///
/// The search is [`ida_star`](crate::ida_star()): it ends at the first goal within the bound. The
/// goal may cost less than the bound, for the heuristic may overestimate the start.
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::{
///     Estimate, Group, Inadmissible, InversePruning, Limits, OpSet, Options, Stage, search_stages,
/// };
///
/// // Counts the pancakes that are not in their places. One flip can move all of them home.
/// let domain = Pancake::new(6);
/// let away = |state: &u64| {
///     (0..6).map(|place| u8::from(Pancake::pancake(*state, place) != place)).sum()
/// };
/// let stage = Inadmissible(Stage {
///     operators: u32::first(5),
///     goal: |state: &u64| *state == Pancake::new(6).identity(),
///     heuristic: Estimate(away),
///     pruning: InversePruning,
/// });
/// let start = domain.state(&[5, 4, 3, 2, 1, 0]);
/// let (each, options) = (Limits::default(), Options::default());
/// let report = search_stages(&domain, &[&stage], &start, &each, &options);
/// assert!(report.plan.is_some() && !report.stages[0].optimal);
/// assert_eq!(report.stages[0].lower_bound, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Inadmissible<S>(pub S);

impl<D, G, H, P> AnyStage<D> for Inadmissible<Stage<D::Ops, G, H, P>>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    fn operators(&self) -> D::Ops {
        self.0.operators
    }

    /// At least 1, unless the state is a goal.
    fn estimate(&self, _: &D, state: &D::State) -> Cost {
        Cost::from(!(self.0.goal)(state))
    }

    fn solve(&self, domain: &D, start: &D::State, options: &Options<'_>) -> Report {
        let Stage { operators, goal, heuristic, pruning } = &self.0;
        let stage_domain = StageDomain { domain, operators: *operators, goal };
        // A goal counts even if some of the bound remains.
        let heuristic = InStage { of: heuristic, ends: None };
        let pruning = InStage { of: pruning, ends: None };
        let proven = self.estimate(domain, start);
        let observer = Unproven { of: options.observer, proven };
        let options = Options { observer: &observer, ..options.clone() };
        let mut report = ida_star_unproven(&stage_domain, &heuristic, &pruning, start, &options);
        (report.lower_bound, report.optimal) = (proven, report.optimal && proven == 0);
        report
    }

    fn plans(
        &self,
        search: &mut ChainSearch<'_, D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[D::Ops]>,
        visit: &mut Visit<'_, D>,
    ) -> bool {
        self.0.each_plan(search, state, cost, ends, visit)
    }
}

/// Passes events on, with the lower bound that is proven.
struct Unproven<'a> {
    of: &'a dyn Observer,
    proven: Cost,
}

impl Observer for Unproven<'_> {
    fn progress(&self, progress: &Progress) {
        self.of.progress(&Progress { lower_bound: self.proven, ..progress.clone() });
    }
    fn iteration(&self, iteration: &Iteration) {
        self.of.iteration(iteration);
    }
}
