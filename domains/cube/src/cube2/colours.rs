//! Finds the colour of each face of a 2x2x2, without centres to show it.

use crate::facelets::CORNERS as OF_54;
use crate::turns::FACES;
use std::array::from_fn;

/// The usual letters of colours, in the order U R F D L B: white, red, green, yellow, orange, blue.
pub(crate) const USUAL: [char; 6] = ['W', 'R', 'G', 'Y', 'O', 'B'];

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

/// The symbol of each face U R F D L B in 24 stickers.
///
/// If all symbols are letters of faces, each stands for its own face. Otherwise the result is an
/// assignment of six symbols to faces that makes valid corners: it `fits`. The usual letters of
/// colours are tried in their usual order first. Assignments that make valid corners differ only in
/// how the puzzle is held. If none does, the result is the first one tried. With fewer or more than
/// six symbols, the result is the usual letters of colours or the letters of faces.
pub(super) fn colours(symbols: &[char], fits: &dyn Fn(&[char; 6]) -> bool) -> [char; 6] {
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

/// All orders of six faces. The usual one comes first.
pub(crate) fn permutations() -> Vec<[usize; 6]> {
    let mut all = vec![[0, 1, 2, 3, 4, 5]];
    for first in 0..5 {
        for at in 0..all.len() {
            for other in first + 1..6 {
                let mut order = all[at];
                order.swap(first, other);
                all.push(order);
            }
        }
    }
    all
}
