//! The near-optimal plan that comes before the proof: a two-phase search with small tables of its own.

use super::Cube;
use crate::puzzle::{Aim, Failure, Job, Near};
use crate::runs::Found;
use crate::timing::Stopwatch;
use cube::two_phase::TwoPhase;
use search::{Cost, Iteration, Limit, Limits, Observer, Options, Outcome, Plan};
use std::sync::{Mutex, PoisonError};

/// Generated nodes that the search takes: about a twentieth of a second (measured, docs/MEASUREMENTS.md). A number of nodes, so that the plan is the same on every machine.
const NODES: u64 = 2_000_000;

/// Generated nodes after which a plan within a limit to its length is given up, if no other limit is given: about half a second.
const PATIENT: u64 = 8 * NODES;

/// Generated nodes of an iteration after which the next one may well take as long as this search.
const DEAR: u64 = 15_000;

impl Cube {
    /// Bytes of the small tables, if they fit the memory beside the least that the optimal search needs.
    pub(super) fn near_bytes(&self) -> Option<u64> {
        let needed = super::tables::Tables::bytes_needed(self.choice) + TwoPhase::bytes();
        (needed <= self.settings.memory).then(TwoPhase::bytes)
    }

    /// Looks for a near-optimal plan, once, if what comes next may take long: a table that `builds`, or an iteration.
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

    /// Whether there is still a near-optimal plan to be looked for: not where plans are limited to a length that it may well pass.
    pub(super) fn approaches(&self, job: &Job<'_>, found: &Found) -> bool {
        job.aim == Aim::Optimal
            && job.limits.bound.is_none()
            && found.near.is_none()
            && self.near_bytes().is_some()
    }

    /// The near-optimal search. Its best plan is what is known; its nodes are counted on their own.
    pub(super) fn near(
        &self,
        start: &cube::Cube,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let stopwatch = Stopwatch::start();
        let two_phase = self.tables.two_phase(job);
        found.tables += stopwatch.wall();
        let two_phase = two_phase?;
        let stopwatch = Stopwatch::start();
        let spent = found.elapsed;
        let mut near = Near::default();
        // Only who asked for no more than this plan gives it more than its share.
        let patient = job.aim == Aim::NearOptimal
            && (job.limits.nodes.is_some() || job.limits.time.is_some());
        let mut share = if patient { u64::MAX } else { NODES };
        let teller = Teller {
            cube: self,
            start,
            job,
            lower_bound: found.lower_bound,
            failed: Mutex::default(),
        };
        let report = loop {
            let limits = Limits {
                nodes: Some(share.min(job.limits.nodes.unwrap_or(u64::MAX))),
                time: job.limits.time.map(|time| time.saturating_sub(spent + stopwatch.wall())),
                bound: job.limits.bound,
                bytes: None,
            };
            let options = Options {
                limits,
                cancel: job.cancel.clone(),
                observer: &teller,
                ..Options::default()
            };
            let report = two_phase.search(start, &options);
            near.generated += Iteration::generated_in(&report.iterations);
            near.expanded += Iteration::expanded_in(&report.iterations);
            // Some cubes have their first plan late; below a limit to their length there may be none.
            let all = job.limits.bound.is_some() && share >= PATIENT;
            let late = report.outcome == Outcome::LimitReached(Limit::Nodes) && !all;
            if !late || job.limits.nodes.is_some_and(|nodes| nodes <= share) {
                break report;
            }
            share *= 8;
        };
        if let Some(failure) = teller.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
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
            // It is the answer, whatever ended the search.
            found.near_only = true;
            found.complete = report.plan().is_some();
            found.outcome = Some(report.outcome);
        }
        Ok(())
    }
}

/// Tells of plans by their names, each replayed before.
struct Teller<'a> {
    cube: &'a Cube,
    start: &'a cube::Cube,
    job: &'a Job<'a>,
    lower_bound: Cost,
    failed: Mutex<Option<Failure>>,
}

impl Observer for Teller<'_> {
    fn improved(&self, plan: &Plan, _: Cost) {
        let names = self.cube.names(plan);
        match self.cube.replay(self.start, plan) {
            Ok(()) => self.job.watch.plan(&names, self.lower_bound),
            Err(error) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                *failed = Some(Failure::Defect { plan: names.join(" "), error });
            }
        }
    }
}
