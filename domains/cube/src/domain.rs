//! The 3x3x3 cube as a domain: operators, goal, group, and packed states.

use crate::cube::{Cube, index};
use crate::symmetry;
use search::{Contexts, Domain, Group, Op, OpSet, Packed, PermutationGroup, Reversible, Symmetric};

/// The metric: which turns count as one move.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum CubeMetric {
    /// Each turn of a face counts as one move: 18 operators.
    #[default]
    #[serde(rename = "htm")]
    HalfTurn,
    /// Each quarter turn of a face counts as one move: 12 operators.
    #[serde(rename = "qtm")]
    QuarterTurn,
}

impl CubeMetric {
    /// Number of operators for each face.
    pub const fn per_face(self) -> usize {
        match self {
            Self::HalfTurn => 3,
            Self::QuarterTurn => 2,
        }
    }
    /// The name of the metric: `htm` or `qtm`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfTurn => "htm",
            Self::QuarterTurn => "qtm",
        }
    }
}

/// The 3x3x3 cube: [`Cube`] states, goal [`Cube::SOLVED`].
///
/// Operators are numbered by face, in the order U R F D L B. Within a face the order is clockwise,
/// half, counterclockwise; in the quarter-turn metric clockwise, counterclockwise. Duplicate
/// pruning that is learned from strings of two operators is Korf's rule (1997). It allows no face
/// twice in a row, and only the orders U before D, R before L and F before B.
#[derive(Clone, Copy, Debug)]
pub struct Cube3 {
    metric: CubeMetric,
    /// For each operator: its face turn `3 * face + quarter turns - 1`.
    turns: [u8; 18],
}

impl Cube3 {
    /// The cube with the operators of a metric.
    pub fn new(metric: CubeMetric) -> Self {
        let mut turns = [0; 18];
        for (op, turn) in
            (0_u8..18).filter(|t| metric == CubeMetric::HalfTurn || t % 3 != 1).enumerate()
        {
            turns[op] = turn;
        }
        Self { metric, turns }
    }

    /// The metric: which turns count as one move.
    pub const fn metric(&self) -> CubeMetric {
        self.metric
    }

    /// The face turn of an operator: `3 * face + quarter turns - 1`, with faces in the order U R F
    /// D L B.
    #[inline(always)]
    pub fn turn(&self, op: Op) -> usize {
        usize::from(self.turns[op.index()])
    }

    /// The operator of a face turn `3 * face + quarter turns - 1`. `None` for a half turn in the
    /// quarter-turn metric.
    pub fn op(&self, turn: usize) -> Option<Op> {
        (0..self.operators()).map(Op::new).find(|&op| self.turn(op) == turn)
    }
}

impl Default for Cube3 {
    fn default() -> Self {
        Self::new(CubeMetric::default())
    }
}

impl Domain for Cube3 {
    type State = Cube;
    type Ops = u32;
    const UNIT_COSTS: bool = true;

    #[inline(always)]
    fn operators(&self) -> usize {
        6 * self.metric.per_face()
    }
    #[inline(always)]
    fn applicable(&self, _: &Cube) -> u32 {
        u32::first(self.operators())
    }
    #[inline(always)]
    fn apply_into(&self, from: &Cube, op: Op, to: &mut Cube) {
        *to = from.turned(self.turn(op));
    }
    #[inline(always)]
    fn is_goal(&self, state: &Cube) -> bool {
        *state == Cube::SOLVED
    }
    /// In the quarter-turn metric every move is an odd permutation of the corners.
    fn parity(&self, state: &Cube) -> Option<bool> {
        (self.metric == CubeMetric::QuarterTurn).then(|| state.corners_odd())
    }
}

impl Reversible for Cube3 {
    #[inline(always)]
    fn inverse_op(&self, op: Op) -> Op {
        let n = self.metric.per_face();
        Op::new(op.index() / n * n + n - 1 - op.index() % n)
    }
}

impl Group for Cube3 {
    fn identity(&self) -> Cube {
        Cube::SOLVED
    }
    fn compose(&self, a: &Cube, b: &Cube, out: &mut Cube) {
        *out = a.compose(b);
    }
    fn invert(&self, a: &Cube, out: &mut Cube) {
        *out = a.inverse();
    }
    #[inline(always)]
    fn apply_inverse_left(&self, from: &Cube, op: Op, to: &mut Cube) {
        *to = from.turned_back_left(self.turn(op));
    }
}

/// The image of a point: the sticker of the corner or edge piece in its slot.
pub(crate) fn image(cube: &Cube, point: usize) -> usize {
    if point < 24 {
        let (slot, turned) = (point / 3, point % 3);
        let twist = index(cube.corners, 24 + 2 * slot, 3) + turned;
        3 * index(cube.corners, 3 * slot, 7) + twist % 3
    } else {
        let (slot, turned) = ((point - 24) / 2, point % 2);
        let flip = index(cube.edges, 48 + slot, 1) ^ turned;
        24 + 2 * index(cube.edges, 4 * slot, 15) + flip
    }
}

/// The points are the stickers except the centres: three of each corner slot, then two of each edge
/// slot.
impl PermutationGroup for Cube3 {
    fn points(&self) -> usize {
        48
    }
    fn image(&self, element: &Cube, point: usize) -> usize {
        image(element, point)
    }
}

impl Symmetric for Cube3 {
    fn symmetries(&self) -> usize {
        symmetry::COUNT
    }
    fn conjugate(&self, symmetry: usize, state: &Cube, out: &mut Cube) {
        *out = symmetry::conjugate(symmetry, state);
    }
    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        let n = self.metric.per_face();
        let (face, mirrored) = symmetry::relabel_face(symmetry, op.index() / n);
        let amount = op.index() % n;
        Op::new(face * n + if mirrored { n - 1 - amount } else { amount })
    }
}

/// Every turn is possible in every state, so there is one context.
impl Contexts for Cube3 {
    search::one_context! {}
}

impl Packed for Cube3 {
    /// The key: corners in bits 0 to 39, edges in bits 40 to 99.
    type Key = u128;
    #[inline(always)]
    fn pack(&self, state: &Cube) -> u128 {
        u128::from(state.corners) | u128::from(state.edges) << 40
    }
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "40 and 60 bits")]
    fn unpack(&self, key: u128, out: &mut Cube) {
        *out = Cube { corners: key as u64 & ((1 << 40) - 1), edges: (key >> 40) as u64 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;
    use search::{TwoSided, testing};
    use std::collections::HashSet;

    fn counts(metric: CubeMetric, depth: usize) -> Vec<usize> {
        let domain = Cube3::new(metric);
        let mut seen = HashSet::from([domain.pack(&Cube::SOLVED)]);
        let mut layer = vec![Cube::SOLVED];
        let mut counts = vec![1];
        let mut next = Cube::SOLVED;
        for _ in 0..depth {
            let mut fresh = Vec::new();
            for state in &layer {
                for op in domain.applicable(state).members() {
                    domain.apply_into(state, op, &mut next);
                    if seen.insert(domain.pack(&next)) {
                        fresh.push(next);
                    }
                }
            }
            counts.push(fresh.len());
            layer = fresh;
        }
        counts
    }

    #[test]
    fn states_by_depth_are_the_known_ones() {
        assert_eq!(counts(CubeMetric::HalfTurn, 5), [1, 18, 243, 3240, 43239, 574_908]);
        assert_eq!(counts(CubeMetric::QuarterTurn, 5), [1, 12, 114, 1068, 10011, 93840]);
    }

    #[test]
    fn the_laws_of_the_contracts_hold() {
        let mut random = Random::new(11);
        let mut starts = vec![Cube::SOLVED];
        starts.extend(std::iter::repeat_with(|| Cube::random(&mut random)).take(3));
        for domain in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(Cube3::new) {
            testing::check_domain(&domain, &starts).unwrap();
            testing::check_reversible(&domain, &starts).unwrap();
            testing::check_packed(&domain, &starts).unwrap();
            testing::check_parity(&domain, &starts).unwrap();
            testing::check_symmetric(&domain, &starts).unwrap();
            testing::check_group(&domain, &starts).unwrap();
            testing::check_permutation_group(&domain, &starts).unwrap();
            testing::check_contexts(&domain, &starts, 3).unwrap();
            testing::check_two_sided(&TwoSided(domain), 3).unwrap();
        }
    }

    #[test]
    fn turns_and_operators_match() {
        for domain in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(Cube3::new) {
            for op in (0..domain.operators()).map(Op::new) {
                assert_eq!(domain.op(domain.turn(op)), Some(op));
            }
        }
        assert_eq!(Cube3::new(CubeMetric::QuarterTurn).op(1), None);
    }
}
