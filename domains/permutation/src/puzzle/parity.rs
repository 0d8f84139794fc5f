//! Finds signs whose sum is the parity of the cost of every plan, by linear algebra over GF(2).

use super::PuzzleSize;
use super::slots::slot_number;
use crate::definition::{Definition, Operators};

/// A sign of an element, 0 or 1. It is the parity of the permutation of an orbit, or of the sum of
/// the twists in an orbit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    slots: std::ops::Range<usize>,
    twists: bool,
}

impl Sign {
    /// The sign of an element, given by the home slots of its pieces and its twists.
    pub(crate) fn of(&self, piece: &[u8], twist: &[u8]) -> bool {
        if self.twists {
            return twist[self.slots.clone()]
                .iter()
                .fold(false, |odd, twist| odd ^ (twist % 2 == 1));
        }
        let mut seen = [false; 256];
        let mut odd = false;
        for start in self.slots.clone() {
            let mut slot = start;
            while !std::mem::replace(&mut seen[slot], true) {
                slot = usize::from(piece[slot]);
                odd ^= slot != start;
            }
        }
        odd
    }
}

/// Signs whose sum is the parity of the cost of each operator. `None` if no signs have that sum.
pub(crate) fn signs(definition: &Definition, operators: &Operators) -> Option<Vec<Sign>> {
    // Only states of a fixed size are asked for their parity.
    if definition.orbits().slots() > PuzzleSize::FIXED.slots {
        return None;
    }
    let mut signs = Vec::new();
    for (orbit, slots) in definition.orbits().ranges() {
        signs.push(Sign { slots: slots.clone(), twists: false });
        if orbit.orientations().is_multiple_of(2) {
            signs.push(Sign { slots, twists: true });
        }
    }
    // Unknown i says whether sign i counts. Each operator gives an equation: its signs, then its
    // cost.
    let mut equations: Vec<Vec<bool>> = Vec::new();
    for operator in &operators.list {
        let (permutation, delta) = operator.transformation.rows();
        let mut row: Vec<bool> = signs
            .iter()
            .map(|sign| {
                let start = sign.slots.start;
                // Cycles within the orbit are counted from its first slot.
                let place = slot_number;
                let mut piece = vec![0; permutation.len()];
                for slot in sign.slots.clone() {
                    piece[slot] = place(start + usize::from(permutation[slot]));
                }
                sign.of(&piece, delta)
            })
            .collect();
        row.push(operator.cost % 2 == 1);
        equations.push(row);
    }
    let chosen = solve(equations, signs.len())?;
    Some(
        signs.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(sign, _)| sign).collect(),
    )
}

/// A solution of linear equations over GF(2), in which free unknowns are 0. `None` if there is
/// none. Each equation ends with its right side.
fn solve(mut equations: Vec<Vec<bool>>, unknowns: usize) -> Option<Vec<bool>> {
    let mut pivots = Vec::new();
    for unknown in 0..unknowns {
        let done = pivots.len();
        let Some(found) = (done..equations.len()).find(|&row| equations[row][unknown]) else {
            continue;
        };
        equations.swap(done, found);
        let pivot = equations[done].clone();
        for (row, equation) in equations.iter_mut().enumerate() {
            if row != done && equation[unknown] {
                equation.iter_mut().zip(&pivot).for_each(|(a, b)| *a ^= b);
            }
        }
        pivots.push(unknown);
    }
    if equations[pivots.len()..].iter().any(|equation| equation[unknowns]) {
        return None;
    }
    let mut chosen = vec![false; unknowns];
    for (equation, unknown) in equations.iter().zip(pivots) {
        chosen[unknown] = equation[unknowns];
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_or_have_no_solution() {
        let [t, f] = [true, false];
        assert_eq!(solve(vec![vec![t, t, t], vec![f, t, f]], 2), Some(vec![t, f]));
        assert_eq!(solve(vec![vec![t, t, t], vec![t, t, f]], 2), None);
        assert_eq!(solve(vec![vec![f, t]], 1), None);
        assert_eq!(solve(vec![], 2), Some(vec![f, f]));
    }
}
