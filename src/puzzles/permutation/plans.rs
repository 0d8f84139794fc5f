//! Which plans of a state count, if several are wanted: of plans that differ only by the order of
//! neighbours that commute, one.

use super::file_puzzle::FilePuzzle;
use crate::puzzle::Failure;
use crate::puzzles::configured::{AllowedPlans, Game};
use crate::run::{Run, is_simple};
use crate::settings::PruningChoice;
use fsm::Keep;
use permutation::{GoalQuotient, PuzzleState};
use search::{Op, plan};

impl FilePuzzle {
    /// Which plans the pruning of a search must allow.
    ///
    /// Above the least cost, one order of commuting neighbours may pass a goal, or pass a state
    /// twice, and another may not. Then all orders are searched, where goals are several or pieces
    /// are alike. In a group without rules, only a plan with a part that does nothing has such
    /// orders: there, the first order counts or none.
    pub(super) fn keep(&self, run: &Run<'_>) -> Keep {
        match self.group.is_err() && self.rules.is_empty() && run.is_above() {
            true => Keep::AllOrders,
            false => run.keep(),
        }
    }

    /// A function that says whether a plan of a state counts.
    ///
    /// Of plans that differ by the order of commuting neighbours, the first counts that the pruning
    /// allows and that is a plan. It counts only if [`Keep::AllOptimal`] allows one of them. A
    /// pruning that learns no strings tells all orders apart.
    pub(super) fn plans_of<'a>(
        &'a self,
        pattern: &'a PuzzleState,
        run: &Run<'_>,
    ) -> Result<AllowedPlans<'a>, Failure> {
        let above = run.goes_above();
        let first = self.engine.filter(self, Keep::AllOptimal, run)?;
        let all = match self.group.is_err() && self.rules.is_empty() && above {
            true => Some(self.engine.filter(self, Keep::AllOrders, run)?),
            false => None,
        };
        let commute = self.operators().commuting(self.definition().orbits());
        let merges = matches!(self.settings.pruning, PruningChoice::Fsm(_));
        let ruled = !self.rules.is_empty() || self.definition().rules().restrict_states();
        Ok(Box::new(move |plan| {
            let allows = all.as_ref().unwrap_or(&first);
            let fits = |part: &[Op]| {
                let ends = part.len() == plan.len();
                allows(part)
                    && (!ruled || self.is_made(pattern, part, ends))
                    && (!above || ends || !self.reaches_goal(pattern, part))
                    && (!above || self.passes_no_state_twice(pattern, part))
            };
            if !merges {
                return allows(plan) && (!above || self.passes_no_state_twice(pattern, plan));
            }
            let first_order = |fits: &dyn Fn(&[Op]) -> bool| first_order(plan, &commute, fits);
            first_order(&fits).is_some_and(|order| order == plan)
                && (all.is_none() || first_order(&|part| first(part)).is_some())
        }))
    }

    /// Whether a string of operators applies. With `ends`, it must also end at a goal.
    fn is_made(&self, pattern: &PuzzleState, string: &[Op], ends: bool) -> bool {
        match self.replay(pattern, string) {
            Ok(()) => true,
            Err(plan::Invalid::NotSolved) => !ends,
            Err(_) => false,
        }
    }

    fn reaches_goal(&self, pattern: &PuzzleState, string: &[Op]) -> bool {
        let end = string.iter().fold(pattern.clone(), |state, &op| self.made(&state, op));
        self.definition().is_goal(&end)
    }

    fn made(&self, from: &PuzzleState, op: Op) -> PuzzleState {
        from.apply(&self.operators().list[op.index()].transformation)
    }

    /// Whether a string of operators passes no state twice.
    ///
    /// States with the same plans count as one state. Under rules about moves, a plan may visit a
    /// state twice: some states have no other plans.
    pub(super) fn passes_no_state_twice(&self, start: &PuzzleState, string: &[Op]) -> bool {
        if !self.rules.is_empty() {
            return true;
        }
        let quotient = self.quotient.get_or_init(|| GoalQuotient::new(&self.labels));
        let class = |state: &PuzzleState| {
            let class = quotient.as_ref().and_then(|quotient| quotient.find_class(state));
            class.unwrap_or_else(|| state.clone())
        };
        is_simple(start, string, &|from, op| self.made(from, op), &class)
    }
}

/// The first order of a plan, up to swaps of neighbours that commute, of which every part from the
/// start fits. `None` if there is none.
///
/// Looks at no other orders if the first one fits.
fn first_order(
    plan: &[Op],
    commute: &[Vec<bool>],
    fits: &dyn Fn(&[Op]) -> bool,
) -> Option<Vec<Op>> {
    fn extend(
        made: &mut Vec<Op>,
        left: &[Op],
        commute: &[Vec<bool>],
        fits: &dyn Fn(&[Op]) -> bool,
    ) -> bool {
        let may_lead = |&at: &usize| {
            let op = left[at];
            left[..at].iter().all(|&before| before != op && commute[before.index()][op.index()])
        };
        let mut next: Vec<usize> = (0..left.len()).filter(may_lead).collect();
        next.sort_unstable_by_key(|&at| left[at]);
        left.is_empty()
            || next.into_iter().any(|at| {
                made.push(left[at]);
                let rest = [&left[..at], &left[at + 1..]].concat();
                let found = fits(made) && extend(made, &rest, commute, fits);
                if !found {
                    made.pop();
                }
                found
            })
    }
    let mut made = Vec::with_capacity(plan.len());
    extend(&mut made, plan, commute, fits).then_some(made)
}
