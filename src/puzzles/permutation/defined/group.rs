//! The group of the moves: its order, the states and the symmetries.

use crate::puzzle::GroupSummary;
use groups::StabilizerChain;
use num_bigint::BigUint;
use permutation::{
    Definition, MoveMetric, NotAGroup, Operators, PuzzleGroup, PuzzleSize, PuzzleState,
};
use search::CancelToken;
use serde_json::Number;

/// Finds the group and its symmetries. If the caller cancels, the rest stays unknown.
pub(super) fn summary(
    definition: &Definition,
    all: &Operators,
    cancel: &CancelToken,
) -> GroupSummary {
    let mut summary = GroupSummary {
        order: None,
        states: None,
        arrangements: number(&arrangements(definition)),
        symmetries: None,
        unknown: Vec::new(),
    };
    let group = match apart(definition, all) {
        Ok(group) => group,
        Err(error) => {
            summary.unknown.push(format!("the order of the group: {error}"));
            return summary;
        }
    };
    match order(&group, definition, cancel) {
        Err(_) if cancel.is_cancelled() => {
            summary
                .unknown
                .push("the order of the group: it takes longer than --limit-time".to_owned());
        }
        Ok(order) => summary.order = Some(number(&order)),
        Err(error) => summary.unknown.push(format!("the order of the group: {error}")),
    }
    match PuzzleGroup::new(definition, all.clone()) {
        Ok(_) => summary.states.clone_from(&summary.order),
        Err(error @ NotAGroup::Alike) => summary.unknown.push(format!("the states: {error}")),
        Err(error @ NotAGroup::Restricted) => {
            summary.unknown.push(format!("the states: {error}"));
        }
        Err(_) => summary.states.clone_from(&summary.order),
    }
    if all.list.len() <= PuzzleSize::FIXED.operators
        && group.slots() <= PuzzleSize::FIXED.slots
        && group.find_symmetries(cancel).is_ok()
    {
        summary.symmetries = Some(group.symmetries());
    } else {
        summary.unknown.push("the symmetries of the moves".to_owned());
    }
    summary
}

/// The group of the moves with all pieces told apart.
fn apart(definition: &Definition, all: &Operators) -> Result<PuzzleGroup, NotAGroup> {
    let start = PuzzleState::ordered(definition.orbits());
    let apart = Definition::new(definition.name(), definition.orbits(), start);
    let apart = apart.unwrap_or_else(|error| unreachable!("the same orbits: {error}"));
    PuzzleGroup::new(&apart, all.clone())
}

/// The order, from one generator for each move.
fn order(
    group: &PuzzleGroup,
    definition: &Definition,
    cancel: &CancelToken,
) -> Result<BigUint, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    // A quarter turn generates all turns.
    let quarter = definition.operators(MoveMetric::Quarter).map_err(|error| told(&error))?;
    let quarter = apart(definition, &quarter).map_err(|error| told(&error))?;
    let generators = quarter.generators().map_err(|error| told(&error))?;
    let stop = || cancel.is_cancelled();
    let chain = StabilizerChain::new_until(group.points(), &generators, &[], &stop);
    chain.map(|chain| chain.order()).map_err(|error| told(&error))
}

/// The ways to put pieces into the slots of their orbits, and to turn them, that look different.
fn arrangements(definition: &Definition) -> BigUint {
    let start = definition.start();
    let mut all = BigUint::from(1_u32);
    for (index, orbit) in definition.orbits().iter().enumerate() {
        all *= factorial(orbit.pieces());
        let mut pieces = start.pieces(index).to_vec();
        pieces.sort_unstable();
        for alike in pieces.chunk_by(|a, b| a == b) {
            all /= factorial(alike.len());
        }
        for &modulus in start.modulus(index) {
            all *= u32::from(if modulus == 0 { orbit.orientations() } else { modulus });
        }
    }
    all
}

fn factorial(n: usize) -> BigUint {
    (2..=n).fold(BigUint::from(1_u32), |product, factor| product * factor)
}

/// A number of any size for JSON.
fn number(number: &BigUint) -> Number {
    parsed(&number.to_string()).unwrap_or_else(|| Number::from(0))
}

pub(super) fn parsed(digits: &str) -> Option<Number> {
    serde_json::from_str(digits).ok()
}
