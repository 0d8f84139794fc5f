//! Plans that begin and end as the caller says: [`Request::begins`], [`Request::ends`].
//!
//! For each choice of first and last moves, the moves between solve a state of their own. Its
//! searches are the parts of one search.

use super::configured::{self, AllowedPlans, Game};
use super::parts::{Part, search_parts};
use crate::puzzle::{Aim, Event, Failure, InvalidInput, Result, Watch};
use crate::run::{Results, Run};
use crate::settings::SolverChoice;
use search::{Cost, Limit, MAX_COST, Op, Outcome, Plan, plan};

/// The search for the moves between the first and the last ones, with its results so far.
struct Between<'a, G: Game> {
    game: &'a G,
    first: &'a Plan,
    last: &'a Plan,
    /// What these moves cost.
    extra: Cost,
    /// The state that the moves between solve.
    state: G::State,
    results: Results,
}

/// Searches for plans that begin and end as a run asks for.
///
/// # Errors
/// If these are no moves, none of the first ones can be made, or the puzzle has no state that the
/// moves between solve. Otherwise those of [`configured::search`].
pub(super) fn search<G: Game>(game: &G, start: &G::State, run: &mut Run<'_>) -> Result<()> {
    if run.request.keeper.is_some() {
        let why = "begins and ends: they are for searches that are neither kept nor shared";
        return Err(Failure::refused(why));
    }
    if game.settings().solver != SolverChoice::Optimal {
        let solver = &game.settings().solver;
        return Err(solver.refused_with("begins or ends").into());
    }
    let firsts = sequences(game, "begins", run.request.begins.as_deref())?;
    let lasts = sequences(game, "ends", run.request.ends.as_deref())?;
    let mut parts = Vec::new();
    for first in &firsts {
        if let Err(plan::Invalid::NotApplicable { .. }) = game.replay(start, first) {
            continue;
        }
        for last in &lasts {
            let cost = game.cost(first) + game.cost(last);
            let extra = Cost::try_from(cost).ok().filter(|&extra| extra < MAX_COST);
            let extra = extra.ok_or_else(|| {
                let most = MAX_COST - 1;
                InvalidInput::new(format_args!(
                    "begins and ends cost {cost} together: expected {most} at the most"
                ))
            })?;
            let state = game.between(start, first, last).ok_or_else(|| not_between(game, last))?;
            let results = Results::reading(game.settings().heuristic.name());
            parts.push(Between { game, first, last, extra, state, results });
        }
    }
    if parts.is_empty() {
        let why = "begins: expected moves that can be made, found none that the state allows";
        return Err(InvalidInput::new(why).into());
    }
    let cost = |plan: &[Op]| game.cost(plan);
    let wanted = (run.request.plans, run.request.slack);
    run.with(
        |request| {
            request.on_plan = None;
            (request.begins, request.ends) = (None, None);
        },
        |run| search_parts(&mut parts, &cost, run),
    )?;
    let whole = |part: Between<'_, G>| {
        let (extra, mut results) = (part.extra(), part.results);
        results.lengthen(part.first, part.last, extra);
        (0, results)
    };
    run.take(Results::joined(parts.into_iter().map(whole).collect(), wanted, &cost));
    Ok(())
}

/// Reads sequences of moves with commas between them. `None`: the empty one.
fn sequences<G: Game>(game: &G, what: &str, text: Option<&str>) -> Result<Vec<Plan>> {
    let Some(text) = text else { return Ok(vec![Plan::new()]) };
    let wrong = |error: InvalidInput| Failure::from(error.within(what));
    let mut all: Vec<Plan> = Vec::new();
    for sequence in text.split(',') {
        if sequence.trim().is_empty() {
            return Err(wrong(InvalidInput::new("expected moves before and after each comma")));
        }
        let sequence = game.parse_plan(sequence).map_err(wrong)?;
        if !all.contains(&sequence) {
            all.push(sequence);
        }
    }
    Ok(all)
}

/// The error of a puzzle that cannot tell the state between first and last moves.
fn not_between<G: Game>(game: &G, last: &Plan) -> Failure {
    let name = &Game::info(game).name;
    Failure::refused(match last.is_empty() {
        true => format!(
            "{name}: begins: expected a state that is known in full, and no rules about moves"
        ),
        false => format!(
            "{name}: ends: expected a puzzle whose states form a group and that is held one way, \
             without identical pieces, rules, turns of slices, or a goal of its own"
        ),
    })
}

impl<G: Game> Part for Between<'_, G> {
    const IN_TURNS: bool = false;

    fn results(&self) -> &Results {
        &self.results
    }

    fn extra(&self) -> Cost {
        self.extra
    }

    fn search(&mut self, run: &mut Run<'_>) -> Result<()> {
        let extra = self.extra;
        let bound = run.request.limits.bound.map(|bound| bound.checked_sub(extra));
        if bound == Some(None) {
            let end = |run: &mut Run<'_>| run.end(Outcome::LimitReached(Limit::Bound), false);
            run.with_results(&mut self.results, end);
            return Ok(());
        }
        let watch: &dyn Watch = &Lengthened {
            watch: run.request.watch,
            game: self.game,
            first: self.first,
            last: self.last,
            extra,
        };
        run.with(
            |request| {
                request.watch = watch;
                request.limits.bound = bound.flatten();
                request.min_length = request.min_length.saturating_sub(extra);
                request.lower_bound = request.lower_bound.saturating_sub(extra);
            },
            |run| self.search_between(run),
        )
    }
}

impl<G: Game> Between<'_, G> {
    /// Searches for the moves between, until whole plans count. Of a near-optimal search, any does.
    fn search_between(&mut self, run: &mut Run<'_>) -> Result<()> {
        let (wanted, slack) = (run.request.plans, run.request.slack);
        if run.request.aim == Aim::NearOptimal {
            return self.search_level(run);
        }
        let counts = self.game.reduced(run)?;
        // The first plan that is found counts, mostly. Only a search for all finds another.
        let mut is_all = wanted > 1;
        let mut widest = slack;
        let plans = if is_all { usize::MAX } else { 1 };
        run.with(|request| request.plans = plans, |run| self.search_level(run))?;
        loop {
            let least = self.results.lower_bound();
            let Some(Outcome::Solved(plans)) = self.results.outcome() else { return Ok(()) };
            let mut plans = plans.clone();
            plans.retain(|plan| counts.as_ref().is_none_or(|counts| self.counts(counts, plan)));
            let cost = plans.first().map(|plan| self.game.cost(plan));
            let is_done = cost.is_some_and(|cost| {
                !is_all || widest == slack && (slack == 0 || cost == u64::from(least))
            });
            if is_done {
                plans.truncate(wanted);
                self.results.take_plans(plans);
                return Ok(());
            }
            // No plan counts so far. Or wanted plans above the least cost are still missing.
            let next = match cost {
                Some(cost) => Cost::try_from(cost).unwrap_or(Cost::MAX),
                None if is_all => least.saturating_add(widest).saturating_add(1),
                None => least,
            };
            widest = if cost.is_some() { slack } else { 0 };
            is_all = true;
            let before = std::mem::replace(
                &mut self.results,
                Results::reading(self.game.settings().heuristic.name()),
            );
            run.with(
                |request| {
                    (request.plans, request.min_length) = (usize::MAX, next);
                    (request.slack, request.lower_bound) = (widest, next);
                    let limits = &mut request.limits;
                    let (nodes, time) = (before.all_generated(), before.elapsed());
                    limits.nodes = limits.nodes.map(|all| all.saturating_sub(nodes));
                    limits.time = limits.time.map(|all| all.saturating_sub(time));
                },
                |run| self.search_level(run),
            )?;
            before.add_effort(&mut self.results);
        }
    }

    fn search_level(&mut self, run: &mut Run<'_>) -> Result<()> {
        let (game, state) = (self.game, &self.state);
        run.with_results(&mut self.results, |run| configured::search(game, state, run))
    }

    /// Whether the pruning allows a whole plan, up to the order of moves that commute. It allows
    /// one of two such orders, and no two moves that join.
    fn counts(&self, allowed: &AllowedPlans<'_>, middle: &[Op]) -> bool {
        let mut whole: Plan = self.first.iter().chain(middle).chain(self.last).copied().collect();
        for _ in 0..whole.len() * whole.len() {
            let swaps = |at: &usize| {
                let (a, b) = (whole[at - 1], whole[*at]);
                !allowed(&[a, b]) && allowed(&[b, a])
            };
            let Some(at) = (1..whole.len()).find(swaps) else { break };
            whole.swap(at - 1, at);
        }
        allowed(&whole)
    }
}

/// Tells plans with their first and last moves, and costs with what these cost.
struct Lengthened<'a, G> {
    watch: &'a dyn Watch,
    game: &'a G,
    first: &'a Plan,
    last: &'a Plan,
    extra: Cost,
}

impl<G: Game> Watch for Lengthened<'_, G> {
    fn event(&self, event: &Event<'_>) {
        let more = |cost: Cost| cost.saturating_add(self.extra);
        let mut event = event.clone();
        match &mut event {
            Event::Plan { plan, lower_bound, upper_bound, .. } => {
                // Names of moves may depend on the moves before.
                let Ok(middle) = self.game.parse_plan(&plan.join(" ")) else { return };
                let whole: Plan =
                    self.first.iter().chain(&middle).chain(self.last).copied().collect();
                let cost = *upper_bound + u64::from(self.extra);
                let names = self.game.names(&whole);
                return self.watch.event(&Event::plan(&names, cost, more(*lower_bound)));
            }
            Event::Search { bound, lower_bound, upper_bound, .. } => {
                (*bound, *lower_bound) = (more(*bound), more(*lower_bound));
                *upper_bound = upper_bound.map(more);
            }
            Event::Iteration { iteration } => iteration.bound = more(iteration.bound),
            Event::Improved { cost } => *cost = more(*cost),
            _ => {}
        }
        self.watch.event(&event);
    }
}
