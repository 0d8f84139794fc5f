//! A duplicate pruning: no face twice in a row, and opposite faces only in a fixed order.

use super::FaceTurns;
use search::{Op, Pruning};

/// Allows no face twice in a row, and opposite faces only with U before D, R before L, F before B.
/// Each forbidden string has an equivalent that turns the same faces, by amounts that are operators
/// of the same phase. So both phases may use this pruning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceOrder;

/// Indexed by the last face (6 for none): the operators that may follow, as bits.
const AFTER: [u32; 7] = {
    let mut after = [0x3_ffff; 7];
    let mut face = 0;
    while face < 6 {
        after[face] &= !(7 << (3 * face));
        if face >= 3 {
            after[face] &= !(7 << (3 * (face - 3)));
        }
        face += 1;
    }
    after
};

impl Pruning<FaceTurns> for FaceOrder {
    /// The last face that was turned; 6 at the start.
    type State = u8;
    fn start(&self, _: &FaceTurns, _: &crate::Cube) -> u8 {
        6
    }
    #[inline(always)]
    fn allowed(&self, _: &FaceTurns, at: u8) -> u32 {
        AFTER[usize::from(at)]
    }
    #[inline(always)]
    fn next(&self, _: &FaceTurns, _: u8, op: Op) -> u8 {
        u8::try_from(op.index() / 3).unwrap_or(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::domain::CubeMetric;
    use search::random::Random;
    use search::testing::check_pruning;

    #[test]
    fn every_layer_survives() {
        let starts = [Cube::SOLVED, Cube::random(&mut Random::new(3))];
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            check_pruning(&FaceTurns::new(metric), &FaceOrder, &starts, 4).unwrap();
        }
        let following: Vec<u32> = AFTER.iter().map(|set| set.count_ones()).collect();
        assert_eq!(following, [15, 15, 15, 12, 12, 12, 18]);
    }
}
