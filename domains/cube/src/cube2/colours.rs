//! Finds the colour of each face of a 2x2x2, without centres to show it.

use super::facelets::{CORNERS, PocketFacelets};
use crate::notation::permutations;
use crate::turns::FACES;
use std::array::from_fn;

/// The usual letters of colours, in the order U R F D L B: white, red, green, yellow, orange, blue.
pub(crate) const USUAL: [char; 6] = ['W', 'R', 'G', 'Y', 'O', 'B'];

/// The symbol of each face U R F D L B in 24 stickers.
///
/// If all symbols are letters of faces, each stands for its own face. Otherwise the result is an
/// assignment of six symbols to faces that makes valid corners. The usual letters of colours are
/// tried in their usual order first. Assignments that make valid corners differ only in how the
/// puzzle is held. If none does, the result is the first one tried. With fewer or more than six
/// symbols, the result is the usual letters of colours or the letters of faces.
pub(super) fn colours(symbols: &[char]) -> [char; 6] {
    if symbols.iter().all(|symbol| FACES.contains(symbol)) {
        return FACES;
    }
    let mut six: Vec<char> = Vec::new();
    symbols.iter().for_each(|symbol| {
        if !six.contains(symbol) {
            six.push(*symbol);
        }
    });
    let usual = symbols.iter().all(|symbol| USUAL.contains(symbol));
    let Ok(six): Result<[char; 6], _> = six.try_into() else {
        return if usual { USUAL } else { FACES };
    };
    let first = if usual { USUAL } else { six };
    let fits = |faces: &[char; 6]| {
        let read = PocketFacelets::named(symbols, faces).and_then(|read| read.to_pocket());
        read.is_ok()
    };
    // Colours of opposite faces share no corner. That alone leaves few assignments.
    let corners = CORNERS.map(|corner| corner.map(|facelet| symbols[usize::from(facelet)]));
    let together = |one: usize, other: usize| {
        corners.iter().any(|at| at.contains(&first[one]) && at.contains(&first[other]))
    };
    let shared: [[bool; 6]; 6] = from_fn(|one| from_fn(|other| together(one, other)));
    let apart = |order: &[usize; 6]| (0..3).all(|face| !shared[order[face]][order[face + 3]]);
    let others = permutations().into_iter().filter(apart);
    others.map(|order| order.map(|place| first[place])).find(fits).unwrap_or(first)
}
