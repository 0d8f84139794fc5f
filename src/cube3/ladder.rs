//! What `best` does: search with a small table first, and climb to a larger one when that pays.
//!
//! A larger table prunes more but must first be built. After each iteration the time of the next one is predicted from the growth
//! of the last; of the rungs that fit, that one is taken with which build and iteration together are soonest done, and with them the
//! other states that are known to wait. A table whose file exists is taken at once. Every bound proven on one rung holds on the next, so nothing is
//! searched twice.

use super::Cube;
use crate::prunings;
use crate::puzzle::{Failure, Job};
use crate::rungs::{self, Rung};
use crate::runs::Found;
use crate::timing::Stopwatch;
use cube::cosets::Family;
use fsm::{Automaton, Keep};
use search::{Ends, Reversible, TwoSided, ida_star_parallel, self_symmetries};

/// The rungs, smallest first: table family, and how many times fewer nodes it needs than the one before (measured,
/// docs/MEASUREMENTS.md).
const RUNGS: [(Family, f64); 4] =
    [(Family::G256, 1.0), (Family::G1, 6.0), (Family::Tet108, 2.0), (Family::Tet112, 6.0)];

/// Seconds of one thread to build a million entries (measured, docs/MEASUREMENTS.md).
const BUILD_SECONDS: f64 = 0.025;

/// Growth of an iteration from the one before, where there is only one yet: the branching factor of the half-turn metric.
const GROWTH: f64 = 13.35;

impl Cube {
    /// The rungs that fit a memory budget, each with those below it: a rung left behind stays in memory.
    pub(super) fn rungs(memory: u64) -> impl DoubleEndedIterator<Item = (Family, f64)> {
        let mut bytes = 0;
        let fits = |&&(family, _): &&(Family, f64)| {
            bytes += family.bytes();
            bytes <= memory
        };
        let fit = RUNGS.iter().take_while(fits).count();
        RUNGS.into_iter().take(fit)
    }

    /// The memory for rungs: what the small tables of the near-optimal search leave.
    pub(super) fn rung_memory(&self) -> u64 {
        self.settings.memory - self.near_bytes().unwrap_or(0)
    }

    /// The highest rung whose table is at hand; without any, the highest whose table is built in seconds.
    pub(super) fn rung_at_hand(&self) -> Option<Family> {
        let rungs = || Self::rungs(self.rung_memory()).map(|(family, _)| family).rev();
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
        let (front, back) = self.ends(start, keep, job)?;
        let domain = TwoSided(cube::ByteCube3::new(self.domain));
        let pruning = Ends { front: &front, back: &back };
        let both = domain.state(&start.into());
        let mut rungs: Vec<_> = Self::rungs(self.rung_memory()).collect();
        // Start on the highest rung whose table is at hand.
        let mut rung =
            (0..rungs.len()).rev().find(|&rung| self.tables.at_hand(rungs[rung].0)).unwrap_or(0);
        let mut below = rung.saturating_sub(1);
        loop {
            let family = rungs[rung].0;
            self.approach(start, !self.tables.at_hand(family), job, found)?;
            let stopwatch = Stopwatch::start();
            let views = self.tables.views(family, job);
            found.tables += stopwatch.wall();
            let views = match views {
                Ok(views) => views,
                Err(failure @ Failure::Build { .. }) if rung > 0 && !failure.is_cancelled() => {
                    rungs.truncate(rung);
                    rung = below;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            found.heuristic = format!("best/{}", self.tables.coset_spec(family).name);
            let highest = rung + 1 == rungs.len();
            let report = loop {
                self.approach(start, false, job, found)?;
                found.table_bytes = self.tables.best_bytes();
                let one_bound = !highest || self.approaches(job, found);
                let options = rungs::options(job, found, one_bound);
                let stopwatch = Stopwatch::start();
                let report = ida_star_parallel(&domain, views, &pruning, &both, &options);
                found.elapsed += stopwatch.wall();
                found.cpu += stopwatch.cpu();
                let one_more = found.absorb(&report, job);
                if !one_more || !one_bound {
                    break Some(report);
                }
                if highest {
                    continue;
                }
                let ahead = rungs::ahead(found, report.elapsed, GROWTH, job);
                let costs: Vec<Rung> = rungs[rung..].iter().map(cost).collect();
                let best = rungs::soonest(&costs, ahead);
                if best > 0 {
                    (below, rung) = (rung, rung + best);
                    break None;
                }
            };
            if let Some(report) = report {
                found.finish(report, job.plans, |plan| front.accepts(plan));
                return Ok(());
            }
        }
    }

    /// The automata of the two ends. Of plans that the start's symmetries take to each other the front lets one through.
    fn ends(
        &self,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
    ) -> Result<(Automaton<u32>, Automaton<u32>), Failure> {
        let learned = self.strings(keep, job)?;
        let mut front = prunings::automaton::<cube::Cube3>(&learned)?;
        if keep == Keep::OneOptimal {
            let symmetries = self_symmetries(&self.domain, start);
            front = front.leaders(&symmetries).map_err(prunings::malformed)?.minimized();
        }
        let inverse = |op| Reversible::inverse_op(&self.domain, op);
        let back = Automaton::reversed(&learned, inverse).map_err(prunings::malformed)?;
        Ok((front, back.minimized()))
    }

    /// Searches on one rung, from what is proven to the limits of the job.
    pub(super) fn search_on(
        &self,
        family: Family,
        start: &cube::Cube,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let (front, back) = self.ends(start, Keep::OneOptimal, job)?;
        let domain = TwoSided(cube::ByteCube3::new(self.domain));
        let views = self.tables.views(family, job)?;
        let options = rungs::options(job, found, false);
        let pruning = Ends { front: &front, back: &back };
        let stopwatch = Stopwatch::start();
        let both = domain.state(&start.into());
        let report = ida_star_parallel(&domain, views, &pruning, &both, &options);
        found.elapsed += stopwatch.wall();
        found.absorb(&report, job);
        Ok(())
    }

    /// For each rung the seconds until its table is there, and how many times fewer nodes it needs than one of them.
    pub(super) fn outlook(&self, from: Family) -> impl Iterator<Item = (Family, f64, f64)> {
        let gained = |to: Family| {
            let upto = RUNGS.iter().take_while(move |(family, _)| *family as usize <= to as usize);
            upto.map(|(_, gain)| gain).product::<f64>()
        };
        Self::rungs(self.rung_memory()).map(move |(family, _)| {
            let build = if self.tables.at_hand(family) { 0.0 } else { build_seconds(family) };
            (family, build, gained(family) / gained(from))
        })
    }
}

/// What a rung costs and gains.
fn cost(&(family, gain): &(Family, f64)) -> Rung {
    Rung { build: build_seconds(family), gain }
}

/// Seconds that the threads at hand take to build the table of a family.
fn build_seconds(family: Family) -> f64 {
    BUILD_SECONDS * family.entries() as f64 / 1e6 / rayon::current_num_threads() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_holds_a_rung_and_those_below_it() {
        let [small, large, ..] = RUNGS.map(|(family, _)| family.bytes());
        for (memory, rungs) in
            [(0, 0), (small, 1), (large, 1), (small + large, 2), (u64::MAX, RUNGS.len())]
        {
            assert_eq!(Cube::rungs(memory).count(), rungs, "{memory} bytes");
        }
    }
}
