//! The puzzles that requests name, configured and kept for the next request ([`Puzzles`]).

use super::refusal::Refusal;
use fewest::{Defined, Puzzle, Settings, configure, definition};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// How many puzzles with tables are kept. So many searches run at once.
const SEARCHED: usize = super::queue::AT_ONCE;
/// How many puzzles are kept that only read states.
const READING: usize = 8;
/// Most bytes of a state, a goal, a plan or allowed moves.
pub(super) const MOST_TEXT: usize = 64 << 10;

/// A puzzle and its settings, as requests name them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct PuzzleChoice {
    /// A name, or the text of a definition.
    name: String,
    /// Settings, with the names that [`Settings`] reads.
    #[serde(flatten)]
    settings: Map<String, Value>,
}

impl PuzzleChoice {
    /// The name for [`configure`]. A text of several lines is a definition.
    ///
    /// # Errors
    /// If it is the path of a file. Requests name no files of this machine.
    pub(super) fn puzzle(&self) -> Result<String, Refusal> {
        let name = self.name.trim();
        if name.starts_with('{') || name.contains('\n') {
            return Ok(name.to_owned());
        }
        if Path::new(name).extension().is_some() || name.contains(['/', '\\']) {
            let message = "the server reads no files: expected a name, or the text of a definition";
            return Err(Refusal::input(message));
        }
        Ok(name.to_owned())
    }

    /// The definition of the puzzle. `None` for cubes, for boards, and for unknown names.
    ///
    /// # Errors
    /// If it is no definition.
    pub(super) fn definition(&self) -> Result<Option<Box<dyn Defined>>, Refusal> {
        Ok(definition(&self.puzzle()?).transpose()?)
    }

    /// The settings: those of the command line, and what the request chooses.
    fn settings(&self, server: &Settings) -> Result<Settings, Refusal> {
        for text in self.settings.values().filter_map(Value::as_str) {
            check_length("a setting", text)?;
        }
        if let Some(own) = ["memory", "load"].iter().find(|own| self.settings.contains_key(**own)) {
            let expected = "expected no value, for the command line of the server has it";
            return Err(Refusal::input(format_args!("{own}: {expected}")));
        }
        let mut given = self.settings.clone();
        given.retain(|_, value| !value.is_null());
        let settings = serde_json::from_value::<Settings>(given.into());
        let mut settings = settings.map_err(Refusal::input)?;
        settings.tables.clone_from(&server.tables);
        Ok(settings.memory(server.memory).loading(server.loading))
    }

    /// # Errors
    /// If the name is that of a file, or a setting cannot be read.
    pub(super) fn check(&self, server: &Settings) -> Result<(), Refusal> {
        self.puzzle()?;
        self.settings(server).map(|_| ())
    }

    fn configure(&self, server: &Settings) -> Result<Arc<dyn Puzzle>, Refusal> {
        Ok(Arc::from(configure(&self.puzzle()?, &self.settings(server)?)?))
    }
}

/// # Errors
/// If a text has more than [`MOST_TEXT`] bytes.
pub(super) fn check_length(what: &str, text: &str) -> Result<(), Refusal> {
    if text.len() <= MOST_TEXT {
        return Ok(());
    }
    let found = text.len();
    Err(Refusal::input(format_args!("{what} has {found} bytes: expected at most {MOST_TEXT}")))
}

/// The configured puzzles of the last requests.
///
/// Only those for searches have tables in memory. Each of them may take an equal part of the
/// memory.
pub(super) struct Puzzles {
    settings: Settings,
    /// Held while a puzzle is configured for a search, so that no two have the same tables.
    making: Mutex<()>,
    searched: Shelf,
    reading: Shelf,
}

impl Puzzles {
    pub(super) fn new(server: &Settings) -> Self {
        let memory = server.memory / SEARCHED as u64;
        Self {
            settings: server.clone().memory(memory),
            making: Mutex::default(),
            searched: Shelf { most: SEARCHED, puzzles: Mutex::default() },
            reading: Shelf { most: READING, puzzles: Mutex::default() },
        }
    }

    /// The puzzle for a search, a build or a count. It keeps its tables.
    pub(super) fn searched(&self, choice: &PuzzleChoice) -> Result<Arc<dyn Puzzle>, Refusal> {
        let _made = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        self.searched.get(choice, &self.settings)
    }

    /// The puzzle for states and plans. Call no search of it.
    pub(super) fn reading(&self, choice: &PuzzleChoice) -> Result<Arc<dyn Puzzle>, Refusal> {
        self.reading.get(choice, &self.settings)
    }

    /// Drops the puzzles that no search uses, and with them their tables in memory.
    pub(super) fn drop_unused(&self) {
        self.searched.make_room(0);
    }
}

/// Some configured puzzles. The one that was used last is the last.
struct Shelf {
    most: usize,
    puzzles: Mutex<Vec<(PuzzleChoice, Arc<dyn Puzzle>)>>,
}

impl Shelf {
    fn get(&self, choice: &PuzzleChoice, settings: &Settings) -> Result<Arc<dyn Puzzle>, Refusal> {
        let mut puzzles = self.puzzles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = puzzles.iter().position(|(known, _)| known == choice) {
            let known = puzzles.remove(at);
            let puzzle = Arc::clone(&known.1);
            puzzles.push(known);
            return Ok(puzzle);
        }
        drop(puzzles);
        // The tables of a puzzle that nobody uses go before those of the new one come.
        self.make_room(self.most - 1);
        let puzzle = choice.configure(settings)?;
        let mut puzzles = self.puzzles.lock().unwrap_or_else(PoisonError::into_inner);
        puzzles.push((choice.clone(), Arc::clone(&puzzle)));
        Ok(puzzle)
    }

    /// Drops unused puzzles until `most` are left. Those not used for the longest time go first.
    fn make_room(&self, most: usize) {
        let mut puzzles = self.puzzles.lock().unwrap_or_else(PoisonError::into_inner);
        let mut over = puzzles.len().saturating_sub(most);
        puzzles.retain(|(_, puzzle)| {
            let dropped = over > 0 && Arc::strong_count(puzzle) == 1;
            over -= usize::from(dropped);
            !dropped
        });
    }
}
