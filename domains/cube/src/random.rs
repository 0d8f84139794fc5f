//! Uniformly random cubes that stay the same for the same seed in every release.

use crate::cube::{Cube, Parts};
use crate::cube2::Pocket;

/// A stream of random integers and cubes: that of [`search::random`].
#[derive(Clone, Debug)]
pub struct Random(search::random::Random);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(search::random::Random::new(seed))
    }

    /// As [`search::random::Random::below`].
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.below(end)
    }

    /// A small integer below `end`.
    #[expect(clippy::cast_possible_truncation, reason = "below a byte")]
    fn digit(&mut self, end: u8) -> u8 {
        self.below(u64::from(end)) as u8
    }

    /// A cube that face turns can solve, each with the same probability.
    ///
    /// Corners, edges, seven twists and eleven flips are free; the last twist, the last flip and, by a swap of two edges, the
    /// parity follow.
    pub fn cube(&mut self) -> Cube {
        let mut parts = Parts::SOLVED;
        self.0.shuffle(&mut parts.corners);
        self.0.shuffle(&mut parts.edges);
        self.twists(&mut parts);
        for slot in 0..11 {
            parts.flips[slot] = self.digit(2);
        }
        parts.flips[11] = parts.flips[..11].iter().sum::<u8>() % 2;
        let cube = parts.pack();
        if cube.corners_odd() != cube.edges_odd() {
            parts.edges.swap(0, 1);
        }
        parts.pack()
    }

    /// The corners of a cube, for a puzzle that has nothing else: each of the 88,179,840 that turns can solve with the same probability.
    pub fn pocket(&mut self) -> Pocket {
        let mut parts = Parts::SOLVED;
        self.0.shuffle(&mut parts.corners);
        self.twists(&mut parts);
        parts.pack().into()
    }

    /// Seven twists are free, and the last one follows.
    fn twists(&mut self, parts: &mut Parts) {
        for slot in 0..7 {
            parts.twists[slot] = self.digit(3);
        }
        parts.twists[7] = (21 - parts.twists[..7].iter().sum::<u8>()) % 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facelets::Facelets;

    #[test]
    fn random_cubes_are_legal_and_differ() {
        let mut random = Random::new(1);
        let cubes: Vec<Cube> = (0..1000).map(|_| random.cube()).collect();
        assert!(cubes.iter().all(|cube| cube.check().is_ok()));
        assert!(cubes.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_seed_gives_the_same_cubes_in_every_release() {
        let text = |seed| Facelets::from(&Random::new(seed).cube()).to_string();
        assert_eq!(text(0), "BUBDULUULBURBRRRFLFFUFFLFRURBFDDDDDBRLLRLLFBDDBUFBUDRL");
        assert_eq!(text(u64::MAX), "BUFDUBLLFRLLDRDUURUFDFFLBDBLBLFDRUUDRRFRLRFUDDBUFBBBLR");
    }

    #[test]
    fn every_piece_is_everywhere_equally_often() {
        let mut random = Random::new(7);
        let (mut corners, mut edges) = ([[0_u32; 24]; 8], [[0_u32; 24]; 12]);
        const RUNS: u32 = 48_000;
        for _ in 0..RUNS {
            let cube = random.cube();
            for slot in 0..8 {
                corners[slot][usize::from(cube.corner(slot) * 3 + cube.twist(slot))] += 1;
            }
            for slot in 0..12 {
                edges[slot][usize::from(cube.edge(slot) * 2 + cube.flip(slot))] += 1;
            }
        }
        // Expected 2,000 each, standard deviation 44: nothing is six of them away.
        for &count in corners.iter().chain(&edges).flatten() {
            assert!(count.abs_diff(RUNS / 24) < 265, "{count}");
        }
    }
}
