//! What the searches for one state have found so far: [`Results`]. [`Run::answer`] replays the
//! plans.

use super::Run;
use crate::puzzle::{Answer, Ending, Failure, Near, Result, StageLength};
use crate::settings::SolverChoice;
use search::{Cost, Iteration, Limit, Op, Outcome, Plan, Report, plan};
use std::time::Duration;

/// The results so far of all searches for one state.
#[derive(Default)]
pub(crate) struct Results {
    pub(super) outcome: Option<Outcome>,
    /// If true: the outcome has as many plans as are wanted, or all that exist.
    pub(super) complete: bool,
    pub(super) lower_bound: Cost,
    /// The best plan that is known, not necessarily optimal.
    pub(super) known: Option<Plan>,
    /// The cost of a plan that is known: the optimum is no greater.
    pub(super) upper: Option<u64>,
    /// What the near-optimal search did. `None` if there was no such search.
    pub(super) near: Option<Near>,
    /// Whether a near-optimal search has ended, and none is still to come.
    pub(super) has_approached: bool,
    /// If true: the answer is a plan that may not be proven, such as a near-optimal one.
    pub(super) unproven: bool,
    pub(super) iterations: Vec<Iteration>,
    pub(super) elapsed: Duration,
    pub(super) cpu: Duration,
    /// Wall time in which tables were loaded or built.
    pub(super) tables: Duration,
    pub(super) solver: SolverChoice,
    pub(super) heuristic: String,
    /// Name of the pruning. `None`: the pruning of the settings.
    pub(super) pruning: Option<String>,
    /// The parts of the plan, from subgoal to subgoal.
    pub(super) stages: Vec<StageLength>,
    pub(super) table_bytes: u64,
}

impl Results {
    /// The generated nodes of all iterations, without those of the near-optimal search.
    pub(crate) fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }
    /// The generated nodes, with those of the near-optimal search.
    pub(crate) fn all_generated(&self) -> u64 {
        self.generated().saturating_add(self.near.as_ref().map_or(0, |near| near.generated))
    }
    /// The wall time of all searches.
    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed
    }
    pub(crate) fn lower_bound(&self) -> Cost {
        self.lower_bound
    }
    /// How the last search ended. `None` before the first.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
    pub(crate) fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// Whether the outcome has as many plans as are wanted, or all that exist.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The cost of a known plan. `None` if no plan is known.
    pub(crate) fn upper(&self) -> Option<u64> {
        self.upper
    }

    /// The cost of a known plan. `None` if no plan is known, or it costs more than searches handle.
    pub(super) fn upper_bound(&self) -> Option<Cost> {
        Cost::try_from(self.upper?).ok()
    }

    /// Whether the best known plan is proven optimal.
    pub(super) fn meets(&self) -> bool {
        self.upper_bound().is_some_and(|upper| self.lower_bound >= upper)
    }

    /// Sets the outcome from the last search.
    ///
    /// If several plans are wanted, keeps those for which `accepts` is true, at most `plans`.
    pub(super) fn finish(&mut self, report: Report, plans: usize, accepts: &dyn Fn(&[Op]) -> bool) {
        self.complete = report.complete;
        self.outcome = Some(match report.outcome {
            Outcome::Solved(mut all) if plans > 1 => {
                all.sort_unstable();
                all.dedup();
                let first = all.first().cloned();
                all.retain(|plan| accepts(plan));
                if all.is_empty() {
                    // Every plan found is refused. Each equals an accepted plan up to swaps, but
                    // the search ended before it found that plan. So one of them is the answer.
                    all.extend(first);
                }
                self.complete |= all.len() >= plans;
                all.truncate(plans);
                Outcome::Solved(all)
            }
            Outcome::LimitReached(Limit::Bound) if plans == 1 && self.meets() => {
                self.complete = true;
                Outcome::Solved(self.known.iter().cloned().collect())
            }
            other => other,
        });
    }
}

impl Run<'_> {
    /// The results so far.
    pub(crate) fn results(&self) -> &Results {
        &self.results
    }

    /// Takes results from elsewhere in place of the own ones.
    pub(crate) fn take(&mut self, results: Results) {
        self.results = results;
    }

    /// Names the solver in place of the optimal search, and its pruning: none.
    pub(crate) fn solves_by(&mut self, solver: &SolverChoice) {
        self.results.solver = solver.clone();
        self.prunes(crate::settings::PruningChoice::None.name(0));
    }

    /// Names what the searches read, and tells the bytes of all their tables.
    pub(crate) fn reads(&mut self, heuristic: impl Into<String>, table_bytes: u64) {
        self.results.heuristic = heuristic.into();
        self.results.table_bytes = table_bytes;
    }

    /// Names what the searches read.
    pub(crate) fn names(&mut self, heuristic: &str) {
        heuristic.clone_into(&mut self.results.heuristic);
    }

    /// Tells the bytes of all tables that the searches read.
    pub(crate) fn reads_bytes(&mut self, table_bytes: u64) {
        self.results.table_bytes = table_bytes;
    }

    /// Names the pruning, if it is not that of the settings.
    pub(crate) fn prunes(&mut self, pruning: String) {
        self.results.pruning = Some(pruning);
    }

    /// The plan is the answer, whether it is proven or not.
    pub(crate) fn proves_nothing(&mut self) {
        self.results.unproven = true;
    }

    /// Notes that no plan costs less than `bound`.
    pub(crate) fn prove(&mut self, bound: Cost) {
        self.results.lower_bound = self.results.lower_bound.max(bound);
    }

    /// Sets the outcome of a search that is no search of plans by bounds.
    pub(crate) fn end(&mut self, outcome: Outcome, complete: bool) {
        (self.results.outcome, self.results.complete) = (Some(outcome), complete);
    }

    /// Sets the parts of the plan.
    pub(crate) fn goes_by(&mut self, stages: Vec<StageLength>) {
        self.results.stages = stages;
    }

    /// Takes the best plan of a near-optimal search with its cost, if it is cheaper than that of a
    /// search before. Its nodes are counted apart, in `near`.
    pub(crate) fn approach(&mut self, known: Option<(Plan, u64)>, near: Near) {
        let results = &mut self.results;
        let before = results.near.take().unwrap_or_default();
        // A journal may tell any number of nodes.
        let generated = before.generated.saturating_add(near.generated);
        let expanded = before.expanded.saturating_add(near.expanded);
        let elapsed = before.elapsed + near.elapsed;
        let is_better = known.as_ref().is_some_and(|&(_, cost)| {
            results.known.is_none() || results.upper.is_none_or(|upper| cost < upper)
        });
        let best = if is_better { near } else { before };
        if is_better {
            (results.known, results.upper) = known.unzip();
        }
        results.near = Some(Near { generated, expanded, elapsed, ..best });
        results.has_approached = true;
    }

    /// Ends with the best known plan as an answer that is not proven. `otherwise`: how it ends
    /// without a plan.
    pub(crate) fn end_with_known(&mut self, otherwise: Outcome) {
        self.proves_nothing();
        let known: Vec<Plan> = self.results.known.iter().cloned().collect();
        let found = !known.is_empty();
        self.end(if found { Outcome::Solved(known) } else { otherwise }, found);
    }

    /// Ends with the best known plan if one plan is wanted and none costs less. Returns whether it
    /// does.
    pub(crate) fn ends_proven(&mut self) -> bool {
        let known = self.results.known.as_ref().filter(|_| self.results.meets());
        let Some(known) = known.filter(|_| self.is_for_one()).cloned() else { return false };
        self.end(Outcome::Solved(vec![known]), true);
        true
    }

    /// Another near-optimal search is still to come: the one so far looked for a first plan.
    pub(crate) fn approaches_again(&mut self) {
        self.results.has_approached = false;
    }

    /// Whether a near-optimal search has ended, and none is still to come.
    pub(crate) fn has_approached(&self) -> bool {
        self.results.has_approached
    }

    /// Sets the outcome if a limit or a cancellation stopped `work`. The bound proven so far
    /// remains the answer.
    ///
    /// `solved`: whether the start is a goal. Then the empty plan is the answer even after a limit
    /// of time.
    ///
    /// # Errors
    /// The failure itself, if it is neither a limit of time nor a cancellation.
    pub(crate) fn stopped_by(
        &mut self,
        work: Result<()>,
        solved: impl FnOnce() -> bool,
    ) -> Result<()> {
        let Err(failure) = work else { return Ok(()) };
        // A cancellation after the deadline is a limit of time.
        let time = matches!(failure, Failure::Time) || failure.is_cancelled() && self.is_late();
        match time {
            true if solved() => self.end(Outcome::Solved(vec![Plan::new()]), true),
            true => self.results.outcome = Some(Outcome::LimitReached(Limit::Time)),
            false if failure.is_cancelled() => self.results.outcome = Some(Outcome::Cancelled),
            false => return Err(failure),
        }
        Ok(())
    }

    /// Makes the answer, after `replay` has checked each plan. `names` returns the operator names
    /// of a plan, `cost` what they cost together.
    pub(crate) fn answer(
        &mut self,
        pruning: String,
        names: &dyn Fn(&[Op]) -> Vec<String>,
        cost: &dyn Fn(&[Op]) -> u64,
        replay: &dyn Fn(&[Op]) -> Result<(), plan::Invalid>,
    ) -> Result<Answer> {
        let results = std::mem::take(&mut self.results);
        let known = results.known.iter().cloned().collect();
        let (ending, plans): (Ending, Vec<Plan>) = match results.outcome {
            Some(Outcome::Solved(plans)) => (Ending::Solved, plans),
            Some(Outcome::Unsolvable) => (Ending::Unsolvable, Vec::new()),
            Some(Outcome::Cancelled) => (Ending::Cancelled, known),
            Some(Outcome::LimitReached(_)) | None => (Ending::LimitReached, known),
        };
        let proven = |plan: &Plan| cost(plan) <= u64::from(results.lower_bound);
        let optimal = ending == Ending::Solved && (!results.unproven || plans.iter().all(proven));
        // A solver that proves nothing found its own plans.
        let near = results.near.as_ref().filter(|_| results.known.as_ref() == plans.first());
        let solver = results.solver.name();
        let by = near.map_or(solver, |near| &near.by).to_owned();
        let by = (!optimal && !plans.is_empty()).then_some(by);
        for plan in &plans {
            replay(plan).map_err(|error| Failure::Defect { plan: names(plan).join(" "), error })?;
        }
        Ok(Answer {
            ending,
            upper_bound: plans.first().map(|plan| cost(plan)),
            plans: plans.iter().map(|plan| names(plan)).collect(),
            costs: plans.iter().map(|plan| cost(plan)).collect(),
            by,
            optimal,
            complete: results.complete,
            lower_bound: results.lower_bound,
            near: results.near,
            iterations: results.iterations,
            elapsed: results.elapsed,
            cpu: results.cpu,
            tables: results.tables,
            solver: results.solver.name().to_owned(),
            stages: results.stages,
            heuristic: results.heuristic,
            pruning: results.pruning.unwrap_or(pruning),
            table_bytes: results.table_bytes,
        })
    }
}
