//! Climbing from one table to a larger one that prunes more but must first be built: when that pays, and the options of a search on the way.

use crate::puzzle::Job;
use crate::runs::Found;
use search::{Cost, Iteration, Limits, Options};
use std::time::Duration;

/// A table that a search may go on with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rung {
    /// Seconds until it is there.
    pub(crate) build: f64,
    /// How many times fewer nodes it needs than the rung below.
    pub(crate) gain: f64,
}

/// The rung, counted from the first, with which a search that takes so many seconds with the first is soonest done, its build included.
pub(crate) fn soonest(rungs: &[Rung], seconds: f64) -> usize {
    let (mut best, mut least, mut gained) = (0, seconds, 1.0);
    for (up, &Rung { build, gain }) in rungs.iter().enumerate().skip(1) {
        gained *= gain;
        let all = build + seconds / gained;
        if all < least {
            (best, least) = (up, all);
        }
    }
    best
}

/// Seconds of search that lie ahead of a state and those that are known to wait, after an iteration that took `last`: the next one by the growth from the one
/// before the last to the last (`growth` where there is only one yet), as far as limits allow. The others are taken to be like this one.
pub(crate) fn ahead(found: &Found, last: Duration, growth: f64, job: &Job<'_>) -> f64 {
    let next = predicted(&found.iterations, last, growth);
    let ahead = next.min(left(&job.limits, found.generated(), found.elapsed));
    let others = (job.others)() as f64 * (found.elapsed.as_secs_f64() + ahead);
    ahead + others
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
        [.., a, b] if a.generated > 10_000 => b.generated as f64 / a.generated as f64,
        _ => growth,
    };
    last.as_secs_f64() * growth
}

/// Seconds that a search may still take before a limit ends it, at the rate of what is spent.
fn left(limits: &Limits, generated: u64, elapsed: Duration) -> f64 {
    let elapsed = elapsed.as_secs_f64();
    let of_time = limits.time.map_or(f64::INFINITY, |time| time.as_secs_f64() - elapsed);
    let of_nodes = limits.nodes.map_or(f64::INFINITY, |nodes| {
        nodes.saturating_sub(generated) as f64 * elapsed / generated.max(1) as f64
    });
    of_time.min(of_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNGS: [Rung; 4] = [
        Rung { build: 0.8, gain: 1.0 },
        Rung { build: 6.3, gain: 6.0 },
        Rung { build: 57.0, gain: 2.0 },
        Rung { build: 440.0, gain: 6.0 },
    ];

    /// The longer the search, the higher the rung; and none is passed by for one that costs more and saves less.
    #[test]
    fn the_longer_the_search_the_higher_the_rung() {
        let rungs = (0..24).map(|power| soonest(&RUNGS, f64::from(1 << power) / 16.0));
        let rungs: Vec<usize> = rungs.collect();
        assert!(rungs.is_sorted(), "{rungs:?}");
        assert_eq!((rungs[0], rungs[23]), (0, RUNGS.len() - 1));
        assert_eq!(soonest(&RUNGS[3..], 1e9), 0);
    }

    /// No table is worth its build when hardly any search is left.
    #[test]
    fn limits_leave_little_time() {
        let limits = |time, nodes| Limits { time, nodes, ..Limits::default() };
        let second = Duration::from_secs(1);
        assert_eq!(left(&limits(None, None), 1000, second), f64::INFINITY);
        assert_eq!(left(&limits(Some(3 * second), None), 1000, second), 2.0);
        assert_eq!(left(&limits(Some(3 * second), Some(1500)), 1000, second), 0.5);
        assert_eq!(left(&limits(None, Some(1)), 1000, second), 0.0);
        assert!(left(&limits(Some(second / 2), None), 1000, second) < 0.0);
    }
}
