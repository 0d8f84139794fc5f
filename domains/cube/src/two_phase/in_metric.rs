//! Plans of [`FaceTurns`] in the operators of a metric: [`InMetric`].

use super::FaceTurns;
use search::{Cost, Iteration, Observer, Options, Outcome, Plan, Progress, Report, StagedReport};

/// Passes events to another observer, with plans in the operators of the metric.
pub(crate) struct InMetric<'a> {
    domain: &'a FaceTurns,
    of: &'a dyn Observer,
}

impl<'a> InMetric<'a> {
    pub(crate) fn new(domain: &'a FaceTurns, of: &'a dyn Observer) -> Self {
        Self { domain, of }
    }

    /// Rewrites the plans of a report in the operators of the metric.
    pub(crate) fn rewrite(&self, report: &mut Report) {
        if let Outcome::Solved(plans) = &mut report.outcome {
            plans.iter_mut().for_each(|plan| *plan = self.domain.plan(plan));
        }
    }
}

impl FaceTurns {
    /// Runs a search by stages. Its events and its report have plans in the operators of the
    /// metric.
    pub(crate) fn in_stages(
        &self,
        options: &Options<'_>,
        search: impl FnOnce(&Options<'_>) -> StagedReport,
    ) -> StagedReport {
        let observer = InMetric::new(self, options.observer);
        let mut report = search(&Options { observer: &observer, ..options.clone() });
        report.stages.iter_mut().for_each(|stage| observer.rewrite(stage));
        report.plan = report.plan.map(|plan| self.plan(&plan));
        report
    }
}

impl Observer for InMetric<'_> {
    fn progress(&self, progress: &Progress) {
        self.of.progress(progress);
    }
    fn iteration(&self, iteration: &Iteration) {
        self.of.iteration(iteration);
    }
    fn improved(&self, plan: &Plan, cost: Cost) {
        self.of.improved(&self.domain.plan(plan), cost);
    }
    fn stage(&self, number: usize, report: &Report) {
        let mut report = report.clone();
        self.rewrite(&mut report);
        self.of.stage(number, &report);
    }
}
