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
use permutation::Definition;

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

/// Moves of the definition that lead to the state of a text. `None` if the text is not in a
/// notation of the association, or the definition reads it itself.
///
/// The state is that of the puzzle as it is held after the text. So rotations of the whole puzzle
/// make no other state.
///
/// # Errors
/// If a word has several meanings.
pub(super) fn state(definition: &Definition, text: &str) -> Result<Option<String>, InvalidInput> {
    match foreign(definition, text) {
        None => Ok(None),
        Some(Notation::Clock) => Ok(clock::moves(text)),
        Some(Notation::Square1) => Ok(square_1::moves(text)),
        Some(Notation::Parts(parts)) => frames::state(&*parts, text),
    }
}

/// As [`state`], for moves that are made in a state. The moves are named by how the puzzle is held
/// before the text.
///
/// # Errors
/// If a word has several meanings.
pub(super) fn plan(definition: &Definition, text: &str) -> Result<Option<String>, InvalidInput> {
    match foreign(definition, text) {
        Some(Notation::Parts(parts)) => frames::plan(&*parts, text),
        _ => state(definition, text),
    }
}

/// The words that undo a text, in its own notation. `None` as in [`state`].
///
/// # Errors
/// If a word has several meanings.
pub(super) fn inverse(
    definition: &Definition,
    text: &str,
) -> Result<Option<Vec<String>>, InvalidInput> {
    match foreign(definition, text) {
        None => Ok(None),
        Some(Notation::Clock) => Ok(clock::inverse(text)),
        Some(Notation::Square1) => Ok(square_1::inverse(text)),
        Some(Notation::Parts(parts)) => frames::inverse(&*parts, text),
    }
}
