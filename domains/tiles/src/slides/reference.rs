//! A simple and slow implementation of slides, to check plans. It shares no code with [`Slides`].
//!
//! [`Slides`]: crate::Slides

use crate::board::ReferenceTiles;
use search::Op;
use search::plan::Reference;

/// Slides of several tiles as single moves on a list of numbers, to replay plans with
/// [`search::plan::validate`].
///
/// It has the same operators as [`Slides`](crate::Slides).
#[derive(Clone, Debug)]
pub struct ReferenceSlides(ReferenceTiles);

impl ReferenceSlides {
    /// The puzzle with `columns` columns and a goal: the numbers row by row, 0 the blank.
    pub fn new(columns: usize, goal: Vec<u8>) -> Self {
        Self(ReferenceTiles::new(columns, goal))
    }
}

impl Reference for ReferenceSlides {
    type State = Vec<u8>;

    fn successor(&self, state: &Vec<u8>, Op(op): Op) -> Option<Vec<u8>> {
        let first = self.0.successor(state, Op(op % 4))?;
        (0..op / 4).try_fold(first, |state, _| self.0.successor(&state, Op(op % 4)))
    }

    fn is_solved(&self, state: &Vec<u8>) -> bool {
        self.0.is_solved(state)
    }
}
