//! Iterative deepening for a search of the caller's own.

use super::{LimitCheck, Options, Outcome, Report, Swept, iterate};
use crate::Plan;
use crate::domain::Cost;
use crate::ida_star::expansion::{Counts, NOTHING_CUT};

/// What one iteration of [`deepen`] found within its bound.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The nodes generated in this iteration, as [`Iteration`](crate::Iteration) counts them.
    pub generated: u64,
    /// The nodes expanded in this iteration.
    pub expanded: u64,
    /// The least proven excess over the bound among all nodes that were cut, at least 1. `None` if
    /// nothing was cut.
    pub over: Option<Cost>,
    /// The plans found. All cost exactly the bound.
    pub plans: Vec<Plan>,
}

/// Runs `sweep` with rising bounds until it finds a plan, cuts nothing, or reaches a limit.
///
/// `first` is the first bound, an admissible estimate of the start; `None` says that the start is a
/// goal. `sweep` gets the bound, and a function that it must call every few hundred nodes. The
/// argument of that function is the number of nodes generated so far in this iteration. The
/// function reports progress. If it returns `true`, the sweep must end.
///
/// The next bound is the bound plus [`Sweep::over`].
///
/// # Example
/// ```
/// use fewest_search::{Op, Options, Outcome, Sweep, deepen};
///
/// // A line on which every step costs 1; the goal is 3 steps away.
/// let report = deepen(Some(0), &Options::default(), |bound, stop| match bound {
///     _ if stop(0) => Sweep::default(),
///     3 => Sweep { plans: vec![[Op(0); 3].into_iter().collect()], ..Sweep::default() },
///     _ => Sweep { generated: bound.into(), over: Some(1), ..Sweep::default() },
/// });
/// assert!(matches!(report.outcome, Outcome::Solved(plans) if plans[0].len() == 3));
/// assert_eq!(report.lower_bound, 3);
/// ```
pub fn deepen(
    first: Option<Cost>,
    options: &Options<'_>,
    mut sweep: impl FnMut(Cost, &mut dyn FnMut(u64) -> bool) -> Sweep,
) -> Report {
    iterate(
        || first,
        1,
        options,
        |bound, check: &LimitCheck| {
            let mut stop = None;
            let mut look = |generated| {
                stop = check.look(generated, (0, 1));
                stop.is_some()
            };
            let Sweep { generated, expanded, over, plans } = sweep(bound, &mut look);
            let over = over.map_or(NOTHING_CUT, u16::from);
            let counts = Counts { generated, expanded, over };
            Swept { counts, plans, stop: stop.map(Outcome::from) }
        },
    )
}
