//! The search as a builder, with limits, cancellation, an observer and the number of plans.

use super::costs::Number;
use super::descent::{Closures, Descent, Round};
use super::error::ClosureError;
use super::memory::Settings;
use search::{CancelToken, Cost, Limits, MAX_COST, Observer, Options, Report, Sweep, deepen};
use std::hash::Hash;

/// A search from closures, with all [`Options`] of a search.
///
/// # Example
/// ```
/// use fewest_closures::{ClosureSearch, Limit, Limits, Outcome};
///
/// // From 1 to 100 by doubling (cost 3) and adding one (cost 1), within 50 generated numbers.
/// let search = ClosureSearch::new(&1u32, |n| [(n * 2, 3), (n + 1, 1)], |_| 0, |&n| n == 100);
/// let answer = search.limits(Limits { nodes: Some(50), ..Limits::default() }).run()?;
/// assert_eq!(answer.report.outcome, Outcome::LimitReached(Limit::Nodes));
/// assert!(answer.report.lower_bound > 1 && answer.path().is_none());
/// # Ok::<(), fewest_closures::ClosureError>(())
/// ```
pub struct ClosureSearch<'a, N, S, H, G> {
    start: &'a N,
    successors: S,
    heuristic: H,
    is_goal: G,
    options: Options<'a>,
    /// Which states the search remembers. Only tests change this.
    pub(crate) settings: Settings,
}

impl<N: std::fmt::Debug, S, H, G> std::fmt::Debug for ClosureSearch<'_, N, S, H, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { start, options, .. } = self;
        f.debug_struct("ClosureSearch")
            .field("start", start)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

/// A plan as the states along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath<N> {
    /// The states from the start to the goal, both included.
    pub states: Vec<N>,
    /// The cost of the path: the sum of the costs of its steps.
    pub cost: Cost,
}

/// The paths that a search from closures found, and its report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClosureAnswer<N> {
    /// The paths: one for each plan of the report, in the same order.
    pub paths: Vec<StatePath<N>>,
    /// The outcome, the proven lower bound and the counts. An operator of a plan is a position in
    /// the list of successors.
    pub report: Report,
}

impl<N> ClosureAnswer<N> {
    /// The first path, if the search found one.
    pub fn path(&self) -> Option<&StatePath<N>> {
        self.paths.first()
    }
}

impl<'a, N, C, I, S, H, G> ClosureSearch<'a, N, S, H, G>
where
    N: Clone + Eq + Hash,
    C: Number,
    I: IntoIterator<Item = (N, C)>,
    S: FnMut(&N) -> I,
    H: FnMut(&N) -> C,
    G: FnMut(&N) -> bool,
{
    /// A search without limits for one plan.
    ///
    /// - `successors` lists the states one step away with the cost of the step, as an array, a
    ///   vector or any iterator. The search tries them in this order, unless an earlier iteration
    ///   found a better one.
    /// - `heuristic` is a lower bound on the cost to a goal. 0 is always correct; a higher bound is
    ///   faster.
    pub fn new(start: &'a N, successors: S, heuristic: H, is_goal: G) -> Self {
        let (options, settings) = (Options::default(), Settings::DEFAULT);
        Self { start, successors, heuristic, is_goal, options, settings }
    }

    /// Sets all [`Options`] at once.
    #[must_use]
    pub fn options(self, options: Options<'a>) -> Self {
        Self { options, ..self }
    }

    /// Sets when to stop without an answer.
    ///
    /// The search lowers a bound above 250 to 250, and ignores `bytes`. It checks limits and
    /// cancellation every 256 expanded states.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Sets the token that stops the search from outside.
    #[must_use]
    pub fn cancel(mut self, cancel: &CancelToken) -> Self {
        self.options.cancel = cancel.clone();
        self
    }

    /// Sets the observer that receives progress and iterations.
    #[must_use]
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.options.observer = observer;
        self
    }

    /// Sets how many optimal plans to look for [default: 1]. If a list of successors names a state
    /// twice, that makes two plans.
    #[must_use]
    pub fn plans(mut self, plans: usize) -> Self {
        self.options.plans = plans;
        self
    }

    /// Searches by iterative-deepening A* on one thread.
    ///
    /// "No plan exists" is an outcome, not an error, and so is a reached limit. Every search has
    /// the limit that a plan costs at most 250.
    ///
    /// # Errors
    /// If a closure returned a cost, an estimate or a list that the engine cannot handle.
    pub fn run(self) -> Result<ClosureAnswer<N>, ClosureError> {
        let Self { start, successors, heuristic, is_goal, mut options, settings } = self;
        let bound = options.limits.bound.unwrap_or(MAX_COST).min(MAX_COST);
        options.limits.bound = Some(bound);
        let mut search = Descent::new(Closures(successors, heuristic, is_goal), settings);
        let estimate = search.first(start);
        let (wanted, mut paths) = (options.plans, Vec::new());
        if estimate.is_none() {
            paths.push(StatePath { states: vec![start.clone()], cost: 0 });
        }
        let first = estimate.map(|estimate| estimate.max(options.lower_bound));
        let report = deepen(first, &options, |bound, stop| {
            // A sweep without cuts and without plans ends the iterations. Their report is then
            // dropped.
            if search.refused.is_some() {
                return Sweep::default();
            }
            let mut round = Round { bound, wanted, paths: Vec::new(), plans: Vec::new(), stop };
            let counts = search.sweep(start, estimate.unwrap_or(0), &mut round);
            paths = round.paths;
            let over = if search.refused.is_some() { None } else { counts.over };
            let (generated, expanded) = (counts.generated, counts.expanded);
            Sweep { generated, expanded, over, plans: round.plans }
        });
        match search.refused {
            Some(refused) => Err(refused),
            None => Ok(ClosureAnswer { paths, report }),
        }
    }
}
