//! Puzzles: their blocks or board, their moves and their goal.

use crate::text::{Checked, Line, Lines, MOST, not_done, number, numbers, require, some, word};
use std::collections::HashSet;
use std::mem;

/// In place of a square: the move does not apply here.
pub(crate) const NOWHERE: usize = usize::MAX;
/// Places that hold the same kind of piece. Its points are numbered from `first`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Block {
    pub(crate) first: usize,
    pub(crate) places: usize,
    pub(crate) rotations: usize,
}

#[derive(Clone)]
pub(crate) struct Move {
    pub(crate) name: String,
    pub(crate) cost: usize,
    /// Permutations: for each point, the point whose sticker comes here. Boards: for each square,
    /// where the blank goes from it.
    pub(crate) map: Vec<usize>,
}

/// A puzzle. It is a board if it has no blocks.
#[derive(Default)]
pub(crate) struct Puzzle {
    pub(crate) blocks: Vec<Block>,
    /// The number of points or squares.
    pub(crate) points: usize,
    /// For each point, the next point of its place.
    pub(crate) turn: Vec<usize>,
    pub(crate) moves: Vec<Move>,
    pub(crate) goal: Vec<usize>,
}

impl Block {
    /// What a list of all points has for this block.
    pub(crate) fn of<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        &all[self.first..][..self.places * self.rotations]
    }

    /// For each place: the place whose piece comes here, and by how much it is rotated.
    pub(crate) fn step(&self, map: &[usize]) -> Vec<(usize, usize)> {
        let from = self.of(map).iter().step_by(self.rotations).map(|point| point - self.first);
        from.map(|point| (point / self.rotations, point % self.rotations)).collect()
    }
}

impl Puzzle {
    /// Reads the lines `block` or `board`, `move` and `goal`.
    pub(crate) fn read(lines: &mut Lines) -> Checked<Self> {
        let mut puzzle = Self::default();
        let two = |words: &Line| {
            let two = numbers(words, 0, 2)?;
            require(!two.contains(&0), "expected numbers of 1 or more")?;
            Ok([two[0], two[1]])
        };
        for [places, rotations] in lines.each("block", two)? {
            puzzle.blocks.push(Block { first: puzzle.points, places, rotations });
            puzzle.points += places * rotations;
        }
        let board = puzzle.is_board();
        let [rows, columns] = if board { lines.need("board", two)? } else { [0, 0] };
        puzzle.points += rows * columns;
        // A mask has a bit for each square.
        let large = || not_done("the puzzle has more than 65,535 points or 64 squares");
        (puzzle.points <= if board { 64 } else { MOST }).then_some(()).ok_or_else(large)?;
        puzzle.turn = (0..puzzle.points).collect();
        for Block { first, places, rotations } in &puzzle.blocks {
            let points = &mut puzzle.turn[*first..first + places * rotations];
            points.chunks_mut(*rotations).for_each(|place| place.rotate_left(1));
        }
        let (mut names, mut steps) = (HashSet::new(), HashSet::new());
        puzzle.moves = lines.each("move", |words| {
            let (name, cost) = (word(words, 0)?.to_owned(), number(words, 1)?);
            require((1..=MOST).contains(&cost), "expected a cost from 1 to 65,535")?;
            let (points, new) = (&words[2..], name != "=" && names.insert(name.clone()));
            let new = new && (!board || steps.insert(points.join(" ")));
            require(new, "expected another name and direction")?;
            let step = || read_step(points, [rows, columns]);
            Ok(Move { name, cost, map: if board { step() } else { puzzle.read_list(points) }? })
        })?;
        puzzle.goal = lines.need("goal", |words| {
            require((1..=MOST).contains(&puzzle.moves.len()), "expected 1 to 65,535 moves")?;
            let goal = numbers(words, 0, puzzle.points)?;
            require(!board || is_permutation(&goal), "expected each value once")?;
            Ok(goal)
        })?;
        Ok(puzzle)
    }

    pub(crate) fn is_board(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A permutation of points that keeps pieces whole and in their blocks, or of values.
    pub(crate) fn read_list(&self, words: &Line) -> Checked<Vec<usize>> {
        let list = numbers(words, 0, self.points)?;
        require(is_permutation(&list), "expected each number once")?;
        let whole = |&at: &usize| {
            let turned = list[self.turn[at]] == self.turn[list[at]];
            turned && self.block(at) == self.block(list[at])
        };
        let torn = (0..self.points).find(|at| !whole(at)).unwrap_or(self.points);
        require(torn == self.points, format_args!("point {torn} is torn off its piece or block"))?;
        Ok(list)
    }

    /// The block of a point. `None` for squares.
    pub(crate) fn block(&self, point: usize) -> Option<&Block> {
        self.blocks.iter().rfind(|block| block.first <= point)
    }

    /// A state as the search keeps it. On a board, the square of each value comes behind the value
    /// of each square.
    pub(crate) fn state(&self, mut values: Vec<usize>) -> Vec<usize> {
        values.extend(if self.is_board() { inverse(&values) } else { Vec::new() });
        values
    }

    /// A state that is a goal.
    pub(crate) fn solved(&self) -> Vec<usize> {
        self.state(if self.is_board() { self.goal.clone() } else { (0..self.points).collect() })
    }

    pub(crate) fn is_goal(&self, state: &[usize]) -> bool {
        let label = |at: usize| if self.is_board() { at } else { self.goal[at] };
        state.iter().zip(&self.goal).all(|(&at, &goal)| label(at) == goal)
    }

    /// Applies a move. `false`: it does not apply.
    pub(crate) fn apply(&self, from: &[usize], by: &Move, to: &mut [usize]) -> bool {
        if !self.is_board() {
            to.iter_mut().zip(&by.map).for_each(|(to, &point)| *to = from[point]);
            return true;
        }
        let blank = from[self.points];
        let next = by.map[blank];
        if next != NOWHERE {
            let tile = from[next];
            to.copy_from_slice(from);
            (to[blank], to[next]) = (tile, 0);
            (to[self.points], to[self.points + tile]) = (next, blank);
        }
        next != NOWHERE
    }

    /// The state after some moves. `None`: they do not apply.
    pub(crate) fn apply_all(&self, state: &[usize], moves: &[usize]) -> Option<Vec<usize>> {
        moves.iter().try_fold(state.to_vec(), |state, &by| {
            let mut next = state.clone();
            self.apply(&state, &self.moves[by], &mut next).then_some(next)
        })
    }

    pub(crate) fn cost(&self, moves: &[usize]) -> usize {
        moves.iter().map(|&by| self.moves[by].cost).sum()
    }

    /// Reads the names of moves.
    pub(crate) fn named(&self, names: &Line) -> Checked<Vec<usize>> {
        let number = |name| {
            let found = self.moves.iter().position(|one| one.name == name);
            some(found, format_args!("there is no move `{name}`"))
        };
        names.iter().map(|&name| number(name)).collect()
    }

    /// Whether all plans of a state have costs of one parity: all costs are odd, and each move
    /// permutes the squares oddly, or the places of some block whose pieces the goal tells apart.
    pub(crate) fn has_parity(&self) -> bool {
        let is_odd = |step: Vec<(usize, usize)>| {
            let above = |at: usize| step[..at].iter().filter(|from| from.0 > step[at].0).count();
            (0..step.len()).map(above).sum::<usize>() % 2 == 1
        };
        let odd_block = |block: &Block| {
            let pieces = block.of(&self.goal).chunks(block.rotations).map(least_rotation);
            let odd = self.moves.iter().all(|one| is_odd(block.step(&one.map)));
            odd && pieces.collect::<HashSet<_>>().len() == block.places
        };
        let parity = self.is_board() || self.blocks.iter().any(odd_block);
        parity && self.moves.iter().all(|one| one.cost % 2 == 1)
    }
}

/// For each square, the square that is one step away, or `NOWHERE`.
fn read_step(words: &Line, [rows, columns]: [usize; 2]) -> Checked<Vec<usize>> {
    let steps = [["-1", "0"], ["1", "0"], ["0", "-1"], ["0", "1"]];
    let step = some(steps.iter().position(|step| step == words), "expected a step of one square")?;
    let to = |square: usize| match (step, square / columns, square % columns) {
        (0, 1.., _) => square - columns,
        (1, row, _) if row + 1 < rows => square + columns,
        (2, _, 1..) => square - 1,
        (3, _, column) if column + 1 < columns => square + 1,
        _ => NOWHERE,
    };
    Ok((0..rows * columns).map(to).collect())
}

pub(crate) fn is_permutation(numbers: &[usize]) -> bool {
    let mut seen = vec![false; numbers.len()];
    let mut new = |at: usize| seen.get_mut(at).is_some_and(|seen| !mem::replace(seen, true));
    numbers.iter().all(|&number| new(number))
}

/// Where each number is in a list.
pub(crate) fn inverse(map: &[usize]) -> Vec<usize> {
    let mut inverse = vec![NOWHERE; map.len()];
    let inside = map.iter().enumerate().filter(|&(_, &to)| to != NOWHERE);
    inside.for_each(|(from, &to)| inverse[to] = from);
    inverse
}

/// The lexicographically least rotation of some labels.
pub(crate) fn least_rotation(labels: &[usize]) -> Vec<usize> {
    let rotated = |by: usize| [&labels[by..], &labels[..by]].concat();
    (0..labels.len()).map(rotated).min().unwrap_or_default()
}
