//! Validation of plans by a second, simple implementation of the puzzle.

use crate::domain::Op;
use std::fmt;

/// A second, simple implementation of a domain, with its own states and code. Plans are replayed on
/// it, so that a fault of the domain cannot hide.
pub trait Reference {
    /// A state of this implementation.
    type State: Clone;
    /// The state after an operator; `None` if it does not apply or does not exist.
    fn successor(&self, state: &Self::State, op: Op) -> Option<Self::State>;
    /// Whether the puzzle is solved.
    fn is_solved(&self, state: &Self::State) -> bool;
}

/// Why a plan is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// An operator does not apply.
    NotApplicable {
        /// The index of the operator in the plan.
        place: usize,
        /// The operator that does not apply.
        op: Op,
    },
    /// All operators apply, but they do not lead to a goal.
    NotSolved,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotApplicable { place, op } => {
                write!(
                    f,
                    "operator {} of the plan (number {}) does not apply there",
                    place + 1,
                    op.0
                )
            }
            Self::NotSolved => f.write_str("the plan ends in a state that is not solved"),
        }
    }
}

impl std::error::Error for Invalid {}

/// Replays a plan from `start` on the second implementation.
///
/// # Errors
/// If an operator does not apply, or the last state is not solved.
pub fn validate<R: Reference>(reference: &R, start: &R::State, plan: &[Op]) -> Result<(), Invalid> {
    let mut state = start.clone();
    for (place, &op) in plan.iter().enumerate() {
        state = reference.successor(&state, op).ok_or(Invalid::NotApplicable { place, op })?;
    }
    if reference.is_solved(&state) { Ok(()) } else { Err(Invalid::NotSolved) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers 0 to 3: operator 0 adds one, operator 1 subtracts one.
    struct Line;

    impl Reference for Line {
        type State = i32;
        fn successor(&self, state: &i32, op: Op) -> Option<i32> {
            let next = state + [1, -1].get(op.index())?;
            (0..=3).contains(&next).then_some(next)
        }
        fn is_solved(&self, state: &i32) -> bool {
            *state == 0
        }
    }

    #[test]
    fn a_plan_must_apply_and_end_at_a_goal() {
        assert_eq!(validate(&Line, &2, &[Op(1), Op(1)]), Ok(()));
        assert_eq!(validate(&Line, &0, &[]), Ok(()));
        assert_eq!(validate(&Line, &2, &[Op(1)]), Err(Invalid::NotSolved));
        assert_eq!(
            validate(&Line, &0, &[Op(1)]),
            Err(Invalid::NotApplicable { place: 0, op: Op(1) })
        );
        assert_eq!(
            validate(&Line, &1, &[Op(1), Op(7)]),
            Err(Invalid::NotApplicable { place: 1, op: Op(7) })
        );
    }
}
