//! The symmetric images of a state: [`Frame`].

use crate::{Generators, Pieces};
use groups::{GroupError, Permutation, Symmetry, symmetries_until};
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
        let frame = |found: Symmetry| Self::new(pieces, found.points, &found.operators);
        Ok(found.into_iter().filter_map(frame).collect())
    }

    /// The frame of a symmetry. `None` unless it takes pieces of a class to pieces of a class.
    fn new(pieces: &Pieces, points: Permutation, operators: &[usize]) -> Option<Self> {
        let mut origins = vec![Op(0); operators.len()];
        for (op, &image) in operators.iter().enumerate() {
            origins[image] = Op::new(op);
        }
        Some(Self { pieces: pieces.mapped(&points)?, points, origins })
    }

    /// The frame with these images of points and of operators. `None` if that is no symmetry.
    pub(crate) fn of_images(
        generators: &Generators,
        pieces: &Pieces,
        points: Vec<u16>,
        operators: &[u16],
    ) -> Option<Self> {
        let points = Permutation::new(points).ok()?;
        // Each operator is the image of one.
        let images = Permutation::new(operators.to_vec()).ok()?;
        let is_image = |(op, &image): (usize, &u16)| {
            let (from, to) = (&generators.elements()[op], &generators.elements()[image as usize]);
            let mut all = (0..).zip(points.images());
            generators.cost(Op::new(op)) == generators.cost(Op(image))
                && all.all(|(point, &at)| points.image(from.image(point)) == to.image(at))
        };
        let fits = images.points() == generators.len() && points.points() == generators.points();
        if !fits || !images.images().iter().enumerate().all(is_image) {
            return None;
        }
        let operators: Vec<usize> = operators.iter().map(|&op| op.into()).collect();
        Self::new(pieces, points, &operators)
    }

    /// The images of the points and of the operators.
    pub(crate) fn images(&self) -> (&[u16], Vec<usize>) {
        let mut operators = vec![0; self.origins.len()];
        for (image, op) in self.origins.iter().enumerate() {
            operators[op.index()] = image;
        }
        (self.points.images(), operators)
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
