//! A simple and slow implementation of sliding tiles, to check plans: a list of numbers. It shares
//! no code with the boards of the search.

use search::Op;
use search::plan::Reference;

/// Sliding tiles as a list of numbers row by row, to replay plans with [`search::plan::validate`].
///
/// It has the same operators as [`Tiles`](crate::Tiles).
#[derive(Clone, Debug)]
pub struct ReferenceTiles {
    columns: usize,
    goal: Vec<u8>,
}

impl ReferenceTiles {
    /// The puzzle with `columns` columns and a goal: the numbers row by row, 0 the blank.
    pub fn new(columns: usize, goal: Vec<u8>) -> Self {
        Self { columns, goal }
    }
}

impl Reference for ReferenceTiles {
    type State = Vec<u8>;

    fn successor(&self, state: &Vec<u8>, op: Op) -> Option<Vec<u8>> {
        let blank = state.iter().position(|&number| number == 0)?;
        let (row, column) = (blank / self.columns, blank % self.columns);
        let (row, column) = match op.index() {
            0 => (row.checked_sub(1)?, column),
            1 => (row, column.checked_sub(1)?),
            2 => (row, column + 1),
            3 => (row + 1, column),
            _ => return None,
        };
        let tile = row * self.columns + column;
        if column >= self.columns || tile >= state.len() {
            return None;
        }
        let mut state = state.clone();
        state.swap(blank, tile);
        Some(state)
    }

    fn is_solved(&self, state: &Vec<u8>) -> bool {
        *state == self.goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::domain::{Puzzle15, Puzzle19, Puzzle35, Tiles};
    use crate::board::word::BoardWord;
    use proptest::prelude::*;
    use search::plan::{Invalid, validate};
    use search::{Domain, OpSet};

    fn agree<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>, ops: &[u16]) {
        let goal = domain.numbers(&domain.goal());
        let reference = ReferenceTiles::new(C, goal.clone());
        let (mut board, mut next, mut list) = (domain.goal(), domain.goal(), goal);
        for op in ops.iter().map(|&op| Op(op)) {
            let listed = reference.successor(&list, op);
            assert_eq!(domain.applicable(&board).contains(op), listed.is_some());
            let Some(listed) = listed else { continue };
            domain.apply_into(&board, op, &mut next);
            (board, list) = (next, listed);
            assert_eq!(domain.numbers(&board), list);
            assert_eq!(domain.board(&list), Ok(board));
            assert_eq!(reference.is_solved(&list), domain.is_goal(&board));
        }
    }

    proptest! {
        #[test]
        fn lists_and_boards_agree(ops in proptest::collection::vec(0_u16..5, 1..80)) {
            let ops: Vec<u16> = ops.into_iter().map(|op| op % 4).collect();
            agree(&Puzzle15::new(), &ops);
            agree(&Puzzle15::parse_goal("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0").unwrap(), &ops);
            let goal = "9 8 7 6 5 4 3 2 1 0 19 18 17 16 15 14 13 12 11 10";
            agree(&Puzzle19::parse_goal(goal).unwrap(), &ops);
            agree(&Puzzle35::new(), &ops);
        }
    }

    #[test]
    fn plans_are_replayed() {
        let reference = ReferenceTiles::new(3, vec![0, 1, 2, 3, 4, 5]);
        let start = vec![1, 2, 0, 3, 4, 5];
        assert_eq!(validate(&reference, &start, &[Op(1), Op(1)]), Ok(()));
        assert_eq!(validate(&reference, &start, &[Op(1)]), Err(Invalid::NotSolved));
        for (place, plan) in
            [(0, [Op(2), Op(1)]), (0, [Op(0), Op(1)]), (1, [Op(3), Op(3)]), (1, [Op(1), Op(4)])]
        {
            assert_eq!(
                validate(&reference, &start, &plan),
                Err(Invalid::NotApplicable { place, op: plan[place] })
            );
        }
    }
}
