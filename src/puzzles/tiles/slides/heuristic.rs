//! [`SlideHeuristic`]: the heuristic that a name means for slides on a board.

use crate::puzzle::TooLittleMemory;
use crate::puzzles::tiles::partitions::{parse, way};
use crate::puzzles::tiles::tables::slide_spec;
use crate::settings::{ConfigureError, Settings};
use tiles::{Grid, TilePattern};

/// The heuristics of slides by name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlideHeuristic {
    /// `manhattan`: Manhattan distance, divided by the tiles that a slide moves.
    Lines,
    /// The greatest value of the tables of these patterns.
    Tables(Vec<TilePattern>),
}

/// Most bytes of all tables that `best` builds, however large the memory is.
const MOST_BYTES: u64 = 600_000_000;

/// Most patterns of `tables:..`.
const MOST_PATTERNS: usize = 16;

impl SlideHeuristic {
    /// The patterns of its tables.
    pub(super) fn patterns(&self) -> &[TilePattern] {
        match self {
            Self::Lines => &[],
            Self::Tables(patterns) => patterns,
        }
    }

    pub(super) fn new(grid: Grid, settings: &Settings) -> Result<Self, ConfigureError> {
        let heuristic = settings.heuristic.name();
        match heuristic.split_once(':') {
            None if heuristic == "manhattan" => Ok(Self::Lines),
            None if heuristic == "best" => Ok(best(grid, settings)),
            Some(("tables", text)) => named(grid, text, settings),
            _ => Err(settings.heuristic.unknown(
                "slides (metric mtm)",
                "best, manhattan or tables:PATTERNS, such as tables:1.2.3+4.5.6",
            )),
        }
    }
}

/// Bytes of the tables of some patterns.
fn bytes_of(patterns: &[TilePattern]) -> u64 {
    patterns.iter().map(|pattern| slide_spec(pattern).payload_bytes).fold(0, u64::saturating_add)
}

/// The heuristic `tables:1.2.3+4.5.6`: the greatest value of the patterns that the name lists.
fn named(grid: Grid, text: &str, settings: &Settings) -> Result<SlideHeuristic, ConfigureError> {
    let wrong = |error: String| ConfigureError::invalid(format!("tables: {error}"));
    let pattern = |homes: Vec<Vec<u8>>| match &homes[..] {
        [homes] => pattern_of(grid, homes.clone()),
        _ => Err("one slide moves tiles of several patterns, so that their values are not added: \
                  expected + between patterns"
            .to_owned()),
    };
    let patterns = parse(text).and_then(|sums| sums.into_iter().map(pattern).collect());
    let patterns: Vec<TilePattern> = patterns.map_err(wrong)?;
    if patterns.len() > MOST_PATTERNS {
        let count = patterns.len();
        return Err(wrong(format!("{count} patterns: expected at most {MOST_PATTERNS}")));
    }
    let (needed, memory) = (bytes_of(&patterns), settings.chosen_memory());
    if needed > memory && settings.disk.is_none() {
        return Err(TooLittleMemory::new(&settings.heuristic, needed, settings.memory).into());
    }
    Ok(SlideHeuristic::Tables(patterns))
}

fn pattern_of(grid: Grid, mut goals: Vec<u8>) -> Result<TilePattern, String> {
    goals.sort_unstable();
    let blank = u8::try_from(grid.blank_home).map_err(|error| error.to_string())?;
    let pattern = TilePattern { rows: grid.rows, columns: grid.columns, goals, blank };
    pattern.check().map_err(|error| error.to_string())?;
    Ok(pattern)
}

/// The tables with most tiles that fit the memory. `manhattan` if the board has too many squares
/// for tables.
fn best(grid: Grid, settings: &Settings) -> SlideHeuristic {
    let most = settings.chosen_memory().min(MOST_BYTES);
    let fitting = (1..=8).rev().find_map(|tiles| {
        let patterns = cover(grid, tiles)?;
        (bytes_of(&patterns) <= most).then_some(patterns)
    });
    fitting.map_or(SlideHeuristic::Lines, SlideHeuristic::Tables)
}

/// As few patterns of `tiles` tiles as have all tiles, some of them twice. `None` if a table is
/// impossible for them.
///
/// Each pattern is a piece of the path [`way`].
fn cover(grid: Grid, tiles: usize) -> Option<Vec<TilePattern>> {
    let homes = way(grid, grid.rows > grid.columns);
    let rest = homes.len().checked_sub(tiles)?;
    let count = homes.len().div_ceil(tiles);
    let begin = |piece: usize| piece * rest / (count - 1).max(1);
    let piece = |piece| pattern_of(grid, homes[begin(piece)..begin(piece) + tiles].to_vec()).ok();
    (0..count).map(piece).collect()
}
