//! Six of the edges: 665,280 placements times 64 flips.

use super::Description;
use crate::cube::{Cube, EDGE_NAMES};
use crate::domain::{Cube3, Metric};
use crate::turns::move_edges;
use pdb::{Abstraction, Edge, Indexer};
use search::{Domain, Op};

/// Six edge pieces, their places as the row and their flips as the column.
///
/// Row: `504 *` the rank of the places of the first three pieces, `+` the rank of those of the other three among the nine
/// places that are left. Column: bit `k` is the flip of piece `k`. Which flips a turn changes depends on the places, so there
/// is a column map for each of the 64 sets of pieces. 42,577,920 entries.
///
/// A search carries the places and flips and moves them by three reads; it never looks for a piece.
#[derive(Clone, Debug)]
pub struct Edges {
    domain: Cube3,
    pieces: [u8; 6],
    tables: Box<Tables>,
    /// By set of pieces: the columns with these flips changed. The first is the identity and empty.
    maps: Vec<Vec<u16>>,
}

/// Why a choice of edges is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "piece {place} of the pattern: found {found}, expected one of the edges 0 to 11 that was not named before"
)]
pub struct EdgesError {
    place: usize,
    found: u8,
}

/// Where six pieces are: bits `4k .. 4k + 4` the slot of piece `k`, bit `24 + k` its flip.
pub type Places = u32;

/// What ranks three places: 26 KB; and what unranks them.
#[derive(Clone, Debug)]
struct Tables {
    /// By the slots of three pieces (12 bits): the rank of the sequence among 1,320, and its set among 220 in bits 11 to 18.
    first: [u32; 4096],
    /// By set: bits `4s .. 4s + 4` say how many of the slots below `s` are not in the set.
    left: [u64; 256],
    /// By three places among nine (12 bits): the rank of the sequence among 504.
    second: [u16; 4096],
    /// By rank among 1,320: the slots.
    firsts: Vec<u16>,
    /// By set: bits `4i .. 4i + 4` are the slot of place `i` among the nine that are left.
    free: [u64; 256],
    /// By rank among 504: the three places.
    seconds: Vec<u16>,
}

/// Three fields of four bits.
fn three(word: u16) -> [u16; 3] {
    std::array::from_fn(|i| word >> (4 * i) & 15)
}

/// The words of three different fields below `end`.
fn sequences(end: u16) -> impl Iterator<Item = u16> {
    (0..4096).filter(move |&word| {
        let [a, b, c] = three(word);
        a.max(b).max(c) < end && a != b && a != c && b != c
    })
}

impl Tables {
    fn new() -> Box<Self> {
        let mut tables = Box::new(Self {
            first: [0; 4096],
            left: [0; 256],
            second: [0; 4096],
            firsts: sequences(12).collect(),
            free: [0; 256],
            seconds: sequences(9).collect(),
        });
        let mut sets: Vec<u16> = Vec::new();
        for (rank, &word) in (0..).zip(&tables.firsts) {
            let members = three(word).iter().fold(0, |set, slot| set | 1 << slot);
            let set = sets.iter().position(|&known| known == members).unwrap_or_else(|| {
                sets.push(members);
                let mut left = 0;
                for slot in 0..12 {
                    tables.left[sets.len() - 1] |= left << (4 * slot);
                    if members >> slot & 1 == 0 {
                        tables.free[sets.len() - 1] |= slot << (4 * left);
                        left += 1;
                    }
                }
                sets.len() - 1
            });
            tables.first[usize::from(word)] = rank | u32::try_from(set).unwrap_or(0) << 11;
        }
        for (rank, &word) in (0..).zip(&tables.seconds) {
            tables.second[usize::from(word)] = rank;
        }
        tables
    }

    /// The rank of the places, below 665,280.
    #[inline(always)]
    fn row(&self, places: Places) -> u32 {
        let first = self.first[(places & 0xfff) as usize];
        let left = self.left[(first >> 11) as usize & 255];
        let place = |i: u32| left >> (4 * (places >> (12 + 4 * i) & 15)) & 15;
        let second = place(0) | place(1) << 4 | place(2) << 8;
        (first & 0x7ff) * 504 + u32::from(self.second[second as usize & 0xfff])
    }

    /// The places of a row, without flips.
    fn places(&self, row: u64) -> Places {
        let row = usize::try_from(row).unwrap_or(usize::MAX);
        let first = self.firsts[row / 504];
        let free = self.free[(self.first[usize::from(first)] >> 11) as usize];
        (0..).zip(three(self.seconds[row % 504])).fold(u32::from(first), |places, (i, place)| {
            #[expect(clippy::cast_possible_truncation, reason = "four bits")]
            let slot = (free >> (4 * place) & 15) as u32;
            places | slot << (12 + 4 * i)
        })
    }
}

impl Edges {
    /// Six edges in a metric, numbered as in [`EDGE_NAMES`], in the order in which they are ranked.
    ///
    /// # Errors
    /// If a piece is unknown or named twice.
    pub fn new(metric: Metric, pieces: [u8; 6]) -> Result<Self, EdgesError> {
        let wrong = |&i: &usize| pieces[i] > 11 || pieces[..i].contains(&pieces[i]);
        match (0..6).find(wrong) {
            Some(i) => Err(EdgesError { place: i + 1, found: pieces[i] }),
            None => Ok(Self::of(metric, pieces)),
        }
    }

    /// Six pieces that are known to be different edges.
    pub(super) fn of(metric: Metric, pieces: [u8; 6]) -> Self {
        let flipped = |set: u16| (0..64).map(|column| column ^ set).collect();
        let maps = (0..64).map(|set| if set == 0 { Vec::new() } else { flipped(set) }).collect();
        Self { domain: Cube3::new(metric), pieces, tables: Tables::new(), maps }
    }

    /// The pieces.
    pub fn pieces(&self) -> [u8; 6] {
        self.pieces
    }

    /// What the table stores.
    pub fn description(&self) -> Description {
        let names = self.pieces.into_iter().map(|piece| EDGE_NAMES[usize::from(piece)]);
        Description::new(self.domain.metric(), "edges", names)
    }
}

impl Abstraction for Edges {
    fn rows(&self) -> u64 {
        665_280
    }
    fn columns(&self) -> usize {
        64
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(self.entry(self.index(&self.domain, &Cube::SOLVED)));
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let places = self.tables.places(row);
        // The operators of a metric undo each other, so they lead to all predecessors.
        out.extend((0..self.domain.operators()).map(|op| {
            let next = move_edges(places, self.domain.turn(Op::new(op)));
            Edge { row: self.tables.row(next).into(), map: next >> 24, cost: 1 }
        }));
    }
    fn column_map(&self, map: u32) -> &[u16] {
        &self.maps[map as usize]
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Cube3> for Edges {
    type Index = Places;
    fn index(&self, _: &Cube3, state: &Cube) -> Places {
        let mut places = 0;
        for (k, &piece) in self.pieces.iter().enumerate() {
            if let Some(slot) = (0..12).find(|&slot| state.edge(slot) == piece) {
                places |= u32::try_from(slot).unwrap_or(0) << (4 * k);
                places |= u32::from(state.flip(slot)) << (24 + k);
            }
        }
        places
    }
    #[inline(always)]
    fn advance(&self, domain: &Cube3, _: &Cube, at: Places, op: Op, _: &Cube) -> Places {
        move_edges(at, domain.turn(op))
    }
    #[inline(always)]
    fn entry(&self, at: Places) -> u64 {
        u64::from(self.tables.row(at) << 6 | at >> 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn ranks_are_one_to_one() {
        let tables = Tables::new();
        assert_eq!((tables.firsts.len(), tables.seconds.len()), (1320, 504));
        for row in 0..665_280 {
            assert_eq!(u64::from(tables.row(tables.places(row))), row);
        }
    }

    #[test]
    fn what_is_carried_is_what_is_found() {
        let mut random = Random::new(5);
        for metric in [Metric::HalfTurn, Metric::QuarterTurn] {
            let edges = Edges::new(metric, [7, 0, 11, 3, 8, 5]).unwrap();
            let domain = edges.domain;
            let mut out = Vec::new();
            for _ in 0..200 {
                let cube = random.cube();
                let at = edges.index(&domain, &cube);
                out.clear();
                edges.edges(edges.entry(at) / 64, &mut out);
                assert_eq!(out.len(), domain.operators());
                for (op, edge) in out.iter().enumerate() {
                    let next = cube.turned(domain.turn(Op::new(op)));
                    let advanced = edges.advance(&domain, &cube, at, Op::new(op), &next);
                    assert_eq!(advanced, edges.index(&domain, &next));
                    let column = u16::try_from(edges.entry(at) % 64).unwrap();
                    let map = edges.column_map(edge.map);
                    let column = map.get(usize::from(column)).copied().unwrap_or(column);
                    assert_eq!(edge.row * 64 + u64::from(column), edges.entry(advanced));
                }
            }
        }
    }

    #[test]
    fn six_different_edges_are_asked_for() {
        let refused = |pieces| Edges::new(Metric::HalfTurn, pieces).unwrap_err().to_string();
        assert!(refused([0, 1, 2, 3, 4, 12]).starts_with("piece 6 of the pattern: found 12"));
        assert!(refused([0, 1, 2, 1, 4, 5]).starts_with("piece 4 of the pattern: found 1"));
    }
}
