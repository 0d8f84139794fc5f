//! States of definitions as effects on their pieces.

use super::FilePuzzle;
use crate::puzzles::encodings::Effect;
use crate::puzzles::pieces::Pieces;
use permutation::{PuzzleState, Transformation};
use search::Op;

impl FilePuzzle {
    /// The effect of a transformation.
    fn effect_of(&self, transformation: &Transformation) -> Effect {
        let orbits = 0..self.model.definition().orbits().len();
        let row = |orbit: usize| {
            let turns = transformation.delta(orbit).iter().map(|&turn| usize::from(turn));
            transformation.permutation(orbit).iter().map(|&from| usize::from(from)).zip(turns)
        };
        orbits.flat_map(row).collect()
    }
}

impl Pieces<PuzzleState> for FilePuzzle {
    fn orbits(&self) -> Vec<(usize, usize)> {
        let orbits = self.model.definition().orbits().iter();
        orbits.map(|orbit| (orbit.pieces(), orbit.orientations().into())).collect()
    }

    fn operators(&self) -> Vec<Effect> {
        let start = self.model.definition().start();
        let operators = (0..self.model.operators().list.len()).map(Op::new);
        let effect = |op| self.effect(&self.model.after(start, op));
        operators.filter_map(effect).collect()
    }

    fn effect(&self, state: &PuzzleState) -> Option<Effect> {
        Some(self.effect_of(&self.model.transformation(state)?))
    }

    fn state(&self, effect: &Effect) -> Option<PuzzleState> {
        let definition = self.model.definition();
        let mut slots = effect.iter();
        let row = |orbit: &permutation::Orbit| {
            let rows = slots.by_ref().take(orbit.pieces());
            let small = |&(from, turn): &(usize, usize)| {
                (u16::try_from(from).unwrap_or(u16::MAX), u8::try_from(turn).unwrap_or(u8::MAX))
            };
            Some(rows.map(small).unzip())
        };
        let rows = definition.orbits().iter().map(row).collect();
        let transformation = Transformation::new(definition.orbits(), rows).ok()?;
        let state = definition.start().apply(&transformation);
        self.held(state.clone()).ok().filter(|held| *held == state)
    }
}
