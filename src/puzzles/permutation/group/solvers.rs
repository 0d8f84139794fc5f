//! Solvers of a group from a definition other than the optimal search.

use super::tables::piece_distances;
use crate::puzzles::permutation::allowed;
use crate::puzzles::permutation::model::PuzzleModel;
use crate::puzzles::permutation::tables::TableNames;
use crate::run::Run;
use crate::settings::{ConfigureError, Settings, SolverChoice};
use crate::solvers::{
    Bidirectional, Decomposition, Macros, NamedStage, PerimeterSearch, SchroeppelShamir, Solver,
    StageLine, SubgroupStages, stage_lines,
};
use crate::tables::TableSource;
use groups::GroupError;
use pdb::{GroupPattern, SubgroupActions};
use permutation::{GroupElement, GroupPuzzle, Operator, PuzzleGroup, SlotOrder};
use search::{Group, Op, OpSet, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of the solvers beside `optimal`.
pub(crate) const NAMES: [&str; 6] =
    ["bidirectional", "perimeter", "schroeppel-shamir", "macros", "stages", "decomposition"];

/// The solver that the settings ask for.
pub(crate) struct NamedSolver<'a> {
    name: &'a str,
    /// The stages of the solver `stages`.
    stages: Vec<NamedStage>,
    /// For each slot: the name of its orbit, and its number there, counted from 1.
    slots: Vec<(String, usize)>,
    /// The greatest number of operators of a learned string, if the settings set no depth.
    depth: usize,
    /// The names of table files, and where they are.
    tables: (TableNames, TableSource),
}

impl<'a> NamedSolver<'a> {
    /// The solver of the settings, for the operators that a search makes.
    ///
    /// # Errors
    /// If a stage has no moves, or one that is none of the operators.
    pub(crate) fn new(model: &PuzzleModel, settings: &'a Settings) -> Result<Self, String> {
        let (definition, operators) = (model.definition(), model.operators());
        let name = settings.solver.name();
        let stages = match name {
            "stages" => stage_lines(settings)?,
            _ => Vec::new(),
        };
        let stage = |(name, moves): StageLine| {
            let wrong = |error: &dyn std::fmt::Display| format!("stages: {name}: {error}");
            let named = allowed::operators(definition, model.metric, &moves);
            let named = named.map_err(|error| wrong(&error))?.list;
            let place = |op: &Operator| {
                let at = operators.list.iter().position(|other| other.turn == op.turn);
                at.map(Op::new).ok_or_else(|| wrong(&format!("the search has no move {}", op.name)))
            };
            let operators = named.iter().map(place).collect::<Result<_, _>>()?;
            Ok(NamedStage { name, operators })
        };
        let slots = definition.orbits().ranges().flat_map(|(orbit, range)| {
            (1..=range.len()).map(|number| (orbit.name().to_owned(), number))
        });
        Ok(Self {
            name,
            stages: stages.into_iter().map(stage).collect::<Result<_, String>>()?,
            slots: slots.collect(),
            depth: model.depth(),
            tables: (model.patterns.names().clone(), TableSource::new(settings)),
        })
    }

    /// The solver for a domain. `None` if it is `optimal`, or unknown.
    pub(crate) fn solver<const N: usize, O: OpSet>(
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
            "decomposition" => {
                let (group, slots) = (Arc::clone(domain.group()), self.slots.clone());
                let name = move |points: &[u16]| {
                    pieces(points.iter().map(|&point| &slots[group.slot_of(point).0]))
                };
                let (names, source) = self.tables.clone();
                let load = Box::new(move |pattern: &GroupPattern, run: &Run<'_>| {
                    piece_distances((&names, &source), pattern, run)
                });
                Box::new(Decomposition::new(self.depth, name, load))
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

/// The names of pieces by their home slots: for each orbit its name and the numbers of its slots,
/// such as `EDGES(1 5)+CORNERS(2)`.
fn pieces<'a>(slots: impl Iterator<Item = &'a (String, usize)>) -> String {
    let mut orbits: Vec<(&str, Vec<String>)> = Vec::new();
    for (orbit, number) in slots {
        match orbits.iter_mut().find(|(name, _)| name == orbit) {
            Some((_, numbers)) => numbers.push(number.to_string()),
            None => orbits.push((orbit, vec![number.to_string()])),
        }
    }
    let named = orbits.iter().map(|(orbit, numbers)| format!("{orbit}({})", numbers.join(" ")));
    named.collect::<Vec<_>>().join("+")
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
pub(crate) fn check(
    name: &str,
    is_group: bool,
    solver: &SolverChoice,
) -> Result<(), ConfigureError> {
    if *solver == SolverChoice::Optimal {
        return Ok(());
    }
    if !NAMES.contains(&solver.name()) {
        return Err(solver.unknown(name, &NAMES));
    }
    if !is_group {
        return Err(ConfigureError::invalid(format!(
            "{name}: the solver {solver} is for puzzles whose states form a group, without rules \
             about moves: expected the solver optimal"
        )));
    }
    Ok(())
}
