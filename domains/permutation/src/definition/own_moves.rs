//! Finds the derived moves that searches make as moves of their own, if the file does not say.
//!
//! Files of other programs define some moves and the rotations, and then all other moves by these:
//! `L` is `[z: U]`, `Rw` is `x L`. Such a derived move is a move like any other. A name for one
//! turn, or for rotations only, is just a name that users may type.

use super::moves::{BaseMove, MoveKind, MoveSet};
use super::names::{MoveRef, Turn, is_rotation_name};
use std::collections::BTreeSet;

impl MoveSet {
    /// The indices of derived moves that are moves of their own. Each is a product of at least two
    /// turns, not all rotations, and changes something. Its name is not a rotation's.
    pub(crate) fn own_moves(&self) -> BTreeSet<usize> {
        let own = self.derived.iter().enumerate().filter(|(_, one)| {
            let rotation = is_rotation_name(&one.name)
                || one.turns.iter().all(|turn| self.is_rotation(turn.of));
            one.turns.len() > 1 && !rotation && !one.transformation.is_identity()
        });
        own.map(|(index, _)| index).collect()
    }

    fn is_rotation(&self, of: MoveRef) -> bool {
        match of {
            MoveRef::Base(index) => self.base[index].kind == MoveKind::Rotation,
            MoveRef::Derived(index) => is_rotation_name(&self.derived[index].name),
        }
    }

    /// The indices of base moves that have a second name which is a rotation's. That name is a
    /// derived move of this move alone, made once or backward.
    pub(crate) fn rotations_by_alias(&self) -> BTreeSet<usize> {
        let named = self.derived.iter().filter(|one| is_rotation_name(&one.name));
        let of = named.filter_map(|one| match one.turns[..] {
            [Turn { of: MoveRef::Base(index), amount: 1 | -1 }] => Some(index),
            _ => None,
        });
        of.collect()
    }

    /// Makes the derived moves with these indices base moves, after all others.
    pub(crate) fn promote(&mut self, chosen: &BTreeSet<usize>) {
        let mut new = Vec::with_capacity(self.derived.len());
        let mut rest = Vec::with_capacity(self.derived.len());
        for (index, one) in std::mem::take(&mut self.derived).into_iter().enumerate() {
            if chosen.contains(&index) {
                new.push(MoveRef::Base(self.base.len()));
                self.base.push(BaseMove::new(one.name, one.transformation, one.line));
            } else {
                new.push(MoveRef::Derived(rest.len()));
                rest.push(one);
            }
        }
        let renumbered = |of: MoveRef| match of {
            MoveRef::Base(_) => of,
            MoveRef::Derived(index) => new[index],
        };
        for turn in rest.iter_mut().flat_map(|one| &mut one.turns) {
            turn.of = renumbered(turn.of);
        }
        self.derived = rest;
        self.names.renumber(renumbered);
    }
}
