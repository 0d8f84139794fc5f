//! Which plans of a state count, if several are wanted: of plans that differ only by the order of
//! neighbours that commute, one.

use super::engines::Search;
use super::model::PuzzleModel;
use crate::puzzle::Result;
use crate::puzzles::configured::AllowedPlans;
use crate::run::Run;
use crate::settings::PruningChoice;
use fsm::Keep;
use permutation::PuzzleState;
use search::{Op, plan};

/// A function that says whether a plan of a state counts.
///
/// Of plans that differ by the order of commuting neighbours, the first counts that the pruning
/// allows and that is a plan. It counts only if [`Keep::AllOptimal`] allows one of them. A pruning
/// that learns no strings tells all orders apart.
pub(super) fn counted_plans<'a>(
    (model, engine): (&'a PuzzleModel, &'a dyn Search),
    start: &'a PuzzleState,
    run: &Run<'_>,
) -> Result<AllowedPlans<'a>> {
    let above = run.goes_above();
    let first = engine.filter(Keep::AllOptimal, run)?;
    let all = match model.group.is_err() && model.rules.is_empty() && above {
        true => Some(engine.filter(Keep::AllOrders, run)?),
        false => None,
    };
    let commute = model.operators().commuting(model.definition().orbits());
    let merges = matches!(model.settings.pruning, PruningChoice::Fsm(_));
    let ruled = !model.rules.is_empty() || model.definition().rules().restrict_states();
    Ok(Box::new(move |plan| {
        let allows = all.as_ref().unwrap_or(&first);
        let fits = |part: &[Op]| {
            let ends = part.len() == plan.len();
            allows(part)
                && (!ruled || is_made(model, start, part, ends))
                && (!above || ends || !reaches_goal(model, start, part))
                && (!above || model.passes_no_state_twice(start, part))
        };
        if !merges {
            return allows(plan) && (!above || model.passes_no_state_twice(start, plan));
        }
        let first_order = |fits: &dyn Fn(&[Op]) -> bool| first_order(plan, &commute, fits);
        first_order(&fits).is_some_and(|order| order == plan)
            && (all.is_none() || first_order(&|part| first(part)).is_some())
    }))
}

/// Whether a string of operators applies. With `ends`, it must also end at a goal.
fn is_made(model: &PuzzleModel, start: &PuzzleState, string: &[Op], ends: bool) -> bool {
    match model.replay(start, string) {
        Ok(()) => true,
        Err(plan::Invalid::NotSolved) => !ends,
        Err(_) => false,
    }
}

fn reaches_goal(model: &PuzzleModel, start: &PuzzleState, string: &[Op]) -> bool {
    let end = string.iter().fold(start.clone(), |state, &op| model.after(&state, op));
    model.definition().is_goal(&end)
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
