//! Turns table entries into states. The table has an entry for every element of the group; the
//! entries are those farthest from the goal.

use groups::{GroupError, StabilizerChain};
use pdb::GroupPattern;
use permutation::{PuzzleGroup, SlotContents};

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
