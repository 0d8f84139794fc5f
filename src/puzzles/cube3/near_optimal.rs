//! The near-optimal plan that comes before the proof. A two-phase search with its own tables finds
//! it.

use super::tables::CubeTables;
use super::{Choice, Cube};
use crate::puzzle::{Aim, Failure, Job, Near};
use crate::puzzles::configured::Game;
use crate::runs::Found;
use crate::timing::Stopwatch;
use cube::two_phase::TwoPhase;
use search::{Cost, Iteration, Limit, Limits, Observer, Options, Outcome, Plan, Report};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Limit of generated nodes of the first round, about a twentieth of a second.
///
/// It is no limit of time, so that the plan is the same on every machine.
const NODES: u64 = 2_000_000;

/// The factor from the limit of a round to that of the next round.
const MORE: u64 = 8;

/// Limit of generated nodes of the last round if the job limits the bound, about half a second.
///
/// There may be no plan within that bound. Without it, rounds go on until a plan is found.
const PATIENT: u64 = MORE * NODES;

/// Generated nodes of an iteration after which the next iteration may take as long as the
/// near-optimal search.
const DEAR: u64 = 15_000;

/// Bytes of the near-optimal search's tables. `None` if they do not fit the memory together with
/// the smallest tables of `choice`.
pub(super) fn bytes(choice: Choice, memory: u64) -> Option<u64> {
    let needed = CubeTables::bytes_needed(choice) + TwoPhase::bytes();
    (needed <= memory).then(TwoPhase::bytes)
}

impl Cube {
    /// Bytes of the near-optimal search's tables. `None` if they do not fit the memory.
    pub(super) fn near_bytes(&self) -> Option<u64> {
        bytes(self.game.choice, self.settings.memory)
    }

    /// Looks for a near-optimal plan, once for each state, if the next step may take long.
    ///
    /// A step may take long if it `builds` a table, or if the iteration before it had many nodes
    /// ([`DEAR`]).
    pub(super) fn approach(
        &self,
        start: &cube::Cube,
        builds: bool,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let dear = found.iterations.last().is_some_and(|last| last.generated >= DEAR);
        if self.approaches(job, found) && (builds || dear) {
            self.near(start, job, found)?;
        }
        Ok(())
    }

    /// Whether the near-optimal search is still to come.
    ///
    /// It is left out if the job limits the bound, since its plan may be longer.
    pub(super) fn approaches(&self, job: &Job<'_>, found: &Found) -> bool {
        job.aim == Aim::Optimal
            && job.limits.bound.is_none()
            && found.near.is_none()
            && self.near_bytes().is_some()
    }

    /// Runs the near-optimal search. Its best plan becomes [`Found::known`]. Its nodes are counted
    /// apart, in [`Found::near`].
    pub(super) fn near(
        &self,
        start: &cube::Cube,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let stopwatch = Stopwatch::start();
        // Its tables are not those of the optimal search.
        let two_phase =
            self.game.tables.two_phase(&Job { obtained: Arc::default(), ..job.clone() });
        found.tables += stopwatch.wall();
        let two_phase = two_phase?;
        let stopwatch = Stopwatch::start();
        let failed = Mutex::default();
        let teller =
            Teller { cube: self, start, job, lower_bound: found.lower_bound, failed: &failed };
        let (report, mut near) = search(two_phase, start, job, &teller, found.elapsed);
        if let Some(failure) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        near.elapsed = stopwatch.wall();
        near.length = report.plan().map(|plan| plan.len());
        found.elapsed += near.elapsed;
        found.cpu += stopwatch.cpu();
        found.known = report.plan().cloned();
        found.near = Some(near);
        if job.aim == Aim::NearOptimal {
            found.lower_bound = report.lower_bound;
            found.heuristic = "two-phase".to_owned();
            found.table_bytes = TwoPhase::bytes();
            // The plan is the answer, whatever ended the search.
            found.near_only = true;
            found.complete = report.plan().is_some();
            found.outcome = Some(report.outcome);
        }
        Ok(())
    }
}

/// Searches in rounds, each with more nodes, until a plan is found or a limit is reached.
///
/// `before`: the time already spent on this state.
fn search(
    two_phase: &TwoPhase,
    start: &cube::Cube,
    job: &Job<'_>,
    teller: &Teller<'_>,
    before: Duration,
) -> (Report, Near) {
    let (stopwatch, mut near) = (Stopwatch::start(), Near::default());
    // A job that wants no proof, and has a limit, spends the whole limit on one round.
    let patient =
        job.aim == Aim::NearOptimal && (job.limits.nodes.is_some() || job.limits.time.is_some());
    let mut share = if patient { u64::MAX } else { NODES };
    loop {
        let left = job.limits.nodes.map_or(u64::MAX, |all| all.saturating_sub(near.generated));
        let limits = Limits {
            nodes: Some(share.min(left)),
            time: job.limits.time.map(|time| time.saturating_sub(before + stopwatch.wall())),
            bound: job.limits.bound,
            bytes: None,
        };
        let cancel = job.cancel.clone();
        let options = Options { limits, cancel, observer: teller, ..Options::default() };
        let report = two_phase.search(start, &options);
        near.generated += Iteration::generated_in(&report.iterations);
        near.expanded += Iteration::expanded_in(&report.iterations);
        // For some cubes the first round has too few nodes to find a plan.
        let late = report.outcome == Outcome::LimitReached(Limit::Nodes);
        let last = job.limits.bound.is_some() && share >= PATIENT;
        if !late || last || left <= share {
            return (report, near);
        }
        share = share.saturating_mul(MORE);
    }
}

/// Replays each plan that the search finds, and passes its operator names to the job's watch.
struct Teller<'a> {
    cube: &'a Cube,
    start: &'a cube::Cube,
    job: &'a Job<'a>,
    lower_bound: Cost,
    failed: &'a Mutex<Option<Failure>>,
}

impl Observer for Teller<'_> {
    fn improved(&self, plan: &Plan, _: Cost) {
        let names = self.cube.names(plan);
        match self.cube.game.replay(self.start, plan) {
            Ok(()) => self.job.watch.plan(&names, self.lower_bound),
            Err(error) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                *failed = Some(Failure::Defect { plan: names.join(" "), error });
            }
        }
    }
}
