//! Puzzles from definition files.

mod antipodes;
mod counts;
mod engine;
mod file_puzzle;
mod group;
mod held;
mod ladder;
mod marks;
mod plain;
mod ruled;
mod rungs;
mod scrambles;
mod searches;
mod specs;
mod stickers;

use super::PuzzleKind;
use crate::puzzle::Puzzle;
use crate::settings::{ConfigureError, GoalChoice, HeuristicChoice, MetricChoice, Settings};
use file_puzzle::FilePuzzle;
use permutation::{Definition, MoveMetric, ReadLimits, TextFormat};
use std::fs::File;
use std::path::Path;

/// Definitions in the list of puzzles.
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["PATH.tws", "PATH.def", "PATH.json"],
    heuristics: &["best", "none"],
    states: "moves of the definition, or what `scramble` prints",
    configure,
    named: marks::named,
};

/// The puzzle of a path that ends like a definition; `None` for other names.
fn configure(name: &str, settings: &Settings) -> Option<Result<Box<dyn Puzzle>, ConfigureError>> {
    let form = match Path::new(name).extension()?.to_str()? {
        "tws" | "def" => TextFormat::Tws,
        "json" => TextFormat::KPuzzle,
        _ => return None,
    };
    Some(read(name, form, settings))
}

fn read(
    name: &str,
    form: TextFormat,
    settings: &Settings,
) -> Result<Box<dyn Puzzle>, ConfigureError> {
    let wrong = |error: &dyn std::fmt::Display| ConfigureError::invalid(format!("{name}: {error}"));
    let metric = match settings.turn_metric() {
        MetricChoice::HalfTurn => MoveMetric::Turn,
        MetricChoice::QuarterTurn => MoveMetric::Quarter,
    };
    if settings.goal != GoalChoice::Solved {
        return Err(wrong(&"a definition names its goals itself: expected no other goal"));
    }
    if matches!(settings.heuristic, HeuristicChoice::Named(_)) {
        return Err(KIND.unknown_heuristic(name, settings));
    }
    let file = File::open(name).map_err(|error| wrong(&error))?;
    let definition =
        Definition::read(file, form, &ReadLimits::default()).map_err(|error| wrong(&error))?;
    let operators = definition.operators(metric).map_err(|error| wrong(&error))?;
    Ok(Box::new(FilePuzzle::new(name, definition, operators, metric, settings)?))
}
