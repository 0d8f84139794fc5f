//! Making plans cheaper: [`CommutingRuns`], [`near_plan`] and [`plan_among`].

mod known;
mod near;
mod runs;

pub(crate) use known::Shorten;
pub use near::{near_plan, plan_among};
pub use runs::{CommutingRuns, commuting_runs};

#[cfg(test)]
mod tests;
