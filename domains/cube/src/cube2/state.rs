//! Reads states of the 2x2x2 from text: `solved`, 24 facelets, a KPattern, or moves.

use super::facelets::PocketFacelets;
use super::pocket::Pocket;
use crate::notation::kpattern::{is_json, pocket_facelets};
use crate::notation::{StateError, StickerHint, parse_moves, stickers};

/// Reads a state: `solved`, 24 facelets, the KPattern of cubing.js in JSON, or moves from the
/// solved puzzle. The state is the puzzle as it is held after the moves. [`stickers()`] says which
/// texts are facelets.
///
/// # Errors
/// If the text is none of these, or the puzzle cannot be solved.
pub fn parse_state(text: &str) -> Result<Pocket, StateError> {
    let (whole, text) = (text, text.trim());
    if text.eq_ignore_ascii_case("solved") {
        return Ok(Pocket::SOLVED);
    }
    let pattern = is_json(text).then(|| pocket_facelets(text)).transpose()?;
    let Some(facelets) = pattern.or_else(|| stickers(text, 4)) else {
        let moves = parse_moves(whole);
        let else_ = || "24 facelets, or solved".to_owned();
        let moves = moves.map_err(|error| StateError::Moves(error, else_()))?;
        return Ok(Pocket::SOLVED.moved(&moves));
    };
    let hint = || StickerHint::new(text, &facelets);
    let pocket = PocketFacelets::parse_colours(&facelets)
        .and_then(|(facelets, faces)| facelets.pocket(&faces));
    let pocket = pocket.map_err(|error| StateError::Stickers(error, hint()))?;
    pocket.check().map_err(|error| StateError::Illegal("2x2x2", error, hint()))?;
    Ok(pocket)
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
        assert_eq!(parse_state("RUFRUFRUFRUFRUF"), parse_state("(R U F)5"));
        assert_eq!(parse_state("RUFR"), parse_state("R U F R"));
    }

    /// The letters of stickers are also letters of moves. A state with a sticker too many or too
    /// few must be an error, not a sequence of moves.
    #[test]
    fn stickers_are_never_read_as_moves() {
        let faces: Vec<String> = "URFDLB".chars().map(|face| face.to_string().repeat(4)).collect();
        let alone: Vec<String> = faces.concat().chars().map(String::from).collect();
        assert_eq!(parse_state(&alone.join(" ")), Ok(Pocket::SOLVED));
        for between in [" ", "\n", ""] {
            assert_eq!(parse_state(&faces.join(between)), Ok(Pocket::SOLVED));
            assert_eq!(parse_state(&faces.join(between).to_lowercase()), Ok(Pocket::SOLVED));
            let miscounted = faces.join(between).replacen('U', "R", 1);
            let error = parse_state(&miscounted).unwrap_err().to_string();
            assert!(error.contains("occurs"), "{error}");
        }
        // Four moves of each face look like stickers. To mean moves, write (U R F D L B)4.
        assert!(parse_state(&"U R F D L B ".repeat(4)).is_err());
        assert_eq!(parse_state(&"R U F ".repeat(8)), parse_state("(R U F)8"));
    }

    /// Stickers with other symbols than the letters of faces are read, too. The result is the same
    /// puzzle, held in some way.
    #[test]
    fn any_six_colours_are_stickers() {
        let state = parse_state("R U2 F' L D B2 R").unwrap();
        let letters = PocketFacelets::from(&state).to_string();
        let coloured = |colours: &str| {
            let colour = |c| colours.chars().nth("URFDLB".find(c).unwrap()).unwrap();
            letters.chars().map(colour).collect::<String>()
        };
        for text in [coloured("WRGYOB"), coloured("wrgyob")] {
            assert_eq!(parse_state(&text), Ok(state));
        }
        // Blue is opposite of white; other letters; faces of a puzzle held in another way.
        for colours in ["WRGBOY", "ABCDEF", "PRGYOB", "YOGWRB", "FRDBLU"] {
            let read = parse_state(&coloured(colours)).unwrap();
            assert!(Pocket::held().any(|held| held.compose(&state) == read), "{colours}");
        }
        let refused = |text: &str| parse_state(text).unwrap_err().to_string();
        let refused = refused("WWWRRRRWGGGGYYYYOOOOBBBB");
        assert!(refused.contains("found the colours RRG"), "{refused}");
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
