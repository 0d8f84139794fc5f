//! What `best` does: search with a small table first, and climb to a larger one when that pays.
//!
//! A larger table prunes more but must first be built. After each iteration the time of the next one is predicted from the growth
//! of the last; the next rung is taken when what it saves within the limits is more than the build is expected to take. A table whose
//! file exists is taken at once. Every bound proven on one rung holds on the next, so nothing is searched twice.

use super::Cube;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use cube::cosets::Family;
use fsm::{Automaton, Keep};
use search::{Cost, Ends, Iteration, Limits, Options, TwoSided, ida_star_parallel};
use std::time::Duration;

/// The rungs, smallest first: table family, and how many times fewer nodes it needs than the one before (measured,
/// docs/MEASUREMENTS.md).
const RUNGS: [(Family, f64); 4] =
    [(Family::G256, 1.0), (Family::G1, 6.0), (Family::Tet108, 2.0), (Family::Tet112, 6.0)];

/// Seconds of one thread to build a million entries (measured, docs/MEASUREMENTS.md).
const BUILD_SECONDS: f64 = 0.045;

/// Growth of an iteration from the one before, where there is only one yet: the branching factor of the half-turn metric.
const GROWTH: f64 = 13.35;

impl Cube {
    /// The rungs that fit a memory budget, each with those below it: a rung left behind stays in memory. One that is not the lowest and
    /// whose table is not at hand must leave room for four bits an entry, from which it is made.
    pub(super) fn rungs(
        memory: u64,
        at_hand: impl Fn(Family) -> bool,
    ) -> impl DoubleEndedIterator<Item = (Family, f64)> {
        let mut bytes = 0;
        let fits = |&&(family, _): &&(Family, f64)| {
            let build = if bytes == 0 || at_hand(family) { 0 } else { family.entries() / 2 };
            bytes += family.bytes();
            bytes + build <= memory
        };
        let fit = RUNGS.iter().take_while(fits).count();
        RUNGS.into_iter().take(fit)
    }

    /// The rungs that fit the memory of this cube.
    pub(super) fn rungs_here(&self) -> impl DoubleEndedIterator<Item = (Family, f64)> {
        Self::rungs(self.settings.memory, |family| self.tables.at_hand(family))
    }

    /// The highest rung whose table is at hand; without any, the highest whose table is built in seconds.
    pub(super) fn rung_at_hand(&self) -> Option<Family> {
        let rungs = || self.rungs_here().map(|(family, _)| family).rev();
        let quick = |family: &Family| build_seconds(*family) < 15.0;
        rungs().find(|&family| self.tables.at_hand(family)).or_else(|| rungs().find(quick))
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
        let domain = TwoSided(cube::ByteCube3::new(self.domain));
        let inverse = |op| search::Reversible::inverse_op(&self.domain, op);
        let back =
            Automaton::reversed(&learned, inverse).map_err(crate::prunings::malformed)?.minimized();
        let pruning = Ends { front: &front, back: &back };
        let both = domain.state(&start.into());
        let mut rungs: Vec<_> = self.rungs_here().collect();
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
            found.heuristic = format!("best/{}", self.tables.coset_spec(family).name);
            found.table_bytes = self.tables.coset_bytes();
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
                        let ahead = predicted(&found.iterations, report.elapsed).min(left(
                            &job.limits,
                            found.generated(),
                            found.elapsed,
                        ));
                        if ahead * (1.0 - 1.0 / gain) > build_seconds(family) {
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
        let spent = found.generated();
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

/// Seconds that a search may still take before a limit ends it, at the rate of what is spent.
fn left(limits: &Limits, generated: u64, elapsed: Duration) -> f64 {
    let elapsed = elapsed.as_secs_f64();
    let of_time = limits.time.map_or(f64::INFINITY, |time| time.as_secs_f64() - elapsed);
    let of_nodes = limits.nodes.map_or(f64::INFINITY, |nodes| {
        nodes.saturating_sub(generated) as f64 * elapsed / generated.max(1) as f64
    });
    of_time.min(of_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_holds_a_rung_and_those_below_it() {
        let [small, large, ..] = RUNGS.map(|(family, _)| family.bytes());
        let build = Family::G1.entries() / 2;
        for (memory, built, there) in [
            (0, 0, 0),
            (small, 1, 1),
            (large, 1, 1),
            (small + large, 1, 2),
            (small + large + build, 2, 2),
            (u64::MAX, 4, 4),
        ] {
            assert_eq!(Cube::rungs(memory, |_| false).count(), built, "{memory} bytes");
            assert_eq!(Cube::rungs(memory, |_| true).count(), there, "{memory} bytes");
        }
    }

    /// No table is worth its build when hardly any search is left.
    #[test]
    fn limits_leave_little_time() {
        let limits = |time, nodes| Limits { time, nodes, ..Limits::default() };
        let second = Duration::from_secs(1);
        assert_eq!(left(&limits(None, None), 1000, second), f64::INFINITY);
        assert_eq!(left(&limits(Some(3 * second), None), 1000, second), 2.0);
        assert_eq!(left(&limits(Some(3 * second), Some(1500)), 1000, second), 0.5);
        assert_eq!(left(&limits(None, Some(1)), 1000, second), 0.0);
        assert!(left(&limits(Some(second / 2), None), 1000, second) < 0.0);
    }
}
