//! Making plans cheaper: [`commuting_runs`] and [`near_plan`].

mod near;
mod runs;

pub use near::near_plan;
pub use runs::commuting_runs;

#[cfg(test)]
mod tests;
