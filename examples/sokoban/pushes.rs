//! A lower bound on the steps: the pushes that each box needs on its own.

use super::room::{Room, State};
use std::collections::VecDeque;

impl Room {
    /// For each square, the fewest pushes of a box from there to a goal, if no other box is in the
    /// way. `u32::MAX` if there is no way.
    pub(super) fn pushes_to(&self, goals: Vec<usize>) -> Vec<u32> {
        let mut pushes = vec![u32::MAX; self.squares.len()];
        goals.iter().for_each(|&goal| pushes[goal] = 0);
        let mut queue = VecDeque::from(goals);
        while let Some(to) = queue.pop_front() {
            for way in self.ways {
                // The box comes from one square, and the player stands behind it.
                let (Some(from), Some(behind)) = (self.go(to, -way), self.go(to, -2 * way)) else {
                    continue;
                };
                if pushes[from] == u32::MAX && self.go(behind, way) == Some(from) {
                    pushes[from] = pushes[to] + 1;
                    queue.push_back(from);
                }
            }
        }
        pushes
    }

    /// A lower bound: each box needs its pushes. `u32::MAX` if a box is lost.
    pub(crate) fn estimate(&self, (_, boxes): &State) -> u32 {
        boxes.iter().map(|&at| self.pushes[at]).try_fold(0, u32::checked_add).unwrap_or(u32::MAX)
    }
    /// Every box is on a goal.
    pub(crate) fn is_solved(&self, (_, boxes): &State) -> bool {
        boxes.iter().all(|&at| self.pushes[at] == 0)
    }
}
