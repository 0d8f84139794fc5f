//! What a definition forbids or ignores: illegal pieces, ignored slots, blocks of pieces, pairs of
//! moves, and limits on moves.

use super::names::{MoveRef, Turn};
use crate::error::Complaint;
use std::collections::{BTreeMap, BTreeSet};

/// Pieces that may not lie in a slot. No plan passes through a state with such a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalPieces {
    /// The orbit.
    pub orbit: usize,
    /// The number of the slot in the orbit, from 0.
    pub slot: usize,
    /// The numbers of the pieces, ascending.
    pub pieces: Vec<u16>,
}

/// Slots that the goal ignores. Lists have one item for each slot, orbit after orbit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredSlots {
    /// For each slot: whether any piece may lie there in the goal.
    pub pieces: Vec<bool>,
    /// For each slot: whether the piece there may have any orientation in the goal.
    pub orientation: Vec<bool>,
}

/// A block: pieces that are tied together. A move must move all of them or none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PieceBlock {
    /// The pieces, each as orbit and piece number, ascending.
    pub pieces: Vec<(usize, u16)>,
}

/// The moves that one of [`Rules::limits`] counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LimitedMoves {
    /// One turn, such as F2.
    Turn(Turn),
    /// All turns of one move, such as F, F2 and F' together.
    All(MoveRef),
}

/// All rules of a definition. Empty by default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Pieces that may not lie in a slot, ascending by orbit and slot. Each slot occurs at most
    /// once.
    pub illegal: Vec<IllegalPieces>,
    /// Slots that the goal ignores. `None` if it ignores nothing.
    pub ignore: Option<IgnoredSlots>,
    /// The blocks of pieces that are tied together.
    pub blocks: BTreeSet<PieceBlock>,
    /// Forbidden pairs: the second turn may not directly follow the first.
    pub forbidden: BTreeSet<(Turn, Turn)>,
    /// How often a plan may make certain moves.
    pub limits: BTreeMap<LimitedMoves, u32>,
}

impl Rules {
    /// Whether there are rules about states: illegal pieces, or blocks.
    pub fn restrict_states(&self) -> bool {
        !self.illegal.is_empty() || !self.blocks.is_empty()
    }

    /// The pieces that may not lie in a slot, ascending.
    pub fn illegal_in(&self, orbit: usize, slot: usize) -> &[u16] {
        match self.illegal.binary_search_by_key(&(orbit, slot), |rule| (rule.orbit, rule.slot)) {
            Ok(index) => &self.illegal[index].pieces,
            Err(_) => &[],
        }
    }

    /// Sets what the goal ignores. If no flag is set, the goal ignores nothing.
    pub(crate) fn set_ignore(&mut self, ignore: IgnoredSlots) {
        let any = ignore.pieces.iter().chain(&ignore.orientation).any(|&flag| flag);
        self.ignore = any.then_some(ignore);
    }

    /// Adds a block of pieces that are tied together.
    pub(crate) fn add_block(&mut self, mut pieces: Vec<(usize, u16)>) -> Result<(), Complaint> {
        pieces.sort_unstable();
        pieces.dedup();
        if pieces.len() < 2 {
            return Err(Complaint::new("a block of fewer than two pieces", "two or more"));
        }
        self.blocks.insert(PieceBlock { pieces });
        Ok(())
    }

    /// Forbids any turn of a group directly after another turn of the group.
    pub(crate) fn add_forbidden_group(&mut self, group: &[Turn]) -> Result<(), Complaint> {
        const MOST: usize = 1 << 20;
        if self.forbidden.len() + group.len() * group.len() > MOST {
            let found = format!("a group of {} moves", group.len());
            return Err(Complaint::new(found, format!("at most {MOST} forbidden pairs in all")));
        }
        for &first in group {
            let others = group.iter().filter(|&&second| second != first);
            self.forbidden.extend(others.map(|&second| (first, second)));
        }
        Ok(())
    }

    /// Adds pieces that may not lie in a slot.
    pub(crate) fn forbid_in(&mut self, orbit: usize, slot: usize, pieces: &[u16]) {
        let found =
            self.illegal.binary_search_by_key(&(orbit, slot), |rule| (rule.orbit, rule.slot));
        let index = found.unwrap_or_else(|index| {
            self.illegal.insert(index, IllegalPieces { orbit, slot, pieces: Vec::new() });
            index
        });
        let all = &mut self.illegal[index].pieces;
        for &piece in pieces {
            if let Err(place) = all.binary_search(&piece) {
                all.insert(place, piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_pieces_are_kept_in_order() {
        let mut rules = Rules::default();
        assert!(!rules.restrict_states());
        rules.forbid_in(1, 3, &[5, 2]);
        rules.forbid_in(0, 9, &[1]);
        rules.forbid_in(1, 3, &[2, 4]);
        assert_eq!(rules.illegal_in(1, 3), [2, 4, 5]);
        assert!(rules.illegal_in(1, 2).is_empty());
        assert_eq!(rules.illegal.iter().map(|rule| rule.slot).collect::<Vec<_>>(), [9, 3]);
        assert!(rules.restrict_states());
    }
}
