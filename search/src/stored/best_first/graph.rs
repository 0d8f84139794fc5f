//! A state space that a best-first search stores: [`Graph`].

use crate::control::Report;
use crate::domain::Op;
use num_traits::{Bounded, One, PrimInt};
use std::fmt::Debug;
use std::hash::Hash;

/// A state space with numbered steps and costs of any integer type, for [`best_first`].
///
/// A [`Domain`](crate::Domain) needs no implementation: [`a_star`](crate::stored::a_star) and its
/// relatives take it as it is. Implement this trait for a graph whose steps have no fixed
/// operators, or whose costs are zero or above 250.
///
/// The search calls `is_goal` for a state, then `expand` for the same state, then `next` until the
/// list ends. It calls `estimate` for the start and for new successors.
///
/// [`best_first`]: crate::stored::best_first()
pub trait Graph {
    /// A state.
    type State: Clone + Eq + Hash;
    /// The type of costs, not negative. The search stores one with each state.
    type Cost: PrimInt + Debug;
    /// What ends a search with an error; [`Infallible`](std::convert::Infallible) if nothing does.
    type Error;

    /// Whether a state is a goal.
    fn is_goal(&mut self, state: &Self::State) -> bool;

    /// Begins the list of successors of a state.
    ///
    /// # Errors
    /// If the search must end.
    fn expand(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// The next successor of the expanded state, with the number and the cost of the step; `None`
    /// at the end of the list.
    ///
    /// # Errors
    /// If the search must end.
    #[expect(clippy::type_complexity, reason = "one successor")]
    fn next(&mut self) -> Result<Option<(Self::State, Op, Self::Cost)>, Self::Error>;

    /// A lower bound on the cost from the start, or from the last successor, to a goal. `None` says
    /// that no plan starts there.
    ///
    /// # Errors
    /// If the search must end.
    fn estimate(&mut self, state: &Self::State) -> Result<Option<Self::Cost>, Self::Error>;

    /// Whether no estimate exceeds the least cost to a goal. Otherwise the search proves nothing by
    /// estimates, and cuts nothing by them. [default: true]
    fn is_admissible(&self) -> bool {
        true
    }

    /// The most that a plan may cost. [default: one below the greatest value of the type]
    fn most(&self) -> Self::Cost {
        Self::Cost::max_value() - Self::Cost::one()
    }

    /// Raises a proven lower bound on the cost of a plan by what else is known, parity for example.
    /// [default: leaves it as it is]
    fn raise(&self, bound: Self::Cost) -> Self::Cost {
        bound
    }
}

/// What [`best_first`](crate::stored::best_first()) found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphAnswer<N, C> {
    /// The outcome, the proven lower bound and the counts.
    pub report: Report<C>,
    /// The states of the plan from the start to the goal, both included. Empty without a plan.
    pub states: Vec<N>,
    /// The cost of the plan; 0 without one. Fewest steps count as a cost of 1 each.
    pub cost: C,
}

/// Why [`best_first`](crate::stored::best_first()) ended with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError<E> {
    /// The number of steps from the start to the state that was expanded.
    pub depth: usize,
    /// The error of the graph. `None` if the graph no longer lists a step that the plan takes.
    pub cause: Option<E>,
}
