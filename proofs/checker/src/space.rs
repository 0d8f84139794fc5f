//! Distances to one goal in a space of numbered states.

use crate::puzzle::Move;
use crate::text::{Objection, require};

/// The most states of a space.
pub(crate) const MOST: u128 = 1 << 32;
/// The entry of a state that no plan leads to the goal from.
pub(crate) const INFINITE: u8 = 255;
/// The entry of each finite distance that is this or more.
pub(crate) const FAR: u8 = 254;

/// A move from one state to another.
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) cost: u16,
    /// The number of the move.
    pub(crate) by: u16,
}

pub(crate) trait Space {
    /// The number of states.
    fn size(&self) -> usize;

    /// Calls `visit` with each state whose entry is `wanted` (`None`: with each state), and with
    /// the edges of the moves that apply to it. Edges of cost 0 stay within a *row*: some states
    /// with neighbouring numbers. A state of the row that becomes `wanted` by a visit is visited.
    fn walk<V: Visit>(
        &self,
        moves: &[Move],
        entries: &mut [u8],
        wanted: Option<u8>,
        visit: V,
    ) -> Result<(), Objection>;
}

/// What is done with a state: its number and edges, and all entries.
pub(crate) trait Visit: FnMut(&mut [u8], usize, &[Edge]) -> Result<(), Objection> {}
impl<V: FnMut(&mut [u8], usize, &[Edge]) -> Result<(), Objection>> Visit for V {}

/// Reserves memory before it is filled, so that too little is told.
pub(crate) fn bytes(size: usize) -> Result<Vec<u8>, Objection> {
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(size);
    reserved.map_err(|_| Objection::NotDone(format!("there is no memory for {size} bytes")))?;
    Ok(bytes)
}

/// The distances from all states to the goal, by Dijkstra's algorithm: for each distance in turn,
/// one pass over all entries, with the moves turned around.
pub(crate) fn compute(
    space: &impl Space,
    moves: &[Move],
    goal: usize,
) -> Result<Vec<u8>, Objection> {
    let back: Vec<_> = moves.iter().map(Move::inverse).collect();
    let mut entries = bytes(space.size())?;
    entries.resize(space.size(), INFINITE);
    entries[goal] = 0;
    let (mut distance, mut greatest) = (0, 0);
    while distance <= greatest {
        let mut changed = false;
        space.walk(&back, &mut entries, Some(distance), |entries, _, edges| {
            for edge in edges {
                let new = (u32::from(distance) + u32::from(edge.cost)).min(FAR.into()) as u8;
                let entry = &mut entries[edge.to as usize];
                if *entry > new {
                    *entry = new;
                    greatest = greatest.max(new);
                    changed = true;
                }
            }
            Ok(())
        })?;
        // States that are far lead to others that are far, in any order.
        if distance < FAR || !changed {
            distance += 1;
        }
    }
    Ok(entries)
}

/// Checks that no entry is above the distance: the goal has 0, and no entry is above the cost of a
/// move and the entry behind it.
pub(crate) fn check_bounds(
    space: &impl Space,
    moves: &[Move],
    entries: &mut [u8],
    goal: usize,
) -> Result<(), Objection> {
    require(entries[goal] == 0, || {
        format!("the goal's entry {goal}: expected 0, not {}", entries[goal])
    })?;
    space.walk(moves, entries, None, |entries, from, edges| {
        let entry = entries[from];
        for edge in edges {
            let most = through(entries, edge);
            require(entry <= most, || {
                let by = &moves[usize::from(edge.by)].name;
                format!(
                    "entry {from} is {entry}: expected at most {most}, as `{by}` leads to entry {}",
                    edge.to
                )
            })?;
        }
        Ok(())
    })
}

/// Checks that all entries are distances: only the goal has 0, and each other entry is the least
/// cost of a move and the entry behind it. As costs are 1 or more, following these moves ends, and
/// only at the goal.
pub(crate) fn check_distances(
    space: &impl Space,
    moves: &[Move],
    entries: &mut [u8],
    goal: usize,
) -> Result<(), Objection> {
    space.walk(moves, entries, None, |entries, from, edges| {
        let least = edges.iter().map(|edge| through(entries, edge)).min();
        let expected = if from == goal { 0 } else { least.unwrap_or(INFINITE) };
        let exact = expected != FAR;
        require(exact && entries[from] == expected, || {
            let far = if exact { "" } else { " and less than 254 for all" };
            format!("entry {from} is {}: expected {expected}{far}", entries[from])
        })
    })
}

/// The cost of an edge and the entry behind it.
fn through(entries: &[u8], edge: &Edge) -> u8 {
    match entries[edge.to as usize] {
        INFINITE => INFINITE,
        behind => (u32::from(behind) + u32::from(edge.cost)).min(FAR.into()) as u8,
    }
}
