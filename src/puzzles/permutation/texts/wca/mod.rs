//! Notations of the World Cube Association for definitions that name their moves in another way.
//!
//! A text that the definition reads itself keeps the meaning that it has there.

mod clock;
mod cubes;
mod frames;
mod skewb;
mod square_1;

use crate::puzzle::InvalidInput;
use frames::Frames;
use permutation::{Definition, write_out};

/// A puzzle with a notation of the association.
enum Notation {
    Clock,
    Square1,
    /// Words that turn a part of the puzzle, or the whole.
    Parts(Box<dyn Frames>),
}

fn notation(definition: &Definition) -> Option<Notation> {
    if clock::is(definition) {
        return Some(Notation::Clock);
    }
    if square_1::is(definition) {
        return Some(Notation::Square1);
    }
    cubes::of(definition).or_else(|| skewb::of(definition)).map(Notation::Parts)
}

/// The notation of a text. `None` if the definition reads the text itself, or has no notation of
/// the association.
fn foreign(definition: &Definition, text: &str) -> Option<Notation> {
    let known = || definition.parse_moves(text).is_ok();
    notation(definition).filter(|_| !known())
}

impl Notation {
    fn inverse(&self, text: &str) -> Result<Option<Vec<String>>, InvalidInput> {
        match self {
            Self::Clock => Ok(clock::inverse(text)),
            Self::Square1 => Ok(square_1::inverse(text)),
            Self::Parts(parts) => frames::inverse(&**parts, text),
        }
    }

    /// A text with groups, commutators and conjugates, written out. `None` if it has other words.
    fn written_out(&self, text: &str) -> Option<String> {
        let text = match self {
            Self::Square1 => square_1::without_brackets(text),
            _ => text.to_owned(),
        };
        write_out(&text, &|word| self.inverse(word).ok().flatten())
    }
}

/// Reads a text with `give`, or the same text after its groups are written out.
fn read<T>(
    definition: &Definition,
    text: &str,
    give: impl Fn(&Notation, &str) -> Result<Option<T>, InvalidInput>,
) -> Result<Option<T>, InvalidInput> {
    let Some(notation) = foreign(definition, text) else { return Ok(None) };
    match (give(&notation, text)?, notation.written_out(text)) {
        (None, Some(text)) => give(&notation, &text),
        (read, _) => Ok(read),
    }
}

/// Moves of the definition that lead to the state of a text. `None` if the text is not in a
/// notation of the association, or the definition reads it itself.
///
/// The state is that of the puzzle as it is held after the text. So rotations of the whole puzzle
/// make no other state.
///
/// # Errors
/// If a word has several meanings.
pub(crate) fn state(definition: &Definition, text: &str) -> Result<Option<String>, InvalidInput> {
    read(definition, text, |notation, text| match notation {
        Notation::Clock => Ok(clock::moves(text)),
        Notation::Square1 => Ok(square_1::moves(text)),
        Notation::Parts(parts) => frames::state(&**parts, text),
    })
}

/// As [`state`], for moves that are made in a state. The moves are named by how the puzzle is held
/// before the text.
///
/// # Errors
/// If a word has several meanings.
pub(super) fn plan(definition: &Definition, text: &str) -> Result<Option<String>, InvalidInput> {
    read(definition, text, |notation, text| match notation {
        Notation::Parts(parts) => frames::plan(&**parts, text),
        Notation::Clock => Ok(clock::moves(text)),
        Notation::Square1 => Ok(square_1::moves(text)),
    })
}

/// The words that undo a text, in its own notation. `None` as in [`state`].
///
/// # Errors
/// If a word has several meanings.
pub(super) fn inverse(
    definition: &Definition,
    text: &str,
) -> Result<Option<Vec<String>>, InvalidInput> {
    read(definition, text, Notation::inverse)
}
