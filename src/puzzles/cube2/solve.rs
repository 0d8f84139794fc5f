//! Solving: a walk down the table, or a search with Manhattan distance.

use super::{Choice, TwoByTwo};
use crate::puzzle::{Answer, Failure, Job};
use crate::runs::{Found, pruning_name};
use crate::timing::Stopwatch;
use cube::cube2::{Pocket, PocketManhattan};
use fsm::Keep;
use search::{Outcome, Plan, ida_star};

impl TwoByTwo {
    /// Searches from the normalised state; its plan applies to the puzzle as it is held.
    pub(super) fn solve_pocket(&self, held: &Pocket, job: &Job<'_>) -> Result<Answer, Failure> {
        let mut found = Found { heuristic: self.settings.heuristic.clone(), ..Found::default() };
        match self.search(&held.normalised(), job, &mut found) {
            // What is proven already is not lost with a table.
            Err(failure) if failure.is_cancelled() => found.outcome = Some(Outcome::Cancelled),
            other => other?,
        }
        let names = |plan: &Plan| plan.iter().map(|&op| self.domain.name(op)).collect();
        let pruning = pruning_name(self.settings.pruning, self.depth());
        found.answer(pruning, names, |plan| self.replay(held, plan))
    }

    fn search(&self, start: &Pocket, job: &Job<'_>, found: &mut Found) -> Result<(), Failure> {
        let keep = if job.plans > 1 { Keep::AllOptimal } else { Keep::OneOptimal };
        let automaton = self.automaton(keep, job)?;
        if self.choice == Choice::Manhattan {
            let manhattan = PocketManhattan::new(self.domain.metric());
            found.search(&self.domain, &manhattan, &automaton, start, job);
            return Ok(());
        }
        let stopwatch = Stopwatch::start();
        let walk = self.walk(job);
        found.tables = stopwatch.wall();
        let walk = walk?;
        found.table_bytes = walk.table().bytes().len() as u64;
        if self.choice == Choice::Best {
            found.heuristic = format!("best/{}", Self::spec(walk.indexer()).name);
        }
        // The bound is the true cost: nothing to share among threads.
        found.run(job, |options| ida_star(&self.domain, walk, &automaton, start, options));
        Ok(())
    }
}
