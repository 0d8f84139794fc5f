//! Control of every search: options, limits, progress, cancellation, outcomes, and iterations.

mod counts;
mod deepening;
mod limits;
mod options;
mod outcome;
mod search_state;
mod sweep;
#[cfg(test)]
mod tests;
mod units;

pub(crate) use counts::{BoundResult, Counts, NOTHING_CUT};
pub use deepening::deepen;
pub(crate) use deepening::{deepen_domain, proven_by, raise_to_parity, step};
pub use limits::{CancelToken, Limits, Observer, Progress, Silent};
pub(crate) use limits::{LOOK, Pace, Stop};
pub use options::{Options, PlanFilter, PlanListener};
pub use outcome::{Iteration, Limit, Outcome, Report};
pub(crate) use search_state::SearchState;
pub use sweep::{Start, Sweep};
pub use units::{Frontier, KnownUnits, LEAST_UNITS, MOST_UNITS, PlanRound, UnitCounts, Units};
