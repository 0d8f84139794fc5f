//! The 2x2x2 as a domain: turns of three faces around a fixed corner.

use super::pocket::Pocket;
use crate::domain::{Cube3, CubeMetric, image};
use crate::notation::Move;
use crate::symmetry;
use search::{
    Contexts, Domain, Group, Op, OpSet, Packed, PermutationGroup, Plan, Reversible, Symmetric,
};

/// The symmetries that keep the corner DBL are the multiples of this number. They permute the axes.
const STRIDE: usize = 8;

/// The 2x2x2 with the corner DBL fixed: [normalised](Pocket::normalised) states, goal
/// [`Pocket::SOLVED`].
///
/// The operators are turns of U, R and F, numbered as in [`Cube3`](crate::Cube3): 9 in the
/// half-turn metric, 6 in the quarter-turn metric. The 3,674,160 states form a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cube2 {
    metric: CubeMetric,
}

impl Cube2 {
    /// The puzzle with the operators of a metric.
    pub const fn new(metric: CubeMetric) -> Self {
        Self { metric }
    }

    /// The metric: what counts as one move.
    pub const fn metric(&self) -> CubeMetric {
        self.metric
    }

    /// The face turn of an operator: `3 * face + quarter turns - 1`.
    #[inline(always)]
    pub fn turn(&self, op: Op) -> usize {
        match self.metric {
            CubeMetric::HalfTurn => op.index(),
            CubeMetric::QuarterTurn => op.index() / 2 * 3 + op.index() % 2 * 2,
        }
    }

    /// The name of an operator, such as `R`, `U2` or `F'`.
    pub fn name(&self, op: Op) -> String {
        Cube3::new(self.metric).name(op)
    }

    /// Converts moves to a plan that has the same effect, except for rotations of the whole puzzle.
    /// The plan refers to the puzzle as it is held before the first move. The plan's operators are
    /// those of all six faces, as [`FaceletPocket`](super::FaceletPocket) takes them.
    pub fn plan(&self, moves: &[Move]) -> Plan {
        Cube3::new(self.metric).plan(moves)
    }
}

impl Domain for Cube2 {
    type State = Pocket;
    type Ops = u32;

    #[inline(always)]
    fn operators(&self) -> usize {
        3 * self.metric.per_face()
    }
    #[inline(always)]
    fn applicable(&self, _: &Pocket) -> u32 {
        u32::first(self.operators())
    }
    #[inline(always)]
    fn apply_into(&self, from: &Pocket, op: Op, to: &mut Pocket) {
        *to = from.turned(self.turn(op));
    }
    #[inline(always)]
    fn is_goal(&self, state: &Pocket) -> bool {
        *state == Pocket::SOLVED
    }
    /// In the quarter-turn metric every move is an odd permutation of the corners.
    fn parity(&self, state: &Pocket) -> Option<bool> {
        (self.metric == CubeMetric::QuarterTurn).then(|| state.odd())
    }
}

impl Reversible for Cube2 {
    #[inline(always)]
    fn inverse_op(&self, op: Op) -> Op {
        let n = self.metric.per_face();
        Op::new(op.index() / n * n + n - 1 - op.index() % n)
    }
}

impl Group for Cube2 {
    fn identity(&self) -> Pocket {
        Pocket::SOLVED
    }
    fn compose(&self, a: &Pocket, b: &Pocket, out: &mut Pocket) {
        *out = a.compose(b);
    }
    fn invert(&self, a: &Pocket, out: &mut Pocket) {
        *out = a.inverse();
    }
}

/// The points are the stickers: three of each corner slot.
impl PermutationGroup for Cube2 {
    fn points(&self) -> usize {
        24
    }
    fn image(&self, element: &Pocket, point: usize) -> usize {
        image(&element.cube(), point)
    }
}

/// The six symmetries that keep the corner DBL.
impl Symmetric for Cube2 {
    fn symmetries(&self) -> usize {
        symmetry::COUNT / STRIDE
    }
    fn conjugate(&self, symmetry: usize, state: &Pocket, out: &mut Pocket) {
        *out = symmetry::conjugate(STRIDE * symmetry, &state.cube()).into();
    }
    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        let n = self.metric.per_face();
        let (face, mirrored) = symmetry::relabel_face(STRIDE * symmetry, op.index() / n);
        let amount = op.index() % n;
        Op::new(face * n + if mirrored { n - 1 - amount } else { amount })
    }
}

/// Every move is possible in every state, so there is one context.
impl Contexts for Cube2 {
    search::one_context! {}
}

impl Packed for Cube2 {
    /// The key is [`Pocket::rank`].
    type Key = u32;
    #[inline(always)]
    fn pack(&self, state: &Pocket) -> u32 {
        state.rank()
    }
    #[inline(always)]
    fn unpack(&self, key: u32, out: &mut Pocket) {
        *out = Pocket::unrank(key);
    }
}
