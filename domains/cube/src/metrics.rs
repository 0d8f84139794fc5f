//! Metrics of the 3x3x3 for Bayesian greedy search.

use crate::cube::Cube;
use crate::facelets::Facelets;
use crate::symmetry::{axis_turns, conjugate};
use crate::two_phase::TwoPhase;
use search::bayes::Metrics;
use std::sync::Arc;

/// Metrics of a cube, by Joe Fowler (master's thesis, 2002, chapter 4).
///
/// | name | values | meaning |
/// |---|---|---|
/// | `home` | 0 to 20 | pieces at home with the right orientation |
/// | `colours` | 0 to 33 | squared colours, less 90, divided by 12 |
/// | `subgroups` | 0 to 39 | distances to three subgroups, such as `<U, D, R2, L2, F2, B2>` |
///
/// Squared colours are the sum over faces and colours of the squared number of facelets. There is a
/// subgroup for each axis; `subgroups` is the sum of lower bounds on the distances to them. The
/// bounds are those of the first phase of the two-phase search, in its metric.
pub fn cube_metrics(two_phase: Arc<TwoPhase>) -> Metrics<Cube> {
    let images = axis_turns();
    let subgroups = move |cube: &Cube| {
        images.iter().map(|&image| two_phase.subgroup_bound(&conjugate(image, cube))).sum()
    };
    Metrics::new().with("home", 21, home).with("colours", 34, colours).with(
        "subgroups",
        40,
        subgroups,
    )
}

/// Pieces at home with the right orientation.
fn home(cube: &Cube) -> u8 {
    let corner = |&slot: &u8| {
        let at = usize::from(slot);
        cube.corner(at) == slot && cube.twist(at) == 0
    };
    let edge = |&slot: &u8| {
        let at = usize::from(slot);
        cube.edge(at) == slot && cube.flip(at) == 0
    };
    (0..8).filter(corner).chain((0..12).filter(edge)).map(|_| 1).sum()
}

/// Squared colours of each face.
fn colours(cube: &Cube) -> u8 {
    let facelets = Facelets::from(cube);
    let squares = facelets.0.chunks_exact(9).map(|face| {
        let mut counts = [0_u16; 6];
        face.iter().for_each(|&colour| counts[usize::from(colour)] += 1);
        counts.iter().map(|count| count * count).sum::<u16>()
    });
    u8::try_from((squares.sum::<u16>() - 90) / 12).expect("at most 486 - 90")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cube3, CubeMetric};
    use pdb::BuildOptions;
    use search::random::Random;

    #[test]
    fn metrics_of_some_cubes() {
        let two_phase = TwoPhase::build(CubeMetric::HalfTurn, &BuildOptions::default()).unwrap();
        let metrics = cube_metrics(Arc::new(two_phase));
        assert_eq!(metrics.names(), ["home", "colours", "subgroups"]);
        assert_eq!(metrics.read(&Cube::SOLVED)[..], [20, 33, 0]);
        // R leaves the subgroups of two axes. Four faces have six and three facelets of a colour:
        // 2 * 81 + 4 * (36 + 9) = 342.
        assert_eq!(metrics.read(&Cube::SOLVED.turned(3))[..], [12, 21, 2]);
        // R2 leaves none.
        assert_eq!(metrics.read(&Cube::SOLVED.turned(4))[..], [12, 21, 0]);
        let (domain, mut random) = (Cube3::new(CubeMetric::HalfTurn), Random::new(5));
        for cube in std::iter::repeat_with(|| Cube::random(&mut random)).take(200) {
            let values = metrics.read(&cube);
            for symmetry in axis_turns() {
                let image = conjugate(symmetry, &cube);
                assert_eq!(metrics.read(&image), values);
            }
            // Each bound changes by at most 1 in a step.
            for op in (0..search::Domain::operators(&domain)).map(search::Op::new) {
                let after = metrics.read(&cube.turned(domain.turn(op)));
                assert!(after[2].abs_diff(values[2]) <= 3);
            }
        }
    }
}
