//! The laws of a heuristic. It is admissible, and consistent if it says so. Inherited data gives
//! the same bound as new data. Every limit gives a correct answer.

use super::{Distances, LawError, law, pick, samples, successor};
use crate::domain::{Cost, Domain, Op, OpSet, Packed};
use crate::heuristic::{Batch, CarrySlice, Claims, Heuristic, LookupBatch, Slack, Step};
use crate::random::Random;

/// The number of random walks.
const WALKS: usize = 64;
/// The length of a random walk.
const STEPS: usize = 32;

/// Checks [`Heuristic`] on every state of `distances`:
/// - *admissible*: no bound is above the cost of a plan, whatever the limit;
/// - *the limit*: with and without a limit the bounds are equal, or both are above the limit;
/// - *excluded*: no excluded operator starts a plan within the limit;
/// - *incremental*: on edges and random walks, an inherited carry gives the same bound as a new
///   one;
/// - *together*: [`Heuristic::ask`] and [`Heuristic::take`] cut only children whose bound is above
///   their limit, and do not change the bounds of the others;
/// - *within*: [`Heuristic::within`] agrees with [`Heuristic::child`] and then
///   [`Heuristic::bound`];
/// - *consistent*, if the heuristic says so: no bound falls by more than the cost of an operator.
///
/// # Errors
/// Names the law that is broken, with the state, the limit and the operator.
pub fn check_heuristic<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    distances: &Distances<D>,
) -> Result<(), LawError> {
    law!(!distances.is_empty(), "no distances to check the heuristic against");
    distances.try_for_each(|state, cost, _| {
        let h = heuristic.estimate(domain, state);
        law!(h <= cost, "the bound of {state:?} is {h}, but a plan costs {cost}: not admissible");
        let limits = [
            0,
            h.saturating_sub(1),
            h,
            h.saturating_add(1),
            cost.saturating_sub(1),
            cost,
            cost.saturating_add(1),
            Cost::MAX,
        ];
        for limit in limits {
            check_limit(domain, heuristic, distances, state, (h, cost), limit)?;
        }
        check_edges(domain, heuristic, state, h)?;
        let alone = |to: &D::State, _: Cost| heuristic.estimate(domain, to);
        [h, cost, Cost::MAX]
            .into_iter()
            .try_for_each(|limit| check_together(domain, heuristic, state, limit, &alone))
    })?;
    let every = distances.len().div_ceil(WALKS);
    let mut number = 0;
    let mut random = Random::new(3);
    distances.try_for_each(|state, _, _| {
        number += 1;
        if number % every == 0 { check_walk(domain, heuristic, state, &mut random) } else { Ok(()) }
    })
}

/// Checks a heuristic that is made of others, at the starts, their successors and the states of
/// random walks from them:
/// - *claims*: [`Heuristic::CLAIMS`] is `claims`, what the heuristics inside allow;
/// - *incremental*, *within* and *consistent*, as [`check_heuristic`];
/// - *together*: a batch cuts the children that are cut alone, and the others have the same bounds.
///
/// # Errors
/// Names the law that is broken, with the state, the limit and the operator.
pub fn check_wrapper<D: Domain, H: Heuristic<D>>(
    domain: &D,
    wrapper: &H,
    claims: Claims,
    starts: &[D::State],
) -> Result<(), LawError> {
    law!(H::CLAIMS == claims, "the wrapper claims {:?}, not {claims:?}", H::CLAIMS);
    let alone = |to: &D::State, limit: Cost| {
        let mut carry = wrapper.root(domain, to);
        let h = wrapper.bound(domain, to, &mut carry, limit).h;
        if h > limit { h.max(wrapper.estimate(domain, to)) } else { h }
    };
    for state in samples(domain, starts) {
        let h = wrapper.estimate(domain, &state);
        check_edges(domain, wrapper, &state, h)?;
        for limit in [h, h.saturating_add(2), Cost::MAX] {
            check_together(domain, wrapper, &state, limit, &alone)?;
        }
    }
    Ok(())
}

fn check_limit<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    distances: &Distances<D>,
    state: &D::State,
    (h, cost): (Cost, Cost),
    limit: Cost,
) -> Result<(), LawError> {
    let mut carry = heuristic.root(domain, state);
    let verdict = heuristic.bound(domain, state, &mut carry, limit);
    law!(
        verdict.h <= cost,
        "asked with limit {limit}, the bound of {state:?} is {}, but a plan costs {cost}: not admissible",
        verdict.h
    );
    if verdict.h > limit {
        law!(
            h > limit,
            "asked with limit {limit}, the bound of {state:?} is {}; without a limit {h}",
            verdict.h
        );
        return Ok(());
    }
    law!(
        verdict.h == h,
        "asked with limit {limit}, the bound of {state:?} is {}; without a limit {h}",
        verdict.h
    );
    for op in verdict.excluded.and(domain.applicable(state)).members() {
        let to = successor(domain, state, op);
        let total = distances.cost(&to).map(|rest| u16::from(domain.cost(op)) + u16::from(rest));
        law!(
            total.is_none_or(|total| total > u16::from(limit)),
            "asked with limit {limit}, operator {} is excluded in {state:?}, but starts a plan of cost {}",
            op.0,
            total.unwrap_or(0)
        );
    }
    Ok(())
}

fn check_edges<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    state: &D::State,
    h: Cost,
) -> Result<(), LawError> {
    // A search may have asked for the parent's bound with any limit from that bound on.
    for limit in [h, Cost::MAX] {
        let mut carry = heuristic.root(domain, state);
        heuristic.bound(domain, state, &mut carry, limit);
        for op in domain.applicable(state).members() {
            let to = successor(domain, state, op);
            let mut inherited = heuristic.child(domain, state, &carry, op, &to);
            let bound = heuristic.bound(domain, &to, &mut inherited, Cost::MAX).h;
            let alone = heuristic.estimate(domain, &to);
            law!(
                bound == alone,
                "the child of {state:?} by operator {} has the bound {bound} incrementally, {alone} on its own",
                op.0
            );
            let cost = domain.cost(op);
            for left in [limit.saturating_sub(cost), alone, alone.saturating_sub(1)] {
                check_within(domain, heuristic, (state, &carry), op, (&to, alone), left)?;
            }
            law!(
                !H::CLAIMS.consistent || u16::from(h) <= u16::from(cost) + u16::from(alone),
                "the bound falls from {h} to {alone} by operator {} of cost {cost} on {state:?}: not consistent",
                op.0
            );
        }
    }
    Ok(())
}

/// Evaluates the children of a state together, and checks their bounds. `alone` is the bound of a
/// state by itself, with a limit.
fn check_together<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    state: &D::State,
    limit: Cost,
    alone: &dyn Fn(&D::State, Cost) -> Cost,
) -> Result<(), LawError> {
    for mut child in evaluate_together(domain, heuristic, state, limit) {
        let Slack { limit, proven } = child.slack;
        let h = alone(&child.state, limit);
        let found = if proven > limit {
            proven
        } else {
            heuristic.bound(domain, &child.state, &mut child.carry, limit).h
        };
        law!(
            if found > limit { h > limit && found <= h } else { found == h },
            "asked with limit {limit}, the child of {state:?} by operator {} has the bound {found} together with others, {h} on its own",
            child.op.0
        );
    }
    Ok(())
}

/// A child that was evaluated together with others ([`evaluate_together`]).
#[derive(Clone, Debug)]
pub struct EvaluatedChild<S, C> {
    /// The operator that leads to it.
    pub op: Op,
    /// Its state.
    pub state: S,
    /// Its data.
    pub carry: C,
    /// Its limit, and the bound of the stages. Above the limit, a stage has cut the child.
    pub slack: Slack,
}

/// The children of a state after all stages of a heuristic, as in the staged expansion. `limit` is
/// the cost that may be spent from the state.
pub fn evaluate_together<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    state: &D::State,
    limit: Cost,
) -> Vec<EvaluatedChild<D::State, H::Carry>> {
    let mut carry = heuristic.root(domain, state);
    heuristic.bound(domain, state, &mut carry, limit);
    let ops: Vec<Op> = domain.applicable(state).members().collect();
    let mut states = vec![state.clone(); ops.len()];
    domain.successors(|_| state, &ops, &mut states);
    let limit_of = |&op: &Op| limit.saturating_sub(domain.cost(op));
    let mut slack: Vec<Slack> =
        ops.iter().map(|op| Slack { limit: limit_of(op), proven: 0 }).collect();
    let mut carries = vec![carry.clone(); ops.len()];
    let (lookups, parents) = (&mut LookupBatch::new(), vec![0; ops.len()]);
    let mut left: Vec<u16> = (0..).take(ops.len()).collect();
    for stage in 0..H::EVALUATION.asks() {
        let mut batch = Batch {
            left: &left,
            parents: &parents,
            ops: &ops,
            states: &states,
            slack: &mut slack,
            lookups,
            early: true,
            carries: CarrySlice(|_| (state, &carry), &mut carries),
        };
        heuristic.ask(domain, &mut batch, stage);
        heuristic.take(domain, &mut batch, stage);
        left.retain(|&child| slack[usize::from(child)].proven <= slack[usize::from(child)].limit);
    }
    let children = ops.into_iter().zip(states).zip(carries.into_iter().zip(slack));
    let child = |((op, state), (carry, slack))| EvaluatedChild { op, state, carry, slack };
    children.map(child).collect()
}

fn check_within<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    (state, carry): (&D::State, &H::Carry),
    op: Op,
    (to, alone): (&D::State, Cost),
    limit: Cost,
) -> Result<(), LawError> {
    let mut child = heuristic.child(domain, state, carry, op, to);
    let apart = heuristic.bound(domain, to, &mut child, limit);
    // The place of the child's data may hold anything that a sibling left there when it was cut.
    let mut child = carry.clone();
    let mut place = state.clone();
    if let Some(less) = alone.checked_sub(1) {
        let mut step = Step::new(domain, state, op, &mut place);
        let cut = heuristic.within(&mut step, carry, &mut child, less);
        law!(
            cut.is_err(),
            "the child of {state:?} by operator {} is not cut at {less}, but its bound is {alone}",
            op.0
        );
    }
    let mut step = Step::new(domain, state, op, &mut place);
    let agree = match heuristic.within(&mut step, carry, &mut child, limit) {
        Ok(verdict) => {
            let again = heuristic.bound(domain, to, &mut child, Cost::MAX);
            verdict == apart && again.h == alone
        }
        Err(h) => h > limit && apart.h > limit && h <= alone,
    };
    law!(
        agree,
        "asked with limit {limit}, the child of {state:?} by operator {} differs between `within` and `bound`",
        op.0
    );
    Ok(())
}

fn check_walk<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    random: &mut Random,
) -> Result<(), LawError> {
    let mut state = start.clone();
    let mut carry = heuristic.root(domain, &state);
    for step in 0..STEPS {
        let alone = heuristic.estimate(domain, &state);
        let limit = if step % 2 == 0 { alone } else { Cost::MAX };
        let bound = heuristic.bound(domain, &state, &mut carry, limit).h;
        law!(
            bound == alone,
            "after {step} steps from {start:?} the bound of {state:?} is {bound} incrementally, {alone} on its own"
        );
        let Some(op) = pick(random, domain.applicable(&state)) else { break };
        let to = successor(domain, &state, op);
        carry = heuristic.child(domain, &state, &carry, op, &to);
        state = to;
    }
    Ok(())
}
