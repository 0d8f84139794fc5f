//! The face turns as byte cubes.

use super::ByteCube;
use crate::turns::turn_parts;

/// By face turn `3 * face + quarter turns - 1`: the turn and its inverse.
pub(super) static TURNS: [(ByteCube, ByteCube); 18] = {
    let mut turns = [(ByteCube::SOLVED, ByteCube::SOLVED); 18];
    let mut turn = 0;
    while turn < 18 {
        let back = turn - turn % 3 + 2 - turn % 3;
        turns[turn] =
            (ByteCube::from_parts(&turn_parts(turn)), ByteCube::from_parts(&turn_parts(back)));
        turn += 1;
    }
    turns
};
