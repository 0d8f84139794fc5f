//! Puzzles from definition files as configured puzzles: which size of state, and text in and out.

mod antipodes;
mod engine;
mod group;
mod held;
mod ladder;
mod marks;
mod plain;
mod ruled;
mod scrambles;
mod sketched;

use crate::configure::{ConfigureError, Settings};
use crate::puzzle::Puzzle;
use engine::Engine;
use permutation::{Definition, MoveMetric, PuzzleSize, ReadLimits, TextFormat};
use std::fs::File;
use std::path::Path;

/// The puzzle of a path that ends like a definition; `None` for other names.
pub(crate) fn configure(
    name: &str,
    settings: &Settings,
) -> Option<Result<Box<dyn Puzzle>, ConfigureError>> {
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
    let wrong = |error: &dyn std::fmt::Display| ConfigureError(format!("{name}: {error}"));
    let metric = match settings.metric.as_deref() {
        None | Some("htm") => MoveMetric::Turn,
        Some("qtm") => MoveMetric::Quarter,
        Some(other) => {
            return Err(wrong(&format!("unknown metric {other:?}: expected htm or qtm")));
        }
    };
    if settings.goal.is_some() {
        return Err(wrong(&"a definition names its goals itself: expected no --goal"));
    }
    let (heuristic, expected) = (settings.heuristic.as_str(), "best or none");
    if !["best", "none"].contains(&heuristic) {
        return Err(wrong(&format!("unknown heuristic {heuristic:?}: expected {expected}")));
    }
    let file = File::open(name).map_err(|error| wrong(&error))?;
    let definition =
        Definition::read(file, form, &ReadLimits::default()).map_err(|error| wrong(&error))?;
    let operators = definition.operators(metric).map_err(|error| wrong(&error))?;
    // The smallest states that hold it, and room for the operators of both ends.
    Ok(match PuzzleSize::of(&definition, &operators) {
        PuzzleSize { slots: 0..=32, operators: 0..=32 } => {
            Box::new(Engine::<32, u32>::new(name, definition, operators, metric, settings)?)
        }
        PuzzleSize { slots: 0..=64, operators: 0..=64 } => {
            Box::new(Engine::<64, u64>::new(name, definition, operators, metric, settings)?)
        }
        _ => {
            Box::new(Engine::<256, [u64; 16]>::new(name, definition, operators, metric, settings)?)
        }
    })
}
