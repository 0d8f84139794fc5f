//! The laws of a group, and of two-sided search over it.

use super::{Distances, LawError, law, pick, samples, successor};
use crate::domain::{
    Cost, Domain, Group, Op, OpSet, Packed, PermutationGroup, Reversible, TwoSided, TwoSidedState,
    split_op,
};
use crate::random::Random;

/// Checks [`Group`]: the identity is the only goal. Every operator applies everywhere and
/// multiplies from the right. The product satisfies the axioms of a group.
///
/// # Errors
/// Names the law that is broken, with the states and the operator.
pub fn check_group<D: Group>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    let identity = domain.identity();
    law!(domain.is_goal(&identity), "the identity {identity:?} is no goal");
    let all = D::Ops::first(domain.operators());
    let states = samples(domain, starts);
    for (number, a) in states.iter().enumerate() {
        law!(
            domain.is_goal(a) == (*a == identity),
            "{a:?} is a goal, but the only goal of a group is its identity {identity:?}"
        );
        law!(domain.applicable(a) == all, "not every operator applies to {a:?}");
        let inverse = invert(domain, a);
        for (product, what) in [
            (compose(domain, a, &inverse), "element times inverse"),
            (compose(domain, &inverse, a), "inverse times element"),
        ] {
            law!(product == identity, "{what} of {a:?} and {inverse:?} is {product:?}");
        }
        for (product, what) in [
            (compose(domain, a, &identity), "element times identity"),
            (compose(domain, &identity, a), "identity times element"),
        ] {
            law!(product == *a, "{what} of {a:?} is {product:?}");
        }
        let (b, c) = (&states[number / 2], &states[number / 3]);
        let left = compose(domain, &compose(domain, a, b), c);
        let right = compose(domain, a, &compose(domain, b, c));
        law!(
            left == right,
            "the product of {a:?}, {b:?} and {c:?} is {left:?} or {right:?}: it is not associative"
        );
        check_products(domain, a, b)?;
        for op in all.members() {
            check_generator(domain, a, op, &states[number / 2])?;
        }
    }
    Ok(())
}

/// Checks [`PermutationGroup`]: each element permutes the points, products permute as the product
/// of their factors, and different elements permute differently.
///
/// # Errors
/// Names the law that is broken, with the states.
pub fn check_permutation_group<D: PermutationGroup>(
    domain: &D,
    starts: &[D::State],
) -> Result<(), LawError> {
    let points = domain.points();
    law!(points <= 1 << 16, "{points} points, but at most 65536 are allowed");
    let images = |element: &D::State| -> Vec<usize> {
        (0..points).map(|point| domain.image(element, point)).collect()
    };
    let states = samples(domain, starts);
    for (number, a) in states.iter().enumerate() {
        let b = &states[number / 2];
        let (of_a, of_b) = (images(a), images(b));
        let mut sorted = of_a.clone();
        sorted.sort_unstable();
        law!(sorted.iter().copied().eq(0..points), "{a:?} does not permute the points: {of_a:?}");
        let product = images(&compose(domain, a, b));
        let expected: Vec<usize> = of_b.iter().map(|&point| of_a[point]).collect();
        law!(
            product == expected,
            "the product of {a:?} and {b:?} takes the points to {product:?}, not to {expected:?}"
        );
        law!((of_a == of_b) == (a == b), "{a:?} and {b:?} are different, but permute alike");
    }
    Ok(())
}

/// Checks that [`Group::products`] of two elements together gives the same as one operator after
/// the other.
fn check_products<D: Group>(domain: &D, a: &D::State, b: &D::State) -> Result<(), LawError> {
    let element = |a: &D::State| TwoSidedState { position: a.clone(), inverse: invert(domain, a) };
    let pair = [element(a), element(b)];
    let from = |child: usize| &pair[child % 2];
    let ops: Vec<Op> = (0..2 * domain.operators()).map(Op::new).collect();
    let mut together = vec![element(&domain.identity()); ops.len()];
    domain.products(from, &ops, &mut together);
    for ((child, &op), to) in ops.iter().enumerate().zip(&together) {
        let (from, (op, back)) = (from(child), split_op(op, domain.operators()));
        let product = successor(domain, from.end(back), op);
        law!(
            *to.end(back) == product && *to.end(!back) == invert(domain, &product),
            "operator {} of the {} takes {:?} and its inverse to {to:?} together with others",
            op.0,
            if back { "back" } else { "front" },
            from.position
        );
    }
    Ok(())
}

/// Checks that an operator multiplies by its generator from the right, and that
/// `apply_inverse_left` multiplies by the generator's inverse from the left.
fn check_generator<D: Group>(
    domain: &D,
    a: &D::State,
    op: Op,
    other: &D::State,
) -> Result<(), LawError> {
    let generator = successor(domain, &domain.identity(), op);
    let (applied, product) = (successor(domain, a, op), compose(domain, a, &generator));
    law!(
        applied == product,
        "operator {} takes {a:?} to {applied:?}, but times the generator it is {product:?}",
        op.0
    );
    let mut fast = other.clone();
    domain.apply_inverse_left(a, op, &mut fast);
    let slow = compose(domain, &invert(domain, &generator), a);
    law!(
        fast == slow,
        "apply_inverse_left of operator {} on {a:?} is {fast:?}, not {slow:?}",
        op.0
    );
    Ok(())
}

fn compose<D: Group>(domain: &D, a: &D::State, b: &D::State) -> D::State {
    let mut out = a.clone();
    domain.compose(a, b, &mut out);
    out
}

fn invert<D: Group>(domain: &D, a: &D::State) -> D::State {
    let mut out = a.clone();
    domain.invert(a, &mut out);
    out
}

/// Checks [`TwoSided`] on every element within `limit` of the identity:
/// - after an operator of either end, position and inverse are inverses of each other;
/// - `restrict` keeps operators of one end;
/// - `to_plan` turns a path that solves into a plan of the same cost that solves.
///
/// # Errors
/// Names the law that is broken, with the states and operators.
pub fn check_two_sided<D: Group + Packed>(
    domain: &TwoSided<D>,
    limit: Cost,
) -> Result<(), LawError> {
    let identity = domain.0.identity();
    let solved = domain.state(&identity);
    let n = domain.0.operators();
    let distances = Distances::from_goals(domain, std::slice::from_ref(&solved), limit);
    let mut random = Random::new(2);
    distances.try_for_each(|state, _, _| {
        let applicable = domain.applicable(state);
        for op in applicable.members() {
            let to = successor(domain, state, op);
            let product = compose(&domain.0, &to.position, &to.inverse);
            law!(
                product == identity,
                "operator {} of the two-sided {state:?} gives {to:?}, whose product is {product:?}",
                op.0
            );
        }
        // All operators except one, so that the ends sometimes have different numbers of them.
        let some = applicable.minus(OpSet::double(
            pick(&mut random, D::Ops::first(n)).map_or(D::Ops::NONE, |op| D::Ops::NONE.with(op)),
            D::Ops::NONE,
            n,
        ));
        for allowed in [applicable, some] {
            let chosen = domain.restrict(allowed);
            let (front, back) = D::Ops::split(chosen, n);
            law!(
                chosen.minus(allowed).is_empty() && (front.is_empty() || back.is_empty()),
                "restrict makes {chosen:?} of {allowed:?}: not a part of one end"
            );
        }
        Ok(())
    })?;
    for length in 0..=32 {
        check_to_plan(domain, length, &mut random)?;
    }
    Ok(())
}

/// Applies random operators of both ends to the solved state. Checks that `to_plan` turns the way
/// back into a plan.
fn check_to_plan<D: Group>(
    domain: &TwoSided<D>,
    length: usize,
    random: &mut Random,
) -> Result<(), LawError> {
    let mut state = domain.state(&domain.0.identity());
    let mut path: Vec<Op> = Vec::new();
    for _ in 0..length {
        let Some(op) = pick(random, domain.applicable(&state)) else { break };
        state = successor(domain, &state, op);
        path.push(domain.inverse_op(op));
    }
    path.reverse();
    let end = path.iter().fold(state.clone(), |state, &op| successor(domain, &state, op));
    law!(domain.is_goal(&end), "{path:?} should solve {state:?}, but leads to {end:?}");
    let plan = domain.to_plan(&path);
    let position = state.position.clone();
    let end = plan.iter().fold(position, |state, &op| successor(&domain.0, &state, op));
    law!(
        domain.0.is_goal(&end),
        "{path:?} solves {state:?}, but becomes {plan:?}, which leads to {end:?}"
    );
    let cost = |costs: &mut dyn Iterator<Item = Cost>| costs.map(u32::from).sum::<u32>();
    let (here, there) = (
        cost(&mut path.iter().map(|&op| domain.cost(op))),
        cost(&mut plan.iter().map(|&op| domain.0.cost(op))),
    );
    law!(here == there, "{path:?} costs {here} but becomes {plan:?}, which costs {there}");
    Ok(())
}
