//! Searches for plans of a definition above the least cost.

use super::file_puzzle::FilePuzzle;
use crate::longer_plans::{PlanRange, is_simple};
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use permutation::{GoalQuotient, PuzzleState};
use search::Op;

impl FilePuzzle {
    /// Searches for plans above the least cost.
    ///
    /// States with the same plans count as one state. Under rules about moves, a plan may visit a
    /// state twice: some states have no other plans.
    pub(super) fn search_range(
        &self,
        pattern: &PuzzleState,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let allowed = self.engine.filter(self, job)?;
        let quotient = GoalQuotient::new(&self.labels);
        let class = |state: &PuzzleState| {
            let class = quotient.as_ref().and_then(|quotient| quotient.find_class(state));
            class.unwrap_or_else(|| state.clone())
        };
        let step = |from: &PuzzleState, op: Op| {
            from.apply(&self.operators().list[op.index()].transformation)
        };
        let simple =
            |plan: &[Op]| !self.rules.is_empty() || is_simple(pattern, plan, &step, &class);
        let range = PlanRange {
            solved: self.replay(pattern, &[]).is_ok(),
            cost: &|plan| self.cost(plan),
            accepts: &|plan| allowed(plan) && simple(plan),
        };
        range.search(job, found, &mut |job, found| self.engine.search(self, pattern, job, found))
    }
}
