//! States and plans of a definition as one text: moves, or the compact form.

use super::{stickers, wca};
use crate::puzzle::{InvalidInput, Place};
use permutation::{Definition, DefinitionError, PuzzleState, ReadLimits, ScrambleState, Turn};

impl From<DefinitionError> for InvalidInput {
    fn from(error: DefinitionError) -> Self {
        Self::new(&error).at(Place::line_and_column(error.place()))
    }
}

/// Whether a text is an object of JSON.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// Reads a state: moves, in the definition's notation or that of the World Cube Association,
/// `solved`, or `CPOS` and the compact form.
pub(crate) fn read_state(definition: &Definition, text: &str) -> Result<PuzzleState, InvalidInput> {
    if text.split_whitespace().next() == Some("CPOS") {
        let read = definition.scrambles(text, &ReadLimits::default())?;
        return match read.scrambles.into_iter().next().map(|scramble| scramble.state) {
            Some(ScrambleState::Given(state)) => Ok(state),
            _ => Err(InvalidInput::new("expected one state")),
        };
    }
    stickers::refuse(definition, text)?;
    let own = wca::state(definition, text)?;
    if own.as_deref() == Some("") {
        return Ok(definition.start().clone());
    }
    match definition.parse_state(own.as_deref().unwrap_or(text)) {
        // The word `solved` means the solved state, unless a move has that name.
        Err(_) if text.trim() == "solved" => Ok(definition.start().clone()),
        read => Ok(read?),
    }
}

/// The moves of a plan, in the definition's notation or in that of the World Cube Association.
pub(crate) fn read_turns(definition: &Definition, text: &str) -> Result<Vec<Turn>, InvalidInput> {
    stickers::refuse(definition, text)?;
    let own = wca::plan(definition, text)?;
    Ok(definition.parse_moves(own.as_deref().unwrap_or(text))?)
}

/// The words that undo the moves of a text, in the notation of the text.
pub(crate) fn invert_moves(
    definition: &Definition,
    text: &str,
) -> Result<Vec<String>, InvalidInput> {
    stickers::refuse(definition, text)?;
    if let Some(inverse) = wca::inverse(definition, text)? {
        return Ok(inverse);
    }
    let turns = definition.parse_moves(text)?;
    let moves = definition.moves();
    let inverse = |&turn: &Turn| {
        let (made, undone) = (moves.transformation(turn), turn.inverse());
        // A turn that undoes itself, such as a half turn, keeps its name.
        moves.turn_text(if moves.transformation(undone) == made { turn } else { undone })
    };
    Ok(turns.iter().rev().map(inverse).collect())
}
