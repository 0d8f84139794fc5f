//! Texts in and out: definitions of lines and words, KPuzzle JSON, and scramble files.

mod compact;
mod input;
mod kpuzzle;
mod read;
mod scramble;
mod tws;

pub use input::{ReadLimits, read_text};
pub use scramble::{Scramble, ScrambleFile, ScrambleState};

pub(crate) use input::position;

use crate::definition::{Definition, PuzzleState};
use crate::error::{DefinitionError, TextFormat};
use input::Source;
use std::io::Read;

impl Definition {
    /// Reads a definition from a file or another source.
    ///
    /// # Errors
    /// If the source cannot be read, is longer than allowed, or is no definition. The error names
    /// line and column.
    pub fn read(
        source: impl Read,
        form: TextFormat,
        limits: &ReadLimits,
    ) -> Result<Self, DefinitionError> {
        let text = read_text(source, form, limits)?;
        match form {
            TextFormat::KPuzzle => Self::from_kpuzzle(&text, limits),
            _ => Self::from_tws(&text, limits),
        }
    }

    /// Reads a definition of lines and words, as in `.tws` and `.def` files.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn from_tws(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        tws::read_tws(&Source::new(TextFormat::Tws, text, limits)?)
    }

    /// Reads a definition in KPuzzle JSON.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn from_kpuzzle(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        kpuzzle::read_kpuzzle(&Source::new(TextFormat::KPuzzle, text, limits)?)
    }

    /// The definition as lines and words. [`Definition::from_tws`] reads an equal definition.
    ///
    /// Equal definitions are written alike. Where the format of twsearch has no word, those of
    /// ksolve+ stand (Ignore, Block, ForbiddenPairs, MoveLimits) or words of this project (Goal,
    /// MoveCost, MoveKind, orientations such as `1?2`).
    pub fn to_tws(&self) -> String {
        tws::write_tws(self)
    }

    /// The definition in KPuzzle JSON. [`Definition::from_kpuzzle`] reads an equal definition.
    ///
    /// Other programs may refuse or ignore the keys of this project.
    /// [`Definition::kpuzzle_extensions`] names the keys used.
    pub fn to_kpuzzle(&self) -> String {
        kpuzzle::write_kpuzzle(self)
    }

    /// The keys of this project that [`Definition::to_kpuzzle`] uses for this definition.
    pub fn kpuzzle_extensions(&self) -> Vec<&'static str> {
        kpuzzle::extensions(self).into_iter().map(|(key, _)| key).collect()
    }

    /// Reads a scramble file of this puzzle.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn scrambles(
        &self,
        text: &str,
        limits: &ReadLimits,
    ) -> Result<ScrambleFile, DefinitionError> {
        scramble::read_scrambles(self, &Source::new(TextFormat::Scramble, text, limits)?)
    }

    /// A state as a Scramble block. [`Definition::scrambles`] reads it.
    pub fn scramble_text(&self, name: &str, state: &PuzzleState) -> String {
        let mut out = String::new();
        tws::write_state(&mut out, format!("Scramble {name}").trim_end(), state);
        out
    }

    /// The state as a compact string. `None` if it has other pieces than the solved state.
    ///
    /// Each slot gives the number of its piece times the orientations, plus its orientation. The
    /// digits are `0-9 A-Z a-z`. An orbit takes as many digits a slot as its numbers need, the
    /// highest first.
    pub fn compact(&self, state: &PuzzleState) -> Option<String> {
        compact::write_compact(self, state)
    }
}
