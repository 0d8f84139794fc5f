//! The lines of a puzzle: [`PlainPuzzle`].

use std::collections::HashSet;
use std::fmt;

/// Places that hold each other's pieces. Each place has a point for each rotation of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainBlock {
    /// Number of places, and of pieces.
    pub pieces: usize,
    /// Number of points of a place.
    pub rotations: usize,
}

/// A move with what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainMove<E> {
    /// The name, without blanks.
    pub name: String,
    /// The cost, at least 1.
    pub cost: u16,
    /// What the move does.
    pub effect: E,
}

/// Why a puzzle has no lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlainError(String);

impl PlainError {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }
}

/// A puzzle: what its states are, its moves, and its goal.
///
/// A state of a puzzle of blocks gives each point a sticker. A sticker has the number of the point
/// where it lies in the goal. So the goal is the identity, but other states are goals too if pieces
/// look alike. `Display` writes the lines `block` or `board`, `move` and `goal`, each with its end.
///
/// ```
/// use fewest_proofs::plain::{PlainBlock, PlainMove, PlainPuzzle};
///
/// let swap = PlainMove { name: "S".to_owned(), cost: 1, effect: vec![2, 3, 0, 1] };
/// let block = PlainBlock { pieces: 2, rotations: 2 };
/// let puzzle = PlainPuzzle::of_blocks(vec![block], vec![swap], vec![0, 1, 2, 3])?;
/// assert_eq!(puzzle.to_string(), "block 2 2\nmove S 1 2 3 0 1\ngoal 0 1 2 3\n");
/// # Ok::<(), fewest_proofs::plain::PlainError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainPuzzle {
    /// Pieces in places.
    Blocks {
        /// The blocks. Points are numbered from 0, block after block and place after place.
        blocks: Vec<PlainBlock>,
        /// The moves. An effect has, for each point, the point whose sticker comes here.
        moves: Vec<PlainMove<Vec<u16>>>,
        /// The label of each point. Stickers with one label look alike.
        goal: Vec<u16>,
    },
    /// Sliding tiles.
    Board {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// The moves. An effect is how many rows down and how many columns right the blank goes.
        moves: Vec<PlainMove<(i8, i8)>>,
        /// The value of each square in the goal, row by row. 0 is the blank.
        goal: Vec<u16>,
    },
}

impl PlainPuzzle {
    /// A puzzle of pieces in places.
    ///
    /// # Errors
    /// - A move does not send whole places to places of the same block, rotated.
    /// - A name has blanks, is `=` or empty, or two moves have it. A cost is 0.
    /// - There are more than 65,535 points, or not one label for each.
    pub fn of_blocks(
        blocks: Vec<PlainBlock>,
        moves: Vec<PlainMove<Vec<u16>>>,
        goal: Vec<u16>,
    ) -> Result<Self, PlainError> {
        let points =
            blocks.iter().map(|block| block.pieces.saturating_mul(block.rotations)).sum::<usize>();
        if points == 0 || points > usize::from(u16::MAX) {
            return Err(PlainError::new(format_args!("{points} points, expected 1 to 65535")));
        }
        if goal.len() != points {
            return Err(PlainError::new(format_args!("{} labels, expected {points}", goal.len())));
        }
        check_moves(&moves)?;
        for one in &moves {
            if !keeps_to_places(&blocks, &one.effect) {
                let name = &one.name;
                return Err(PlainError::new(format_args!(
                    "move {name}: expected rotated places of a block"
                )));
            }
        }
        Ok(Self::Blocks { blocks, moves, goal })
    }

    /// A board of sliding tiles.
    ///
    /// # Errors
    /// - A move does not send the blank to a neighbour.
    /// - A name has blanks, is `=` or empty, or two moves have it. A cost is 0.
    /// - The goal does not have each value from 0 on once.
    pub fn of_board(
        (rows, columns): (usize, usize),
        moves: Vec<PlainMove<(i8, i8)>>,
        goal: Vec<u16>,
    ) -> Result<Self, PlainError> {
        check_moves(&moves)?;
        for PlainMove { name, effect: (down, right), .. } in &moves {
            if down.unsigned_abs() + right.unsigned_abs() != 1 {
                return Err(PlainError::new(format_args!(
                    "move {name}: expected a neighbour of the blank"
                )));
            }
        }
        let squares = rows.saturating_mul(columns);
        if goal.len() != squares || !is_permutation(&goal) {
            return Err(PlainError::new(format_args!(
                "goal: expected each value below {squares} once"
            )));
        }
        Ok(Self::Board { rows, columns, moves, goal })
    }

    /// The number of points or squares: of stickers or values in a state.
    pub fn points(&self) -> usize {
        let (Self::Blocks { goal, .. } | Self::Board { goal, .. }) = self;
        goal.len()
    }

    /// Whether the goal tells all stickers apart, as on a board.
    pub fn is_distinct(&self) -> bool {
        let (Self::Blocks { goal, .. } | Self::Board { goal, .. }) = self;
        let mut labels = HashSet::new();
        goal.iter().all(|label| labels.insert(label))
    }

    /// The name of a move. Empty if there is no such move.
    pub(super) fn move_name(&self, number: usize) -> &str {
        match self {
            Self::Blocks { moves, .. } => moves.get(number).map(|one| &one.name),
            Self::Board { moves, .. } => moves.get(number).map(|one| &one.name),
        }
        .map_or("", String::as_str)
    }

    /// Whether the inverse of each state is a state of the same distance: the goal tells all
    /// stickers apart, and each move can be undone by one of the same cost.
    pub(super) fn inverts(&self) -> bool {
        let Self::Blocks { moves, goal, .. } = self else { return false };
        let undone = |one: &PlainMove<Vec<u16>>, other: &PlainMove<Vec<u16>>| {
            let mut both = one.effect.iter().map(|&point| other.effect.get(usize::from(point)));
            one.cost == other.cost && (0..).zip(&mut both).all(|(own, back)| back == Some(&own))
        };
        let labels: HashSet<&u16> = goal.iter().collect();
        labels.len() == goal.len()
            && moves.iter().all(|one| moves.iter().any(|other| undone(one, other)))
    }

    /// Whether all plans of a state have odd costs, or all even ones: each move has an odd cost,
    /// and permutes the places of some block oddly. In that block the goal tells all pieces apart.
    /// So it is for boards whose moves have odd costs.
    pub(super) fn has_parity(&self) -> bool {
        let (blocks, moves, goal) = match self {
            Self::Board { moves, .. } => return moves.iter().all(|one| one.cost % 2 == 1),
            Self::Blocks { blocks, moves, goal } => (blocks, moves, goal),
        };
        let mut first = 0;
        let is_odd = |block: &PlainBlock| {
            let points = first..first + block.pieces * block.rotations;
            first = points.end;
            let places = goal[points.clone()].chunks(block.rotations).map(least_rotation);
            places.collect::<HashSet<_>>().len() == block.pieces
                && moves.iter().all(|one| {
                    let from = one.effect[points.clone()].iter().step_by(block.rotations);
                    let from: Vec<usize> = from
                        .map(|&point| (usize::from(point) - points.start) / block.rotations)
                        .collect();
                    (block.pieces - cycles(&from)) % 2 == 1
                })
        };
        moves.iter().all(|one| one.cost % 2 == 1) && blocks.iter().any(is_odd)
    }

    /// Whether a state has a sticker for each point, or a value for each square, that moves may
    /// bring there.
    pub fn is_state(&self, state: &[u16]) -> bool {
        match self {
            Self::Blocks { blocks, .. } => keeps_to_places(blocks, state),
            Self::Board { goal, .. } => state.len() == goal.len() && is_permutation(state),
        }
    }
}

impl fmt::Display for PlainPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = match self {
            Self::Blocks { blocks, moves, goal } => {
                for PlainBlock { pieces, rotations } in blocks {
                    writeln!(f, "block {pieces} {rotations}")?;
                }
                for PlainMove { name, cost, effect } in moves {
                    f.write_str(&line(&format!("move {name} {cost}"), effect))?;
                }
                goal
            }
            Self::Board { rows, columns, moves, goal } => {
                writeln!(f, "board {rows} {columns}")?;
                for PlainMove { name, cost, effect: (down, right) } in moves {
                    writeln!(f, "move {name} {cost} {down} {right}")?;
                }
                goal
            }
        };
        f.write_str(&line("goal", goal))
    }
}

/// A line of words and numbers, such as `start 1 0 2`, with its end.
pub fn line(words: &str, numbers: &[u16]) -> String {
    use fmt::Write;
    let mut line = words.to_owned();
    for number in numbers {
        // Writing to a text does not fail.
        let _ = write!(line, " {number}");
    }
    line + "\n"
}

/// Checks names and costs.
fn check_moves<E>(moves: &[PlainMove<E>]) -> Result<(), PlainError> {
    let mut names = HashSet::new();
    for PlainMove { name, cost, .. } in moves {
        let is_odd = |letter: char| letter.is_whitespace() || letter.is_control();
        if name.is_empty() || name == "=" || name.contains(is_odd) {
            return Err(PlainError::new(format_args!(
                "move {name:?}: expected a name without blanks"
            )));
        }
        if !names.insert(name) {
            return Err(PlainError::new(format_args!(
                "move {name}: expected a name that no other move has"
            )));
        }
        if *cost == 0 {
            return Err(PlainError::new(format_args!("move {name}: expected a cost of 1 or more")));
        }
    }
    Ok(())
}

/// The lexicographically least rotation of some labels.
pub(super) fn least_rotation(labels: &[u16]) -> Vec<u16> {
    let turned = |by: usize| [&labels[by..], &labels[..by]].concat();
    (0..labels.len()).map(turned).min().unwrap_or_default()
}

/// The number of cycles of a permutation.
fn cycles(permutation: &[usize]) -> usize {
    let mut seen = vec![false; permutation.len()];
    let mut cycles = 0;
    for start in 0..permutation.len() {
        let mut at = start;
        cycles += usize::from(!seen[at]);
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at];
        }
    }
    cycles
}

/// Whether each number below their count is there once.
pub(super) fn is_permutation(numbers: &[u16]) -> bool {
    let mut seen = vec![false; numbers.len()];
    numbers.iter().all(|&number| {
        let seen = seen.get_mut(usize::from(number));
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// Whether a permutation of the points has whole places of the same block at each place, rotated.
fn keeps_to_places(blocks: &[PlainBlock], points: &[u16]) -> bool {
    let mut rest = points;
    let mut first = 0;
    for &PlainBlock { pieces, rotations } in blocks {
        let Some((block, after)) = rest.split_at_checked(pieces * rotations) else { return false };
        let range = first..first + block.len();
        for place in block.chunks(rotations.max(1)) {
            let from = usize::from(place[0]);
            if !range.contains(&from) {
                return false;
            }
            let (from, turn) = ((from - first) / rotations, (from - first) % rotations);
            let expected = |i: usize| first + from * rotations + (i + turn) % rotations;
            if (0..rotations).any(|i| usize::from(place[i]) != expected(i)) {
                return false;
            }
        }
        (rest, first) = (after, range.end);
    }
    rest.is_empty() && is_permutation(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<E>(name: &str, cost: u16, effect: E) -> PlainMove<E> {
        PlainMove { name: name.to_owned(), cost, effect }
    }

    #[test]
    fn lines_of_blocks_and_boards() {
        let blocks = [(2, 2), (3, 1)].map(|(pieces, rotations)| PlainBlock { pieces, rotations });
        let moves = vec![
            named("A", 1, vec![3, 2, 1, 0, 4, 5, 6]),
            named("B'", 7, vec![0, 1, 2, 3, 5, 6, 4]),
        ];
        let puzzle = PlainPuzzle::of_blocks(blocks.to_vec(), moves, vec![0, 1, 2, 2, 9, 9, 3]);
        let puzzle = puzzle.unwrap();
        assert_eq!(
            puzzle.to_string(),
            "block 2 2\nblock 3 1\nmove A 1 3 2 1 0 4 5 6\nmove B' 7 0 1 2 3 5 6 4\n\
             goal 0 1 2 2 9 9 3\n"
        );
        assert!(puzzle.is_state(&[2, 3, 1, 0, 6, 4, 5]));
        assert!(!puzzle.is_state(&[2, 3, 4, 0, 6, 1, 5]));
        let moves = vec![named("up", 1, (-1, 0)), named("right", 2, (0, 1))];
        let puzzle = PlainPuzzle::of_board((2, 2), moves, vec![0, 1, 2, 3]).unwrap();
        assert_eq!(
            puzzle.to_string(),
            "board 2 2\nmove up 1 -1 0\nmove right 2 0 1\ngoal 0 1 2 3\n"
        );
        assert!(puzzle.is_state(&[3, 2, 1, 0]) && !puzzle.is_state(&[3, 2, 1, 1]));
    }

    #[test]
    fn wrong_puzzles_are_refused() {
        let block = |moves: Vec<PlainMove<Vec<u16>>>, goal: &[u16]| {
            let blocks = [(2, 2), (2, 1)];
            let blocks = blocks.map(|(pieces, rotations)| PlainBlock { pieces, rotations });
            let puzzle = PlainPuzzle::of_blocks(blocks.to_vec(), moves, goal.to_vec());
            puzzle.map_err(|error| error.to_string())
        };
        let goal = [0, 1, 2, 3, 4, 5];
        let good = || named("A", 1, vec![3, 2, 0, 1, 5, 4]);
        assert!(block(vec![good()], &goal).is_ok());
        for (moves, goal, expected) in [
            (vec![good()], &goal[1..], "5 labels, expected 6"),
            (vec![good(), good()], &goal, "no other move has"),
            (vec![named("A B", 1, good().effect)], &goal, "without blanks"),
            (vec![named("=", 1, good().effect)], &goal, "without blanks"),
            (vec![named("A", 0, good().effect)], &goal, "a cost of 1"),
            (vec![named("A", 1, vec![3, 2, 0, 1, 5])], &goal, "rotated places"),
            (vec![named("A", 1, vec![0, 2, 1, 3, 5, 4])], &goal, "rotated places"),
            (vec![named("A", 1, vec![0, 1, 0, 1, 5, 4])], &goal, "rotated places"),
            (vec![named("A", 1, vec![4, 5, 2, 3, 0, 1])], &goal, "rotated places"),
        ] {
            let error = block(moves, goal).expect_err("refused");
            assert!(error.contains(expected), "{error}");
        }
        for (effect, goal) in [((0, 1), [0, 1, 2, 2]), ((1, 1), [0, 1, 2, 3])] {
            let moves = vec![named("m", 1, effect)];
            assert!(PlainPuzzle::of_board((2, 2), moves, goal.to_vec()).is_err());
        }
    }
}
