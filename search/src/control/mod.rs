//! Control of every search: options, limits, progress, cancellation, outcomes, and iterations.

mod deepening;
mod iterate;
mod limits;
mod options;
mod outcome;
#[cfg(test)]
mod tests;
mod watch;

pub use deepening::{Sweep, deepen};
pub(crate) use iterate::{Swept, iterate, raise_to_parity, step};
pub(crate) use limits::Stop;
pub use limits::{CancelToken, Limits, Observer, Progress, Silent};
pub use options::{Options, PlanFilter};
pub use outcome::{Iteration, Limit, Outcome, Report};
pub(crate) use watch::Watch;
