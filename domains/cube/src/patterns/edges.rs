//! The pattern of six edges: 665,280 placements times 64 flips.

use super::PatternDescription;
use crate::cube::{Cube, EDGE_NAMES, index};
use crate::domain::{Cube3, CubeMetric};
use crate::turns::move_edges;
use pdb::{Abstraction, ColumnMap, Edge, Indexer};
use search::{Domain, Op};

/// The pattern of six edge pieces. Their slots are the row, their flips the column.
///
/// - Row: `504 * f + 84 * o + s`. Here `f` is the rank of the first three slots, `o` the order of
///   the other three slots, and `s` the rank of their set. The set is ranked among the sets of
///   three of the nine slots left.
/// - Column: bit `k` is the flip of piece `k`. The slots determine which flips a turn changes, so
///   each of the 64 sets of pieces has a column map.
///
/// 42,577,920 entries. A search carries the slots and flips of the pieces, and updates them by
/// three lookups for each move.
#[derive(Clone, Debug)]
pub struct EdgePattern {
    domain: Cube3,
    pieces: [u8; 6],
    tables: Box<Tables>,
    /// For each set of pieces: its column map, which takes each column to the column where exactly
    /// the flips of these pieces are changed. The list of the empty set is empty: its map is the
    /// identity.
    maps: Vec<Vec<u16>>,
}

/// Why a list of pieces is not a pattern of six edges.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "piece {place} of the pattern: found {found}, expected one of the edges 0 to 11 that was not \
     named before"
)]
pub struct EdgePatternError {
    place: usize,
    found: u8,
}

/// Slots and flips of six pieces: bits `4k .. 4k + 4` are the slot of piece `k`, bit `24 + k` is
/// its flip.
pub type EdgePlaces = u32;

/// Tables that rank slots, and tables that unrank them. The ranking tables take 89 KB; a lookup
/// reads one cache line of each.
#[derive(Clone, Debug)]
struct Tables {
    /// Indexed by the slots of pieces 0 to 2 (12 bits): 504 times the rank of these slots among
    /// 1,320 sequences. From bit 20 on, the number of their set among 220.
    first: [u32; 4096],
    /// Indexed by the slots of pieces 3 to 5 (12 bits): 84 times the rank of their order among 6.
    /// From bit 9 on, the number of their set among 220.
    second: [u32; 4096],
    /// Indexed by the number of the set of the first three slots, then of the other three. The rank
    /// of the other set among the 84 sets of slots left.
    apart: Vec<[u8; 256]>,
    /// Indexed by rank of the sequence (below 1,320): the slots of pieces 0 to 2.
    firsts: Vec<u16>,
    /// Indexed by the set of the first three slots, then by `84 * order + rank`: the slots of
    /// pieces 3 to 5.
    seconds: Vec<[u16; 504]>,
}

/// Unpacks three fields of four bits.
fn three(word: u16) -> [u16; 3] {
    std::array::from_fn(|i| word >> (4 * i) & 15)
}

/// The index of an item in a list. Appends the item if it is new.
fn number<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let known = list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    u32::try_from(known).expect("at most 1,320")
}

impl Tables {
    fn new() -> Box<Self> {
        let mut tables = Box::new(Self {
            first: [0; 4096],
            second: [0; 4096],
            apart: Vec::new(),
            firsts: Vec::new(),
            seconds: Vec::new(),
        });
        let (mut sets, mut orders): (Vec<u16>, Vec<[bool; 3]>) = (Vec::new(), Vec::new());
        for word in 0..4096 {
            let [a, b, c] = three(word);
            if a.max(b).max(c) > 11 || a == b || a == c || b == c {
                continue;
            }
            let set = number(&mut sets, 1 << a | 1 << b | 1 << c);
            let order = number(&mut orders, [a < b, a < c, b < c]);
            tables.first[usize::from(word)] = (504 * number(&mut tables.firsts, word)) | set << 20;
            tables.second[usize::from(word)] = (84 * order) | set << 9;
        }
        for first in &sets {
            let disjoint = sets.iter().filter(|&second| first & second == 0);
            let disjoint: Vec<_> = disjoint.collect();
            let mut apart = [0; 256];
            for (number, set) in sets.iter().enumerate() {
                if let Some(rank) = disjoint.iter().position(|&known| known == set) {
                    apart[number] = u8::try_from(rank).expect("84 disjoint sets");
                }
            }
            let mut seconds = [0; 504];
            for &word in &tables.firsts {
                let second = tables.second[usize::from(word)];
                let set = (second >> 9) as usize;
                if first & sets[set] == 0 {
                    seconds[(second & 511) as usize + usize::from(apart[set])] = word;
                }
            }
            tables.apart.push(apart);
            tables.seconds.push(seconds);
        }
        tables
    }

    /// The row, below 665,280. Ignores the flips.
    #[inline(always)]
    fn row(&self, places: EdgePlaces) -> u32 {
        let first = self.first[(places & 0xfff) as usize];
        let second = self.second[(places >> 12 & 0xfff) as usize];
        let apart = self.apart[(first >> 20) as usize][(second >> 9 & 255) as usize];
        (first & 0xf_ffff) + (second & 511) + u32::from(apart)
    }

    /// The slots of a row, without flips.
    fn places(&self, row: u64) -> EdgePlaces {
        let row = usize::try_from(row).expect("665,280 rows");
        let first = self.firsts[row / 504];
        let set = (self.first[usize::from(first)] >> 20) as usize;
        u32::from(first) | u32::from(self.seconds[set][row % 504]) << 12
    }
}

impl EdgePattern {
    /// The pattern of six edges, numbered as in [`EDGE_NAMES`], with the operators of a metric.
    /// Entries are ranked in the order of `pieces`.
    ///
    /// # Errors
    /// If a piece is unknown or occurs twice.
    pub fn new(metric: CubeMetric, pieces: [u8; 6]) -> Result<Self, EdgePatternError> {
        let wrong = |&i: &usize| pieces[i] > 11 || pieces[..i].contains(&pieces[i]);
        match (0..6).find(wrong) {
            Some(i) => Err(EdgePatternError { place: i + 1, found: pieces[i] }),
            None => Ok(Self::of(metric, pieces)),
        }
    }

    /// The pattern of six edges that are known to be different.
    pub(super) fn of(metric: CubeMetric, pieces: [u8; 6]) -> Self {
        let flipped = |set: u16| (0..64).map(|column| column ^ set).collect();
        let maps = (0..64).map(|set| if set == 0 { Vec::new() } else { flipped(set) }).collect();
        Self { domain: Cube3::new(metric), pieces, tables: Tables::new(), maps }
    }

    /// The six edge pieces, in the order in which they are ranked.
    pub fn pieces(&self) -> [u8; 6] {
        self.pieces
    }

    /// The description of the table, for its file.
    pub fn description(&self) -> PatternDescription {
        let names = self.pieces.into_iter().map(|piece| EDGE_NAMES[usize::from(piece)]);
        PatternDescription::new(self.domain.metric(), "edges", names)
    }
}

impl Abstraction for EdgePattern {
    fn shape(&self) -> (u64, usize) {
        (665_280, 64)
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
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Cube3> for EdgePattern {
    type Index = EdgePlaces;
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "slots are below 12")]
    fn index(&self, _: &Cube3, state: &Cube) -> EdgePlaces {
        // By piece, four bits: its slot.
        let slots =
            (0..12).fold(0, |slots: u64, slot| slots | (slot as u64) << (4 * state.edge(slot)));
        (0..).zip(self.pieces).fold(0, |places, (k, piece)| {
            let slot = index(slots, 4 * usize::from(piece), 15);
            places
                | (slot as EdgePlaces) << (4 * k)
                | EdgePlaces::from(state.flip(slot)) << (24 + k)
        })
    }
    #[inline(always)]
    fn advance(&self, domain: &Cube3, _: &Cube, at: EdgePlaces, op: Op, _: &Cube) -> EdgePlaces {
        move_edges(at, domain.turn(op))
    }
    #[inline(always)]
    fn entry(&self, at: EdgePlaces) -> u64 {
        u64::from(self.tables.row(at) << 6 | at >> 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;

    #[test]
    fn ranks_are_one_to_one() {
        let tables = Tables::new();
        assert_eq!((tables.firsts.len(), tables.seconds.len()), (1320, 220));
        for row in 0..665_280 {
            assert_eq!(u64::from(tables.row(tables.places(row))), row);
        }
    }

    #[test]
    fn what_is_carried_is_what_is_found() {
        let mut random = Random::new(5);
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            let edges = EdgePattern::new(metric, [7, 0, 11, 3, 8, 5]).unwrap();
            let domain = edges.domain;
            let mut out = Vec::new();
            for _ in 0..200 {
                let cube = Cube::random(&mut random);
                let at = edges.index(&domain, &cube);
                out.clear();
                edges.edges(edges.entry(at) / 64, &mut out);
                assert_eq!(out.len(), domain.operators());
                for (op, edge) in out.iter().enumerate() {
                    let next = cube.turned(domain.turn(Op::new(op)));
                    let advanced = edges.advance(&domain, &cube, at, Op::new(op), &next);
                    assert_eq!(advanced, edges.index(&domain, &next));
                    let column = usize::try_from(edges.entry(at) % 64).unwrap();
                    let column = edges.column_map(edge.map).to(column);
                    assert_eq!(edge.row * 64 + column as u64, edges.entry(advanced));
                }
            }
        }
    }

    #[test]
    fn six_different_edges_are_asked_for() {
        let refused =
            |pieces| EdgePattern::new(CubeMetric::HalfTurn, pieces).unwrap_err().to_string();
        assert!(refused([0, 1, 2, 3, 4, 12]).starts_with("piece 6 of the pattern: found 12"));
        assert!(refused([0, 1, 2, 1, 4, 5]).starts_with("piece 4 of the pattern: found 1"));
    }
}
