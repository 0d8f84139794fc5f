//! Closures as a graph whose states a search stores.

use super::closure_search::{ClosureAnswer, StatePath};
use super::costs::Number;
use super::descent::Closures;
use super::error::ClosureError;
use num_traits::PrimInt;
use search::{Graph, GraphError, Op, Options, Order, Outcome, best_first};
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
pub(super) enum Steps {
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

struct ClosureGraph<I: IntoIterator, S, H, G> {
    closures: Closures<S, H, G>,
    estimates: Estimates,
    steps: Steps,
    /// The successors of the expanded state that are left, and the position of the next one.
    list: Option<I::IntoIter>,
    position: usize,
}

impl<N, C, I, S, H, G> Graph for ClosureGraph<I, S, H, G>
where
    N: Clone + Eq + Hash,
    C: Number + PrimInt + Debug,
    I: IntoIterator<Item = (N, C)>,
    S: FnMut(&N) -> I,
    H: FnMut(&N) -> C,
    G: FnMut(&N) -> bool,
{
    type State = N;
    type Cost = C;
    type Error = Refusal;

    #[inline(always)]
    fn is_goal(&mut self, state: &N) -> bool {
        (self.closures.2)(state)
    }

    #[inline(always)]
    fn expand(&mut self, state: &N) -> Result<(), Refusal> {
        self.list = Some((self.closures.0)(state).into_iter());
        self.position = 0;
        Ok(())
    }

    #[inline(always)]
    fn next(&mut self) -> Result<Option<(N, Op, C)>, Refusal> {
        let Some((state, mut cost)) = self.list.as_mut().and_then(Iterator::next) else {
            return Ok(None);
        };
        let position = self.position;
        self.position += 1;
        let Ok(op) = u16::try_from(position) else { return Err(Refusal::Long) };
        if cost < C::zero() {
            return Err(Refusal::Negative { position, cost: cost.to_f64().unwrap_or(f64::NAN) });
        }
        if self.steps == Steps::One {
            cost = C::one();
        }
        Ok(Some((state, Op(op), cost)))
    }

    #[inline(always)]
    fn estimate(&mut self, state: &N) -> Result<Option<C>, Refusal> {
        if self.estimates == Estimates::Zero {
            return Ok(Some(C::zero()));
        }
        let h = (self.closures.1)(state);
        Ok((h < C::max_value()).then_some(h.max(C::zero())))
    }
}

/// Runs a best-first search.
pub(super) fn run<N, C, I, S, H, G>(
    start: &N,
    closures: Closures<S, H, G>,
    order: Order,
    estimates: Estimates,
    steps: Steps,
    options: &Options<'_, C>,
) -> Result<ClosureAnswer<N, C>, ClosureError>
where
    N: Clone + Eq + Hash,
    C: Number + PrimInt + Debug,
    I: IntoIterator<Item = (N, C)>,
    S: FnMut(&N) -> I,
    H: FnMut(&N) -> C,
    G: FnMut(&N) -> bool,
{
    let graph = ClosureGraph::<I, S, H, G> { closures, estimates, steps, list: None, position: 0 };
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
