//! Search along a chain of subgoals, which soon finds good plans.
//!
//! The first stage leads into a set of states from which fewer operators suffice. The next stage
//! leads further in, and the last one to the goal. [`search_stages`] solves one stage after the
//! other, each at the least cost. [`search_chain`] goes on to improve the cost of the whole plan.
//!
//! [`search_chain`] tries plans of the first stage at every cost, cheapest first. The stages after
//! it complete each of them if that gives a better plan than all before. So the first plan comes
//! soon. Plans improve until a limit ends the search or no better plan is possible. This is the
//! two-phase algorithm of Herbert Kociemba (1992; described by Joe Fowler, thesis, 2002), for
//! any domain and any number of stages.
//!
//! *Plans of a stage have an exact cost.* In each iteration, the search tries exactly the plans of
//! the first stage that cost the bound. A plan may enter the goals of the stage, leave them and
//! enter them again. So the search finds every plan in the end, whatever states the plan passes.
//! The search omits plans of a stage that end with an operator of the next stage. The next stage
//! appends this operator to the shorter plan instead.

mod chain_search;
mod image;
mod inadmissible;
mod links;
mod stage;
mod stage_domain;
mod staged;
#[cfg(test)]
mod tests;

use chain_search::ChainSearch;
pub use image::Image;
pub use inadmissible::Inadmissible;
pub use stage::{AnyStage, Stage};
pub use staged::{StagedReport, search_stages};

use crate::control::{Iteration, Limit, Options, Outcome, Report};
use crate::domain::{Cost, Domain};
use links::Links;

/// Searches along a chain of stages on one thread, from several images of the start in turn.
///
/// The stages must satisfy:
/// 1. The operators of the next stage lead from goal to goal of a stage.
/// 2. The goals of the last stage are those of the domain, and goals of every stage.
/// 3. The first stage has all operators. Every goal of a stage has a plan with the operators of the
///    next stage.
///
/// Without rule 3, the search may miss plans. Without rule 1 or 2, it may return a string that is
/// no plan, or end too early. A stage should have a heuristic whose tables fit the cache, because
/// the search reads the bound of each child at once.
///
/// - `images` are states whose plans become plans of the start at the same cost ([`Image`]). The
///   start alone is enough.
/// - `ceiling` limits the cost of the stages after the first, so that the search does not get stuck
///   far from the goal. The search raises it after it has searched everything else.
///
/// The observer gets every plan that costs less than all before
/// ([`Observer::improved`](crate::Observer::improved)). The report contains the best plan. It has
/// an iteration for each cost of the first stage. Its lower bound is the estimate of the first
/// stage. [`Report::complete`] is false if a limit or the caller stopped the search.
/// [`Report::optimal`] is false unless the start is a goal, because this search proves nothing.
///
/// The limits count the nodes of all stages. The search looks for plans below
/// [`Options::upper_bound`] only, and ignores [`Options::plans`] and [`Options::lower_bound`].
/// Plans and counts are the same on every machine, unless the time runs out or the caller cancels.
///
/// # Panics
/// If there is no stage.
pub fn search_chain<D: Domain>(
    domain: &D,
    stages: &[&dyn AnyStage<D>],
    images: &[Image<D::State>],
    ceiling: Cost,
    options: &Options,
) -> Report {
    let parity = images.first().and_then(|image| domain.parity(&image.state));
    assert!(!stages.is_empty(), "a chain has at least one stage");
    let ends = links::ends(domain, stages);
    let stages = Links::new(stages, &ends);
    let mut search = ChainSearch::new(domain, options, if parity.is_some() { 2 } else { 1 });
    let estimates = || images.iter().map(|image| stages.estimate(domain, &image.state));
    search.state.lower_bound = estimates().max().unwrap_or(0);
    let first = estimates().min().unwrap_or(0);
    let solved = images.iter().find(|image| domain.is_goal(&image.state));
    if let Some(image) = solved {
        search.found(image, &[]);
    }
    let (mut ceiling, mut iterations) = (ceiling, Vec::new());
    let mut bounded = false;
    while solved.is_none() {
        search.lowered = false;
        bounded = round(&mut search, &stages, images, (first, ceiling), &mut iterations);
        if search.stop.is_some() || !search.lowered {
            break;
        }
        ceiling = ceiling.saturating_add(2);
    }
    let complete = search.stop.is_none();
    let elapsed = search.state.elapsed();
    let outcome = match (search.best, search.stop) {
        (Some(plan), _) => Outcome::Solved(vec![plan]),
        (None, Some(stop)) => stop.into(),
        (None, None) if bounded => Outcome::LimitReached(Limit::Bound),
        (None, None) => Outcome::Unsolvable,
    };
    let (lower_bound, optimal) = (search.state.lower_bound, solved.is_some());
    Report { outcome, lower_bound, optimal, complete, iterations, elapsed }
}

/// Searches the first stage from all images, at every cost from `first` on that allows a better
/// plan. Returns true if a limit on costs ended it.
fn round<D: Domain>(
    search: &mut ChainSearch<'_, D>,
    stages: &Links<'_, D>,
    images: &[Image<D::State>],
    (first, ceiling): (Cost, Cost),
    iterations: &mut Vec<Iteration>,
) -> bool {
    for bound in first..=Cost::MAX {
        if search.left(Cost::MAX).is_none_or(|most| bound > most) {
            return true;
        }
        let (generated, expanded) = (search.generated, search.expanded);
        (search.state.bound, search.state.before) = (bound, generated);
        let mut more = false;
        for image in images {
            if search.look().is_some() {
                break;
            }
            more |= stages.sweep(search, image, &image.state, bound, ceiling);
        }
        let complete = search.stop.is_none();
        let (generated, expanded) = (search.generated - generated, search.expanded - expanded);
        let iteration = Iteration { bound, generated, expanded, complete };
        search.report_iteration(&iteration);
        iterations.push(iteration);
        if !complete || !more {
            return false;
        }
    }
    true
}
