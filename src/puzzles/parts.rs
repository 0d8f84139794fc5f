//! Several searches whose cheapest plans together are the answer: [`Part`]s, and how they share the
//! work and the limits of a run.

use super::approach::{NODES, time_left};
use crate::puzzle::{Aim, Result, Watch};
use crate::run::{AtMost, Results, Run};
use search::{Cost, Limit, Limits, Op, Outcome};
use std::time::Duration;

/// One of several searches, with its results so far.
pub(crate) trait Part {
    /// Whether all parts search each bound before any searches the next. So the cheapest part ends
    /// the search soonest, but no part has a plan before its proof. A part whose searches begin
    /// anew with each bound is better searched to its end.
    const IN_TURNS: bool;

    fn results(&self) -> &Results;
    /// What plans cost beside the operators that this search finds.
    fn extra(&self) -> Cost {
        0
    }
    /// Continues the search, within limits of whole plans.
    fn search(&mut self, run: &mut Run<'_>) -> Result<()>;

    /// No whole plan of this part costs less.
    fn lower_bound(&self) -> Cost {
        self.results().lower_bound().saturating_add(self.extra())
    }
    /// Whether a higher bound may find more.
    fn is_open(&self) -> bool {
        matches!(self.results().outcome(), None | Some(Outcome::LimitReached(Limit::Bound)))
    }
}

/// Searches several parts for the plans that a run wants. `cost` is that of operators.
pub(crate) fn search_parts<P: Part>(
    parts: &mut [P],
    cost: &dyn Fn(&[Op]) -> u64,
    run: &mut Run<'_>,
) -> Result<()> {
    match parts {
        [one] => one.search(run),
        all if run.request.aim == Aim::NearOptimal => search_near(all, cost, run),
        all if P::IN_TURNS && !run.goes_above() => search_in_turns(all, run),
        all => search_one_by_one(all, run),
    }
}

/// Searches all parts in turns: the part with the least lower bound searches one bound. So every
/// bound is searched in all parts before the next bound is.
fn search_in_turns<P: Part>(parts: &mut [P], run: &mut Run<'_>) -> Result<()> {
    let most = run.request.limits.bound.unwrap_or(Cost::MAX);
    // The cost of the plans that some part has found.
    let mut best: Option<Cost> = None;
    loop {
        let open = parts.iter().enumerate().filter(|(_, one)| one.is_open());
        let next = open.min_by_key(|(at, one)| (one.lower_bound(), *at)).map(|(at, _)| at);
        let Some(at) = next else { break };
        let bound = parts[at].lower_bound();
        let found = run.request.plans == 1 && best.is_some();
        let enough = found || best.is_some_and(|best| bound > best);
        if enough || bound > most {
            break;
        }
        let limits = Limits { bound: Some(bound), ..left(parts, at, run) };
        run.with(|request| request.limits = limits, |run| parts[at].search(run))?;
        match parts[at].results().outcome() {
            Some(Outcome::Solved(_)) => best = Some(bound),
            Some(Outcome::LimitReached(Limit::Bound)) if parts[at].lower_bound() <= bound => break,
            Some(Outcome::LimitReached(Limit::Bound) | Outcome::Unsolvable) => {}
            _ => break,
        }
    }
    Ok(())
}

/// Looks for plans in all parts, one after the other. Each gets an equal share of what is left, and
/// tells only plans that cost less than those before.
fn search_near<P: Part>(
    parts: &mut [P],
    cost: &dyn Fn(&[Op]) -> u64,
    run: &mut Run<'_>,
) -> Result<()> {
    let mut least: Option<u64> = None;
    // Without any limit, all parts together have as many nodes as one search.
    let free = run.request.limits.nodes.is_none() && time_left(run).is_none();
    run.with(
        |request| request.limits.nodes = request.limits.nodes.or(free.then_some(NODES)),
        |run| {
            for at in 0..parts.len() {
                let share = u32::try_from(parts.len() - at).unwrap_or(u32::MAX);
                let (left, spent) = (left(parts, at, run), run.preparation());
                let due = Duration::try_from_secs_f64(run.seconds_left()).ok();
                let time = left.time.map(|time| time.saturating_sub(spent));
                let time = time.into_iter().chain(due).min();
                // A search counts the preparation of those before it, too.
                let time = time.map(|time| time / share + spent);
                let dearer = least.map(|least| Cost::try_from(least - 1).unwrap_or(Cost::MAX));
                let bound = dearer.into_iter().chain(left.bound).min();
                let nodes = left.nodes.map(|nodes| nodes / u64::from(share));
                let limits = Limits { bound, nodes, time, ..left };
                search_within(limits, parts, at, run)?;
                let extra = u64::from(parts[at].extra());
                let plans = parts[at].results().best().iter();
                let found = plans.map(|plan| cost(plan) + extra).min();
                least = least.into_iter().chain(found).min();
                if least == Some(0) || run.request.cancel.is_cancelled() {
                    break;
                }
            }
            Ok(())
        },
    )
}

/// Searches one part within limits. It tells no bound that is not proven in the others, too.
fn search_within<P: Part>(
    limits: Limits,
    parts: &mut [P],
    at: usize,
    run: &mut Run<'_>,
) -> Result<()> {
    let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
    let most = others.map(|(_, one)| one.lower_bound()).min().unwrap_or(Cost::MAX);
    let watch: &dyn Watch = &AtMost { watch: run.request.watch, most };
    run.with(
        |request| (request.limits, request.watch) = (limits, watch),
        |run| parts[at].search(run),
    )
}

/// The limits of a run for part `at`, less what the others have spent. The search itself subtracts
/// what it has spent.
fn left<P: Part>(parts: &[P], at: usize, run: &Run<'_>) -> Limits {
    let others = || parts.iter().enumerate().filter(|(other, _)| *other != at);
    let nodes: u64 = others().map(|(_, one)| one.results().all_generated()).sum();
    let time = others().map(|(_, one)| one.results().elapsed()).sum();
    let limits = &run.request.limits;
    Limits {
        nodes: limits.nodes.map(|all| all.saturating_sub(nodes)),
        time: limits.time.map(|all| all.saturating_sub(time)),
        ..limits.clone()
    }
}

/// Searches the parts one after the other, each for plans that are cheap enough beside those
/// before.
fn search_one_by_one<P: Part>(parts: &mut [P], run: &mut Run<'_>) -> Result<()> {
    let mut least: Option<Cost> = None;
    let is_for_one = run.request.plans == 1;
    for at in 0..parts.len() {
        let most = least.map(|least| match is_for_one {
            true => least.saturating_sub(1),
            false => least.saturating_add(run.request.slack),
        });
        let limits = left(parts, at, run);
        let limits = Limits { bound: most.into_iter().chain(limits.bound).min(), ..limits };
        search_within(limits, parts, at, run)?;
        match parts[at].results().outcome() {
            Some(Outcome::Solved(_)) => {
                let own = parts[at].lower_bound();
                least = Some(least.map_or(own, |least| least.min(own)));
            }
            Some(Outcome::LimitReached(Limit::Bound) | Outcome::Unsolvable) => {}
            _ => break,
        }
    }
    Ok(())
}
