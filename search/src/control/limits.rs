//! Limits, cancellation and progress: [`Limits`], [`CancelToken`], [`Observer`].

use crate::Plan;
use crate::control::{Iteration, Limit, Outcome, Report};
use crate::domain::Cost;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

/// The most nodes between two looks at the limits.
pub(crate) const LOOK: u64 = 1 << 12;

/// When a search stops without an answer. A limit that is `None` never stops it.
#[derive(Clone, Debug)]
pub struct Limits<C = Cost> {
    /// The most generated nodes over all iterations. Checked before each iteration and every few
    /// thousand nodes, so a search may generate a few more. [default: none]
    pub nodes: Option<u64>,
    /// The most wall time. Checked as often as the nodes. [default: none]
    pub time: Option<Duration>,
    /// The highest bound to search: finds no plan of a greater cost. [default: none]
    pub bound: Option<C>,
    /// The most bytes of stored states, for searches that store them. [default: none]
    pub bytes: Option<usize>,
}

impl<C> Default for Limits<C> {
    fn default() -> Self {
        Self { nodes: None, time: None, bound: None, bytes: None }
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Nodes,
    Time,
    Cancelled,
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Nodes => Self::LimitReached(Limit::Nodes),
            Stop::Time => Self::LimitReached(Limit::Time),
            Stop::Cancelled => Self::Cancelled,
        }
    }
}

impl<C> Limits<C> {
    /// The limit of nodes or time that a search has reached; `None` if it has reached neither.
    pub(crate) fn reached(&self, generated: u64, started: Instant) -> Option<Stop> {
        if self.nodes.is_some_and(|nodes| generated >= nodes) {
            Some(Stop::Nodes)
        } else if self.time.is_some_and(|time| started.elapsed() >= time) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// Estimates the seconds until the limit of nodes or time ends a search. `generated` nodes took
    /// `elapsed` so far, and the search goes on at this rate. Infinite without such limits;
    /// negative if the time is over.
    pub fn seconds_left(&self, generated: u64, elapsed: Duration) -> f64 {
        let elapsed = elapsed.as_secs_f64();
        let of_time = self.time.map_or(f64::INFINITY, |time| time.as_secs_f64() - elapsed);
        let of_nodes = self.nodes.map_or(f64::INFINITY, |nodes| {
            nodes.saturating_sub(generated) as f64 * elapsed / generated.max(1) as f64
        });
        of_time.min(of_nodes)
    }
}

/// When a search looks at its limits: after a number of nodes that takes about 4 milliseconds.
///
/// The number doubles while the nodes take less, and is quartered where they take much more.
#[derive(Clone)]
pub(crate) struct Pace {
    nodes: u64,
    looked: Instant,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self { nodes: 1, looked: Instant::now() }
    }

    /// Notes a look. Returns the number of nodes until the next one.
    pub(crate) fn next(&mut self) -> u64 {
        let took = self.looked.elapsed();
        self.looked += took;
        if took < Duration::from_millis(2) {
            self.nodes = (2 * self.nodes).min(LOOK);
        } else if took > Duration::from_millis(8) {
            self.nodes = (self.nodes / 4).max(1);
        }
        self.nodes
    }
}

/// A request to stop, from another thread or a signal handler. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    own: Arc<AtomicBool>,
    parent: Option<Arc<CancelToken>>,
    deadline: Option<Instant>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }
    /// A token that is cancelled.
    pub fn cancelled() -> Self {
        let token = Self::new();
        token.cancel();
        token
    }
    /// A new token. It is cancelled if this one is, and it can be cancelled alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { parent: Some(Arc::new(self.clone())), ..Self::default() }
    }
    /// A child that is also cancelled after this time. `None` sets no time.
    ///
    /// For work that has no limits of its own, such as choosing tables.
    #[must_use]
    pub fn child_within(&self, time: Option<Duration>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, ..self.child() }
    }
    /// Whether both tokens are clones of one token.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.own, &other.own)
    }
    /// Asks everyone who holds a clone or a child to stop.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }
    /// Whether this token is cancelled. It is if someone cancelled it, a clone of it, or the token
    /// that it is a child of, or if its time is over.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let parent = || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled());
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.own.load(Ordering::Relaxed) || parent() || late()
    }
}

/// The progress of a running search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Progress<C = Cost> {
    /// The bound of the running iteration.
    pub bound: C,
    /// Generated nodes so far, over all iterations.
    pub generated: u64,
    /// Generated nodes so far in the running iteration.
    pub generated_in_iteration: u64,
    /// The proven lower bound on the cost of a plan.
    pub lower_bound: C,
    /// The cost of the best known plan; `None` if no plan is known.
    pub upper_bound: Option<C>,
    /// The finished root tasks of the running iteration, and all of them. `(0, 1)` in a serial
    /// search.
    pub tasks: (usize, usize),
}

impl<C: Copy> Progress<C> {
    /// The same progress with costs of another type.
    pub fn map_costs<D>(&self, cost: impl Fn(C) -> D) -> Progress<D> {
        let Self { generated, generated_in_iteration, tasks, .. } = *self;
        let (bound, lower_bound) = (cost(self.bound), cost(self.lower_bound));
        let upper_bound = self.upper_bound.map(cost);
        Progress { bound, generated, generated_in_iteration, lower_bound, upper_bound, tasks }
    }
}

/// Receives the progress of a search, from its threads. Every method is empty by default.
///
/// `C` is the type of costs. For every type, write `impl<C> Observer<C> for ..`.
pub trait Observer<C = Cost>: Sync {
    /// Called when a thread has expanded some thousand more nodes. Smaller iterations pass without
    /// a call.
    fn progress(&self, _progress: &Progress<C>) {}
    /// Called when an iteration ends, completely or not.
    fn iteration(&self, _iteration: &Iteration<C>) {}
    /// Called when a search that improves its plans has found a cheaper one, of this cost.
    fn improved(&self, _plan: &Plan, _cost: C) {}
    /// Called when a stage of [`search_stages`](crate::search_stages) ends, with its number from 0.
    fn stage(&self, _number: usize, _report: &Report) {}
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<C> Observer<C> for Silent {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time left is what the stricter limit leaves.
    #[test]
    fn limits_leave_little_time() {
        let limits = |time, nodes| Limits::<Cost> { time, nodes, ..Limits::default() };
        let second = Duration::from_secs(1);
        assert_eq!(limits(None, None).seconds_left(1000, second), f64::INFINITY);
        assert_eq!(limits(Some(3 * second), None).seconds_left(1000, second), 2.0);
        assert_eq!(limits(Some(3 * second), Some(1500)).seconds_left(1000, second), 0.5);
        assert_eq!(limits(None, Some(1)).seconds_left(1000, second), 0.0);
        assert!(limits(Some(second / 2), None).seconds_left(1000, second) < 0.0);
    }
}
