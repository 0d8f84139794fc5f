//! Tables: distances in an abstraction, computed or read, and what a lookup reads.

use crate::puzzle::Puzzle;
use crate::space::{INFINITE, Space, check, compute};
use crate::text::{Checked, Line, not_done, numbers, require, some, word};
use crate::tiles::{Blank, Tiles};
use crate::words::Words;
use std::collections::{HashMap, HashSet};
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
    /// Is told before each step that may take long.
    pub progress: Option<fn(&str)>,
}

pub(crate) struct Table {
    pub(crate) space: Box<dyn Space>,
    /// What lookups read. Empty until it is filled.
    entries: Vec<u8>,
}

impl Table {
    pub(crate) fn read(words: &Line, puzzle: &Puzzle) -> Checked<Self> {
        let kind = word(words, 0)?;
        let space: Option<Box<dyn Space>> = if puzzle.is_board() {
            let blanks =
                [("exact", Blank::Exact), ("least", Blank::Least), ("large", Blank::Large)];
            let found = blanks.iter().find(|blank| words[1..].first() == Some(&blank.0));
            let found = found.filter(|_| kind == "tiles");
            let (_, blank) = some(found, "expected `tiles`, and `exact`, `least` or `large`")?;
            let tiles = numbers(words, 2, words.len() - 2)?;
            let differ = tiles.iter().collect::<HashSet<_>>().len() == tiles.len().max(1);
            let known = tiles.iter().all(|tile| (1..puzzle.points).contains(tile));
            require(differ && known, "expected a tile or more, each once")?;
            Tiles::new(puzzle, &tiles, *blank).map(|tiles| Box::new(tiles) as _)
        } else {
            require(kind == "labels", "expected `labels`")?;
            let (labels, mut of_goal) = (numbers(words, 1, puzzle.points)?, HashMap::new());
            for (&label, goal) in labels.iter().zip(&puzzle.goal) {
                let same = *of_goal.entry(goal).or_insert(label) == label;
                require(same, format_args!("expected one label where the goal has {goal}"))?;
            }
            Words::new(puzzle, &labels).map(|words| Box::new(words) as _)
        };
        let space = space.ok_or_else(|| not_done("the table has more than 2^32 states"))?;
        Ok(Self { space, entries: Vec::new() })
    }

    /// Computes the entries, or reads and checks them. Says whether they were read.
    pub(crate) fn fill(&mut self, name: &str, puzzle: &Puzzle, checks: &Checks) -> Checked<bool> {
        let space = &mut *self.space;
        let (goal, file) = (space.rank(&puzzle.solved()).unwrap_or(0), format!("{name}.entries"));
        let path = checks.tables.as_ref().map(|folder| folder.join(&file));
        let path = path.filter(|path| path.exists());
        if let Some(path) = &path {
            self.entries = fs::read(path).map_err(not_done)?;
            let (size, found) = (space.size(), self.entries.len());
            require(found == size, format_args!("expected {size} bytes, not {found}"))?;
            check(space, &puzzle.moves, goal, &mut self.entries, true)?;
        } else {
            self.entries = compute(space, &puzzle.moves, goal)?;
            let path = checks.write_tables.as_ref().map(|folder| folder.join(&file));
            path.map_or(Ok(()), |path| fs::write(path, &self.entries)).map_err(not_done)?;
        }
        space.prepare(&[]);
        space.keep(&mut self.entries);
        Ok(path.is_some())
    }

    /// The entry of a state.
    pub(crate) fn look_up(&self, state: &[usize]) -> u8 {
        self.space.entry(state).map_or(INFINITE, |entry| self.entries[entry])
    }
}
