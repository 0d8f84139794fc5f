//! The reader of states of the 2x2x2: `solved`, 24 facelets, or moves.

use super::facelets::{PocketFacelets, PocketFaceletsError};
use super::pocket::Pocket;
use crate::legality::LegalityError;
use crate::notation::{MovesError, parse_moves};

/// Why a text is not a state that can be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PocketStateError {
    /// The text is facelets, and they are wrong.
    #[error(transparent)]
    Facelets(#[from] PocketFaceletsError),
    /// The text is moves, and they cannot be read.
    #[error("{0}, or 24 facelets, or solved")]
    Moves(#[from] MovesError),
    /// No turns solve it.
    #[error("this 2x2x2 cannot be solved: {0}")]
    Illegal(#[from] LegalityError),
}

/// Reads a state: `solved`, 24 facelets, or moves from the solved puzzle. The state is the puzzle
/// as it is held after the moves.
///
/// # Errors
/// If the text is none of these, or the puzzle cannot be solved.
pub fn parse_state(text: &str) -> Result<Pocket, PocketStateError> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("solved") {
        return Ok(Pocket::SOLVED);
    }
    let joined: String = text.split_whitespace().collect();
    let pocket = if looks_like_facelets(text) {
        PocketFacelets::parse(text)?.to_pocket()?
    } else if grouped(text, &joined) {
        PocketFacelets::parse(&joined)?.to_pocket()?
    } else {
        return Ok(Pocket::SOLVED.moved(&parse_moves(text)?));
    };
    pocket.check()?;
    Ok(pocket)
}

/// Whether the text is facelets in groups of whole faces: four times each of six letters.
/// Twenty-four letters that stand alone are moves.
fn grouped(text: &str, joined: &str) -> bool {
    let four = |face| joined.matches(face).count() == 4;
    let faces = text.split_whitespace().all(|word| word.len() % 4 == 0);
    joined.len() == 24 && faces && "URFDLB".chars().all(four)
}

/// Whether the text is one word of at least 18 characters without blanks, primes, brackets and
/// numbers.
fn looks_like_facelets(text: &str) -> bool {
    let only_moves =
        |c: char| c.is_whitespace() || c.is_ascii_digit() || "'’′`-()[],:^".contains(c);
    text.chars().count() >= 18 && !text.contains(only_moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_facelets_and_moves_are_states() {
        let state = parse_state("R U2 F' y").unwrap();
        let facelets = PocketFacelets::from(&state).to_string();
        assert_eq!(parse_state(&facelets), Ok(state));
        let faces: Vec<&str> = (0..6).map(|face| &facelets[4 * face..][..4]).collect();
        assert_eq!(parse_state(&faces.join(" ")), Ok(state));
        assert_eq!(parse_state(" Solved\n"), Ok(Pocket::SOLVED));
        assert_eq!(parse_state("R U R'"), Ok(Pocket::SOLVED.turned(3).turned(0).turned(5)));
        // Twenty-four moves, four of each face, are moves where each stands alone.
        let moves = "U R F D L B ".repeat(4);
        assert_eq!(parse_state(&moves), parse_state("(U R F D L B)4"));
        assert_eq!(parse_state("RUFRUFRUFRUFRUF"), parse_state("(R U F)5"));
    }

    #[test]
    fn complaints_say_what_was_expected() {
        let refused = |text: &str| parse_state(text).unwrap_err().to_string();
        assert_eq!(
            refused("superflip"),
            "column 1: found `s`, expected a move such as R, U' or F2, or 24 facelets, or solved"
        );
        assert!(refused(&"U".repeat(23)).starts_with("23 facelets, expected 24"));
        assert_eq!(
            refused("UUUUFRRRFRFFDDDDLLLLBBBB"),
            "corner URF (facelets 4, 5, 10): found the colours UFR clockwise, expected URF: the corner is mirrored"
        );
        // The corner URF turned clockwise where it is.
        let twisted = refused("UUUFURRRFRFFDDDDLLLLBBBB");
        assert_eq!(
            twisted,
            "this 2x2x2 cannot be solved: one corner is twisted clockwise: twists sum to 1 modulo 3, expected 0"
        );
    }
}
