//! Tables: distances in an abstraction, computed or read, and what a lookup reads.

use crate::puzzle::Puzzle;
use crate::space::{INFINITE, Space, check, compute};
use crate::text::{Checked, Line, not_done, numbers, require, some, word};
use crate::tiles::{Blank, Tiles};
use crate::words::Words;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// How much is checked, and where the entries of a table are: in a file `NAME.entries`.
#[derive(Debug, Default, Clone)]
pub struct Checks {
    /// How many units are searched again. `None`: all.
    pub units: Option<usize>,
    /// Draws other units.
    pub seed: u64,
    /// Files in this folder are read and checked, in place of computing a table.
    pub tables: Option<PathBuf>,
    /// The entries of tables that were computed are written to this folder.
    pub write_tables: Option<PathBuf>,
}

pub(crate) struct Table {
    pub(crate) kind: Kind,
    /// What lookups read. Empty until it is filled.
    entries: Vec<u8>,
}

pub(crate) enum Kind {
    Labels(Words),
    Tiles(Tiles),
}

impl Table {
    pub(crate) fn read(words: &Line, puzzle: &Puzzle) -> Checked<Self> {
        let kind = if puzzle.is_board() {
            require(word(words, 0)? == "tiles", "expected `tiles`")?;
            let blank = match word(words, 1)? {
                "exact" => Some(Blank::Exact),
                "least" => Some(Blank::Least),
                "large" => Some(Blank::Large),
                _ => None,
            };
            let blank = some(blank, "expected `exact`, `least` or `large`")?;
            let tiles = numbers(words, 2, words.len() - 2)?;
            let new = |at: usize| !tiles[..at].contains(&tiles[at]);
            let known = tiles.iter().all(|tile| (1..puzzle.points).contains(tile));
            let fits = known && !tiles.is_empty() && (0..tiles.len()).all(new);
            require(fits, "expected a tile or more, each once")?;
            Tiles::new(puzzle, &tiles, blank).map(Kind::Tiles)
        } else {
            require(word(words, 0)? == "labels", "expected `labels`")?;
            let (labels, mut of_goal) = (numbers(words, 1, puzzle.points)?, HashMap::new());
            for (&label, goal) in labels.iter().zip(&puzzle.goal) {
                let same = *of_goal.entry(goal).or_insert(label) == label;
                require(same, format_args!("expected one label where the goal has {goal}"))?;
            }
            Words::new(puzzle, &labels).map(Kind::Labels)
        };
        let kind = kind.ok_or_else(|| not_done("the table has more than 2^32 states"))?;
        Ok(Self { kind, entries: Vec::new() })
    }

    /// Computes the entries, or reads and checks them. Says whether they were read.
    pub(crate) fn fill(&mut self, name: &str, puzzle: &Puzzle, checks: &Checks) -> Checked<bool> {
        let space: &mut dyn Space = match &mut self.kind {
            Kind::Labels(words) => words,
            Kind::Tiles(tiles) => tiles,
        };
        let goal = space.rank(&puzzle.solved()).unwrap_or(0);
        let file = format!("{name}.entries");
        let path = checks.tables.as_ref().map(|folder| folder.join(&file));
        let path = path.filter(|path| path.exists());
        if let Some(path) = &path {
            self.entries = fs::read(path).map_err(not_done)?;
            let (size, found) = (space.size(), self.entries.len());
            require(found == size, format_args!("expected {size} bytes, not {found}"))?;
            check(space, &puzzle.moves, goal, &mut self.entries, true)?;
        } else {
            self.entries = compute(space, &puzzle.moves, goal)?;
            if let Some(folder) = &checks.write_tables {
                fs::write(folder.join(&file), &self.entries).map_err(not_done)?;
            }
        }
        space.prepare(&[]);
        if let Kind::Tiles(tiles) = &self.kind {
            tiles.keep(&mut self.entries);
        }
        Ok(path.is_some())
    }

    /// The entry of a state.
    pub(crate) fn look_up(&self, state: &[usize]) -> u8 {
        let entry = match &self.kind {
            Kind::Labels(words) => words.rank(state),
            Kind::Tiles(tiles) => Some(tiles.entry(state)),
        };
        entry.map_or(INFINITE, |entry| self.entries[entry])
    }
}
