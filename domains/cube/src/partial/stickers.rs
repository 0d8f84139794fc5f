//! Reads stickers, some of which are open: unknown, or without importance.

use super::PartialCube;
use crate::cube::{CORNER_NAMES, EDGE_NAMES};
use crate::cube2::{CORNERS as OF_24, USUAL};
use crate::facelets::{CORNERS, EDGES, StickersError, listed, numbered};
use crate::notation::unfolded;
use crate::symmetry::faces_of;
use crate::turns::FACES;

/// The symbols of stickers that are left open.
const OPEN: [char; 2] = ['.', '?'];

/// Whether a text has the symbol of an open sticker, `.` or `?`, and may be stickers: it is at
/// least three quarters as long as six faces, without the characters that only moves or JSON have.
/// `face` is the number of stickers of a face.
pub fn has_open(text: &str, face: usize) -> bool {
    let symbols = text.chars().filter(|c| !c.is_whitespace());
    let plain = || symbols.clone().all(|c| c.is_alphanumeric() || OPEN.contains(&c));
    text.contains(OPEN) && symbols.clone().count() >= 6 * face * 3 / 4 && plain()
}

/// Reads stickers in the order U R F D L B, with `.` or `?` for an open sticker. `face` is the
/// number of stickers of a face, 9 or 4. Blanks do not matter, except in the shape of an unfolded
/// cube, as [`stickers`](crate::notation::stickers()) reads it.
///
/// On the 3x3x3 a colour belongs to the face whose centre has it. If the centre of a face is left
/// open, the face has the colour of its own letter.
///
/// # Errors
/// If the number of symbols is wrong, a symbol is no colour, or no piece has the stickers of a
/// slot.
pub fn parse_partial(text: &str, face: usize) -> Result<PartialCube, StickersError> {
    let text = unfolded(text, face).unwrap_or_else(|| text.split_whitespace().collect());
    let symbols: Vec<char> = text.chars().collect();
    if symbols.len() != 6 * face {
        let (found, expected) = (symbols.len(), 6 * face);
        return Err(StickersError::new(format!(
            "{found} facelets, expected {expected} in the order U R F D L B, each a colour or `.` \
             for one that is left open"
        )));
    }
    let colours = colours(&symbols, face)?;
    let mut cube = PartialCube::ANY;
    let corners = if face == 9 { &CORNERS } else { &OF_24 };
    for (slot, all) in cube.corners.iter_mut().enumerate() {
        *all = pieces(&colours, &corners[slot], &CORNER_NAMES, slot)?;
    }
    for (slot, all) in cube.edges.iter_mut().enumerate().filter(|_| face == 9) {
        *all = pieces(&colours, &EDGES[slot], &EDGE_NAMES, slot)?;
    }
    Ok(cube)
}

impl PartialCube {
    /// The stickers of the cubes of this set, six faces in the order U R F D L B, with blanks
    /// between them. `face` is the number of stickers of a face, 9 or 4. A letter is a colour that
    /// all cubes show, `.` a sticker that may have any colour, `*` one that may have some colours.
    ///
    /// Where there is no `*`, [`parse_partial`] reads from it a set that contains this one.
    pub fn picture(&self, face: usize) -> String {
        let mut shown = vec![0; 6 * face];
        let centres = (0..6).filter(|_| face == 9).map(|at| (9 * at + 4, 1 << at));
        centres.for_each(|(at, own)| shown[at] = own);
        let corners = if face == 9 { &CORNERS } else { &OF_24 };
        for (all, place) in self.corners.iter().zip(corners) {
            show(&mut shown, *all, place, &CORNER_NAMES.map(faces_of));
        }
        for (all, place) in self.edges.iter().zip(&EDGES).filter(|_| face == 9) {
            show(&mut shown, *all, place, &EDGE_NAMES.map(faces_of));
        }
        let symbol = |&colours: &u8| match colours.count_ones() {
            1 => FACES[colours.trailing_zeros() as usize],
            6 => OPEN[0],
            _ => '*',
        };
        let faces = shown.chunks(face).map(|face| face.iter().map(symbol).collect::<String>());
        faces.collect::<Vec<_>>().join(" ")
    }
}

/// Adds the colours that a set of pieces shows in a slot, a bit for each face.
fn show<const N: usize>(shown: &mut [u8], all: u32, place: &[u8; N], pieces: &[[u8; N]]) {
    for (piece, turn) in super::members(all, N) {
        for (n, colour) in pieces[piece].iter().enumerate() {
            shown[usize::from(place[(n + turn) % N])] |= 1 << colour;
        }
    }
}

/// The face that each symbol stands for; `None` where it is left open.
fn colours(symbols: &[char], face: usize) -> Result<Vec<Option<u8>>, StickersError> {
    // A 2x2x2 has no centres: the colours are the letters of faces, or the usual ones.
    let is_usual = |c: &char| USUAL.contains(c) && !FACES.contains(c);
    let usual = face == 4 && symbols.iter().any(|c| is_usual(&c.to_ascii_uppercase()));
    let mut centres = if usual { USUAL } else { FACES }.map(Some);
    if face == 9 {
        let centre = |at: usize| Some(symbols[9 * at + 4]).filter(|symbol| !OPEN.contains(symbol));
        let given: [Option<char>; 6] = std::array::from_fn(centre);
        for at in 1..6 {
            if let Some(symbol) = given[at].filter(|_| given[..at].contains(&given[at])) {
                let at = 9 * at + 5;
                return Err(StickersError::new(format!(
                    "facelet {at}: found `{symbol}`, which another centre has; expected different \
                     centres"
                ))
                .at(vec![at]));
            }
        }
        for (at, centre) in centres.iter_mut().enumerate() {
            // The letter of the face itself, unless another centre has it.
            *centre = given[at].or(centre.filter(|own| !given.contains(&Some(*own))));
        }
    }
    let colour = |(at, &symbol): (usize, &char)| {
        if OPEN.contains(&symbol) {
            return Ok(None);
        }
        let upper = symbol.to_ascii_uppercase();
        let find = |symbol| (0_u8..).zip(centres).find(|&(_, own)| own == Some(symbol));
        let found = find(symbol).or_else(|| find(upper)).map(|(face, _)| Some(face));
        found.ok_or_else(|| {
            let (at, expected) = (at + 1, centres.iter().flatten().collect::<String>());
            StickersError::new(format!(
                "facelet {at}: found `{symbol}`, expected one of {expected} or `.`"
            ))
            .at(vec![at])
        })
    };
    symbols.iter().enumerate().map(colour).collect()
}

/// The pieces that fit the stickers of a slot, as bits `N * piece + turn`, where `turn` is the
/// twist or flip.
fn pieces<const N: usize, const SLOTS: usize>(
    colours: &[Option<u8>],
    place: &[u8; N],
    names: &[&'static str; SLOTS],
    slot: usize,
) -> Result<u32, StickersError> {
    let shown = place.map(|facelet| colours[usize::from(facelet)]);
    let mut all = 0_u32;
    for (piece, name) in names.iter().enumerate() {
        let own: [u8; N] = faces_of(name);
        for turn in 0..N {
            let fits = |n: usize| shown[(n + turn) % N].is_none_or(|colour| colour == own[n]);
            all |= u32::from((0..N).all(fits)) << (N * piece + turn);
        }
    }
    if all == 0 {
        let facelets = numbered(*place);
        let letter = |face: Option<u8>| face.map_or('.', |face| FACES[usize::from(face)]);
        return Err(StickersError::new(format!(
            "slot {} (facelets {}): no piece has the stickers {} there",
            names[slot],
            listed(&facelets),
            shown.map(letter).iter().collect::<String>()
        ))
        .at(facelets));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::facelets::Facelets;
    use crate::partial::{GoalName, named_goal};

    const OLL: &str = "UUUUUUUUU ...RRRRRR ...FFFFFF DDDDDDDDD ...LLLLLL ...BBBBBB";

    #[test]
    fn points_in_moves_or_json_are_no_stickers() {
        let json = format!(r#"{{"CORNERS":{{"pieces":[{}7.0]}}}}"#, "1,".repeat(54));
        for text in ["R U. R'", "R. U. R", "1. 12.34  R U", &"R. U2' ".repeat(18), &json] {
            assert!(!has_open(text, 9) && !has_open(text, 4), "{text}");
        }
        for (length, face) in [(54, 9), (53, 9), (55, 9), (24, 4), (23, 4)] {
            let text = format!("U{}", " ?".repeat(length - 1));
            assert!(
                has_open(&text, face) && parse_partial(&text, face).is_ok() == (length == 6 * face)
            );
        }
    }

    #[test]
    fn stickers_that_are_left_open_allow_pieces() {
        let oll = parse_partial(OLL, 9).unwrap();
        assert_eq!(vec![oll], named_goal("oll", 9).unwrap().unwrap());
        let cross = "......... ....R..R. ....F..F. .D.DDD.D. ....L..L. ....B..B.";
        assert_eq!(
            vec![parse_partial(cross, 9).unwrap()],
            named_goal("cross", 9).unwrap().unwrap()
        );
        assert_eq!(parse_partial(&".".repeat(54), 9), Ok(PartialCube::ANY));
        assert_eq!(parse_partial(&"?".repeat(24), 4), Ok(PartialCube::ANY));
        let cube = Cube::SOLVED.turned(3).turned(13);
        let text = Facelets::from(&cube).to_string();
        assert_eq!(parse_partial(&text, 9), Ok(PartialCube::from(&cube)));
        let layer = "..../..RR/..FF/DDDD/..LL/..BB".replace('/', " ");
        assert_eq!(
            vec![parse_partial(&layer, 4).unwrap()],
            named_goal("layer", 4).unwrap().unwrap()
        );
    }

    #[test]
    fn pictures_are_read_as_the_sets_that_they_show() {
        let (mut read, mut vague) = (0, 0);
        for face in [9, 4] {
            for goal in GoalName::all(face) {
                for set in goal.sets(face) {
                    let picture = set.picture(face);
                    vague += usize::from(picture.contains('*'));
                    if !picture.contains('*') {
                        assert_eq!(parse_partial(&picture, face), Ok(set), "{}", goal.name);
                        read += 1;
                    }
                }
            }
        }
        // Three goals with `eo`, `dr`, `face`, twice `oll`, and the 96 sets of `htr`.
        assert_eq!((read, vague), (39, 7 + 96));
        let cross = "....U.... ....R..R. ....F..F. .D.DDD.D. ....L..L. ....B..B.";
        assert_eq!(named_goal("cross", 9).unwrap().unwrap()[0].picture(9), cross);
        let cube = Cube::SOLVED.turned(3).turned(13);
        let letters: String = PartialCube::from(&cube).picture(9).split(' ').collect();
        assert_eq!(letters, Facelets::from(&cube).to_string());
    }

    #[test]
    fn colours_are_those_of_the_centres() {
        let coloured: String =
            OLL.chars().map(|c| "URFDLB".find(c).map_or(c, |at| b"WRGYOB"[at].into())).collect();
        assert_eq!(parse_partial(&coloured, 9), parse_partial(OLL, 9));
        let wrong = |text: &str| parse_partial(text, 9).unwrap_err().to_string();
        assert!(wrong("U.").starts_with("2 facelets, expected 54"));
        assert_eq!(
            wrong(&OLL.replacen('U', "X", 1)),
            "facelet 1: found `X`, expected one of URFDLB or `.`"
        );
        let opposite = OLL.replacen("UUUUUUUUU ...", "UUUUUUUUU D..", 1);
        assert!(
            wrong(&opposite)
                .starts_with("slot URF (facelets 9, 10, 21): no piece has the stickers UD.")
        );
        let twice = OLL.replace("FFFFFF", "FRFFFF");
        assert!(
            wrong(&twice).contains("facelet 23: found `R`, which another centre has"),
            "{}",
            wrong(&twice)
        );
    }
}
