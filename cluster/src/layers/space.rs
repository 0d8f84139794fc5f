//! All states of a puzzle by name, as an abstraction: [`Space`].

use fewest::cube::CubeMetric;
use fewest::cube::cube2::PocketAbstraction;
use fewest::pdb::{Abstraction, GroupPattern};
use fewest::permutation::{
    Definition, FineDefinition, MoveMetric, PuzzleGroup, ReadLimits, TextFormat, shipped,
};
use fewest::{ConfigureError, InvalidInput, MetricChoice};
use std::fmt::Display;
use std::fs::File;
use std::path::Path;

/// All states of a puzzle, each with a number. For [`count_layers`](crate::count_layers).
pub struct Space {
    /// What it is, for [`LayerOptions::name`](crate::LayerOptions::name).
    pub name: String,
    /// The graph of the states.
    pub abstraction: Box<dyn Abstraction + Send>,
}

impl std::fmt::Debug for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Space").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Space {
    /// The states of the 2x2x2, or of a definition: one of the program by its name, or a file whose
    /// name ends in `.tws`, `.def` or `.json`.
    ///
    /// # Errors
    /// If there is no such puzzle. If the states of a definition form no group, or it has rules
    /// about moves or orientations that do not matter.
    pub fn of(puzzle: &str, metric: MetricChoice) -> Result<Self, ConfigureError> {
        if ["2x2x2", "2x2", "222"].contains(&puzzle) {
            let turns = match metric {
                MetricChoice::QuarterTurn => CubeMetric::QuarterTurn,
                _ => CubeMetric::HalfTurn,
            };
            let abstraction = Box::new(PocketAbstraction::new(turns));
            return Ok(Self { name: format!("2x2x2 {metric}"), abstraction });
        }
        let wrong =
            |error: &dyn Display| InvalidInput::new(format_args!("{puzzle}: {error}")).into();
        let definition = definition(puzzle)?;
        if FineDefinition::new(&definition).is_some() {
            return Err(wrong(&"orientations that do not matter are not counted by a job"));
        }
        let turns = match metric {
            MetricChoice::QuarterTurn => MoveMetric::Quarter,
            _ => MoveMetric::Turn,
        };
        let operators = definition.operators(turns).map_err(|error| wrong(&error))?;
        let rules = definition.operator_rules(&operators).map_err(|error| wrong(&error))?;
        if !rules.is_empty() {
            return Err(wrong(&"rules about moves are not counted by a job"));
        }
        let group = PuzzleGroup::new(&definition, operators).map_err(|error| wrong(&error))?;
        let generators = group.generators_with_costs().map_err(|error| wrong(&error))?;
        let pattern = GroupPattern::of_group(group.points(), &generators, &[]);
        let pattern = pattern.map_err(|error| wrong(&error))?;
        let mark: String = pattern.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{} {metric} {mark}", definition.name());
        Ok(Self { name, abstraction: Box::new(pattern) })
    }
}

fn definition(puzzle: &str) -> Result<Definition, ConfigureError> {
    let wrong = |error: &dyn Display| InvalidInput::new(format_args!("{puzzle}: {error}")).into();
    let limits = ReadLimits::default();
    let read = match (shipped::text(puzzle), Path::new(puzzle).extension()) {
        (Some(text), _) => Definition::from_tws(text, &limits),
        (None, Some(end)) => {
            let form = match end.to_str() {
                Some("tws" | "def") => TextFormat::Tws,
                Some("json") => TextFormat::KPuzzle,
                _ => return Err(wrong(&"expected a file that ends in .tws, .def or .json")),
            };
            let file = File::open(puzzle).map_err(|error| wrong(&error))?;
            Definition::read(file, form, &limits)
        }
        (None, None) => return Err(wrong(&"expected 2x2x2, or a definition by name or path")),
    };
    read.map_err(|error| wrong(&error))
}
