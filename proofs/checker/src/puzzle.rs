//! Puzzles: their blocks or board, their moves and their goal.

use crate::text::{Line, Lines, Objection};

/// In place of a square: the move does not apply here.
pub(crate) const NOWHERE: u16 = u16::MAX;
const MOST_MOVES: usize = 65_535;
/// The most squares of a board: one for each bit of a mask.
const MOST_SQUARES: u64 = 64;

/// Places that hold the same kind of piece. Points and stickers are numbered from `first`.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) first: usize,
    pub(crate) places: usize,
    pub(crate) rotations: usize,
}

impl Block {
    pub(crate) fn end(&self) -> usize {
        self.first + self.places * self.rotations
    }

    /// The place of a point of this block, and the number of the point in its place.
    pub(crate) fn split(&self, point: u16) -> (usize, usize) {
        let point = usize::from(point) - self.first;
        (point / self.rotations, point % self.rotations)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Move {
    pub(crate) name: String,
    pub(crate) cost: u16,
    /// Permutations: for each point, the point whose sticker comes here. Boards: for each square,
    /// where the blank goes from it.
    pub(crate) map: Vec<u16>,
}

impl Move {
    /// The move that undoes this one, at its cost.
    pub(crate) fn inverse(&self) -> Self {
        let mut map = vec![NOWHERE; self.map.len()];
        for (from, &to) in (0..).zip(&self.map).filter(|&(_, &to)| to != NOWHERE) {
            map[usize::from(to)] = from;
        }
        Self { map, ..self.clone() }
    }
}

/// A puzzle. It is a board if it has no blocks.
#[derive(Debug, Default)]
pub(crate) struct Puzzle {
    pub(crate) blocks: Vec<Block>,
    pub(crate) columns: usize,
    /// The number of points, or of squares.
    pub(crate) points: usize,
    pub(crate) moves: Vec<Move>,
    pub(crate) goal: Vec<u16>,
}

impl Puzzle {
    /// Reads the lines `block` or `board`, `move` and `goal`.
    pub(crate) fn read(lines: &mut Lines) -> Result<Self, Objection> {
        let mut puzzle = Self::default();
        if let Some(line) = lines.take("board")? {
            line.require_words(2)?;
            let (rows, columns) =
                (line.number(0, u32::MAX.into())?, line.number(1, u32::MAX.into())?);
            line.require(rows * columns > 1, "expected two squares or more")?;
            if rows * columns > MOST_SQUARES {
                let text = format!("line {}: more than {MOST_SQUARES} squares", line.number);
                return Err(Objection::NotDone(text));
            }
            (puzzle.points, puzzle.columns) = ((rows * columns) as usize, columns as usize);
        } else {
            let first = lines.expect("block")?;
            for line in [first].into_iter().chain(lines.all("block")?) {
                line.require_words(2)?;
                let numbers = line.numbers(0, 2)?;
                let (places, rotations) = (usize::from(numbers[0]), usize::from(numbers[1]));
                puzzle.blocks.push(Block { first: puzzle.points, places, rotations });
                puzzle.points += places * rotations;
                let fits = places * rotations > 0 && puzzle.points <= usize::from(NOWHERE);
                line.require(fits, "expected 1 to 65,535 points altogether")?;
            }
        }
        for line in lines.all("move")? {
            let new = puzzle.read_move(&line)?;
            let other = puzzle.moves.iter().all(|other| other.name != new.name);
            line.require(other && new.name != "=", "expected another name for the move")?;
            line.require(puzzle.moves.len() < MOST_MOVES, "expected at most 65,535 moves")?;
            puzzle.moves.push(new);
        }
        let line = lines.expect("goal")?;
        puzzle.goal = line.numbers(0, puzzle.points)?;
        line.require(
            !puzzle.is_board() || is_permutation(&puzzle.goal),
            "expected each value once",
        )?;
        Ok(puzzle)
    }

    pub(crate) fn is_board(&self) -> bool {
        self.blocks.is_empty()
    }

    fn read_move(&self, line: &Line) -> Result<Move, Objection> {
        let (name, cost) = (line.word(0)?.to_owned(), line.number(1, u16::MAX.into())?);
        line.require(cost > 0, "expected a cost from 1 to 65535")?;
        let map = if self.is_board() {
            line.require_words(4)?;
            let step = match (line.word(2)?, line.word(3)?) {
                ("-1", "0") => (-1, 0),
                ("1", "0") => (1, 0),
                ("0", "-1") => (0, -1),
                ("0", "1") => (0, 1),
                _ => return Err(line.refused("expected a step to a neighbouring square")),
            };
            (0..self.points).map(|square| self.neighbour(square, step)).collect()
        } else {
            let map = line.numbers(2, self.points)?;
            self.require_blocks(line, &map)?;
            map
        };
        Ok(Move { name, cost: cost as u16, map })
    }

    /// The square that is some rows down and columns right, or `NOWHERE`.
    fn neighbour(&self, square: usize, (down, right): (isize, isize)) -> u16 {
        let row = (square / self.columns).checked_add_signed(down);
        let column = (square % self.columns).checked_add_signed(right);
        let row = row.filter(|row| row * self.columns < self.points);
        let column = column.filter(|&column| column < self.columns);
        let square = row.zip(column).map(|(row, column)| row * self.columns + column);
        square.map_or(NOWHERE, |square| square as u16)
    }

    /// Requires that each place gets a piece of its block, perhaps rotated, and none gets lost.
    pub(crate) fn require_blocks(&self, line: &Line, map: &[u16]) -> Result<(), Objection> {
        let mut seen = vec![false; self.points];
        for block in &self.blocks {
            for place in map[block.first..block.end()].chunks(block.rotations) {
                let inside = (block.first..block.end()).contains(&usize::from(place[0]));
                line.require(inside, format_args!("{} is a point of another block", place[0]))?;
                let (piece, by) = block.split(place[0]);
                let fits = (by..).zip(place).all(|(point, &found)| {
                    usize::from(found)
                        == block.first + piece * block.rotations + point % block.rotations
                });
                let text = format_args!("expected a rotated piece in place of {place:?}");
                line.require(fits, text)?;
                let piece = &mut seen[block.first + piece];
                line.require(!*piece, format_args!("the piece of {} is there twice", place[0]))?;
                *piece = true;
            }
        }
        Ok(())
    }

    /// A state from its line: the sticker at each point, or the value of each square.
    pub(crate) fn read_state(&self, line: &Line) -> Result<Vec<u16>, Objection> {
        let values = line.numbers(0, self.points)?;
        self.require_blocks(line, &values)?;
        let whole = !self.is_board() || is_permutation(&values);
        line.require(whole, "expected each value once")?;
        Ok(self.state(values))
    }

    /// A state as the search keeps it. That of a board has the square of each value, too, behind
    /// the value of each square.
    pub(crate) fn state(&self, mut values: Vec<u16>) -> Vec<u16> {
        if self.is_board() {
            let squares = inverse(&values);
            values.extend(squares);
        }
        values
    }

    /// Applies a move. `false`: it does not apply.
    pub(crate) fn apply(&self, from: &[u16], by: &Move, to: &mut [u16]) -> bool {
        if !self.is_board() {
            for (to, &point) in to.iter_mut().zip(&by.map) {
                *to = from[usize::from(point)];
            }
            return true;
        }
        let blank = from[self.points];
        let next = by.map[usize::from(blank)];
        if next == NOWHERE {
            return false;
        }
        let tile = from[usize::from(next)];
        to.copy_from_slice(from);
        to[usize::from(blank)] = tile;
        to[usize::from(next)] = 0;
        to[self.points] = next;
        to[self.points + usize::from(tile)] = blank;
        true
    }

    /// The state after some moves. `None`: one of them does not apply.
    pub(crate) fn apply_all(&self, state: &[u16], moves: &[usize]) -> Option<Vec<u16>> {
        let mut state = state.to_vec();
        let mut next = state.clone();
        for &by in moves {
            if !self.apply(&state, &self.moves[by], &mut next) {
                return None;
            }
            std::mem::swap(&mut state, &mut next);
        }
        Some(state)
    }

    pub(crate) fn cost(&self, moves: &[usize]) -> u64 {
        moves.iter().map(|&by| u64::from(self.moves[by].cost)).sum()
    }

    pub(crate) fn is_goal(&self, state: &[u16]) -> bool {
        if self.is_board() {
            return state[..self.points] == self.goal[..];
        }
        state.iter().zip(&self.goal).all(|(&at, &label)| self.goal[usize::from(at)] == label)
    }

    /// Reads the names of moves.
    pub(crate) fn named(&self, line: &Line, names: &[&str]) -> Result<Vec<usize>, Objection> {
        let number = |name: &&str| {
            let found = self.moves.iter().position(|one| one.name == *name);
            found.ok_or_else(|| line.refused(format_args!("there is no move `{name}`")))
        };
        names.iter().map(number).collect()
    }

    /// Whether all plans of a state have costs of one parity: all costs are odd, and each move
    /// permutes the squares oddly, or the places of some block whose pieces the goal tells apart.
    pub(crate) fn has_parity(&self) -> bool {
        let odd_block = |block: &Block| {
            let goal = self.goal[block.first..block.end()].chunks(block.rotations);
            let mut pieces: Vec<_> = goal.map(least_rotation).collect();
            pieces.sort();
            pieces.dedup();
            let odd = |by: &Move| {
                let points = by.map[block.first..block.end()].iter().step_by(block.rotations);
                is_odd(&points.map(|&point| block.split(point).0).collect::<Vec<_>>())
            };
            pieces.len() == block.places && self.moves.iter().all(odd)
        };
        self.moves.iter().all(|by| by.cost % 2 == 1)
            && (self.is_board() || self.blocks.iter().any(odd_block))
    }
}

pub(crate) fn is_permutation(numbers: &[u16]) -> bool {
    let mut seen = vec![false; numbers.len()];
    let new = |&number: &u16| {
        seen.get_mut(usize::from(number)).is_some_and(|seen| !std::mem::replace(seen, true))
    };
    numbers.iter().all(new)
}

pub(crate) fn inverse(permutation: &[u16]) -> Vec<u16> {
    let mut inverse = vec![0; permutation.len()];
    for (at, &number) in (0..).zip(permutation) {
        inverse[usize::from(number)] = at;
    }
    inverse
}

/// Whether a permutation is odd: it has an odd number of cycles of even length.
fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for start in 0..permutation.len() {
        let (mut at, mut length) = (start, 0_usize);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (permutation[at], length + 1);
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    odd
}

/// The lexicographically least rotation of some labels.
pub(crate) fn least_rotation(labels: &[u16]) -> Vec<u16> {
    let rotated = |by: usize| [&labels[by..], &labels[..by]].concat();
    (0..labels.len()).map(rotated).min().unwrap_or_default()
}
