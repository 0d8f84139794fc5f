//! States that lie farthest from the goal: entries of a table over a whole group as its elements.

use groups::{GroupError, Permutation, StabilizerChain};
use pdb::GroupPattern;
use permutation::{GroupElement, GroupPuzzle};
use search::OpSet;

/// The elements of some entries of the pattern of the whole group.
pub(super) fn elements<const N: usize, O: OpSet>(
    puzzle: &GroupPuzzle<N, O>,
    pattern: &GroupPattern,
    entries: &[u64],
) -> Result<Vec<GroupElement<N>>, GroupError> {
    let generators: Vec<Permutation> =
        puzzle.generators()?.into_iter().map(|(permutation, _)| permutation).collect();
    // The tuple of the whole group is a base, so the chain has no other base points.
    let chain = StabilizerChain::new(puzzle.points(), &generators, pattern.tuple())?;
    let element = |&entry: &u64| {
        let images = pattern.images(entry)?;
        puzzle.element_of(&chain.element_taking(&images)?)
    };
    Ok(entries.iter().filter_map(element).collect())
}
