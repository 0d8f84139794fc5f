//! Undoes a rotation of the whole puzzle (the cube held another way) before a state is searched.
//! Rotations among the moves of a text are undone before, in `texts/held.rs`.

use super::tables::GroupTables;
use crate::puzzle::InvalidInput;
use groups::GroupError;
use permutation::{Definition, MoveKind, PuzzleState, SlotContents};
use std::collections::HashSet;

/// Most rotations of the whole puzzle that are tried. If there are more, none is undone.
const MOST: usize = 1 << 10;

impl GroupTables {
    /// The state itself if moves lead to it. Else the state after a rotation of the whole puzzle is
    /// undone, so that moves lead to it.
    ///
    /// The rotation is the first one, in a fixed order, for which this works. A plan of the
    /// returned state leads the given state to the goal, held with that rotation.
    ///
    /// # Errors
    /// If moves lead to neither state, or the pieces are not those of the solved state.
    pub(crate) fn held(
        &self,
        definition: &Definition,
        pattern: PuzzleState,
    ) -> Result<PuzzleState, InvalidInput> {
        let wrong = |error: GroupError| InvalidInput::new(error);
        let element = self.group.element(&pattern);
        let element =
            element.ok_or_else(|| InvalidInput::new("other pieces than the solved state"))?;
        let chain = self.chain_without_limit().map_err(InvalidInput::new)?;
        let leads = |element: &SlotContents| -> Result<bool, GroupError> {
            Ok(chain.contains(&self.group.permutation(element)?))
        };
        if leads(&element).map_err(wrong)? {
            return Ok(pattern);
        }
        for rotation in self.rotations(definition) {
            let seen = self.group.compose(&self.group.invert(&rotation), &element);
            if leads(&seen).map_err(wrong)? {
                return self.group.pattern_of(definition, &seen).map_err(InvalidInput::new);
            }
        }
        let moves = if self.restricted { "the allowed moves" } else { "moves" };
        Err(InvalidInput::new(format_args!(
            "no sequence of {moves} leads here: the state is not in the group of the moves"
        )))
    }

    /// Whether moves lead to a state.
    pub(crate) fn leads_to(&self, pattern: &PuzzleState) -> bool {
        let element = self.group.element(pattern);
        let permutation = element.and_then(|element| self.group.permutation(&element).ok());
        let chain = self.chain_without_limit();
        chain.is_ok_and(|chain| permutation.is_some_and(|one| chain.contains(&one)))
    }

    /// All rotations of the whole puzzle but the identity. Empty if there are more than [`MOST`].
    fn rotations(&self, definition: &Definition) -> Vec<SlotContents> {
        let rotations =
            definition.moves().base().iter().filter(|one| one.kind == MoveKind::Rotation);
        let states = rotations.map(|one| definition.start().apply(&one.transformation));
        let generators: Vec<SlotContents> =
            states.filter_map(|state| self.group.element(&state)).collect();
        let (mut all, mut at) = (vec![self.group.identity()], 0);
        let mut seen: HashSet<SlotContents> = all.iter().cloned().collect();
        while at < all.len() && all.len() <= MOST {
            for generator in &generators {
                let next = self.group.compose(&all[at], generator);
                if seen.insert(next.clone()) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all.remove(0);
        if all.len() > MOST { Vec::new() } else { all }
    }
}
