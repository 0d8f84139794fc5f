//! The serial order of a group's pieces, for macro tables.

use super::group_puzzle::GroupPuzzle;
use super::slots::GroupElement;
use search::OpSet;
use search::macros::SerialOrder;

/// The pieces of a [`GroupPuzzle`] in the order of their home slots, for
/// [`search::macros::learn_macros`].
///
/// The value of a piece is the [point](super::PuzzleGroup::point) of its slot plus its twist. An
/// operator moves each piece by this value alone, so the order is serial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotOrder {
    slots: usize,
    points: usize,
}

impl SlotOrder {
    /// The order of a puzzle.
    pub fn new<const N: usize, O: OpSet>(puzzle: &GroupPuzzle<N, O>) -> Self {
        Self { slots: puzzle.group().slots(), points: puzzle.group().points() }
    }
}

impl<const N: usize, O: OpSet> SerialOrder<GroupPuzzle<N, O>> for SlotOrder {
    fn features(&self) -> usize {
        self.slots
    }
    fn values(&self, _: usize) -> usize {
        self.points
    }
    fn value(&self, puzzle: &GroupPuzzle<N, O>, state: &GroupElement<N>, feature: usize) -> usize {
        let mut pieces = state.piece[..self.slots].iter();
        let slot = pieces.position(|&piece| usize::from(piece) == feature).unwrap_or(0);
        usize::from(puzzle.group().point(slot)) + usize::from(state.twist[slot])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoveMetric, ReferencePuzzle, testing};
    use search::macros::{LearningEnd, learn_macros};
    use search::plan::Reference;
    use search::random::Random;
    use search::testing::check_serial;
    use search::{Domain, Group, Op, Options, plan};

    /// Learns the table of a shipped group, and solves random states with it.
    fn check<const N: usize, O: OpSet>(name: &str, most: usize, macros: usize) {
        let (definition, operators) = testing::puzzle(name, MoveMetric::Turn);
        let puzzle = GroupPuzzle::<N, O>::new(&definition, operators.clone()).unwrap();
        let (order, goal) = (SlotOrder::new(&puzzle), puzzle.identity());
        check_serial(&puzzle, &order, &goal, &[]).unwrap();
        let learned = learn_macros(&puzzle, &order, &goal, most, &Options::default());
        let figures = learned.table.statistics();
        assert!(learned.end == LearningEnd::Complete && learned.table.is_complete());
        assert_eq!(figures.macros, macros);
        let (reference, mut random) =
            (ReferencePuzzle::new(&definition, &operators), Random::new(4));
        for _ in 0..100 {
            let (mut state, mut next) = (goal, goal);
            let mut start = reference.start(definition.start());
            for _ in 0..200 {
                let op = Op::new(random.index(puzzle.operators()));
                puzzle.apply_into(&state, op, &mut next);
                state = next;
                start = reference.successor(&start, op).unwrap();
            }
            let solution = learned.table.solve(&puzzle, &order, &state).unwrap();
            plan::validate(&reference, &start, &solution.plan).unwrap();
        }
    }

    /// The number of macros follows from the orbits of the pieces: in M12 the first five slots have
    /// 11, 10, 9, 8 and 7, in M24 the first slots have 23 to 19, then 15 and 2.
    #[test]
    fn tables_of_shipped_groups_solve_random_states() {
        check::<8, u32>("2x2x2", 1 << 14, 75);
        check::<32, u32>("pyraminx", 1 << 14, 41);
        check::<8, u32>("pancake-8", 1 << 14, 28);
        check::<32, u32>("top-spin-20-4", 1 << 14, 190);
        check::<32, u32>("m12", 1 << 14, 45);
        check::<32, u32>("m24", 1 << 14, 122);
        check::<32, u32>("skewb", 1 << 14, 45);
        check::<32, u32>("3x3x3", 1 << 17, 239);
    }
}
