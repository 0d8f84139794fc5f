//! Proves that the table of a pattern is admissible, whoever built it: [`PatternTable::prove`].

use crate::patterns::placements::{Placements, squares};
use crate::patterns::table::{Code, Excess, PatternTable, TableLayout};
use pdb::Unproved;
use pdb::rank::Arrangements;
use search::{CancelToken, Cost};

impl PatternTable {
    /// Proves that no value is above the distance, for any placement of the tiles and any region of
    /// the blank. Returns the number of edges.
    ///
    /// Several regions of a placement share a value, so a value may fall by more than the cost of
    /// an edge. Then a look at each edge alone proves nothing. So the proof walks breadth-first
    /// from the goal over placements and regions, and compares each with the value that a search
    /// reads there. Time: the edges of all placements. Memory: three bits for each placement and
    /// region, and the [`Placements`].
    ///
    /// # Errors
    /// The first entry that fails, numbered as in [`Placements`], or if cancelled.
    pub fn prove(&self, cancel: &CancelToken) -> Result<u64, Unproved> {
        let placements = Placements::new(self.pattern().clone());
        let placements = placements.unwrap_or_else(|_| unreachable!("a table checks its pattern"));
        let values = Values::new(self, &placements);
        let fault = |entry, depth: Option<u64>| {
            let depth = depth?;
            let value = values.of(entry);
            (u64::from(value) > depth).then_some(value)
        };
        pdb::prove_layers(&placements, &fault, u64::MAX - 1, cancel)
    }
}

/// The values of a table by the entries of its abstraction.
struct Values<'a> {
    table: &'a PatternTable,
    placements: &'a Placements,
    /// The weight of each tile's digit in the number of the table's entry.
    weights: Vec<u64>,
    /// For each column: the tile on each square of the set, in ascending order, in nibbles.
    orders: Vec<u64>,
}

impl<'a> Values<'a> {
    fn new(table: &'a PatternTable, placements: &'a Placements) -> Self {
        let orders = Arrangements::permutations(table.pattern().goals.len() as u32);
        let orders = (0..orders.size()).map(|rank| orders.unrank(rank)).collect();
        Self { table, placements, weights: table.weights(), orders }
    }

    /// The value that a search reads for a placement and a region of the blank.
    fn of(&self, entry: u64) -> Cost {
        let (pattern, layout) = (self.table.pattern(), self.table.layout());
        let columns = self.orders.len() as u64;
        let (set, region) = self.placements.row(entry / columns);
        let order = self.orders[(entry % columns) as usize];
        let mut square_of = [0; 16];
        for (place, square) in squares(set).enumerate() {
            square_of[(order >> (4 * place) & 15) as usize] = square;
        }
        let (mut number, mut taken, mut distance) = (0, 0_u32, 0);
        for ((&goal, &square), weight) in pattern.goals.iter().zip(&square_of).zip(&self.weights) {
            let lower = (taken & ((1 << square) - 1)).count_ones() as usize;
            let digit = if layout == TableLayout::Direct { square } else { square - lower };
            number += digit as u64 * weight;
            taken |= 1 << square;
            distance += pattern.distance(square, goal);
        }
        let bytes = self.table.bytes();
        if layout == TableLayout::Packed {
            return distance + 2 * Excess::of(bytes[(number / 2) as usize], number).half();
        }
        let free = pattern.rows * pattern.columns - pattern.goals.len();
        let code = Code(bytes[number as usize]);
        let large = 2 * region.count_ones() as usize > free;
        2 * if large { code.large() } else { code.other() } + distance % 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::placements::TilePattern;
    use crate::{BlankRegion, Board, DirectTables, Puzzle8, RankedTables};
    use pdb::memory::BytesMut;
    use pdb::{BuildOptions, build};
    use search::Members;
    use search::random::Random;
    use std::sync::Arc;

    /// A board for each placement of four tiles and the blank, with the distance of these tiles.
    fn boards(pattern: &TilePattern, placements: &Placements) -> Vec<(Board<u64>, u8)> {
        let exact = build::<8>(placements, &BuildOptions::default()).unwrap();
        let ways = Arrangements::new(9, 5);
        let board = |rank| {
            let at: [u8; 5] = std::array::from_fn(|i| (ways.unrank(rank) >> (4 * i) & 15) as u8);
            let mut numbers = [0_u8; 9];
            let others = (1..9).filter(|tile| !pattern.goals.contains(tile));
            let free = (0..9).filter(|square| !at.contains(square));
            let mut own: Vec<(u8, u8)> = pattern.goals.iter().copied().zip(at).collect();
            own.extend(others.zip(free));
            own.iter().for_each(|&(tile, square)| numbers[usize::from(square)] = tile);
            let text = |numbers: &[u8; 9]| numbers.map(|number| number.to_string()).join(" ");
            // One of both orders of the last two tiles is solvable.
            let [(_, one), (_, other)] = own[own.len() - 2..] else { unreachable!() };
            let board = Puzzle8::new().parse(&text(&numbers)).or_else(|_| {
                numbers.swap(one.into(), other.into());
                Puzzle8::new().parse(&text(&numbers))
            });
            let entry = placements.entry(&at[..4], at[4]).unwrap();
            (board.unwrap(), exact.get(entry))
        };
        (0..ways.size()).map(board).collect()
    }

    /// Whether a search reads a value above the distance.
    fn above(
        members: &impl Members<Puzzle8>,
        domain: &Puzzle8,
        boards: &[(Board<u64>, u8)],
    ) -> bool {
        let value = |board| members.root(domain, board).1(0);
        boards.iter().any(|(board, most)| value(board) > *most)
    }

    /// One wrong byte, again and again: a table passes only if a search reads no value above the
    /// distance.
    #[test]
    fn wrong_bytes_are_caught() {
        let pattern = TilePattern { rows: 3, columns: 3, goals: vec![1, 2, 3, 6], blank: 0 };
        let (placements, cancel) = (Placements::new(pattern.clone()).unwrap(), CancelToken::new());
        let (domain, boards) = (Puzzle8::new(), boards(&pattern, &placements));
        let mut random = Random::new(1);
        for layout in [TableLayout::Ranked, TableLayout::Packed, TableLayout::Direct] {
            let exact = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
            let whole = PatternTable::new(pattern.clone(), layout, exact.clone()).unwrap();
            assert!(whole.prove(&cancel).unwrap() > boards.len() as u64);
            let mut caught = 0;
            for round in 0..150 {
                let mut wrong = BytesMut::zeroed(exact.len()).unwrap();
                wrong.as_mut_slice().copy_from_slice(&exact);
                let place = random.index(exact.len());
                wrong.as_mut_slice()[place] ^= 1 << random.below(8);
                let wrong = PatternTable::new(pattern.clone(), layout, wrong.freeze()).unwrap();
                let tables = [Arc::new(wrong)];
                let known = BlankRegion::Known;
                let above = if layout == TableLayout::Direct {
                    let read = DirectTables::<1>::new(&domain, &tables, false, known).unwrap();
                    above(&read, &domain, &boards)
                } else {
                    let read = RankedTables::new(&domain, &tables, false, known).unwrap();
                    above(&read, &domain, &boards)
                };
                assert_eq!(tables[0].prove(&cancel).is_err(), above, "{layout:?}, round {round}");
                caught += u32::from(above);
            }
            // Most entries of a direct table are of no placement.
            assert!(caught > if layout == TableLayout::Direct { 10 } else { 50 }, "{caught}");
        }
    }
}
