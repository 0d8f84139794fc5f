//! From a puzzle's name and a memory budget to a configured [`Puzzle`]: what `best` means is decided here, not in the tool.

use crate::puzzle::Puzzle;
use crate::puzzles::cube2::TwoByTwo;
use crate::puzzles::cube3::Cube;
use crate::puzzles::permutation;
use crate::puzzles::tiles;
use cube::CubeMetric;
use std::path::PathBuf;
use std::str::FromStr;

/// How a puzzle is to be solved.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `htm` or `qtm`, for the puzzles that have metrics. [default: the puzzle's own, `htm` for cubes]
    pub metric: Option<String>,
    /// Goal state, for the puzzles that take one. [default: the puzzle's own]
    pub goal: Option<String>,
    /// Name of the heuristic. [default: `best`]
    pub heuristic: String,
    /// Pruning of duplicate strings. [default: `fsm`]
    pub pruning: Pruning,
    /// Largest total of table bytes in memory; a table of one bit an entry takes twice its bytes while it is built. [default: 1 GiB]
    pub memory: u64,
    /// Folder of the table files; without one, tables live in memory only. [default: none]
    pub tables: Option<PathBuf>,
    /// How table files come into memory. [default: mapped]
    pub loading: Loading,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            metric: None,
            goal: None,
            heuristic: "best".to_owned(),
            pruning: Pruning::Fsm(None),
            memory: 1 << 30,
            tables: None,
            loading: Loading::Mmap,
        }
    }
}

/// Which duplicate operator strings are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None.
    None,
    /// An operator right after the one that it undoes.
    Inverse,
    /// Those that an automaton learned from all strings of at most so many operators forbids; `None` is the puzzle's own depth.
    Fsm(Option<u8>),
}

impl FromStr for Pruning {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "{text:?} is no pruning: expected none, inverse, fsm or fsm:D with a depth D from 1 to 32"
            )
        };
        match text.split_once(':') {
            None if text == "none" => Ok(Self::None),
            None if text == "inverse" => Ok(Self::Inverse),
            None if text == "fsm" => Ok(Self::Fsm(None)),
            Some(("fsm", depth)) => match depth.parse() {
                Ok(depth @ 1..=32) => Ok(Self::Fsm(Some(depth))),
                _ => Err(expected()),
            },
            _ => Err(expected()),
        }
    }
}

/// How table files come into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// Mapped: at once, and shared between processes.
    Mmap,
    /// Read into huge pages: slower to start, faster to search.
    Ram,
}

impl FromStr for Loading {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mmap" => Ok(Self::Mmap),
            "ram" => Ok(Self::Ram),
            _ => Err(format!("{text:?} is no way of loading: expected mmap or ram")),
        }
    }
}

/// Settings that do not go together, or name what does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigureError(pub(crate) String);

/// The metric of a cube, and its refusal of a goal.
pub(crate) fn cube_metric(puzzle: &str, settings: &Settings) -> Result<CubeMetric, ConfigureError> {
    if settings.goal.is_some() {
        return Err(ConfigureError(format!("{puzzle} takes no --goal: solved is the goal")));
    }
    match settings.metric.as_deref() {
        None | Some("htm") => Ok(CubeMetric::HalfTurn),
        Some("qtm") => Ok(CubeMetric::QuarterTurn),
        Some(other) => {
            Err(ConfigureError(format!("unknown metric {other:?}: expected htm or qtm")))
        }
    }
}

/// Refuses a heuristic that needs more bytes of tables than the settings allow.
pub(crate) fn check_memory(settings: &Settings, needed: u64) -> Result<(), ConfigureError> {
    if settings.memory >= needed {
        return Ok(());
    }
    let size = |bytes| format!("{} ({bytes} bytes)", bytesize::ByteSize(bytes).display().iec());
    let [needed, allowed] = [needed, settings.memory].map(size);
    Err(ConfigureError(format!(
        "{} needs {needed} of tables, and --memory allows {allowed}",
        settings.heuristic
    )))
}

/// Names of the puzzles, as [`configure`] takes them.
pub const PUZZLES: [&str; 10] = [
    "3x3x3",
    "2x2x2",
    "8-puzzle",
    "15-puzzle",
    "19-puzzle",
    "24-puzzle",
    "ROWSxCOLS-tiles",
    "PATH.tws",
    "PATH.def",
    "PATH.json",
];

/// Configures a puzzle. Builds and loads nothing yet: tables come when they are first needed.
///
/// # Errors
/// An unknown puzzle, heuristic or metric, an option that the puzzle does not have, or a memory budget too small for
/// the heuristic: the message says what was expected.
pub fn configure(puzzle: &str, settings: &Settings) -> Result<Box<dyn Puzzle>, ConfigureError> {
    if puzzle == "3x3x3" {
        return Ok(Box::new(Cube::new(settings)?));
    }
    if let Some(configured) = permutation::configure(puzzle, settings) {
        return configured;
    }
    if puzzle == "2x2x2" {
        return Ok(Box::new(TwoByTwo::new(settings)?));
    }
    tiles::configure(puzzle, settings).unwrap_or_else(|| {
        let expected = PUZZLES.join(", ");
        Err(ConfigureError(format!("unknown puzzle {puzzle:?}: expected {expected}")))
    })
}
