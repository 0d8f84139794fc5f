//! The symmetric images of a state: [`Frame`].

use crate::{Generators, Pieces};
use groups::{GroupError, Permutation, symmetries_until};
use search::Op;
use std::cell::Cell;

/// The most symmetries of a puzzle.
const MOST: usize = 240;

/// The most points, times operators, of a puzzle whose symmetries are looked for.
const LARGEST: usize = 100_000;

/// The steps of a search for symmetries: less than two seconds.
const STEPS: u32 = 50_000;

/// A symmetry of the operators under which the goal stays the goal. A word for the image of a state
/// is the image of a word for the state.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// For each piece: the piece that its image is, and by how much the image is turned at home.
    pieces: Vec<(usize, u16)>,
    points: Permutation,
    /// For each operator: the one whose image it is.
    origins: Vec<Op>,
}

impl Frame {
    /// The frames of a puzzle: the identity, and the symmetries that take pieces of a class to
    /// pieces of a class. None of a large puzzle, or if they take long to find.
    pub(crate) fn all(
        generators: &Generators,
        pieces: &Pieces,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Self>, GroupError> {
        if generators.points() * generators.len() > LARGEST {
            return Ok(Vec::new());
        }
        let all = (0..generators.len()).map(Op::new);
        let labelled: Vec<_> = all
            .map(|op| (generators.elements()[op.index()].clone(), generators.cost(op)))
            .collect();
        let steps = Cell::new(0);
        // One question for each step.
        let ends = || {
            steps.set(steps.get() + 1);
            steps.get() > STEPS || stop()
        };
        let found = symmetries_until(generators.points(), &labelled, MOST, &ends)?;
        let frame = |symmetry: &groups::Symmetry| {
            let images = pieces.mapped(&symmetry.points)?;
            let mut origins = vec![Op(0); generators.len()];
            for (op, &image) in symmetry.operators.iter().enumerate() {
                origins[image] = Op::new(op);
            }
            Some(Self { pieces: images, points: symmetry.points.clone(), origins })
        };
        Ok(found.iter().filter_map(frame).collect())
    }

    /// The image of a state: where the pieces lie.
    pub(crate) fn image(&self, pieces: &Pieces, images: &[u16]) -> Vec<u16> {
        let mut out = vec![0; images.len()];
        for (&(piece, turn), &image) in self.pieces.iter().zip(images) {
            out[piece] = pieces.turn(self.points.image(image), turn);
        }
        out
    }

    /// The word whose image is this word.
    pub(crate) fn origin(&self, word: &[Op]) -> Vec<Op> {
        word.iter().map(|op| self.origins[op.index()]).collect()
    }
}
