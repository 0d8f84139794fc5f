//! The space of a table `tiles`: the squares of some tiles and of the blank, and their ranks.

use crate::puzzle::{NOWHERE, Puzzle, inverse};
use crate::space::{Edge, INFINITE, MOST, Pass, Space, Visit, plus};
use crate::text::Checked;
use std::iter;

/// What of the blank's square a lookup reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blank {
    Exact,
    Least,
    Large,
}

/// States are lists of squares: those of the tiles in order, and that of the blank.
pub(crate) struct Tiles {
    squares: usize,
    /// The tiles, and 0 for the blank.
    values: Vec<usize>,
    blank: Blank,
    /// How many ways there are to place the tiles, and how many squares are without them.
    placements: usize,
    free: usize,
    /// The moves, and the moves turned around.
    both_ways: Vec<Shift>,
}

/// A move of the blank for masks of squares: where it applies, and what it adds to a square.
type Shift = (u64, u32);

impl Tiles {
    /// `None`: there are too many states.
    pub(crate) fn new(puzzle: &Puzzle, tiles: &[usize], blank: Blank) -> Option<Self> {
        let (squares, free) = (puzzle.points, puzzle.points - tiles.len());
        let states = (free..=squares).fold(1, |states, n| (states * n as u128).min(MOST + 1));
        let back = puzzle.moves.iter().map(|one| shift(&inverse(&one.map)));
        let both_ways = puzzle.moves.iter().map(|one| shift(&one.map)).chain(back).collect();
        // All tiles leave one square, which has its own entry.
        let blank = if free == 1 { Blank::Exact } else { blank };
        let (values, placements) = ([tiles, &[0]].concat(), states as usize / free);
        (states <= MOST).then_some(Self { squares, values, blank, placements, free, both_ways })
    }

    /// The rank of a state, and a mask of the squares in its list.
    fn rank_list(&self, state: &[usize]) -> (usize, u64) {
        let list = self.values.iter().map(|value| state[self.squares + value]).enumerate();
        list.fold((0, 0), |start, (at, square)| self.extend(start, at, square))
    }

    /// The rank of a list that is one square longer, and a mask of its squares.
    fn extend(&self, (rank, taken): (usize, u64), at: usize, square: usize) -> (usize, u64) {
        let below = (taken & ((1 << square) - 1)).count_ones() as usize;
        (rank * (self.squares - at) + square - below, taken | 1 << square)
    }

    /// Fills in the squares of the tiles of a placement. Gives a mask of the others.
    fn unrank(&self, placement: usize, list: &mut [usize]) -> u64 {
        let (mut rest, mut free) = (placement, u64::MAX >> (64 - self.squares));
        for at in (0..list.len() - 1).rev() {
            (list[at], rest) = (rest % (self.squares - at), rest / (self.squares - at));
        }
        for square in &mut list[..self.values.len() - 1] {
            // The digit counts the free squares below.
            *square = squares(free).nth(*square).unwrap_or(0);
            free &= !(1 << *square);
        }
        free
    }

    /// Which value counts for the blank in this region: 0 if it is large, else 1.
    fn value_of(&self, region: u64) -> usize {
        usize::from(region.count_ones() as usize * 2 <= self.free)
    }

    /// The values for the blank in a large region and elsewhere, of the entries of a placement.
    fn values_of(&self, free: u64, row: &[u8]) -> [u8; 2] {
        let (mut least, mut regions, mut rest) = ([INFINITE; 2], [0; 2], free);
        while rest != 0 {
            let region = flood(1 << rest.trailing_zeros(), free, &self.both_ways);
            let blanks = iter::zip(squares(free), row).filter(|one| region >> one.0 & 1 == 1);
            let at = self.value_of(region);
            least[at] = blanks.fold(least[at], |least, (_, &entry)| least.min(entry));
            (regions[at], rest) = (regions[at] + 1, rest & !region);
        }
        if self.blank == Blank::Least || regions.contains(&0) {
            least = [least[0].min(least[1]); 2];
        }
        least[0] = least[0].min(plus(least[1], 8));
        least[1] = least[1].min(plus(least[0], 6));
        least
    }
}

impl Space for Tiles {
    fn size(&self) -> usize {
        self.placements * self.free
    }

    fn rank(&self, state: &[usize]) -> Option<usize> {
        Some(self.rank_list(state).0)
    }

    fn walk(&self, pass: Pass, entries: &mut [u8], visit: &mut Visit) -> Checked {
        let shifts: Vec<_> = pass.moves.iter().map(|one| shift(&one.map)).collect();
        let (mut list, mut edges, last) = (self.values.clone(), Vec::new(), self.values.len() - 1);
        let mut starts = vec![(0, 0); last + 1];
        for placement in 0..self.placements {
            let row = placement * self.free..(placement + 1) * self.free;
            // Without an early end, this compares many bytes at once.
            if !entries[row.clone()].iter().fold(false, |found, &one| found | pass.wants(one)) {
                continue;
            }
            let free = self.unrank(placement, &mut list);
            for at in 0..last {
                starts[at + 1] = self.extend(starts[at], at, list[at]);
            }
            let pairs = iter::zip(squares(free), row.clone());
            let blanks = pairs.filter(|&(_, from)| pass.wants(entries[from]));
            let blanks = flood(blanks.fold(0, |mask, one| mask | 1 << one.0), free, &shifts);
            for (blank, from) in iter::zip(squares(free), row) {
                if blanks >> blank & 1 == 0 {
                    continue;
                }
                entries[from] = pass.wanted.unwrap_or(entries[from]);
                edges.clear();
                for one in pass.moves {
                    let next = one.map[blank];
                    // The flood has followed moves to free squares to the wanted entries.
                    if next == NOWHERE || pass.wanted.is_some() && free >> next & 1 == 1 {
                        continue;
                    }
                    // A tile of the table comes to where the blank was.
                    let tile = list[..last].iter().position(|&square| square == next);
                    let first = tile.unwrap_or(last);
                    (list[first], list[last]) = (blank, next);
                    let extend = |start, at| self.extend(start, at, list[at]);
                    let (to, _) = (first..=last).fold(starts[first], extend);
                    list[first] = next;
                    edges.push(Edge { to, cost: if first < last { one.cost } else { 0 } });
                }
                visit(entries, from, &edges)?;
            }
        }
        Ok(())
    }

    /// Two values for each placement.
    fn keep(&self, entries: &mut Vec<u8>) {
        if self.blank != Blank::Exact {
            let mut list = self.values.clone();
            for placement in 0..self.placements {
                let free = self.unrank(placement, &mut list);
                let values = self.values_of(free, &entries[placement * self.free..]);
                entries[placement * 2..][..2].copy_from_slice(&values);
            }
            entries.truncate(self.placements * 2);
            entries.shrink_to_fit();
        }
    }

    fn entry(&self, state: &[usize]) -> Option<usize> {
        let (rank, taken) = self.rank_list(state);
        let blank = 1 << state[self.squares];
        let region = flood(blank, !taken | blank, &self.both_ways);
        let value = rank / self.free * 2 + self.value_of(region);
        Some(if self.blank == Blank::Exact { rank } else { value })
    }

    fn tiles(&self) -> &[usize] {
        &self.values[..self.values.len() - 1]
    }

    /// The blank stays in its region.
    fn is_blind(&self, tile: usize) -> bool {
        self.blank != Blank::Exact && !self.tiles().contains(&tile)
    }
}

/// A move for masks.
fn shift(map: &[usize]) -> Shift {
    let applies = (0..map.len()).filter(|&from| map[from] != NOWHERE);
    // As bits are rotated around, subtracting is adding 64 minus as many.
    let by = applies.clone().next().map_or(0, |from| (64 + map[from] - from) % 64);
    (applies.fold(0, |mask, from| mask | 1 << from), by as u32)
}

/// The free squares that shifts lead to from those of a mask, and these.
fn flood(mask: u64, free: u64, shifts: &[Shift]) -> u64 {
    let (mut all, mut before) = (mask, 0);
    while all != before {
        before = all;
        for &(applies, by) in shifts {
            all |= free & (all & applies).rotate_left(by);
        }
    }
    all
}

/// The squares of a mask, in order.
fn squares(mask: u64) -> impl Iterator<Item = usize> {
    let next = |&mask: &u64| Some(mask & mask.wrapping_sub(1));
    let rests = iter::successors(Some(mask), next).take_while(|&mask| mask != 0);
    rests.map(|mask| mask.trailing_zeros() as usize)
}
