//! The laws of a domain: operators, inverses, packing, parity and symmetries.

use super::{LawError, Random, law, samples, successor};
use crate::domain::{Domain, Op, OpSet, Packed, Reversible, Symmetric};

/// Checks [`Domain`] on the starts and on states reached from them: operators fit their set, what applies is among them, costs are
/// at least 1, a successor does not depend on what it overwrites nor on what else is applied, and `restrict` answers a subset.
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
    let all = D::Ops::first(n);
    for op in all.members() {
        law!(domain.cost(op) >= 1, "operator {} costs nothing: costs are at least 1", op.0);
    }
    law!(domain.to_plan(&[]).is_empty(), "unfolding no operators gives some");
    // A state is asked for its operators first, so that nothing below applies one that does not exist.
    for start in starts {
        law!(
            domain.applicable(start).minus(all).is_empty(),
            "an operator above {n} applies to {start:?}"
        );
    }
    let mut random = Random(1);
    let states = samples(domain, starts);
    for (number, state) in states.iter().enumerate() {
        let applicable = domain.applicable(state);
        law!(applicable.minus(all).is_empty(), "an operator above {n} applies to {state:?}");
        for op in applicable.members() {
            let to = successor(domain, state, op);
            // Overwrite other states: an earlier sample, and the successor by another operator.
            for other in [
                &states[number / 2],
                &successor(domain, state, random.pick(applicable).unwrap_or(op)),
            ] {
                let mut again = other.clone();
                domain.apply_into(state, op, &mut again);
                law!(
                    again == to,
                    "operator {} on {state:?} gives {to:?}, but {again:?} over {other:?}: a successor depends on what it overwrites",
                    op.0
                );
            }
        }
        let ops: Vec<Op> = applicable.members().collect();
        // Of two states, one after the other.
        let other = &states[number / 2];
        let more = || domain.applicable(other).members();
        let from = |child: usize| if child < ops.len() { state } else { other };
        let all_ops: Vec<Op> = ops.iter().copied().chain(more()).collect();
        let mut together = vec![other.clone(); all_ops.len()];
        domain.successors(from, &all_ops, &mut together);
        for ((child, op), to) in all_ops.iter().enumerate().zip(&together) {
            let state = from(child);
            law!(
                *to == successor(domain, state, *op),
                "operator {} on {state:?} gives {to:?} together with others",
                op.0
            );
        }
        law!(
            !D::UNIT_COSTS || ops.iter().all(|&op| domain.cost(op) == 1),
            "unit costs are claimed, but not every operator of {state:?} costs 1"
        );
        let chosen = domain.restrict(applicable);
        law!(chosen.minus(applicable).is_empty(), "choose adds an operator to those of {state:?}");
        law!(!chosen.is_empty() || applicable.is_empty(), "choose leaves no operator of {state:?}");
    }
    Ok(())
}

/// Checks [`Reversible`]: the inverse of an operator applies to its successor, leads back, and is undone by the operator.
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

/// Checks [`Packed`]: a key has at most 16 bytes, or no more than the state, and unpacks to its state whatever it overwrites, so different states have different keys.
///
/// # Errors
/// Names the law that is broken, with the state.
pub fn check_packed<D: Packed>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    let (key, most) = (size_of::<D::Key>(), size_of::<D::State>().max(16));
    law!(key <= most, "a key has {key} bytes, not 4 to {most}");
    let states = samples(domain, starts);
    for (number, state) in states.iter().enumerate() {
        let key = domain.pack(state);
        let mut back = states[number / 2].clone();
        domain.unpack(key, &mut back);
        law!(
            back == *state,
            "{state:?} packs to {key:?}, which unpacks to {back:?} over {:?}",
            states[number / 2]
        );
    }
    Ok(())
}

/// Checks [`Domain::parity`]: it changes along an operator by the parity of its cost, is known for all states or for none, and is
/// even for a goal.
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

/// Checks [`Symmetric`]: symmetry 0 is the identity; each keeps goals, costs and what applies, permutes the operators, and commutes with
/// them.
///
/// # Errors
/// Names the law that is broken, with the symmetry, the state and the operator.
pub fn check_symmetric<D: Symmetric>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    law!(domain.symmetries() >= 1, "no symmetries: number 0 is the identity");
    let all = D::Ops::first(domain.operators());
    for i in 0..domain.symmetries() {
        let image = all.members().fold(D::Ops::NONE, |set, op| set.with(domain.relabel(i, op)));
        law!(image == all, "symmetry {i} does not permute the operators: {image:?}");
        for op in all.members() {
            let to = domain.relabel(i, op);
            law!(
                domain.cost(op) == domain.cost(to),
                "symmetry {i} takes operator {} to {}, of another cost",
                op.0,
                to.0
            );
            law!(i > 0 || op == to, "symmetry 0 takes operator {} to {}", op.0, to.0);
        }
    }
    for state in samples(domain, starts) {
        for i in 0..domain.symmetries() {
            let image = conjugate(domain, i, &state);
            law!(i > 0 || image == state, "symmetry 0 takes {state:?} to {image:?}");
            law!(
                domain.is_goal(&state) == domain.is_goal(&image),
                "symmetry {i} takes {state:?} to {image:?}: only one of them is a goal"
            );
            let applicable = domain.applicable(&state);
            let relabelled =
                applicable.members().fold(D::Ops::NONE, |set, op| set.with(domain.relabel(i, op)));
            law!(
                domain.applicable(&image) == relabelled,
                "symmetry {i} takes {state:?} to {image:?}, where other operators apply"
            );
            for op in applicable.members() {
                check_commutes(domain, i, &state, &image, op)?;
            }
        }
    }
    Ok(())
}

fn check_commutes<D: Symmetric>(
    domain: &D,
    i: usize,
    state: &D::State,
    image: &D::State,
    op: Op,
) -> Result<(), LawError> {
    let around = conjugate(domain, i, &successor(domain, state, op));
    let other = domain.relabel(i, op);
    let across = successor(domain, image, other);
    law!(
        around == across,
        "symmetry {i}: the image of {state:?} after operator {} is {around:?}, but the image after operator {} is {across:?}",
        op.0,
        other.0
    );
    Ok(())
}

/// The image under a symmetry, over a state that is not the result.
fn conjugate<D: Symmetric>(domain: &D, i: usize, state: &D::State) -> D::State {
    let mut out = state.clone();
    domain.conjugate(i, state, &mut out);
    out
}
