//! Looking for plans that are not proven, in place of a proof or before it: [`Approach`].

use crate::puzzle::{Aim, Event, Failure, Near, Result};
use crate::run::Run;
use crate::timing::Stopwatch;
use anytime::BeamSearch;
use search::{Domain, Heuristic, Limit, Op, Outcome, Plan, plan};
use std::hash::Hash;
use std::time::Duration;

/// Nodes of a search for plans that no limit ends: seconds, on large cubes with their cycles.
pub(crate) const NODES: u64 = 10_000_000;

/// Nodes of a search for plans before a proof that may be short.
pub(crate) const FEW_NODES: u64 = 1_000_000;

/// Nodes of an iteration after which the next may take longer than a search for plans.
pub(crate) const DEAR: u64 = 1 << 22;

/// The time for a state whose proof is hopeless, if the request has no limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// Looks for plans until about so many nodes were generated or the second argument is true. Tells
/// each plan that is cheaper than those before, with the name of what found it. Returns the nodes.
pub(crate) type PlanSearch<'a> =
    dyn FnMut(u64, &(dyn Fn() -> bool + Sync), &mut dyn FnMut(&'static str, &[Op])) -> u64 + 'a;

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
/// shared.
pub(crate) fn is_of_use(run: &Run<'_>) -> bool {
    let request = &run.request;
    !run.counts_nodes()
        && run.is_for_one()
        && !run.has_approached()
        && request.limits.bound.is_none()
        && request.keeper.is_none()
        && request.reader.is_none()
}

impl Approach<'_> {
    /// Looks for plans by beams over single operators.
    ///
    /// If no proof is wanted, this is the whole work. Else `search` proves. The plans come before
    /// it if it `builds` tables, and otherwise after its first nodes, if those are too few.
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
        let planner: &mut PlanSearch<'_> = &mut |nodes, stop, tell| {
            beams.improve(start, nodes, stop, &mut |plan| tell("beam", plan))
        };
        if run.request.aim == Aim::NearOptimal {
            run.prove(heuristic.estimate(domain, start));
            self.look(NODES, planner, run)?;
            self.end(run);
            return Ok(());
        }
        if !is_of_use(run) {
            return search(run);
        }
        let mut full = |run: &mut Run<'_>| {
            self.look(FEW_NODES, planner, run)?;
            search(run)
        };
        if builds { full(run) } else { run.near_first(DEAR, &search, full) }
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
        if (self.replay)(&[]).is_ok() {
            run.approach(Some((Plan::new(), 0)), Near { length: Some(0), ..Near::default() });
            return Ok(());
        }
        let (found, near) = run.timed(|run| self.improve(self.budget(nodes, run), planner, run));
        run.approach(found?, near);
        Ok(())
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

    /// Limits the time of a proof that is hopeless, if the request does not.
    pub(crate) fn lose_patience(&self, run: &mut Run<'_>) {
        let limits = &mut run.request.limits;
        if self.is_hopeless && limits.time.is_none() && run.request.deadline.is_none() {
            limits.time = Some(PATIENCE);
        }
    }

    /// The most nodes of a search for plans, and the most time.
    ///
    /// If no proof is wanted, it has all that the request allows. Where a proof is hopeless, it has
    /// half.
    fn budget(&self, nodes: u64, run: &Run<'_>) -> (u64, Option<Duration>) {
        let (limits, left) = (&run.request.limits, time_left(run));
        match run.request.aim {
            Aim::NearOptimal if left.is_some() => (limits.nodes.unwrap_or(u64::MAX), left),
            Aim::NearOptimal => (limits.nodes.unwrap_or(nodes), None),
            _ if self.is_hopeless => (u64::MAX, Some(left.unwrap_or(PATIENCE) / 2)),
            _ => (nodes, left.map(|left| left / 2)),
        }
    }

    /// The best plan with its cost, or the error of a plan that does not solve the state.
    fn improve(
        &self,
        (nodes, time): (u64, Option<Duration>),
        planner: &mut PlanSearch<'_>,
        run: &Run<'_>,
    ) -> (Result<Option<(Plan, u64)>>, Near) {
        let stopwatch = Stopwatch::start();
        let cancel = run.request.cancel.child_within(time);
        let (mut best, mut by) = (Ok(None), "");
        let mut tell = |name, plan: &[Op]| {
            let (names, cost) = ((self.names)(plan), (self.cost)(plan));
            if run.request.limits.bound.is_some_and(|bound| cost > u64::from(bound)) {
                return;
            }
            if let Err(error) = (self.replay)(plan) {
                best = Err(Failure::Defect { plan: names.join(" "), error });
            } else if best.is_ok() {
                run.tell(&Event::plan(&names, cost, run.results().lower_bound()));
                (best, by) = (Ok(Some((Plan::from(plan), cost))), name);
            }
        };
        let generated = planner(nodes, &|| cancel.is_cancelled(), &mut tell);
        let length = best.as_ref().ok().and_then(|best| Some(best.as_ref()?.0.len()));
        (best, Near { by, length, generated, elapsed: stopwatch.wall(), ..Near::default() })
    }
}
