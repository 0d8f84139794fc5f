//! Looking for plans that are not proven, in place of a proof or before it: [`Approach`].

use crate::puzzle::{Aim, Event, Failure, Near, Result};
use crate::run::Run;
use crate::timing::Stopwatch;
use anytime::BeamSearch;
use search::{Domain, Heuristic, Limit, Op, Outcome, Plan, PlanRound, plan};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Nodes of a search for plans that no limit ends: seconds, on large cubes with their cycles.
pub(crate) const NODES: u64 = 10_000_000;

/// Nodes of a search for plans before a proof that may be short.
pub(crate) const FEW_NODES: u64 = 1_000_000;

/// Nodes of an iteration after which the next may take longer than a search for plans.
pub(crate) const DEAR: u64 = 1 << 22;

/// Once a proof has generated so many nodes, plans are looked for before its next bound.
const FIRST_PAUSE: u64 = 1 << 19;

/// Searches for plans get a 64th of the nodes of the proof by then. A node of a beam takes up to
/// six times as long as one of the proof.
const PART: u64 = 64;

/// The next search for plans comes when the proof has so many times as many nodes.
const GROWTH: u64 = 4;

/// The least nodes of a search for plans beside a proof: those of a narrow beam.
pub(crate) const LEAST_NODES: u64 = 1 << 15;

/// The time for a state whose proof is hopeless, if the request has no limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// Looks for plans after the rounds that are known, until about so many nodes were generated or the
/// second argument is true. Tells each round, and whether a later run may know it. Returns the
/// nodes.
pub(crate) type PlanSearch<'a> =
    dyn FnMut((&[PlanRound], u64), &(dyn Fn() -> bool + Sync), &mut TellRound<'_>) -> u64 + 'a;

/// Receives a round, and whether a later run may know it.
type TellRound<'a> = dyn FnMut(&PlanRound, bool) + 'a;

/// What a search for the plans of one state needs of the puzzle.
pub(crate) struct Approach<'a> {
    pub(crate) names: &'a dyn Fn(&[Op]) -> Vec<String>,
    pub(crate) cost: &'a dyn Fn(&[Op]) -> u64,
    pub(crate) replay: &'a dyn Fn(&[Op]) -> Result<(), plan::Invalid>,
    /// Whether no proof is to be expected.
    pub(crate) is_hopeless: bool,
}

/// What is left of the limits of time. `None` without one.
pub(crate) fn time_left(run: &Run<'_>) -> Option<Duration> {
    let due = Duration::try_from_secs_f64(run.seconds_left()).ok();
    [run.time_left(), due].into_iter().flatten().min()
}

/// Whether a plan that is not proven is of use, and was not looked for yet. It is of none if it is
/// above a limit of the bound, one of several, or one of a search whose nodes are limited or
/// shared. Beside a search that is kept, only where no proof is to be expected.
pub(crate) fn is_of_use(run: &Run<'_>, is_hopeless: bool) -> bool {
    let request = &run.request;
    !run.counts_nodes()
        && run.is_for_one()
        && !run.has_approached()
        && request.limits.bound.is_none()
        && request.keeper.is_none_or(|keeper| is_hopeless && keeper.keeps_plans())
        && request.reader.is_none()
}

impl Approach<'_> {
    /// Looks for plans by beams over single operators.
    ///
    /// If no proof is wanted, this is the whole work. Else `search` proves. The plans come before
    /// it if it `builds` tables. Otherwise they come after its first nodes, if those are too few,
    /// and take a small part of its time.
    pub(crate) fn by_operators<D, H>(
        &self,
        (domain, heuristic, start): (&D, &H, &D::State),
        (memory, builds): (u64, bool),
        run: &mut Run<'_>,
        search: impl Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<()>
    where
        D: Domain<State: Hash>,
        H: Heuristic<D>,
    {
        let beams = BeamSearch::new(domain, heuristic, memory / 4);
        // The whole beams of earlier calls, which are not run again.
        let mut rounds: Vec<PlanRound> = Vec::new();
        let planner: &mut PlanSearch<'_> = &mut |(known, nodes), stop, tell| {
            let own = if known.is_empty() { std::mem::take(&mut rounds) } else { Vec::new() };
            let before: u64 = own.iter().map(|round| round.nodes).sum();
            let known = if known.is_empty() { &own[..] } else { known };
            let spent = beams.resume(start, (known, nodes), stop, &mut |round, is_whole| {
                rounds.extend(is_whole.then(|| round.clone()));
                tell(round, is_whole);
            });
            rounds.splice(..0, own);
            spent - before
        };
        if run.request.aim == Aim::NearOptimal {
            run.prove(heuristic.estimate(domain, start));
            run.begin_keeping();
            self.look(NODES, planner, run)?;
            self.end(run);
            return Ok(());
        }
        if !is_of_use(run, self.is_hopeless) {
            return search(run);
        }
        if !builds && !self.is_hopeless {
            return self.look_between_bounds(planner, run, &search);
        }
        let mut full = |run: &mut Run<'_>| {
            self.look(FEW_NODES, planner, run)?;
            search(run)
        };
        if builds { full(run) } else { run.near_first(DEAR, &search, full) }
    }

    /// Proves, and looks for plans between two bounds each time that the nodes have grown enough.
    fn look_between_bounds(
        &self,
        planner: &mut PlanSearch<'_>,
        run: &mut Run<'_>,
        search: &dyn Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut pause = FIRST_PAUSE;
        while run.pauses(pause, search)? {
            let nodes = run.results().generated();
            self.look((nodes / PART).max(LEAST_NODES), planner, run)?;
            pause = nodes.saturating_mul(GROWTH);
        }
        Ok(())
    }

    /// Looks for plans. The best is known from then on. `nodes` is the most nodes, if no limit and
    /// no hopeless proof allows more.
    ///
    /// # Errors
    /// If a plan does not solve the state.
    pub(crate) fn look(
        &self,
        nodes: u64,
        planner: &mut PlanSearch<'_>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        if self.is_solved(run) {
            return Ok(());
        }
        let (found, near) = run.timed(|run| self.improve(self.budget(nodes, run), planner, run));
        run.approach(found?, near);
        Ok(())
    }

    /// Whether the start is solved. Then the empty plan is known.
    pub(crate) fn is_solved(&self, run: &mut Run<'_>) -> bool {
        let is_solved = (self.replay)(&[]).is_ok();
        if is_solved {
            run.approach(Some((Plan::new(), 0)), Near { length: Some(0), ..Near::default() });
        }
        is_solved
    }

    /// Ends a search that wants no proof with the best plan.
    pub(crate) fn end(&self, run: &mut Run<'_>) {
        let outcome = match time_left(run) {
            _ if run.request.cancel.is_cancelled() => Outcome::Cancelled,
            Some(Duration::ZERO) => Outcome::LimitReached(Limit::Time),
            _ => Outcome::LimitReached(Limit::Nodes),
        };
        run.end_with_known(outcome);
    }

    /// Limits the time of a proof that is hopeless, if the request does not. A search that is kept
    /// is meant to be long.
    pub(crate) fn lose_patience(&self, run: &mut Run<'_>) {
        let request = &mut run.request;
        let is_free = request.limits.time.is_none() && request.deadline.is_none();
        if self.is_hopeless && is_free && request.keeper.is_none() {
            request.limits.time = Some(PATIENCE);
        }
    }

    /// The most nodes of a search for plans, and the most time.
    ///
    /// If no proof is wanted, it has all that the request allows. Where a proof is hopeless, it has
    /// half. Beside a search that is kept without a limit of time, it has some nodes.
    fn budget(&self, nodes: u64, run: &Run<'_>) -> (u64, Option<Duration>) {
        let (limits, left) = (&run.request.limits, time_left(run));
        match run.request.aim {
            Aim::NearOptimal if left.is_some() => (limits.nodes.unwrap_or(u64::MAX), left),
            Aim::NearOptimal => (limits.nodes.unwrap_or(nodes), None),
            _ if self.is_hopeless && (left.is_some() || run.request.keeper.is_none()) => {
                (u64::MAX, Some(left.unwrap_or(PATIENCE) / 2))
            }
            _ => (nodes, left.map(|left| left / 2)),
        }
    }

    /// The plan of the first round that is wrong: it does not solve the state, has another cost, or
    /// is not the cheapest so far. Also if a round that says so has none.
    fn wrong_plan(&self, rounds: &[PlanRound]) -> Option<Plan> {
        let mut least = None;
        let is_wrong = |round: &&PlanRound| {
            let is_cheaper = round.cost.is_some_and(|cost| least.is_none_or(|least| cost < least));
            least = round.cost.filter(|_| is_cheaper).or(least);
            match &round.plan {
                None => is_cheaper,
                // An unknown operator has no cost.
                Some(plan) => {
                    !is_cheaper
                        || (self.replay)(plan).is_err()
                        || round.cost.map(u64::from) != Some((self.cost)(plan))
                }
            }
        };
        let wrong = rounds.iter().find(is_wrong)?;
        Some(wrong.plan.clone().unwrap_or_default())
    }

    /// The best plan with its cost, or the error of a plan that does not solve the state.
    fn improve(
        &self,
        (nodes, time): (u64, Option<Duration>),
        planner: &mut PlanSearch<'_>,
        run: &Run<'_>,
    ) -> (Result<Option<(Plan, u64)>>, Near) {
        let (stopwatch, keeper) = (Stopwatch::start(), run.request.keeper);
        let known = keeper.map_or_else(Vec::new, |keeper| keeper.rounds());
        if let (Some(keeper), Some(wrong)) = (keeper, self.wrong_plan(&known)) {
            keeper.refused(&wrong);
            return (Ok(None), Near::default());
        }
        let cancel = run.request.cancel.child_within(time);
        let (mut best, mut by) = (Ok(None), String::new());
        let mut take = |round: &PlanRound| {
            let Some(plan) = &round.plan else { return };
            let (names, cost) = ((self.names)(plan), (self.cost)(plan));
            let is_dear = run.request.limits.bound.is_some_and(|bound| cost > u64::from(bound));
            if is_dear || run.results().upper().is_some_and(|known| cost >= known) {
                return;
            }
            if let Err(error) = (self.replay)(plan) {
                best = Err(Failure::Defect { plan: names.join(" "), error });
            } else if best.is_ok() {
                run.tell(&Event::plan(&names, cost, run.results().lower_bound()));
                (best, by) = (Ok(Some((plan.clone(), cost))), round.by.to_string());
            }
        };
        known.iter().rfind(|round| round.plan.is_some()).into_iter().for_each(&mut take);
        // Whether no more can be kept. Asked after each round, since a keeper has a lock.
        let is_over = AtomicBool::new(keeper.is_some_and(|keeper| keeper.is_over()));
        let stop = || cancel.is_cancelled() || is_over.load(Relaxed);
        let mut tell = |round: &PlanRound, is_whole: bool| {
            take(round);
            if let Some(keeper) = keeper.filter(|_| is_whole) {
                keeper.round(round);
                is_over.store(keeper.is_over(), Relaxed);
            }
        };
        let generated = planner((&known, nodes), &stop, &mut tell);
        let length = best.as_ref().ok().and_then(|best| Some(best.as_ref()?.0.len()));
        (best, Near { by, length, generated, elapsed: stopwatch.wall(), ..Near::default() })
    }
}
