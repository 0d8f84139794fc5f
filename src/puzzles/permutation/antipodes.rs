//! Turns table entries into states. The table has an entry for every element of the group. The
//! entries given here are those farthest from the goal.

use super::file_puzzle::FilePuzzle;
use crate::puzzle::{Failure, Tell};
use crate::run::Run;
use groups::{GroupError, StabilizerChain};
use pdb::GroupPattern;
use permutation::{PuzzleGroup, PuzzleState, SlotContents};

/// The group elements that these entries stand for. `pattern` numbers all elements of the group.
pub(super) fn elements(
    group: &PuzzleGroup,
    pattern: &GroupPattern,
    entries: &[u64],
) -> Result<Vec<SlotContents>, GroupError> {
    // The pattern's tuple of points is a base of the group, so the chain adds no base points.
    let chain = StabilizerChain::new(group.points(), &group.generators()?, pattern.tuple())?;
    let element = |&entry: &u64| {
        let images = pattern.images(entry)?;
        group.element_of(&chain.element_taking(&images)?)
    };
    Ok(entries.iter().filter_map(element).collect())
}

impl FilePuzzle {
    /// Calls `tell` with the number of states at each distance. Returns at most `antipodes` of the
    /// last.
    ///
    /// # Errors
    /// If the count needs too much memory or is cancelled.
    pub(in crate::puzzles) fn farthest(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<PuzzleState>, Failure> {
        if !self.operators().all_cost_one() {
            run.alone("moves have costs")?;
            let states = self.layers_by_cost((usize::MAX, antipodes), run, tell)?;
            return Ok(states.iter().map(|state| self.labels.pattern(state)).collect());
        }
        if let (Ok(group), true) = (&self.group, self.rules.is_empty()) {
            let elements = group.exhaust(antipodes, run, tell)?;
            let pattern = |element| group.group.pattern_of(self.definition(), element).ok();
            return Ok(elements.iter().filter_map(pattern).collect());
        }
        run.alone("the states form no group that is counted without rules")?;
        let states =
            self.engine.exhaust(self, antipodes, run, tell).map_err(|failure| match failure {
                Failure::Limit(why) if self.settings.disk.is_some() => Failure::Limit(format!(
                    "{why}; the folder for layers serves only states that form a group"
                )),
                other => other,
            })?;
        Ok(states.iter().map(|state| self.labels.pattern(state)).collect())
    }
}
