//! The search as a builder, with limits, cancellation, an observer and the number of plans.

use super::answer::ClosureAnswer;
use super::costs::Number;
use super::error::ClosureError;
use super::memory::Settings;
use super::space::Closures;
use super::stored::{self, Estimates, StepCosts};
use super::{ida_star, ida_star_wide};
use num_traits::PrimInt;
use search::stored::Order;
use search::{CancelToken, Limits, Observer, Options};
use std::fmt::Debug;
use std::hash::Hash;

/// A search from closures, with all [`Options`] of a search: how to search is the last call.
///
/// | call | finds | stores |
/// |---|---|---|
/// | [`ida_star`](Self::ida_star) | a cheapest plan, costs from 1 to 250 | one path |
/// | [`ida_star_wide`](Self::ida_star_wide) | a cheapest plan, any costs | one path |
/// | [`a_star`](Self::a_star) | a cheapest plan | every state that it generates |
/// | [`weighted_a_star`](Self::weighted_a_star) | a plan within a factor of it | the same |
/// | [`uniform_cost`](Self::uniform_cost) | a cheapest plan, without an estimate | the same |
/// | [`breadth_first`](Self::breadth_first) | a plan of the fewest steps | the same |
///
/// # Example
/// ```
/// use fewest_closures::{ClosureSearch, Limit, Limits, Outcome};
///
/// // From 1 to 100 by doubling (cost 300) and adding one (cost 100).
/// let successors = |n: &u64| [(n * 2, 300u32), (n + 1, 100)];
/// let estimate = |n: &u64| if *n < 100 { 100 } else { 0 };
/// let answer = ClosureSearch::new(&1, successors, estimate, |&n| n == 100).a_star()?;
/// assert_eq!((answer.path().unwrap().cost, answer.report.lower_bound), (1800, 1800));
///
/// // To a million within 500 generated numbers.
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let search = ClosureSearch::new(&1, successors, |_| 0, |&n| n == 1_000_000);
/// let report = search.limits(limits).uniform_cost()?.report;
/// assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
/// assert!(report.lower_bound > 100);
/// # Ok::<(), fewest_closures::ClosureError>(())
/// ```
pub struct ClosureSearch<'a, N, C, S, H, G> {
    start: &'a N,
    closures: Closures<S, H, G>,
    options: Options<'a, C>,
    /// Which states `ida_star` remembers. Only tests change this.
    pub(crate) settings: Settings,
}

impl<N: Debug, C: Debug, S, H, G> Debug for ClosureSearch<'_, N, C, S, H, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { start, options, .. } = self;
        f.debug_struct("ClosureSearch")
            .field("start", start)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

impl<'a, N, C, I, S, H, G> ClosureSearch<'a, N, C, S, H, G>
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
    ///   vector or any iterator. `ida_star` tries them in this order, unless an earlier iteration
    ///   found a better one.
    /// - `heuristic` is a lower bound on the cost to a goal. 0 is always correct; a higher bound is
    ///   faster. The greatest value of its type (`u32::MAX`, say) says that no plan starts there.
    pub fn new(start: &'a N, successors: S, heuristic: H, is_goal: G) -> Self {
        let closures = Closures(successors, heuristic, is_goal);
        Self { start, closures, options: Options::default(), settings: Settings::DEFAULT }
    }

    /// Sets all [`Options`] at once.
    #[must_use]
    pub fn options(self, options: Options<'a, C>) -> Self {
        Self { options, ..self }
    }

    /// Sets when to stop without an answer. Searches that store states check limits and
    /// cancellation every few milliseconds, the others every 256 expanded states. `ida_star` lowers
    /// a bound above 250 to 250, and ignores `bytes`, as `ida_star_wide` does.
    #[must_use]
    pub fn limits(mut self, limits: Limits<C>) -> Self {
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
    pub fn observer(mut self, observer: &'a dyn Observer<C>) -> Self {
        self.options.observer = observer;
        self
    }

    /// Sets how many optimal plans `ida_star` and `ida_star_wide` look for [default: 1]. Other
    /// searches return one. If a list of successors names a state twice, that makes two plans. A
    /// plan that passes a state twice, by steps of cost 0, does not count.
    #[must_use]
    pub fn plans(mut self, plans: usize) -> Self {
        self.options.plans = plans;
        self
    }

    /// Iterative-deepening A\* on one thread: a cheapest plan, in the memory of one path and of at
    /// most 2 MiB. Steps must cost whole numbers from 1 to 250, as integers or floats.
    ///
    /// "No plan exists" is an outcome, not an error, and so is a reached limit. Every search has
    /// the limit that a plan costs at most 250.
    ///
    /// # Errors
    /// If a closure returned a cost, an estimate or a list that the engine cannot handle.
    pub fn ida_star(self) -> Result<ClosureAnswer<N, C>, ClosureError> {
        ida_star::run(self.start, self.closures, &self.options, self.settings)
    }

    /// Iterative-deepening A\* for all costs that [`a_star`](Self::a_star) takes: any integers that
    /// are not negative, also 0. Holds one path and no table of other states, so it expands a state
    /// once for each way to it. With costs from 1 to 250, [`ida_star`](Self::ida_star) is faster.
    ///
    /// A bound may rise by more than the least excess. So an iteration may find plans before the
    /// cheapest one, and a limit may end it then:
    /// [`Report::optimal`](search::Report::optimal) says whether the plan is
    /// proven. Limits, progress and cancellation are those of every search.
    ///
    /// An endless way of steps that cost 0 ends only at a limit.
    ///
    /// # Errors
    /// If a step has a negative cost, or a list has more than 65,536 successors.
    pub fn ida_star_wide(self) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt,
    {
        ida_star_wide::run(self.start, self.closures, &self.options)
    }

    /// A\*: a cheapest plan, by the least cost so far plus estimate. Each state is expanded once if
    /// the heuristic is consistent.
    ///
    /// Costs are any integers that are not negative, also 0. A plan may cost less than the greatest
    /// value of their type, and less than 2^64. Time and memory: see
    /// [`search::stored::best_first`].
    ///
    /// # Errors
    /// If a step has a negative cost, or a list has more than 65,536 successors. The search calls
    /// `successors` again for each state of the plan: an error if the list lacks the step.
    pub fn a_star(self) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt + Debug,
    {
        self.best_first(Order::LeastTotal, Estimates::Given, StepCosts::Given)
    }

    /// Weighted A\*: a plan that costs at most `weight` times the cheapest, usually much sooner.
    /// [`Report::lower_bound`](search::Report::lower_bound) and
    /// [`Report::optimal`](search::Report::optimal) say what is proven. A weight below 1 counts
    /// as 1. Costs and errors as [`a_star`](Self::a_star).
    ///
    /// # Errors
    /// As [`a_star`](Self::a_star).
    pub fn weighted_a_star(self, weight: f64) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt + Debug,
    {
        self.best_first(Order::Weighted(weight), Estimates::Given, StepCosts::Given)
    }

    /// Uniform-cost search (Dijkstra's algorithm): a cheapest plan. Never calls the heuristic.
    ///
    /// # Errors
    /// As [`a_star`](Self::a_star).
    pub fn uniform_cost(self) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt + Debug,
    {
        self.best_first(Order::LeastTotal, Estimates::Zero, StepCosts::Given)
    }

    /// Breadth-first search: a plan of the fewest steps. Costs and the lower bound of the answer
    /// count steps. Never calls the heuristic. Tests a state for the goal when it is generated, so
    /// the search ends one layer earlier than [`uniform_cost`](Self::uniform_cost), and again when
    /// it is expanded.
    ///
    /// # Errors
    /// As [`a_star`](Self::a_star).
    pub fn breadth_first(self) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt + Debug,
    {
        self.best_first(Order::FewestSteps, Estimates::Zero, StepCosts::One)
    }

    fn best_first(
        self,
        order: Order,
        estimates: Estimates,
        steps: StepCosts,
    ) -> Result<ClosureAnswer<N, C>, ClosureError>
    where
        C: PrimInt + Debug,
    {
        stored::run(self.start, self.closures, order, estimates, steps, &self.options)
    }
}
