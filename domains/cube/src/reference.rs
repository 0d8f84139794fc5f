//! A simple and slow implementation of the cube, to check plans: 54 stickers in space, turned by
//! geometry. It shares no code with the search.

use crate::domain::CubeMetric;
use crate::facelets::Facelets;
use search::Op;
use search::plan::Reference;

/// A vector with coordinates to the right, up, and to the front.
pub(crate) type Vector = [i8; 3];

/// For each of the faces U R F D L B: its outward normal, and the directions of columns and rows in
/// the net.
pub(crate) const FACES: [(Vector, Vector, Vector); 6] = [
    ([0, 1, 0], [1, 0, 0], [0, 0, 1]),
    ([1, 0, 0], [0, 0, -1], [0, -1, 0]),
    ([0, 0, 1], [1, 0, 0], [0, -1, 0]),
    ([0, -1, 0], [1, 0, 0], [0, 0, -1]),
    ([-1, 0, 0], [0, 0, 1], [0, -1, 0]),
    ([0, 0, -1], [-1, 0, 0], [0, -1, 0]),
];

/// How face turns move `N` stickers.
#[derive(Clone, Debug)]
pub(crate) struct Stickers<const N: usize> {
    /// For each operator of a face: how many quarters it turns.
    amounts: &'static [usize],
    /// Indexed by face, then place: the sticker that a clockwise quarter turn brings there.
    quarter: [[usize; N]; 6],
}

impl<const N: usize> Stickers<N> {
    /// The turns of stickers in a metric. `place` gives, for each facelet, the position of its
    /// cubie and the outward direction of the facelet. A face turn moves the cubies whose
    /// coordinate along the face's normal is 1.
    pub(crate) fn new(metric: CubeMetric, place: impl Fn(usize) -> (Vector, Vector)) -> Self {
        let amounts: &[usize] = match metric {
            CubeMetric::HalfTurn => &[1, 2, 3],
            CubeMetric::QuarterTurn => &[1, 3],
        };
        let places: [(Vector, Vector); N] = std::array::from_fn(place);
        let quarter = FACES.map(|(normal, ..)| {
            let mut brought: [usize; N] = std::array::from_fn(|at| at);
            for (from, &(position, direction)) in places.iter().enumerate() {
                if dot(position, normal) == 1 {
                    let to = (turn(position, normal), turn(direction, normal));
                    let at = places.iter().position(|&place| place == to);
                    brought[at.expect("a turn permutes the stickers")] = from;
                }
            }
            brought
        });
        Self { amounts, quarter }
    }

    /// The colours after an operator. `None` if the metric has no such operator.
    pub(crate) fn turned<T: Copy>(&self, colours: &[T; N], op: Op) -> Option<[T; N]> {
        let brought = self.quarter.get(op.index() / self.amounts.len())?;
        let mut colours = *colours;
        for _ in 0..self.amounts[op.index() % self.amounts.len()] {
            colours = brought.map(|from| colours[from]);
        }
        Some(colours)
    }
}

/// A cube of stickers, to replay plans with [`search::plan::validate`].
///
/// It has the operators of [`Cube3`](crate::Cube3) in the same metric.
#[derive(Clone, Debug)]
pub struct FaceletCube(Stickers<54>);

impl FaceletCube {
    /// The cube with the operators of a metric.
    pub fn new(metric: CubeMetric) -> Self {
        Self(Stickers::new(metric, place))
    }
}

impl Reference for FaceletCube {
    type State = Facelets;

    fn successor(&self, state: &Facelets, op: Op) -> Option<Facelets> {
        self.0.turned(&state.0, op).map(Facelets)
    }

    /// Whether each face has only one colour.
    fn is_solved(&self, state: &Facelets) -> bool {
        state.0.chunks(9).all(|face| face.iter().all(|colour| *colour == face[0]))
    }
}

/// The position of the cubie that a facelet belongs to, and the outward direction of the facelet.
fn place(facelet: usize) -> (Vector, Vector) {
    let (normal, right, down) = FACES[facelet / 9];
    let step = |vector: Vector, steps: usize| match steps {
        0 => vector.map(|x| -x),
        1 => [0; 3],
        _ => vector,
    };
    let (right, down) = (step(right, facelet % 3), step(down, facelet % 9 / 3));
    (std::array::from_fn(|i| normal[i] + right[i] + down[i]), normal)
}

fn dot(a: Vector, b: Vector) -> i8 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// A vector after a clockwise quarter turn about an axis, as seen from the axis's tip. The
/// component along the axis stays. The rest becomes its cross product with the axis.
fn turn(vector: Vector, axis: Vector) -> Vector {
    let along = dot(vector, axis);
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        along * axis[i] + vector[j] * axis[k] - vector[k] * axis[j]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::domain::Cube3;
    use proptest::prelude::*;
    use search::plan::{Invalid, validate};
    use search::{Domain, Reversible};

    proptest! {
        #[test]
        fn stickers_and_cubies_agree(ops in proptest::collection::vec(0_u16..18, 1..60)) {
            for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
                let (domain, reference) = (Cube3::new(metric), FaceletCube::new(metric));
                let (mut cube, mut next) = (Cube::SOLVED, Cube::SOLVED);
                let mut stickers = Facelets::from(&cube);
                for op in ops.iter().map(|op| Op(op % Op::new(domain.operators()).0)) {
                    domain.apply_into(&cube, op, &mut next);
                    cube = next;
                    stickers = reference.successor(&stickers, op).unwrap();
                    prop_assert_eq!(stickers, Facelets::from(&cube));
                    prop_assert_eq!(reference.is_solved(&stickers), domain.is_goal(&cube));
                }
            }
        }
    }

    #[test]
    fn plans_are_replayed() {
        let (domain, reference) =
            (Cube3::new(CubeMetric::QuarterTurn), FaceletCube::new(CubeMetric::QuarterTurn));
        let mut state = Cube::SOLVED;
        domain.apply_into(&Cube::SOLVED, Op(7), &mut state);
        let start = Facelets::from(&state);
        assert_eq!(validate(&reference, &start, &[domain.inverse_op(Op(7))]), Ok(()));
        assert_eq!(validate(&reference, &start, &[Op(7)]), Err(Invalid::NotSolved));
        assert_eq!(
            validate(&reference, &start, &[Op(12)]),
            Err(Invalid::NotApplicable { place: 0, op: Op(12) })
        );
    }
}
