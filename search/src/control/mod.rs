//! Control of every search: options, limits, progress, cancellation, outcomes, and iterations.

mod deepening;
mod deepening_wide;
mod iterate;
mod limit_check;
mod limits;
mod options;
mod outcome;
#[cfg(test)]
mod tests;

pub use deepening::{Sweep, deepen};
pub use deepening_wide::{WideSweep, deepen_wide};
pub(crate) use iterate::{Swept, iterate, raise_to_parity, step};
pub(crate) use limit_check::LimitCheck;
pub(crate) use limits::Stop;
pub use limits::{CancelToken, Limits, Observer, Progress, Silent};
pub use options::{Options, PlanFilter, PlanListener};
pub use outcome::{Iteration, Limit, Outcome, Report};
