//! Cubes as effects on their pieces.

use super::CubeGame;
use crate::puzzles::built_in::BuiltIn;
use crate::puzzles::cubes::contents;
use crate::puzzles::encodings::Effect;
use crate::puzzles::pieces::Pieces;
use cube::{Cube, Parts};
use search::{Domain, Op};

/// A slot holds what the effect brings there, so contents are effects.
impl Pieces<Cube> for CubeGame {
    fn orbits(&self) -> Vec<(usize, usize)> {
        vec![(8, 3), (12, 2)]
    }

    fn operators(&self) -> Vec<Effect> {
        let operator = |op: usize| {
            let mut turned = Cube::SOLVED;
            self.domain().apply_into(&Cube::SOLVED, Op::new(op), &mut turned);
            contents(&turned.parts(), true)
        };
        (0..self.domain().operators()).map(operator).collect()
    }

    fn effect(&self, state: &Cube) -> Option<Effect> {
        Some(contents(&state.parts(), true))
    }

    fn state(&self, effect: &Effect) -> Option<Cube> {
        let mut parts = Parts::SOLVED;
        let (corners, edges) = effect.split_at(8);
        let byte = |number: usize| u8::try_from(number).ok();
        for (slot, &(piece, twist)) in corners.iter().enumerate() {
            (parts.corners[slot], parts.twists[slot]) = (byte(piece)?, byte(twist)?);
        }
        for (slot, &(piece, flip)) in edges.iter().enumerate() {
            (parts.edges[slot], parts.flips[slot]) = (byte(piece)?, byte(flip)?);
        }
        Cube::from_parts(&parts).ok().filter(|cube| cube.check().is_ok())
    }
}
