//! Manhattan distance of the 2x2x2: how far each corner is from home if the others do not matter.

use super::domain::Cube2;
use super::pocket::{Pocket, place};
use crate::domain::CubeMetric;
use crate::manhattan::distances;
use crate::turns::{places_after, turn_parts};
use search::{Claims, Cost, Domain, Heuristic, Op, Verdict};

/// A quarter of the sum of the corners' distances, rounded up.
///
/// The distance of a corner is the least number of turns of U, R and F that bring it home with its
/// twist. After Richard Korf ("Finding optimal solutions to Rubik's cube using pattern databases",
/// AAAI 1997), with one corner fixed.
///
/// Admissible: yes (a turn acts on four corners and brings each at most one nearer). Consistent:
/// yes (so the sum never falls by more than four).
#[derive(Clone, Debug)]
pub struct PocketManhattan {
    /// Indexed by corner, then by `3 * slot + twist`: the distance in moves. Places that the corner
    /// cannot have get a large number, which is never read.
    corners: [[Cost; 24]; 8],
}

impl PocketManhattan {
    /// The heuristic for a metric.
    pub fn new(metric: CubeMetric) -> Self {
        let domain = Cube2::new(metric);
        let turns = (0..domain.operators()).map(|op| turn_parts(domain.turn(Op::new(op))));
        let moves: Vec<_> = turns.map(|turn| places_after(&turn.corners, &turn.twists)).collect();
        Self { corners: std::array::from_fn(|corner| distances(3 * corner, &moves)) }
    }
}

impl Heuristic<Cube2> for PocketManhattan {
    search::carry_nothing! { Cube2 }
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    #[inline(always)]
    fn bound(&self, _: &Cube2, state: &Pocket, (): &mut (), _: Cost) -> Verdict<u32> {
        let far = |slot| {
            let (corner, at) = place(state, slot);
            self.corners[corner][at]
        };
        Verdict::bound((0..8).map(far).sum::<Cost>().div_ceil(4))
    }
}
