//! Distances to one goal in a space of numbered states.

use crate::puzzle::{Move, inverse};
use crate::text::{Checked, not_done, require};

/// The most states of a space.
pub(crate) const MOST: u128 = 1 << 32;
/// The entry of a state that no plan leads from to the goal.
pub(crate) const INFINITE: u8 = 255;
/// The entry of each finite distance that is this or more.
pub(crate) const FAR: u8 = 254;

/// What a move leads to, and its cost: 0 if it moves nothing that counts.
pub(crate) struct Edge {
    pub(crate) to: usize,
    pub(crate) cost: usize,
}

/// Is called with all entries, the number of a state, and its edges.
pub(crate) type Visit<'a> = dyn FnMut(&mut [u8], usize, &[Edge]) -> Checked + 'a;

/// A pass over all states, or over those with the wanted entry. States that moves of cost 0 lead to
/// from one of these get the wanted entry, and are visited, too.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub(crate) moves: &'a [Move],
    pub(crate) wanted: Option<u8>,
}

pub(crate) trait Space {
    /// The number of states.
    fn size(&self) -> usize;

    /// The number of a state of the puzzle. `None`: it has none.
    fn rank(&self, state: &[usize]) -> Option<usize>;

    /// Adds the edges of a state. Not needed by a walk of its own.
    fn edges(&self, _from: usize, _moves: &[Move], _edges: &mut Vec<Edge>) -> Checked {
        Ok(())
    }

    fn walk(&self, pass: Pass, entries: &mut [u8], visit: &mut Visit) -> Checked {
        let mut edges = Vec::new();
        for from in 0..entries.len() {
            if pass.wants(entries[from]) {
                edges.clear();
                self.edges(from, pass.moves, &mut edges)?;
                visit(entries, from, &edges)?;
            }
        }
        Ok(())
    }

    /// Is called before passes with these moves.
    fn prepare(&mut self, _moves: &[Move]) {}

    /// Keeps the entries that lookups read.
    fn keep(&self, _entries: &mut Vec<u8>) {}

    /// Which of these a lookup reads for a state.
    fn entry(&self, state: &[usize]) -> Option<usize> {
        self.rank(state)
    }

    /// Boards: the tiles whose moves cost something.
    fn tiles(&self) -> &[usize] {
        &[]
    }

    /// Boards: whether lookups read the same after a move of this tile.
    fn is_blind(&self, _tile: usize) -> bool {
        false
    }
}

impl Pass<'_> {
    pub(crate) fn wants(self, entry: u8) -> bool {
        self.wanted.is_none_or(|wanted| wanted == entry)
    }
}

/// An entry that many costs more, at most `FAR`.
pub(crate) fn plus(entry: u8, cost: usize) -> u8 {
    let sum = cost.saturating_add(entry.into());
    if entry == INFINITE { INFINITE } else { u8::try_from(sum).map_or(FAR, |sum| sum.min(FAR)) }
}

/// The distances of all states, by Dijkstra's algorithm: for each distance in turn, one pass over
/// all entries, with the moves turned around.
pub(crate) fn compute(space: &mut dyn Space, moves: &[Move], goal: usize) -> Checked<Vec<u8>> {
    let mut back = moves.to_vec();
    back.iter_mut().for_each(|one| one.map = inverse(&one.map));
    space.prepare(&back);
    let mut entries = Vec::new();
    let reserved = entries.try_reserve_exact(space.size());
    reserved.map_err(|_| not_done(format_args!("no memory for {} bytes", space.size())))?;
    entries.resize(space.size(), INFINITE);
    entries[goal] = 0;
    let (mut distance, mut greatest) = (0, 0);
    while distance <= greatest {
        let mut changed = false;
        let pass = Pass { moves: &back, wanted: Some(distance) };
        space.walk(pass, &mut entries, &mut |entries, _, edges| {
            for edge in edges {
                let new = plus(distance, edge.cost);
                if entries[edge.to] > new {
                    entries[edge.to] = new;
                    (greatest, changed) = (greatest.max(new), true);
                }
            }
            Ok(())
        })?;
        // States that are far lead to others that are far, in any order.
        distance += u8::from(distance < FAR || !changed);
    }
    Ok(entries)
}

/// Checks all entries. They are *bounds* if none is above the distance: the goal's is 0, and none
/// is above the cost of a move and the entry behind it. They are distances if also each but the
/// goal's is the least of these sums: as costs are 1 or more, moves that attain it lead to smaller
/// and smaller entries, so to the goal.
pub(crate) fn check(
    space: &mut dyn Space,
    moves: &[Move],
    goal: usize,
    entries: &mut [u8],
    bounds: bool,
) -> Checked {
    space.prepare(moves);
    space.walk(Pass { moves, wanted: None }, entries, &mut |entries, from, edges| {
        let number = |entry: u8| if entry == INFINITE { usize::MAX } else { entry.into() };
        let sum = |edge: &Edge| number(entries[edge.to]).saturating_add(edge.cost);
        let least = edges.iter().map(sum).min().unwrap_or(usize::MAX);
        let (entry, least) = (number(entries[from]), if from == goal { 0 } else { least });
        let holds = entry == least || bounds && entry < least;
        let least = least.min(INFINITE.into());
        require(holds, format_args!("expected {least} in entry {from}, not {}", entries[from]))
    })
}
