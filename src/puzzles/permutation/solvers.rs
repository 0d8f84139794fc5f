//! Solvers of a group from a definition other than the optimal search.

use super::{KIND, allowed};
use crate::settings::{ConfigureError, Settings, SolverChoice};
use crate::solvers::{
    Bidirectional, Macros, NamedStage, PerimeterSearch, SchroeppelShamir, Solver, SubgroupStages,
    read_stages,
};
use groups::GroupError;
use pdb::SubgroupActions;
use permutation::{
    Definition, GroupElement, GroupPuzzle, MoveMetric, Operator, Operators, PuzzleGroup, SlotOrder,
};
use search::{Group, Op, OpSet, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The solver that the settings ask for.
pub(super) struct NamedSolver<'a> {
    name: &'a str,
    /// The stages of the solver `stages`.
    stages: Vec<NamedStage>,
}

impl<'a> NamedSolver<'a> {
    /// The solver of the settings, for the operators that a search makes.
    ///
    /// # Errors
    /// If a stage has no moves, or one that is none of the operators.
    pub(super) fn new(
        definition: &Definition,
        metric: MoveMetric,
        operators: &Operators,
        settings: &'a Settings,
    ) -> Result<Self, String> {
        let name = settings.solver.name();
        let stages = match (name, &settings.stages) {
            ("stages", Some(text)) => read_stages(text)?,
            ("stages", None) => {
                return Err("the solver stages needs a stages file: expected --stages FILE".into());
            }
            _ => Vec::new(),
        };
        let stage = |(name, moves): (String, String)| {
            let wrong = |error: &dyn std::fmt::Display| format!("stages: {name}: {error}");
            let named = allowed::operators(definition, metric, &moves);
            let named = named.map_err(|error| wrong(&error))?.list;
            let place = |op: &Operator| {
                let at = operators.list.iter().position(|other| other.turn == op.turn);
                at.map(Op::new).ok_or_else(|| wrong(&format!("the search has no move {}", op.name)))
            };
            let operators = named.iter().map(place).collect::<Result<_, _>>()?;
            Ok(NamedStage { name, operators })
        };
        Ok(Self { name, stages: stages.into_iter().map(stage).collect::<Result<_, String>>()? })
    }

    /// The solver for a domain. `None` if it is `optimal`, or unknown.
    pub(super) fn solver<const N: usize, O: OpSet>(
        &self,
        domain: &GroupPuzzle<N, O>,
    ) -> Option<Box<dyn Solver<GroupPuzzle<N, O>>>> {
        Some(match self.name {
            "bidirectional" => Box::new(Bidirectional::of_group(domain, "none", Zero)),
            "perimeter" => Box::new(PerimeterSearch::new(domain.identity(), "none", Zero)),
            "schroeppel-shamir" => Box::new(SchroeppelShamir),
            "macros" => {
                let name = |_: &SlotOrder, feature| format!("slot {}", feature + 1);
                Box::new(Macros::new(domain.identity(), SlotOrder::new(domain), name))
            }
            "stages" => {
                let group = Arc::clone(domain.group());
                let actions = actions(&group).ok()?;
                let view = move |state: &GroupElement<N>| {
                    group
                        .permutation(&state.contents(group.slots()))
                        .unwrap_or_else(|error| unreachable!("an element of the group: {error}"))
                };
                Box::new(SubgroupStages::new(actions, self.stages.clone(), view))
            }
            _ => return None,
        })
    }
}

/// How the operators act on the points of a group. A component is the points of the slots that a
/// piece can reach.
fn actions(group: &PuzzleGroup) -> Result<SubgroupActions, GroupError> {
    let mut components: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
    for slot in 0..group.slots() {
        let points = group.point(slot)..group.point(slot) + u16::from(group.twists(slot));
        components.entry(group.component(slot)).or_default().extend(points);
    }
    Ok(SubgroupActions {
        points: group.points(),
        operators: group.generators_with_costs()?,
        components: components.into_values().collect(),
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
