//! The laws of symmetries.

use super::{LawError, law, samples, successor};
use crate::domain::{Op, OpSet, Symmetric};

/// Checks [`Symmetric`]:
/// - symmetry 0 is the identity;
/// - each symmetry keeps goals, costs and applicable operators, and permutes the operators;
/// - the image of a successor is the successor of the image.
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
                "symmetry {i} maps operator {} to {}, of another cost",
                op.0,
                to.0
            );
            law!(i > 0 || op == to, "symmetry 0 maps operator {} to {}", op.0, to.0);
        }
    }
    for state in samples(domain, starts) {
        for i in 0..domain.symmetries() {
            let image = conjugate(domain, i, &state);
            law!(i > 0 || image == state, "symmetry 0 maps {state:?} to {image:?}");
            law!(
                domain.is_goal(&state) == domain.is_goal(&image),
                "symmetry {i} maps {state:?} to {image:?}: only one of them is a goal"
            );
            let applicable = domain.applicable(&state);
            let relabelled =
                applicable.members().fold(D::Ops::NONE, |set, op| set.with(domain.relabel(i, op)));
            law!(
                domain.applicable(&image) == relabelled,
                "symmetry {i} maps {state:?} to {image:?}, where other operators apply"
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

/// The image of `state` under symmetry `i`.
fn conjugate<D: Symmetric>(domain: &D, i: usize, state: &D::State) -> D::State {
    let mut out = state.clone();
    domain.conjugate(i, state, &mut out);
    out
}
