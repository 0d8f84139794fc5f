//! Making plans cheaper: [`commuting_runs`] and [`near_plan`].

mod known;
mod near;
mod runs;

pub(crate) use known::Shorten;
pub use near::near_plan;
pub use runs::commuting_runs;

#[cfg(test)]
mod tests;
