//! Solving with a heuristic, and putting reports together into an answer.

use super::tables::Tables;
use super::{Choice, Cube};
use crate::configure::Pruning;
use crate::puzzle::{Answer, Ending, Failure, Job};
use crate::timing::Stopwatch;
use cube::{Cube3, Manhattan};
use fsm::Keep;
use search::{
    Cost, Heuristic, Iteration, Limit, Op, Options, Outcome, Plan, Report, ida_star,
    ida_star_parallel,
};
use std::time::Duration;

/// What the searches for one state have found so far.
#[derive(Default)]
pub(super) struct Found {
    pub(super) outcome: Option<Outcome>,
    /// Whether all plans that were asked for were looked for to the end.
    pub(super) complete: bool,
    pub(super) lower_bound: Cost,
    pub(super) iterations: Vec<Iteration>,
    pub(super) elapsed: Duration,
    pub(super) cpu: Duration,
    pub(super) tables: Duration,
    pub(super) heuristic: String,
    pub(super) table_bytes: u64,
}

impl Found {
    /// Generated nodes so far.
    pub(super) fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }

    /// Takes over what a search did. True: it ended at a bound that the ladder set, not the caller, so there is more to do.
    pub(super) fn absorb(&mut self, report: &Report, limit: Option<Cost>) -> bool {
        self.iterations.extend(&report.iterations);
        self.lower_bound = self.lower_bound.max(report.lower_bound);
        let own = limit.is_none_or(|limit| self.lower_bound <= limit);
        report.outcome == Outcome::LimitReached(Limit::Bound) && own
    }

    /// The outcome of the last search; of its plans those that `accepts` lets through, at most `plans`.
    pub(super) fn finish(&mut self, report: Report, plans: usize, accepts: impl Fn(&[Op]) -> bool) {
        self.complete = report.complete;
        self.outcome = Some(match report.outcome {
            Outcome::Solved(mut all) if plans > 1 => {
                all.sort_unstable();
                all.dedup();
                let first = all.first().cloned();
                all.retain(|plan| accepts(plan));
                if all.is_empty() {
                    // Cut short before the accepted twin of this plan turned up.
                    all.extend(first);
                }
                self.complete |= all.len() >= plans;
                all.truncate(plans);
                Outcome::Solved(all)
            }
            other => other,
        });
    }
}

impl Cube {
    pub(super) fn solve_cube(&self, start: &cube::Cube, job: &Job<'_>) -> Result<Answer, Failure> {
        let keep = if job.plans > 1 { Keep::AllOptimal } else { Keep::OneOptimal };
        let mut found = Found { heuristic: self.settings.heuristic.clone(), ..Found::default() };
        let result = match self.choice {
            Choice::Manhattan => {
                let manhattan = Manhattan::new(self.domain.metric());
                self.search_with(&manhattan, start, keep, job, &mut found)
            }
            Choice::Korf97 => {
                let stopwatch = Stopwatch::start();
                let korf97 = self.tables.korf97(job);
                found.tables = stopwatch.wall();
                korf97.and_then(|korf97| {
                    found.table_bytes = Tables::bytes_needed(Choice::Korf97);
                    self.search_with(korf97, start, keep, job, &mut found)
                })
            }
            Choice::Best => self.climb(start, keep, job, &mut found),
        };
        match result {
            // What is proven already is not lost with a table.
            Err(failure) if failure.is_cancelled() => found.outcome = Some(Outcome::Cancelled),
            other => other?,
        }
        self.answer(start, found)
    }

    /// One search with a heuristic over plain cubes.
    fn search_with<H: Heuristic<Cube3>>(
        &self,
        heuristic: &H,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let automaton = self.automaton(keep, job)?;
        let options = Options {
            limits: job.limits.clone(),
            cancel: job.cancel.clone(),
            observer: job.watch,
            plans: job.plans,
            lower_bound: 0,
        };
        let stopwatch = Stopwatch::start();
        // On one thread the search goes strictly in operator order, unless several searches share the thread to hide latency.
        let serial = rayon::current_num_threads() == 1 && !H::PREFETCHES;
        let report = if serial {
            ida_star(&self.domain, heuristic, &automaton, start, &options)
        } else {
            ida_star_parallel(&self.domain, heuristic, &automaton, start, &options)
        };
        (found.elapsed, found.cpu) = (stopwatch.wall(), stopwatch.cpu());
        found.absorb(&report, job.limits.bound);
        found.finish(report, job.plans, |_| true);
        Ok(())
    }

    /// The answer, its plans replayed on the stickers.
    fn answer(&self, start: &cube::Cube, found: Found) -> Result<Answer, Failure> {
        let (ending, plans): (Ending, Vec<Plan>) = match found.outcome {
            Some(Outcome::Solved(plans)) => (Ending::Solved, plans),
            Some(Outcome::Unsolvable) => (Ending::Unsolvable, Vec::new()),
            Some(Outcome::Cancelled) => (Ending::Cancelled, Vec::new()),
            Some(Outcome::LimitReached(_)) | None => (Ending::LimitReached, Vec::new()),
        };
        for plan in &plans {
            self.replay(start, plan)
                .map_err(|error| Failure::Defect { plan: self.names(plan).join(" "), error })?;
        }
        Ok(Answer {
            ending,
            plans: plans.iter().map(|plan| self.names(plan)).collect(),
            optimal: ending == Ending::Solved,
            complete: found.complete,
            lower_bound: found.lower_bound,
            iterations: found.iterations,
            elapsed: found.elapsed,
            cpu: found.cpu,
            tables: found.tables,
            heuristic: found.heuristic,
            pruning: match self.settings.pruning {
                Pruning::None => "none".to_owned(),
                Pruning::Inverse => "inverse".to_owned(),
                Pruning::Fsm(depth) => format!("fsm:{}", depth.map_or(self.depth(), usize::from)),
            },
            table_bytes: found.table_bytes,
        })
    }
}
