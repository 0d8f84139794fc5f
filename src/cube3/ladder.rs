//! What `best` does: search with a small table first, and climb to a larger one when that pays.
//!
//! A larger table prunes more but must first be built. After each iteration the time of the next one is predicted from the growth
//! of the last; the next rung is taken when what it saves is more than the build is expected to take. A table whose file
//! exists is taken at once. Every bound proven on one rung holds on the next, so nothing is searched twice.

use super::Cube;
use super::solve::Found;
use crate::puzzle::{Failure, Job};
use crate::timing::Stopwatch;
use cube::cosets::Family;
use fsm::{Automaton, Keep};
use search::{Cost, Ends, Iteration, Limits, Options, TwoSided, ida_star_parallel};
use std::time::Duration;

/// The rungs, smallest first: table family, and how many times fewer nodes it needs than the one before (measured,
/// docs/MEASUREMENTS.md).
const RUNGS: [(Family, f64); 2] = [(Family::G256, 1.0), (Family::G1, 6.0)];

/// Seconds of one thread to build a million entries (measured, docs/MEASUREMENTS.md).
const BUILD_SECONDS: f64 = 0.045;

/// Growth of an iteration from the one before, where there is only one yet: the branching factor of the half-turn metric.
const GROWTH: f64 = 13.35;

impl Cube {
    /// The rungs that fit a memory budget. The smallest is always there.
    pub(super) fn rungs(memory: u64) -> impl DoubleEndedIterator<Item = (Family, f64)> {
        RUNGS.into_iter().filter(move |(family, _)| family.bytes() <= memory)
    }

    /// Solves with the ladder.
    pub(super) fn climb(
        &self,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let learned = self.strings(keep, job)?;
        let front = crate::prunings::automaton::<cube::Cube3>(&learned)?;
        let domain = TwoSided(self.domain);
        let inverse = |op| search::Reversible::inverse_op(&self.domain, op);
        let back =
            Automaton::reversed(&learned, inverse).map_err(crate::prunings::malformed)?.minimized();
        let pruning = Ends { front: &front, back: &back };
        let both = domain.state(start);
        let mut rungs: Vec<_> = Self::rungs(self.settings.memory).collect();
        // Start on the highest rung whose table is at hand.
        let mut rung =
            (0..rungs.len()).rev().find(|&rung| self.tables.at_hand(rungs[rung].0)).unwrap_or(0);
        loop {
            let family = rungs[rung].0;
            let stopwatch = Stopwatch::start();
            let views = self.tables.views(family, job);
            found.tables += stopwatch.wall();
            let views = match views {
                Ok(views) => views,
                Err(failure @ Failure::Build { .. }) if rung > 0 && !failure.is_cancelled() => {
                    rungs.truncate(rung);
                    rung -= 1;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            found.heuristic = format!("best/{}", family.name());
            found.table_bytes = family.bytes();
            let next = rungs.get(rung + 1).copied();
            let report = loop {
                let options = self.options(job, found, next.is_some());
                let stopwatch = Stopwatch::start();
                let report = ida_star_parallel(&domain, views, &pruning, &both, &options);
                found.elapsed += stopwatch.wall();
                found.cpu += stopwatch.cpu();
                let one_more = found.absorb(&report, job.limits.bound);
                match next {
                    Some((family, gain)) if one_more => {
                        let saved =
                            predicted(&found.iterations, report.elapsed) * (1.0 - 1.0 / gain);
                        if saved > build_seconds(family) {
                            break None;
                        }
                    }
                    _ => break Some(report),
                }
            };
            match report {
                Some(report) => {
                    found.finish(report, job.plans, |plan| front.accepts(plan));
                    return Ok(());
                }
                None => rung += 1,
            }
        }
    }

    /// Options of the next search of the ladder: what is proven is not searched again, what is spent counts.
    fn options<'a>(&self, job: &'a Job<'_>, found: &Found, one_bound: bool) -> Options<'a> {
        let spent: u64 = found.iterations.iter().map(|iteration| iteration.generated).sum();
        let bound = match (one_bound, job.limits.bound) {
            // If the estimate is above what is proven, the search says so and searches nothing.
            (true, limit) => Some(limit.unwrap_or(Cost::MAX).min(found.lower_bound)),
            (false, limit) => limit,
        };
        let limits = Limits {
            nodes: job.limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
            time: job.limits.time.map(|time| time.saturating_sub(found.elapsed)),
            bound,
            bytes: None,
        };
        Options {
            limits,
            cancel: job.cancel.clone(),
            observer: job.watch,
            // Both ends may meet inside a string that the automaton forbids, so a plan can turn up twice: all are looked for, and
            // those that the front automaton does not accept are dropped.
            plans: if job.plans > 1 { usize::MAX } else { 1 },
            lower_bound: found.lower_bound,
        }
    }
}

/// Seconds that the threads at hand take to build the table of a family.
fn build_seconds(family: Family) -> f64 {
    BUILD_SECONDS * family.entries() as f64 / 1e6 / rayon::current_num_threads() as f64
}

/// Seconds that the next iteration will take, by the growth from the one before the last to the last.
fn predicted(iterations: &[Iteration], last: Duration) -> f64 {
    let growth = match iterations {
        [.., a, b] if a.generated > 10_000 => b.generated as f64 / a.generated as f64,
        _ => GROWTH,
    };
    last.as_secs_f64() * growth
}
