//! The built-in puzzles, one folder each, and [`PUZZLES`], the one list of them.

mod configured;
mod cube2;
mod cube3;
mod cubes;
mod permutation;
mod tiles;

use crate::puzzle::Puzzle;
use crate::settings::{ConfigureError, Settings};
use pdb::file::TableInfo;

/// A built-in puzzle, or a family of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PuzzleKind {
    /// Names, as [`configure`] takes them. Words in capitals stand for what the user chooses.
    pub names: &'static [&'static str],
    /// Names of its heuristics. Words in capitals stand for what the user chooses.
    pub heuristics: &'static [&'static str],
    /// How its states are written, for people.
    pub states: &'static str,
    /// The puzzle with a name, if it is one of this kind.
    configure: fn(&str, &Settings) -> Option<Configure>,
    /// Whether a table file may have a name; `None` if it is no table of this kind.
    named: fn(&str, &TableInfo) -> Option<bool>,
}

/// A configured puzzle, or why there is none.
type Configure = Result<Box<dyn Puzzle>, ConfigureError>;

/// All built-in puzzles. Help, error texts and [`configure`] read this list.
pub const PUZZLES: &[PuzzleKind] = &[cube3::KIND, cube2::KIND, tiles::KIND, permutation::KIND];

impl PuzzleKind {
    /// Why its settings name no heuristic of it.
    fn unknown_heuristic(&self, puzzle: &str, settings: &Settings) -> ConfigureError {
        settings.heuristic.unknown(puzzle, &or(self.heuristics))
    }
}

/// `a, b or c`.
pub(crate) fn or(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// Whether a table file has the name of the table in it, as far as the name is known.
///
/// The fingerprint in a file does not cover the name, so two files may have swapped theirs.
pub fn is_named_right(name: &str, table: &TableInfo) -> bool {
    let (name, layer) = match name.rsplit_once("-layer-") {
        Some((name, layer)) => (name, Some(layer)),
        None => (name, None),
    };
    let told = table.description["layer"].as_u64().map(|layer| layer.to_string());
    // Layers of a build are described as its work is, not as its table.
    layer == told.as_deref()
        && PUZZLES.iter().find_map(|kind| (kind.named)(name, table)).unwrap_or(true)
}

/// Configures a puzzle. Tables are built or loaded when they are first needed.
///
/// # Errors
/// An unknown puzzle, heuristic or metric, a setting that the puzzle does not have, or too little
/// memory for the heuristic. The message says what was expected.
pub fn configure(puzzle: &str, settings: &Settings) -> Result<Box<dyn Puzzle>, ConfigureError> {
    let configured = PUZZLES.iter().find_map(|kind| (kind.configure)(puzzle, settings));
    configured.unwrap_or_else(|| {
        let names: Vec<&str> = PUZZLES.iter().flat_map(|kind| kind.names).copied().collect();
        let expected = names.join(", ");
        Err(ConfigureError::invalid(format!("unknown puzzle {puzzle:?}: expected {expected}")))
    })
}
