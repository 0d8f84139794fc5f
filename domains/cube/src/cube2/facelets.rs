//! A 2x2x2 as its 24 facelets: reading and writing.

use super::colours::colours;
use super::pocket::Pocket;
use crate::cube::{CORNER_NAMES, Cube, Parts};
use crate::facelets::{CORNERS as OF_54, listed, numbered};
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

/// For each corner: its three facelets, in the order of the faces in its name.
pub(crate) const CORNERS: [[u8; 3]; 8] = {
    let mut corners = OF_54;
    let mut i = 0;
    while i < 24 {
        let facelet = &mut corners[i / 3][i % 3];
        let (face, row, column) = (*facelet / 9, *facelet % 9 / 6, *facelet % 3 / 2);
        *facelet = 4 * face + 2 * row + column;
        i += 1;
    }
    corners
};

/// Why a list of facelets is not a 2x2x2. Facelets are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PocketFaceletsError {
    /// The text has more or fewer than 24 symbols.
    #[error("{found} facelets, expected 24: four for each of the faces U R F D L B")]
    Length {
        /// The number of symbols.
        found: usize,
    },
    /// A symbol that is not a colour.
    #[error(
        "facelet {at}: found `{symbol}`, expected a colour: one of the letters URFDLB, or of six \
         other symbols"
    )]
    Symbol {
        /// The number of the facelet, from 1.
        at: usize,
        /// The symbol that is not a colour.
        symbol: char,
    },
    /// A colour does not occur four times.
    #[error("the colour `{symbol}` occurs {found} times, expected 4")]
    Count {
        /// The colour.
        symbol: char,
        /// The number of facelets with this colour.
        found: usize,
    },
    /// A slot has three colours that no corner has.
    #[error(
        "corner {place} (facelets {facelets}): found the colours {found}, expected three of which no two \
         are alike or opposite (U and D, R and L, F and B)",
        facelets = listed(.facelets)
    )]
    Impossible {
        /// The name of the slot.
        place: &'static str,
        /// The numbers of its facelets.
        facelets: Vec<usize>,
        /// The colours of these facelets.
        found: String,
    },
    /// A slot has the colours of a corner in the wrong direction.
    #[error(
        "corner {place} (facelets {facelets}): found the colours {found} clockwise, expected {expected}: \
         the corner is mirrored",
        facelets = listed(.facelets)
    )]
    Mirrored {
        /// The name of the slot.
        place: &'static str,
        /// The numbers of its facelets.
        facelets: Vec<usize>,
        /// The colours of these facelets.
        found: String,
        /// The colours of that corner clockwise, beginning with the same colour.
        expected: String,
    },
    /// A corner occurs twice.
    #[error(
        "corner {place}: found the corner {corner}, which is also at {other}; expected each corner once"
    )]
    Twice {
        /// The name of the second slot.
        place: &'static str,
        /// The name of the corner.
        corner: &'static str,
        /// The name of the first slot.
        other: &'static str,
        /// The numbers of the facelets of the second slot, then of the first.
        facelets: Vec<usize>,
    },
}

impl PocketFaceletsError {
    /// The numbers of the wrong facelets, from 1, in the order U R F D L B. Empty if the error is
    /// not about single facelets.
    pub fn facelets(&self) -> &[usize] {
        match self {
            Self::Symbol { at, .. } => std::slice::from_ref(at),
            Self::Impossible { facelets, .. }
            | Self::Mirrored { facelets, .. }
            | Self::Twice { facelets, .. } => facelets,
            Self::Length { .. } | Self::Count { .. } => &[],
        }
    }

    /// The colour that occurs too often or not often enough.
    pub fn colour(&self) -> Option<char> {
        match *self {
            Self::Count { symbol, .. } => Some(symbol),
            _ => None,
        }
    }

    /// The same error with the symbol of each face in place of its letter. `faces` has these
    /// symbols.
    pub(super) fn with_colours(mut self, faces: &[char; 6]) -> Self {
        let symbol = |letter: char| {
            let face = FACES.iter().position(|&face| face == letter);
            face.map_or(letter, |face| faces[face])
        };
        let change = |text: &mut String| *text = text.chars().map(symbol).collect();
        match &mut self {
            Self::Impossible { found, .. } => change(found),
            Self::Mirrored { found, expected, .. } => {
                change(found);
                change(expected);
            }
            _ => {}
        }
        self
    }
}

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
    pub fn parse(text: &str) -> Result<Self, PocketFaceletsError> {
        Self::parse_colours(text).map(|(facelets, _)| facelets)
    }

    /// As [`PocketFacelets::parse`]. Also returns the symbols of the faces.
    pub(super) fn parse_colours(text: &str) -> Result<(Self, [char; 6]), PocketFaceletsError> {
        let small = !text.contains(char::is_uppercase);
        let letter = |symbol: char| if small { symbol.to_ascii_uppercase() } else { symbol };
        let symbols: Vec<char> = text.chars().map(letter).collect();
        if symbols.len() != 24 {
            return Err(PocketFaceletsError::Length { found: symbols.len() });
        }
        let faces = colours(&symbols);
        Self::named(&symbols, &faces).map(|facelets| (facelets, faces))
    }

    /// Reads 24 symbols, where `faces` has the symbol of each face.
    pub(super) fn named(symbols: &[char], faces: &[char; 6]) -> Result<Self, PocketFaceletsError> {
        let (mut facelets, mut counts) = ([0; 24], [0; 6]);
        for ((at, &symbol), facelet) in symbols.iter().enumerate().zip(&mut facelets) {
            let colour = (0_u8..).zip(faces).find(|&(_, &face)| face == symbol);
            let Some((colour, _)) = colour else {
                return Err(PocketFaceletsError::Symbol { at: at + 1, symbol });
            };
            *facelet = colour;
            counts[usize::from(colour)] += 1;
        }
        match faces.iter().zip(counts).find(|&(_, found)| found != 4) {
            Some((&symbol, found)) => Err(PocketFaceletsError::Count { symbol, found }),
            None => Ok(Self(facelets)),
        }
    }

    /// The puzzle with these facelets. It may be unsolvable: see [`Pocket::check`].
    ///
    /// # Errors
    /// If a slot has colours that no corner has, or two slots have the colours of the same corner.
    pub fn to_pocket(&self) -> Result<Pocket, PocketFaceletsError> {
        let mut parts = Parts::SOLVED;
        for (slot, &place) in CORNER_NAMES.iter().enumerate() {
            let (corner, twist) = self.corner(slot)?;
            if let Some(first) = parts.corners[..slot].iter().position(|&there| there == corner) {
                return Err(PocketFaceletsError::Twice {
                    place,
                    corner: CORNER_NAMES[usize::from(corner)],
                    other: CORNER_NAMES[first],
                    facelets: numbered([CORNERS[slot], CORNERS[first]].concat()),
                });
            }
            (parts.corners[slot], parts.twists[slot]) = (corner, twist);
        }
        Ok(parts.pack().into())
    }

    /// The number of the corner in a slot, and its twist.
    fn corner(&self, slot: usize) -> Result<(u8, u8), PocketFaceletsError> {
        let colours = CORNERS[slot].map(|facelet| self.0[usize::from(facelet)]);
        let homes = || (0_u8..).zip(CORNERS.map(|home| home.map(|facelet| facelet / 4)));
        // The first sticker of a corner lies on the facelet `twist` of its slot.
        let turned =
            |home: [u8; 3], twist: usize| (0..3).all(|n| colours[(n + twist) % 3] == home[n]);
        for (corner, home) in homes() {
            if let Some((twist, _)) = (0_u8..3).zip(0..3).find(|&(_, twist)| turned(home, twist)) {
                return Ok((corner, twist));
            }
        }
        let letters =
            |colours: [u8; 3]| colours.map(|face| FACES[usize::from(face)]).iter().collect();
        let place = CORNER_NAMES[slot];
        let facelets = numbered(CORNERS[slot]);
        let found = letters(colours);
        let mirror = [colours[0], colours[2], colours[1]];
        let same = |home: [u8; 3]| (0..3).any(|n| (0..3).all(|m| mirror[m] == home[(m + n) % 3]));
        Err(if homes().any(|(_, home)| same(home)) {
            PocketFaceletsError::Mirrored { place, facelets, found, expected: letters(mirror) }
        } else {
            PocketFaceletsError::Impossible { place, facelets, found }
        })
    }
}

impl From<&Pocket> for PocketFacelets {
    fn from(pocket: &Pocket) -> Self {
        let cube: Cube = pocket.cube();
        let mut facelets = [0; 24];
        for (slot, place) in CORNERS.iter().enumerate() {
            let home = CORNERS[usize::from(cube.corner(slot))];
            for n in 0..3 {
                let facelet = place[(n + usize::from(cube.twist(slot))) % 3];
                facelets[usize::from(facelet)] = home[n] / 4;
            }
        }
        Self(facelets)
    }
}

impl fmt::Display for PocketFacelets {
    /// Writes the 24 colours as letters U R F D L B.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&face| write!(f, "{}", FACES[usize::from(face)]))
    }
}
