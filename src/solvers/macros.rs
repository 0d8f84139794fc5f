//! `macros`: solves one feature after the other by a learned table of macro operators.

use super::{Solver, Task};
use crate::puzzle::{Failure, Result, StageLength};
use crate::run::Run;
use search::macros::{LearningEnd, MacroError, MacroTable, SerialOrder, learn_macros};
use search::{Limit, Limits, Op, Options, Outcome, Packed, Reversible};
use std::sync::{Arc, Mutex, PoisonError};

/// The most states that the learning stores.
const STATES: usize = 1 << 20;

/// Macro tables ([`learn_macros`]). The plans prove nothing.
///
/// The table is learned at the first state. A limit of nodes or bytes may end the learning: the
/// macros known by then may still solve the state. A limit of time ends the work without a plan.
pub(crate) struct Macros<D: Packed, S> {
    goal: D::State,
    order: S,
    /// Makes the name of a feature.
    name: fn(&S, usize) -> String,
    /// The complete table.
    table: Mutex<Option<Arc<MacroTable>>>,
}

impl<D: Reversible + Packed, S: SerialOrder<D>> Macros<D, S> {
    /// The solver of a goal and an order of features. `name` makes the name of a feature.
    pub(crate) fn new(goal: D::State, order: S, name: fn(&S, usize) -> String) -> Self {
        Self { goal, order, name, table: Mutex::default() }
    }

    /// The complete table, or the table so far and the limit that ended the learning.
    fn learn(
        &self,
        task: &Task<'_, D>,
        run: &mut Run<'_>,
    ) -> Result<(Arc<MacroTable>, Option<Limit>)> {
        let mut known = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = &*known {
            return Ok((Arc::clone(table), None));
        }
        let events = run.events();
        let learning = run.tables(|run| {
            run.prepare("learning macros", |cancel| {
                let limits = Limits { time: None, ..run.request.limits.clone() };
                let (cancel, observer) = (cancel.clone(), &events);
                let options = Options { limits, cancel, observer, ..Options::default() };
                let learning = learn_macros(task.domain, &self.order, &self.goal, STATES, &options);
                match learning.end {
                    LearningEnd::Cancelled => Err(Failure::Cancelled),
                    _ => Ok(learning),
                }
            })
        })?;
        let table = Arc::new(learning.table);
        Ok(match learning.end {
            LearningEnd::LimitReached(limit) => (table, Some(limit)),
            LearningEnd::Complete | LearningEnd::Cancelled => {
                *known = Some(Arc::clone(&table));
                (table, None)
            }
        })
    }
}

impl<D, S> Solver<D> for Macros<D, S>
where
    D: Reversible + Packed<State: Send + Sync>,
    S: SerialOrder<D> + Send,
{
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        run.proves_nothing();
        run.prove(u8::from(!task.domain.is_goal(task.start)));
        run.reads("none", 0);
        let (table, limit) = self.learn(task, run)?;
        run.reads_bytes(bytes(&table));
        let mut complete = false;
        let outcome = match table.solve(task.domain, &self.order, task.start) {
            Ok(solution) if exceeds(task.domain, &solution.plan, run) => {
                Outcome::LimitReached(Limit::Bound)
            }
            Ok(solution) => {
                let stages = solution.macros.iter().map(|used| StageLength {
                    name: (self.name)(&self.order, used.feature),
                    length: used.operators,
                });
                run.goes_by(stages.collect());
                complete = true;
                Outcome::Solved(vec![solution.plan])
            }
            Err(MacroError::Missing { .. }) => match limit {
                Some(limit) if !table.is_complete() => Outcome::LimitReached(limit),
                _ => Outcome::Unsolvable,
            },
            Err(error) => return Err(Failure::limit(error)),
        };
        run.end(outcome, complete);
        Ok(())
    }
}

/// Whether a plan costs more than the request allows.
fn exceeds<D: Reversible>(domain: &D, plan: &[Op], run: &Run<'_>) -> bool {
    let cost: u64 = plan.iter().map(|&op| u64::from(domain.cost(op))).sum();
    run.request.limits.bound.is_some_and(|bound| cost > u64::from(bound))
}

/// The bytes of the macros of a table: two for each operator.
fn bytes(table: &MacroTable) -> u64 {
    table.iter().map(|(.., entry)| 2 * entry.plan.len() as u64).sum()
}
