//! The near-optimal plan that comes before the proof. A two-phase search with its own tables finds
//! it.

use super::Cube;
use super::heuristic::CubeHeuristic;
use crate::puzzle::{Aim, Event, Failure, Near, Result, Watch};
use crate::puzzles::built_in::BuiltIn;
use crate::puzzles::configured::Game;
use crate::run::Run;
use crate::timing::Stopwatch;
use cube::two_phase::TwoPhase;
use search::{Cost, Iteration, Limit, Limits, Observer, Options, Outcome, Plan, Report};
use std::sync::{Mutex, PoisonError};

/// Limit of generated nodes of the first round, about a twentieth of a second.
///
/// It is no limit of time, so that the plan is the same on every machine.
const NODES: u64 = 2_000_000;

/// The factor from the limit of a round to that of the next round.
const MORE: u64 = 8;

/// Limit of generated nodes of the last round if the request limits the bound, about half a second.
///
/// There may be no plan within that bound. Without it, rounds go on until a plan is found.
const PATIENT: u64 = MORE * NODES;

/// Generated nodes of an iteration after which the next iteration may take as long as the
/// near-optimal search.
const DEAR: u64 = 15_000;

/// Bytes of the near-optimal search's tables. `None` if they do not fit the memory together with
/// the smallest tables of `heuristic`.
pub(super) fn bytes(heuristic: CubeHeuristic, memory: u64) -> Option<u64> {
    let needed = heuristic.bytes_needed() + TwoPhase::bytes();
    (needed <= memory).then(TwoPhase::bytes)
}

impl Cube {
    /// Bytes of the near-optimal search's tables. `None` if they do not fit the memory.
    pub(super) fn near_bytes(&self) -> Option<u64> {
        bytes(self.game.heuristic, self.settings.memory)
    }

    /// Looks for a near-optimal plan, once for each state, if the next step may take long.
    ///
    /// A step may take long if it `builds` a table, or if the iteration before it had many nodes
    /// ([`DEAR`]).
    pub(super) fn approach(
        &self,
        start: &cube::Cube,
        builds: bool,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let dear = run.results().iterations().last().is_some_and(|last| last.generated >= DEAR);
        if self.approaches(run) && (builds || dear) {
            self.near(start, run)?;
        }
        Ok(())
    }

    /// Whether the near-optimal search is still to come.
    ///
    /// It is left out if the request limits the bound, since its plan may be longer.
    pub(super) fn approaches(&self, run: &Run<'_>) -> bool {
        run.request.aim == Aim::Optimal
            && run.request.limits.bound.is_none()
            && !run.has_approached()
            && self.near_bytes().is_some()
    }

    /// Runs the near-optimal search. Its best plan is an upper bound of the optimal search.
    pub(super) fn near(&self, start: &cube::Cube, run: &mut Run<'_>) -> Result<()> {
        let two_phase = run.tables(|run| self.game.tables.two_phase(run))?;
        let failed = Mutex::default();
        let lower_bound = run.results().lower_bound();
        let watch = run.request.watch;
        let teller = PlanEvents { cube: self, start, watch, lower_bound, failed: &failed };
        let (report, near) = run.timed(|run| search(two_phase, start, run, &teller));
        if let Some(failure) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        run.approach(report.plan().map(|plan| (plan.clone(), self.cost(plan))), near);
        if run.request.aim == Aim::NearOptimal {
            run.prove(report.lower_bound);
            run.reads("two-phase", TwoPhase::bytes());
            // The plan is the answer, whatever ended the search.
            run.end_with_known(report.outcome);
        }
        Ok(())
    }
}

/// Searches in rounds, each with more nodes, until a plan is found or a limit is reached.
fn search(
    two_phase: &TwoPhase,
    start: &cube::Cube,
    run: &Run<'_>,
    observer: &PlanEvents<'_>,
) -> (Report, Near) {
    let stopwatch = Stopwatch::start();
    let mut near = Near { by: "two-phase".to_owned(), ..Near::default() };
    let (request, before) = (&run.request, run.results().elapsed());
    // A request that wants no proof, and has a limit, spends the whole limit on one round.
    let limited = request.limits.nodes.is_some() || request.limits.time.is_some();
    let patient = request.aim == Aim::NearOptimal && limited;
    let mut share = if patient { u64::MAX } else { NODES };
    loop {
        let left = request.limits.nodes.map_or(u64::MAX, |all| all.saturating_sub(near.generated));
        let limits = Limits {
            nodes: Some(share.min(left)),
            time: request.limits.time.map(|time| time.saturating_sub(before + stopwatch.wall())),
            bound: request.limits.bound,
            bytes: None,
        };
        let cancel = request.cancel.clone();
        let options = Options { limits, cancel, observer, ..Options::default() };
        let report = two_phase.search(start, &options);
        near.generated += Iteration::generated_in(&report.iterations);
        near.expanded += Iteration::expanded_in(&report.iterations);
        // For some cubes the first round has too few nodes to find a plan.
        let late = report.outcome == Outcome::LimitReached(Limit::Nodes);
        let last = request.limits.bound.is_some() && share >= PATIENT;
        if !late || last || left <= share {
            near.elapsed = stopwatch.wall();
            near.length = report.plan().map(|plan| plan.len());
            return (report, near);
        }
        share = share.saturating_mul(MORE);
    }
}

/// Replays each plan that the search finds, and tells its operator names.
struct PlanEvents<'a> {
    cube: &'a Cube,
    start: &'a cube::Cube,
    watch: &'a dyn Watch,
    lower_bound: Cost,
    failed: &'a Mutex<Option<Failure>>,
}

impl Observer for PlanEvents<'_> {
    fn improved(&self, plan: &Plan, _: Cost) {
        let names = Game::names(self.cube, plan);
        match self.cube.game.replay(self.start, plan) {
            Ok(()) => {
                self.watch.event(&Event::plan(&names, self.cube.cost(plan), self.lower_bound))
            }
            Err(error) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                *failed = Some(Failure::Defect { plan: names.join(" "), error });
            }
        }
    }
}
