//! States that lie farthest from the goal: entries of a table over a whole group as its elements.

use groups::{GroupError, StabilizerChain};
use pdb::GroupPattern;
use permutation::{PuzzleGroup, SlotContents};

/// The elements of some entries of the pattern of the whole group.
pub(super) fn elements(
    group: &PuzzleGroup,
    pattern: &GroupPattern,
    entries: &[u64],
) -> Result<Vec<SlotContents>, GroupError> {
    // The tuple of the whole group is a base, so the chain has no other base points.
    let chain = StabilizerChain::new(group.points(), &group.generators()?, pattern.tuple())?;
    let element = |&entry: &u64| {
        let images = pattern.images(entry)?;
        group.element_of(&chain.element_taking(&images)?)
    };
    Ok(entries.iter().filter_map(element).collect())
}
