//! Searches from subgoal to subgoal, and how their reports become an answer.

use super::Run;
use crate::puzzle::StageLength;
use search::{Options, Outcome, StagedReport};

impl Run<'_> {
    /// Runs a search from subgoal to subgoal, and takes its plan as the answer. `names` are those
    /// of the subgoals.
    ///
    /// With `first_proves`, what is proven of the cost of the first stage holds for any plan. A
    /// subgoal that is not reached is the last stage of the answer, with its lower bound.
    pub(crate) fn search_stages(
        &mut self,
        names: &[&str],
        first_proves: bool,
        search: &dyn Fn(&Options<'_>) -> StagedReport,
    ) {
        let events = self.events();
        let options = self.options(&events);
        let report = self.timed(|_| search(&options));
        let results = &mut self.results;
        for (stage, name) in report.stages.iter().zip(names) {
            let (name, length) = match stage.plan() {
                Some(plan) => ((*name).to_owned(), plan.len()),
                None => (format!("{name} not reached, at least"), usize::from(stage.lower_bound)),
            };
            results.stages.push(StageLength::new(name, length));
            results.iterations.extend(&stage.iterations);
        }
        if let (Some(first), true) = (report.stages.first(), first_proves) {
            results.lower_bound = results.lower_bound.max(first.lower_bound);
        }
        (results.unproven, results.complete) = (true, report.plan.is_some());
        let failed = report.failed().map(|(number, stage)| (number, stage.outcome.clone()));
        results.outcome = match (report.plan, failed) {
            (Some(plan), _) => Some(Outcome::Solved(vec![plan])),
            // A later stage without plans says nothing about the whole puzzle.
            (None, Some((number, Outcome::Unsolvable))) if number > 0 => None,
            (None, failed) => failed.map(|(_, outcome)| outcome),
        };
    }
}
