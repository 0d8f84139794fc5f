//! What an iteration gets and gives: [`Start`] and [`Sweep`].

use super::Outcome;
use crate::Plan;
use crate::domain::Cost;
use num_traits::PrimInt;

/// What a search by [`deepen`](super::deepen) knows of its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<C = Cost> {
    /// It is a goal, so the empty plan is the answer.
    Goal,
    /// No plan starts there.
    DeadEnd,
    /// A lower bound on the cost of its plans, which is the first bound.
    Bound(C),
}

/// What one iteration of [`deepen`](super::deepen) found within its bound.
#[derive(Clone, Debug)]
pub struct Sweep<C = Cost> {
    /// The nodes generated in this iteration, as [`Iteration`](super::Iteration) counts them.
    pub generated: u64,
    /// The nodes expanded in this iteration.
    pub expanded: u64,
    /// The least proven cost of a plan through a node that was cut, above the bound. `None` if
    /// nothing was cut.
    pub least: Option<C>,
    /// The next bound if there is no plan yet. The search takes `least` if that is greater.
    pub next: C,
    /// The plans found, all of the same cost if the estimates are right.
    pub plans: Vec<Plan>,
    /// The cost of the cheapest of the plans.
    pub cost: C,
    /// How the iteration ended early; `None` if it is complete. [`deepen`](super::deepen) sets it
    /// when a limit ends the iteration.
    pub stop: Option<Outcome>,
}

impl<C: PrimInt> Sweep<C> {
    /// A complete sweep that cut nothing and found no plan.
    pub fn nothing(generated: u64, expanded: u64) -> Self {
        let (next, cost) = (C::zero(), C::zero());
        Self { generated, expanded, least: None, next, plans: Vec::new(), cost, stop: None }
    }
}
