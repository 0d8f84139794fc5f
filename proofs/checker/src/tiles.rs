//! The space of a table `tiles`: the squares of some tiles and of the blank, and their ranks.

use crate::puzzle::{Move, NOWHERE, Puzzle, inverse};
use crate::space::{Edge, INFINITE, MOST, Space, Visit, plus};
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

    fn tiles(&self) -> &[usize] {
        &self.values[..self.values.len() - 1]
    }

    pub(crate) fn shares(&self, other: &Self) -> bool {
        self.tiles().iter().any(|tile| other.tiles().contains(tile))
    }

    /// Whether a lookup reads the same after a move of this tile: the blank stays in its region.
    pub(crate) fn keeps(&self, tile: usize) -> bool {
        self.blank != Blank::Exact && !self.tiles().contains(&tile)
    }

    /// The rank of a list.
    fn rank_list(&self, list: impl Fn(usize) -> usize) -> usize {
        (0..self.values.len()).fold(0, |rank, at| {
            let below = (0..at).filter(|&other| list(other) < list(at)).count();
            rank * (self.squares - at) + list(at) - below
        })
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

    /// The entry that a lookup reads, among those that are kept.
    pub(crate) fn entry(&self, state: &[usize]) -> usize {
        let square = |value: usize| state[self.squares + value];
        let rank = self.rank_list(|at| square(self.values[at]));
        if self.blank == Blank::Exact {
            return rank;
        }
        let taken = self.tiles().iter().fold(0, |mask, &tile| mask | 1 << square(tile));
        let region = flood(1 << square(0), !taken, &self.both_ways);
        rank / self.free * 2 + self.value_of(region)
    }

    /// Which value counts for the blank in this region: 0 if it is large, else 1.
    fn value_of(&self, region: u64) -> usize {
        usize::from(region.count_ones() as usize * 2 <= self.free)
    }

    /// Keeps what lookups read of the entries of all states: two values for each placement.
    pub(crate) fn keep(&self, entries: &mut Vec<u8>) {
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
        Some(self.rank_list(|at| state[self.squares + self.values[at]]))
    }

    fn walk(
        &self,
        moves: &[Move],
        wanted: Option<u8>,
        entries: &mut [u8],
        visit: &mut Visit,
    ) -> Checked {
        let shifts: Vec<_> = moves.iter().map(|one| shift(&one.map)).collect();
        let (mut list, mut edges, last) = (self.values.clone(), Vec::new(), self.values.len() - 1);
        for placement in 0..self.placements {
            let row = placement * self.free..(placement + 1) * self.free;
            if wanted.is_some_and(|wanted| !entries[row.clone()].contains(&wanted)) {
                continue;
            }
            let free = self.unrank(placement, &mut list);
            let is_wanted = |from: usize| wanted.is_none_or(|wanted| entries[from] == wanted);
            let blanks = iter::zip(squares(free), row.clone()).filter(|one| is_wanted(one.1));
            let blanks = flood(blanks.fold(0, |mask, one| mask | 1 << one.0), free, &shifts);
            for (blank, from) in iter::zip(squares(free), row) {
                if blanks >> blank & 1 == 0 {
                    continue;
                }
                entries[from] = wanted.unwrap_or(entries[from]);
                edges.clear();
                for one in moves.iter().filter(|one| one.map[blank] != NOWHERE) {
                    let next = one.map[blank];
                    let tile = list[..last].iter().position(|&square| square == next);
                    // The flood has followed the moves of cost 0 to the wanted entries.
                    if tile.is_some() || wanted.is_none() {
                        list[last] = next;
                        tile.inspect(|&tile| list[tile] = blank);
                        let (to, cost) =
                            (self.rank_list(|at| list[at]), tile.map_or(0, |_| one.cost));
                        tile.inspect(|&tile| list[tile] = next);
                        edges.push(Edge { to, cost });
                    }
                }
                visit(entries, from, &edges)?;
            }
        }
        Ok(())
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
