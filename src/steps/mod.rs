//! Plans that go from goal to goal, with a choice of plans for each: [`Steps`].

mod answer;
mod goals;
mod work;

pub use answer::{STATES_PER_PLAN, Sides, StepChain, StepOptions, StepPlan, StepsAnswer};
pub use goals::Steps;
