//! Tables: distances in an abstraction, computed or read, and what a lookup reads.

use crate::puzzle::Puzzle;
use crate::space::{self, INFINITE, Space};
use crate::text::{Line, Objection, require};
use crate::tiles::Tiles;
use crate::words::Words;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// What lookups read. Empty until it is filled.
    entries: Vec<u8>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Labels(Words),
    Tiles(Tiles, Blank),
}

/// What of the blank's square a lookup reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blank {
    Exact,
    Least,
    Large,
}

/// The folders of entries.
pub(crate) struct Folders<'a> {
    pub(crate) read: Option<&'a Path>,
    pub(crate) write: Option<&'a Path>,
}

impl Table {
    pub(crate) fn read(line: &Line, puzzle: &Puzzle) -> Result<Self, Objection> {
        let name = line.word(0)?.to_owned();
        let too_large = || {
            let text = format!("line {}: table {name}: more than 2^32 states", line.number);
            Objection::NotDone(text)
        };
        let kind = match (line.word(1)?, puzzle.is_board()) {
            ("labels", false) => {
                let labels = line.numbers(2, puzzle.points)?;
                let mut of_goal = HashMap::new();
                for (point, (&label, &goal)) in labels.iter().zip(&puzzle.goal).enumerate() {
                    let same = *of_goal.entry(goal).or_insert(label) == label;
                    let text = format_args!("label {point} differs, but the goal's does not");
                    line.require(same, text)?;
                }
                Kind::Labels(Words::new(puzzle, &labels).ok_or_else(too_large)?)
            }
            ("tiles", true) => {
                let blank = match line.word(2)? {
                    "exact" => Blank::Exact,
                    "least" => Blank::Least,
                    "large" => Blank::Large,
                    _ => return Err(line.refused("expected `exact`, `least` or `large`")),
                };
                let tiles = line.numbers(3, line.words.len() - 3)?;
                for (at, &tile) in tiles.iter().enumerate() {
                    let known = tile > 0 && usize::from(tile) < puzzle.points;
                    let text = format_args!("expected a tile in place of {tile}, each once");
                    line.require(known && !tiles[..at].contains(&tile), text)?;
                }
                line.require(!tiles.is_empty(), "expected a tile or more")?;
                // All tiles leave one square: both values are the entry.
                let blank = if tiles.len() + 1 == puzzle.points { Blank::Exact } else { blank };
                Kind::Tiles(Tiles::new(puzzle, tiles).ok_or_else(too_large)?, blank)
            }
            _ => return Err(line.refused("expected `labels`, or `tiles` for a board")),
        };
        Ok(Self { line: line.number, name, kind, entries: Vec::new() })
    }

    /// The number of bytes while the table is computed.
    pub(crate) fn size(&self) -> usize {
        match &self.kind {
            Kind::Labels(words) => words.size(),
            Kind::Tiles(tiles, _) => tiles.size(),
        }
    }

    /// Computes the entries, or reads and checks them. Says whether they were read.
    pub(crate) fn fill(&mut self, puzzle: &Puzzle, folders: &Folders) -> Result<bool, Objection> {
        let (mut entries, read) = match &self.kind {
            Kind::Labels(words) => {
                let goal: Vec<u16> = (0..).take(puzzle.points).collect();
                let goal = words.rank(&goal).unwrap_or(0);
                self.distances(words, puzzle, goal, folders)?
            }
            Kind::Tiles(tiles, _) => {
                let goal = tiles.rank_state(&puzzle.state(puzzle.goal.clone()));
                self.distances(tiles, puzzle, goal, folders)?
            }
        };
        match &self.kind {
            Kind::Tiles(tiles, Blank::Least) => tiles.keep_least(&mut entries),
            Kind::Tiles(tiles, Blank::Large) => tiles.keep_two(&mut entries)?,
            _ => {}
        }
        self.entries = entries;
        Ok(read)
    }

    /// The distances of all states, and whether they were read.
    fn distances(
        &self,
        space: &impl Space,
        puzzle: &Puzzle,
        goal: usize,
        folders: &Folders,
    ) -> Result<(Vec<u8>, bool), Objection> {
        let plain = !self.name.contains(['/', '\\']) && !self.name.starts_with('.');
        let path = |folder: &Path| folder.join(format!("{}.entries", self.name));
        if let Some(path) = folders.read.map(path).filter(|path| plain && path.exists()) {
            let mut entries = read_file(&path)?;
            let place =
                |text: String| format!("table {} from {}: {text}", self.name, path.display());
            require(entries.len() == space.size(), || {
                place(format!("expected {} bytes, not {}", space.size(), entries.len()))
            })?;
            let checked = space::check_bounds(space, &puzzle.moves, &mut entries, goal);
            return match checked {
                Err(Objection::Refused(text)) => Err(Objection::Refused(place(text))),
                other => other.map(|()| (entries, true)),
            };
        }
        let entries = space::compute(space, &puzzle.moves, goal)?;
        if let Some(path) = folders.write.map(path).filter(|_| plain) {
            let failed = |error| Objection::NotDone(format!("{}: {error}", path.display()));
            fs::write(&path, &entries).map_err(failed)?;
        }
        Ok((entries, false))
    }

    /// The entry of a state of a puzzle of permutations, as a view shows it.
    pub(crate) fn read_labels(&self, state: &[u16]) -> u8 {
        match &self.kind {
            Kind::Labels(words) => words.rank(state).map_or(INFINITE, |rank| self.entries[rank]),
            Kind::Tiles(..) => INFINITE,
        }
    }

    /// The entry for tiles on these squares, in the order of the table, and the blank.
    pub(crate) fn read_tiles(&self, squares: &[u8], blank: u8) -> u8 {
        let Kind::Tiles(tiles, kind) = &self.kind else { return INFINITE };
        let placement = tiles.rank_tiles(squares);
        let entry = match kind {
            Blank::Exact => placement * tiles.free() + tiles.rank_blank(squares, blank),
            Blank::Least => placement,
            Blank::Large => placement * 2 + usize::from(!tiles.is_large(squares, blank)),
        };
        self.entries[entry]
    }
}

/// A whole file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Objection> {
    fs::read(path).map_err(|error| Objection::NotDone(format!("{}: {error}", path.display())))
}
