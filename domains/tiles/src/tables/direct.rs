//! Tables numbered by weighted sums of squares: larger than ranked ones, but a move only adds a
//! number to an entry's number.

use super::{BlankRegion, Members, TileIndex};
use crate::domain::{Board, Tiles};
use crate::pattern_table::{PatternTable, TableLayout};
use crate::word::BoardWord;
use search::{Cost, Op};
use std::sync::Arc;

/// Up to `MEMBERS` lookups in [`TableLayout::Direct`] tables, whose values are added to bounds. A
/// member is a table read for the board, or for its reflection. The members of the board come
/// first.
#[derive(Clone, Debug)]
pub struct DirectTables<const MEMBERS: usize> {
    members: Members,
    /// Indexed by label, then operator: what a move of this tile adds to the entry number of each
    /// member, modulo 2^32.
    steps: Vec<[[u32; MEMBERS]; 4]>,
}

impl<const MEMBERS: usize> DirectTables<MEMBERS> {
    /// Creates one member for each table. If `reflected` is set and the puzzle reflects, also
    /// creates one for each table on the reflected board. `None` if there are more than `MEMBERS`
    /// or 64 members, or a table has another layout or 2^32 or more entries.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let fits = |table: &Arc<PatternTable>| {
            table.layout() == TableLayout::Direct && u32::try_from(table.bytes().len()).is_ok()
        };
        let members = Members::new(domain, tables, reflected, blank);
        if members.list.len() > MEMBERS.min(64) || !tables.iter().all(fits) {
            return None;
        }
        let mut steps = vec![[[0; MEMBERS]; 4]; 64];
        let columns = domain.columns();
        for (number, member) in members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                // The tile moves in the direction opposite to the blank's.
                let (row, column) = if member.reflected { (1, columns) } else { (columns, 1) };
                let ways = [row as i64, column as i64, -(column as i64), -(row as i64)];
                for (step, way) in steps[usize::from(label)].iter_mut().zip(ways) {
                    step[number] = (weight as i64 * way) as u32;
                }
            }
        }
        Some(Self { members, steps })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    search::AdditiveBounds<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    type Index = TileIndex<[u32; MEMBERS]>;

    fn features(&self) -> Vec<Vec<usize>> {
        self.members.features()
    }
    fn index(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Index {
        let mut index = self.members.index(domain, board, [0; MEMBERS]);
        for (number, member) in self.members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                let square = index.square(label.into());
                let image = self.members.image[usize::from(square)];
                let at = if member.reflected { image } else { square };
                index.entries[number] += (weight * u64::from(at)) as u32;
            }
        }
        index
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Self::Index,
        op: Op,
        mover: usize,
        to: &mut Self::Index,
    ) {
        let steps = &self.steps[mover & 63][op.index() & 3];
        // The copy cannot overlap the steps in memory, so the compiler adds several entries at
        // once.
        let mut entries = from.entries;
        for (entry, step) in entries.iter_mut().zip(steps) {
            *entry = entry.wrapping_add(*step);
        }
        to.entries = entries;
        to.follow(from, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn read(&self, index: &Self::Index, member: usize) -> Cost {
        let code = self.members.list[member].bytes[index.entries[member % MEMBERS] as usize];
        self.members.value(member, code, index)
    }
    #[inline(always)]
    fn prefetch(&self, index: &Self::Index, op: Op, mover: usize, member: usize) {
        let step = self.steps[mover & 63][op.index() & 3][member % MEMBERS];
        let entry = index.entries[member % MEMBERS].wrapping_add(step);
        pdb::memory::prefetch(&self.members.list[member].bytes, entry as usize);
    }
}
