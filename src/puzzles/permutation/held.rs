//! How a puzzle is held: a state may be turned as a whole before it is searched.

use super::group::GroupTables;
use crate::puzzle::InvalidInput;
use groups::GroupError;
use permutation::{Definition, MoveKind, PuzzleState, SlotContents};

/// Ways to hold a puzzle, at the most; with more, or none, a state is taken as it is.
const MOST: usize = 1 << 10;

impl GroupTables {
    /// The state itself if moves lead to it, else the state without a rotation of the whole puzzle.
    ///
    /// The rotation is the first one, in a fixed order, without which moves lead to the state. The
    /// plans are those of the state as it is held, with the goal held likewise.
    ///
    /// # Errors
    /// If neither do, or pieces are not those of the solved state.
    pub(super) fn held(
        &self,
        definition: &Definition,
        pattern: PuzzleState,
    ) -> Result<PuzzleState, InvalidInput> {
        let wrong = |error: GroupError| InvalidInput(error.to_string());
        let element = self.group.element(&pattern);
        let element =
            element.ok_or_else(|| InvalidInput("other pieces than the solved state".into()))?;
        let leads = |element: &SlotContents| -> Result<bool, GroupError> {
            Ok(self.chain()?.contains(&self.group.permutation(element)?))
        };
        if leads(&element).map_err(wrong)? {
            return Ok(pattern);
        }
        for rotation in self.rotations(definition) {
            let seen = self.group.compose(&self.group.invert(&rotation), &element);
            if leads(&seen).map_err(wrong)? {
                return self
                    .group
                    .pattern_of(definition, &seen)
                    .map_err(|e| InvalidInput(e.to_string()));
            }
        }
        Err(InvalidInput(
            "no sequence of moves leads here: the state is not in the group of the moves".into(),
        ))
    }

    /// All ways to hold the solved puzzle but the usual one.
    fn rotations(&self, definition: &Definition) -> Vec<SlotContents> {
        let rotations =
            definition.moves().base().iter().filter(|one| one.kind == MoveKind::Rotation);
        let states = rotations.map(|one| definition.start().apply(&one.transformation));
        let generators: Vec<SlotContents> =
            states.filter_map(|state| self.group.element(&state)).collect();
        let (mut all, mut at) = (vec![self.group.identity()], 0);
        while at < all.len() && all.len() <= MOST {
            for generator in &generators {
                let next = self.group.compose(&all[at], generator);
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
