//! Uniformly random cubes. The same seed gives the same cubes in every release.

use crate::cube::{Cube, Parts};
use crate::cube2::Pocket;
use search::random::Random;

impl Cube {
    /// A random solvable cube. Each has the same probability.
    ///
    /// Corner and edge permutations, seven twists and eleven flips are drawn. The last twist and
    /// the last flip follow from the others. If the parities differ, two edges are swapped.
    pub fn random(random: &mut Random) -> Self {
        let mut parts = Parts::SOLVED;
        random.shuffle(&mut parts.corners);
        random.shuffle(&mut parts.edges);
        draw_twists(random, &mut parts);
        for slot in 0..11 {
            parts.flips[slot] = digit(random, 2);
        }
        parts.flips[11] = parts.flips[..11].iter().sum::<u8>() % 2;
        let cube = parts.pack();
        if cube.corners_odd() != cube.edges_odd() {
            parts.edges.swap(0, 1);
        }
        parts.pack()
    }
}

impl Pocket {
    /// A random solvable 2x2x2. Each of the 88,179,840 states has the same probability. Rotations
    /// of the whole puzzle count as different states.
    pub fn random(random: &mut Random) -> Self {
        let mut parts = Parts::SOLVED;
        random.shuffle(&mut parts.corners);
        draw_twists(random, &mut parts);
        parts.pack().into()
    }
}

/// Draws seven twists, and sets the last one so that the sum is divisible by 3.
fn draw_twists(random: &mut Random, parts: &mut Parts) {
    for slot in 0..7 {
        parts.twists[slot] = digit(random, 3);
    }
    parts.twists[7] = (21 - parts.twists[..7].iter().sum::<u8>()) % 3;
}

/// A random integer below `end`.
#[expect(clippy::cast_possible_truncation, reason = "below a byte")]
fn digit(random: &mut Random, end: u8) -> u8 {
    random.below(u64::from(end)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facelets::Facelets;

    #[test]
    fn random_cubes_are_legal_and_differ() {
        let mut random = Random::new(1);
        let cubes: Vec<Cube> = (0..1000).map(|_| Cube::random(&mut random)).collect();
        assert!(cubes.iter().all(|cube| cube.check().is_ok()));
        assert!(cubes.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_seed_gives_the_same_cubes_in_every_release() {
        let text = |seed| Facelets::from(&Cube::random(&mut Random::new(seed))).to_string();
        assert_eq!(text(0), "BUBDULUULBURBRRRFLFFUFFLFRURBFDDDDDBRLLRLLFBDDBUFBUDRL");
        assert_eq!(text(u64::MAX), "BUFDUBLLFRLLDRDUURUFDFFLBDBLBLFDRUUDRRFRLRFUDDBUFBBBLR");
    }

    #[test]
    fn every_piece_is_everywhere_equally_often() {
        let mut random = Random::new(7);
        let (mut corners, mut edges) = ([[0_u32; 24]; 8], [[0_u32; 24]; 12]);
        const RUNS: u32 = 48_000;
        for _ in 0..RUNS {
            let cube = Cube::random(&mut random);
            for slot in 0..8 {
                corners[slot][usize::from(cube.corner(slot) * 3 + cube.twist(slot))] += 1;
            }
            for slot in 0..12 {
                edges[slot][usize::from(cube.edge(slot) * 2 + cube.flip(slot))] += 1;
            }
        }
        // Each is expected 2,000 times, with a standard deviation of 44. All are within six
        // standard deviations.
        for &count in corners.iter().chain(&edges).flatten() {
            assert!(count.abs_diff(RUNS / 24) < 265, "{count}");
        }
    }
}
