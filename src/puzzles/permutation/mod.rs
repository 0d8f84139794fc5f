//! Puzzles from definition files.

mod allowed;
mod commuting;
mod defined;
mod engines;
mod file_puzzle;
mod first_plans;
mod goal_classes;
mod goals;
mod group;
mod model;
mod pieces;
mod plans;
mod shape_plans;
mod shorter;
mod strings;
mod tables;
mod texts;

pub(super) use allowed::operators as allowed_operators;
pub(super) use file_puzzle::FilePuzzle;
pub(super) use first_plans::OwnPlans;
pub(super) use goal_classes::SlotOptions;

use super::PuzzleKind;
use crate::puzzle::{Defined, InvalidInput, Puzzle};
use crate::settings::{ConfigureError, GoalChoice, HeuristicChoice, MetricChoice, Settings};
use defined::NamedDefinition;
use permutation::{
    Definition, FineDefinition, MoveMetric, Operators, ReadLimits, TextFormat, shipped,
};
use std::fs::File;
use std::path::Path;
use texts::is_json;

/// The entry of definition files in [`super::PUZZLES`].
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["PATH.tws", "PATH.def", "PATH.json"],
    heuristics: &["best", "none"],
    solvers: &group::SOLVERS,
    states: "moves of the definition, what `scramble` prints, or KPattern JSON",
    instances: &[],
    titles: || {
        let files = KIND.names.iter().map(|name| (*name, "a definition of your own"));
        shipped::titles().chain(files).collect()
    },
    definition: |name| {
        Some(definition(name)?.map(|found| {
            let is_json = is_json(name)
                || Path::new(name).extension().is_some_and(|extension| extension == "json");
            let name = name.lines().next().unwrap_or_default().to_owned();
            let defined: Box<dyn Defined> =
                Box::new(NamedDefinition { name, definition: found, is_json });
            defined
        }))
    },
    configure,
    named: tables::is_named_right,
};

/// Configures the puzzle of a definition that comes with the program, of a file whose name ends in
/// `.tws`, `.def` or `.json`, or of a text. `None` for other names.
fn configure(name: &str, settings: &Settings) -> Option<Result<Box<dyn Puzzle>, ConfigureError>> {
    Some(definition(name)?.and_then(|definition| {
        let name = if is_text(name) { definition.name().to_owned() } else { name.to_owned() };
        searched(&name, definition, settings)
    }))
}

/// Whether a name is a whole definition: JSON, or several lines.
fn is_text(name: &str) -> bool {
    is_json(name) || name.contains('\n')
}

/// Reads a definition from its text, which is JSON or lines of words.
fn of_text(text: &str) -> Result<Definition, ConfigureError> {
    let limits = ReadLimits::default();
    let read = match is_json(text) {
        true => Definition::from_kpuzzle(text, &limits),
        false => Definition::from_tws(text, &limits),
    };
    read.map_err(|error| InvalidInput::from(error).into())
}

/// The definition that comes with the crate, that of a path that ends like a definition, or the
/// text itself. `None` for other names.
fn definition(name: &str) -> Option<Result<Definition, ConfigureError>> {
    if is_text(name) {
        return Some(of_text(name));
    }
    let limits = ReadLimits::default();
    let wrong = |error: InvalidInput| error.within(name).into();
    let read = match shipped::text(name) {
        Some(text) => Definition::from_tws(text, &limits),
        None => {
            let form = TextFormat::of_file_name(name)?;
            match File::open(name) {
                Ok(file) => Definition::read(file, form, &limits),
                Err(error) => return Some(Err(wrong(InvalidInput::new(error)))),
            }
        }
    };
    Some(read.map_err(|error| wrong(error.into())))
}

/// Makes the puzzle of a definition: checks the heuristic, sets the goal, and derives the
/// operators.
fn searched(
    name: &str,
    definition: Definition,
    settings: &Settings,
) -> Result<Box<dyn Puzzle>, ConfigureError> {
    let wrong = |error: &dyn std::fmt::Display| ConfigureError::invalid(format!("{name}: {error}"));
    let metric = match settings.turn_metric() {
        MetricChoice::HalfTurn => MoveMetric::Turn,
        MetricChoice::QuarterTurn => MoveMetric::Quarter,
        other => return Err(wrong(&other.refused())),
    };
    let mut definition = definition;
    let costs = super::costs::read(settings)?;
    for &(named, cost) in &costs {
        let set = definition.set_cost(named, cost);
        set.map_err(|complaint| wrong(&format_args!("the cost of {named}: {complaint}")))?;
    }
    if matches!(settings.heuristic, HeuristicChoice::Named(_)) {
        return Err(KIND.unknown_heuristic(name, settings));
    }
    let (definition, masked) = match &settings.goal {
        GoalChoice::Solved => (definition, None),
        GoalChoice::State(goal) => {
            let (other, mask) = goals::with_goal(name, &definition, goal)?;
            (other, Some((definition, mask)))
        }
    };
    let fine = FineDefinition::new(&definition);
    let definition = fine.as_ref().map_or(definition, |fine| fine.coarse_definition().clone());
    let mut settings = settings.clone();
    if settings.moves.is_none() {
        settings.moves = allowed::left_by_limits(&definition, metric);
    }
    let operators = match &settings.moves {
        Some(moves) => allowed::operators(&definition, metric, moves).map_err(|error| {
            InvalidInput::from(error).within(format_args!("{name}: the allowed moves"))
        })?,
        None => definition.operators(metric).map_err(|error| wrong(&error))?,
    };
    for (named, _) in costs {
        if !costs_some(&definition, &operators, named) {
            return Err(wrong(&format_args!("the cost of {named}: the search makes no such move")));
        }
    }
    let puzzle = FilePuzzle::new(name, definition, operators, metric, &settings)?;
    Ok(Box::new(puzzle.reading(masked, fine)))
}

/// Whether a cost under this name is that of some operator.
fn costs_some(definition: &Definition, operators: &Operators, named: &str) -> bool {
    let moves = definition.moves();
    let mut turns = operators.list.iter().map(|op| op.turn);
    match (moves.find(named), definition.parse_moves(named).as_deref()) {
        (Some(of), _) => turns.any(|turn| turn.of == of),
        (None, Ok(&[one])) => {
            // A turn that does nothing is that of no operator.
            turns.any(|turn| moves.transformation(turn) == moves.transformation(one))
        }
        _ => false,
    }
}
