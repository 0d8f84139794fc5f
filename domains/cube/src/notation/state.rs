//! The reader of states: a name, 54 facelets, or moves.

use super::{MovesError, NAMED, named, parse_moves};
use crate::cube::Cube;
use crate::facelets::{Facelets, FaceletsError};
use crate::legality::LegalityError;

/// Why a text is not a state that can be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CubeStateError {
    /// The text is facelets, and they are wrong.
    #[error(transparent)]
    Facelets(#[from] FaceletsError),
    /// The text is moves, and they cannot be read.
    #[error("{0}, or 54 facelets, or one of {names}", names = NAMED.map(|(name, _)| name).join(" "))]
    Moves(#[from] MovesError),
    /// No turns solve it.
    #[error("this cube cannot be solved: {0}")]
    Illegal(#[from] LegalityError),
}

/// Reads a state: a name of [`NAMED`], 54 facelets, or moves from the solved cube. The state is the
/// cube as it is held after the moves.
///
/// # Errors
/// If the text is none of these, or the cube cannot be solved.
pub fn parse_state(text: &str) -> Result<Cube, CubeStateError> {
    let text = text.trim();
    if let Some(cube) = named(&text.to_lowercase()) {
        return Ok(cube);
    }
    // Facelets may come in groups. Nine times each of six letters are hardly moves.
    let joined: String = text.split_whitespace().collect();
    let nine = |face| joined.matches(face).count() == 9;
    let grouped = joined.len() == 54 && "URFDLB".chars().all(nine);
    if !grouped && !looks_like_facelets(text) {
        return Ok(Cube::SOLVED.moved(&parse_moves(text)?));
    }
    let cube = Facelets::parse(if grouped { &joined } else { text })?.to_cube()?;
    cube.check()?;
    Ok(cube)
}

/// Whether the text is one word of at least 40 characters without blanks, primes and brackets.
fn looks_like_facelets(text: &str) -> bool {
    let only_moves = |c: char| c.is_whitespace() || "'’′`-()[],:^".contains(c);
    text.chars().count() >= 40 && !text.contains(only_moves)
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
