//! Closures as a graph whose states a search stores.

use super::answer::{ClosureAnswer, StatePath};
use super::error::ClosureError;
use super::space::StateSpace;
use num_traits::{Bounded, One, PrimInt, ToPrimitive, Zero};
use search::stored::{Graph, GraphError, Order, best_first};
use search::{Op, Options, Outcome};
use std::fmt::Debug;
use std::hash::Hash;

/// Which estimates a search takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Estimates {
    /// Those of the closure.
    Given,
    /// 0 for every state.
    Zero,
}

/// Which costs of steps a search takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StepCosts {
    /// Those of the closure.
    Given,
    /// 1 for every step.
    One,
}

/// What a closure returned that the search cannot handle.
enum Refusal {
    Negative { position: usize, cost: f64 },
    Long,
}

struct ClosureGraph<N, T: StateSpace<N>> {
    space: T,
    estimates: Estimates,
    steps: StepCosts,
    /// The successors of the expanded state that are left, and the position of the next one.
    list: Option<<T::Successors as IntoIterator>::IntoIter>,
    position: usize,
}

impl<N, T> Graph for ClosureGraph<N, T>
where
    N: Clone + Eq + Hash,
    T: StateSpace<N, Cost: PrimInt + Debug>,
{
    type State = N;
    type Cost = T::Cost;
    type Error = Refusal;

    #[inline(always)]
    fn is_goal(&mut self, state: &N) -> bool {
        self.space.is_goal(state)
    }

    #[inline(always)]
    fn expand(&mut self, state: &N) -> Result<(), Refusal> {
        self.list = Some(self.space.successors(state).into_iter());
        self.position = 0;
        Ok(())
    }

    #[inline(always)]
    fn next(&mut self) -> Result<Option<(N, Op, T::Cost)>, Refusal> {
        let Some((state, mut cost)) = self.list.as_mut().and_then(Iterator::next) else {
            return Ok(None);
        };
        let position = self.position;
        self.position += 1;
        let Ok(op) = u16::try_from(position) else { return Err(Refusal::Long) };
        if cost < T::Cost::zero() {
            return Err(Refusal::Negative { position, cost: cost.to_f64().unwrap_or(f64::NAN) });
        }
        if self.steps == StepCosts::One {
            cost = T::Cost::one();
        }
        Ok(Some((state, Op(op), cost)))
    }

    #[inline(always)]
    fn estimate(&mut self, state: &N) -> Result<Option<T::Cost>, Refusal> {
        if self.estimates == Estimates::Zero {
            return Ok(Some(T::Cost::zero()));
        }
        let h = self.space.estimate(state);
        Ok((h < T::Cost::max_value()).then_some(h.max(T::Cost::zero())))
    }
}

/// Runs a best-first search.
pub(super) fn run<N: Clone + Eq + Hash, T: StateSpace<N, Cost: PrimInt + Debug>>(
    start: &N,
    space: T,
    order: Order,
    estimates: Estimates,
    steps: StepCosts,
    options: &Options<'_, T::Cost>,
) -> Result<ClosureAnswer<N, T::Cost>, ClosureError> {
    let graph = ClosureGraph { space, estimates, steps, list: None, position: 0 };
    match best_first(graph, start, order, options) {
        Ok(answer) => {
            let path = StatePath { states: answer.states, cost: answer.cost };
            let found = matches!(answer.report.outcome, Outcome::Solved(_));
            Ok(ClosureAnswer {
                paths: found.then_some(path).into_iter().collect(),
                report: answer.report,
            })
        }
        Err(GraphError { depth, cause }) => Err(match cause {
            Some(Refusal::Negative { position, cost }) => {
                ClosureError::Negative { depth: depth + 1, position, cost }
            }
            Some(Refusal::Long) => ClosureError::Long { depth: depth + 1 },
            None => ClosureError::Changed { depth: depth + 1 },
        }),
    }
}
