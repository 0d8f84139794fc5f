//! Refuses the stickers of a cube where a definition expects moves.
//!
//! A definition does not say where stickers lie. But if its moves have the names of faces, a line
//! of stickers could be read as moves.

use crate::puzzle::InvalidInput;
use cube::notation::{is_face, stickers};
use permutation::Definition;

/// Number of stickers of a face of the 3x3x3. Its stickers are refused for the definition of any
/// cube.
const NINE: usize = 9;

/// The number of stickers of one face, concluded from the numbers of pieces. `None` if U, R and F
/// are no moves of the puzzle.
pub(crate) fn face_of(definition: &Definition) -> Option<usize> {
    let mut faces = ["U", "R", "F"].into_iter();
    if !faces.all(|name| definition.moves().find(name).is_some()) {
        return None;
    }
    let pieces = || definition.orbits().iter().map(|orbit| orbit.pieces());
    // Twelve pieces are edges in the middle of a side. Twenty-four are wings or centres.
    let middle = pieces().any(|pieces| pieces == 12);
    let further = pieces().filter(|&pieces| pieces == 24).count();
    let side = match (middle, further) {
        (false, 0) if pieces().all(|pieces| pieces <= 8) => 2,
        (_, 0) => 3,
        (false, ..=2) => 4,
        (true, ..=3) => 5,
        (false, _) => 6,
        (true, _) => 7,
    };
    Some(side * side)
}

/// Refuses a text that may be stickers: one that [`stickers`] recognizes, or words of nine letters
/// that may be faces of the 3x3x3.
pub(super) fn refuse(definition: &Definition, text: &str) -> Result<(), InvalidInput> {
    let Some(face) = face_of(definition) else { return Ok(()) };
    let letters: String = text.split_whitespace().collect();
    let all = [face, NINE].into_iter().any(|face| stickers(text, face).is_some());
    let mut words = text.split_whitespace();
    let some = face >= NINE && words.all(|word| is_face(word, NINE));
    // Stickers are letters of faces or colours, all in the same case.
    if letters.is_empty() || !is_face(&letters, letters.len()) || !all && !some {
        return Ok(());
    }
    let reader = match letters.len() {
        54 => "; the puzzle 3x3x3 reads stickers",
        24 => "; the puzzle 2x2x2 reads stickers",
        _ => "",
    };
    Err(InvalidInput::new(format_args!(
        "{} letters of faces, which may be stickers: a definition does not say where stickers \
         lie; expected moves with blanks between them{reader}",
        letters.len()
    )))
}
