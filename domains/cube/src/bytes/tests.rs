//! Byte cubes agree with packed cubes, and vector instructions with simple loops.

use super::{ByteCube, ByteCube3};
use crate::{Cube, Cube3, CubeMetric};
use search::random::Random;
use search::testing::check_group;
use search::{Domain, Group, Op, Packed, TwoSided, TwoSidedState};

/// `count` random cubes, each with its inverse.
pub(crate) fn cubes(count: usize) -> Vec<TwoSidedState<ByteCube>> {
    let mut random = Random::new(5);
    let both =
        |cube: Cube| TwoSidedState { position: (&cube).into(), inverse: (&cube.inverse()).into() };
    std::iter::once(Cube::SOLVED)
        .chain((1..count).map(|_| Cube::random(&mut random)))
        .map(both)
        .collect()
}

#[test]
fn bytes_and_words_are_the_same_group() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let plain = Cube3::new(metric);
        let bytes = ByteCube3::scalar(plain);
        let some: Vec<_> = cubes(20).into_iter().map(|both| both.position).collect();
        check_group(&bytes, &some).unwrap();
        for &state in &some {
            let cube = Cube::from(&state);
            assert_eq!(ByteCube::from(&cube), state);
            assert_eq!(
                (bytes.pack(&state), bytes.parity(&state)),
                (plain.pack(&cube), plain.parity(&cube))
            );
            for op in (0..plain.operators()).map(Op::new) {
                let (mut next, mut left) = (state, state);
                bytes.apply_into(&state, op, &mut next);
                assert_eq!(Cube::from(&next), cube.turned(plain.turn(op)));
                bytes.apply_inverse_left(&state, op, &mut left);
                assert_eq!(Cube::from(&left), cube.turned_back_left(plain.turn(op)));
            }
        }
    }
}

#[test]
fn the_vector_unit_turns_as_plain_loops_do() {
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let plain = Cube3::new(metric);
        let (scalar, vector) =
            (TwoSided(ByteCube3::scalar(plain)), TwoSided(ByteCube3::new(plain)));
        let n = plain.operators();
        for from in cubes(200) {
            for ends in [0..n, n..2 * n, 0..2 * n] {
                let ops: Vec<Op> = ends.map(Op::new).collect();
                let (mut a, mut b) = (vec![from; ops.len()], vec![from; ops.len()]);
                scalar.successors(|_| &from, &ops, &mut a);
                vector.successors(|_| &from, &ops, &mut b);
                assert_eq!(a, b);
                for (&op, to) in ops.iter().zip(&a) {
                    let mut one = from;
                    scalar.apply_into(&from, op, &mut one);
                    assert_eq!(*to, one);
                    assert_eq!(scalar.state(&to.position), *to);
                }
            }
        }
    }
}
