//! Reads and writes files: definitions of lines and words, KPuzzle JSON, and scramble files.

mod compact;
mod input;
mod kpuzzle;
mod read;
mod scramble;
mod stickers;
mod tws;

pub use input::{ReadLimits, read_text};
pub use scramble::{Commands, Scramble, ScrambleFile, ScrambleState};
pub use stickers::{StickerError, StickerPuzzle};

pub(crate) use input::position;

use crate::definition::{Definition, GoalMask, PuzzleState};
use crate::error::{Complaint, DefinitionError, TextFormat};
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
            _ => tws::read_tws(&Source::new(form, &text, limits)?),
        }
    }

    /// Reads a definition of lines and words, as in `.tws` and `.def` files.
    ///
    /// # Errors
    /// If the text is no definition. The error has line and column, what stands there, and what was
    /// expected.
    pub fn from_tws(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        tws::read_tws(&Source::new(TextFormat::Tws, text, limits)?)
    }

    /// Reads a definition in KPuzzle JSON.
    ///
    /// # Errors
    /// If the text is no definition. The error has line and column, what stands there, and what was
    /// expected.
    pub fn from_kpuzzle(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        kpuzzle::read_kpuzzle(&Source::new(TextFormat::KPuzzle, text, limits)?)
    }

    /// The definition as lines and words. [`Definition::from_tws`] reads an equal definition from
    /// it.
    ///
    /// Equal definitions give equal texts. The text may use words that twsearch does not read:
    /// - of ksolve+: Ignore, Block, ForbiddenPairs, MoveLimits
    /// - of this project: Goal, MoveCost, MoveKind, NamedSequence, orientations such as `1?2`
    pub fn to_tws(&self) -> String {
        tws::write_tws(self)
    }

    /// The definition in KPuzzle JSON. [`Definition::from_kpuzzle`] reads an equal definition from
    /// it.
    ///
    /// The text may use keys of this project, which other programs may refuse or ignore: see
    /// [`Definition::kpuzzle_extensions`].
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
    /// If the text is no scramble file. The error has line and column, what stands there, and what
    /// was expected.
    pub fn scrambles(
        &self,
        text: &str,
        limits: &ReadLimits,
    ) -> Result<ScrambleFile, DefinitionError> {
        scramble::read_scrambles(self, &Source::new(TextFormat::Scramble, text, limits)?)
    }

    /// Reads states in JSON (KPattern), one object after the other. Returns each with its line,
    /// from 1.
    ///
    /// An object has the form of `defaultPattern`, or holds one under the key `patternData`.
    /// Orientations that the solved state does not know become unknown.
    ///
    /// # Errors
    /// If the text is no such list, or a state is illegal or has other pieces than the solved
    /// state.
    pub fn patterns(
        &self,
        text: &str,
        limits: &ReadLimits,
    ) -> Result<Vec<(usize, PuzzleState)>, DefinitionError> {
        kpuzzle::read_patterns(self, &Source::new(TextFormat::KPattern, text, limits)?)
    }

    /// Reads a goal in JSON (KPattern) for [`Definition::with_goal`]. Returns the same puzzle with
    /// this goal alone, and the mask that converts states of this puzzle to states of the new one.
    ///
    /// # Errors
    /// If the text is not one state, or as [`Definition::with_goal`].
    pub fn with_pattern(
        &self,
        text: &str,
        limits: &ReadLimits,
    ) -> Result<(Self, GoalMask), DefinitionError> {
        let source = Source::new(TextFormat::KPattern, text, limits)?;
        let values = kpuzzle::read_values(&source)?;
        let [node] = &values[..] else {
            let complaint = Complaint::new("a second state", "one goal");
            return Err(source.error(values[1].at, complaint));
        };
        let goal = kpuzzle::read_raw(self, &source, node)?;
        self.with_goal(goal).map_err(|complaint| source.error(node.at, complaint))
    }

    /// A state as a Scramble block of a scramble file, which [`Definition::scrambles`] reads.
    pub fn scramble_text(&self, name: &str, state: &PuzzleState) -> String {
        let mut out = String::new();
        tws::write_state(&mut out, format!("Scramble {name}").trim_end(), state);
        out
    }

    /// A state in JSON (KPattern) on one line, which [`Definition::patterns`] reads.
    pub fn to_pattern(&self, state: &PuzzleState) -> String {
        kpuzzle::write_pattern(self, state)
    }

    /// The words of [`Definition::to_tws`] for this definition that twsearch does not read.
    pub fn tws_extensions(&self) -> Vec<&'static str> {
        tws::extensions(self)
    }

    /// The state as a compact string. `None` if the solved state lacks one of its piece numbers.
    ///
    /// A slot is written as the index of its piece times the number of orientations, plus the
    /// orientation. The index counts the different piece numbers of the solved state, ascending
    /// from 0. The digits are `0-9 A-Z a-z`. All slots of an orbit take the same number of digits,
    /// the highest digit first.
    pub fn compact(&self, state: &PuzzleState) -> Option<String> {
        compact::write_compact(self, state)
    }
}
