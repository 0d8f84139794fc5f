//! The slow twin of the 2x2x2: 24 stickers in space, turned by geometry, which shares no code with the corners that are searched.

use super::facelets::Facelets;
use crate::domain::Metric;
use crate::reference::{FACES, Vector, dot, turn};
use search::Op;
use search::plan::Reference;

/// A 2x2x2 of stickers, for [`search::plan::validate`]. It accepts the operators of [`Cube3`](crate::Cube3) in the same metric, all six
/// faces; the first ones are those of [`Cube2`](super::Cube2).
#[derive(Clone, Debug)]
pub struct FaceletPocket {
    /// Quarters of the operators of a face.
    amounts: &'static [usize],
    /// By face: the sticker that a clockwise quarter turn brings to each place.
    quarter: [[usize; 24]; 6],
}

impl FaceletPocket {
    /// The twin in a metric.
    pub fn new(metric: Metric) -> Self {
        let amounts: &[usize] = match metric {
            Metric::HalfTurn => &[1, 2, 3],
            Metric::QuarterTurn => &[1, 3],
        };
        let places: [(Vector, Vector); 24] = std::array::from_fn(place);
        let quarter = FACES.map(|(normal, ..)| {
            let mut brought: [usize; 24] = std::array::from_fn(|at| at);
            for (from, &(position, direction)) in places.iter().enumerate() {
                if dot(position, normal) == 1 {
                    let to = (turn(position, normal), turn(direction, normal));
                    let at = places.iter().position(|&place| place == to);
                    brought[at.unwrap_or(from)] = from;
                }
            }
            brought
        });
        Self { amounts, quarter }
    }
}

impl Reference for FaceletPocket {
    type State = Facelets;

    fn successor(&self, state: &Facelets, op: Op) -> Option<Facelets> {
        let brought = self.quarter.get(op.index() / self.amounts.len())?;
        let mut state = *state;
        for _ in 0..self.amounts[op.index() % self.amounts.len()] {
            state = Facelets(brought.map(|from| state.0[from]));
        }
        Some(state)
    }

    /// Each face has one colour, whichever.
    fn is_solved(&self, state: &Facelets) -> bool {
        state.0.chunks(4).all(|face| face.iter().all(|colour| *colour == face[0]))
    }
}

/// The corner of a facelet, all its coordinates 1 or -1, and the direction in which the facelet looks.
fn place(facelet: usize) -> (Vector, Vector) {
    let (normal, right, down) = FACES[facelet / 4];
    let way = |vector: Vector, forward: bool| if forward { vector } else { vector.map(|x| -x) };
    let (right, down) = (way(right, facelet % 2 == 1), way(down, facelet % 4 >= 2));
    (std::array::from_fn(|i| normal[i] + right[i] + down[i]), normal)
}
