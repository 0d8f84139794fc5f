//! Pieces of the cube as points of permutation groups.

use fewest::Failure;
use fewest::cube::{Cube, Parts};
use fewest::groups::{BigUint, Permutation, StabilizerChain};

/// Number of places of corners, and of edges.
const PLACES: u16 = 24;

/// The places of all pieces as points. Point `3 s + t` is corner slot `s` with twist `t`, point `24
/// + 2 s + f` is edge slot `s` with flip `f`.
pub(super) fn places(parts: &Parts) -> Result<Permutation, Failure> {
    let mut images = vec![0; 2 * usize::from(PLACES)];
    spread(&mut images, (0, 3), &parts.corners, &parts.twists);
    spread(&mut images, (PLACES, 2), &parts.edges, &parts.flips);
    Permutation::new(images).map_err(Failure::of_group)
}

/// The edges as points: point `p` below 12 is slot `p`, and point `12 + 2 s + f` is slot `s` with
/// flip `f`.
pub(super) fn edges(parts: &Parts) -> Result<Permutation, Failure> {
    let mut images = vec![0; 12 + usize::from(PLACES)];
    spread(&mut images, (0, 1), &parts.edges, &[0; 12]);
    spread(&mut images, (12, 2), &parts.edges, &parts.flips);
    Permutation::new(images).map_err(Failure::of_group)
}

/// Writes where a turn takes the places of pieces. They begin at point `first`. A slot has `size`
/// places, one for each orientation.
fn spread(images: &mut [u16], (first, size): (u16, u16), pieces: &[u8], turned: &[u8]) {
    for (to, (&from, &by)) in (0..).zip(pieces.iter().zip(turned)) {
        for orientation in 0..size {
            let place = first + u16::from(from) * size + orientation;
            images[usize::from(place)] = first + to * size + (orientation + u16::from(by)) % size;
        }
    }
}

/// The parts of a face turn `3 * face + quarter turns - 1`.
pub(super) fn turn(turn: usize) -> Parts {
    Cube::SOLVED.turned(turn).parts()
}

/// The order of the group that these generate, by the method of Schreier and Sims.
pub(super) fn order(generators: &[Parts], stop: &dyn Fn() -> bool) -> Result<BigUint, Failure> {
    let generators = generators.iter().map(places).collect::<Result<Vec<_>, _>>()?;
    let points = 2 * usize::from(PLACES);
    let chain = StabilizerChain::new_until(points, &generators, &[], stop);
    Ok(chain.map_err(Failure::of_group)?.order())
}

/// An order as a number. The groups of the cube are smaller than 2^128.
pub(super) fn number(order: &BigUint) -> u128 {
    u128::try_from(order).unwrap_or(u128::MAX)
}
