//! A cube as its 54 facelets: reading and writing.

use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES, Parts};
use crate::turns::FACES;
use std::fmt;

/// A cube as the colours of its 54 facelets. Faces are in the order U R F D L B, each row by row as
/// in Herbert Kociemba's net.
///
/// A colour is the number of the face whose centre has it.
///
/// ```
/// let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/// let cube = fewest_cube::Facelets::parse(solved).unwrap().to_cube().unwrap();
/// assert_eq!(cube, fewest_cube::Cube::SOLVED);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Facelets(pub(crate) [u8; 54]);

/// For each corner: its three facelets, in the order of the faces in its name.
pub(crate) const CORNERS: [[u8; 3]; 8] = [
    [8, 9, 20],
    [6, 18, 38],
    [0, 36, 47],
    [2, 45, 11],
    [29, 26, 15],
    [27, 44, 24],
    [33, 53, 42],
    [35, 17, 51],
];
/// For each edge: its two facelets, in the order of the faces in its name.
pub(crate) const EDGES: [[u8; 2]; 12] = [
    [5, 10],
    [7, 19],
    [3, 37],
    [1, 46],
    [32, 16],
    [28, 25],
    [30, 43],
    [34, 52],
    [23, 12],
    [21, 41],
    [50, 39],
    [48, 14],
];

/// Why stickers are no cube.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct StickersError {
    message: String,
    facelets: Vec<usize>,
    colour: Option<char>,
}

impl StickersError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), facelets: Vec::new(), colour: None }
    }

    /// The same error about these facelets, numbered from 1.
    pub(crate) fn at(self, facelets: Vec<usize>) -> Self {
        Self { facelets, ..self }
    }

    /// The error that a colour does not occur as often as it should.
    pub(crate) fn count(symbol: char, found: usize, expected: usize) -> Self {
        let message = format!("the colour `{symbol}` occurs {found} times, expected {expected}");
        Self { colour: Some(symbol), ..Self::new(message) }
    }

    /// The numbers of the wrong facelets, from 1, in the order U R F D L B. Empty if the error is
    /// not about single facelets.
    pub fn facelets(&self) -> &[usize] {
        &self.facelets
    }

    /// The colour that occurs too often or not often enough.
    pub fn colour(&self) -> Option<char> {
        self.colour
    }
}

/// The numbers of these facelets, from 1.
pub(crate) fn numbered(facelets: impl IntoIterator<Item = u8>) -> Vec<usize> {
    facelets.into_iter().map(|facelet| usize::from(facelet) + 1).collect()
}

/// Numbers as text, with commas between them.
pub(crate) fn listed(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

impl Facelets {
    /// Reads 54 symbols without blanks between them. Any six symbols may stand for the colours. A
    /// colour belongs to the face whose centre has it, so the cube may be held in any way.
    ///
    /// # Errors
    /// If there are not 54 symbols, nine of each of six colours, with six different centres.
    pub fn parse(text: &str) -> Result<Self, StickersError> {
        let symbols: Vec<char> = text.chars().collect();
        if symbols.len() != 54 {
            let found = symbols.len();
            return Err(StickersError::new(format!(
                "{found} facelets, expected 54: nine for each of the faces U R F D L B"
            )));
        }
        let centres: [char; 6] = std::array::from_fn(|face| symbols[9 * face + 4]);
        for (face, &symbol) in centres.iter().enumerate() {
            if let Some(other) = centres[..face].iter().position(|&other| other == symbol) {
                let (at, face, other) = (9 * face + 5, FACES[face], FACES[other]);
                return Err(StickersError::new(format!(
                    "facelet {at} (the centre of {face}): found `{symbol}`, which the centre of \
                     {other} has; expected six different centres"
                ))
                .at(vec![at]));
            }
        }
        let mut facelets = [0; 54];
        for (at, (facelet, &symbol)) in facelets.iter_mut().zip(&symbols).enumerate() {
            match (0..6).zip(centres).find(|&(_, centre)| centre == symbol) {
                Some((face, _)) => *facelet = face,
                None => {
                    let (at, centres) = (at + 1, centres.iter().collect::<String>());
                    return Err(StickersError::new(format!(
                        "facelet {at}: found `{symbol}`, expected a colour of one of the six \
                         centres ({centres})"
                    ))
                    .at(vec![at]));
                }
            }
        }
        for symbol in centres {
            let found = symbols.iter().filter(|&&other| other == symbol).count();
            if found != 9 {
                return Err(StickersError::count(symbol, found, 9));
            }
        }
        Ok(Self(facelets))
    }

    /// The cube with these facelets. It may be unsolvable: see [`Cube::check`].
    ///
    /// # Errors
    /// If a slot has colours that no piece has, or two slots have the colours of the same piece.
    pub fn to_cube(&self) -> Result<Cube, StickersError> {
        let unknown = |kind: &str, colours: &[u8]| {
            let found: String = colours.iter().map(|&face| FACES[usize::from(face)]).collect();
            format!("of the faces {found}, expected those of one {kind} piece in its order")
        };
        let corner = |colours: [u8; 3]| unknown("corner", &colours);
        let edge = |colours: [u8; 2]| unknown("edge", &colours);
        let corners = pieces(&self.0, "corner", &CORNERS, &CORNER_NAMES, &corner)?;
        let edges = pieces(&self.0, "edge", &EDGES, &EDGE_NAMES, &edge)?;
        let parts = Parts {
            corners: corners.map(|(piece, _)| piece),
            twists: corners.map(|(_, twist)| twist),
            edges: edges.map(|(piece, _)| piece),
            flips: edges.map(|(_, flip)| flip),
        };
        Ok(parts.pack())
    }
}

/// For each slot: the piece in it, and which facelet of the slot has the piece's first sticker.
/// `slots` are the facelets of the slots. `unknown` ends the error about colours that no piece has.
pub(crate) fn pieces<const N: usize, const SLOTS: usize>(
    colours: &[u8],
    kind: &str,
    slots: &[[u8; N]; SLOTS],
    names: &[&str; SLOTS],
    unknown: &dyn Fn([u8; N]) -> String,
) -> Result<[(u8, u8); SLOTS], StickersError> {
    let mut found = [(0, 0); SLOTS];
    for (slot, place) in slots.iter().enumerate() {
        let shown = place.map(|facelet| colours[usize::from(facelet)]);
        let Some((piece, turn)) = piece_with(shown, homes(slots, colours.len())) else {
            let (place, facelets) = (names[slot], numbered(*place));
            return Err(StickersError::new(format!(
                "{kind} {place} (facelets {}): found the colours {}",
                listed(&facelets),
                unknown(shown)
            ))
            .at(facelets));
        };
        if let Some(first) = found[..slot].iter().position(|&(there, _)| there == piece) {
            let [place, piece, other] = [slot, piece.into(), first].map(|slot| names[slot]);
            return Err(StickersError::new(format!(
                "{kind} {place}: found the piece {piece}, which is also at {other}; expected each \
                 piece once"
            ))
            .at(numbered([slots[slot], slots[first]].concat())));
        }
        found[slot] = (piece, turn);
    }
    Ok(found)
}

/// The colours of each piece, in the order of its slot's facelets, if there are so many facelets.
pub(crate) fn homes<const N: usize>(
    slots: &[[u8; N]],
    facelets: usize,
) -> impl Iterator<Item = [u8; N]> {
    let face = if facelets == 54 { |facelet: u8| facelet / 9 } else { |facelet: u8| facelet / 4 };
    slots.iter().map(move |home| home.map(face))
}

/// The piece with these colours, and which of them is its first. `homes` has the colours of each
/// piece.
pub(crate) fn piece_with<const N: usize>(
    colours: [u8; N],
    homes: impl Iterator<Item = [u8; N]>,
) -> Option<(u8, u8)> {
    (0..).zip(homes).find_map(|(piece, home)| {
        let turned = |turn: usize| (0..N).all(|n| colours[(n + turn) % N] == home[n]);
        (0..).zip(0..N).find(|&(_, turn)| turned(turn)).map(|(turn, _)| (piece, turn))
    })
}

/// Writes the colours of the pieces to the facelets of their slots. `contents` has, for each slot,
/// its piece and the facelet of the piece's first sticker.
fn paint<const N: usize>(
    facelets: &mut [u8; 54],
    slots: &[[u8; N]],
    contents: impl Fn(usize) -> (u8, u8),
) {
    for (slot, place) in slots.iter().enumerate() {
        let (piece, turn) = contents(slot);
        let home = slots[usize::from(piece)];
        for n in 0..N {
            facelets[usize::from(place[(n + usize::from(turn)) % N])] = home[n] / 9;
        }
    }
}

impl From<&Cube> for Facelets {
    fn from(cube: &Cube) -> Self {
        let mut facelets = [0; 54];
        for (face, facelet) in (0..6).zip(facelets.iter_mut().skip(4).step_by(9)) {
            *facelet = face;
        }
        paint(&mut facelets, &CORNERS, |slot| (cube.corner(slot), cube.twist(slot)));
        paint(&mut facelets, &EDGES, |slot| (cube.edge(slot), cube.flip(slot)));
        Self(facelets)
    }
}

impl fmt::Display for Facelets {
    /// Writes the 54 colours as letters U R F D L B.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&face| write!(f, "{}", FACES[usize::from(face)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

    fn replaced(changes: &[(usize, char)]) -> String {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        for &(at, symbol) in changes {
            symbols[at - 1] = symbol;
        }
        symbols.into_iter().collect()
    }

    fn refused(text: &str) -> String {
        Facelets::parse(text).and_then(|facelets| facelets.to_cube()).unwrap_err().to_string()
    }

    #[test]
    fn complaints_name_the_place() {
        assert_eq!(
            refused("UUU"),
            "3 facelets, expected 54: nine for each of the faces U R F D L B"
        );
        assert!(
            refused(&replaced(&[(23, 'U')])).starts_with("facelet 23 (the centre of F): found `U`")
        );
        assert!(refused(&replaced(&[(7, 'x')])).contains("facelet 7: found `x`"));
        assert_eq!(refused(&replaced(&[(7, 'R')])), "the colour `U` occurs 8 times, expected 9");
        let opposite = refused(&replaced(&[(9, 'D'), (36, 'U')]));
        assert!(
            opposite
                .starts_with("corner URF (facelets 9, 10, 21): found the colours of the faces DRF"),
            "{opposite}"
        );
        // Two stickers of a corner are swapped, as on a mirrored piece.
        assert!(refused(&replaced(&[(10, 'F'), (21, 'R')])).starts_with("corner URF"));
        let edge = refused(&replaced(&[(6, 'R'), (11, 'R'), (17, 'U')]));
        assert!(edge.starts_with("edge UR") && edge.contains("those of one edge piece"), "{edge}");
        assert_eq!(
            refused(&replaced(&[(17, 'F'), (20, 'R')])),
            "edge UF: found the piece UR, which is also at UR; expected each piece once"
        );
    }

    #[test]
    fn any_six_symbols_and_any_grip_do() {
        let colours: String = SOLVED
            .chars()
            .map(|face| "WGRYBO".as_bytes()["URFDLB".find(face).unwrap()] as char)
            .collect();
        assert_eq!(Facelets::parse(&colours).unwrap().to_cube().unwrap(), Cube::SOLVED);
        // The whole cube turned about the axis of R: faces in the order F R D B L U.
        let held: String = "FRDBLU".chars().flat_map(|face| [face; 9]).collect();
        assert_eq!(Facelets::parse(&held).unwrap().to_cube().unwrap(), Cube::SOLVED);
        // Another colour scheme.
        let scheme: String = "ULFDRB".chars().flat_map(|face| [face; 9]).collect();
        assert_eq!(Facelets::parse(&scheme).unwrap().to_cube().unwrap(), Cube::SOLVED);
    }

    #[test]
    fn a_turn_of_the_upper_face_looks_as_it_should() {
        assert_eq!(
            Facelets::from(&Cube::SOLVED.turned(0)).to_string(),
            "UUUUUUUUUBBBRRRRRRRRRFFFFFFDDDDDDDDDFFFLLLLLLLLLBBBBBB"
        );
    }

    proptest! {
        #[test]
        fn facelets_and_cubes_are_one_to_one(
            turns in proptest::collection::vec(0_usize..18, 0..40),
        ) {
            let cube = turns.iter().fold(Cube::SOLVED, |cube, &turn| cube.turned(turn));
            let text = Facelets::from(&cube).to_string();
            prop_assert_eq!(Facelets::parse(&text).unwrap().to_cube(), Ok(cube));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[URFDLB]{54}") {
            let _ = Facelets::parse(&text).map(|facelets| facelets.to_cube());
        }
    }
}
