//! Reads states as KPattern, the JSON of cubing.js.

use crate::cube::Parts;
use crate::cube2::PocketFacelets;
use crate::facelets::Facelets;
use serde::Deserialize;
use serde_json::Number;

/// For each corner of a KPattern, URF UBR ULB UFL DFR DLF DBL DRB: our number of it.
const CORNER_ORDER: [u8; 8] = [0, 3, 2, 1, 4, 5, 6, 7];
/// For each edge of a KPattern, UF UR UB UL DF DR DB DL FR FL BR BL: our number of it.
const EDGE_ORDER: [u8; 12] = [1, 0, 3, 2, 5, 4, 7, 6, 8, 9, 11, 10];
/// For each centre of a KPattern, U L F R B D: the number of its face.
const CENTRE_ORDER: [u8; 6] = [0, 4, 2, 1, 5, 3];

/// Why an object of JSON is not the KPattern of a cube.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a KPattern: {what}")]
pub struct KPatternError {
    what: String,
    place: Option<(usize, usize)>,
}

impl KPatternError {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None }
    }

    /// Line and column, from 1, if the text is not even JSON.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

/// A KPattern under a key of its own.
#[derive(Deserialize)]
struct Wrapped {
    #[serde(rename = "patternData")]
    pattern: Pattern,
}

/// The orbits of a KPattern. A key that occurs twice is refused.
#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
struct Pattern {
    edges: Option<Orbit>,
    corners: Option<Orbit>,
    centers: Option<Orbit>,
}

/// The pieces and orientations of one orbit.
#[derive(Deserialize)]
struct Orbit {
    pieces: Vec<Number>,
    orientation: Vec<Number>,
    #[serde(default, rename = "orientationMod")]
    orientation_mod: Option<Vec<Number>>,
}

/// Converts numbers. `-0` is 0.
fn whole(name: &str, numbers: &[Number]) -> Result<Vec<usize>, KPatternError> {
    let one = |number: &Number| match number.as_str() {
        "-0" => Ok(0),
        digits => digits.parse().map_err(|_| {
            KPatternError::new(format!("{name}: found {digits}, expected a whole number from 0"))
        }),
    };
    numbers.iter().map(one).collect()
}

impl Orbit {
    /// The piece in each slot, and its orientation. Each piece occurs once.
    ///
    /// `turns`: the number of orientations. With 1, orientations do not matter.
    fn read<const N: usize>(
        &self,
        name: &str,
        turns: usize,
    ) -> Result<[(u8, u8); N], KPatternError> {
        let wrong = |what: String| Err(KPatternError::new(format!("{name}: {what}")));
        let (pieces, orientation) = (whole(name, &self.pieces)?, whole(name, &self.orientation)?);
        let moduli = whole(name, self.orientation_mod.as_deref().unwrap_or_default())?;
        if (pieces.len(), orientation.len()) != (N, N) {
            let (pieces, orientation) = (pieces.len(), orientation.len());
            let found = format!("found {pieces} pieces and {orientation} orientations");
            return wrong(format!("{found}, expected {N} of each"));
        }
        let mut seen = [false; N];
        for &piece in &pieces {
            match seen.get_mut(piece) {
                None => return wrong(format!("found piece {piece}, expected 0 to {}", N - 1)),
                Some(true) => {
                    return wrong(format!("found piece {piece} twice, expected each piece once"));
                }
                Some(first) => *first = true,
            }
        }
        if let Some(turn) = orientation.iter().find(|&&turn| turns > 1 && turn >= turns) {
            return wrong(format!("found orientation {turn}, expected 0 to {}", turns - 1));
        }
        if moduli.iter().any(|&modulus| ![0, turns].contains(&modulus)) {
            return wrong(
                "found unknown orientations (orientationMod), expected a state".to_owned(),
            );
        }
        let byte = |number: usize| u8::try_from(number).expect("below 12");
        Ok(std::array::from_fn(|slot| (byte(pieces[slot]), byte(orientation[slot] % turns))))
    }
}

/// Whether a text is JSON, which no other form of a state begins like.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The orbits of a KPattern: its keys, or the keys under `patternData` if there is such a key.
fn orbits(text: &str) -> Result<Pattern, KPatternError> {
    let read = match text.contains("\"patternData\"") {
        true => serde_json::from_str(text).map(|wrapped: Wrapped| wrapped.pattern),
        false => serde_json::from_str(text),
    };
    read.map_err(|error| {
        let place = Some((error.line(), error.column())).filter(|&(line, _)| line > 0);
        KPatternError { what: error.to_string(), place }
    })
}

/// The pieces of an orbit that must be there.
fn pieces<const N: usize>(
    orbit: Option<&Orbit>,
    name: &str,
    turns: usize,
) -> Result<[(u8, u8); N], KPatternError> {
    let missing = || KPatternError::new(format!("expected the orbit {name}"));
    orbit.ok_or_else(missing)?.read(name, turns)
}

/// Our pieces and orientations by our slots, from those of a KPattern. `order` has our number of
/// each of its slots and pieces.
fn ours<const N: usize>(theirs: [(u8, u8); N], order: &[u8; N]) -> ([u8; N], [u8; N]) {
    let (mut pieces, mut turns) = ([0; N], [0; N]);
    for (&slot, (piece, turn)) in order.iter().zip(theirs) {
        pieces[usize::from(slot)] = order[usize::from(piece)];
        // The first sticker of a piece lies on the facelet `turn` of its slot, as it does here.
        turns[usize::from(slot)] = turn;
    }
    (pieces, turns)
}

/// The 54 facelets of a 3x3x3. Without the orbit of centres, they are solved.
pub(crate) fn cube_facelets(text: &str) -> Result<String, KPatternError> {
    let orbits = orbits(text)?;
    let (edges, flips) = ours(pieces(orbits.edges.as_ref(), "EDGES", 2)?, &EDGE_ORDER);
    let (corners, twists) = ours(pieces(orbits.corners.as_ref(), "CORNERS", 3)?, &CORNER_ORDER);
    let mut facelets = Facelets::from(&Parts { corners, twists, edges, flips }.pack());
    if let Some(centres) = &orbits.centers {
        let (centres, _) = ours(centres.read("CENTERS", 1)?, &CENTRE_ORDER);
        for (face, centre) in centres.into_iter().enumerate() {
            facelets.0[9 * face + 4] = centre;
        }
    }
    Ok(facelets.to_string())
}

/// The 24 facelets of a 2x2x2.
pub(crate) fn pocket_facelets(text: &str) -> Result<String, KPatternError> {
    let orbits = orbits(text)?;
    for (other, name) in [(&orbits.edges, "EDGES"), (&orbits.centers, "CENTERS")] {
        if other.is_some() {
            let what = format!("found the orbit {name}, expected CORNERS alone");
            return Err(KPatternError::new(what));
        }
    }
    let (corners, twists) = ours(pieces(orbits.corners.as_ref(), "CORNERS", 3)?, &CORNER_ORDER);
    let cube = Parts { corners, twists, ..Parts::SOLVED }.pack();
    Ok(PocketFacelets::from(&cube.into()).to_string())
}

#[cfg(test)]
mod tests {
    use crate::{cube2, notation};

    /// Written by cubing.js after `R U F2 x`.
    const CORNERS: &str =
        r#""CORNERS":{"pieces":[4,5,7,0,1,6,3,2],"orientation":[1,1,0,2,0,2,1,2]}"#;
    const EDGES: &str = r#""EDGES":{"pieces":[8,9,4,5,6,1,3,11,10,7,2,0],
        "orientation":[1,0,1,0,1,0,1,0,0,0,0,0]}"#;
    const CENTRES: &str = r#""CENTERS":{"pieces":[2,1,5,3,0,4],"orientation":[0,0,0,0,0,0],
        "orientationMod":[1,1,1,1,1,1]}"#;

    #[test]
    fn patterns_of_cubing_js_are_states() {
        let whole = format!("{{{EDGES},\n{CORNERS},{CENTRES}}}");
        let moved = notation::parse_state("R U F2 x");
        assert_eq!(notation::parse_state(&whole), moved);
        assert_eq!(notation::parse_state(&whole.replace("[0,0", "[-0,0")), moved);
        let inside = format!(r#" {{"patternData": {whole}}}"#);
        assert_eq!(notation::parse_state(&inside), moved);
        let pocket = cube2::parse_state(&format!("{{{CORNERS}}}")).unwrap();
        // Without centres, moves do not tell how the puzzle is held. The pattern does.
        let moved = cube2::parse_state("R U F2 x").unwrap();
        assert_eq!(pocket.normalised(), moved.normalised());
    }

    #[test]
    fn wrong_patterns_are_refused_with_their_place() {
        let cube = |text: &str| notation::parse_state(text).unwrap_err().to_string();
        let pocket = |text: &str| cube2::parse_state(text).unwrap_err().to_string();
        assert!(cube("{").contains("line 1 column 1"), "{}", cube("{"));
        assert_eq!(cube(&format!("{{{CORNERS}}}")), "a KPattern: expected the orbit EDGES");
        let whole = format!("{{{EDGES},{CORNERS}}}");
        let other = "a KPattern: found the orbit EDGES, expected CORNERS alone";
        assert_eq!(pocket(&whole), other);
        let twice = CORNERS.replacen("[4,5", "[4,4", 1);
        let told = "a KPattern: CORNERS: found piece 4 twice, expected each piece once";
        assert_eq!(pocket(&format!("{{{twice}}}")), told);
        let short = CORNERS.replacen("[4,5", "[5", 1);
        let told = "a KPattern: CORNERS: found 7 pieces and 8 orientations, expected 8 of each";
        assert_eq!(pocket(&format!("{{{short}}}")), told);
        let large = CORNERS.replacen("2]}", "3]}", 1);
        let told = "a KPattern: CORNERS: found orientation 3, expected 0 to 2";
        assert_eq!(pocket(&format!("{{{large}}}")), told);
        let twisted = CORNERS.replacen("2]}", "1]}", 1);
        assert!(pocket(&format!("{{{twisted}}}")).contains("cannot be solved"));
        assert!(cube(&format!("{{{EDGES},{twisted},{CENTRES}}}")).contains("cannot be solved"));
        let floating = CORNERS.replacen("[4,5", "[4.0,5", 1);
        let told = "a KPattern: CORNERS: found 4.0, expected a whole number from 0";
        assert_eq!(pocket(&format!("{{{floating}}}")), told);
        let again = pocket(&format!("{{{CORNERS},{CORNERS}}}"));
        assert!(again.starts_with("a KPattern: duplicate field `CORNERS` at line 1"), "{again}");
        // Two centres have changed places, which no turn does.
        let swapped = CENTRES.replacen("[2,1", "[1,2", 1);
        assert!(cube(&format!("{{{EDGES},{CORNERS},{swapped}}}")).contains("found"));
    }
}
