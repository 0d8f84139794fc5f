//! A simple and slow implementation of the 2x2x2, to check plans: 24 stickers in space, turned by
//! geometry.
//!
//! It shares no code with the states of the search.

use super::facelets::PocketFacelets;
use crate::domain::CubeMetric;
use crate::reference::{FACES, Stickers, Vector};
use search::Op;
use search::plan::Reference;

/// A 2x2x2 of stickers, to replay plans with [`search::plan::validate`].
///
/// It has the operators of [`Cube3`](crate::Cube3) in the same metric, for all six faces. The
/// operators of [`Cube2`](super::Cube2) are the first of them.
#[derive(Clone, Debug)]
pub struct FaceletPocket(Stickers<24>);

impl FaceletPocket {
    /// The puzzle with the operators of a metric.
    pub fn new(metric: CubeMetric) -> Self {
        Self(Stickers::new(metric, place))
    }
}

impl Reference for FaceletPocket {
    type State = PocketFacelets;

    fn successor(&self, state: &PocketFacelets, op: Op) -> Option<PocketFacelets> {
        self.0.turned(&state.0, op).map(PocketFacelets)
    }

    /// Whether each face has only one colour.
    fn is_solved(&self, state: &PocketFacelets) -> bool {
        state.0.chunks(4).all(|face| face.iter().all(|colour| *colour == face[0]))
    }
}

/// The corner (coordinates 1 or -1) that a facelet belongs to, and the outward direction of the
/// facelet.
fn place(facelet: usize) -> (Vector, Vector) {
    let (normal, right, down) = FACES[facelet / 4];
    let way = |vector: Vector, forward: bool| if forward { vector } else { vector.map(|x| -x) };
    let (right, down) = (way(right, facelet % 2 == 1), way(down, facelet % 4 >= 2));
    (std::array::from_fn(|i| normal[i] + right[i] + down[i]), normal)
}
