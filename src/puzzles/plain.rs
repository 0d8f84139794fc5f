//! Cubes as the lines of a plain puzzle: places whose pieces all look different.

use super::encodings::{Contents, Effect};
use proofs::plain::{PlainBlock, PlainError, PlainMove, PlainPuzzle};

/// The puzzle with these orbits and operators of cost 1. The goal is the state where each piece is
/// in the slot of its own number, without a turn.
///
/// # Errors
/// If two operators have one name.
pub(super) fn of_pieces(
    orbits: &[PlainBlock],
    operators: Vec<(String, Effect)>,
) -> Result<PlainPuzzle, PlainError> {
    let one = |(name, effect): (String, Effect)| PlainMove {
        name,
        cost: 1,
        effect: stickers(orbits, &effect),
    };
    let points: usize = orbits.iter().map(|orbit| orbit.pieces * orbit.rotations).sum();
    let goal = (0..=u16::MAX).take(points).collect();
    PlainPuzzle::of_blocks(orbits.to_vec(), operators.into_iter().map(one).collect(), goal)
}

/// The stickers of a state. An effect has the stickers that it brings into the solved state.
pub(super) fn stickers(orbits: &[PlainBlock], contents: &Contents) -> Vec<u16> {
    let mut stickers = Vec::new();
    let (mut contents, mut first) = (contents.iter(), 0);
    for &PlainBlock { pieces, rotations } in orbits {
        for &(piece, turn) in contents.by_ref().take(pieces) {
            let sticker = |i: usize| first + piece * rotations + (i + turn) % rotations;
            stickers.extend((0..rotations).filter_map(|i| u16::try_from(sticker(i)).ok()));
        }
        first += pieces * rotations;
    }
    stickers
}
