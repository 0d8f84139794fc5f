//! `schroeppel-shamir`: optimal search in a group with the memory of a quarter of the plan.

use super::{Solver, Task};
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use search::stored::schroeppel_shamir;
use search::{Op, Packed, PermutationGroup};

/// Meets in the middle with four lists ([`schroeppel_shamir`]). Its plans are proven optimal.
pub(crate) struct SchroeppelShamir;

impl<D: PermutationGroup + Packed> Solver<D> for SchroeppelShamir {
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, settings } = *task;
        if (0..domain.operators()).any(|op| domain.cost(Op::new(op)) != 1) {
            return Err(Failure::refused(format_args!(
                "the solver {} is for moves of cost 1: expected the solver optimal, bidirectional \
                 or perimeter",
                settings.solver
            )));
        }
        run.reads("none", 0);
        run.search_by(&|options| schroeppel_shamir(domain, start, options));
        Ok(())
    }
}
