//! Climbing from one table to a larger one: how much search lies ahead, and the options of a search on the way.

use crate::puzzle::Job;
use crate::runs::Found;
use search::{Cost, Iteration, Limits, Options};
use std::time::Duration;

/// Iterations with fewer nodes say nothing about those that follow.
const MANY: u64 = 10_000;
/// Iterations of one state grow by more or less than they do in the mean.
const WORSE: f64 = 1.5;

/// Seconds of search that lie ahead of a state and those that are known to wait, after an iteration that took `last`: the next one by the growth from the one
/// before the last to the last (`growth` where there is only one yet), of those from number `since` on, as far as limits allow. The others are taken to be like this one.
pub(crate) fn ahead(
    found: &Found,
    since: usize,
    last: Duration,
    growth: f64,
    job: &Job<'_>,
) -> f64 {
    let next = predicted(&found.iterations[since..], last, growth);
    let ahead = next.min(job.limits.seconds_left(found.generated(), found.elapsed));
    let others = (job.others)() as f64 * (found.elapsed.as_secs_f64() + ahead);
    ahead + others
}

/// Whether the first iteration with another table grew by more than it would have without.
pub(crate) fn is_worse(iterations: &[Iteration], growth: f64) -> bool {
    match iterations {
        [.., a, b] if a.complete && b.complete && a.generated > MANY => {
            // With a parity, every other bound is passed over.
            let expected = growth.powi(i32::from(b.bound) - i32::from(a.bound));
            b.generated as f64 > WORSE * expected * a.generated as f64
        }
        _ => false,
    }
}

/// Options of the next search of a ladder: what is proven is not searched again, what is spent counts.
pub(crate) fn options<'a>(job: &'a Job<'_>, found: &Found, one_bound: bool) -> Options<'a> {
    let spent = found.generated();
    let bound = match (one_bound, job.limits.bound) {
        // If the estimate is above what is proven, the search says so and searches nothing.
        (true, limit) => Some(limit.unwrap_or(Cost::MAX).min(found.lower_bound)),
        (false, limit) => limit,
    };
    let limits = Limits {
        nodes: job.limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
        time: job.limits.time.map(|time| time.saturating_sub(found.elapsed)),
        bound,
        bytes: None,
    };
    Options {
        limits,
        cancel: job.cancel.clone(),
        observer: job.watch,
        // Both ends may meet inside a string that the automaton forbids, so a plan can turn up twice: all are looked for, and
        // those that the front automaton does not accept are dropped.
        plans: if job.plans > 1 { usize::MAX } else { 1 },
        lower_bound: found.lower_bound,
        upper_bound: found.upper_bound(),
    }
}

/// Seconds that the next iteration will take, by the growth from the one before the last to the last.
fn predicted(iterations: &[Iteration], last: Duration, growth: f64) -> f64 {
    let growth = match iterations {
        [.., a, b] if a.generated > MANY => b.generated as f64 / a.generated as f64,
        _ => growth,
    };
    last.as_secs_f64() * growth
}
