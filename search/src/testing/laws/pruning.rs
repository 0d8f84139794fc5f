//! The laws of a pruning: allowed strings reach every state at its least cost, and every start
//! keeps a cheapest plan.

use super::distances::spread;
use super::{Distances, LawError, law, successor};
use crate::domain::{Cost, Domain, Op, OpSet, Packed};
use crate::pruning::Pruning;
use std::collections::BTreeSet;

/// Checks that allowed strings reach every state at its least cost. For each start and each cost c
/// up to `limit`, an allowed string of cost c reaches each state of least cost c. So the pruning
/// keeps an optimal plan, whichever state is the goal.
///
/// Use several starts: with preconditions, a string may be redundant in one state and not in
/// another.
///
/// Time: the number of allowed strings, for each start and each cost up to `limit`. The check of a
/// cost ends early once all states of this cost are reached.
///
/// # Errors
/// Names a state that is lost, with its cost and start. Or names an operator that leads to a dead
/// end although [`Pruning::DEAD_ENDS`] is false.
pub fn check_pruning<D: Packed, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    starts: &[D::State],
    limit: Cost,
) -> Result<(), LawError> {
    for start in starts {
        let costs = spread(domain, std::slice::from_ref(start), limit, |op| domain.cost(op));
        for cost in 0..=limit {
            let mut missing: BTreeSet<D::Key> =
                costs.iter().filter(|&(_, &c)| c == cost).map(|(&key, _)| key).collect();
            let at = pruning.start(domain, start);
            strike(domain, pruning, start, at, cost, &mut missing)?;
            if let Some(&key) = missing.first() {
                let mut lost = start.clone();
                domain.unpack(key, &mut lost);
                law!(
                    false,
                    "{} states at cost {cost} from {start:?} are reached by no allowed string, among them {lost:?}",
                    missing.len()
                );
            }
        }
    }
    Ok(())
}

/// Removes from `missing` the states that allowed strings of exactly the remaining cost reach.
fn strike<D: Packed, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    state: &D::State,
    at: P::State,
    remaining: Cost,
    missing: &mut BTreeSet<D::Key>,
) -> Result<(), LawError> {
    if remaining == 0 {
        missing.remove(&domain.pack(state));
        return Ok(());
    }
    for op in domain.applicable(state).and(pruning.allowed(domain, at)).members() {
        if missing.is_empty() {
            break;
        }
        let Some(remaining) = remaining.checked_sub(domain.cost(op)) else { continue };
        let Some(next) = next(domain, pruning, at, op, remaining)? else { continue };
        strike(domain, pruning, &successor(domain, state, op), next, remaining, missing)?;
    }
    Ok(())
}

/// The pruning's state after an allowed operator; `None` at a dead end. Fails if
/// [`Pruning::DEAD_ENDS`] denies dead ends.
fn next<D: Domain, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    at: P::State,
    op: Op,
    remaining: Cost,
) -> Result<Option<P::State>, LawError> {
    let next = pruning.next(domain, at, op);
    let dead_end = pruning.dead_end(domain, next, remaining);
    law!(
        P::DEAD_ENDS || !dead_end,
        "operator {} leads to a dead end with {remaining} remaining, but DEAD_ENDS is false",
        op.0
    );
    Ok((!dead_end).then_some(next))
}

/// Checks that a [`Pruning`] keeps a cheapest plan for every state whose least cost is known.
///
/// It uses the pruning together with [`Domain::restrict`], as a search does. A two-sided pruning
/// promises only this law, not that of [`check_pruning`].
///
/// Time: for each state at most the prefixes of its cheapest plans, so long as the least costs of
/// their states are among `distances`. That is little unless the pruning cuts many of the plans.
///
/// # Errors
/// Names a state that has lost all its cheapest plans. Or names an operator that leads to a dead
/// end although [`Pruning::DEAD_ENDS`] is false.
pub fn check_plans<D: Packed, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    distances: &Distances<D>,
) -> Result<(), LawError> {
    law!(!distances.is_empty(), "no distances to check the pruning against");
    distances.try_for_each(|state, cost, exact| {
        law!(
            !exact
                || solves(distances, (domain, pruning), state, pruning.start(domain, state), cost)?,
            "no plan of the least cost {cost} for {state:?} is allowed"
        );
        Ok(())
    })
}

/// Whether the pruning allows a plan of the cost `remaining`. A successor whose least cost is known
/// to be greater starts none.
fn solves<D: Packed, P: Pruning<D>>(
    distances: &Distances<D>,
    (domain, pruning): (&D, &P),
    state: &D::State,
    at: P::State,
    remaining: Cost,
) -> Result<bool, LawError> {
    if remaining == 0 {
        return Ok(domain.is_goal(state));
    }
    let allowed = domain.applicable(state).and(pruning.allowed(domain, at));
    for op in domain.restrict(allowed).members() {
        let Some(remaining) = remaining.checked_sub(domain.cost(op)) else { continue };
        let Some(next) = next(domain, pruning, at, op, remaining)? else { continue };
        let to = successor(domain, state, op);
        let is_far = distances.exact(&to).is_some_and(|least| least > remaining);
        if !is_far && solves(distances, (domain, pruning), &to, next, remaining)? {
            return Ok(true);
        }
    }
    Ok(false)
}
