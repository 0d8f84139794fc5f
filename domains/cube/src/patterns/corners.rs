//! The pattern of all corners: 40,320 permutations times 2,187 twists.

use super::PatternDescription;
use crate::cube::{CORNER_NAMES, Cube, index};
use crate::domain::{Cube3, CubeMetric};
use pdb::{Abstraction, ColumnMap, Edge, Indexer};
use search::{Domain, Op};

/// The pattern of the eight corners. Their permutation is the row, the twists of slots 0 to 6 the
/// column.
///
/// - Row: `24 * s + o`. Here `s` is the rank of the pieces in slots 0 to 3 among the 1,680
///   sequences of four corners. `o` is the rank of the order of the pieces in slots 4 to 7.
/// - Column: the twists in base 3, slot 6 the lowest digit. A turn changes the twists alike for
///   every permutation, so each operator has one column map.
///
/// 88,179,840 entries.
#[derive(Clone, Debug)]
pub struct CornerPattern {
    domain: Cube3,
    tables: Box<Tables>,
    /// For each operator: the column that each column becomes.
    maps: Vec<Vec<u16>>,
}

/// Tables that rank the corners by four lookups (12.6 KB), and tables that unrank them.
#[derive(Clone, Debug)]
struct Tables {
    /// By the pieces in slots 0 to 3 (12 bits): 24 times the rank of the sequence.
    sequence: [u16; 4096],
    /// By the pieces in slots 4 to 7 (12 bits): the rank of their order.
    order: [u8; 4096],
    /// By the twists of slots 0 to 3 (8 bits): their part of the column.
    high_twists: [u16; 256],
    /// By the twists of slots 4 to 6 (6 bits): their part of the column.
    low_twists: [u16; 64],
    /// By rank of the sequence: the pieces in slots 0 to 3.
    sequences: Vec<u16>,
    /// By rank of the order: for each of slots 4 to 7, the number of its piece among the four
    /// remaining pieces in ascending order.
    orders: Vec<[u8; 4]>,
}

/// Number of rows.
const ROWS: u64 = 40_320;
/// Number of columns.
const COLUMNS: u16 = 2187;

/// Reads the table entry whose index is the bits of a word from `shift` on. `N` must be a power of
/// two.
#[inline(always)]
fn read<T: Copy, const N: usize>(table: &[T; N], word: u64, shift: usize) -> T {
    table[index(word, shift, N as u64 - 1)]
}

impl Tables {
    fn new() -> Box<Self> {
        let mut tables = Box::new(Self {
            sequence: [0; 4096],
            order: [0; 4096],
            high_twists: [0; 256],
            low_twists: [0; 64],
            sequences: Vec::new(),
            orders: Vec::new(),
        });
        // Sequences are ranked in the order of their words, last slot first.
        for word in 0..4096_u16 {
            let pieces = four(word);
            if (0..4).any(|i| pieces[..i].contains(&pieces[i])) {
                continue;
            }
            tables.sequence[usize::from(word)] = 24 * len(&tables.sequences);
            tables.sequences.push(word);
            let order = pieces.map(|piece| low(pieces.iter().filter(|&&p| p < piece).count()));
            let rank = tables.orders.iter().position(|&known| known == order);
            tables.order[usize::from(word)] = low(rank.unwrap_or(tables.orders.len()));
            if rank.is_none() {
                tables.orders.push(order);
            }
        }
        let base_3 = |word: u16, slots: usize| {
            (0..slots).fold(0, |rank, slot| 3 * rank + (word >> (2 * slot) & 3))
        };
        for (word, twists) in (0..).zip(&mut tables.high_twists) {
            *twists = 27 * base_3(word, 4);
        }
        for (word, twists) in (0..).zip(&mut tables.low_twists) {
            *twists = base_3(word, 3);
        }
        tables
    }

    /// The cube with the permutation of a row, without twists.
    fn cube(&self, row: u64) -> Cube {
        let row = usize::try_from(row).expect("40,320 rows");
        let word = self.sequences[row / 24];
        let taken = four(word);
        let mut free = [0; 4];
        for (slot, piece) in free.iter_mut().zip((0..8).filter(|piece| !taken.contains(piece))) {
            *slot = piece;
        }
        let order = self.orders[row % 24];
        let rest = (0..4).fold(0, |rest, i| rest | free[usize::from(order[i])] << (3 * i));
        Cube { corners: u64::from(word) | u64::from(rest) << 12, ..Cube::SOLVED }
    }
}

/// Unpacks four pieces of three bits each.
fn four(word: u16) -> [u16; 4] {
    std::array::from_fn(|i| word >> (3 * i) & 7)
}

/// The length of a list, which is at most 1,680.
fn len<T>(list: &[T]) -> u16 {
    u16::try_from(list.len()).expect("at most 1,680")
}

/// Converts a number that is at most 24.
fn low(number: usize) -> u8 {
    u8::try_from(number).expect("at most 24")
}

impl CornerPattern {
    /// The pattern with the operators of a metric.
    pub fn new(metric: CubeMetric) -> Self {
        let domain = Cube3::new(metric);
        let mut corners = Self { domain, tables: Tables::new(), maps: Vec::new() };
        corners.maps = (0..domain.operators())
            .map(|op| {
                let turn = domain.turn(Op::new(op));
                let map = |column| corners.column(&twisted(column).turned(turn));
                (0..COLUMNS).map(map).collect()
            })
            .collect();
        corners
    }

    /// The description of the table, for its file.
    pub fn description(&self) -> PatternDescription {
        PatternDescription::new(self.domain.metric(), "corners", CORNER_NAMES.into_iter())
    }

    /// The rank of the permutation, below 40,320.
    #[inline(always)]
    fn row(&self, cube: &Cube) -> u32 {
        let c = cube.corners;
        u32::from(read(&self.tables.sequence, c, 0)) + u32::from(read(&self.tables.order, c, 12))
    }

    /// The rank of the twists, below 2,187.
    #[inline(always)]
    fn column(&self, cube: &Cube) -> u16 {
        let c = cube.corners;
        read(&self.tables.high_twists, c, 24) + read(&self.tables.low_twists, c, 32)
    }
}

/// A cube with the twists of a column, all else solved.
fn twisted(column: u16) -> Cube {
    let digit = |slot: u32| u64::from(column / 3_u16.pow(6 - slot) % 3);
    let twists = (0..7).fold(0, |twists, slot| twists | digit(slot) << (2 * slot));
    let last = (21 - (0..7).map(digit).sum::<u64>()) % 3;
    Cube { corners: Cube::SOLVED.corners | (twists | last << 14) << 24, ..Cube::SOLVED }
}

impl Abstraction for CornerPattern {
    fn shape(&self) -> (u64, usize) {
        (ROWS, usize::from(COLUMNS))
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(self.entry(self.index(&self.domain, &Cube::SOLVED)));
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let cube = self.tables.cube(row);
        // The operators of a metric undo each other, so they lead to all predecessors.
        out.extend((0..).zip(0..self.domain.operators()).map(|(map, op)| {
            let row = u64::from(self.row(&cube.turned(self.domain.turn(Op::new(op)))));
            Edge { row, map, cost: 1 }
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Cube3> for CornerPattern {
    type Index = u32;
    #[inline(always)]
    fn index(&self, _: &Cube3, state: &Cube) -> u32 {
        self.row(state) * u32::from(COLUMNS) + u32::from(self.column(state))
    }
    #[inline(always)]
    fn entry(&self, at: u32) -> u64 {
        u64::from(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;

    #[test]
    fn ranks_are_one_to_one() {
        let corners = CornerPattern::new(CubeMetric::HalfTurn);
        for row in 0..ROWS {
            assert_eq!(u64::from(corners.row(&corners.tables.cube(row))), row);
        }
        for column in 0..COLUMNS {
            assert_eq!(corners.column(&twisted(column)), column);
        }
    }

    #[test]
    fn edges_lead_where_turns_lead() {
        let mut random = Random::new(5);
        for corners in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(CornerPattern::new) {
            let domain = corners.domain;
            let mut edges = Vec::new();
            for _ in 0..200 {
                let cube = Cube::random(&mut random);
                edges.clear();
                corners.edges(corners.row(&cube).into(), &mut edges);
                assert_eq!(edges.len(), domain.operators());
                for (op, edge) in edges.iter().enumerate() {
                    let next = corners.index(&domain, &cube.turned(domain.turn(Op::new(op))));
                    let column = usize::from(corners.column(&cube));
                    let column = corners.column_map(edge.map).to(column);
                    assert_eq!(edge.row * 2187 + column as u64, corners.entry(next));
                }
            }
        }
    }
}
