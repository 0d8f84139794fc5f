//! The laws of a domain: operators, inverses and parity.

use super::{LawError, law, pick, samples, successor};
use crate::domain::{Domain, Op, OpSet, Reversible};
use crate::random::Random;

/// Checks [`Domain`] on the starts and on states reached from them:
/// - all operators fit the type of sets, and applicable ones are below [`Domain::operators`];
/// - costs are at least 1, and 1 if [`Domain::UNIT_COSTS`] says so;
/// - there are at most four operators if [`Domain::UNROLL`] says so;
/// - a successor does not depend on the state that it overwrites, or on other children that are
///   made together with it;
/// - `restrict` returns a subset of the applicable operators, empty only if no operator applies.
///
/// # Errors
/// Names the law that is broken, with the state and the operator.
pub fn check_domain<D: Domain>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    let n = domain.operators();
    law!(
        (1..=D::Ops::CAPACITY).contains(&n),
        "{n} operators: a set of this domain holds 1 to {}",
        D::Ops::CAPACITY
    );
    law!(n <= 1 << 16, "{n} operators: a domain has at most 65536");
    law!(!D::UNROLL || n <= 4, "{n} operators: UNROLL is for at most 4");
    let all = D::Ops::first(n);
    for op in all.members() {
        law!(domain.cost(op) >= 1, "operator {} costs nothing: costs are at least 1", op.0);
    }
    law!(domain.to_plan(&[]).is_empty(), "to_plan of no operators gives some");
    // This comes first, so that nothing below applies an operator that does not exist.
    for start in starts {
        law!(
            domain.applicable(start).minus(all).is_empty(),
            "an operator above {n} applies to {start:?}"
        );
    }
    let mut random = Random::new(1);
    let states = samples(domain, starts);
    for (number, state) in states.iter().enumerate() {
        let applicable = domain.applicable(state);
        law!(applicable.minus(all).is_empty(), "an operator above {n} applies to {state:?}");
        let other = &states[number / 2];
        for op in applicable.members() {
            let third = successor(domain, state, pick(&mut random, applicable).unwrap_or(op));
            check_overwriting(domain, state, op, [other, &third])?;
        }
        check_successors(domain, state, other)?;
        law!(
            !D::UNIT_COSTS || applicable.members().all(|op| domain.cost(op) == 1),
            "unit costs are claimed, but not every operator of {state:?} costs 1"
        );
        let kept = domain.restrict(applicable);
        law!(kept.minus(applicable).is_empty(), "restrict adds an operator to those of {state:?}");
        law!(!kept.is_empty() || applicable.is_empty(), "restrict leaves no operator of {state:?}");
    }
    Ok(())
}

/// Checks that a successor does not depend on the state that it overwrites.
fn check_overwriting<D: Domain>(
    domain: &D,
    state: &D::State,
    op: Op,
    others: [&D::State; 2],
) -> Result<(), LawError> {
    let to = successor(domain, state, op);
    for other in others {
        let mut again = other.clone();
        domain.apply_into(state, op, &mut again);
        law!(
            again == to,
            "operator {} on {state:?} gives {to:?}, but {again:?} over {other:?}",
            op.0
        );
    }
    Ok(())
}

/// Checks that [`Domain::successors`] of two states together gives the same states as
/// [`Domain::apply_into`].
fn check_successors<D: Domain>(
    domain: &D,
    state: &D::State,
    other: &D::State,
) -> Result<(), LawError> {
    let mut ops: Vec<Op> = domain.applicable(state).members().collect();
    let first = ops.len();
    ops.extend(domain.applicable(other).members());
    let from = |child: usize| if child < first { state } else { other };
    let mut together = vec![other.clone(); ops.len()];
    domain.successors(from, &ops, &mut together);
    for ((child, &op), to) in ops.iter().enumerate().zip(&together) {
        let state = from(child);
        law!(
            *to == successor(domain, state, op),
            "operator {} on {state:?} gives {to:?} together with others",
            op.0
        );
    }
    Ok(())
}

/// Checks [`Reversible`]: the inverse of an operator applies to its successor and leads back, and
/// the inverse of the inverse is the operator.
///
/// # Errors
/// Names the law that is broken, with the state and the operator.
pub fn check_reversible<D: Reversible>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    for op in D::Ops::first(domain.operators()).members() {
        let inverse = domain.inverse_op(op);
        law!(
            inverse.index() < domain.operators(),
            "operator {} has the inverse {}, which does not exist",
            op.0,
            inverse.0
        );
        let back = domain.inverse_op(inverse);
        law!(
            back == op,
            "operator {} is undone by {}, which is undone by {}",
            op.0,
            inverse.0,
            back.0
        );
    }
    for state in samples(domain, starts) {
        for op in domain.applicable(&state).members() {
            let (to, inverse) = (successor(domain, &state, op), domain.inverse_op(op));
            law!(
                domain.applicable(&to).contains(inverse),
                "operator {} leads from {state:?} to {to:?}, where its inverse {} does not apply",
                op.0,
                inverse.0
            );
            let back = successor(domain, &to, inverse);
            law!(
                back == state,
                "operator {} leads from {state:?} to {to:?}; its inverse {} leads back to {back:?}",
                op.0,
                inverse.0
            );
        }
    }
    Ok(())
}

/// Checks [`Domain::parity`]: an operator changes it by the parity of its cost. It is known for all
/// states or for none. It is even for a goal.
///
/// # Errors
/// Names the law that is broken, with the state and the operator.
pub fn check_parity<D: Domain>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    for state in samples(domain, starts) {
        let parity = domain.parity(&state);
        law!(
            !(domain.is_goal(&state) && parity == Some(true)),
            "the goal {state:?} has odd parity, but the empty plan costs 0"
        );
        for op in domain.applicable(&state).members() {
            let to = successor(domain, &state, op);
            let expected = parity.map(|odd| odd ^ (domain.cost(op) % 2 == 1));
            law!(
                domain.parity(&to) == expected,
                "parity {parity:?} of {state:?} becomes {:?} by operator {} of cost {}",
                domain.parity(&to),
                op.0,
                domain.cost(op)
            );
        }
    }
    Ok(())
}
