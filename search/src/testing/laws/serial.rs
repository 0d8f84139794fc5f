//! The law of a serial order of features.

use super::{LawError, law, successor};
use crate::domain::{Domain, Op, OpSet};
use crate::macros::SerialOrder;
use std::collections::HashMap;

/// The number of states that the law compares, at most, for each start.
const STATES: usize = 400;

/// Checks [`SerialOrder`] on the states nearest to each start, 400 for each:
/// - a value is below [`SerialOrder::values`];
/// - whether an operator applies depends on feature 0 only;
/// - the values of the features `0 ..= i` after an operator depend on the values of these features
///   only;
/// - a state is a goal if each feature has the value that it has in `goal`.
///
/// # Errors
/// Names the law that is broken, with the states and the operator.
pub fn check_serial<D: Domain, S: SerialOrder<D>>(
    domain: &D,
    order: &S,
    goal: &D::State,
    starts: &[D::State],
) -> Result<(), LawError> {
    law!(domain.is_goal(goal), "{goal:?} is no goal");
    let values = |state: &D::State| -> Vec<usize> {
        (0..order.features()).map(|feature| order.value(domain, state, feature)).collect()
    };
    let solved = values(goal);
    // For each operator and each beginning of a list of values: the next value of its last feature,
    // and a state that has it.
    let mut effects: HashMap<(Op, Vec<usize>), (usize, D::State)> = HashMap::new();
    let mut applicable: HashMap<Option<usize>, (D::Ops, D::State)> = HashMap::new();
    for state in starts.iter().chain([goal]).flat_map(|start| nearest(domain, start)) {
        let before = values(&state);
        for (feature, &value) in before.iter().enumerate() {
            law!(
                value < order.values(feature),
                "feature {feature} of {state:?} has value {value}, but there are {}",
                order.values(feature)
            );
        }
        law!(
            before != solved || domain.is_goal(&state),
            "all features of {state:?} have their goal values, but it is no goal"
        );
        let ops = domain.applicable(&state);
        let (known, other) =
            applicable.entry(before.first().copied()).or_insert_with(|| (ops, state.clone()));
        law!(
            *known == ops,
            "other operators apply to {state:?} than to {other:?}, which has the same feature 0"
        );
        for op in ops.members() {
            let after = values(&successor(domain, &state, op));
            for (feature, &value) in after.iter().enumerate() {
                let key = (op, before[..=feature].to_vec());
                let (known, other) = effects.entry(key).or_insert_with(|| (value, state.clone()));
                law!(
                    *known == value,
                    "operator {} gives feature {feature} the value {value} in {state:?}, but {known} \
                     in {other:?}, which agrees in the features up to this one",
                    op.0
                );
            }
        }
    }
    Ok(())
}

/// The states nearest to a start, with the start.
fn nearest<D: Domain>(domain: &D, start: &D::State) -> Vec<D::State> {
    let mut states = vec![start.clone()];
    let mut next = 0;
    while next < states.len() && states.len() < STATES {
        for op in domain.applicable(&states[next]).members() {
            let child = successor(domain, &states[next], op);
            if !states.contains(&child) {
                states.push(child);
            }
        }
        next += 1;
    }
    states
}
