//! Makes plans of definitions cheaper.

use super::model::PuzzleModel;
use crate::puzzle::{Failure, Result};
use crate::puzzles::shorten::{Known, Means, Pass, most_states};
use anytime::{Generators, commuting_runs};
use permutation::{LargePuzzle, PuzzlePoints, PuzzleState};
use search::{ConstrainedDomain, Plan};
use std::sync::Arc;

/// The bytes of a state besides four for each slot, with those of the allocator.
const STATE_BYTES: usize = 120;

impl PuzzleModel {
    /// A plan of the state that costs no more than the best known one.
    pub(super) fn shorter(
        &self,
        pass: Pass,
        start: &PuzzleState,
        known: &Known,
        means: Means<'_>,
    ) -> Result<Plan> {
        let stop = || means.cancel.is_cancelled();
        let same = || known.best.clone();
        match pass {
            Pass::Together | Pass::Nearby => {
                let puzzle = LargePuzzle::of(Arc::clone(&self.labels)).map_err(Failure::refused)?;
                let ruled =
                    ConstrainedDomain::new(&puzzle, &self.rules).map_err(Failure::refused)?;
                let start = ruled.start(puzzle.state(start));
                let states =
                    most_states(self.settings.memory, STATE_BYTES + 4 * self.labels.slots());
                Ok(known.near(pass, (&ruled, &start), (means, states)))
            }
            // Under rules the order of operators may matter, although they commute.
            Pass::Commuting if self.rules.is_empty() => {
                let Some(points) = PuzzlePoints::new(&self.labels) else { return Ok(same()) };
                let operators = points.generators().map_err(Failure::of_group)?;
                // `None` where some operator is not undone by another, or the work is stopped.
                let generators = Generators::new(points.points(), operators, &stop).ok();
                let shorter = generators.map(|group| commuting_runs(&group, &known.best, &stop));
                Ok(shorter.map_or_else(same, Plan::from_vec))
            }
            Pass::Commuting | Pass::Solve => Ok(same()),
        }
    }
}
