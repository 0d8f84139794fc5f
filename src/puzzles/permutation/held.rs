//! How a puzzle is held: states that moves and rotations of the whole puzzle lead to are searched as they look from where they are solved.

use super::group::Grouped;
use crate::puzzle::Refused;
use groups::GroupError;
use permutation::{Definition, GroupElement, MoveKind, PuzzleState};
use search::{Group, OpSet};

/// Ways to hold a puzzle, at the most; with more, or none, a state is taken as it is.
const MOST: usize = 1 << 10;

impl<const N: usize, O: OpSet> Grouped<N, O> {
    /// The state itself, if moves lead to it. Else, if moves and rotations do: the state without the rotation, the first one in a fixed order that leaves what moves lead
    /// to. Its plans are those of the state as it is held, with the goal held likewise.
    ///
    /// # Errors
    /// If neither do, or pieces are not those of the solved state.
    pub(super) fn held(
        &self,
        definition: &Definition,
        pattern: PuzzleState,
    ) -> Result<PuzzleState, Refused> {
        let wrong = |error: GroupError| Refused(error.to_string());
        let element = self.puzzle().element(&pattern);
        let element =
            element.ok_or_else(|| Refused("other pieces than the solved state".into()))?;
        let leads = |element: &GroupElement<N>| -> Result<bool, GroupError> {
            Ok(self.chain()?.contains(&self.puzzle().permutation(element)?))
        };
        if leads(&element).map_err(wrong)? {
            return Ok(pattern);
        }
        let (mut back, mut seen) = (element, element);
        for rotation in self.rotations(definition) {
            self.puzzle().invert(&rotation, &mut back);
            self.puzzle().compose(&back, &element, &mut seen);
            if leads(&seen).map_err(wrong)? {
                return self
                    .puzzle()
                    .pattern_of(definition, &seen)
                    .map_err(|e| Refused(e.to_string()));
            }
        }
        Err(Refused(
            "no sequence of moves leads here: the state is not in the group of the moves".into(),
        ))
    }

    /// All ways to hold the solved puzzle but the usual one.
    fn rotations(&self, definition: &Definition) -> Vec<GroupElement<N>> {
        let rotations =
            definition.moves().base().iter().filter(|one| one.kind == MoveKind::Rotation);
        let states = rotations.map(|one| definition.start().apply(&one.transformation));
        let generators: Vec<GroupElement<N>> =
            states.filter_map(|state| self.puzzle().element(&state)).collect();
        let identity = self.puzzle().identity();
        let (mut all, mut at) = (vec![identity], 0);
        while at < all.len() && all.len() <= MOST {
            for generator in &generators {
                let mut next = identity;
                self.puzzle().compose(&all[at], generator, &mut next);
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all.remove(0);
        if all.len() > MOST { Vec::new() } else { all }
    }
}
