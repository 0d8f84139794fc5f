//! A 2x2x2 as its 24 facelets: reading and writing.

use super::colours::{CORNERS, colours};
use super::pocket::Pocket;
use crate::cube::{CORNER_NAMES, Parts};
use crate::facelets::{Facelets, StickersError, homes, piece_with, pieces};
use crate::turns::FACES;
use std::fmt;

/// A 2x2x2 as the colours of its 24 facelets: faces in the order U R F D L B, each row by row.
///
/// A colour is the number of the face that has it in [`Pocket::SOLVED`]. The puzzle may be held in
/// any way.
///
/// ```
/// let solved = "UUUURRRRFFFFDDDDLLLLBBBB";
/// let facelets = fewest_cube::cube2::PocketFacelets::parse(solved).unwrap();
/// assert!(facelets.to_pocket().unwrap().is_solved());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PocketFacelets(pub(super) [u8; 24]);

impl PocketFacelets {
    /// Reads 24 stickers without blanks: the letters U R F D L B, or six other symbols. Letters may
    /// be all capital or all small.
    ///
    /// W R G Y O B stand for U R F D L B, if they make valid corners in this way. Otherwise the six
    /// symbols are assigned to faces so that they make valid corners. How the puzzle is held is
    /// then arbitrary.
    ///
    /// # Errors
    /// If there are not 24 stickers, four of each symbol.
    pub fn parse(text: &str) -> Result<Self, StickersError> {
        Self::parse_colours(text).map(|(facelets, _)| facelets)
    }

    /// As [`PocketFacelets::parse`]. Also returns the symbols of the faces.
    pub(super) fn parse_colours(text: &str) -> Result<(Self, [char; 6]), StickersError> {
        let small = !text.contains(char::is_uppercase);
        let letter = |symbol: char| if small { symbol.to_ascii_uppercase() } else { symbol };
        let symbols: Vec<char> = text.chars().map(letter).collect();
        if symbols.len() != 24 {
            let found = symbols.len();
            return Err(StickersError::new(format!(
                "{found} facelets, expected 24: four for each of the faces U R F D L B"
            )));
        }
        let fits = |faces: &[char; 6]| Self::named(&symbols, faces)?.to_pocket();
        let faces = colours(&symbols, &|faces| fits(faces).is_ok());
        Self::named(&symbols, &faces).map(|facelets| (facelets, faces))
    }

    /// Reads 24 symbols, where `faces` has the symbol of each face.
    pub(super) fn named(symbols: &[char], faces: &[char; 6]) -> Result<Self, StickersError> {
        let (mut facelets, mut counts) = ([0; 24], [0; 6]);
        for ((at, &symbol), facelet) in symbols.iter().enumerate().zip(&mut facelets) {
            let colour = (0_u8..).zip(faces).find(|&(_, &face)| face == symbol);
            let Some((colour, _)) = colour else {
                let at = at + 1;
                return Err(StickersError::new(format!(
                    "facelet {at}: found `{symbol}`, expected a colour: one of the letters \
                     URFDLB, or of six other symbols"
                ))
                .at(vec![at]));
            };
            *facelet = colour;
            counts[usize::from(colour)] += 1;
        }
        match faces.iter().zip(counts).find(|&(_, found)| found != 4) {
            Some((&symbol, found)) => Err(StickersError::count(symbol, found, 4)),
            None => Ok(Self(facelets)),
        }
    }

    /// The puzzle with these facelets. It may be unsolvable: see [`Pocket::check`].
    ///
    /// # Errors
    /// If a slot has colours that no corner has, or two slots have the colours of the same corner.
    pub fn to_pocket(&self) -> Result<Pocket, StickersError> {
        self.pocket(&FACES)
    }

    /// As [`PocketFacelets::to_pocket`]. `faces` has the symbol of each face, for errors.
    pub(super) fn pocket(&self, faces: &[char; 6]) -> Result<Pocket, StickersError> {
        let letters = |colours: [u8; 3]| {
            colours.map(|face| faces[usize::from(face)]).iter().collect::<String>()
        };
        let unknown = |colours: [u8; 3]| {
            let (found, mirror) = (letters(colours), [colours[0], colours[2], colours[1]]);
            match piece_with(mirror, homes(&CORNERS, self.0.len())) {
                Some(_) => {
                    let expected = letters(mirror);
                    format!("{found} clockwise, expected {expected}: the corner is mirrored")
                }
                None => format!(
                    "{found}, expected three of which no two are alike or opposite (U and D, R \
                     and L, F and B)"
                ),
            }
        };
        let corners = pieces(&self.0, "corner", &CORNERS, &CORNER_NAMES, &unknown)?;
        let (pieces, twists) = (corners.map(|(piece, _)| piece), corners.map(|(_, twist)| twist));
        Ok(Parts { corners: pieces, twists, ..Parts::SOLVED }.pack().into())
    }
}

impl From<&Pocket> for PocketFacelets {
    fn from(pocket: &Pocket) -> Self {
        let whole = Facelets::from(&pocket.cube());
        // The corners of each face of the 3x3x3.
        Self(std::array::from_fn(|at| whole.0[9 * (at / 4) + 6 * (at % 4 / 2) + 2 * (at % 2)]))
    }
}

impl fmt::Display for PocketFacelets {
    /// Writes the 24 colours as letters U R F D L B.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&face| write!(f, "{}", FACES[usize::from(face)]))
    }
}
