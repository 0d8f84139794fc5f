//! The built-in puzzles, in one folder each. [`PUZZLES`] lists them all.

mod approach;
mod between;
mod built_in;
mod configured;
mod costs;
mod cube2;
mod cube3;
mod cubes;
mod derived_cube;
mod distances;
mod encodings;
mod every_game;
mod insert;
mod named_goals;
mod names;
mod parts;
mod permutation;
mod pieces;
mod plain;
mod scrambles;
mod shorten;
mod tiles;

pub use names::{NamedPuzzle, named_puzzles};

use crate::instances::InstanceSet;
use crate::puzzle::{Defined, Puzzle};
use crate::settings::{ConfigureError, Settings};
use crate::words::or;
use pdb::file::TableInfo;

/// A built-in puzzle, or a family of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PuzzleKind {
    /// The names that [`configure`] accepts. Words in capitals stand for what the user chooses.
    pub names: &'static [&'static str],
    /// Names of its heuristics. Words in capitals stand for what the user chooses.
    pub heuristics: &'static [&'static str],
    /// Names of its solvers beside `optimal`.
    pub solvers: &'static [&'static str],
    /// A description of how its states are written, to show to people.
    pub states: &'static str,
    /// Sets of states that come with the program.
    pub(crate) instances: &'static [InstanceSet],
    /// All its names, each with a description of one line.
    titles: fn() -> Vec<(&'static str, &'static str)>,
    /// Reads the definition that a text means. The text is a name, the path of a file, or a whole
    /// definition of several lines. `None` if this kind has no such definition.
    definition: fn(&str) -> Option<Define>,
    /// Configures the puzzle with this name. `None` if the name belongs to another kind.
    configure: fn(&str, &Settings) -> Option<Configure>,
    /// Whether a file has the name that belongs to its table. `None` if it is no table of this
    /// kind.
    named: fn(&str, &TableInfo) -> Option<bool>,
}

/// A configured puzzle, or why the settings are refused.
type Configure = Result<Box<dyn Puzzle>, ConfigureError>;

/// The definition with a name, or why it cannot be read.
type Define = Result<Box<dyn Defined>, ConfigureError>;

/// All built-in puzzles. Help, error texts and [`configure`] read this list.
pub const PUZZLES: &[PuzzleKind] = &[cube3::KIND, cube2::KIND, tiles::KIND, permutation::KIND];

impl PuzzleKind {
    /// The error if the settings name a heuristic that this kind of puzzle does not have.
    fn unknown_heuristic(&self, puzzle: &str, settings: &Settings) -> ConfigureError {
        settings.heuristic.unknown(puzzle, &or(self.heuristics))
    }
}

/// All sets of instances that come with the program.
pub fn instance_sets() -> impl Iterator<Item = &'static InstanceSet> {
    PUZZLES.iter().flat_map(|kind| kind.instances)
}

impl InstanceSet {
    /// The set of this name. `None` if there is none.
    pub fn named(name: &str) -> Option<&'static Self> {
        instance_sets().find(|set| set.name.eq_ignore_ascii_case(name))
    }
}

/// Whether a table file has the name that belongs to its contents. True if that name is unknown.
///
/// The fingerprint in a file does not cover the name, so two files may have been swapped.
pub fn is_named_right(name: &str, table: &TableInfo) -> bool {
    let (name, layer) = match name.rsplit_once("-layer-") {
        Some((name, layer)) => (name, Some(layer)),
        None => (name, None),
    };
    let told = table.description["layer"].as_u64().map(|layer| layer.to_string());
    // The file of a saved layer has its number in its name and in its description.
    layer == told.as_deref()
        && PUZZLES.iter().find_map(|kind| (kind.named)(name, table)).unwrap_or(true)
}

/// The definition of a puzzle: one that comes with the program, a file, or the text itself. `None`
/// if the puzzle has none, or is unknown.
///
/// # Errors
/// If the file cannot be read, or is no definition.
pub fn definition(puzzle: &str) -> Option<Result<Box<dyn Defined>, ConfigureError>> {
    let name = names::resolve(puzzle);
    PUZZLES.iter().find_map(|kind| (kind.definition)(name))
}

/// Configures a puzzle. Tables are built or loaded when they are first needed.
///
/// [`PUZZLES`] and [`named_puzzles`] list the names. Other names, such as `333`, are taken too. A
/// text of several lines, or of JSON, is a definition.
///
/// # Errors
/// If the puzzle, heuristic or metric is unknown, or the puzzle does not have a setting. If the
/// memory is too small for the heuristic. The message says what was expected.
pub fn configure(puzzle: &str, settings: &Settings) -> Result<Box<dyn Puzzle>, ConfigureError> {
    let name = names::resolve(puzzle);
    let settings = settings.staged();
    let configured = PUZZLES.iter().find_map(|kind| (kind.configure)(name, &settings));
    configured.unwrap_or_else(|| {
        let meant = names::did_you_mean(&names::near_puzzles(puzzle));
        let expected: Vec<&str> = PUZZLES.iter().flat_map(|kind| kind.names).copied().collect();
        Err(ConfigureError::invalid(format!(
            "unknown puzzle {puzzle:?}: {meant}expected {}, or the name of a definition that comes \
             with the program, such as pyraminx",
            expected.join(", ")
        )))
    })
}
