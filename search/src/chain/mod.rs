//! Search along a chain of goals, for good plans soon: the first stage leads into a set of states from which fewer operators are needed, the next
//! one further in, the last one to the goal.
//!
//! The first stage is searched for plans of every cost, the cheapest first, and each is completed by the stages after it if that makes a
//! plan better than all before: the first plan comes soon, and plans improve until a limit ends the search or none can be better. This is the
//! two-phase algorithm of Herbert Kociemba (1992; as told by Daniel Fowler, thesis, 2002), for any domain and any number of stages.
//!
//! *A stage's plans have an exact cost*: one that enters the stage's goals, leaves them and comes back is looked at, too, when its whole cost is
//! due. So every plan is found at last, whatever states it passes. Left out are those that end with an operator of the next stage, because the next stage
//! appends it to the plan without.

mod image;
mod stage;
#[cfg(test)]
mod tests;
mod walk;

pub use image::Image;
pub use stage::{Chain, Stage, Stages};
pub use walk::ChainSearch;

use crate::control::{Iteration, Limit, Options, Outcome, Report};
use crate::domain::{Cost, Domain};

/// Searches along a chain of stages on one thread, from several images of the start state in turn.
///
/// `images` are states whose plans can be made plans of the start state at the same cost ([`Image`]); the start state alone will do. `ceiling`: what the stages
/// after the first may cost at first, so that the search does not spend itself where the end is far; it is raised when all else is
/// searched.
///
/// Every plan that costs less than all before is told to [`Observer::improved`](crate::Observer::improved); the best is the answer. Of [`Options`], the
/// limits count the nodes of all stages, plans that cost [`Options::upper_bound`] or more are not looked for, and `plans` and `lower_bound` mean nothing. Plans and
/// counts are the same on every machine, unless the time runs out or the caller cancels.
///
/// [`Report::optimal`] is false, unless the start state is a goal: this search finds, another one proves. [`Report::complete`] says that the search came to its
/// own end. There is an iteration for each cost of the first stage, and the lower bound is the first stage's estimate.
pub fn search_chain<D: Domain, C: Stages<D>>(
    domain: &D,
    stages: &C,
    images: &[Image<D::State>],
    ceiling: Cost,
    options: &Options,
) -> Report {
    let parity = images.first().and_then(|image| domain.parity(&image.state));
    let mut walk = ChainSearch::new(domain, options, if parity.is_some() { 2 } else { 1 });
    let estimates = || images.iter().map(|image| stages.estimate(domain, &image.state));
    walk.lower_bound = estimates().max().unwrap_or(0);
    let first = estimates().min().unwrap_or(0);
    let solved = images.iter().find(|image| domain.is_goal(&image.state));
    if let Some(image) = solved {
        walk.found(image, &[]);
    }
    let (mut ceiling, mut iterations) = (ceiling, Vec::new());
    let mut bounded = false;
    while solved.is_none() {
        walk.lowered = false;
        bounded = round(&mut walk, stages, images, (first, ceiling), &mut iterations);
        if walk.stop.is_some() || !walk.lowered {
            break;
        }
        ceiling = ceiling.saturating_add(2);
    }
    let complete = walk.stop.is_none();
    let elapsed = walk.elapsed();
    let outcome = match (walk.best, walk.stop) {
        (Some(plan), _) => Outcome::Solved(vec![plan]),
        (None, Some(stop)) => stop.into(),
        (None, None) if bounded => Outcome::LimitReached(Limit::Bound),
        (None, None) => Outcome::Unsolvable,
    };
    let (lower_bound, optimal) = (walk.lower_bound, solved.is_some());
    Report { outcome, lower_bound, optimal, complete, iterations, elapsed }
}

/// The first stage, at every cost from `first` on from which a better plan may come, from all images. Whether plans of a greater cost were left out.
fn round<D: Domain, C: Stages<D>>(
    walk: &mut ChainSearch<'_, D>,
    stages: &C,
    images: &[Image<D::State>],
    (first, ceiling): (Cost, Cost),
    iterations: &mut Vec<Iteration>,
) -> bool {
    for bound in first..=Cost::MAX {
        if walk.left(Cost::MAX).is_none_or(|most| bound > most) {
            return true;
        }
        let (generated, expanded) = (walk.generated, walk.expanded);
        (walk.bound, walk.before) = (bound, generated);
        let mut more = false;
        for image in images {
            if walk.look().is_some() {
                break;
            }
            more |= stages.sweep(walk, image, &image.state, bound, ceiling);
        }
        let complete = walk.stop.is_none();
        let (generated, expanded) = (walk.generated - generated, walk.expanded - expanded);
        let iteration = Iteration { bound, generated, expanded, complete };
        walk.tell(&iteration);
        iterations.push(iteration);
        if !complete || !more {
            return false;
        }
    }
    true
}
