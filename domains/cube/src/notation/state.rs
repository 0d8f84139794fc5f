//! Reads states from text: a name, 54 facelets, a KPattern, or moves.

use super::kpattern::{KPatternError, cube_facelets, is_json};
use super::{MovesError, NAMED, StickerHint, is_face, named, parse_moves, stickers};
use crate::cube::Cube;
use crate::facelets::{Facelets, StickersError};
use crate::legality::LegalityError;

/// Why a text is not a solvable state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The text is facelets, but they are wrong.
    #[error("{0}{1}")]
    Stickers(StickersError, StickerHint),
    /// The text is JSON, but no KPattern of this puzzle.
    #[error(transparent)]
    KPattern(#[from] KPatternError),
    /// The text is moves, but they cannot be read. Also says what else a state can be.
    #[error("{0}, or {1}")]
    Moves(MovesError, String),
    /// The text is words of nine letters, but not six. They may be faces of stickers, or moves
    /// without blanks between them.
    #[error(
        "{0} x nine letters without blanks: expected six such faces of stickers, \
         or blanks between moves"
    )]
    Faces(usize),
    /// The text is a state of a cube or a 2x2x2 that no turns can solve.
    #[error("this {0} cannot be solved: {1}{2}")]
    Illegal(&'static str, LegalityError, StickerHint),
}

/// Reads a state: a name of [`NAMED`], 54 facelets, the KPattern of cubing.js in JSON, or moves
/// from the solved cube. The state is the cube as it is held after the moves.
///
/// [`stickers()`] says which texts are facelets. Words of nine letters are refused if there are not
/// six: they could be faces or moves.
///
/// # Errors
/// If the text is none of these, or the cube cannot be solved.
pub fn parse_state(text: &str) -> Result<Cube, StateError> {
    let (whole, text) = (text, text.trim());
    if let Some(cube) = named(&text.to_lowercase()) {
        return Ok(cube);
    }
    let pattern = is_json(text).then(|| cube_facelets(text)).transpose()?;
    if let Some(facelets) = pattern.or_else(|| stickers(text, 9)) {
        let hint = || StickerHint::new(text, &facelets);
        let cube = Facelets::parse(&facelets).and_then(|facelets| facelets.to_cube());
        let cube = cube.map_err(|error| StateError::Stickers(error, hint()))?;
        cube.check().map_err(|error| StateError::Illegal("cube", error, hint()))?;
        return Ok(cube);
    }
    if !text.is_empty() && text.split_whitespace().all(|word| is_face(word, 9)) {
        return Err(StateError::Faces(text.split_whitespace().count()));
    }
    let moves = parse_moves(whole).map_err(|error| {
        let names = NAMED.map(|(name, _)| name).join(" ");
        StateError::Moves(error, format!("54 facelets, or one of {names}"))
    })?;
    Ok(Cube::SOLVED.moved(&moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_facelets_and_moves_are_states() {
        let facelets = Facelets::from(&parse_state("R U2 F'").unwrap()).to_string();
        assert_eq!(parse_state(&facelets), parse_state("R U2 F'"));
        let (first, rest) = facelets.split_at(9);
        assert_eq!(parse_state(&format!("{first} {rest}")), parse_state("R U2 F'"));
        assert_eq!(parse_state(" Superflip\n"), Ok(named("superflip").unwrap()));
        assert_eq!(parse_state(""), Ok(Cube::SOLVED));
        assert_eq!(parse_state("R U R'"), Ok(Cube::SOLVED.turned(3).turned(0).turned(5)));
    }

    /// The letters of stickers are also letters of moves. A state with a sticker too many or too
    /// few must be an error, not a sequence of moves.
    #[test]
    fn stickers_are_never_read_as_moves() {
        let solved = "URFDLB".chars().map(|face| face.to_string().repeat(9)).collect::<Vec<_>>();
        let refused = |text: &str| parse_state(text).unwrap_err().to_string();
        for between in [" ", "\n", ""] {
            assert_eq!(parse_state(&solved.join(between)), Ok(Cube::SOLVED));
            assert_eq!(parse_state(&solved.join(between).to_lowercase()), Ok(Cube::SOLVED));
            let miscounted = solved.join(between).replacen('U', "R", 1);
            assert_eq!(refused(&miscounted), "the colour `U` occurs 8 times, expected 9");
        }
        let explained = "1 x nine letters without blanks: expected six such faces of stickers, \
                         or blanks between moves";
        assert_eq!(refused("RUFRUFRUF"), explained);
        assert!(refused("UUUUUUUUU RRRRRRRRR").starts_with("2 x nine"));
        assert_eq!(parse_state("R U F R U F R U F"), parse_state("(R U F)3"));
        assert_eq!(parse_state("RUFRUFRU F"), parse_state("(R U F)3"));
        assert_eq!(parse_state(&"R U F ".repeat(18)), parse_state("(R U F)18"));
        // Rows of three.
        let row = |face: &String| face[..3].to_owned() + " ";
        let rows: String = solved.iter().map(|face| row(face).repeat(3)).collect();
        assert_eq!(parse_state(&rows), Ok(Cube::SOLVED));
        let rows = rows.replacen('U', "R", 1);
        let said = "the colour `U` occurs 8 times, expected 9; moves have blanks between them";
        assert_eq!(refused(&rows), said);
        assert!(refused(&rows.replacen("UUU", "UU", 1)).starts_with("53 facelets"));
        assert!(refused(&"RUF ".repeat(18)).ends_with("moves have blanks between them"));
    }

    #[test]
    fn complaints_say_what_was_expected() {
        let refused = |text: &str| parse_state(text).unwrap_err().to_string();
        assert!(refused("superfilp").starts_with("column 1: found `s`, expected a move such as"));
        assert!(refused("superfilp").contains("or one of solved superflip"));
        assert!(refused(&"U".repeat(53)).starts_with("53 facelets, expected 54"));
        let mut facelets = Facelets::from(&Cube::SOLVED);
        facelets.0.swap(7, 19);
        assert_eq!(
            refused(&facelets.to_string()),
            "this cube cannot be solved: one edge is flipped: flips sum to 1 modulo 2, expected 0"
        );
    }
}
