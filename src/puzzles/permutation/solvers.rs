//! Solvers of a group from a definition other than the optimal search.

use super::KIND;
use crate::settings::{ConfigureError, SolverChoice};
use crate::solvers::{Bidirectional, Macros, PerimeterSearch, SchroeppelShamir, Solver};
use permutation::{GroupPuzzle, SlotOrder};
use search::{Group, OpSet, Zero};

/// The solver with this name. `None` if it is `optimal`, or unknown.
pub(super) fn named<const N: usize, O: OpSet>(
    domain: &GroupPuzzle<N, O>,
    name: &str,
) -> Option<Box<dyn Solver<GroupPuzzle<N, O>>>> {
    Some(match name {
        "bidirectional" => Box::new(Bidirectional::of_group(domain, "none", Zero)),
        "perimeter" => Box::new(PerimeterSearch::new(domain.identity(), "none", Zero)),
        "schroeppel-shamir" => Box::new(SchroeppelShamir),
        "macros" => {
            let names = |feature: usize| format!("slot {}", feature + 1);
            Box::new(Macros::new(domain.identity(), SlotOrder::new(domain), names))
        }
        _ => return None,
    })
}

/// Checks that a puzzle has the solver of its settings. `is_group`: its states form a group, and no
/// rules forbid moves.
pub(super) fn check(
    name: &str,
    is_group: bool,
    solver: &SolverChoice,
) -> Result<(), ConfigureError> {
    if *solver == SolverChoice::Optimal {
        return Ok(());
    }
    if !KIND.solvers.contains(&solver.name()) {
        return Err(solver.unknown(name, KIND.solvers));
    }
    if !is_group {
        return Err(ConfigureError::invalid(format!(
            "{name}: the solver {solver} is for puzzles whose states form a group, without rules \
             about moves: expected the solver optimal"
        )));
    }
    Ok(())
}
