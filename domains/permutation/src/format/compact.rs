//! The compact form of states: a string of digits and letters without blanks.

use crate::definition::{Definition, OrbitState, PuzzleState};
use crate::error::{Complaint, quoted};
use crate::format::read::narrow;
use std::collections::BTreeMap;

const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Number of digits of a slot: enough for the orbit's pieces times their orientations.
fn width(definition: &Definition, orbit: usize) -> u32 {
    let orbit = &definition.orbits()[orbit];
    let states = orbit.pieces() * usize::from(orbit.orientations());
    let mut width = 1;
    while 62_usize.pow(width) < states {
        width += 1;
    }
    width
}

/// The numbers of an orbit's pieces, each once, ascending. The compact form stores an index into
/// this list.
fn kinds(definition: &Definition, orbit: usize) -> Vec<u16> {
    let mut kinds = definition.start().pieces(orbit).to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Implements [`Definition::compact`].
pub(super) fn write_compact(definition: &Definition, state: &PuzzleState) -> Option<String> {
    let mut out = String::new();
    for (index, orbit) in definition.orbits().iter().enumerate() {
        let (width, kinds) = (width(definition, index), kinds(definition, index));
        for (piece, &turn) in state.pieces(index).iter().zip(state.orientation(index)) {
            let kind = kinds.binary_search(piece).ok()?;
            let value = kind * usize::from(orbit.orientations()) + usize::from(turn);
            let digits = (0..width).rev().map(|place| value / 62_usize.pow(place) % 62);
            out.extend(digits.map(|digit| char::from(DIGITS.as_bytes()[digit])));
        }
    }
    Some(out)
}

/// Reads a state from a compact string. An error has the byte and a complaint.
pub(super) fn parse_compact(
    definition: &Definition,
    text: &str,
) -> Result<PuzzleState, (usize, Complaint)> {
    let mut digits = text.char_indices();
    let mut rows = Vec::new();
    let solved = definition.start();
    for (index, orbit) in definition.orbits().iter().enumerate() {
        let (width, kinds) = (width(definition, index), kinds(definition, index));
        let moduli: BTreeMap<_, _> =
            solved.pieces(index).iter().zip(solved.modulus(index)).collect();
        let mut row = OrbitState::default();
        for _ in 0..orbit.pieces() {
            let (mut value, mut begin) = (0, text.len());
            for place in 0..width {
                let (at, c) = digits.next().unwrap_or((text.len(), ' '));
                begin = if place == 0 { at } else { begin };
                let digit = DIGITS.find(c).ok_or_else(|| no_digit(definition, text, at))?;
                value = value * 62 + digit;
            }
            let n = usize::from(orbit.orientations());
            let Some(&piece) = kinds.get(value / n) else {
                let found = quoted(&text[begin..begin + width as usize]);
                let expected = format!("a value below {}", kinds.len() * n);
                return Err((begin, Complaint::new(found, expected)));
            };
            let (modulus, turn) = (*moduli[&piece], narrow::<_, u8>(value % n));
            row.pieces.push(piece);
            row.modulus.push(modulus);
            row.orientation.push(if modulus == 0 { turn } else { turn % modulus });
        }
        rows.push(row);
    }
    if let Some((at, _)) = digits.next() {
        return Err((at, Complaint::new(quoted(&text[at..]), "the end of the line")));
    }
    let state = PuzzleState::new(definition.orbits(), rows).map_err(|complaint| (0, complaint))?;
    solved.same_pieces(&state).map_err(|(_, _, complaint)| (0, complaint))?;
    Ok(state)
}

fn no_digit(definition: &Definition, text: &str, at: usize) -> (usize, Complaint) {
    let orbits = definition.orbits();
    let length = |orbit: usize| orbits[orbit].pieces() * width(definition, orbit) as usize;
    let length: usize = (0..orbits.len()).map(length).sum();
    let found = match text[at..].chars().next() {
        Some(c) => quoted(c.encode_utf8(&mut [0; 4])),
        None => format!("the end after {} digits", text.len()),
    };
    (at, Complaint::new(found, format!("{length} digits of 0-9 A-Z a-z")))
}
