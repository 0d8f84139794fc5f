//! The 3x3x3 with all 18 face turns in both metrics. In the quarter-turn metric a half turn costs
//! 2.

use crate::cube::Cube;
use crate::domain::{Cube3, CubeMetric};
use search::{Contexts, Cost, Domain, Group, Op, OpSet, Packed, Plan, Reversible, Symmetric};

/// [`Cube3`] with half turns as operators in both metrics. In the quarter-turn metric they cost 2.
/// Phase 2 needs them: its subgroup is generated with half turns.
///
/// Operators are those of [`Cube3`] in the half-turn metric.
#[derive(Clone, Copy, Debug)]
pub struct FaceTurns {
    turns: Cube3,
    metric: CubeMetric,
}

impl FaceTurns {
    /// The cube with the costs of a metric.
    pub fn new(metric: CubeMetric) -> Self {
        Self { turns: Cube3::new(CubeMetric::HalfTurn), metric }
    }

    /// The metric: what counts as one move.
    pub const fn metric(&self) -> CubeMetric {
        self.metric
    }

    /// Whether an operator is a half turn.
    #[inline(always)]
    pub(crate) fn is_half(op: Op) -> bool {
        op.index() % 3 == 1
    }

    /// Rewrites a plan of this domain in the operators of [`Cube3`] in this metric, where a half
    /// turn may take two of them.
    pub fn plan(&self, plan: &[Op]) -> Plan {
        let cube = Cube3::new(self.metric);
        let quarters = |op: Op| match self.metric {
            CubeMetric::QuarterTurn if Self::is_half(op) => [Some(op.index() - 1); 2],
            _ => [Some(op.index()), None],
        };
        plan.iter()
            .flat_map(|&op| quarters(op))
            .flatten()
            .filter_map(|turn| cube.op(turn))
            .collect()
    }
}

impl Domain for FaceTurns {
    type State = Cube;
    type Ops = u32;

    #[inline(always)]
    fn operators(&self) -> usize {
        18
    }
    #[inline(always)]
    fn applicable(&self, _: &Cube) -> u32 {
        u32::first(18)
    }
    #[inline(always)]
    fn apply_into(&self, from: &Cube, op: Op, to: &mut Cube) {
        *to = from.turned(op.index());
    }
    #[inline(always)]
    fn is_goal(&self, state: &Cube) -> bool {
        *state == Cube::SOLVED
    }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        if self.metric == CubeMetric::QuarterTurn && Self::is_half(op) { 2 } else { 1 }
    }
    fn parity(&self, state: &Cube) -> Option<bool> {
        Cube3::new(self.metric).parity(state)
    }
}

impl Reversible for FaceTurns {
    search::forward_domain! { turns: inverse_op }
}

impl Group for FaceTurns {
    fn identity(&self) -> Cube {
        Cube::SOLVED
    }
    fn compose(&self, a: &Cube, b: &Cube, out: &mut Cube) {
        *out = a.compose(b);
    }
    fn invert(&self, a: &Cube, out: &mut Cube) {
        *out = a.inverse();
    }
}

impl Symmetric for FaceTurns {
    search::forward_domain! { turns: symmetries conjugate relabel }
}

impl Contexts for FaceTurns {
    search::one_context! {}
}

impl Packed for FaceTurns {
    type Key = u128;
    search::forward_domain! { turns: pack unpack }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;
    use search::testing;

    #[test]
    fn the_laws_of_the_contracts_hold() {
        let mut random = Random::new(12);
        let starts = [Cube::SOLVED, Cube::random(&mut random), Cube::random(&mut random)];
        for domain in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(FaceTurns::new) {
            testing::check_domain(&domain, &starts).unwrap();
            testing::check_reversible(&domain, &starts).unwrap();
            testing::check_packed(&domain, &starts).unwrap();
            testing::check_parity(&domain, &starts).unwrap();
            testing::check_symmetric(&domain, &starts).unwrap();
            testing::check_group(&domain, &starts).unwrap();
            testing::check_contexts(&domain, &starts, 2).unwrap();
        }
    }

    #[test]
    fn plans_are_those_of_the_metric() {
        let ops = [Op(0), Op(4), Op(17)];
        let names = |metric| Cube3::new(metric).plan_text(&FaceTurns::new(metric).plan(&ops));
        assert_eq!(names(CubeMetric::HalfTurn), "U R2 B'");
        assert_eq!(names(CubeMetric::QuarterTurn), "U R R B'");
    }
}
