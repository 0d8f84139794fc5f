//! The slow twin of the 2x2x2: 24 stickers in space, turned by geometry.
//!
//! It shares no code with the corners that are searched.

use super::facelets::PocketFacelets;
use crate::domain::CubeMetric;
use crate::reference::{FACES, Stickers, Vector};
use search::Op;
use search::plan::Reference;

/// A 2x2x2 of stickers, for [`search::plan::validate`].
///
/// It accepts the operators of [`Cube3`](crate::Cube3) in the same metric, of all six faces. The
/// first ones are those of [`Cube2`](super::Cube2).
#[derive(Clone, Debug)]
pub struct FaceletPocket(Stickers<24>);

impl FaceletPocket {
    /// The twin in a metric.
    pub fn new(metric: CubeMetric) -> Self {
        Self(Stickers::new(metric, place))
    }
}

impl Reference for FaceletPocket {
    type State = PocketFacelets;

    fn successor(&self, state: &PocketFacelets, op: Op) -> Option<PocketFacelets> {
        self.0.turned(&state.0, op).map(PocketFacelets)
    }

    /// Solved if each face has one colour.
    fn is_solved(&self, state: &PocketFacelets) -> bool {
        state.0.chunks(4).all(|face| face.iter().all(|colour| *colour == face[0]))
    }
}

/// The corner of a facelet, with coordinates 1 or -1, and the direction in which the facelet looks.
fn place(facelet: usize) -> (Vector, Vector) {
    let (normal, right, down) = FACES[facelet / 4];
    let way = |vector: Vector, forward: bool| if forward { vector } else { vector.map(|x| -x) };
    let (right, down) = (way(right, facelet % 2 == 1), way(down, facelet % 4 >= 2));
    (std::array::from_fn(|i| normal[i] + right[i] + down[i]), normal)
}
