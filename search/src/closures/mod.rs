//! Iterative-deepening A* from closures: a start, successors, an estimate, a goal test, and no trait to implement.
//!
//! [`idastar`] takes its arguments in the order of the function of that name in the crate `pathfinding`; [`Closures`] is the same with
//! limits, cancellation, an observer, several plans, and a [`Report`].
//!
//! A state needs to be `Clone`, `Eq` and `Hash`, no more. An operator is a position in the list of successors, so what
//! it costs and how many there are may differ from state to state. That is why the closures are not made into a [`Domain`](crate::Domain),
//! whose operators each have one cost: everything that rests on a `Domain` (automata, tables, prediction, search on all cores,
//! A\*, which packs states) takes operators by their number alone. The search below a bound is its own instead, with one call of
//! `successors` for each expanded state and one of `heuristic` for each child; it shares iterations, limits and counts with all others.
//!
//! What is cut: what the estimate puts above the bound; a state that is on its own path; and, once an iteration has expanded 4,096 states, a
//! state that was searched in vain in the same iteration with at least as much left to spend, as far as a table of at most 32,768 states
//! remembers it. No optimal plan is lost by that, and no proven bound (the proof is in the module `memory`). The table also puts lists in order: the
//! child first below which the iteration before came nearest to a goal. All of that goes by counts and fixed hashes, so a search whose closures do the same
//! expands the same states in every run.
//!
//! Costs are whole numbers from 1 to 250 of any numeric type, and plans cost at most 250 in all ([`Cost`]); others are refused
//! by a [`Refused`] that says where. The plan is optimal if the estimate is admissible (never above the true cost); it need not
//! be consistent. Memory: the states of one path, on the stack; a table of at most 2 MiB, and what its states own on the heap; what
//! the closures allocate.

mod costs;
mod descent;
mod memory;
#[cfg(test)]
mod remembering;
mod table;
#[cfg(test)]
mod tests;

pub use costs::Number;

use crate::expansion::Counts;
use crate::ida_star::{Options, Swept, iterate};
use crate::limits::{CancelToken, Limits, Observer};
use crate::operators::{Cost, MOST};
use crate::outcome::{Outcome, Report};
use crate::watch::Stop;
use descent::{Descent, Round};
use memory::Settings;
use std::hash::Hash;

/// What the search cannot handle. `depth` counts steps from the start; `position` is that in the list of successors.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A step whose cost is no whole number of the range.
    #[error(
        "successor {position} at depth {depth} costs {cost}; a step must cost a whole number from 1 to 250"
    )]
    Step {
        /// Steps from the start to the successor.
        depth: usize,
        /// Its place in the list.
        position: usize,
        /// The cost, as near as a float comes; not a number if it cannot be cast.
        cost: f64,
    },
    /// An estimate that is not a number.
    #[error(
        "the estimate of successor {position} at depth {depth} is not a number (depth 0 is the start)"
    )]
    Estimate {
        /// Steps from the start.
        depth: usize,
        /// Its place in the list.
        position: usize,
    },
    /// A list of more than 65,536 successors.
    #[error("there are more than 65536 successors at depth {depth}")]
    Long {
        /// Steps from the start to the successors.
        depth: usize,
    },
    /// No plan within the range of costs, from [`idastar`] only; [`Closures::run`] answers with a limit that was reached.
    #[error(
        "no plan costs less than {lower_bound}, and plans above 250 are not looked for; divide all costs by a common factor if they have one"
    )]
    Range {
        /// No plan costs less.
        lower_bound: Cost,
    },
    /// The cost of the plan does not fit the caller's type, from [`idastar`] only.
    #[error("the plan costs {cost}, which the type of the costs cannot hold")]
    Sum {
        /// What the plan costs.
        cost: Cost,
    },
}

/// A cheapest plan from `start` to a state where `success` holds: its states, both ends included, and its cost; `None` if there is none.
///
/// Takes what `pathfinding::directed::idastar::idastar` takes. See the [module](self) for what is asked of states and costs, and
/// [`Closures`] for limits.
///
/// # Errors
/// A cost or an estimate that the engine cannot handle, or no plan that costs at most 250: see [`Refused`].
///
/// # Example
/// ```
/// use fewest_search::closures::idastar;
///
/// // A knight from one corner of a chessboard to the other.
/// const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// let found = idastar(
///     &(0i8, 0i8),
///     |&(x, y)| {
///         let jumps = JUMPS.map(|(dx, dy)| (x + dx, y + dy)).into_iter();
///         jumps.filter(|(x, y)| (0..8).contains(x) && (0..8).contains(y)).map(|to| (to, 1u32))
///     },
///     |&(x, y)| (x.abs_diff(7) + y.abs_diff(7)).div_ceil(3).into(),
///     |&at| at == (7, 7),
/// );
/// let (squares, jumps) = found?.expect("a knight comes everywhere");
/// assert_eq!((squares.len(), jumps), (7, 6));
/// # Ok::<(), fewest_search::closures::Refused>(())
/// ```
pub fn idastar<N, C, I>(
    start: &N,
    successors: impl FnMut(&N) -> I,
    heuristic: impl FnMut(&N) -> C,
    success: impl FnMut(&N) -> bool,
) -> Result<Option<(Vec<N>, C)>, Refused>
where
    N: Clone + Eq + Hash,
    C: Number,
    I: IntoIterator<Item = (N, C)>,
{
    let Answer { paths, report } = Closures::new(start, successors, heuristic, success).run()?;
    match (report.outcome, paths.into_iter().next()) {
        (_, Some(Path { states, cost })) => {
            let cost = C::from(cost).ok_or(Refused::Sum { cost })?;
            Ok(Some((states, cost)))
        }
        (Outcome::LimitReached(_), None) => Err(Refused::Range { lower_bound: report.lower_bound }),
        (_, None) => Ok(None),
    }
}

/// A search from closures with whatever else is asked of it.
///
/// # Example
/// ```
/// use fewest_search::closures::Closures;
/// use fewest_search::{Limit, Limits, Outcome};
///
/// // From 1 to 100 by doubling (cost 3) and adding one (cost 1), within 50 generated numbers.
/// let search = Closures::new(&1u32, |n| [(n * 2, 3), (n + 1, 1)], |_| 0, |&n| n == 100);
/// let answer = search.limits(Limits { nodes: Some(50), ..Limits::default() }).run()?;
/// assert_eq!(answer.report.outcome, Outcome::LimitReached(Limit::Nodes));
/// assert!(answer.report.lower_bound > 1 && answer.path().is_none());
/// # Ok::<(), fewest_search::closures::Refused>(())
/// ```
pub struct Closures<'a, N, S, H, G> {
    start: &'a N,
    successors: S,
    heuristic: H,
    is_goal: G,
    options: Options<'a>,
    /// What is remembered; other settings are for tests.
    settings: Settings,
}

impl<N: std::fmt::Debug, S, H, G> std::fmt::Debug for Closures<'_, N, S, H, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { start, options, .. } = self;
        f.debug_struct("Closures")
            .field("start", start)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

/// A plan as the states along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<N> {
    /// The start, the states on the way, the goal.
    pub states: Vec<N>,
    /// What the steps cost in all.
    pub cost: Cost,
}

/// What a search from closures answers.
#[derive(Clone, Debug)]
pub struct Answer<N> {
    /// One for each plan of the report, in the same order.
    pub paths: Vec<Path<N>>,
    /// Outcome, proven lower bound and counts. The operators of its plans are positions in the lists of successors.
    pub report: Report,
}

impl<N> Answer<N> {
    /// The first path, if the search was solved.
    pub fn path(&self) -> Option<&Path<N>> {
        self.paths.first()
    }
}

impl<'a, N, C, I, S, H, G> Closures<'a, N, S, H, G>
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
    /// `successors`: the states one step away and what the step costs; an array, a vector or any iterator. They are tried in this order, unless an
    /// earlier iteration knows better. `heuristic`: a lower bound on the cost to a goal; the better, the faster, and 0 where nothing is known.
    pub fn new(start: &'a N, successors: S, heuristic: H, is_goal: G) -> Self {
        let (options, settings) = (Options::default(), Settings::DEFAULT);
        Self { start, successors, heuristic, is_goal, options, settings }
    }

    /// Everything that [`Options`] has, at once.
    #[must_use]
    pub fn options(self, options: Options<'a>) -> Self {
        Self { options, ..self }
    }

    /// Where to stop without an answer. A bound above 250 is taken for 250; `bytes` is not looked at. Limits and cancellation are looked at
    /// every 256 expanded states.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Stops the search from outside.
    #[must_use]
    pub fn cancel(mut self, cancel: &CancelToken) -> Self {
        self.options.cancel = cancel.clone();
        self
    }

    /// Is told of the progress.
    #[must_use]
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.options.observer = observer;
        self
    }

    /// How many optimal plans to look for. A list that names a state twice gives two plans. [default: 1]
    #[must_use]
    pub fn plans(mut self, plans: usize) -> Self {
        self.options.plans = plans;
        self
    }

    /// Searches by iterative-deepening A* on one thread.
    ///
    /// That no plan exists is an outcome, and so is a limit; every search has the limit that plans cost at most 250.
    ///
    /// # Errors
    /// A cost or an estimate that the engine cannot handle: see [`Refused`].
    pub fn run(self) -> Result<Answer<N>, Refused> {
        let Self { start, successors, heuristic, is_goal, mut options, settings } = self;
        let bound = options.limits.bound.unwrap_or(MOST).min(MOST);
        options.limits.bound = Some(bound);
        let mut search = Descent::new(successors, heuristic, is_goal, settings);
        let estimate = search.first(start);
        let (wanted, mut paths) = (options.plans, Vec::new());
        if estimate.is_none() {
            paths.push(Path { states: vec![start.clone()], cost: 0 });
        }
        let first = || estimate.map(|estimate| estimate.max(options.lower_bound));
        let report = iterate(first, 1, &options, |bound, watch| {
            let mut stop = None;
            let mut look = |generated| {
                stop = watch.look(generated, (0, 1));
                stop.is_some()
            };
            let mut round =
                Round { bound, wanted, paths: Vec::new(), plans: Vec::new(), stop: &mut look };
            let mut counts = Counts::ZERO;
            if search.refused.is_none() {
                counts = search.sweep(start, estimate.unwrap_or(0), &mut round);
            }
            let Round { plans, paths: found, .. } = round;
            paths = found;
            if search.refused.is_some() {
                stop = Some(Stop::Cancelled);
            }
            Swept { counts, plans, stop }
        });
        match search.refused {
            Some(refused) => Err(refused),
            None => Ok(Answer { paths, report }),
        }
    }
}
